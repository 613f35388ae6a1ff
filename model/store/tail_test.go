package store

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/internal/sizes"
	"framescope/model/paths"
)

// A tree of all there is walks, of the block that is not closed, what came since the tree before;
// and what was taken back is in none.
func TestTreeOfAllGoesOn(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(5, 5)), s, 8, 20, 6)
	g.spansPerFrame = 3
	ask := func(s *Session) paths.Tree {
		var tree paths.Tree
		s.Spans().Tree([]model.TrackID{0}, model.MinTime, model.MaxTime, &tree)
		return tree
	}
	var sent []*model.Batch
	var most, least int64
	for range sizes.FlameMinBlock {
		b := g.frame()
		s.Append(b)
		sent = append(sent, b)
		first := ask(s)
		again := ask(s)
		testkit.MustEqualSlices(t, first.Nodes, again.Nodes, "%v, asked again %v", first.Nodes, again.Nodes)
		most, least = max(most, first.Visited), again.Visited
	}
	lanes := int64(s.Track(0).Lanes())
	bound := lanes * (sizes.FlameMinBlock/4 + 64)
	testkit.That(t, most <= bound && least <= bound, "%d and %d steps, of %d lanes", most, least, lanes)
	for back := 1; back < 60; back += 7 { // and other frames come in their place
		f := s.Track(0).Frame(s.Track(0).NumFrames() - back)
		empty := model.Batch{HasFrame: true, Number: f.Number, Begin: f.Begin, End: f.End}
		rewound := empty
		rewound.Rewind = true
		s.Append(&rewound)
		sent = append(sent[:len(sent)-back], &empty)
		for range 60 {
			b := g.frame()
			s.Append(b)
			sent = append(sent, b)
		}
		fresh := NewSession()
		newGame(rand.New(rand.NewPCG(5, 5)), fresh, 8, 20, 6) // defines the same
		for _, b := range sent {
			fresh.Append(b)
		}
		if got, want := ask(s), ask(fresh); !slices.Equal(got.Nodes, want.Nodes) {
			t.Fatalf("%d frames taken back: %v, want %v", back, got.Nodes, want.Nodes)
		}
	}
}
