package perfetto

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/ftrace"
	"framescope/net/trace"
)

// packed packs a trace into one packet.
func packed(trace msg, zst bool, options ...zstd.EOption) msg {
	if zst {
		w, _ := zstd.NewWriter(nil, options...)
		return msg(nil).in(133, w.EncodeAll(trace, nil))
	}
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(trace)
	w.Close()
	return msg(nil).in(50, b.Bytes())
}

// spoiled is a packet whose last bytes are others.
func spoiled(p msg) msg { return append(p[:len(p)-8:len(p)-8], make([]byte, 8)...) }

// short is a packet whose length is less than it has.
func short(p msg) msg { p[1] -= 9; return p }

// TestDamage reads traces with something damaged, or too large where there is little memory: it is counted by its kind,
// and all around it is shown.
func TestDamage(t *testing.T) {
	huge := traced(msg(nil).in(1000, make([]byte, 8<<20)))
	far := bytes.Repeat(traced(msg(nil).in(1000, make([]byte, 1000))), 33<<10)
	inside := traced(on(15, mark("inside")))
	for _, x := range []struct {
		name   string
		middle msg
		lost   string // where memory is bounded, in brackets
		n      int64
		inside int // marks inside that are shown
	}{
		{"packed", traced(packed(inside, false), packed(inside, true)), "", 0, 2},
		{"a field that is cut off", traced(at(1, 15).num(11, 5)[:3]), "bad-event", 1, 0},
		{"an event that is no message", traced(on(15, msg{0xff})), "bad-event", 1, 0},
		{"no type", traced(on(15, msg(nil).num(11, 7))), "bad-event", 1, 0},
		{"no time", traced(msg(nil).num(10, 1).in(11, mark("a")), on(1<<62, mark("b"))), "bad-time", 2, 0},
		{"an old length", traced(old(15, 7, 'X', "x", whole(1<<62))), "bad-length", 1, 0},
		{"an old task without a number", traced(old(15, 7, 'b', "x", nil)), "bad-event", 1, 0},
		{"zlib", traced(spoiled(packed(inside, false))), "gap", 1, 1},
		{"zstd", traced(spoiled(packed(inside, true))), "gap", 1, 0},
		{"packed in packed", traced(packed(traced(packed(inside, true)), true)), "bad-event", 1, 0},
		{"no packet inside", traced(packed(msg{0xff, 0xff}, true)), "gap", 1, 0},
		{"bytes that are no packet", msg("\x00\xff words and words, and \n\x05more"), "gap", 1, 0},
		{"many of them", bytes.Repeat(msg("\x0a\x03\xff\xff\xff noise"), 50_000), "gap", 1, 0},
		{"a length that is too small", short(traced(on(15, mark("a long name, of which a part is left")))), "gap", 1, 0},
		{"a length beyond the end", append(msg("\x0a\xff\x7f"), inside...), "gap", 1, 1},
		{"one far beyond it", append(msg("\x0a\xff\xff\x7f"), inside...), "gap", 1, 1},
		{"one that can't be", append(msg("\x0a\xff\xff\xff\xff\x0f"), inside...), "gap", 1, 1},
		{"bytes that are no packet inside", traced(packed(slices.Concat(inside, msg("\xff\x00"), inside), true)), "gap", 1, 2},
		{"a large packet", huge, "[gap]", 1, 0},
		{"a large packet inside", traced(packed(huge, false)), "[gap]", 1, 0},
		{"zstd that looks far back", traced(packed(far, true, zstd.WithWindowSize(32<<20))), "[gap]", 1, 0},
	} {
		trace := slices.Concat(traced(threadDef(7, 3, 4, "t"), on(10, mark("before"))), x.middle,
			traced(on(20, mark("after"))))
		for _, memory := range []int64{0, 64 << 20} {
			feed.SetMemory(memory)
			k, err := decodes(t, trace)
			feed.SetMemory(0)
			testkit.OK(t, err, x.name)
			var want []string
			if lost := x.lost; lost != "" && (lost[0] != '[' || memory > 0) {
				want = []string{fmt.Sprintf("lost %s %d", bytes.Trim([]byte(lost), "[]"), x.n)}
			}
			for range x.inside {
				want = append(want, `t: "inside" at 5`)
			}
			want = append(want, `t: "after" at 10`, `t: "before" at 0`)
			slices.Sort(want)
			testkit.NoDiff(t, testkit.Diff(want, slices.DeleteFunc(k.lines(), isUnshown)), "%s", x.name)
		}
	}
}

