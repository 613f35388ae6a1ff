package model

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sec = int64(1e9)

// define sets up collectors by "id parent name sort".
func define(s *Session, defs ...CollectorDef) {
	for _, d := range defs {
		s.Apply(d)
	}
}

// frame appends one frame.
func frame(s *Session, number, begin, end int64, b Batch) {
	b.HasFrame, b.Number, b.Begin, b.End = true, number, begin, end
	s.Append(&b)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Acceptance cases 11 to 13 of pstats-viewer section 18: P = 1, P:c1 = 2, P:c2 = 3, P:x = 4, P:x:y = 5.
func levelSession(levels ...Level) *Session {
	s := NewSession()
	define(s, CollectorDef{ID: 0, Name: "Frame"}, CollectorDef{ID: 1, Name: "P"}, CollectorDef{ID: 2, Name: "c1", Parent: 1, Sort: 5},
		CollectorDef{ID: 3, Name: "c2", Parent: 1}, CollectorDef{ID: 4, Name: "x", Parent: 1}, CollectorDef{ID: 5, Name: "y", Parent: 4})
	frame(s, 0, 0, sec, Batch{Levels: levels})
	return s
}

func TestLevelsOfParents(t *testing.T) {
	for _, c := range []struct {
		name   string
		levels []Level
		focus  CollectorID
		bands  []Band
		net    float64
	}{
		{"11", []Level{{1, 0, 10}, {2, 0, 3}, {3, 0, 4}}, 1, []Band{{2, 3, 0}, {3, 4, 0}, {1, 3, 0}}, 10},
		{"12", []Level{{2, 0, 3}, {3, 0, 4}}, 1, []Band{{2, 3, 0}, {3, 4, 0}}, 7},
		{"13", []Level{{1, 0, 10}, {5, 0, 4}}, 1, []Band{{4, 4, 0}, {1, 6, 0}}, 10},
		{"13 from Frame", []Level{{1, 0, 10}, {5, 0, 4}}, 0, []Band{{1, 10, 0}}, 10},
		{"remainder below 0", []Level{{1, 0, 5}, {5, 0, 8}}, 1, []Band{{4, 8, 0}}, 8},
		{"last of each", []Level{{2, 0, 3}, {3, 1, 1}, {2, 2, 6}}, 1, []Band{{2, 6, 0}, {3, 1, 0}}, 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := levelSession(c.levels...)
			bands, net := s.FrameStrip(0, 0, c.focus, true, nil)
			if d := cmp.Diff(c.bands, bands); d != "" {
				t.Error(d)
			}
			near(t, "net", net, c.net)
			var strip Strip
			s.StripChart(StripQuery{Focus: c.focus, Levels: true, T0: 0, T1: sec, Columns: 1}, &strip)
			near(t, "strip net", float64(strip.Columns[0].Net), c.net)
			if len(strip.Bands) != len(c.bands) {
				t.Errorf("strip bands %v", strip.Bands)
			}
		})
	}
	s := levelSession(Level{1, 0, 10}, Level{5, 0, 4})
	near(t, "net of P", s.CollectorStats(0, 1, true, 0, 0).Mean, 10)
	near(t, "alone of P", s.CollectorStats(0, 1, true, 0, 0).AloneMean, 6)
	near(t, "net of x", s.CollectorStats(0, 4, true, 0, 0).Mean, 4)
	all := s.AllStats(0, true, 0, 0, nil)
	if len(all) != 3 || all[0].Collector != 1 || all[1].Collector != 4 || all[2].Collector != 5 {
		t.Fatalf("AllStats = %+v", all)
	}
	near(t, "AllStats net of P", all[0].Mean, 10)
	near(t, "AllStats alone of P", all[0].AloneMean, 6)
	near(t, "AllStats alone of x", all[1].AloneMean, 0)
}

