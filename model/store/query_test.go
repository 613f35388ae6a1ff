package store

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
)

const sec = int64(1e9)

// define sets up collectors by "id parent name sort".
func define(s *Session, defs ...model.CollectorDef) {
	for _, d := range defs {
		s.Apply(d)
	}
}

// frame appends one frame.
func frame(s *Session, number, begin, end int64, b model.Batch) {
	b.HasFrame, b.Number, b.Begin, b.End = true, number, begin, end
	s.Append(&b)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	testkit.That(t, math.Abs(got-want) <= 1e-9*max(1, math.Abs(want)), "%s = %v, want %v", what, got, want)
}

func TestFrameLookup(t *testing.T) { // acceptance case 14
	s := NewSession()
	frame(s, 5, sec, 2*sec, model.Batch{})
	frame(s, 8, 2*sec, 3*sec, model.Batch{})
	tr := s.Track(0)
	for at, want := range map[int64]int{1.9e9: 0, 2 * sec: 1, sec / 2: -1, 3 * sec: 1, math.MaxInt64: 1, math.MinInt64: -1} {
		testkit.Equal(t, tr.FrameAt(at), want, "FrameAt(%d) =", at)
	}
	i, ok := tr.FrameByNumber(7)
	testkit.That(t, i == 1 && !ok, "FrameByNumber(7) = %d, %v", i, ok)
	i, ok = tr.FrameByNumber(8)
	testkit.That(t, i == 1 && ok, "FrameByNumber(8) = %d, %v", i, ok)
	want := []frames.Gap{{FirstNumber: 6, LastNumber: 7, Begin: 2 * sec, End: 2 * sec}}
	testkit.NoDiff(t, cmp.Diff(want, tr.Gaps(0, 5*sec, nil)), "Gaps")
	testkit.That(t, tr.Missing() == 2 && tr.Frame(1).Missing == 2 && tr.Frame(0).Missing == 0,
		"missing %d, %d, %d", tr.Missing(), tr.Frame(1).Missing, tr.Frame(0).Missing)
	n, _ := s.Losses()
	testkit.That(t, n[model.LossNumbers] == 2, "losses %v", n)
}

func TestFrameRateCountsDropped(t *testing.T) { // acceptance case 15
	s := NewSession()
	for n := int64(0); n <= 180; n += 2 {
		frame(s, n, n*sec/60, (n+1)*sec/60, model.Batch{})
	}
	got := s.Track(0).FrameRate(3 * sec)
	testkit.That(t, math.Abs(got-60) <= 0.001, "frame rate %v", got)
}

// One frame longer than the window is not over-estimated, and a spike shows in StripMax at any
// zoom.
func TestStripModes(t *testing.T) {
	s := NewSession()
	define(s, model.CollectorDef{ID: 0, Name: "Frame"}, model.CollectorDef{ID: 1, Name: "X"})
	for n := int64(0); n < 1000; n++ {
		ns := int64(1e6)
		if n == 777 {
			ns = 9e6
		}
		frame(s, n, n*1e7, (n+1)*1e7, model.Batch{Self: []model.CollectorTime{{Collector: 0, Ns: 1e6, Count: 1}, {Collector: 1, Ns: ns, Count: 1}}})
	}
	frame(s, 1000, 1e10, 1.09e10, model.Batch{Self: []model.CollectorTime{{Collector: 1, Ns: 225e6, Count: 1}}})
	var strip frames.Strip
	s.Frames().Strip(frames.StripQuery{T0: 0, T1: 1e10, Columns: 10, Mode: frames.StripMax}, &strip)
	near(t, "max", strip.Max, 0.010)
	testkit.That(t, strip.Columns[7].Frame == 777 && strip.Columns[7].Frames == 100, "column 7 = %+v", strip.Columns[7])
	testkit.NoDiff(t, cmp.Diff([]model.CollectorID{1, 0}, strip.Bands), "Bands")
	s.Frames().Strip(frames.StripQuery{T0: 1.06e10, T1: 1.09e10, Columns: 10, Mode: frames.StripSmooth, SmoothNs: 3e8}, &strip)
	near(t, "smooth inside one long frame", strip.Max, 0.225)
}