func isUnshown(line string) bool { return line[0] == 'n' }

// TestCut cuts a trace at each byte: what came before is there.
func TestCut(t *testing.T) {
	trace := traced(threadDef(7, 3, 4, "t"))
	var ends []int
	for i := range uint64(9) {
		trace = trace.packet(on(100+i, mark(fmt.Sprint("mark ", i))))
		ends = append(ends, len(trace))
	}
	for n := ends[0]; n < len(trace); n++ {
		whole, cut := slices.BinarySearch(ends, n)
		if cut {
			whole++
		}
		k, err := decodes(t, trace[:n])
		lost := len(k.Losses)
		testkit.That(t, err == nil && len(k.lines()) == whole+lost && (lost == 0) == cut, "%d: %v, %q", n, err, k.lines())
	}
}

// cramped is a sink whose names have little room.
type cramped struct {
	taken
	held, data feed.Held
}

func (b *cramped) NamesHeld() *feed.Held { return &b.held }
func (b *cramped) DataHeld() *feed.Held  { return &b.data }

// TestNoRoom reads traces that make up names, tracks, counters and events without end, where there is
// little room: it ends, tells what is left out, and keeps to the room.
func TestNoRoom(t *testing.T) {
	for name, one := range map[string]func(i uint64) msg{
		"names":                func(i uint64) msg { return on(i, mark(fmt.Sprint("a name of some length, and number ", i))) },
		"numbers of names":     func(i uint64) msg { return at(1, i).in(12, named(i<<20, "n")) },
		"tracks":               func(i uint64) msg { return on(i, ev(kindInstant, i).str(23, "x")) },
		"threads":              func(i uint64) msg { return threadDef(i<<8, i, i, "thread") },
		"sequences":            func(i uint64) msg { return at(i, i).in(11, mark("x")) },
		"counters":             func(i uint64) msg { return on(i, ev(kindCounter, i).num(30, i)) },
		"events":               func(i uint64) msg { return on(i, ev(kindBegin+i%2, 7).str(23, "x")) },
		"times back and forth": func(i uint64) msg { return on(1e12+i%2*1e11, ev(kindBegin+i%2, 7).str(23, "x")) },
		"frames": func(i uint64) msg {
			return at(1, i).in(76, msg(nil).in(actualSurface, msg(nil).num(1, i).num(2, i).num(4, 9)))
		},
		"clocks": func(i uint64) msg { return showing(1, clockAt(6, i), clockAt(3, i)) },
	} {
		t.Run(name, func(t *testing.T) {
			trace := traced(threadDef(7, 3, 4, "t"), on(1, mark("first")))
			for i := range uint64(30_000) {
				trace = trace.packet(one(i + 1))
			}
			k := &cramped{}
			k.held.SetLimit(2 << 20)
			k.data.SetLimit(3 << 18)
			_ = testkit.Must(pieces(k, trace, func(int) int { return len(trace) }))(t)
			limited := slices.ContainsFunc(k.Losses, func(l model.Loss) bool { return l.Reason == model.LossLimit })
			testkit.That(t, limited || name == "clocks", "told: %+v", k.Losses)
			testkit.That(t, slices.Contains(k.lines(), `t: "first" at 0`), "what came first is gone")
		})
	}
}

// TestSniff: what is no trace is not taken for one.
func TestSniff(t *testing.T) {
	for _, r := range rules() {
		testkit.That(t, (Source{}).Sniff(r.trace, ""), "%s: no trace", r.name)
	}
	pprof := msg(nil).in(1, msg(nil).num(1, 1).num(2, 2)).in(1, msg(nil).num(1, 3).num(2, 4)).in(2, msg(nil).num(1, 1))
	for _, other := range []string{
		string(pprof), "\n\n\nwords and words, and more", "\n", "", "\n\x04abcd\n\x04efgh\n\x04ijkl",
	} {
		testkit.That(t, !(Source{}).Sniff([]byte(other), "x.pftrace"), "%q is taken for a trace", other)
	}
	first := traced(msg(nil).in(82, msg(nil).num(1, 1)))
	testkit.That(t, (Source{}).Sniff(slices.Concat(bytes.Repeat(first, 5), traced(on(1, mark("a")))), ""), "first packets of other kinds")
	testkit.That(t, !(Source{}).Sniff(bytes.Repeat(first, 5), ""), "none is known")
	large := traced(msg(nil).num(10, 1).in(33, make([]byte, 100<<10)))
	testkit.That(t, (Source{}).Sniff(large[:64<<10], ""), "a first packet that is larger than what is seen")
}

