package perfetto

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
)

// lines writes all spans, messages and samples of a session, a line each.
func (k *taken) lines() (out []string) {
	for _, b := range k.Batches {
		for _, s := range b.Spans {
			open := ""
			if s.Flags&model.SpanOpenEnd != 0 {
				open = " open"
			}
			out = append(out, fmt.Sprintf("%s: %s %d-%d row %d%s", k.Tracks[b.Track].Name, k.Name(s.Path), s.Begin, s.End,
				s.Lane, open))
		}
		for _, m := range b.Messages {
			out = append(out, fmt.Sprintf("%s: %q at %d", k.Tracks[b.Track].Name, m.Text, m.Time))
		}
		for _, s := range b.Samples {
			d := k.Series[s.Series]
			text := fmt.Sprint(s.Value)
			if d.Kind == model.SeriesState {
				if text = "-"; !math.IsNaN(s.Value) {
					text = d.States[int(s.Value)]
				}
			}
			out = append(out, fmt.Sprintf("%s %s: %s%s at %d", d.Group, d.Name, text, d.Unit, s.Time))
		}
	}
	slices.Sort(out)
	return out
}

// expect demands what is in a trace, a line each, and what is told to be lost.
func expect(t *testing.T, trace msg, lost string, want ...string) *taken {
	t.Helper()
	k := testkit.Must(decodes(t, trace))(t)
	slices.Sort(want)
	if got := k.lines(); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if lost == "" && len(k.Losses) > 0 {
		t.Errorf("lost: %+v", k.Losses)
	}
	if lost != "" && k.Lost(lost) != 1 {
		t.Errorf("not lost: %s, but %+v", lost, k.Losses)
	}
	return k
}

func named(iid uint64, name string) msg { return msg(nil).in(2, msg(nil).num(1, iid).str(2, name)) }

// stateful is a trace whose names have numbers: they come after what uses them, change, and are lost.
func stateful() msg {
	begin := func(iid uint64) msg { return ev(kindBegin, 7).num(10, iid) }
	return msg(nil).
		packet(at(1, 5).num(Flags, 2).in(TrackEvent, begin(1))). // before any state
		packet(at(1, 10).in(TrackEvent, begin(1)).in(Interned, named(1, "a")).num(Flags, 3)).
		packet(at(1, 20).num(Flags, 2).in(TrackEvent, ev(kindEnd, 7))).
		packet(msg(nil)).
		packet(at(1, 30).num(Flags, 2).in(Interned, named(1, "b")).in(TrackEvent, begin(1))).
		packet(at(1, 40).num(Flags, 2).in(TrackEvent, ev(kindEnd, 7))).
		packet(at(1, 41).num(Cleared, 1).in(TrackEvent, begin(1))).
		packet(at(1, 42).in(TrackEvent, ev(kindEnd, 7))).
		packet(threadDef(7, 3, 4, "late"))
}

func TestState(t *testing.T) {
	k := expect(t, stateful(), "was overwritten before", "late: a 0-10 row 0", "late: b 20-30 row 0", "late: name_iid 1 31-32 row 0")
	testkit.That(t, k.Lost("name that is missing") == 1, "a missing name was not counted")
	dropped := stateful().
		packet(at(1, 50).num(HeadsDropped, 1).num(Flags, 2).in(TrackEvent, ev(kindInstant, 7).str(23, "gone"))).
		packet(at(1, 60).num(Flags, 2).in(TrackEvent, ev(kindInstant, 7).str(23, "gone, too"))).
		packet(at(1, 70).in(TrackEvent, ev(kindInstant, 7).str(23, "here")))
	k, err := decodes(t, dropped)
	if err != nil || k.Lost("was overwritten before") != 3 || !slices.Contains(k.lines(), `late: "here" at 60`) {
		t.Error(err, k.Losses, k.lines())
	}
}