func TestFrameLookup(t *testing.T) { // acceptance case 14
	s := NewSession()
	frame(s, 5, sec, 2*sec, Batch{})
	frame(s, 8, 2*sec, 3*sec, Batch{})
	tr := s.Track(0)
	for at, want := range map[int64]int{1.9e9: 0, 2 * sec: 1, sec / 2: -1, 3 * sec: 1, math.MaxInt64: 1, math.MinInt64: -1} {
		if got := tr.FrameAt(at); got != want {
			t.Errorf("FrameAt(%d) = %d, want %d", at, got, want)
		}
	}
	for number, want := range map[int64]int{7: 0, 4: 0, 99: 1, 5: 0, 8: 1} {
		if got := tr.FrameHeld(number); got != want {
			t.Errorf("FrameHeld(%d) = %d, want %d", number, got, want)
		}
	}
	if i, ok := tr.FrameByNumber(7); i != 1 || ok {
		t.Errorf("FrameByNumber(7) = %d, %v", i, ok)
	}
	if i, ok := tr.FrameByNumber(8); i != 1 || !ok {
		t.Errorf("FrameByNumber(8) = %d, %v", i, ok)
	}
	want := []Gap{{FirstNumber: 6, LastNumber: 7, Begin: 2 * sec, End: 2 * sec}}
	if d := cmp.Diff(want, tr.Gaps(0, 5*sec, nil)); d != "" {
		t.Error(d)
	}
	if tr.Missing() != 2 || tr.Frame(1).Missing != 2 || tr.Frame(0).Missing != 0 {
		t.Errorf("missing %d, %d, %d", tr.Missing(), tr.Frame(1).Missing, tr.Frame(0).Missing)
	}
	if n, _ := s.Losses(); n[LossNumbers] != 2 {
		t.Errorf("losses %v", n)
	}
}

func TestFrameRateCountsDropped(t *testing.T) { // acceptance case 15
	s := NewSession()
	for n := int64(0); n <= 180; n += 2 {
		frame(s, n, n*sec/60, (n+1)*sec/60, Batch{})
	}
	if got := s.Track(0).FrameRate(3 * sec); math.Abs(got-60) > 0.001 {
		t.Errorf("frame rate %v", got)
	}
}

// The worked example of pstats-viewer section 9.3.
func TestSmoothCreditsTheFrameAfterAGap(t *testing.T) {
	s := NewSession()
	define(s, CollectorDef{ID: 0, Name: "Frame"}, CollectorDef{ID: 1, Name: "X"})
	for n := int64(0); n < 10; n++ {
		if n == 6 || n == 7 {
			continue
		}
		ns := 2 * sec / 10
		if n >= 8 {
			ns = 6 * sec / 10
		}
		frame(s, n, n*sec, (n+1)*sec, Batch{Alone: []CollectorTime{{1, ns, 1}}})
	}
	var strip Strip
	at := func(mode StripMode, timeNs int64) (float64, ColumnState) {
		s.StripChart(StripQuery{T0: timeNs, T1: timeNs + sec/100, Columns: 1, Mode: mode}, &strip)
		return float64(strip.Columns[0].Net), strip.Columns[0].State
	}
	for _, c := range []struct {
		mode  StripMode
		time  int64
		want  float64
		state ColumnState
	}{
		{StripSmooth, 7 * sec, 1.0 / 3, ColumnMissing},
		{StripSmooth, 3 * sec, 0.2, ColumnData},
		{StripSmooth, 0, 0.2, ColumnData}, // the official divisor is 0 here
		{StripSmooth, 10 * sec, 0.6, ColumnData},
		{StripSmooth, 11 * sec, 0, ColumnEmpty},
		{StripSmooth, -sec, 0, ColumnEmpty},
		{StripHold, 5 * sec, 0.2, ColumnData},
		{StripHold, 6 * sec, 0.2, ColumnMissing},
		{StripHold, 7 * sec, 0.4, ColumnMissing},
		{StripHold, 8 * sec, 0.6, ColumnData},
		{StripMax, 7 * sec, 0.4, ColumnMissing},
	} {
		got, state := at(c.mode, c.time)
		if math.Abs(got-c.want) > 1e-6 || state != c.state {
			t.Errorf("mode %d at %d: %v, state %d; want %v, %d", c.mode, c.time, got, state, c.want, c.state)
		}
	}
}