// pieces reads a trace that comes in pieces, of which size gives the lengths.
func pieces(sink feed.Sink, data []byte, size func(i int) int) (*decoder, error) {
	room := feed.NamesOf(sink)
	defer room.Close()
	d := newDecoder(sink, room, "x", "")
	return d, d.finish(feedtest.Pieces(data, size, func(p []byte) error {
		_, err := d.file.Write(p)
		return err
	}))
}

// FuzzDecoder reads anything: nothing breaks, what the store gets keeps to its rules, and in pieces it
// is the same.
func FuzzDecoder(f *testing.F) {
	for _, name := range captures {
		if recordings.Here(f, recordings.Perfetto, name) {
			data := recordings.Read(f, recordings.Perfetto, name+".pftrace")
			f.Add(uint8(len(name)), data[:min(len(data), 4000)])
			f.Add(uint8(len(name)), data[len(data)-min(len(data), 3000):])
		}
	}
	for i, r := range rules() {
		f.Add(uint8(i), []byte(r.trace))
	}
	f.Add(uint8(3), traceOf(40))
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		var whole, got taken
		_, wholeErr := pieces(&whole, data, func(int) int { return len(data) })
		_, err := pieces(&got, data, func(i int) int { return 1 + int(step)*i%97 })
		testkit.MustThat(t, fmt.Sprint(err) == fmt.Sprint(wholeErr) &&
			fmt.Sprint(got.Batches) == fmt.Sprint(whole.Batches), "pieces of %d: %v, whole: %v", step, err, wholeErr)
		k := feedtest.NewRuled(t)
		d, _ := pieces(k, data, func(int) int { return len(data) })
		testkit.MustThat(t, int64(k.Spans) <= d.b.Events(), "%d spans of %d events", k.Spans, d.b.Events())
		feedtest.Unrefused(t, k.Session)
	})
}

// traceOf returns a trace as the SDK writes it: four sequences with a clock of differences, interned
// names, an annotation and a flow in every fourth begin, a counter now and then.
func traceOf(spans int) []byte {
	var b msg
	for s := range uint64(4) {
		clocks := clockAt(64, 5_000_000_000_000).num(3, 1)
		b = b.packet(showing(s+2, clockAt(6, 5_000_000_000_000), clocks).num(13, 1).
			in(59, msg(nil).num(58, 64).in(11, msg(nil).num(11, 100+s))))
		b = b.packet(threadDef(100+s, 4711, 4711+s, "thread "+string(rune('A'+s))).num(10, s+2))
		var names msg
		for i, name := range []string{"Frame", "Update", "Physics::Step", "Collide", "Render", "Cull", "Submit"} {
			names = names.in(2, msg(nil).num(1, uint64(i+1)).str(2, name))
		}
		b = b.packet(msg(nil).num(10, s+2).in(12, names).num(13, 2))
	}
	b = b.packet(msg(nil).in(60, msg(nil).num(1, 200).str(2, "heap").in(8, msg(nil).num(3, 3))))
	for i := 0; i < spans; i += 4 {
		one := func(e msg) {
			b = b.packet(at(uint64(i/64%4)+2, uint64(100+i%50)).num(3, 1000).num(13, 2).in(11, e).num(79, 4711))
		}
		one(msg(nil).num(9, kindBegin).num(10, 1).num(3, 1))
		one(msg(nil).num(9, kindBegin).num(10, uint64(2+i/4%6)).num(3, 1).
			in(4, msg(nil).num(1, 1).num(4, uint64(i))).fixed(47, uint64(i/8)<<32))
		one(msg(nil).num(9, kindEnd))
		for range 2 {
			one(msg(nil).num(9, kindBegin).num(10, uint64(2+i/8%6)).num(3, 1))
			one(msg(nil).num(9, kindEnd))
		}
		if i%32 == 0 {
			one(msg(nil).num(9, kindCounter).num(11, 200).num(30, uint64(i)))
		}
		one(msg(nil).num(9, kindEnd))
	}
	return b
}