// clocked is a trace with clocks of every kind.
func clocked() msg {
	read := func(id, t uint64) msg { return msg(nil).num(1, id).num(2, t) }
	mark := func(name string) msg { return ev(kindInstant, 7).str(23, name) }
	return msg(nil).
		packet(threadDef(7, 3, 4, "t")).
		packet(msg(nil).num(Sequence, 1).in(HeadsSnapshot, msg(nil).in(1, read(6, 1000)).in(1, read(3, 500)))).
		packet(msg(nil).num(Sequence, 1).in(HeadsSnapshot, msg(nil).in(1, read(6, 3000)).in(1, read(3, 2400)))).
		packet(msg(nil).num(Sequence, 2).in(HeadsSnapshot, msg(nil).in(1, read(6, 5000)).
			in(1, read(64, 100).num(3, 1)).in(1, read(65, 2).num(4, 1000)))).
		packet(at(1, 1000).in(TrackEvent, mark("boot"))).
		packet(at(1, 400).num(Clock, 3).in(TrackEvent, mark("before all"))).
		packet(at(1, 600).num(Clock, 3).in(TrackEvent, mark("mono"))).
		packet(at(1, 2500).num(Clock, 3).in(TrackEvent, mark("mono later"))).
		packet(at(2, 7).num(Clock, 64).in(TrackEvent, mark("first"))).
		packet(at(2, 20).num(Clock, 64).in(Track, msg(nil).num(1, 99))). // of every packet
		packet(at(2, 3).num(Clock, 65).in(TrackEvent, mark("µs"))).
		packet(at(2, 1).num(Clock, 64).in(TrackEvent, mark("second"))).
		packet(at(3, 1).num(Clock, 64).in(TrackEvent, mark("nobody knows")))
}

func TestClocks(t *testing.T) {
	k := expect(t, clocked(), "clocks that nothing ties",
		`t: "before all" at 0`, `t: "boot" at 100`, `t: "mono" at 200`, `t: "mono later" at 2200`, `t: "first" at 4107`,
		`t: "second" at 4128`, `t: "µs" at 5100`)
	if !strings.Contains(k.Info.Detail, "0 is 0.000000900 s of BOOTTIME") {
		t.Error(k.Info.Detail)
	}
}

// counters is a trace with counters of every kind, and states.
func counters() msg {
	def := func(uuid uint64, name string, c msg) msg {
		return msg(nil).in(Track, msg(nil).num(1, uuid).str(2, name).num(5, 7).in(8, c))
	}
	return msg(nil).
		packet(at(1, 0).in(TrackEvent, ev(kindCounter, 11).num(30, 2))). // before anybody describes it
		packet(threadDef(7, 3, 4, "t")).
		packet(def(11, "sent", msg(nil).num(3, 3).num(4, 1024).num(5, 1))).
		packet(def(12, "wait", msg(nil).str(6, "ms"))).
		packet(def(13, "extra", nil)).
		packet(at(1, 1).num(Flags, 1).in(Defaults, msg(nil).in(TrackEvent, msg(nil).num(11, 7).in(31, []byte{13, 11})))).
		packet(at(1, 2).in(TrackEvent, msg(nil).num(9, kindBegin).str(23, "x").in(12, []byte{5, 3}))).
		packet(at(1, 3).in(TrackEvent, msg(nil).num(9, kindEnd).num(12, 6).num(12, 1))).
		packet(at(1, 4).in(TrackEvent, ev(kindCounter, 12).double(44, 1.5))).
		packet(at(1, 5).in(TrackEvent, ev(kindState, 7).str(23, "idle"))).
		packet(at(1, 6).in(TrackEvent, ev(kindState, 7).str(23, "busy"))).
		packet(at(1, 7).in(TrackEvent, ev(kindState, 7))).
		packet(at(1, 8).in(TrackEvent, ev(kindCounter, 12).double(44, math.NaN())))
}

func TestCounters(t *testing.T) {
	expect(t, counters(), "no numbers", "t: x 2-3 row 0",
		"sent t: 2048B at 0", "sent t: 3072B at 2", "sent t: 4096B at 3", "extra t: 5 at 2", "extra t: 6 at 3",
		"wait t: 1.5e+06ns at 4", "state t: idle at 5", "state t: busy at 6", "state t: - at 7")
}