// One frame longer than the window is not over-estimated, and a spike shows in StripMax at any zoom.
func TestStripModes(t *testing.T) {
	s := NewSession()
	define(s, CollectorDef{ID: 0, Name: "Frame"}, CollectorDef{ID: 1, Name: "X"})
	for n := int64(0); n < 1000; n++ {
		ns := int64(1e6)
		if n == 777 {
			ns = 9e6
		}
		frame(s, n, n*1e7, (n+1)*1e7, Batch{Alone: []CollectorTime{{0, 1e6, 1}, {1, ns, 1}}})
	}
	frame(s, 1000, 1e10, 3e10, Batch{Alone: []CollectorTime{{1, 5e9, 1}}})
	var strip Strip
	s.StripChart(StripQuery{T0: 0, T1: 1e10, Columns: 10, Mode: StripMax}, &strip)
	near(t, "max", strip.Max, 0.010)
	if strip.Columns[7].Frame != 777 || strip.Columns[7].Frames != 100 {
		t.Errorf("column 7 = %+v", strip.Columns[7])
	}
	if d := cmp.Diff([]CollectorID{1, 0}, strip.Bands); d != "" {
		t.Error(d)
	}
	s.StripChart(StripQuery{T0: 2e10, T1: 3e10, Columns: 10, Mode: StripSmooth}, &strip)
	near(t, "smooth inside one long frame", strip.Max, 5)
}

func TestCollectors(t *testing.T) {
	s := NewSession()
	define(s,
		CollectorDef{ID: 5, Name: "Collide", Parent: 2, Sort: 1},
		CollectorDef{ID: 0, Name: "Frame", Parent: 0},
		CollectorDef{ID: 6, Name: "self", Parent: 6},
		CollectorDef{ID: 7, Name: "a", Parent: 8}, CollectorDef{ID: 8, Name: "b", Parent: 7},
		CollectorDef{ID: 9, Name: "late", Parent: 2, Sort: 1},
		CollectorDef{ID: 10, Name: "first", Parent: 2, Sort: 3})
	if got := s.Collector(5).FullName; got != "#2:Collide" {
		t.Errorf("full name %q", got)
	}
	define(s, CollectorDef{ID: 2, Name: "App"})
	if got := s.Collector(5).FullName; got != "App:Collide" {
		t.Errorf("full name %q", got)
	}
	if got := s.Collector(8).FullName; got != "a:b" && got != "b" {
		t.Errorf("cycle %q", got)
	}
	if d := cmp.Diff([]CollectorID{10, 9, 5}, s.Children(2)); d != "" {
		t.Error(d)
	}
	if !s.IsDescendant(5, 2) || s.IsDescendant(2, 5) || !s.IsDescendant(6, 0) || !s.IsDescendant(7, 0) || !s.IsDescendant(60000, 0) {
		t.Error("descent is wrong")
	}
	for _, c := range s.Children(0) {
		if c == 0 {
			t.Error("the root is its own child")
		}
	}
	if got := s.Collector(40); got.Name != "#40" || got.Defined || s.Collector(-3) == nil {
		t.Errorf("undefined: %+v", got)
	}
	if s.NumCollectors() != 11 {
		t.Errorf("NumCollectors = %d", s.NumCollectors())
	}
	frame(s, 1, 0, 1, Batch{Alone: []CollectorTime{{5, 1, 1}}, Levels: []Level{{9, 0, 1}}})
	if !s.Collector(2).HasTime || !s.Collector(2).HasLevel || s.Collector(5).HasLevel || s.Collector(10).HasTime {
		t.Error("flags are not those of what lies below")
	}
}

func TestFlameTreeOfOverlap(t *testing.T) { // acceptance case 16: +F@0 +A@1 +B@2 -A@4 -B@6 -F@10
	s := NewSession()
	s.Apply(PathDef{1, 0, 0})
	s.Apply(PathDef{2, 1, 1})
	s.Apply(PathDef{3, 2, 2})
	frame(s, 0, 0, 10, Batch{Spans: []Span{{Begin: 0, End: 10, Path: 1}, {Begin: 1, End: 4, Path: 2, Lane: 1}, {Begin: 2, End: 6, Path: 3, Lane: 2, FlameEnd: 4}}})
	var tree FlameTree
	s.FlameTree([]TrackID{0}, 0, 10, &tree)
	want := []FlameNode{
		{Path: 1, Collector: 0, Parent: -1, Depth: 0, Total: 10, Self: 7, Count: 1},
		{Path: 2, Collector: 1, Parent: 0, Depth: 1, Total: 3, Self: 1, Count: 1},
		{Path: 3, Collector: 2, Parent: 1, Depth: 2, Total: 2, Self: 2, Count: 1},
	}
	if d := cmp.Diff(want, tree.Nodes); d != "" {
		t.Error(d)
	}
	if tree.Total != 10 || tree.Frames != 1 {
		t.Errorf("total %d, frames %d", tree.Total, tree.Frames)
	}
	s.FlameTree([]TrackID{0, 0}, 3, 5, &tree) // a track named twice counts once; F passes through
	want = []FlameNode{
		{Path: 1, Collector: 0, Parent: -1, Depth: 0, Total: 2, Self: 1, Count: 1},
		{Path: 2, Collector: 1, Parent: 0, Depth: 1, Total: 1, Self: 0, Count: 1},
		{Path: 3, Collector: 2, Parent: 1, Depth: 2, Total: 1, Self: 1, Count: 1},
	}
	if d := cmp.Diff(want, tree.Nodes); d != "" {
		t.Error(d)
	}
}

