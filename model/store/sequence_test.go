package store

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/spans"
)

// checkFrames compares the call trees of the frames [first, last] of a track with those of the
// plain store, where they are at skip later.
func checkFrames(t failer, s *Session, id model.TrackID, p *plainTrack, first, last, skip int) {
	t.Helper()
	var tree spans.Tree
	total, count := map[model.PathID]int64{}, map[model.PathID]int64{}
	add := func(path model.PathID, ns, n int64) {
		if path != model.PathRoot {
			total[path] += ns
			count[path] += n
		}
	}
	left := func(lane, span int) bool {
		first, _ := s.Spans().Kept(id, lane)
		return int64(span) < first && p.began[lane][span] < skip
	}
	for i := first; i <= last; i++ {
		p.inFrame(i+skip, left, add)
	}
	if first < last {
		count = nil // one stretch of frames counts once what goes on through them
	}
	s.FrameTree([]model.TrackID{id}, id, first, last, &tree)
	checkTree(t, s, total, count, &tree)
}

// The total of a frame is of what came with it, also where frames overlap, where a clock goes back
// and where frames come late.
func TestFramesThatOverlapEqualPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSessions(rt, true)()
		for id, p := range plain {
			for range 6 {
				i := rapid.IntRange(0, len(p.frames)-1).Draw(rt, "frame")
				checkFrames(rt, s, model.TrackID(id), p, i, i, 0)
				k := rapid.IntRange(i, len(p.frames)-1).Draw(rt, "last")
				checkFrames(rt, s, model.TrackID(id), p, i, k, 0)
			}
		}
	})
}

// What ran in a span is what came with the same frames: the spans in it that count below it.
func TestSpanTreesOfFramesThatOverlap(t *testing.T) {
	var tree spans.Tree
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSessions(rt, true)()
		p := plain[0]
		var refs []spans.Ref
		for lane := range s.Track(0).Lanes() {
			for i := range p.lanes[lane] {
				refs = append(refs, spans.Ref{Lane: uint16(lane), Index: int64(i)})
			}
		}
		for range min(len(refs), 8) {
			r := rapid.SampledFrom(refs).Draw(rt, "span")
			sp := p.lanes[int(r.Lane)][r.Index]
			total := map[model.PathID]int64{}
			for _, added := range p.added {
				x := added[[2]int{int(r.Lane), int(r.Index)}]
				if x == nil {
					continue
				}
				for key, y := range added {
					from, to := max(x.from, y.from), min(x.to, y.to)
					if to > from && sp.end > sp.begin {
						p.lanes[key[0]][key[1]].split(from, to, func(path model.PathID, ns, _ int64) { total[path] += ns })
					}
				}
			}
			s.Spans().SpanTree(r, sp.begin, sp.end, &tree)
			tree.Nodes = slices.DeleteFunc(tree.Nodes, func(n spans.Node) bool { return n.Total == 0 })
			checkTotals(rt, s, total, &tree)
			if b, ok := s.Spans().Caller(r); ok {
				up, _ := s.Path(sp.path)
				if caller := p.lanes[int(b.Ref.Lane)][b.Ref.Index]; caller.begin > sp.begin || caller.end < sp.begin || up == model.PathRoot || int(b.Ref.Lane) >= int(r.Lane) {
					rt.Fatalf("the caller of %+v is %+v", sp, caller)
				}
			}
			k, i := p.began[int(r.Lane)][r.Index], s.Track(0).FrameOf(r, sp.begin)
			some := p.added[p.sequence[k]][[2]int{int(r.Lane), int(r.Index)}].to > sp.begin
			testkit.MustThat(rt, !some || i < 0 || p.sequence[i] == p.sequence[k],
				"span %+v is of frame %d, not %d", sp, k, i)
		}
	})
}

// checkTotals compares the times of a tree with what ran, by call path: a caller takes at least
// what its callees do.
func checkTotals(t failer, s *Session, total map[model.PathID]int64, tree *spans.Tree) {
	t.Helper()
	for p := model.PathID(s.Paths().Len() - 1); p > 0; p-- {
		below := int64(0)
		for q, ns := range total {
			if up, _ := s.Path(q); up == p {
				below += ns
			}
		}
		if total[p] = max(total[p], below); total[p] == 0 {
			delete(total, p)
		}
	}
	delete(total, model.PathRoot)
	testkit.MustEqual(t, len(tree.Nodes), len(total), "paths")
	for _, n := range tree.Nodes {
		testkit.MustEqual(t, n.Total, total[n.Path], "path %d: ns", n.Path)
	}
}

// A span that goes on through the whole session and counts for another call path in every frame
// costs each frame no more than the one before: were all that came before looked at, this would not
// end.
func TestSpanThatMovesInEveryFrame(t *testing.T) {
	const frames = 70_000
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
	var tree spans.Tree
	s.Spans().Tree([]model.TrackID{0}, 0, frames*10, &tree)
	testkit.That(t, len(tree.Nodes) == 2 && tree.Nodes[0].Self == frames*5 && tree.Nodes[1].Self == frames*5,
		"%+v", tree.Nodes)
}