// TestEndBeforeBegin: a span that ends before it begins is damage, and told with its place; ends that come
// before their begins in the file alone are none, nor is one whose begin is not in the file.
func TestEndBeforeBegin(t *testing.T) {
	begin := func(time uint64) msg { return at(1, time).in(TrackEvent, ev(kindBegin, 7).str(23, "a")) }
	end := func(time uint64) msg { return at(1, time).in(TrackEvent, ev(kindEnd, 7)) }
	thread := msg(nil).packet(threadDef(7, 3, 4, "t"))
	for name, c := range map[string]struct {
		trace     msg
		malformed int64
		unseen    int64
	}{
		"before":   {thread.packet(begin(10)).packet(end(5)), 1, 0},
		"order":    {thread.packet(end(20)).packet(begin(10)), 0, 0},
		"crossed":  {thread.packet(begin(10)).packet(begin(30)).packet(end(20)).packet(end(40)), 0, 0},
		"no begin": {thread.packet(end(5)).packet(begin(10)).packet(end(20)), 0, 1},
	} {
		k := testkit.Must(decodes(t, slices.Clone(c.trace)))(t)
		var malformed, unseen int64
		for _, l := range k.Losses {
			switch l.Reason {
			case model.LossMalformed:
				malformed += l.N
				if !strings.Contains(l.Detail, "lie before their begins: they are left out; the first is at byte ") {
					t.Errorf("%s: %s", name, l.Detail)
				}
			case model.LossUnseen:
				unseen += l.N
			}
		}
		testkit.That(t, malformed == c.malformed && unseen == c.unseen, "%s: %+v", name, k.Losses)
	}
}

// TestCountersBeyond tells of values that a series can't hold as they are.
func TestCountersBeyond(t *testing.T) {
	expect(t, msg(nil).packet(at(1, 1).in(Track, msg(nil).num(1, 12).str(2, "ids").in(8, nil))).
		packet(at(1, 4).in(TrackEvent, ev(kindCounter, 12).num(30, 1<<60+1))).
		packet(at(1, 5).in(TrackEvent, ev(kindCounter, 12).num(30, 1<<60))),
		"whole numbers of more than 2^53 are shown without their last digits; the first is at byte 18",
		"ids ids: 1.152921504606847e+18 at 0", "ids ids: 1.152921504606847e+18 at 1")
}

// TestNoUTF8 keeps names apart that are shown alike since they are no UTF-8, and not those that are the same.
func TestNoUTF8(t *testing.T) {
	trace := msg(nil).packet(threadDef(7, 3, 4, "t"))
	for i, name := range []string{"a\xff", "a\xfe", "a\xff"} {
		trace = trace.packet(at(1, uint64(10*i)).in(TrackEvent, ev(kindBegin, 7).str(23, name))).
			packet(at(1, uint64(10*i+5)).in(TrackEvent, ev(kindEnd, 7)))
	}
	k := testkit.Must(decodes(t, trace))(t)
	n := 0
	for _, name := range k.Names {
		if name == "a\ufffd" {
			n++
		}
	}
	testkit.That(t, n == 2, "%q", k.Names)
}

// legacy is a trace with events of the old kind.
func legacy() msg {
	old := func(phase byte, name string) msg {
		return msg(nil).num(11, 7).str(23, name).in(6, msg(nil).num(2, uint64(phase)))
	}
	whole := func(name string, us uint64) msg {
		return msg(nil).num(11, 7).str(23, name).in(6, msg(nil).num(2, 'X').num(3, us))
	}
	task := func(phase byte, name string, id uint64) msg {
		return msg(nil).num(11, 7).str(23, name).in(6, msg(nil).num(2, uint64(phase)).num(10, id))
	}
	return msg(nil).
		packet(threadDef(7, 3, 4, "t")).
		packet(at(1, 1000).in(TrackEvent, whole("inner", 2))). // written at its end, begins with the outer one
		packet(at(1, 1000).in(TrackEvent, whole("outer", 5))).
		packet(at(1, 7000).in(TrackEvent, old('B', "b"))).
		packet(at(1, 7500).in(TrackEvent, old('R', "mark"))).
		packet(at(1, 8000).in(TrackEvent, old('E', ""))).
		packet(at(1, 2000).in(TrackEvent, task('b', "load", 1))).
		packet(at(1, 2500).in(TrackEvent, task('b', "load", 2))).
		packet(at(1, 4000).in(TrackEvent, task('e', "load", 1))).
		packet(at(1, 4500).in(TrackEvent, task('e', "load", 2))).
		packet(at(1, 4600).in(TrackEvent, old('P', "sample")))
}

