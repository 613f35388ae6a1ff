package store

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/spans"
)

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
