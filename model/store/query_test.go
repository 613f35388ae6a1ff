package store

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
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

// Acceptance cases 11 to 13 of pstats-viewer section 18: P = 1, P:c1 = 2, P:c2 = 3, P:x = 4, P:x:y
// = 5.
func levelSession(levels ...model.Level) *Session {
	s := NewSession()
	define(s, model.CollectorDef{ID: 0, Name: "Frame"}, model.CollectorDef{ID: 1, Name: "P"}, model.CollectorDef{ID: 2, Name: "c1", Parent: 1, Sort: 5},
		model.CollectorDef{ID: 3, Name: "c2", Parent: 1}, model.CollectorDef{ID: 4, Name: "x", Parent: 1}, model.CollectorDef{ID: 5, Name: "y", Parent: 4})
	frame(s, 0, 0, sec, model.Batch{Levels: levels})
	return s
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
			bands, net := s.Frames().Bands(0, 0, c.focus, true, nil)
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

// The worked example of pstats-viewer section 9.3.
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
	if !s.Collector(2).HasTime || !s.Collector(2).HasLevel || s.Collector(5).HasLevel || s.Collector(10).HasTime {
		t.Error("flags are not those of what lies below")
	}
}
