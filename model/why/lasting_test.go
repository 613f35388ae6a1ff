package why_test

import (
	"math/rand/v2"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/why"
)

// What takes longer from a frame on is named, on the thread that does it, and dated to the frame.
func TestLasting(t *testing.T) {
	const at, frames = 333, 600
	for name, c := range map[string]struct {
		main, draw map[model.CollectorID]int64 // more microseconds from then on
		chain      []want
	}{
		"own work":        {map[model.CollectorID]int64{cPhysics: 800}, nil, []want{{tMain, cPhysics, why.Longer}}},
		"a newcomer":      {map[model.CollectorID]int64{cGC: 900}, nil, []want{{tMain, cGC, why.New}}},
		"another thread":  {nil, map[model.CollectorID]int64{cDraw: 2600}, []want{{tMain, cSync, why.Waiting}, {tDraw, cDraw, why.Longer}}},
		"what is no step": {map[model.CollectorID]int64{cPhysics: 100}, nil, nil},
	} {
		g, rng := newGame(), rand.New(rand.NewPCG(1, 2))
		us := func(c model.CollectorID, usual int64, more map[model.CollectorID]int64, frame int) call {
			ns := int64(float64(usual) * (1 + 0.02*rng.NormFloat64()))
			if frame >= at {
				ns += more[c]
			}
			return call{c, ns}
		}
		for i := range frames {
			physics, ai, draw := us(cPhysics, 4000, c.main, i), us(cAI, 8000, c.main, i), us(cDraw, 11_000, c.draw, i)
			list := []call{physics, ai}
			if gc := us(cGC, 0, c.main, i); gc.us > 0 {
				list = append(list, gc)
			}
			worked := int64(0)
			for _, x := range list {
				worked += x.us
			}
			length := max(worked, draw.us) + 50
			g.frame(tMain, int64(i), append(list, call{cSync, length - worked})...)
			g.frame(tDraw, int64(i), draw, call{cSync, length - draw.us})
		}
		all := why.NewEngine(g.s).Lasting(tMain, 0, frames-1)
		testkit.Equal(t, len(all), min(len(c.chain), 1), "%s: steps", name)
		for _, l := range all {
			testkit.Equal(t, l.Number, int64(at), "%s: frame", name)
			check(t, name, l.Chain, c.chain)
		}
	}
}
