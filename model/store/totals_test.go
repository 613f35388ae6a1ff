package store

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/measure"
	"framescope/model/spans"
)

// checkExactTotals compares statistics of times with callees with those of the call tree of each frame.
func checkExactTotals(t failer, s *Session, track model.TrackID, first, last int) {
	t.Helper()
	var tree spans.Tree
	values := map[model.CollectorID][]int64{}
	present := map[model.CollectorID]int64{}
	var at []int
	for i := first; i <= last; i++ {
		if !s.Track(track).Stopped(i) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		for i := first; i <= last; i++ {
			at = append(at, i)
		}
	}
	n := len(at)
	for i := range n {
		for _, x := range s.FrameTotals(track, at[i], at[i], &tree, nil) {
			if values[x.Collector] == nil {
				values[x.Collector] = make([]int64, n)
			}
			values[x.Collector][i] = x.Total
			present[x.Collector]++
		}
	}
	var want []frames.Stats
	for c, v := range values {
		sorted, sum := slices.Sorted(slices.Values(v)), 0.0
		for _, ns := range v {
			sum += float64(ns)
		}
		rank := func(k int64) float64 { return float64(sorted[k]) / 1e9 }
		low, high := measure.Middle(int64(n))
		want = append(want, frames.Stats{
			Collector: c, Frames: int64(n), Present: present[c], Sum: sum / 1e9, Mean: sum / 1e9 / float64(n),
			Min: rank(0), Max: rank(int64(n) - 1), MaxFrame: s.Track(track).FrameNumber(at[slices.Index(v, sorted[n-1])]),
			Median: (rank(low) + rank(high)) / 2, P95: rank(measure.Rank(int64(n), 95)), P99: rank(measure.Rank(int64(n), 99)),
		})
	}
	slices.SortFunc(want, func(a, b frames.Stats) int { return int(a.Collector - b.Collector) })
	if got := s.Frames().ExactStats(track, frames.FigureTotal, first, last, nil); !slices.Equal(got, want) {
		t.Fatalf("track %d, frames %d to %d of %d:\n%+v\nwant\n%+v", track, first, last, s.Track(track).NumFrames(), got, want)
	}
}

// What collectors took in each of many frames is what the call trees of these frames say, whether they
// overlap, came late or go on into each other; and several questions at once are answered like one
// after the other.
func TestTotalsOfFramesAreThoseOfTheirTrees(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := jumpingSession(rt)
		var asks []frames.Ask
		for id, p := range plain {
			for range 4 {
				i := rapid.IntRange(0, len(p.frames)-1).Draw(rt, "frame")
				k := rapid.IntRange(i, len(p.frames)-1).Draw(rt, "last")
				checkExactTotals(rt, s, model.TrackID(id), i, k)
				for fig := range frames.FigureLevel + 1 {
					asks = append(asks, frames.Ask{Track: model.TrackID(id), Figure: fig, First: i, Last: k})
				}
			}
		}
		for i, got := range s.Frames().ExactStatsOf(asks...) {
			a := asks[i]
			testkit.MustThat(rt, slices.Equal(got, s.Frames().ExactStats(a.Track, a.Figure, a.First, a.Last, nil)),
				"%+v: %+v", a, got)
		}
	})
}