func TestCollectors(t *testing.T) {
	s := NewSession()
	define(s,
		model.CollectorDef{ID: 5, Name: "Collide", Parent: 2, Sort: 1},
		model.CollectorDef{ID: 0, Name: "Frame", Parent: 0},
		model.CollectorDef{ID: 6, Name: "self", Parent: 6},
		model.CollectorDef{ID: 7, Name: "a", Parent: 8}, model.CollectorDef{ID: 8, Name: "b", Parent: 7},
		model.CollectorDef{ID: 9, Name: "late", Parent: 2, Sort: 1},
		model.CollectorDef{ID: 10, Name: "first", Parent: 2, Sort: 3})
	testkit.Equal(t, s.Collector(5).FullName, "#2:Collide", "full name")
	define(s, model.CollectorDef{ID: 2, Name: "App"})
	testkit.Equal(t, s.Collector(5).FullName, "App:Collide", "full name")
	got := s.Collector(8).FullName
	testkit.That(t, got == "a:b" || got == "b", "cycle %q", got)
	testkit.NoDiff(t, cmp.Diff([]model.CollectorID{10, 9, 5}, s.Collectors().Children(2)), "Children")
	if !s.Collectors().IsDescendant(5, 2) || s.Collectors().IsDescendant(2, 5) || !s.Collectors().IsDescendant(6, 0) || !s.Collectors().IsDescendant(7, 0) || !s.Collectors().IsDescendant(60000, 0) {
		t.Error("descent is wrong")
	}
	for _, c := range s.Collectors().Children(0) {
		testkit.That(t, c != 0, "the root is its own child")
	}
	if got := s.Collector(40); got.Name != "#40" || got.Defined || s.Collector(-3) == nil {
		t.Errorf("undefined: %+v", got)
	}
	testkit.Equal(t, s.Collectors().Len(), 11, "NumCollectors =")
	frame(s, 1, 0, 1, model.Batch{Self: []model.CollectorTime{{Collector: 5, Ns: 1, Count: 1}}, Levels: []model.Level{{Collector: 9, Time: 0, Value: 1}}})
	testkit.That(t, s.Collector(2).HasTime && s.Collector(2).HasLevel && !s.Collector(5).HasLevel &&
		!s.Collector(10).HasTime, "flags are not those of what lies below")
}

