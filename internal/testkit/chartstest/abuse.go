package chartstest

import (
	"math/rand/v2"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
)

// Outside returns a corner of a list that lies outside of a rectangle, or nowhere at all.
func Outside(l *draw.List, r draw.Rect) (at draw.Vertex, found bool) {
	for _, v := range l.Vertices {
		if !(v.X >= r.X0-1 && v.X <= r.X1+1 && v.Y >= r.Y0-1 && v.Y <= r.Y1+1) {
			return v, true
		}
	}
	return at, false
}

// Abuse throws random mice and sizes at panels, and does also what a test wants besides: nothing
// panics, and nothing is drawn without bound or outside of a panel.
func Abuse(t *testing.T, s *store.Session, panels []panel.Panel, rounds int, also func(*Rig, *rand.Rand)) {
	t.Helper()
	const mostQuads = 100_000
	rng := rand.New(rand.NewPCG(11, 12))
	rig := NewRig(s, 1, 600, 300)
	rig.Env.Animate, rig.Env.Paced = true, true
	for i := range rounds {
		rig.fumble(rng, i%7 == 0)
		mouse := rig.In
		also(rig, rng)
		for _, p := range panels {
			rig.In = mouse
			rig.Tick(p)
			p.HitTest(rig.Env, mouse.X, mouse.Y)
			p.Title(rig.Env)
			p.Mode(rig.Env)
			if rig.R.W() < 4 || rig.R.H() < 4 { // what has no room at all may stay as it was
				continue
			}
			if v, found := Outside(p.List(), rig.R); found || p.List().Quads() > mostQuads {
				t.Fatalf("tick %d: %T draws %d quads, one at %v, %v, in %v", i, p, p.List().Quads(), v.X, v.Y, rig.R)
			}
		}
	}
}

// fumble moves the mouse, wheel, keys and buttons at random, and the panel where that is asked for.
func (p *Rig) fumble(rng *rand.Rand, elsewhere bool) {
	if elsewhere {
		w, h := 1100, 600
		if rng.IntN(4) == 0 {
			w, h = 40, 40
		}
		p.R = draw.Rect{X0: float32(rng.IntN(50)), Y0: float32(rng.IntN(50))}
		p.R.X1, p.R.Y1 = p.R.X0+float32(rng.IntN(w)), p.R.Y0+float32(rng.IntN(h))
	}
	seldom := func(n int) bool { return rng.IntN(n) == 0 }
	in := &p.In
	if !in.Left.Down && !in.Right.Down || seldom(3) {
		in.X, in.Y = p.R.X0+float32(rng.IntN(int(p.R.W())+1)), p.R.Y0+float32(rng.IntN(int(p.R.H())+1))
	}
	in.Over = true
	in.WheelY = float32(rng.IntN(9)-4) * float32(rng.IntN(2))
	in.WheelX = float32(rng.IntN(5)-2) * float32(rng.IntN(5)/4)
	in.Shift, in.Ctrl, in.Alt = seldom(6), seldom(6), seldom(6)
	in.DoubleClick, in.ZoomIn, in.PanLeft = seldom(8), seldom(9), seldom(9)
	for i, b := range [...]*panel.Button{&in.Left, &in.Right} {
		down := seldom(2 + 7*i)
		b.Pressed, b.Released, b.Dragging = down && !b.Down, !down && b.Down, down && b.Down
		if b.Pressed {
			b.DownX, b.DownY = in.X, in.Y
		}
		b.Down = down
	}
}

// AllocatesNothing runs ticks until lists have grown to what is needed, and fails where one allocates
// after that.
func AllocatesNothing(t *testing.T, what string, tick func()) {
	t.Helper()
	for range 70 {
		tick()
	}
	if n := testing.AllocsPerRun(20, tick); n != 0 {
		t.Errorf("%s: %v allocations a tick", what, n)
	}
}
