package store

import (
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/spans"
)

// A span that goes on through the whole session and counts for another call path in every frame
// costs each frame no more than the one before: were all that came before looked at, this would not
// end.
func TestSpanThatMovesInEveryFrame(t *testing.T) {
	const frames = 300_000
	s := NewSession()
	for c := model.CollectorID(1); c <= 2; c++ {
		s.Apply(model.CollectorDef{ID: c, Name: "c"})
		s.Apply(model.PathDef{ID: model.PathID(c), Collector: c})
	}
	for n := range int64(frames) {
		sp := model.Span{Begin: n * 10, End: n*10 + 10, Path: model.PathID(1 + n&1), Flags: model.SpanOpenEnd}
		if n > 0 {
			sp.Flags |= model.SpanContinues | model.SpanMoves
		}
		s.Append(&model.Batch{HasFrame: true, Number: n, Begin: n * 10, End: n*10 + 10, Spans: []model.Span{sp}})
	}
	bars := s.Spans().Visible(0, 0, 0, frames*10, 1, nil)
	testkit.MustThat(t, len(bars) == 1 && bars[0].Begin == 0 && bars[0].End == frames*10, "bars %+v", bars)
	var moves []spans.Move
	moves = s.Spans().Moves(bars[0].Ref, moves)
	testkit.That(t, len(moves) == frames-1, "%d moves, want %d", len(moves), frames-1)
	var tree paths.Tree
	s.Spans().Tree([]model.TrackID{0}, 0, frames*10, &tree)
	testkit.That(t, len(tree.Nodes) == 2 && tree.Nodes[0].Self == frames*5 && tree.Nodes[1].Self == frames*5,
		"%+v", tree.Nodes)
}