// When frames begin and end, and which touch a time, is told of each of them, in whatever order
// their times are; also once some were taken back.
func TestTimesOfFramesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSession()
		s.Apply(model.TrackDef{ID: 0, Name: "thread"})
		var list [][2]int64
		add := func(b *model.Batch) { s.Append(b) }
		back := rapid.SampledFrom([]int64{0, 3, 50}).Draw(t, "back")
		at := int64(1000)
		for i := range rapid.IntRange(1, 700).Draw(t, "frames") {
			at += 4 + rapid.Int64Range(-back, 4).Draw(t, "step")
			length := rapid.Int64Range(0, 8).Draw(t, "length")
			list = append(list, [2]int64{at, at + length})
			add(&model.Batch{Track: 0, HasFrame: true, Number: int64(i), Begin: at, End: at + length})
		}
		if keep := rapid.IntRange(1, len(list)).Draw(t, "kept"); keep < len(list) { // the last of these comes anew
			list = list[:keep]
			f := list[keep-1]
			add(&model.Batch{Track: 0, HasFrame: true, Rewind: true, Number: int64(keep - 1), Begin: f[0], End: f[1]})
		}
		first := rapid.IntRange(0, len(list)-1).Draw(t, "first")
		last := rapid.IntRange(first, len(list)-1).Draw(t, "last")
		track := s.Track(0)
		times := func(list [][2]int64) (begin, end int64) {
			begin, end = list[0][0], list[0][1]
			for _, f := range list {
				begin, end = min(begin, f[0]), max(end, f[1])
			}
			return begin, end
		}
		wantBegin, wantEnd := times(list[first : last+1])
		if begin, end, ok := track.FrameTimes(first, last); !ok || begin != wantBegin || end != wantEnd {
			t.Fatalf("frames %d to %d are from %d to %d, want %d to %d", first, last, begin, end, wantBegin, wantEnd)
		}
		wantBegin, wantEnd = times(list)
		if begin, end, ok := track.Bounds(); !ok || begin != wantBegin || end != wantEnd {
			t.Fatalf("bounds %d to %d, want %d to %d", begin, end, wantBegin, wantEnd)
		}
		t0 := rapid.Int64Range(wantBegin-3, wantEnd+3).Draw(t, "t0")
		t1 := rapid.Int64Range(t0, wantEnd+4).Draw(t, "t1")
		var want []frames.Run
		for i, f := range list {
			switch n := len(want); {
			case f[1] <= t0 || f[0] >= t1:
			case n > 0 && want[n-1].Last == i-1:
				want[n-1].Last = i
			default:
				want = append(want, frames.Run{First: i, Last: i})
			}
		}
		testkit.MustEqualSlices(t, track.FramesTouching(t0, t1, nil), want, "[%d, %d) touches", t0, t1)
		wantFirst, wantLast := -1, -2
		for i, f := range list {
			if f[0] >= t0 && f[0] < t1 {
				if wantLast = i; wantFirst < 0 {
					wantFirst = i
				}
			}
		}
		if a, b := track.FramesBeginning(t0, t1); a != wantFirst || b != wantLast {
			t.Fatalf("frames %d to %d begin in [%d, %d), want %d to %d", a, b, t0, t1, wantFirst, wantLast)
		}
		running, latest, begins := -1, -1, beginsInOrder(list)
		for i, f := range list {
			if begins[i] <= t0 {
				latest = i
			}
			if f[0] <= t0 && t0 < f[1] {
				running = i
			}
		}
		if running < 0 {
			running = latest // no number is missing: it is in no gap
		}
		testkit.MustEqual(t, track.FrameCovering(t0), running, "frame … runs at %d", t0)
		testkit.MustEqual(t, track.FrameAt(t0), latest, "frame … is the latest at %d", t0)
	})
}

// beginsInOrder returns when frames count as beginning: see frames/order.go.
func beginsInOrder(list [][2]int64) (out []int64) {
	for i, f := range list {
		begin := f[0]
		if i > 0 && out[i-1] > begin {
			ahead := i
			for ahead > 0 && out[ahead-1] > begin {
				ahead--
			}
			if ahead > 0 && i-ahead < 256 && out[ahead]-out[ahead-1] >= (out[i-1]-out[ahead-1])/2 {
				for k := ahead; k < i; k++ {
					out[k] = begin
				}
			} else {
				begin = out[i-1]
			}
		}
		out = append(out, begin)
	}
	return out
}

// A clock that jumps ahead and comes back: the frames behind the jump are found by their time, those
// of a file that is read in one go and those that are taken back and come again.
func TestClockJumpsAheadAndBack(t *testing.T) {
	for _, ahead := range []int{1, 5, 200} {
		s := NewSession()
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		add := func(i int, rewind bool) {
			begin := int64(i) * 100
			if i >= 50 && i < 50+ahead {
				begin += 1e12
			}
			s.Append(&model.Batch{
				HasFrame: true, Rewind: rewind, Number: int64(i), Begin: begin, End: begin + 90,
				Self:  []model.CollectorTime{{Collector: 1, Ns: 90, Count: 1}},
				Spans: []model.Span{{Begin: begin, End: begin + 90, Path: 1}},
			})
		}
		check := func(when string, n int) {
			t.Helper()
			tr := s.Track(0)
			for i := range n {
				if (i < 50 || i >= 50+ahead) && tr.FrameAt(int64(i)*100+50) != i {
					t.Fatalf("%d ahead, %s: frame %d is found at the time of frame %d", ahead, when, tr.FrameAt(int64(i)*100+50), i)
				}
			}
			var strip frames.Strip
			s.Frames().Strip(frames.StripQuery{Track: 0, T0: int64(n-20) * 100, T1: int64(n) * 100, Columns: 20}, &strip)
			for k, c := range strip.Columns {
				testkit.MustEqual(t, int(c.Frame), n-20+k, "%d ahead, %s: column %d shows frame %d", ahead, when, k, c.Frame)
			}
		}
		n := 100 + ahead
		for i := range n {
			add(i, false)
		}
		check("at first", n)
		for i := 50 + ahead; i < n; i++ { // the jump is the newest, and the clock comes back anew
			add(i, i == 50+ahead)
		}
		check("anew", n)
		add(49, true)
		testkit.MustEqual(t, s.Track(0).FrameAt(49_50), 49, "%d ahead, without the jump: frame", ahead)
	}
}