func TestLegacy(t *testing.T) {
	k := expect(t, legacy(), "", "t: outer 0-5000 row 0", "t: inner 0-2000 row 1", "t: b 6000-7000 row 0", `t: "mark" at 6500`,
		"load: load 1000-3000 row 0", "load: load 1500-3500 row 1")
	if k.Tracks[1].Kind != model.TrackAsync || k.warned("event of an old kind") != 1 {
		t.Error(k.Tracks, k.Warnings)
	}
}

// janky is a frame timeline of a process without a thread: a frame on time, one late, one that never
// ends, and an end of none.
func janky() msg {
	frame := func(kind int, fields msg) msg { return msg(nil).in(kind, fields) }
	start := func(cookie, token uint64) msg {
		return msg(nil).num(1, cookie).num(2, token).num(4, 900)
	}
	end := func(cookie uint64) msg { return frame(frameEnd, msg(nil).num(1, cookie)) }
	return msg(nil).
		packet(processDef(1, 900, "game")).
		packet(at(1, 0).in(Timeline, frame(expectedSurface, start(1, 40)))).
		packet(at(1, 0).in(Timeline, frame(actualSurface, start(2, 40).num(6, 1).num(9, 1)))).
		packet(at(1, 10).in(Timeline, frame(expectedSurface, start(3, 41)))).
		packet(at(1, 10).in(Timeline, frame(actualSurface, start(4, 41).num(6, 2).num(9, 64)))).
		packet(at(1, 12).in(Timeline, end(1))).
		packet(at(1, 13).in(Timeline, end(2))).
		packet(at(1, 20).in(Timeline, end(3))).
		packet(at(1, 22).in(Timeline, frame(actualSurface, start(6, 42)))).
		packet(at(1, 1_000_020).in(Timeline, end(4))).
		packet(at(1, 1_000_021).in(Timeline, end(99)))
}

func TestTimeline(t *testing.T) {
	k := expect(t, janky(), "frames of the frame timeline that never began",
		"Frames expected: expected frame 0-12 row 0", "Frames expected: expected frame 10-20 row 1",
		"Frames: frame on time 0-13 row 0", "Frames: frame late: missed its deadline 10-1000020 row 1",
		"Frames: frame 22-1000020 row 0 open", `Frames: "frame 41: late: missed its deadline, 1.000 ms after its deadline" at 10`)
	var frames []string
	for _, b := range k.Batches {
		if b.HasFrame || b.Open {
			frames = append(frames, fmt.Sprint(b.Number, b.Begin, b.End, b.Open))
		}
	}
	if want := []string{"40 0 13 false", "41 10 1000020 false", "42 22 1000020 true"}; !slices.Equal(frames, want) {
		t.Errorf("frames %q, want %q", frames, want)
	}
}

// compressed packs a trace into one packet.
func compressed(trace msg, zst bool) msg {
	var b bytes.Buffer
	if zst {
		w, _ := zstd.NewWriter(&b)
		w.Write(trace)
		w.Close()
		return msg(nil).in(Zstd, b.Bytes())
	}
	w := zlib.NewWriter(&b)
	w.Write(trace)
	w.Close()
	return msg(nil).in(Zlib, b.Bytes())
}

