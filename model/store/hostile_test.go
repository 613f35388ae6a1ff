package store

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/messages"
	"framescope/model/spans"
)

// Values at and beyond every limit: nothing panics, nothing grows without bound, and what is sound
// beside them is kept.
func TestHostileValues(t *testing.T) {
	s := NewSession()
	for _, c := range []model.Change{
		model.CollectorDef{ID: -1}, model.CollectorDef{ID: math.MaxInt32}, model.CollectorDef{ID: 65535, Parent: 65535, Name: "last"}, model.CollectorDef{ID: 3, Parent: -9, Scale: math.NaN()},
		model.CollectorDef{ID: 0, Parent: 3}, model.TrackDef{ID: -1}, model.TrackDef{ID: math.MaxInt32}, model.TrackEnd{ID: 99}, model.TrackEnd{ID: -1},
		model.PathDef{ID: 0, Parent: 0, Collector: 0}, model.PathDef{ID: 1, Parent: 1, Collector: 1}, model.PathDef{ID: 2, Parent: 77, Collector: 1}, model.PathDef{ID: 3, Parent: 1, Collector: -5}, model.PathDef{ID: math.MaxUint32, Parent: 0, Collector: 0}, model.PathDef{ID: 1 << 20, Parent: 0, Collector: 0}, model.PathDef{ID: 1, Parent: 0, Collector: 2}, model.PathDef{ID: 9, Parent: 3, Collector: 1}, model.PathDef{ID: 6, Parent: 9, Collector: 1},
		model.Loss{Reason: 200, N: 5}, model.Loss{Reason: model.LossLate, N: -5}, model.Loss{Reason: model.LossLate, N: math.MaxInt64}, model.Loss{Reason: model.LossLate, N: 7, Track: 12345}, model.End{Reason: "over"}, model.Info{Program: "p"},
	} {
		s.Apply(c)
	}
	times := []int64{math.MinInt64, -1, 0, 1, 1 << 33, math.MaxInt64}
	number := int64(math.MinInt64)
	for _, begin := range times {
		for _, end := range times {
			b := &model.Batch{Track: 2, HasFrame: true, Number: number, Begin: begin, End: end, Rewind: begin == 1}
			for _, lane := range []uint16{0, 1, 4095, 4096, 65535} {
				b.Spans = append(b.Spans, model.Span{Begin: begin, End: end, Path: model.PathID(lane), Lane: lane, Flags: 255}, model.Span{Begin: end, End: begin, Path: 1, Lane: lane})
			}
			b.Self = []model.CollectorTime{{Collector: -1, Ns: 5, Count: 1}, {Collector: math.MaxInt32, Ns: 5, Count: 1}, {Collector: 4, Ns: math.MinInt64, Count: -5}, {Collector: 4, Ns: math.MinInt64, Count: math.MaxInt32}, {Collector: 2, Ns: math.MaxInt64, Count: 1}, {Collector: 65535, Ns: 1, Count: 1}}
			b.Levels = []model.Level{{Collector: 1, Time: begin, Value: math.NaN()}, {Collector: 1, Time: begin, Value: math.Inf(1)}, {Collector: -4, Time: 0, Value: 1}, {Collector: 70000, Time: 0, Value: 1}, {Collector: 3, Time: end, Value: math.MaxFloat64}, {Collector: 65535, Time: end, Value: -math.MaxFloat64}, {Collector: 0, Time: 0, Value: 1}}
			b.Messages = []model.Message{{Time: begin, Text: strings.Repeat("y", 70000)}}
			b.Locks = []model.LockEvent{{Time: begin, Lock: -1}, {Time: end, Lock: 65535}}
			s.Append(b)
			b.HasFrame = false
			s.Append(b)
			number = number/2 + 1
			if number > 0 {
				number = math.MaxInt64 - int64(len(b.Spans))
			}
		}
	}
	s.Append(&model.Batch{Track: -1})
	s.Append(&model.Batch{Track: math.MaxInt32, Spans: []model.Span{{}}})
	queryEverything(s)
	n, lines := s.Losses()
	testkit.That(t, n[model.LossLimit] != 0 && n[model.LossLate] == math.MaxInt64 && len(lines) != 0 && len(lines) <= 64,
		"losses %v, %d lines", n, len(lines))
	m := s.Memory().Total()
	testkit.That(t, m <= 100<<20, "%d bytes", m)
	reason, ended := s.Ended()
	testkit.That(t, ended && reason == "over" && s.Info().Program == "p", "the end or the info is lost")
	s.Apply(model.CollectorDef{ID: 1, Name: "sound", Parent: 0})
	testkit.That(t, s.Collector(1).FullName == "sound", "%+v", s.Collector(1))
}