// Which frame a time is in does not depend on which one is known to be near, and holds as long as is
// said.
func TestFrameNear(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	s := NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "App"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	at := int64(50)
	for n := int64(0); n < 60; n++ {
		if rnd.IntN(4) == 0 {
			n += rnd.Int64N(3)
			at += rnd.Int64N(30)
		}
		end := at + rnd.Int64N(20)
		calls := rnd.Int32N(200)
		s.Append(&model.Batch{
			HasFrame: true, Number: n, Begin: at, End: end,
			Self: []model.CollectorTime{{Collector: 0, Ns: 1, Count: calls}},
		})
		if at = end; rnd.IntN(3) == 0 {
			at += rnd.Int64N(5)
		}
	}
	track := s.Track(0)
	counts := make([]int64, 1)
	for i := range track.NumFrames() {
		counts[0] = 0
		used := s.Frames().CallCounts(0, i, counts, nil)
		a := s.Frames().Self(0, i, nil)
		testkit.That(t, counts[0] == int64(a[0].Count) && len(used) == min(int(a[0].Count), 1),
			"frame %d: %d calls of %v, not %d", i, counts[0], used, a[0].Count)
	}
	for from := int64(0); from < at+50; from++ {
		near := rnd.IntN(track.NumFrames()+4) - 2
		frame, t0, t1 := track.FrameNear(spans.Ref{}, from, near)
		testkit.MustEqual(t, frame, track.FrameOf(spans.Ref{}, from), "at %d from %d", from, near)
		if t0 >= t1 {
			continue
		}
		for k := max(t0, from-60); k < min(t1, at+60); k++ {
			got := track.FrameOf(spans.Ref{}, k)
			testkit.MustThat(t, got == frame, "%d at %d, said to be %d from %d to %d", got, k, frame, t0, t1)
		}
	}
}

func TestFrameBarsAndSlowest(t *testing.T) {
	s := NewSession()
	at := int64(0)
	for n := int64(0); n < 5000; n++ {
		length := 1000 + (n*7919)%977
		if n == 3000 {
			length = 90000
		}
		number := n
		if n >= 2000 {
			number += 10
		}
		frame(s, number, at, at+length, model.Batch{})
		at += length
	}
	bars := s.Frames().Bars(0, 0, 512, 100, nil)
	testkit.That(t, len(bars) == 10 && bars[5].Worst == 3000 && bars[5].WorstNs == 90000 && bars[3].Missing == 10 &&
		bars[9].Count == 5000-9*512, "bars %+v", bars)
	slow := s.Frames().Slowest(0, 100, 4900, 20, nil)
	testkit.MustThat(t, len(slow) == 20 && slow[0] == 3000, "slowest %v", slow)
	tr := s.Track(0)
	length := func(i int) int64 { f := tr.Frame(i); return f.End - f.Begin }
	for k := 1; k < len(slow); k++ {
		testkit.That(t, length(slow[k]) <= length(slow[k-1]), "not in order at %d", k)
	}
	longer := 0
	for i := 100; i <= 4900; i++ {
		if length(i) > length(slow[19]) {
			longer++
		}
	}
	testkit.That(t, longer <= 19, "%d frames are longer than the last of 20", longer)
}

