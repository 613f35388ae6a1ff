package load

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"

	"framescope/app/memory"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/net/feed"
	"framescope/net/pstats/gen"
)

// A file that does not fit into the memory leaves out the same each time it is read, and of all of its
// threads, which lie one after another in it, what is before about the same time.
func TestTheSameLeavesEachTime(t *testing.T) {
	testkit.OneGoroutine(t)
	path := filepath.Join(t.TempDir(), "large.pstats")
	f := testkit.Must(os.Create(path))(t)
	made := testkit.Must(gen.New(gen.Options{Spans: 1_500_000}))(t)
	testkit.NoErr(t, made.Write(t.Context(), f, nil))
	f.Close()
	keeper := memory.Keep(16<<20, 0, 0)
	defer keeper.Stop()
	var first string
	for i := range 3 {
		rec := testkit.Must(File(t.Context(), path, Options{Memory: keeper}))(t)
		testkit.MustThat(t, rec.Left != 0, "all of it fits: the test shows nothing")
		got := fmt.Sprintln(rec.Left)
		for id := range model.TrackID(rec.Session.NumTracks()) {
			tr := rec.Session.Track(id)
			got += fmt.Sprintln(tr.Def, tr.NumFrames(), tr.Frame(0), tr.NumSpans(), tr.Evicted())
		}
		if i == 0 {
			first = got
			beginsTogether(t, rec)
		} else if got != first {
			t.Fatalf("read again, it is another session:\n%sbut it was\n%s", got, first)
		}
	}
}

// beginsTogether demands that what is left of all threads begins at about the same time, and that all
// frames are told.
func beginsTogether(t *testing.T, rec *Recording) {
	t.Helper()
	earliest, latest, left := int64(model.MaxTime), int64(model.MinTime), int64(0)
	for id := range model.TrackID(rec.Session.NumTracks()) {
		tr := rec.Session.Track(id)
		begin := tr.Frame(0).Begin
		earliest, latest = min(earliest, begin), max(latest, begin)
		left += tr.Evicted()
		testkit.That(t, tr.NumFrames() >= 30 && tr.Evicted() != 0,
			"%s: %d frames, %d left", tr.Title(), tr.NumFrames(), tr.Evicted())
	}
	if _, end, _ := rec.Session.Bounds(); latest-earliest > (end-earliest)/8 || left != rec.Left {
		t.Errorf("threads begin between %d and %d ns and end at %d; %d left, %d are told", earliest, latest, end, left, rec.Left)
	}
}

// A file whose events are gathered before they are shown is not cut where what it takes fits into the
// memory: its events are reckoned by what they take, and not against the room for names.
func TestGatheredFits(t *testing.T) {
	const events, limit = 250_000, 64 << 20
	trace := []byte("[")
	for i := range events {
		trace = fmt.Appendf(trace, `{"ph":"X","pid":1,"tid":1,"name":"N%d","ts":%d,"dur":1},`+"\n", i%7, 2*i)
	}
	path := filepath.Join(t.TempDir(), "large.json")
	testkit.NoErr(t, os.WriteFile(path, append(trace, "{}]"...), 0o600))
	keeper := memory.Keep(limit, 0, 0)
	defer keeper.Stop()
	rec := testkit.Must(File(t.Context(), path, Options{Memory: keeper}))(t)
	losses, lines := rec.Session.Losses()
	if n := rec.Session.Track(0).NumSpans(); n != events || rec.Left != 0 || losses[model.LossLimit] != 0 {
		t.Errorf("%d of %d calls, %d left: %q", n, events, rec.Left, lines)
	}
}

// bomb is a recording that is small as long as it is packed.
type bomb struct {
	name, head string
	each       func(i int) string // nil: unit
	unit       string
	n          int
	tail       string
}

// text is what a bomb becomes, which is nowhere as a whole.
func (b *bomb) write(w io.Writer) {
	out := bufio.NewWriterSize(w, 1<<16)
	out.WriteString(b.head)
	for i := range b.n {
		if b.each != nil {
			out.WriteString(b.each(i))
		} else {
			out.WriteString(b.unit)
		}
	}
	out.WriteString(b.tail)
	out.Flush()
}

const (
	v8Node     = `{"id":1,"callFrame":{"functionName":"a"}`
	v8Samples  = `{"nodes":[` + v8Node + `,"hitCount":1}],"startTime":0,"endTime":9,`
	scopeHead  = `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"}]},"profiles":[`
	scopeBegin = scopeHead + `{"type":"sampled","name":"t","unit":"microseconds","startValue":0,"endValue":1,`
	foxBegin   = `{"meta":{"interval":1,"startTime":0,"processType":0,"preprocessedProfileVersion":50},"threads":[{"name":"t","pid":"1","tid":1,`
	foxTables  = `"frameTable":{"func":[0]},"funcTable":{"name":[0]}`
)

