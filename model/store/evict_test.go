package store

import (
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
)

// One lane and frames in order are enough: what a node stands over leaves long before the node
// above it is made.
func TestOneLaneLeavesAgainAndAgain(t *testing.T) {
	st := &Store{MemoryLimit: 1 << 20}
	s := st.NewSession()
	for p := range model.PathID(40) {
		s.Apply(model.PathDef{ID: p + 1, Parent: p / 2, Collector: model.CollectorID(p % 12)})
	}
	b := &model.Batch{HasFrame: true}
	for k := range int64(100) {
		b.Spans = append(b.Spans, model.Span{Path: model.PathID(1 + k%40)})
	}
	spans := 6_000_000
	if testing.Short() {
		spans = 1_000_000
	}
	now := int64(0)
	for n := range int64(spans / len(b.Spans)) {
		b.Number, b.Begin = n, now
		for k := range b.Spans {
			b.Spans[k].Begin, b.Spans[k].End = now, now+80
			now += 100
		}
		b.End = now
		s.Append(b)
		if n%30 == 0 {
			st.EnforceLimit(time.Time{})
		}
	}
	tr := s.Track(0)
	lo, hi, _ := tr.Bounds()
	var tree paths.Tree
	s.Spans().Tree([]model.TrackID{0}, lo, hi, &tree)
	var count int64
	for _, n := range tree.Nodes {
		count += n.Count
	}
	testkit.That(t, count == tr.NumSpans() && tr.NumSpans() == int64(tr.NumFrames())*100 && tr.NumFrames() >= 100,
		"%d spans in the tree, %d stored, %d frames", count, tr.NumSpans(), tr.NumFrames())
}

// A lane that is seldom used has lost all but its newest frame when that frame comes again.
func TestRewindOfAllThatIsLeftOfALane(t *testing.T) {
	st := &Store{MemoryLimit: 1 << 20}
	s := st.NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	frame := func(n int64, both, rewind bool) {
		b := &model.Batch{HasFrame: true, Number: n, Begin: n * 1000, End: n*1000 + 1000, Rewind: rewind}
		b.Spans = append(b.Spans, model.Span{Begin: n * 1000, End: n*1000 + 900, Path: 1})
		if both {
			b.Spans = append(b.Spans, model.Span{Begin: n * 1000, End: n*1000 + 500, Path: 1, Lane: 1})
		}
		s.Append(b)
	}
	n := int64(0)
	for ; n < 2048; n++ {
		frame(n, true, false)
	}
	for ; n < 398_000; n++ {
		frame(n, false, false)
		if n%1000 == 0 {
			st.EnforceLimit(time.Time{})
		}
	}
	again := n
	frame(n, true, false)
	for range 200 {
		n++
		frame(n, false, false)
	}
	st.EnforceLimit(time.Time{})
	frame(again, true, true)
	bars := s.Spans().Visible(0, 1, again*1000, again*1000+999, 0, nil)
	if len(bars) != 1 || bars[0].Begin != again*1000 || bars[0].End != again*1000+500 || s.Track(0).Frame(s.Track(0).NumFrames()-1).Number != again {
		t.Errorf("%+v", bars)
	}
}
