package lanes

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/locks"
)

// mostArrows is how many arrows are looked at for one picture; where there are more signals in view
// they wait for a closer look.
const mostArrows = 4000

// Arrow goes from a signal to the end of the wait that it ended, as it was drawn.
type Arrow struct {
	locks.Arrow
	X0, Y0, X1, Y1 float32
}

// Joins tells whether the arrow is of a use of a lock: begins at the signal, or ends at the wait
// that it ended.
func (a *Arrow) Joins(u *locks.Use) bool {
	switch {
	case a.Lock != u.Lock:
	case u.Kind == locks.Condition:
		return a.ToTrack == u.Track && a.ToTime == u.End && a.WaitBegin == u.Begin
	case u.Kind == locks.Signalling:
		return a.FromTrack == u.Track && a.FromTime == u.Begin
	}
	return false
}

// Color returns the colour of an arrow: that of the selection when it is of the selected use, else
// as strong as alpha says.
func (a *Arrow) Color(env *panel.Env, alpha uint8) draw.Color {
	if u, ok := env.View.Thing().Use(); ok && a.Joins(&u) {
		return draw.Color(env.Theme.Accent)
	}
	return draw.Color(env.Theme.Text).WithAlpha(alpha)
}

// Draw draws a thin line with a head at its end.
func (a *Arrow) Draw(l *draw.List, env *panel.Env, col draw.Color) {
	l.Line(a.X0, a.Y0, a.X1, a.Y1, env.Scale, col)
	w, long := env.Px(3), env.Px(6)
	if a.X1-a.X0 > 2*w { // it comes from the left
		l.Triangle(a.X1-long, a.Y1-w, a.X1-long, a.Y1+w, a.X1, a.Y1, col)
		return
	}
	if a.Y1 < a.Y0 {
		long = -long
	}
	l.Triangle(a.X1-w, a.Y1-long, a.X1+w, a.Y1-long, a.X1, a.Y1, col)
}

// Signals asks for what joins signals to waits. The zero value is ready.
type Signals struct {
	arrows []locks.Arrow
}

// Visible returns what joins signals to waits in the visible range, nothing where there are too
// many signals to show any. The answer is valid until the next call.
func (g *Signals) Visible(env *panel.Env) []locks.Arrow {
	s := env.View.Session()
	begin, end := env.View.Time().Visible()
	n := s.Locks().SignalsIn(begin, end)
	g.arrows = g.arrows[:0]
	if n > 0 && n <= mostArrows {
		g.arrows = s.Locks().Arrows(begin, end, g.arrows)
	}
	return g.arrows
}
