package tracy

import (
	"encoding/binary"
	"fmt"
	"math"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pierrec/lz4/v4"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
)

func TestMain(m *testing.M) { os.Exit(testkit.SideBySide(m)) }

// games are recordings of testdata/game.cpp with 40 frames, by Tracy's version.
func games(t testing.TB) map[string]string {
	t.Helper()
	paths := map[string]string{}
	for _, v := range []string{"0.10", "0.11.0", "0.11.1", "0.12", "0.13", "0.14"} {
		name := "game-" + v + ".tracystream"
		if paths[v] = filepath.Join("testdata", name); v == "0.10" || v == "0.12" || v == "0.14" {
			paths[v] = recordings.File(t, recordings.Tracy, name)
		}
	}
	return paths
}

// TestGame compares what each version of the client sent with what the game did.
func TestGame(t *testing.T) {
	for version, path := range games(t) {
		t.Run(version, func(t *testing.T) { gameIsWhole(t, path, 40) })
	}
}

func gameIsWhole(t *testing.T, path string, frames int) {
	k := testkit.Must(tracetest.Open(t, Source{}, path))(t)
	testkit.That(t, k.Info.Source == "tracy" && k.Info.PID > 0, "info %+v", k.Info)
	for _, l := range k.Losses {
		t.Errorf("loss %+v", l)
	}
	calls := map[string]map[string]int{} // by track and name
	for i := range k.Tracks {
		d := &k.Tracks[i]
		calls[d.Name] = map[string]int{}
		for _, s := range k.Spans[d.ID] {
			calls[d.Name][k.Name(s.Path)]++
		}
	}
	jobs := map[string]int{"Job": 2 * frames}
	for name, want := range map[string]map[string]int{
		"Main thread": {"Update": frames, "Draw": frames, "Physics": frames, "Broad phase": frames, "Compile shader": 1},
		"script":      {"Script": frames}, "Worker 0": jobs, "Worker 1": jobs,
		"Vulkan: main queue": {"Shadows": frames, "Cascade": frames}, "Frames: logic": {"logic": frames - 1},
	} {
		for call, n := range want {
			testkit.That(t, calls[name][call] == n, "%s: %d calls of %s, of %d", name, calls[name][call], call, n)
		}
		testkit.That(t, len(calls[name]) == len(want), "%s: %v, want %v", name, calls[name], want)
	}
	gamePasses(t, k)
	gameFrames(t, k, frames)
	gameSeries(t, k, frames)
	var texts []string
	for _, notes := range k.Notes {
		for _, m := range notes {
			texts = append(texts, m.Text)
		}
	}
	for _, text := range []string{"build 17", "a shader was compiled", "shader number 20"} {
		testkit.That(t, slices.Contains(texts, text) || frames != 40, "no message %q in %q", text, texts)
	}
}

// gamePasses compares the zones of the graphics processor, which have lengths to the nanosecond, and the locks.
func gamePasses(t *testing.T, k *tracetest.Sink) {
	t.Helper()
	want := map[string]int64{"Shadows": 2_000_000, "Cascade": 500_000}
	for i := range k.Tracks {
		if d := &k.Tracks[i]; d.Kind == model.TrackGPU {
			for _, s := range k.Spans[d.ID] {
				testkit.That(t, s.End-s.Begin == want[k.Name(s.Path)], "%s took %d ns", k.Name(s.Path), s.End-s.Begin)
			}
		}
	}
}

// gameFrames compares the frames: each but what is before the first mark has one Update and one Draw.
func gameFrames(t *testing.T, k *tracetest.Sink, frames int) {
	t.Helper()
	for name, want := range map[string]int{"Main thread": frames - 1, "Frames: logic": frames - 1, "Frames: load": frames / 10} {
		i := slices.IndexFunc(k.Tracks, func(d model.TrackDef) bool { return d.Name == name })
		testkit.MustThat(t, i >= 0, "no track %s", name)
		tr := k.Session.Track(k.Tracks[i].ID)
		testkit.That(t, tr.NumFrames() == want, "%s: %d frames, of %d", name, tr.NumFrames(), want)
		if name != "Main thread" {
			continue
		}
		testkit.That(t, k.Session.MainTrack() == k.Tracks[i].ID, "%s is not the main one", name)
		for f := range tr.NumFrames() {
			n := map[string]int{}
			for _, s := range k.Spans[k.Tracks[i].ID] {
				if x := tr.Frame(f); s.Begin >= x.Begin && s.Begin < x.End {
					n[k.Name(s.Path)]++
				}
			}
			testkit.That(t, n["Update"] == 1 && n["Draw"] == 1, "frame %d has %v", f, n)
		}
	}
}

