package store_test

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/store"
)

// The total of frames is of what ran in them: not of what ran between two of them. What follows at
// once is one stretch, and a span that goes on through several frames has its part in each.
func TestFrameTotalsLeaveOutWhatRanBetween(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 1})
	frames := [][2]int64{{0, 100}, {100, 200}, {300, 400}, {450, 500}}
	spans := [][2]int64{{10, 20}, {90, 120}, {190, 330}, {420, 440}, {460, 470}}
	for i, f := range frames {
		b := model.Batch{HasFrame: true, Number: int64(i), Begin: f[0], End: f[1]}
		for _, x := range spans {
			if x[0] >= f[0] && (i+1 == len(frames) || x[0] < frames[i+1][0]) {
				b.Spans = append(b.Spans, model.Span{Begin: x[0], End: x[1], Path: 1})
			}
		}
		s.Append(&b)
	}
	var tree paths.Tree
	for _, c := range []struct {
		first, last int
		total       int64
	}{{0, 0, 20}, {0, 1, 10 + 30 + 10}, {0, 3, 10 + 30 + 10 + 30 + 10}, {2, 3, 30 + 10}, {3, 3, 10}} {
		got := s.FrameTotals(0, c.first, c.last, &tree, nil)
		testkit.That(t, len(got) == 1 && got[0].Total == c.total && got[0].Self == c.total,
			"frames %d to %d: %+v, want a total of %d", c.first, c.last, got, c.total)
	}
}