// BenchmarkOpen reads a file from the disk up to its last batch.
func BenchmarkOpen(b *testing.B) {
	feedtest.BenchOpen(b, Source{}, "trace.pftrace", traceOf(2_000_000))
}

// msg is a message that a test writes, field by field.
type msg []byte

func (m msg) num(field int, v uint64) msg {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3), v)
}

func (m msg) in(field int, data []byte) msg {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|2), uint64(len(data))), data...)
}

func (m msg) str(field int, s string) msg { return m.in(field, []byte(s)) }

func (m msg) fixed(field int, v uint64) msg {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(m, uint64(field)<<3|1), v)
}

func (m msg) double(field int, v float64) msg { return m.fixed(field, math.Float64bits(v)) }

// packet appends a packet to a trace.
func (m msg) packet(p msg) msg { return m.in(1, p) }

// traced is a trace of packets.
func traced(packets ...msg) (m msg) {
	for _, p := range packets {
		m = m.packet(p)
	}
	return m
}

// at begins a packet of a sequence at a time.
func at(seq, time uint64) msg { return msg(nil).num(8, time).num(10, seq) }

// on is a packet of the first sequence with an event.
func on(time uint64, e msg) msg { return at(1, time).in(11, e) }

// ev begins an event of a track.
func ev(kind, track uint64) msg { return msg(nil).num(9, kind).num(11, track) }

// begin, end and mark are events of track 7.
func begin(name string) msg { return ev(kindBegin, 7).str(23, name) }
func end() msg              { return ev(kindEnd, 7) }
func mark(name string) msg  { return ev(kindInstant, 7).str(23, name) }

// threadDef describes the track of a thread.
func threadDef(uuid, pid, tid uint64, name string) msg {
	return msg(nil).in(60, msg(nil).num(1, uuid).in(4, msg(nil).num(1, pid).num(2, tid).str(5, name)))
}

// showing is a snapshot of a sequence, of clocks that show something.
func showing(seq uint64, readings ...msg) msg {
	s := msg(nil)
	for _, r := range readings {
		s = s.in(1, r)
	}
	return msg(nil).num(10, seq).in(6, s)
}

func clockAt(clock, time uint64) msg { return msg(nil).num(1, clock).num(2, time) }

// taken is a sink that keeps what it gets.
type taken struct{ feedtest.Kept }

// lost returns how often there is something of a kind of diagnostics.
func (k *taken) lost(kind string) (n int64) {
	for _, l := range k.Losses {
		if l.Kind == kind {
			n += l.N
		}
	}
	return n
}

// isTimeline tells whether a track is of the frame timeline.
func isTimeline(d *model.TrackDef) bool {
	return d.Kind == model.TrackAsync &&
		(strings.HasPrefix(d.Name, "Frames") || strings.HasPrefix(d.Name, "Display frames"))
}

func notTimeline(d *model.TrackDef) bool { return !isTimeline(d) }

// truth is what a decoder of another make found in a capture.
type truth struct {
	Packets   int64
	Names     map[string]*string `json:"process_names"`
	Container struct {
		Errors []string
		Bad    int64 `json:"bad_packets"`
	} `json:"containers"`
	Threads []struct {
		Tid             int
		Name            *string
		Spans, Instants int
		MaxDepth        int            `json:"max_depth"`
		ByName          map[string]int `json:"spans_by_name"` // the most frequent
	}
	Others []struct {
		Name  *string
		Spans int
	} `json:"other_tracks"`
	OtherCount int `json:"other_tracks_count"`
	Spans      int64
	ByName     map[string]feedtest.Sum `json:"by_name"`
	AllTotal   int64                   `json:"all_names_total_ns"`
	AllSelf    int64                   `json:"all_names_self_ns"`
	Counters   []struct {
		Name           string
		Owner          []any
		Unit           string
		Samples        int
		Min, Max, Last float64
	}
	CounterCount int `json:"counters_count"`
	Instants     struct {
		Total  int
		ByName map[string]int `json:"by_name"` // at most 60
	}
	Flows  struct{ Arrows int64 }
	Legacy map[string]int `json:"legacy_events"`
	Frames struct {
		Timeline [][4]any
		Slices   map[string]int `json:"spans_with_frame_in_name"`
	}
	Damaged struct {
		NeedsState int64 `json:"skipped_needs_state"`
		Dropped    int64 `json:"previous_packet_dropped"`
		Unmatched  int64 `json:"unmatched_ends"`
		Unclosed   int64 `json:"unclosed_begins"`
	}
}

