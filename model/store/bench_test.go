package store

import (
	"math/rand/v2"

	"framescope/model"
)

// benchFrames makes a run of frames that can be appended again and again, shifted in time.
func benchFrames(s *Session, frames, spansPerFrame, paths, depth int) *game {
	g := newGame(rand.New(rand.NewPCG(1, 2)), s, 60, paths, depth)
	g.spansPerFrame = spansPerFrame
	return g
}

// benchSession makes a session of n spans on a number of tracks.
func benchSession(n int64, tracks int) *Session {
	s := NewSession()
	g := benchFrames(s, 0, 100, 300, 10)
	run := make([]*model.Batch, 200)
	for i := range run {
		run[i] = g.frame()
	}
	length, numbers := g.now, g.number
	var spans int64
	for round := int64(0); spans < n; round++ {
		for _, b := range run {
			shifted := shift(b, round*length, round*numbers)
			for id := range tracks {
				shifted.Track = model.TrackID(id)
				s.Append(shifted)
				spans += int64(len(b.Spans))
			}
		}
	}
	return s
}

// shift returns b at another time.
func shift(b *model.Batch, ns, number int64) *model.Batch {
	c := *b
	c.Begin, c.End, c.Number = b.Begin+ns, b.End+ns, b.Number+number
	c.Spans = append([]model.Span(nil), b.Spans...)
	c.Levels = append([]model.Level(nil), b.Levels...)
	for i := range c.Spans {
		sp := &c.Spans[i]
		sp.Begin += ns
		sp.End += ns
	}
	for i := range c.Levels {
		c.Levels[i].Time += ns
	}
	return &c
}