func gameSeries(t *testing.T, k *tracetest.Sink, frames int) {
	t.Helper()
	want := map[string]func(i int) float64{
		"triangles": func(i int) float64 { return float64(1000 + i) },
		"load":      func(i int) float64 { return 0.5 * float64(i) },
	}
	table := k.Session.Series()
	for id := range table.Len() {
		s := table.ByID(model.SeriesID(id))
		if s.Def.Name == "allocated" {
			live, held := 0, []int{}
			for i := range frames {
				live, held = live+1000+i, append(held, 1000+i)
				if i%3 == 2 {
					live, held = live-held[0], held[1:]
				}
			}
			last := s.Row(s.Len() - 1)
			testkit.That(t, last.Value == float64(live), "%v bytes live, of %d", last.Value, live)
		}
		value := want[s.Def.Name]
		if value == nil {
			continue
		}
		delete(want, s.Def.Name)
		testkit.That(t, s.Len() == int64(frames), "%s: %d values, of %d", s.Def.Name, s.Len(), frames)
		for i := range s.Len() {
			got := s.Row(i).Value
			testkit.That(t, got == value(int(i)), "%s: value %d is %v", s.Def.Name, i, got)
		}
	}
	testkit.That(t, len(want) == 0, "no series %v", want)
}

// TestPieces reads a recording in pieces of any size.
func TestPieces(t *testing.T) {
	data := recordings.Read(t, recordings.Tracy, "game-0.14.tracystream")
	whole := feedtest.Outline(feedtest.Made(t, Source{}, "x.tracystream", data))
	for _, step := range []int{1, 13, 777} {
		got := feedtest.Outline(feedtest.Streamed(t, Source{}, data, step, false))
		testkit.That(t, got == whole, "in pieces of %d bytes:\n%s\nwant\n%s", step, got, whole)
	}
}

// TestCut reads the begin of a recording: what came is there, and that the rest is missing is said.
func TestCut(t *testing.T) {
	data := recordings.Read(t, recordings.Tracy, "game-0.14.tracystream")
	before := int64(0)
	for cut := len(data) - 2500; cut < len(data); cut += 97 {
		s := feedtest.Made(t, Source{}, "x.tracystream", data[:cut])
		feedtest.Unrefused(t, s)
		spans := int64(0)
		for _, tr := range feedtest.Tracks(s) {
			spans += tr.NumSpans()
		}
		testkit.That(t, spans >= before, "%d of %d bytes have %d spans, fewer ones %d", cut, len(data), spans, before)
		before = spans
	}
	testkit.That(t, before > 0, "no cut has spans")
}

// recorded returns a recording of a version with one block of events.
func recorded(t testing.TB, version uint32, events []byte) []byte {
	t.Helper()
	original := recordings.Read(t, recordings.Tracy, "game-0.14.tracystream")
	head := slices.Clone(original[:helloSize+1+1170])
	binary.LittleEndian.PutUint32(head[len(magic):], version)
	packed := make([]byte, lz4.CompressBlockBound(len(events)))
	n, err := lz4.CompressBlock(events, packed, nil)
	if testkit.NoErr(t, err); n == 0 { // it grows: a block of literals alone
		packed = append(literals(len(events)), events...)
		n = len(packed)
	}
	head = binary.LittleEndian.AppendUint32(head, uint32(n))
	return append(head, packed[:n]...)
}

// literals is the begin of a block that has so many bytes as they are.
func literals(n int) []byte {
	if n < 15 {
		return []byte{byte(n << 4)}
	}
	b := []byte{0xf0}
	for n -= 15; n >= 255; n -= 255 {
		b = append(b, 255)
	}
	return append(b, byte(n))
}