func TestGluedSpanIsOne(t *testing.T) { // acceptance case 17
	s := NewSession()
	s.Apply(PathDef{1, 0, 3})
	frame(s, 4, 0, 10, Batch{Spans: []Span{{Begin: 6, End: 10, Path: 1, Flags: SpanOpenEnd}}})
	frame(s, 5, 10, 20, Batch{Spans: []Span{{Begin: 10, End: 13, Path: 1, Flags: SpanContinues}}})
	frame(s, 6, 20, 30, Batch{Spans: []Span{{Begin: 21, End: 30, Path: 1, Flags: SpanOpenEnd}}})
	frame(s, 8, 40, 50, Batch{Spans: []Span{{Begin: 40, End: 44, Path: 1, Flags: SpanContinues}}})
	bars := s.VisibleSpans(0, 0, 0, 100, 0, nil)
	want := []Bar{
		{Begin: 6, End: 13, Path: 1, Collector: 3, Count: 1, Busy: 1},
		{Begin: 21, End: 30, Path: 1, Collector: 3, Count: 1, Busy: 1, Flags: SpanOpenEnd, Ref: SpanRef{Index: 1}},
		{Begin: 40, End: 44, Path: 1, Collector: 3, Count: 1, Busy: 1, Flags: SpanOpenBegin, Ref: SpanRef{Index: 2}},
	}
	if d := cmp.Diff(want, bars); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		at, slop, begin int64
		ok              bool
	}{{7, 0, 6, true}, {14, 0, 0, false}, {14, 1, 6, true}, {19, 3, 21, true}, {40, 0, 40, true}, {99, 10, 0, false}} {
		b, ok := s.SpanAt(0, 0, c.at, c.slop)
		if ok != c.ok || ok && b.Begin != c.begin {
			t.Errorf("SpanAt(%d, %d) = %+v, %v", c.at, c.slop, b, ok)
		}
	}
	if b, ok := s.NextSpan(0, 3, 6, 1); !ok || b.Begin != 21 {
		t.Errorf("next = %+v, %v", b, ok)
	}
	if b, ok := s.NextSpan(0, 3, 40, -1); !ok || b.Begin != 21 {
		t.Errorf("previous = %+v, %v", b, ok)
	}
	if _, ok := s.NextSpan(0, 2, 6, 1); ok {
		t.Error("found a span of a collector that has none")
	}
	if b, ok := s.SpanByRef(SpanRef{0, 0, 1}); !ok || b.Begin != 21 {
		t.Errorf("by ref = %+v, %v", b, ok)
	}
	if _, ok := s.SpanByRef(SpanRef{0, 0, 3}); ok {
		t.Error("a reference beyond the end holds")
	}
}

func TestPianoRuns(t *testing.T) {
	s := NewSession()
	define(s, CollectorDef{ID: 1, Name: "A", Sort: 1}, CollectorDef{ID: 2, Name: "B", Sort: 9})
	s.Apply(PathDef{1, 0, 1})
	s.Apply(PathDef{2, 1, 2})
	s.Apply(PathDef{3, 2, 1}) // A inside B inside A
	frame(s, 0, 0, 10, Batch{Spans: []Span{{Begin: 2, End: 10, Path: 1, Flags: SpanOpenEnd}}})
	frame(s, 1, 10, 20, Batch{Spans: []Span{
		{Begin: 10, End: 16, Path: 1, Flags: SpanContinues}, {Begin: 11, End: 13, Path: 2, Lane: 1}, {Begin: 12, End: 13, Path: 3, Lane: 2},
		{Begin: 14, End: 15, Path: 2, Lane: 1}, {Begin: 17, End: 18, Path: 1},
	}})
	want := []Run{
		{2, 11, 13, 0}, {2, 14, 15, 0},
		{1, 10, 16, SpanOpenBegin}, {1, 17, 18, 0},
	}
	if d := cmp.Diff(want, s.PianoRuns(0, 1, nil)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Run{{1, 2, 10, SpanOpenEnd}}, s.PianoRuns(0, 0, nil)); d != "" {
		t.Error(d)
	}
}

