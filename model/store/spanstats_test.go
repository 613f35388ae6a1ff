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
	"framescope/model/paths"
	"framescope/model/spans"
)

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
	var tree paths.Tree
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
		var tracks []model.TrackID
		for id := range plain {
			if id == 0 || rapid.Bool().Draw(rt, "use track") {
				tracks = append(tracks, model.TrackID(id))
			}
		}
		for range 4 {
			t0, t1 := someTime(rt, plain[0], "t0"), someTime(rt, plain[0], "t1")
			t0, t1 = min(t0, t1), max(t0, t1)
			if d := gocmp.Diff(plainSpanStats(s, tracks, t0, t1), s.Spans().Stats(tracks, t0, t1, nil)); d != "" {
				rt.Fatalf("%d…%d: %s", t0, t1, d)
			}
		}
	})
}

// TestSpanStatsOfLongSessions goes through blocks, rewinds and eviction, and counts the work.
func TestSpanStatsOfLongSessions(t *testing.T) {
	st := &Store{MemoryLimit: 3 << 20}
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
			if d := gocmp.Diff(plainSpanStats(s, []model.TrackID{0}, t0, t1), s.Spans().Stats([]model.TrackID{0}, t0, t1, nil)); d != "" {
				t.Fatalf("%d…%d: %s", t0, t1, d)
			}
		}
	}
	for i := range 4000 {
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
	if a := testing.AllocsPerRun(10, func() { out = s.Spans().Stats([]model.TrackID{0}, begin+1, end-1, out[:0]) }); a != 0 {
		t.Errorf("%v allocations", a)
	}
}

func BenchmarkSpanStats(b *testing.B) {
	s := benchSession(2_000_000, 4)
	begin, end, _ := s.Bounds()
	var out []spans.Stat
	tracks := []model.TrackID{0, 1, 2, 3}
	before, then := s.Memory().Total(), time.Now()
	s.Spans().Stats(tracks, begin, end, nil)
	b.Logf("the first question: %v, %.2f bytes a span", time.Since(then), float64(s.Memory().Total()-before)/2e6)
	b.ReportAllocs()
	for b.Loop() {
		out = s.Spans().Stats(tracks, begin+777, end-777, out[:0])
	}
}