// sent returns an event of version 76, with its fields in order and the text behind it.
func sent(t testing.TB, name, text string, fields ...uint64) (b []byte) {
	t.Helper()
	shapes := testkit.Must(shapesOf(76))(t)
	kind := slices.IndexFunc(shapes, func(s shape) bool { return s.layout.name == name })
	s := &shapes[kind]
	for field := range strings.FieldsSeq(s.layout.fields) {
		if _, size, has := fieldOf(field, 76); has {
			b = append(b, binary.LittleEndian.AppendUint64(nil, fields[0])[:size]...)
			fields = fields[1:]
		}
	}
	if s.text > 0 {
		b = append(append(b, binary.LittleEndian.AppendUint64(nil, uint64(len(text)))[:s.text]...), text...)
	}
	return append([]byte{byte(kind)}, b...)
}

// TestSampledFunctions: the functions at an address have names, and the file and line that the program says.
func TestSampledFunctions(t *testing.T) {
	data := recorded(t, 76, slices.Concat(
		sent(t, "ThreadContext", "", 1), sent(t, "CallstackPayload", "\x10\x00\x00\x00\x00\x00\x00\x00", 7),
		sent(t, "CallstackSample", "", 1000, 1),
		sent(t, "SingleStringData", "/opt/game"), sent(t, "CallstackFrameSize", "", 0x10, 2),
		sent(t, "SingleStringData", "dot"), sent(t, "SecondStringData", "math/\x1b[31m\nvec.h"), sent(t, "CallstackFrame", "", 5, 0, 0),
		sent(t, "SingleStringData", "update"), sent(t, "SecondStringData", "game.cpp"), sent(t, "CallstackFrame", "", 80, 0, 0),
	))
	session := store.NewSession()
	s := Source{}.NewStream(&feedtest.Into{Session: session}, feed.StreamOptions{Name: "x"})
	_, err := s.Write(data)
	testkit.NoErr(t, err)
	s.Close("")
	places := map[string]string{}
	for _, c := range session.Collectors().Tree().All {
		places[c.Name] = c.Where()
	}
	testkit.Equal(t, places["dot"], "math/�[31m�vec.h:5", "dot")
	testkit.Equal(t, places["update"], "game.cpp:80", "update")
}

// TestAllocations: allocations by their stacks, without the functions of the client, whether these are a call of their own
// or were compiled into the one that allocates.
func TestAllocations(t *testing.T) {
	function := func(name string) []byte {
		return append(sent(t, "SingleStringData", name), sent(t, "CallstackFrame", "", 1, 0, 0)...)
	}
	allocated := func(stack string, bytes uint64) []byte {
		return slices.Concat(sent(t, "CallstackPayload", stack, 7), sent(t, "MemAllocCallstack", "", 1000, 1, bytes, bytes))
	}
	const upper = "\x00\x00\x00\x00\x00\x00\x00"
	const client, load, main = "\x10" + upper, "\x20" + upper, "\x30" + upper
	k := tracetest.New(t)
	s := Source{}.NewStream(k, feed.StreamOptions{Name: "x"})
	testkit.Must(s.Write(recorded(t, 76, slices.Concat(
		allocated(client+main, 100), allocated(load+main, 64), allocated("", 5),
		sent(t, "CallstackFrameSize", "", 0x10, 2), function("Callstack"), function("tracy::Profiler::MemAllocCallstack(int)"),
		sent(t, "CallstackFrameSize", "", 0x20, 2), function("tracy::Profiler::MemAllocCallstack(int)"), function("load"),
		sent(t, "CallstackFrameSize", "", 0x30, 1), function("main"),
	))))(t)
	s.Close("")
	tracks := []model.TrackID{k.Tracks[0].ID}
	testkit.Equal(t, k.Tracks[0].Name, "allocations", "track")
	counts := k.Counts(tracks[0], tracetest.Same)
	testkit.That(t, counts["main"].Self == 1 && counts["load"].Self == 1 && len(counts) == 2, "samples %v", counts)
	testkit.EqualSlices(t, k.Session.Spans().Measures(tracks, nil), []spans.Measure{spans.MeasureWeight, spans.MeasureSamples}, "measures")
	whole := k.Session.Spans().Whole(spans.MeasureWeight, tracks, model.MinTime, model.MaxTime)
	testkit.Equal(t, whole.Total, int64(100+64), "bytes with a stack")
}