// bombs are recordings of which each value takes more in memory than in its file, of all places where a reader
// keeps what it can't publish yet.
var bombs = []bomb{
	{name: "children.cpuprofile", head: `{"nodes":[` + v8Node + `,"children":[`, unit: "1,", n: 2e6, tail: `1]}],"samples":[1],"timeDeltas":[1]}`},
	{name: "parents.cpuprofile", head: `{"nodes":[` + v8Node + `}`, unit: `,{"id":1,"parent":1}`, n: 25e4, tail: `],"samples":[1],"timeDeltas":[1]}`},
	{name: "samples.cpuprofile", head: v8Samples + `"samples":[`, unit: "1,", n: 2e6, tail: `1],"timeDeltas":[1,1,1]}`},
	{name: "deltas.cpuprofile", head: v8Samples + `"timeDeltas":[`, unit: "1,", n: 2e6, tail: `1],"samples":[1,1,1]}`},
	{name: "samples.speedscope.json", head: scopeBegin + `"samples":[`, unit: "[0],", n: 15e5, tail: `[0]],"weights":[1,1,1]}]}`},
	{name: "weights.speedscope.json", head: scopeBegin + `"weights":[`, unit: "1,", n: 2e6, tail: `1],"samples":[[0],[0]]}]}`},
	{name: "stacks.profile.json", head: foxBegin + `"stackTable":{"frame":[`, unit: "0,", n: 2e6, tail: `0],"prefix":[null]},` + foxTables +
		`,"stringArray":["a"],"samples":{"stack":[0],"time":[1],"length":1}}]}`},
	{name: "times.profile.json", head: foxBegin + `"samples":{"stack":[0],"time":[`, unit: "1,", n: 2e6, tail: `1]},"stackTable":{"frame":[0],"prefix":[null]},` +
		foxTables + `,"stringArray":["a"]}]}`},
	{name: "strings.profile.json", head: foxBegin + `"stringArray":[`, unit: `"",`, n: 2e6, tail: `"a"],"samples":{"stack":[0],"time":[1]},` +
		`"stackTable":{"frame":[0],"prefix":[null]},` + foxTables + `}]}`},
	{name: "spans.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"X","ts":1,"dur":1},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "begins.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"B","ts":1},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "instants.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"i","ts":1},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "counters.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"C","ts":1,"args":{"a":1,"b":2,"c":3}},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "arguments.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"X","ts":1,"dur":1,"args":{"a":1,"b":2,"c":3}},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "flows.json", head: `[{"ph":"X","ts":0,"dur":1},`, unit: `{"ph":"s","ts":1,"id":1},`, n: 25e4, tail: `{"ph":"X","ts":1,"dur":1}]`},
	{name: "pairs.folded", each: func(i int) string { return fmt.Sprintf("process %d/Thread %d;f%d 1\n", i&63, i&63, i>>6) }, n: 3e4},
	{name: "samples.txt", each: func(i int) string {
		return fmt.Sprintf("game 1/1 %d.%06d: cycles:\n\tab1 f%d (/b)\n\n", i/1e6, i%1e6, i&7)
	}, n: 25e4},
	{name: "frames.csv", head: "Application,ProcessID,SwapChainAddress,MsBetweenPresents,TimeInSeconds\n",
		each: func(i int) string { return fmt.Sprintf("game.exe,1,0x1,1,%d.%03d\n", i/1000, i%1000) }, n: 25e4},
}

// heapWatch sees how much of the heap was in use at each collection of garbage while a recording is read.
type heapWatch struct{ before, most int64 }

func (w *heapWatch) look(int64, int64) {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	w.most = max(w.most, int64(s[0].Value.Uint64())-w.before)
}