// TestCompressed reads a trace in compressed packets, and one of them damaged: it costs only itself.
func TestCompressed(t *testing.T) {
	mark := func(time uint64, name string) msg {
		return msg(nil).packet(at(1, time).in(TrackEvent, ev(kindInstant, 7).str(23, name)))
	}
	head := msg(nil).packet(threadDef(7, 3, 4, "t"))
	for _, zst := range []bool{false, true} {
		second := compressed(mark(20, "b"), zst)
		trace := append(head[:len(head):len(head)], mark(10, "a")...).packet(second).packet(compressed(mark(30, "c"), !zst))
		expect(t, trace, "", `t: "a" at 0`, `t: "b" at 10`, `t: "c" at 20`)
		bad := bytes.Replace(trace, second[len(second)-8:], make([]byte, 8), 1)
		k, err := decodes(t, bad)
		if got := k.lines(); err != nil || k.Lost("compressed packets are damaged") != 1 || !slices.Contains(got, `t: "c" at 20`) {
			t.Error(err, got, k.Losses)
		}
		if k, err := decodes(t, head.packet(compressed(msg(nil).packet(second), zst))); err == nil || k.Lost("can't be decoded") != 1 {
			t.Error("they nest", err, k.Losses)
		}
	}
}

// TestDamage spoils each packet of a trace: nothing that does not need it is lost; and cuts the trace
// at each byte: what came before is there.
func TestDamage(t *testing.T) {
	trace := msg(nil).packet(threadDef(7, 3, 4, "t"))
	var starts []int
	for i := range uint64(20) {
		starts = append(starts, len(trace))
		trace = trace.packet(at(1, 100+i).in(TrackEvent, ev(kindInstant, 7).str(23, fmt.Sprint("mark ", i))))
	}
	starts = append(starts, len(trace))
	for i := range 20 {
		bad := append(msg(nil), trace...)
		for k := starts[i] + 2; k < starts[i+1]; k++ {
			bad[k] = 0xff
		}
		k, err := decodes(t, bad)
		if err != nil || len(k.lines()) != 19 || k.Lost("can't be decoded") != 1 {
			t.Fatal(i, err, k.lines(), k.Losses)
		}
	}
	for n := starts[1]; n < len(trace); n++ {
		k, err := pieces(trace[:n], func(int) int { return n })
		whole := slices.IndexFunc(starts, func(s int) bool { return s > n }) - 1
		if cut := n != starts[whole]; err != nil || len(k.lines()) != whole || k.Lost("ends inside") != 1 == cut {
			t.Fatal(n, err, k.lines(), k.Losses)
		}
	}
}

// TestOdd reads traces that were made with the classes that Perfetto's own tools have: parents in a
// loop, two tracks of one thread, machines, tracks of one name, and writers of before there were
// tracks. What must come of them was worked out by hand.
func TestOdd(t *testing.T) {
	for name, want := range map[string][]string{
		"odd-tracks": {
			"main: outer 0-100 row 0", "main: inner 10-20 row 1", "main: second row 5-95 row 2",
			"elsewhere: far 0-30 row 0", "loop 20: in a loop 0-10 row 0", "track 77: nobody's 0-40 row 0",
			"loads: a.png 0-50 row 0", "loads: b.png 20-60 row 1", "loads: c.png 60-70 row 0", "loads: open 90-100 row 0 open",
		},
		"odd-old": {
			"old: a 0-10000 row 0", "old: a 95000-145000 row 0", "old: a 210000-211000 row 0", `old: "a: it went wrong" at 213000`,
		},
	} {
		k := open(t, recordings.File(t, recordings.Perfetto, name+".pftrace"))
		slices.Sort(want)
		if got := k.lines(); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if n := k.Lost("never began"); (n == 1) != (name == "odd-tracks") {
			t.Errorf("%s: %d ends without a begin", name, n)
		}
	}
}