// TestSwitches: what processors run, what threads of the program do meanwhile, and who wakes whom; switches whose time the
// kernel does not know are counted.
func TestSwitches(t *testing.T) {
	change := func(by, from, to, cpu, state uint64) []byte {
		return sent(t, "ContextSwitch", "", by, from, to, cpu, 100, state, 0, 0, 0)
	}
	zone := func(thread uint64) []byte {
		return slices.Concat(sent(t, "ThreadContext", "", thread), sent(t, "ZoneBegin", "", 500, 7), sent(t, "ZoneEnd", "", 9000))
	}
	const preempted, sleeps, disk = 103, 104, 101
	k := tracetest.New(t)
	s := Source{}.NewStream(k, feed.StreamOptions{Name: "x"})
	testkit.Must(s.Write(recorded(t, 76, slices.Concat(
		change(0, 0, 1, 0, preempted), sent(t, "ThreadWakeup", "", 0, 2, 1, 0, 0), zone(1), zone(2),
		change(1000, 0, 1, 0, preempted), change(1000, 1, 99, 0, sleeps), change(1000, 0, 2, 1, preempted),
		sent(t, "ThreadWakeup", "", 1000, 1, 1, 0, 0), change(1000, 99, 1, 0, disk), change(1000, 1, 0, 0, disk),
		sent(t, "ExternalThreadName", "cc1", 99), sent(t, "ExternalName", "make", 99), sent(t, "ThreadName", "Main", 1),
	))))(t)
	s.Close("")
	var ran []string
	for i := range k.Tracks {
		for _, span := range k.Spans[k.Tracks[i].ID] {
			if d := &k.Tracks[i]; d.Kind == model.TrackProcessor {
				ran = append(ran, fmt.Sprintf("%d: %s", d.Index, k.Name(span.Path)))
			}
		}
	}
	testkit.Equal(t, strings.Join(ran, ", "), "0: Main, 0: make: cc1, 0: Main, 1: thread 2", "runs")
	var states []string
	table := k.Session.Series()
	for id := range table.Len() {
		if x := table.ByID(model.SeriesID(id)); x.Def.Group == "thread state" {
			states = append(states, x.Def.Name)
			for i := range x.Len() {
				states = append(states, x.Def.State(x.Row(i).Value))
			}
		}
	}
	testkit.Equal(t, strings.Join(states, "; "),
		"Main; running; waiting; runnable; running; waiting, uninterruptible; Thread 2; running", "states")
	track := func(name string) model.TrackID {
		return k.Tracks[slices.IndexFunc(k.Tracks, func(d model.TrackDef) bool { return d.Name == name })].ID
	}
	arrows := k.Session.Flows().In(track("Main"), model.MinTime, model.MaxTime, nil)
	testkit.That(t, len(arrows) == 1 && arrows[0].FromTrack == track("Thread 2"), "wake-ups: %+v", arrows)
	testkit.That(t, strings.HasPrefix(strings.Join(k.Warnings, "\n"), "2 switches between threads and wake-ups have no time"),
		"warnings: %q", k.Warnings)
}

// TestHostile reads what no program sends: an error that says where, and nothing of what came before is lost.
func TestHostile(t *testing.T) {
	number := func(name string) byte {
		for i, s := range testkit.Must(shapesOf(82))(t) {
			if s.layout.name == name {
				return byte(i)
			}
		}
		t.Fatalf("no event %s", name)
		return 0
	}
	thread := []byte{number("ThreadContext"), 1, 0, 0, 0}
	for words, events := range map[string][]byte{
		"unknown kind 200":             append(slices.Clone(thread), 200),
		"ends within an event":         append(slices.Clone(thread), number("ZoneBegin"), 1, 2),
		"ends within a text of 70":     {number("ThreadName"), 1, 0, 0, 0, 0, 0, 0, 0, 70, 0, 1},
		"no greeting":                  nil,
		"speaks version 83 of Tracy's": nil,
	} {
		data := recorded(t, 82, events)
		switch {
		case words == "no greeting":
			data[0] = 'X'
		case strings.HasPrefix(words, "speaks"):
			data = recorded(t, 83, thread)
		}
		s := Source{}.NewStream(&feedtest.Into{Session: store.NewSession()}, feed.StreamOptions{Name: "x"})
		_, err := s.Write(data)
		testkit.That(t, err != nil && strings.Contains(err.Error(), words), "%q: %v", words, err)
		s.Close("")
	}
}