func TestNegativeAndGreatTimes(t *testing.T) {
	s := NewSession()
	frame(s, 0, 0, 12*sec, Batch{Alone: []CollectorTime{{0, 7 * sec, 1}, {1, -2 * sec, 70000}, {2, 7 * sec, 1}}})
	want := []CollectorTime{{0, 7 * sec, 1}, {1, -2 * sec, 70000}, {2, 7 * sec, 1}}
	if d := cmp.Diff(want, s.AloneTimes(0, 0, nil)); d != "" {
		t.Error(d)
	}
	st := s.CollectorStats(0, 0, false, 0, 0)
	near(t, "net of the frame", st.Mean, 12)
	near(t, "own", st.AloneMean, 7)
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
		frame(s, number, at, at+length, Batch{})
		at += length
	}
	bars := s.FrameBars(0, 0, 512, 100, nil)
	if len(bars) != 10 || bars[5].Worst != 3000 || bars[5].WorstNs != 90000 || bars[3].Missing != 10 || bars[9].Count != 5000-9*512 {
		t.Errorf("bars %+v", bars)
	}
	slow := s.SlowestFrames(0, 100, 4900, 20, nil)
	if len(slow) != 20 || slow[0] != 3000 {
		t.Fatalf("slowest %v", slow)
	}
	tr := s.Track(0)
	length := func(i int) int64 { f := tr.Frame(i); return f.End - f.Begin }
	for k := 1; k < len(slow); k++ {
		if length(slow[k]) > length(slow[k-1]) {
			t.Errorf("not in order at %d", k)
		}
	}
	longer := 0
	for i := 100; i <= 4900; i++ {
		if length(i) > length(slow[19]) {
			longer++
		}
	}
	if longer > 19 {
		t.Errorf("%d frames are longer than the last of 20", longer)
	}
}

func TestMessagesAndLocks(t *testing.T) {
	s := NewSession()
	frame(s, 1, 0, 10, Batch{Messages: []Message{{Time: 5, Text: "one"}}})
	s.Append(&Batch{Messages: []Message{{Time: 7, Text: "log"}}})
	frame(s, 2, 10, 20, Batch{Messages: []Message{{Time: 15, Text: "two"}}, Locks: []LockEvent{{Time: 12, Lock: 4, Kind: LockAcquired}}})
	s.Append(&Batch{Messages: []Message{{Time: 16, Text: "late log"}}})
	frame(s, 2, 10, 20, Batch{})
	s.Append(&Batch{HasFrame: true, Number: 2, Begin: 10, End: 20, Rewind: true, Messages: []Message{{Time: 17, Text: "two again"}}})
	var texts []string
	for _, m := range s.Track(0).Messages(5, 17, nil) {
		texts = append(texts, m.Text)
	}
	if d := cmp.Diff([]string{"one", "log", "late log", "two again"}, texts); d != "" {
		t.Error(d)
	}
	if n := len(s.Track(0).LockEvents(0, 100, nil)); n != 0 {
		t.Errorf("%d lock events after the rewind", n)
	}
	if n, _ := s.Losses(); n[LossLate] != 1 {
		t.Errorf("losses %v", n)
	}
}

func TestLooseLevels(t *testing.T) {
	s := NewSession()
	define(s, CollectorDef{ID: 1, Name: "P"}, CollectorDef{ID: 2, Name: "c", Parent: 1})
	s.Append(&Batch{Levels: []Level{{1, 10, 8}, {2, 20, 3}, {1, 30, 9}}})
	var strip Strip
	s.StripChart(StripQuery{Focus: 1, Levels: true, T0: 0, T1: 40, Columns: 4}, &strip)
	if d := cmp.Diff([]CollectorID{2, 1}, strip.Bands); d != "" {
		t.Fatal(d)
	}
	if d := cmp.Diff([]float32{0, 0, 0, 8, 3, 5, 3, 6}, strip.Values); d != "" {
		t.Error(d)
	}
	if strip.Columns[0].State != ColumnEmpty || strip.Columns[3].State != ColumnData {
		t.Errorf("columns %+v", strip.Columns)
	}
}