// queryEverything asks each query with sound and with absurd arguments.
func queryEverything(s *Session) {
	times := []int64{math.MinInt64, -5, 0, 7, 1 << 40, math.MaxInt64}
	var tree spans.Tree
	var strip frames.Strip
	for _, track := range []model.TrackID{-1, 0, 1, 2, 3, math.MaxInt32} {
		for _, a := range times {
			for _, b := range times {
				for _, lane := range []int{-1, 0, 1, 4095, 5000} {
					for _, minNs := range []int64{math.MinInt64, 0, 1, 1000, math.MaxInt64} {
						s.Spans().Visible(track, lane, a, b, minNs, nil)
					}
					s.Spans().At(track, lane, a, b)
					s.Spans().ByRef(spans.Ref{Track: track, Lane: uint16(lane), Index: a})
				}
				s.Spans().Next(track, 1, a, 1)
				s.Spans().Next(track, 1, a, -1)
				s.Spans().Tree([]model.TrackID{track, 2}, a, b, &tree)
				s.Spans().Stats([]model.TrackID{track, 2, 2}, a, b, nil)
				queryRange(s, model.CollectorID(track), model.SeriesID(track), a, b)
				for mode := range frames.StripMode(3) {
					for _, levels := range []bool{false, true} {
						s.Frames().Strip(frames.StripQuery{Track: track, T0: a, T1: b, Columns: 9, Mode: mode, Levels: levels, SmoothNs: a}, &strip)
						s.Frames().Strip(frames.StripQuery{Track: track, Focus: 60000, T0: a, T1: b, Columns: -9, Mode: mode, Levels: levels}, &strip)
					}
				}
				if tr := s.Track(track); tr != nil {
					tr.Gaps(a, b, nil)
					tr.FrameAt(a)
					tr.FrameByNumber(a)
					tr.FrameRate(a)
					s.Messages().Of(track, a, b, nil)
					s.Locks().Events(tr.Def.ID, a, b, nil)
					s.Messages().Marks(track, a, b, math.MinInt64, nil)
					s.Messages().Marks(track, a, b, 1000, nil)
					s.Messages().Marks(track, a, b, math.MaxInt64, nil)
				}
			}
		}
		for _, i := range []int{math.MinInt, -1, 0, 3, math.MaxInt} {
			for _, k := range []int{math.MinInt, -1, 0, 3, math.MaxInt} {
				s.PianoRuns(track, i, nil)
				s.Frames().Self(track, i, nil)
				s.Frames().Levels(track, i, nil)
				s.Frames().OpenBands(track, i, model.CollectorID(k), 0, true, nil)
				s.Frames().OpenBands(track, i, model.CollectorID(k), 0, false, nil)
				s.Frames().Bars(track, i, k, 5, nil)
				s.Frames().Slowest(track, i, k, 5, nil)
				s.Frames().Stats(track, 3, true, i, k)
				s.Frames().AllStats(track, false, i, k, nil)
				s.Frames().AllStats(track, true, i, k, nil)
				if tr := s.Track(track); tr != nil {
					tr.Frame(i)
				}
			}
		}
	}
	s.Bounds()
	s.Memory()
	s.Collector(-5)
	s.Collectors().Children(99999)
	s.Path(math.MaxUint32)
}