// FuzzSource reads anything behind a greeting: nothing breaks.
func FuzzSource(f *testing.F) {
	for _, path := range games(f) {
		data := testkit.Must(os.ReadFile(path))(f)
		f.Add(uint8(data[len(magic)]), data[helloSize+1+1200:])
	}
	f.Fuzz(func(t *testing.T, version uint8, events []byte) {
		if len(events) > blockBytes {
			return
		}
		s, err := feedtest.Load(t, Source{}, feedtest.File(t, "x.tracystream", recorded(t, uint32(version), events)))
		if err == nil {
			feedtest.Unrefused(t, s)
		}
	})
}

// TestBacklog reads what a program sends that has run for long when the viewer comes: zones of more than a second before
// the newest data, and then further ones and marks. All keep their order.
func TestBacklog(t *testing.T) {
	original := recordings.Read(t, recordings.Tracy, "game-0.14.tracystream")
	pid := binary.LittleEndian.Uint64(original[helloSize+1+48:])
	factor := math.Float64frombits(binary.LittleEndian.Uint64(original[helloSize+1:]))
	ticks := func(seconds float64) uint64 { return uint64(seconds * 1e9 / factor) }
	events := made(t, "ThreadContext", "", pid)
	base := binary.LittleEndian.Uint64(original[helloSize+1+8:])
	events = append(events, made(t, "ZoneBegin", "", base-over32, 7)...)
	events = append(events, made(t, "ZoneBegin32", "", ticks(1), 8)...)
	events = append(events, made(t, "MessageLiteral", "", base+ticks(1.5), 9)...)
	for range 2 {
		events = append(events, made(t, "ZoneEnd32", "", 1000)...)
	}
	k := tracetest.New(t)
	s := Source{}.NewStream(k, feed.StreamOptions{Name: "x"})
	testkit.Must(s.Write(recorded(t, 82, events)))(t)
	s.Close("")
	for _, l := range k.Losses {
		t.Errorf("loss %+v", l)
	}
	spans := 0
	for _, list := range k.Spans {
		spans += len(list)
	}
	testkit.Equal(t, spans, 2, "zones")
}

var newestShapes, _ = shapesOf(82)

// made returns an event of version 82 with a text behind it.
func made(t testing.TB, name, text string, fields ...uint64) (b []byte) {
	for i, s := range newestShapes {
		if s.layout.name != name {
			continue
		}
		b = append(b, byte(i))
		for k, f := range strings.Fields(s.layout.fields) {
			if _, size, has := fieldOf(f, 82); has {
				b = append(b, binary.LittleEndian.AppendUint64(nil, fields[min(k, len(fields)-1)])[:size]...)
			}
		}
		b = append(b, binary.LittleEndian.AppendUint32(nil, uint32(len(text)))[:s.text]...)
	}
	return append(b, text...)
}