// What is read keeps to its limit, whatever the values of a file become in memory, and who reads is told of what
// is left out, and how to allow more: where the oldest may leave, and where all is to be kept.
func TestBombsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("20 files of many values")
	}
	const limit = 8 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	for i := range bombs {
		b := &bombs[i]
		path := filepath.Join(t.TempDir(), b.name+".gz")
		f := testkit.Must(os.Create(path))(t)
		z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
		b.write(z)
		testkit.MustThat(t, z.Close() == nil && f.Close() == nil, "can't write")
		for _, leaves := range []bool{false, true} {
			if leaves != (i%2 == 0) && !testkit.Long {
				continue
			}
			t.Run(fmt.Sprintf("%s, leaves=%t", b.name, leaves), func(t *testing.T) {
				runtime.GC()
				w := &heapWatch{}
				w.look(0, 0)
				w.before, w.most = w.most, 0
				o := Options{Limit: limit, Progress: w.look}
				if leaves {
					o.Memory = memory.Keep(limit, 0, 0)
					defer o.Memory.Stop()
				} else {
					defer debug.SetMemoryLimit(debug.SetMemoryLimit(w.before + limit))
					feed.SetMemory(limit)
					defer feed.SetMemory(0)
				}
				rec, err := File(t.Context(), path, o)
				w.look(0, 0)
				testkit.MustThat(t, rec != nil, "%v", err)
				losses, lines := rec.Session.Losses()
				told := strings.Join(lines, "\n")
				if err != nil {
					told += err.Error()
				}
				testkit.That(t, strings.Contains(told, "--memory") || leaves && losses[model.LossEvicted] != 0,
					"%v; told %q", err, lines)
				testkit.That(t, w.most <= limit+limit/2, "%d KiB in the heap with a limit of %d", w.most>>10, limit>>10)
				testkit.That(t, rec.Session.NumTracks() != 0, "nothing is shown of what came before")
			})
		}
		os.Remove(path)
	}
}

// message is one of Protocol Buffers in the making.
type message []byte

func (m message) num(field, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, field<<3), v)
}

func (m message) in(field uint64, of []byte) message {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, field<<3|2), uint64(len(of))), of...)
}

// perfettoOf makes a trace of events of two processes: type of the event, process, name, and time in ms.
func perfettoOf(events [][4]any) string {
	var out message
	for pid := range uint64(2) {
		thread := message(nil).num(1, pid+1).num(2, pid+1)
		out = out.in(1, message(nil).num(10, 1).in(60, message(nil).num(1, pid+7).in(4, thread)))
	}
	for _, e := range events {
		ev := message(nil).num(9, uint64(e[0].(int))).num(11, uint64(e[1].(int))+7)
		if name := e[2].(string); name != "" {
			ev = ev.in(23, []byte(name))
		}
		out = out.in(1, message(nil).num(8, uint64(e[3].(int))*1e6).num(10, 1).in(11, ev))
	}
	return string(out)
}

// spallOf makes one of begins, and ends, which have no name, of two threads, in ms.
func spallOf(events [][4]any) string {
	o := binary.LittleEndian
	b := o.AppendUint64(o.AppendUint64(o.AppendUint64(o.AppendUint64(nil, 0x0BADF00D), 1), math.Float64bits(1000)), 0)
	for _, e := range events {
		name, tid := e[2].(string), uint32(e[1].(int))
		if b = append(b, 4); name != "" {
			b[len(b)-1] = 3
			b = append(b, 0)
		}
		b = o.AppendUint64(o.AppendUint32(o.AppendUint32(b, 1), tid), math.Float64bits(float64(e[3].(int))))
		if name != "" {
			b = append(append(b, byte(len(name)), 0), name...)
		}
	}
	return string(b)
}

// chromeOf makes a trace of events of two processes: phase, process, name, and time in ms.
func chromeOf(events [][4]any) string {
	var list []string
	for _, e := range events {
		list = append(list, fmt.Sprintf(`{"ph":"%s","pid":%d,"tid":1,"name":"%s","ts":%d000}`, e[:]...))
	}
	return "[" + strings.Join(list, ",\n") + "]"
}