// captures are traces of many programs.
var captures = []string{
	"broken-cut", "chromium-page", "concatenated", "frametimeline", "py-multi", "rust-layer", "sdk-clear-zlib",
	"sdk-plain", "sdk-ring", "sdk-us",
}

// TestUnknownFirst opens a trace of others, whose first packet is of a kind that is not read.
func TestUnknownFirst(t *testing.T) {
	path := recordings.File(t, recordings.Perfetto, "field-translation-table-first.pftrace")
	testkit.That(t, Source{}.Sniff(feedtest.Head(t, path), path), "it is not recognised")
	k := open(t, "field-translation-table-first")
	lines := slices.DeleteFunc(k.lines(), isUnshown)
	testkit.That(t, len(lines) == 4 && len(k.Losses) == 0, "%q", lines)
	for _, name := range []string{"raw_name1", "raw_name2", "raw_name3", "raw_slice_begin"} {
		testkit.That(t, strings.Count(strings.Join(lines, "\n"), name) == 1, "%s: %q", name, lines)
	}
}

// TestOthers opens traces of others without track events: slices of atrace, and stages of GPU queues.
func TestOthers(t *testing.T) {
	for name, want := range map[string][]int64{
		"field-atrace-print":      {20, 30, 45},
		"field-gpu-render-stages": {10, 10, 10, 10},
	} {
		s := feedtest.Made(t, Source{}, name+".pftrace", recordings.Read(t, recordings.Perfetto, name+".pftrace"))
		var got []int64
		for id := range s.NumTracks() {
			for lane := range s.Track(model.TrackID(id)).Lanes() {
				for _, bar := range feedtest.Bars(s, model.TrackID(id), lane) {
					got = append(got, bar.End-bar.Begin)
				}
			}
		}
		slices.Sort(got)
		testkit.EqualSlices(t, got, want, "%s: lengths of spans, ns", name)
	}
}

// open reads a trace.
func open(t *testing.T, name string) *taken {
	t.Helper()
	var k taken
	testkit.OK(t, (Source{}).OpenFile(t.Context(), recordings.File(t, recordings.Perfetto, name+".pftrace"), &k))
	return &k
}

// TestCaptures compares all that is in traces with what a decoder of another make found.
func TestCaptures(t *testing.T) {
	for _, name := range captures {
		t.Run(name, func(t *testing.T) {
			k := open(t, name)
			want := recordings.JSON[truth](t, recordings.Perfetto, name+".truth.json")
			compareSums(t, k, want)
			compareTracks(t, k, want)
			compareSeries(t, k, want)
			compareInstants(t, k, want)
			if len(want.Frames.Timeline) > 0 {
				compareTimeline(t, k, want)
			}
		})
	}
}

// TestCounted compares how often everything occurs with what the programs themselves counted.
func TestCounted(t *testing.T) {
	for _, name := range []string{"frametimeline", "py-multi", "rust-layer", "sdk-clear-zlib", "sdk-plain", "sdk-us"} {
		t.Run(name, func(t *testing.T) {
			if !recordings.Here(t, recordings.Perfetto, name) {
				t.Skip("the trace is not on this machine")
			}
			compareCounts(t, open(t, name), *recordings.JSON[map[string]int64](t, recordings.Perfetto, name+".program.json"))
		})
	}
}

func compareCounts(t *testing.T, k *taken, want map[string]int64) {
	got, spans, late := k.Sums(notTimeline), map[string]int64{}, int64(0)
	for tr, s := range k.Spans() {
		if k.Name(s.Path) == "frame late: missed its deadline" && tr.Name == "Frames" {
			late++
		}
	}
	for key, n := range want {
		kind, name, _ := strings.Cut(key, ":")
		switch kind {
		case "slice", "enter", "0", "1", "2":
			spans[name] += n
		case "frames":
			is(t, key, got["doFrame"].Count, n)
		case "late":
			is(t, key, late, n)
		}
	}
	for name, n := range spans {
		is(t, name, got[name].Count, n)
	}
}

func is[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	testkit.Equal(t, got, want, "%s", what)
}