// TestNamesThatNeverRepeat sends threads, places, texts, plots, locks, pools, fibers, frames and stacks without end. They
// must not cost more memory than is allowed, and what there is no room for is counted.
func TestNamesThatNeverRepeat(t *testing.T) {
	testkit.OneGoroutine(t)
	const n = 30_000
	for name, event := range map[string]func(i uint64) []byte{
		"threads": func(i uint64) []byte {
			return append(made(t, "ThreadContext", "", i), made(t, "ZoneBegin16", "", 1, 1)...)
		},
		"places": func(i uint64) []byte { return made(t, "ZoneBegin16", "", 1, i) },
		"payloads": func(i uint64) []byte {
			text := strings.Repeat("x", 8) + string(keyOf(i)) + "\x00file\x00name"
			return append(made(t, "SourceLocationPayload", text, 0), made(t, "ZoneBeginAllocSrcLoc", "", 1)...)
		},
		"messages": func(i uint64) []byte { return made(t, "MessageLiteral", "", i, i<<8) },
		"plots":    func(i uint64) []byte { return made(t, "PlotDataInt", "", i, 1, 2) },
		"locks":    func(i uint64) []byte { return made(t, "LockWait", "", 1, i, 1) },
		"pools": func(i uint64) []byte {
			return append(made(t, "MemNamePayload", "", i), made(t, "MemAllocNamed", "", 1, 1, i, 8)...)
		},
		"allocations": func(i uint64) []byte { return made(t, "MemAlloc", "", 1, 1, i, 8) },
		"switches":    func(i uint64) []byte { return made(t, "ContextSwitch", "", 1, i, i+1, i&255, 0) },
		"wake-ups":    func(i uint64) []byte { return made(t, "ThreadWakeup", "", 1, i, i&255, 0) },
		"fibers":      func(i uint64) []byte { return made(t, "FiberEnter", "", 1, i, 1, 0) },
		"frames":      func(i uint64) []byte { return made(t, "FrameMarkMsg", "", i, i) },
		"stacks": func(i uint64) []byte {
			return append(made(t, "CallstackPayload", string(keyOf(i)), 0), made(t, "CallstackSample16", "", 1, 9, 1)...)
		},
		"stacks of many": func(i uint64) []byte {
			text := strings.Repeat(string(keyOf(i%7)), 40)
			return append(made(t, "CallstackPayload", text, 0), made(t, "CallstackSample16", "", 1, 9, 1)...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := feedtest.New(t, 16<<20)
			v.Run(func(sink feed.Sink) {
				s := Source{}.NewStream(sink, feed.StreamOptions{Name: "x"})
				events := made(t, "ThreadContext", "", 1)
				data := recorded(t, 82, events)
				for i := range uint64(n) {
					if events = append(events, event(i)...); len(events) < blockBytes/2 {
						continue
					}
					testkit.Must(s.Write(data))(t)
					data = recorded(t, 82, events)[helloSize+1+1170:]
					events = events[:0]
				}
				testkit.Must(s.Write(data))(t)
				s.Close("")
			})
			v.Check(t)
		})
	}
}

// announcement is what a program sends, as the client of Tracy does.
func announcement(port uint16, protocol uint32, pid uint64, seconds int32, name string) []byte {
	b := binary.LittleEndian.AppendUint16(nil, 3)
	b = binary.LittleEndian.AppendUint16(b, port)
	b = binary.LittleEndian.AppendUint32(b, protocol)
	b = binary.LittleEndian.AppendUint64(b, pid)
	b = binary.LittleEndian.AppendUint32(b, uint32(seconds))
	return append(append(b, name...), 0)
}

// TestDiscover hears programs that begin, repeat themselves and end, and what is no announcement.
func TestDiscover(t *testing.T) {
	conn := testkit.Must(net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))(t)
	defer conn.Close()
	from := testkit.Must(net.Dial("udp4", conn.LocalAddr().String()))(t)
	defer from.Close()
	for _, b := range [][]byte{
		announcement(8086, 82, 17, 5, "game"), announcement(8087, 99, 18, 65, "tool\x1b[31m"),
		announcement(8088, 82, 19, 1, "gone"), announcement(8088, 82, 19, -1, "gone"),
		announcement(1, 82, 20, 1, "short")[:19], {2, 0, 1},
	} {
		testkit.Must(from.Write(b))(t)
	}
	list := hear(t.Context(), conn, 100*time.Millisecond)
	testkit.MustThat(t, len(list) == 2, "found %v", list)
	a, b := list[0], list[1]
	testkit.Equal(t, a.Addr, netip.MustParseAddrPort("127.0.0.1:8086"), "address")
	testkit.That(t, a.Program == "game" && a.PID == 17 && a.Runs == 5*time.Second && a.Tracy() == "Tracy 0.14", "first %+v", a)
	testkit.That(t, b.Program != "tool\x1b[31m" && b.Tracy() == "Tracy's protocol 99, which Framescope does not know",
		"second %+v", b)
}
