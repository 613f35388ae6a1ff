package store

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

// plainCalls finds the calls of wanted collectors span by span, the longest first.
func plainCalls(s *Session, plain []*plainTrack, wanted []bool, t0, t1, minNs int64) (out []int64) {
	hit := func(p model.PathID) bool {
		row := s.paths.Rows()[p]
		if row.Collector < 0 || !wanted[row.Collector] {
			return false
		}
		for up := row.Parent; up != model.PathRoot; up = s.paths.Rows()[up].Parent {
			if c := s.paths.Rows()[up].Collector; c >= 0 && wanted[c] {
				return false
			}
		}
		return true
	}
	for _, t := range plain {
		for _, spans := range t.lanes {
			for i, x := range spans {
				in := x.begin >= t0 && x.begin < t1 || x.begin < t0 && x.end > t0 && t0 < t1 && (i+1 == len(spans) || spans[i+1].begin >= t0)
				if in && hit(x.path) && x.end-x.begin >= minNs {
					out = append(out, x.end-x.begin)
				}
			}
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

func TestCallSearchEqualsAPlainScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSession(rt)
		wanted := make([]bool, s.Collectors().Len())
		for i := range wanted {
			wanted[i] = rapid.IntRange(0, 3).Draw(rt, "wanted") == 0
		}
		var tracks []model.TrackID
		for id := range plain {
			tracks = append(tracks, model.TrackID(id))
		}
		t0, t1 := someTime(rt, plain[0], "t0"), someTime(rt, plain[0], "t1")
		if rapid.Bool().Draw(rt, "all") {
			t0, t1 = math.MinInt64, math.MaxInt64
		}
		q := spans.CallQuery{Tracks: append(tracks, tracks[0]), T0: t0, T1: t1, Wanted: wanted, MinNs: rapid.Int64Range(0, 5000).Draw(rt, "min"), Limit: rapid.SampledFrom([]int{0, 1, 7, 100}).Draw(rt, "limit")}
		want := plainCalls(s, plain, wanted, t0, t1, q.MinNs)
		var c spans.CallSearch
		c.Start(s.Spans(), q)
		work := rapid.SampledFrom([]int64{1, 50, 3000, 1 << 40}).Draw(rt, "work")
		for last := 0.0; !c.Step(work); {
			p := c.Progress()
			testkit.MustThat(rt, p >= last && p <= 1, "progress went from %v to %v", last, p)
			last = p
		}
		limit := q.Limit
		if limit == 0 {
			limit = 2000
		}
		if more := len(want) > limit; c.More && !more || len(c.Calls()) != min(len(want), limit) {
			rt.Fatalf("%d calls, more %v; want %d of %d", len(c.Calls()), c.More, min(len(want), limit), len(want))
		}
		for i, x := range c.Calls() {
			testkit.MustEqual(rt, x.Ns, want[i], "call %d takes", i)
			bar, ok := s.Spans().ByRef(x.Ref)
			testkit.MustThat(rt, ok && bar.Begin == x.Begin && bar.Path == x.Path && x.SelfNs >= 0 && x.SelfNs <= x.Ns,
				"call %d: %+v is %+v", i, x, bar)
			stack := c.PrimaryStack(x.Stack)
			testkit.MustThat(rt, len(stack) != 0 && s.paths.Rows()[stack[0]].Collector == x.Collector,
				"call %d: primary stack %v", i, stack)
		}
		testkit.MustEqual(rt, c.Progress(), 1, "progress … at the end")
	})
}

// The longest calls of a great session are found without looking at most of its spans.
func TestCallSearchPassesBlocksOver(t *testing.T) {
	s := NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "All"})
	for p := 1; p <= 3; p++ {
		s.Apply(model.PathDef{ID: model.PathID(p), Parent: 0, Collector: model.CollectorID(p)})
	}
	const n = 400_000
	for i := 0; i < n; i += 1000 {
		b := model.Batch{}
		for k := i; k < i+1000; k++ {
			x := model.Span{Begin: int64(k) * 1000, End: int64(k)*1000 + 500, Path: 1}
			if k%50_000 == 49_999 {
				x.Path, x.End = 2, x.Begin+900+int64(k/50_000)
			}
			b.Spans = append(b.Spans, x)
		}
		s.Append(&b)
	}
	var c spans.CallSearch
	c.Start(s.Spans(), spans.CallQuery{Tracks: []model.TrackID{0}, T0: math.MinInt64, T1: math.MaxInt64, Wanted: []bool{false, false, true}})
	c.Step(1 << 40)
	testkit.That(t, len(c.Calls()) == 8 && c.Calls()[0].Ns == 907 && !c.More,
		"%d calls, %+v", len(c.Calls()), c.Calls())
	testkit.That(t, c.Visited <= n/20, "%d steps for %d spans", c.Visited, n)
	t.Logf("%d steps for %d spans", c.Visited, n)
	// Of very many the longest, with bounded memory.
	c.Start(s.Spans(), spans.CallQuery{Tracks: []model.TrackID{0}, T0: math.MinInt64, T1: math.MaxInt64, Wanted: []bool{false, true}, Limit: 10})
	c.Step(1 << 40)
	testkit.That(t, len(c.Calls()) == 10 && c.More, "%d calls, more %v", len(c.Calls()), c.More)
}