func TestLooseLevels(t *testing.T) {
	s := NewSession()
	define(s, model.CollectorDef{ID: 1, Name: "P"}, model.CollectorDef{ID: 2, Name: "c", Parent: 1})
	s.Append(&model.Batch{Levels: []model.Level{{Collector: 1, Time: 10, Value: 8}, {Collector: 2, Time: 20, Value: 3}, {Collector: 1, Time: 30, Value: 9}}})
	var strip frames.Strip
	s.Frames().Strip(frames.StripQuery{Focus: 1, Levels: true, T0: 0, T1: 40, Columns: 4}, &strip)
	testkit.MustNoDiff(t, cmp.Diff([]model.CollectorID{2, 1}, strip.Bands), "Bands")
	testkit.NoDiff(t, cmp.Diff([]float32{0, 0, 0, 8, 3, 5, 3, 6}, strip.Values), "Values")
	testkit.That(t, strip.Columns[0].State == frames.ColumnEmpty && strip.Columns[3].State == frames.ColumnData,
		"columns %+v", strip.Columns)
}

// The worked example of VIEWER.md section 9.3.
func TestSmoothCreditsTheFrameAfterAGap(t *testing.T) {
	s := NewSession()
	define(s, model.CollectorDef{ID: 0, Name: "Frame"}, model.CollectorDef{ID: 1, Name: "X"})
	for n := int64(0); n < 10; n++ {
		if n == 6 || n == 7 {
			continue
		}
		ns := 2 * sec / 10
		if n >= 8 {
			ns = 6 * sec / 10
		}
		frame(s, n, n*sec, (n+1)*sec, model.Batch{Self: []model.CollectorTime{{Collector: 1, Ns: ns, Count: 1}}})
	}
	var strip frames.Strip
	at := func(mode frames.StripMode, timeNs int64) (float64, frames.ColumnState) {
		s.Frames().Strip(frames.StripQuery{T0: timeNs, T1: timeNs + sec/100, Columns: 1, Mode: mode}, &strip)
		return float64(strip.Columns[0].Net), strip.Columns[0].State
	}
	for _, c := range []struct {
		mode  frames.StripMode
		time  int64
		want  float64
		state frames.ColumnState
	}{
		{frames.StripSmooth, 7 * sec, 1.0 / 3, frames.ColumnMissing},
		{frames.StripSmooth, 3 * sec, 0.2, frames.ColumnData},
		{frames.StripSmooth, 0, 0.2, frames.ColumnData}, // the official divisor is 0 here
		{frames.StripSmooth, 10 * sec, 0.6, frames.ColumnData},
		{frames.StripSmooth, 11 * sec, 0, frames.ColumnEmpty},
		{frames.StripSmooth, -sec, 0, frames.ColumnEmpty},
		{frames.StripHold, 5 * sec, 0.2, frames.ColumnData},
		{frames.StripHold, 6 * sec, 0.2, frames.ColumnMissing},
		{frames.StripHold, 7 * sec, 0.4, frames.ColumnMissing},
		{frames.StripHold, 8 * sec, 0.6, frames.ColumnData},
		{frames.StripMax, 7 * sec, 0.4, frames.ColumnMissing},
	} {
		got, state := at(c.mode, c.time)
		testkit.That(t, math.Abs(got-c.want) <= 1e-6 && state == c.state,
			"mode %d at %d: %v, state %d; want %v, %d", c.mode, c.time, got, state, c.want, c.state)
	}
}