// TestOpenFrame reads recordings of every format in which the last frame may have no end: it is none of the frames,
// and goes on as far as there is something of its process, whatever others did until later.
func TestOpenFrame(t *testing.T) {
	begins := func(begin, end any) (list [][4]any) {
		for i, at := range []int{0, 10, 20} {
			if list = append(list, [4]any{begin, 0, "Frame", at}); i < 2 && end != begin {
				list = append(list, [4]any{end, 0, "", at + 10})
			}
		}
		list = append(list, [4]any{begin, 0, "work", 21})
		if end != begin {
			list = append(list, [4]any{end, 0, "", 22})
		} else {
			list = append(list, [4]any{begin, 0, "more", 22})
		}
		return append(list, [4]any{begin, 1, "other", 400}, [4]any{end, 1, "", 500})
	}
	const firefox = `{"meta":{"interval":1,"startTime":0,"preprocessedProfileVersion":49,"product":"x","symbolicated":true},"libs":[],"threads":[` +
		`{"name":"T","pid":"1","tid":1,"isMainThread":true,"samples":{"stack":[0,0],"time":[0,22]},` +
		`"markers":{"name":[1,1,1],"startTime":[0,10,20],"endTime":[10,20,null],"phase":[1,1,2]},%s},` +
		`{"name":"U","pid":"2","tid":2,"samples":{"stack":[0],"time":[500]},"markers":{"name":[]},%s}]}`
	const tables = `"stackTable":{"prefix":[null],"frame":[0]},"frameTable":{"func":[0]},"funcTable":{"name":[0],"resource":[-1]},` +
		`"resourceTable":{"lib":[]},"stringArray":["a","Frame"]`
	for _, c := range []struct {
		name, file, text string
		called           feed.Frames
	}{
		{"Chrome instants", "a.json", chromeOf(begins("i", "i")), ""},
		{"Chrome spans by name", "b.json", chromeOf(begins("B", "E")), "Frame"},
		{"Perfetto instants", "c.pftrace", perfettoOf(begins(3, 3)), ""},
		{"Perfetto spans by name", "d.pftrace", perfettoOf(begins(1, 2)), "Frame"},
		{"Spall calls", "e.spall", spallOf(begins(3, 4)), ""},
		{"Firefox markers", "f.json", fmt.Sprintf(firefox, tables, tables), "Frame"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), c.file)
			testkit.NoErr(t, os.WriteFile(path, []byte(c.text), 0o600))
			rec := testkit.Must(File(t.Context(), path, Options{Sources: Sources{Frames: c.called}}))(t)
			s := rec.Session
			main := s.MainTrack()
			tr := s.Track(main)
			o, ok := tr.OpenFrame()
			want := (frames.Open{Number: 2, Begin: 20e6, End: 22e6})
			testkit.That(t, ok && o == want, "open: %+v %v, want %+v", o, ok, want)
			if n := tr.NumFrames(); n != 2 || tr.LongestFrame(0, n-1) != 10e6 || tr.FrameRateOf(0, n-1) != 100 || tr.Missing() != 0 {
				t.Errorf("%d frames, the longest of %d ns, %v Hz, %d missing", n, tr.LongestFrame(0, n-1), tr.FrameRateOf(0, n-1), tr.Missing())
			}
			in, at := tr.FrameCovering(19e6), tr.FrameCovering(21e6)
			testkit.That(t, in == 1 && at == -1, "frames %d and %d, want 1 and none", in, at)
			list := s.Frames().Spikes(main, 0, tr.NumFrames(), 9, nil)
			testkit.That(t, len(list) == 0, "spikes %v", list)
			if losses, lines := s.Losses(); losses[model.LossUnframed] > 1 { // "other" may be
				t.Errorf("what runs in the open frame is told as of none: %q", lines)
			}
		})
	}
}

// TestFramesByName asks for frames by the name of spans: as many as the main thread has of these, each
// as long as its span; none where nothing is called so, and where none are wanted.
func TestFramesByName(t *testing.T) {
	for _, c := range []struct {
		path, name string
		n          int
	}{
		{"../../testdata/spall/game-v3.spall", "physics", 60},
		{"../../testdata/chrometrace/engine-object.json.gz", "Frame", 120},
		{"../../testdata/gotrace/game-122.trace.gz", "physics", 25},
		{"../../testdata/gotrace/game-122.trace.gz", "load level", 5}, // tasks
		{"../../testdata/perfetto/rust-layer.pftrace.gz", "schedule", 350},
		{"../../testdata/perfetto/frametimeline.pftrace.gz", "TX - game", 90}, // a layer
	} {
		for name, want := range map[string]int{c.name: c.n, "nothing is called so": 0, string(feed.NoFrames): 0} {
			rec := testkit.Must(File(t.Context(), c.path, Options{Sources: Sources{Frames: feed.Frames(name)}}))(t)
			s := rec.Session
			tr := s.Track(s.MainTrack())
			testkit.That(t, tr.NumFrames() == want && s.HasFrames() == (want > 0),
				"%s: %d frames called %q, want %d", c.path, tr.NumFrames(), name, want)
			testkit.That(t, want != 0 || name == string(feed.NoFrames) || len(s.Warnings()) != 0,
				"%s: nobody says that nothing is called %q", c.path, name)
			for i := range tr.NumFrames() {
				f := tr.Frame(i)
				found := c.name == "load level" || c.name == "TX - game" // those are on other tracks
				for lane := range tr.Lanes() {
					b, ok := s.Spans().At(tr.Def.ID, lane, f.Begin, 0)
					found = found || ok && b.Begin == f.Begin && b.End == f.End && s.Collector(b.Collector).Name == name
				}
				testkit.That(t, found, "%s: frame %d is no span %q", c.path, i, name)
			}
			lost, lines := s.Losses()
			testkit.That(t, lost[model.LossLimit] <= 0 && lost[model.LossMalformed] <= 0, "%s: %q", c.path, lines)
		}
	}
}