// queryRange asks what has no track.
func queryRange(s *Session, lock model.CollectorID, id model.SeriesID, a, b int64) {
	s.Locks().Uses(lock, a, b, nil)
	s.Locks().Stats(a, b, nil)
	s.Locks().Arrows(a, b, nil)
	for _, n := range []int{math.MinInt, -1, 0, 3} {
		s.Messages().Find(messages.Query{T0: a, T1: b, First: n, Limit: n, MinSeverity: model.Severity(n), Text: "x", Tracks: []model.TrackID{-1, 0, math.MaxInt32}}, nil)
		if x := s.Series().ByID(id); x != nil {
			x.Bins(a, b, n, nil)
			x.Samples(a, b, n, nil)
		}
	}
	s.Messages().Index(messages.Query{T0: a, T1: b}, b)
	if x := s.Series().ByID(id); x != nil {
		x.At(a)
		x.Nearest(a, b)
		x.Stats(a, b)
	}
}

func TestHostileSeriesAndLocks(t *testing.T) {
	s := NewSession()
	for _, id := range []model.SeriesID{-1, 0, 3, 1 << 19, math.MaxInt32} {
		s.Apply(model.SeriesDef{ID: id, Min: math.NaN(), HasRange: true, Object: -9, Track: math.MaxInt32, Role: 200})
		s.Apply(model.ObjectDef{ID: model.ObjectID(id)})
		s.Apply(model.LinkDef{ID: model.LinkID(id), From: -5, To: math.MaxInt32})
		s.Apply(model.ResourceDef{ID: model.ResourceID(id)})
		s.Apply(model.RefEvent{Resource: model.ResourceID(id)})
	}
	testkit.That(t, s.Series().Len() <= 10 && len(s.Topology().Objects()) <= 10 && len(s.Topology().RefEvents(3)) == 1,
		"%d series, %d objects", s.Series().Len(), len(s.Topology().Objects()))
	times := []int64{math.MinInt64, -1, 0, 5, math.MaxInt64, 3}
	for _, track := range []model.TrackID{model.NoTrack, 0, 1, math.MaxInt32} {
		for _, at := range times {
			b := &model.Batch{Track: track}
			for _, v := range []float64{0, math.NaN(), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64} {
				b.Samples = append(b.Samples, model.Sample{Series: 0, Time: at, Value: v}, model.Sample{Series: -1, Time: at, Value: v}, model.Sample{Series: 3, Time: at, Value: v})
			}
			s.Append(b)
			for kind := range model.LockKind(9) {
				s.Append(&model.Batch{Track: track, Locks: []model.LockEvent{{Time: at, Lock: 1, Kind: kind}, {Time: at, Lock: -1, Kind: kind}, {Time: at, Lock: 2, Kind: model.LockSignal}}, Messages: []model.Message{{Time: at, Severity: model.Severity(kind) * 60, Object: "x"}}})
			}
		}
	}
	queryEverything(s)
	st := s.Series().ByID(0).Stats(math.MinInt64, math.MaxInt64)
	testkit.That(t, !math.IsInf(st.Sum, 0) && !math.IsNaN(st.StdDev) && !math.IsInf(st.StdDev, 0), "%+v", st)
}