// compareSums compares sums of spans by name, and what is damaged.
func compareSums(t *testing.T, k *taken, want *truth) {
	got := k.Sums(notTimeline)
	var all feedtest.Sum
	for _, x := range got {
		all = feedtest.Sum{Count: all.Count + x.Count, Total: all.Total + x.Total, Self: all.Self + x.Self}
	}
	testkit.NoDiff(t, testkit.Diff(want.ByName, got), "sums by name")
	is(t, "sums of all names", all, feedtest.Sum{Count: want.Spans, Total: want.AllTotal, Self: want.AllSelf})
	open, flows := int64(0), int64(0)
	for _, s := range k.Spans() {
		if s.Flags&model.SpanOpenEnd != 0 {
			open++
		}
	}
	for _, b := range k.Batches {
		flows += int64(len(b.Flows))
	}
	is(t, "flow arrows", flows, want.Flows.Arrows)
	is(t, "open spans", open, want.Damaged.Unclosed)
	is(t, "ends without a begin", k.lost("unmatched-end"), want.Damaged.Unmatched)
	is(t, "packets that need a state", k.lost("overwritten"), want.Damaged.NeedsState)
	is(t, "packets after a loss", k.lost("dropped"), want.Damaged.Dropped)
	is(t, "files cut", k.lost("cut"), int64(len(want.Container.Errors)))
	is(t, "bad packets", k.lost("bad-event"), want.Container.Bad)
	is(t, "packets", strings.HasPrefix(k.Info.Detail, fmt.Sprintf("%d packets;", want.Packets)), true)
}

// compareTracks compares the spans of each thread by name, and its depth; and those of other tracks.
func compareTracks(t *testing.T, k *taken, want *truth) {
	spans, depths, names := map[model.TrackID]int{}, map[model.TrackID]int{}, map[model.TrackID]map[string]int{}
	threads, others := 0, 0
	for i := range k.Tracks {
		names[k.Tracks[i].ID] = map[string]int{}
		if k.Tracks[i].Kind == model.TrackThread {
			threads++
		}
	}
	for d, s := range k.Spans() {
		spans[d.ID]++
		depths[d.ID] = max(depths[d.ID], int(s.Lane)+1)
		names[d.ID][k.Name(s.Path)]++
		if d.Kind != model.TrackThread && !isTimeline(d) {
			others++
		}
	}
	alone := func(name string) string { name, _, _ = strings.Cut(name, " ("); return name }
	for _, th := range want.Threads {
		if th.Spans+th.Instants == 0 {
			continue
		}
		threads--
		is := func(d model.TrackDef) bool {
			for name, n := range th.ByName {
				if names[d.ID][name] != n {
					return false
				}
			}
			return d.Kind == model.TrackThread && d.Index == th.Tid && spans[d.ID] == th.Spans &&
				depths[d.ID] == th.MaxDepth && (th.Name == nil || alone(*th.Name) == alone(d.Name))
		}
		testkit.That(t, slices.ContainsFunc(k.Tracks, is), "no thread is %+v", th)
	}
	is(t, "threads beyond", threads, 0)
	for _, o := range want.Others {
		others -= o.Spans
		is := func(d model.TrackDef) bool { return strings.HasPrefix(d.Name, *o.Name) && d.Kind == model.TrackAsync }
		testkit.That(t, o.Name == nil || o.Spans == 0 || slices.ContainsFunc(k.Tracks, is), "there is no track %v", o)
	}
	testkit.That(t, others == 0 || len(want.Others) < want.OtherCount, "%d more spans of other tracks", others)
}