func TestLevelsOfParents(t *testing.T) {
	for _, c := range []struct {
		name   string
		levels []model.Level
		focus  model.CollectorID
		bands  []frames.Band
		net    float64
	}{
		{"11", []model.Level{{Collector: 1, Time: 0, Value: 10}, {Collector: 2, Time: 0, Value: 3}, {Collector: 3, Time: 0, Value: 4}}, 1, []frames.Band{{Collector: 2, Value: 3, Count: 0}, {Collector: 3, Value: 4, Count: 0}, {Collector: 1, Value: 3, Count: 0}}, 10},
		{"12", []model.Level{{Collector: 2, Time: 0, Value: 3}, {Collector: 3, Time: 0, Value: 4}}, 1, []frames.Band{{Collector: 2, Value: 3, Count: 0}, {Collector: 3, Value: 4, Count: 0}}, 7},
		{"13", []model.Level{{Collector: 1, Time: 0, Value: 10}, {Collector: 5, Time: 0, Value: 4}}, 1, []frames.Band{{Collector: 4, Value: 4, Count: 0}, {Collector: 1, Value: 6, Count: 0}}, 10},
		{"13 from Frame", []model.Level{{Collector: 1, Time: 0, Value: 10}, {Collector: 5, Time: 0, Value: 4}}, 0, []frames.Band{{Collector: 1, Value: 10, Count: 0}}, 10},
		{"remainder below 0", []model.Level{{Collector: 1, Time: 0, Value: 5}, {Collector: 5, Time: 0, Value: 8}}, 1, []frames.Band{{Collector: 4, Value: 8, Count: 0}}, 8},
		{"last of each", []model.Level{{Collector: 2, Time: 0, Value: 3}, {Collector: 3, Time: 1, Value: 1}, {Collector: 2, Time: 2, Value: 6}}, 1, []frames.Band{{Collector: 2, Value: 6, Count: 0}, {Collector: 3, Value: 1, Count: 0}}, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := levelSession(c.levels...)
			bands, net := s.Frames().OpenBands(0, 0, c.focus, 0, true, nil)
			testkit.NoDiff(t, cmp.Diff(c.bands, bands), "bands")
			near(t, "net", net, c.net)
			var strip frames.Strip
			s.Frames().Strip(frames.StripQuery{Focus: c.focus, Levels: true, T0: 0, T1: sec, Columns: 1}, &strip)
			near(t, "strip net", float64(strip.Columns[0].Net), c.net)
			testkit.Equal(t, len(strip.Bands), len(c.bands), "strip bands %v", strip.Bands)
		})
	}
	s := levelSession(model.Level{Collector: 1, Time: 0, Value: 10}, model.Level{Collector: 5, Time: 0, Value: 4})
	near(t, "net of P", s.Frames().Stats(0, 1, true, 0, 0).Mean, 10)
	near(t, "alone of P", s.Frames().Stats(0, 1, true, 0, 0).SelfMean, 6)
	near(t, "net of x", s.Frames().Stats(0, 4, true, 0, 0).Mean, 4)
	all := s.Frames().AllStats(0, true, 0, 0, nil)
	testkit.MustThat(t, len(all) == 3 && all[0].Collector == 1 && all[1].Collector == 4 && all[2].Collector == 5,
		"AllStats = %+v", all)
	near(t, "AllStats net of P", all[0].Mean, 10)
	near(t, "AllStats alone of P", all[0].SelfMean, 6)
	near(t, "AllStats alone of x", all[1].SelfMean, 0)
}

// Acceptance cases 11 to 13 of VIEWER.md section 18: P = 1, P:c1 = 2, P:c2 = 3, P:x = 4, P:x:y
// = 5.
func levelSession(levels ...model.Level) *Session {
	s := NewSession()
	define(s, model.CollectorDef{ID: 0, Name: "Frame"}, model.CollectorDef{ID: 1, Name: "P"}, model.CollectorDef{ID: 2, Name: "c1", Parent: 1, Sort: 5},
		model.CollectorDef{ID: 3, Name: "c2", Parent: 1}, model.CollectorDef{ID: 4, Name: "x", Parent: 1}, model.CollectorDef{ID: 5, Name: "y", Parent: 4})
	frame(s, 0, 0, sec, model.Batch{Levels: levels})
	return s
}