// One span of an hour over a million short ones, zero-length spans, and a lane of overlaps.
func TestExtremeSpans(t *testing.T) {
	const hour = 3600 * sec
	s := NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 2})
	s.Append(&model.Batch{Spans: []model.Span{{Begin: 0, End: hour, Path: 1}}})
	b := &model.Batch{}
	step := hour / 1_000_000
	for i := range int64(1_000_000) {
		b.Spans = append(b.Spans, model.Span{Begin: i * step, End: i*step + i%2*step/2, Path: 2, Lane: 1}) // every second one has no length
		if len(b.Spans) == 1000 {
			s.Append(b)
			b.Spans = b.Spans[:0]
		}
	}
	var tree spans.Tree
	s.Spans().Tree([]model.TrackID{0}, hour/2, hour/2+10*step, &tree)
	testkit.That(t, len(tree.Nodes) == 2 && tree.Nodes[0].Total == 10*step && tree.Nodes[1].Total == 5*(step/2) &&
		tree.Nodes[1].Count == 10, "%+v", tree.Nodes)
	bars := s.Spans().Visible(0, 1, 0, hour, hour/100, nil)
	var count int64
	for _, bar := range bars {
		count += int64(bar.Count)
		testkit.MustThat(t, math.Abs(float64(bar.Busy)-0.25) <= 0.01, "%+v", bar)
	}
	testkit.That(t, count == 1_000_000 && len(bars) >= 99 && len(bars) <= 102, "%d bars of %d spans", len(bars), count)
	over := &model.Batch{Track: 1}
	for i := range int64(100_000) {
		over.Spans = append(over.Spans, model.Span{Begin: i, End: i + 1000, Path: 1})
	}
	s.Append(over)
	last := int64(math.MinInt64)
	for _, bar := range s.Spans().Visible(1, 0, math.MinInt64, math.MaxInt64, 0, nil) {
		testkit.MustThat(t, bar.Begin >= last, "bars overlap")
		last = bar.End
	}
	n, _ := s.Losses()
	testkit.That(t, n[model.LossLimit] == 99_999, "%d overlaps told", n[model.LossLimit])
}

// Values that are too great to be summed up are cut, and counted.
func TestTooGreatValues(t *testing.T) {
	s := NewSession()
	s.Apply(model.SeriesDef{ID: 0, Name: "x", Track: model.NoTrack})
	b := model.Batch{Track: model.NoTrack}
	for i, v := range []float64{1, 1e140, 1e300, -1e300, math.Inf(1), math.NaN()} {
		b.Samples = append(b.Samples, model.Sample{Series: 0, Time: int64(i), Value: v})
	}
	s.Append(&b)
	lost, lines := s.Losses()
	testkit.That(t, lost[model.LossLimit] == 2, "%d are told: %q", lost[model.LossLimit], lines)
}

// A hierarchy of names may be as deep as PStats has collectors: what is charged to the deepest is in
// the net of every one above, of times and of levels, and in the band of the first. The other
// collectors hang below the deepest, so that a walk from each to the root would be 2^28 steps.
func TestDeepestNames(t *testing.T) {
	const all, depth = 32767, 16383
	s := NewSession()
	parent := func(id int) model.CollectorID { return model.CollectorID(min(id-1, depth)) }
	for id := 1; id < all; id++ {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: "d", Parent: parent(id)})
	}
	s.Apply(model.CollectorDef{ID: 1, Name: "first", Unit: "KB"})
	b := model.Batch{HasFrame: true, End: 1e9}
	for id := depth + 1; id < all; id++ {
		b.Self = append(b.Self, model.CollectorTime{Collector: model.CollectorID(id), Ns: 10, Count: 1})
		b.Levels = append(b.Levels, model.Level{Collector: model.CollectorID(id), Value: 2})
	}
	s.Append(&b)
	leaves := float64(all - 1 - depth)
	for _, fig := range []frames.Figure{frames.FigureNet, frames.FigureLevel} {
		each := map[frames.Figure]float64{frames.FigureNet: 10e-9, frames.FigureLevel: 2}[fig]
		stats := s.Frames().ExactStats(0, fig, 0, 0, nil)
		for _, st := range stats {
			want := each * leaves
			if st.Collector > depth {
				want = each
			}
			if d := st.Sum - want; d > 1e-12 || d < -1e-12 {
				t.Fatalf("figure %v: the net of %d is %v, not %v", fig, st.Collector, st.Sum, want)
			}
		}
		testkit.That(t, len(stats) >= all-1, "figure %v: %d collectors", fig, len(stats))
	}
	for _, levels := range []bool{false, true} {
		want := map[bool]float64{false: 10e-9, true: 2}[levels] * leaves
		if st := s.Frames().Stats(0, 1, levels, 0, 0); st.Sum-want > 1e-12 || want-st.Sum > 1e-12 {
			t.Errorf("levels %v: the net of the first is %v, not %v", levels, st.Sum, want)
		}
	}
	deepest := s.Collector(depth)
	testkit.That(t, deepest.Parent == depth-1 && deepest.Top == 1 && deepest.UnitHere == "KB" &&
		s.Collector(1).Parent == 0, "%+v", deepest)
}

