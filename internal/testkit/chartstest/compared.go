package chartstest

import (
	"math"
	"math/rand/v2"
	"strconv"

	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/store"
)

// comparedFrames is how many frames either session of NewCompared has.
const (
	comparedFrames = 600
	budgetNs       = 16_666_667
)

// NewCompared returns two sessions that are compared, and the comparison: in B Physics takes a quarter
// longer and Collide a fifth less, Texture is new and Flush gone; all else is alike.
func NewCompared() (*store.Session, *store.Session, *view.Comparing) {
	a, b := comparedSession(1, false), comparedSession(2, true)
	s := new(view.Comparing)
	s.Set(view.SideA, view.Mark{Side: compare.All(a), Name: "before", What: "all"}, budgetNs)
	s.Set(view.SideB, view.Mark{Side: compare.All(b), Name: "after", What: "all"}, budgetNs)
	for s.Result() == nil {
		s.Tick(1 << 20)
	}
	return a, b, s
}

// NewComparedRig returns a window that shows the second session of NewCompared, with the comparison.
func NewComparedRig(scale, w, h float32) *Rig {
	_, b, state := NewCompared()
	rig := NewRig(b, scale, w, h)
	rig.Env.Comparing = state
	return rig
}

// ComparedFrames is NewComparedRig of one frame of each session, that are shown by their numbers.
func ComparedFrames(scale, w, h float32) *Rig {
	a, b, state := NewCompared()
	for side, s := range [...]*store.Session{view.SideA: a, view.SideB: b} {
		m, _ := state.Marked(side)
		m.Side = compare.FramesOf(s, TMain, 20+side, 20+side)
		m.When = "frame " + strconv.Itoa(20+side)
		m.What = m.When + " of Main"
		state.Set(side, m, budgetNs)
	}
	for state.Result() == nil {
		state.Tick(1 << 20)
	}
	rig := NewRig(b, scale, w, h)
	rig.Env.Comparing = state
	return rig
}

// comparedSession makes one of the two.
func comparedSession(seed uint64, after bool) *store.Session {
	w := NewWriter(seed)
	w.Track(TMain, "Main", model.TrackThread)
	w.Track(tDraw, "Draw", model.TrackThread)
	rng := rand.New(rand.NewPCG(seed, 3))
	wander := 0.0 // frames resemble those before
	around := func(ms float64) int64 {
		if ms <= 0 {
			return 0
		}
		return int64(ms * 1e6 * math.Exp(0.06*wander+0.05*rng.NormFloat64()))
	}
	physics, collide, texture, flush := 2.4, 2.0, 0.0, 0.9
	if after {
		physics, collide, texture, flush = 3.0, 1.6, 0.8, 0
	}
	type part struct {
		c  model.CollectorID
		ms float64
	}
	threads := []struct {
		track model.TrackID
		top   model.CollectorID
		parts []part
	}{
		{TMain, CApp, []part{{5, 3.1}, {9, physics}, {6, collide}, {7, 1.5}, {35, 0.3}}},
		{tDraw, CDraw, []part{{15, 4.5}, {16, flush}, {20, texture}, {17, 0.2}, {18, 2.2}}},
	}
	for _, th := range threads {
		at := int64(0)
		for n := range int64(comparedFrames) {
			wander = 0.6*wander + 0.8*rng.NormFloat64()
			begin := at
			w.Begin(th.track, n, begin, begin)
			top := w.path(0, th.top)
			k := len(w.batch.Spans)
			w.batch.Spans = append(w.batch.Spans, model.Span{Begin: w.at(begin), Path: top})
			for _, p := range th.parts {
				ns := around(p.ms)
				if n%97 == 50 && p.c == 5 {
					ns *= 5
				}
				if ns > 0 {
					w.Span(top, th.top, p.c, 1, at, at+ns)
				}
				at += ns
			}
			at += around(0.4)
			w.batch.Spans[k].End = w.at(at)
			w.charge(th.top, w.at(at)-w.at(begin), 1)
			w.batch.End = w.at(at)
			w.End()
		}
	}
	return w.S
}