// A frame in which every span has a call path of its own is looked at in fewer frames at a time.
func TestTotalsOfManyPaths(t *testing.T) {
	const count, each = 70, 9000
	s := NewSession()
	for c := range model.CollectorID(50) {
		s.Apply(model.CollectorDef{ID: c, Name: "c"})
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for p := model.PathID(1); p <= 5*each; p++ {
		s.Apply(model.PathDef{ID: p, Parent: model.PathID(rng.IntN(2)) * (p / 3), Collector: model.CollectorID(rng.IntN(50))})
	}
	for n := range int64(count) {
		b := &model.Batch{HasFrame: true, Number: n, Begin: n * 1e8, End: (n + 1) * 1e8}
		at := b.Begin
		for k := range map[bool]int{true: each, false: 5}[n == 10 || n == 66] {
			b.Spans = append(b.Spans, model.Span{Begin: at, End: at + rng.Int64N(10000), Path: model.PathID(1 + (n+int64(k))%(5*each))})
			at += 10000
		}
		s.Append(b)
	}
	checkExactTotals(t, s, 0, 0, count-1)
}

// Each span is read once for all frames, each value a few times, and what is worked in does not grow
// with the frames but for the values.
func TestWorkOfExactStats(t *testing.T) {
	const count, each = 5000, 40
	s := NewSession()
	for c := range model.CollectorID(4) {
		s.Apply(model.CollectorDef{ID: c, Name: "c", Parent: max(c-1, 0)})
		s.Apply(model.PathDef{ID: model.PathID(c) + 1, Parent: model.PathID(c), Collector: c})
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for n := range int64(count) {
		b := &model.Batch{HasFrame: true, Number: n, Begin: n * 1e7, End: (n + 1) * 1e7}
		for k := range int64(each) {
			lane := min(k, 3)
			from := b.Begin + max(k-3, 0)*1e5
			b.Spans = append(b.Spans, model.Span{Begin: from, End: from + rng.Int64N(1e5), Path: model.PathID(lane) + 1, Lane: uint16(lane)})
		}
		s.Append(b)
	}
	s.Frames().ExactStats(0, frames.FigureTotal, 0, count-1, nil)
	got := s.Frames().Visited()
	testkit.That(t, got <= count*each+4*4*count,
		"%d spans and values read, of %d spans and %d values", got, count*each, 4*count)
	allocated := func(last int) float64 {
		return testing.AllocsPerRun(3, func() { s.Frames().ExactStats(0, frames.FigureTotal, 0, last, nil) })
	}
	few, many := allocated(99), allocated(count-1)
	testkit.That(t, many <= few+20, "%v allocations for %d frames, %v for 100", many, count, few)
}

// plainSpanStats looks at every span.
func plainSpanStats(s *Session, tracks []model.TrackID, t0, t1 int64) (out []spans.Stat) {
	of := map[model.CollectorID]*spans.Stat{}
	sum := map[model.CollectorID]int64{}
	for k, id := range tracks {
		if slices.Contains(tracks[:k], id) || s.Track(id) == nil || t0 >= t1 {
			continue
		}
		for n := range s.Track(id).Lanes() {
			for i, stop := s.Spans().Kept(id, n); i < stop; i++ {
				b, _ := s.Spans().ByRef(spans.Ref{Track: id, Lane: uint16(n), Index: i})
				begin, end, c := b.Begin, b.End, b.Collector
				if begin >= t1 || begin < t0 && end <= t0 {
					continue
				}
				if c == model.NoCollector {
					continue
				}
				st := of[c]
				if st == nil {
					st = &spans.Stat{Collector: c, MinNs: end - begin, MaxNs: -1}
					of[c] = st
				}
				st.Calls++
				sum[c] += end - begin
				st.MinNs = min(st.MinNs, end-begin)
				if end-begin > st.MaxNs {
					st.MaxNs, st.Longest = end-begin, spans.Ref{Track: id, Lane: uint16(n), Index: i}
				}
			}
		}
	}
	var tree spans.Tree
	s.Spans().Tree(tracks, t0, t1, &tree)
	for _, node := range tree.Nodes {
		st := of[node.Collector]
		if st == nil {
			continue
		}
		st.SelfNs += node.Self
		outermost := true
		for p := node.Parent; p >= 0; p = tree.Nodes[p].Parent {
			outermost = outermost && tree.Nodes[p].Collector != node.Collector
		}
		if outermost {
			st.TotalNs += node.Total
		}
	}
	for c, st := range of {
		st.MeanNs = float64(sum[c]) / float64(st.Calls)
		out = append(out, *st)
	}
	slices.SortFunc(out, func(a, b spans.Stat) int { return cmp.Compare(a.Collector, b.Collector) })
	return out
}

func TestSpanStatsEqualPlainScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSession(rt)
		tracks := someTracks(rt, len(plain))
		for range 4 {
			t0, t1 := someRange(rt, plain[0])
			d := gocmp.Diff(plainSpanStats(s, tracks, t0, t1), s.Spans().Stats(tracks, t0, t1, nil))
			testkit.MustThat(rt, d == "", "%d…%d: %s", t0, t1, d)
		}
	})
}

// TestSpanStatsOfLongSessions goes through blocks, rewinds and eviction, and counts the work.
func TestSpanStatsOfLongSessions(t *testing.T) {
	st := &Store{MemoryLimit: 3 << 19}
	s := st.NewSession()
	rng := rand.New(rand.NewPCG(3, 4))
	g := newGame(rng, s, 30, 100, 6)
	g.spansPerFrame = 60
	var list []*model.Batch
	check := func() {
		t.Helper()
		begin, end, _ := s.Bounds()
		for range 3 {
			t0, t1 := begin+rng.Int64N(end-begin), begin+rng.Int64N(end-begin)
			t0, t1 = min(t0, t1), max(t0, t1)
			want := plainSpanStats(s, []model.TrackID{0}, t0, t1)
			testkit.MustSame(t, s.Spans().Stats([]model.TrackID{0}, t0, t1, nil), want, "%d…%d", t0, t1)
		}
	}
	for i := range testkit.Rounds(2000, 4000) {
		b := g.frame()
		s.Append(b)
		list = append(list, b)
		if i%500 == 499 {
			check()
			for k, b := range list[len(list)-100:] { // the newest again
				c := *b
				c.Rewind = k == 0
				s.Append(&c)
			}
			check()
		}
		st.EnforceLimit(time.Time{})
	}
	s.Spans().Stats([]model.TrackID{0}, 0, g.now, nil)
	testkit.That(t, !s.Spans().PrepareStats(0, 0), "after a question for all of it there is more to make ready")
	for range 100 { // new spans, made ready in small steps
		s.Append(g.frame())
	}
	steps := 0
	for s.Spans().PrepareStats(0, 300) {
		steps++
		testkit.MustThat(t, steps <= 100, "never ready")
	}
	testkit.That(t, steps != 0, "new spans were ready")
	check()
	testkit.MustThat(t, s.Track(0).Evicted() != 0, "nothing was evicted")
	begin, end, _ := s.Bounds()
	out := s.Spans().Stats([]model.TrackID{0}, begin+1, end-1, nil)
	n, visited := s.Track(0).NumSpans(), s.Spans().Visited()
	testkit.That(t, visited <= n/4, "%d steps for %d collectors of %d spans", visited, len(out), n)
	a := testing.AllocsPerRun(10, func() { out = s.Spans().Stats([]model.TrackID{0}, begin+1, end-1, out[:0]) })
	testkit.That(t, a == 0, "%v allocations", a)
}