// Tables are as large as what was defined, however far apart the ids are.
func TestFarIdsTakeLittle(t *testing.T) {
	for name, fill := range map[string]func(s *Session){
		"a collector": func(s *Session) { s.Apply(model.CollectorDef{ID: 31_000, Name: "far", Parent: 65_535}) },
		"a path":      func(s *Session) { s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 65_000}) },
		"a time": func(s *Session) {
			s.Append(&model.Batch{HasFrame: true, End: 5, Self: []model.CollectorTime{{Collector: 65_535, Ns: 1, Count: 1}}})
		},
		"a level": func(s *Session) {
			s.Append(&model.Batch{Levels: []model.Level{{Collector: 65_535, Time: 1, Value: 1}}})
		},
		"a lock": func(s *Session) {
			s.Append(&model.Batch{Locks: []model.LockEvent{{Time: 1, Lock: 65_535, Kind: model.LockTry}}})
		},
		"a track":           func(s *Session) { s.Apply(model.TrackDef{ID: 65_000}) },
		"a series":          func(s *Session) { s.Apply(model.SeriesDef{ID: 900_000}) },
		"an object":         func(s *Session) { s.Apply(model.ObjectDef{ID: 900_000}) },
		"a path far away":   func(s *Session) { s.Apply(model.PathDef{ID: 1 << 21, Parent: 0, Collector: 1}) },
		"a batch far away":  func(s *Session) { s.Append(&model.Batch{Track: 65_000, Spans: []model.Span{{}}}) },
		"a span in a depth": func(s *Session) { s.Append(&model.Batch{Spans: []model.Span{{Lane: spans.MaxLanes - 1}}}) },
	} {
		s := NewSession()
		before := s.Memory().Total()
		fill(s)
		var tree spans.Tree
		s.Spans().Tree([]model.TrackID{0}, 0, 10, &tree)
		s.Spans().Stats([]model.TrackID{0}, 0, 10, nil)
		s.Frames().AllStats(0, false, 0, 10, nil)
		s.Collector(5)
		s.Collectors().Children(0)
		took := s.Memory().Total() - before
		testkit.That(t, took <= 64<<10, "%s takes %d bytes", name, took)
	}
	s := NewSession()
	s.Apply(model.CollectorDef{ID: 31_000, Name: "far", Parent: 20_000, Sort: 3})
	s.Apply(model.CollectorDef{ID: 20_000, Name: "up", Parent: 0})
	if c := s.Collector(31_000); c.FullName != "up:far" || c.Parent != 20_000 || s.Collectors().Len() != 31_001 {
		t.Errorf("%+v of %d", c, s.Collectors().Len())
	}
	c := s.Collector(17)
	testkit.That(t, c.Name == "#17" && !c.Defined, "%+v", c)
	if kids := s.Collectors().Children(0); len(kids) != 1 || kids[0] != 20_000 || !s.Collectors().IsDescendant(31_000, 20_000) || s.Collectors().IsDescendant(20_000, 31_000) {
		t.Errorf("children %v", kids)
	}
}

