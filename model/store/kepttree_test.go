package store

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"framescope/model"
	"framescope/model/paths"
)

// A tree that is asked for again, of a range that moved, of other threads, of a session that went on,
// of which frames were taken back or have left, is the one that is made anew.
func TestTreeThatWasAskedForBefore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		rng := rand.New(rand.NewPCG(seed, 1))
		st := &Store{MemoryLimit: 1 << 20}
		s := st.NewSession()
		const threads = 3
		var games [threads]*game
		var sent [threads][]*model.Batch
		for id := range games {
			games[id] = newGame(rand.New(rand.NewPCG(seed, 2)), s, 12, 1+rng.IntN(60), 8)
			games[id].rng, games[id].jumps, games[id].spansPerFrame = rng, rng.IntN(4) == 0, 1+rng.IntN(60)
		}
		var kept paths.Tree
		lo, hi := int64(0), int64(1)
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			id := rng.IntN(threads)
			switch what := rng.IntN(10); {
			case what < 4:
				for range 1 + rng.IntN(20) {
					b := games[id].frame()
					b.Track = model.TrackID(id)
					sent[id] = append(sent[id], b)
					s.Append(b)
				}
			case what == 4 && len(sent[id]) > 0:
				from := rng.IntN(len(sent[id]))
				for i, b := range sent[id][from:] {
					again := *b
					again.Rewind = i == 0
					s.Append(&again)
				}
			case what == 5:
				st.MemoryLimit = max(st.total()*3/4, 1)
				st.EnforceLimit(time.Time{})
				st.MemoryLimit = 1 << 30
			case what == 6:
				begin, end, _ := s.Bounds()
				lo = begin + rng.Int64N(end-begin+1)
				hi = lo + rng.Int64N(end-lo+2)
			default:
				_, end, _ := s.Bounds()
				width := max(end/50, 1)
				lo, hi = lo+rng.Int64N(2*width)-width, hi+rng.Int64N(2*width)-width
			}
			tracks := []model.TrackID{0, 1, 2}[:1+rng.IntN(threads)]
			if rng.IntN(3) > 0 {
				tracks = []model.TrackID{0, 1, 2}
			}
			var anew paths.Tree
			frame := s.Track(0) != nil && s.Track(0).NumFrames() > 0 && rng.IntN(3) == 0
			if frame {
				first := rng.IntN(s.Track(0).NumFrames())
				last := first + rng.IntN(s.Track(0).NumFrames()-first)
				s.FrameTree(tracks, 0, first, last, &kept)
				s.FrameTree(tracks, 0, first, last, &anew)
			} else {
				s.Spans().Tree(tracks, lo, hi, &kept)
				s.Spans().Tree(tracks, lo, hi, &anew)
			}
			if diff := cmp.Diff(anew.Nodes, kept.Nodes, cmpopts.EquateEmpty()); diff != "" || anew.Total != kept.Total {
				rt.Fatalf("total %d, anew %d:\n%s", kept.Total, anew.Total, diff)
			}
		}
	})
}

// While one edge of a range is dragged, a tree costs what the edge passes, and no more than a tree
// anew where it jumps.
func TestWorkOfTreeThatMoves(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(1, 2)), s, 12, 40, 8)
	g.spansPerFrame = 100
	for range 500 {
		s.Append(g.frame())
	}
	lo, hi, _ := s.Bounds()
	var kept, anew paths.Tree
	s.Spans().Tree([]model.TrackID{0}, lo, (lo+hi)/2, &kept)
	for step := range int64(100) {
		t1 := (lo+hi)/2 + step*(hi-lo)/10_000
		s.Spans().Tree([]model.TrackID{0}, lo, t1, &kept)
		// A hundredth of a percent is five spans, and there are as many call paths as are kept.
		if most := int64(40 + 8*2 + 100); kept.Visited > most {
			t.Fatalf("step %d: %d visited, at most %d expected", step, kept.Visited, most)
		}
	}
	s.Spans().Tree([]model.TrackID{0}, lo+(hi-lo)/3, hi-(hi-lo)/3, &kept)
	s.Spans().Tree([]model.TrackID{0}, lo+(hi-lo)/3, hi-(hi-lo)/3, &anew)
	if kept.Visited > 3*anew.Visited {
		t.Errorf("a jump visited %d, anew %d", kept.Visited, anew.Visited)
	}
}