// TestStep: how fine the times of a session are is told.
func TestStep(t *testing.T) {
	for name, want := range map[string]int64{"sdk-us": 1000, "sdk-clear-zlib": 1, "frametimeline": 1, "odd-old": 1000} {
		k := open(t, recordings.File(t, recordings.Perfetto, name+".pftrace"))
		is(t, name, k.Info.Clock.StepNs, want)
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
	endless := map[string]func(i uint64) msg{
		"names": func(i uint64) msg {
			return at(1, i).in(TrackEvent, ev(kindInstant, 7).str(23, fmt.Sprint("a name of some length, and number ", i)))
		},
		"numbers of names": func(i uint64) msg { return at(1, i).in(Interned, named(i<<20, "n")) },
		"tracks":           func(i uint64) msg { return at(1, i).in(TrackEvent, ev(kindInstant, i).str(23, "x")) },
		"threads":          func(i uint64) msg { return threadDef(i<<8, i, i, "thread") },
		"sequences":        func(i uint64) msg { return at(i, i).in(TrackEvent, ev(kindInstant, 7).str(23, "x")) },
		"counters":         func(i uint64) msg { return at(1, i).in(TrackEvent, ev(kindCounter, i).num(30, i)) },
		"events": func(i uint64) msg {
			return at(1, i).in(TrackEvent, ev(kindBegin+i%2, 7).str(23, "x"))
		},
		"times back and forth": func(i uint64) msg {
			return at(1, 1e12+i%2*1e11).in(TrackEvent, ev(kindBegin+i%2, 7).str(23, "x"))
		},
		"frames": func(i uint64) msg {
			return at(1, i).in(Timeline, msg(nil).in(actualSurface, msg(nil).num(1, i).num(2, i).num(4, 9)))
		},
		"clocks": func(i uint64) msg {
			return at(1, i).in(HeadsSnapshot, msg(nil).in(1, msg(nil).num(1, 6).num(2, i)).in(1, msg(nil).num(1, 3).num(2, i)))
		},
	}
	for name, one := range endless {
		t.Run(name, func(t *testing.T) {
			trace := msg(nil).packet(threadDef(7, 3, 4, "t")).packet(at(1, 1).in(TrackEvent, ev(kindInstant, 7).str(23, "first")))
			for i := range uint64(30_000) {
				trace = trace.packet(one(i + 1))
			}
			k := &cramped{}
			k.held.SetLimit(2 << 20)
			k.data.SetLimit(3 << 18)
			d := newDecoder(k, "x", "")
			d.split.Write(trace)
			if taken := k.data.Bytes(); taken > k.data.Limit() {
				t.Errorf("%d bytes were taken of %d", taken, k.data.Limit())
			}
			testkit.OK(t, d.finish(nil))
			limited := slices.ContainsFunc(k.Losses, func(l model.Loss) bool { return l.Reason == model.LossLimit })
			if silent := name == "events" || name == "clocks"; limited == silent {
				t.Errorf("told: %+v", k.Losses)
			}
			if got := k.lines(); !slices.Contains(got, `t: "first" at 0`) {
				t.Error("what came first is gone")
			}
		})
	}
}

// made are all traces that tests make.
func made() []msg {
	return []msg{
		stateful(), clocked(), counters(), legacy(), janky(), compressed(legacy(), false), compressed(counters(), true),
		msg(nil).packet(compressed(janky(), false)), traceOf(40),
	}
}

// TestSniff: what is no trace is not taken for one.
func TestSniff(t *testing.T) {
	for i, trace := range made() {
		if isTrace := i != 5 && i != 6; (Source{}).Sniff(trace, "") != isTrace { // those are packets alone
			t.Errorf("trace %d: %v", i, !isTrace)
		}
	}
	pprof := msg(nil).in(1, msg(nil).num(1, 1).num(2, 2)).in(1, msg(nil).num(1, 3).num(2, 4)).in(2, msg(nil).num(1, 1))
	for _, other := range []string{string(pprof), "\n\n\nwords and words, and more", "\n", "", "\n\x04abcd\n\x04efgh\n\x04ijkl"} {
		testkit.That(t, !(Source{}).Sniff([]byte(other), "x.pftrace"), "%q is taken for a trace", other)
	}
	large := msg(nil).packet(msg(nil).num(Sequence, 1).in(33, make([]byte, 100<<10)))
	testkit.That(t, (Source{}).Sniff(large[:64<<10], ""), "a first packet that is larger than what is seen")
}