// longestSession has a lane of n calls of three collectors with a callee in each, without frames.
func longestSession(n int) *Session {
	s := NewSession()
	rng := rand.New(rand.NewPCG(3, 5))
	s.Apply(model.TrackDef{ID: 0, Name: "worker"})
	for c := range model.CollectorID(4) {
		s.Apply(model.CollectorDef{ID: c, Name: string(rune('a' + c))})
	}
	for c := range model.PathID(3) {
		s.Apply(model.PathDef{ID: 1 + c, Collector: model.CollectorID(c)})
		s.Apply(model.PathDef{ID: 4 + c, Parent: 1 + c, Collector: 3})
	}
	at := int64(1000)
	var b model.Batch
	for i := range n {
		d := 10 + rng.Int64N(1000)
		if i%997 == 0 {
			d *= 20
		}
		p := model.PathID(1 + rng.IntN(3))
		b.Spans = append(b.Spans, model.Span{Begin: at, End: at + d, Path: p}, model.Span{Begin: at + d/4, End: at + d/2, Path: p + 3, Lane: 1})
		at += d + rng.Int64N(50)
		if len(b.Spans) >= 400 || i == n-1 {
			s.Append(&b)
			b.Reset()
		}
	}
	return s
}

func TestLongestSpansAreThoseOfAPlainScan(t *testing.T) {
	s := longestSession(20_000)
	b, e, _ := s.Bounds()
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 40 {
		c, row := model.CollectorID(rng.IntN(5))-1, rng.IntN(4)-1
		t0 := b + rng.Int64N(e-b)
		t1 := t0 + 1 + rng.Int64N(e-t0)
		if i%4 == 0 {
			t0, t1 = b, e+1
		}
		n := 1 + rng.IntN(30)
		var want []spans.Bar
		for k := range s.Track(0).Lanes() {
			if row >= 0 && k != row {
				continue
			}
			for at, end := s.Spans().Kept(0, k); at < end; at++ {
				b, _ := s.Spans().ByRef(spans.Ref{Lane: uint16(k), Index: at})
				if b.End > t0 && b.Begin < t1 && (c == model.NoCollector || b.Collector == c) {
					want = append(want, b)
				}
			}
		}
		slices.SortFunc(want, func(a, b spans.Bar) int { // the longest first, of equals the earliest, then the outermost
			return cmp.Or(cmp.Compare(b.End-b.Begin, a.End-a.Begin), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Ref.Lane, b.Ref.Lane))
		})
		want = want[:min(len(want), n)]
		got := s.Spans().Longest(0, c, row, t0, t1, n, nil)
		testkit.MustEqual(t, len(got), len(want), "collector %d in [%d, %d): spans", c, t0, t1)
		for k, g := range got {
			w := want[k]
			testkit.MustThat(t, g.End-g.Begin == w.End-w.Begin && g.Begin == w.Begin && g.Ref.Lane == w.Ref.Lane,
				"collector %d in [%d, %d): number %d is %+v, want %+v", c, t0, t1, k, g, w)
		}
	}
}

// Once the blocks are made, the work does not grow with the session.
func TestLongestSpansAreCheap(t *testing.T) {
	for _, n := range []int{50_000, 400_000} {
		s := longestSession(n)
		for s.Spans().PrepareStats(0, 1<<20) {
		}
		b, e, _ := s.Bounds()
		s.Spans().Longest(0, 2, -1, b, e+1, 24, nil) // makes the levels above
		s.Spans().Longest(0, 2, -1, b, e+1, 24, nil)
		visited := s.Spans().Visited()
		testkit.That(t, visited <= 24*2*columns.FlameMaxBlock, "%d spans: %d looked at", n, visited)
	}
}

func TestLongestSpansOfNothing(t *testing.T) {
	s := longestSession(10)
	for _, got := range [][]spans.Bar{
		s.Spans().Longest(5, 0, -1, 0, 1e9, 3, nil), s.Spans().Longest(0, 0, -1, 9, 9, 3, nil), s.Spans().Longest(0, 0, -1, 0, 1e9, 0, nil), s.Spans().Longest(0, 99, -1, 0, 1e9, 3, nil),
		s.Spans().Longest(0, 0, -1, 1<<60, 1<<61, 3, nil),
	} {
		testkit.Equal(t, len(got), 0, "spans out of nothing: %v", got)
	}
}