func compareSeries(t *testing.T, k *taken, want *truth) {
	values := k.Values()
	is(t, "counters", len(k.Series), want.CounterCount)
	for _, c := range want.Counters {
		unit := c.Unit
		switch {
		case c.Name == "thread_time":
			unit = "ns"
		case unit == "bytes":
			unit = "B"
		case unit == "count":
			unit = ""
		case lengths[unit] > 0:
			c.Min, c.Max, c.Last, unit = c.Min*lengths[unit], c.Max*lengths[unit], c.Last*lengths[unit], "ns"
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
		is := func(d model.SeriesDef) bool {
			v := values[d.ID]
			return d.Group == c.Name && d.Unit == unit && len(v) == c.Samples && near(slices.Min(v), c.Min) &&
				near(slices.Max(v), c.Max) && near(v[len(v)-1], c.Last) &&
				(d.Track != model.NoTrack) == (c.Owner[0] == "thread")
		}
		testkit.That(t, slices.ContainsFunc(k.Series, is), "no counter is %+v", c)
	}
}

// compareInstants compares instants: they are messages or frames.
func compareInstants(t *testing.T, k *taken, want *truth) {
	total, main, ticks := 0, 0, 0
	messages := map[string]int{}
	for _, b := range k.Batches {
		if b.Track == model.NoTrack || isTimeline(&k.Tracks[b.Track]) {
			continue
		}
		if (b.HasFrame || b.Open) && k.Tracks[b.Track].Main {
			main++
		}
		for _, m := range b.Messages {
			total++
			for name := range want.Instants.ByName {
				if rest, ok := strings.CutPrefix(m.Text, name); ok && (rest == "" || strings.ContainsAny(rest[:1], ": ")) {
					messages[name]++
				}
			}
		}
	}
	for _, n := range want.Legacy {
		total -= n // in the truth they are not taken for instants
	}
	for name, n := range want.Instants.ByName {
		if _, frame := trace.Frame([]byte(name)); frame {
			ticks += n - messages[name]
		} else {
			testkit.That(t, messages[name] >= n, "%d messages %q, want %d", messages[name], name, n)
		}
	}
	if len(want.Instants.ByName) >= 60 {
		ticks = main // not all names are listed
	}
	is(t, "messages", total+ticks, want.Instants.Total)
	most := 0
	for _, name := range ftrace.FrameNames {
		if n := want.Frames.Slices[name]; n >= 10 {
			most = max(most, n/max(1, len(want.Names)))
		}
	}
	if len(want.Frames.Timeline) == 0 {
		testkit.That(t, main >= most && (most > 0 || main == ticks), "%d frames, %d slices, %d instants", main, most, ticks)
	}
}

// compareTimeline compares the frames of a frame timeline.
func compareTimeline(t *testing.T, k *taken, want *truth) {
	titles := map[any]string{
		"expected_display": "Display frames expected", "actual_display": "Display frames",
		"expected_surface": "Frames expected", "actual_surface": "Frames",
	}
	type key struct {
		title      string
		begin, end int64
	}
	spans, frames := map[key]int{}, map[key]int{}
	for tr, s := range k.Spans() {
		spans[key{tr.Name, s.Begin, s.End}]++
	}
	for _, b := range k.Batches {
		if b.HasFrame || b.Open {
			frames[key{fmt.Sprint(b.Number), b.Begin, b.End}]++
		}
	}
	first, n := int64(math.MaxInt64), 0
	for _, f := range want.Frames.Timeline {
		first = min(first, int64(f[2].(float64)))
	}
	for _, f := range want.Frames.Timeline {
		begin, end := int64(f[2].(float64))-first, int64(f[3].(float64))-first
		testkit.That(t, spans[key{titles[f[0]], begin, end}] > 0, "no span is %v", f)
		if f[0] == "actual_surface" {
			n++
			testkit.That(t, frames[key{fmt.Sprint(f[1]), begin, end}] == 1, "no frame is %v", f)
		}
	}
	is(t, "frames", len(frames), n)
}

// TestOdd reads traces that were made with the classes that Perfetto's own tools have: parents in a loop, two tracks of
// one thread, machines, tracks of one name, and writers of before there were tracks. What must come of them was worked
// out by hand.
func TestOdd(t *testing.T) {
	for name, want := range map[string][]string{
		"odd-tracks": {
			"elsewhere: far 0-30 row 0", "loads: a.png 0-50 row 0", "loads: b.png 20-60 row 1", "loads: c.png 60-70 row 0",
			"loads: open 90-100 row 0 open", "loop 20: in a loop 0-10 row 0", "lost unmatched-end 1",
			"main: inner 10-20 row 1", "main: outer 0-100 row 0", "main: second row 5-95 row 2",
			"track 77: nobody's 0-40 row 0",
		},
		"odd-old": {
			"not shown: 1 event of an old kind.", `old: "a: it went wrong" at 213000`, "old: a 0-10000 row 0",
			"old: a 210000-211000 row 0", "old: a 95000-145000 row 0",
		},
	} {
		testkit.NoDiff(t, testkit.Diff(want, open(t, name).lines()), "%s", name)
	}
}

// TestStep: how fine the times of a session are is told.
func TestStep(t *testing.T) {
	for name, want := range map[string]int64{"sdk-us": 1000, "sdk-clear-zlib": 1, "frametimeline": 1, "odd-old": 1000} {
		is(t, name, open(t, name).Info.Clock.StepNs, want)
	}
}
