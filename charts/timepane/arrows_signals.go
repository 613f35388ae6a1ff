package timepane

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/locks"
)

// mostSignals is how many arrows are looked at for one picture; where there are more signals in view
// they wait for a closer look.
const mostSignals = 4000

// Signal is a drawn arrow from a signal to the end of the wait that it ended.
type Signal struct {
	locks.Arrow
	ArrowShape
}

// Joins reports whether the arrow belongs to a use of a lock: it begins at the signal, or ends at
// the wait that it ended.
func (a *Signal) Joins(u *locks.Use) bool {
	switch {
	case a.Lock != u.Lock:
	case u.Kind == locks.Condition:
		return a.ToTrack == u.Track && a.ToTime == u.End && a.WaitBegin == u.Begin
	case u.Kind == locks.Signalling:
		return a.FromTrack == u.Track && a.FromTime == u.Begin
	}
	return false
}

// Style returns the look of the arrow: in the color of the selection when it belongs to the selected
// use, else with the strength alpha.
func (a *Signal) Style(env *panel.Env, alpha uint8) ArrowStyle {
	if u, ok := env.View.Thing().Use(); ok && a.Joins(&u) {
		return ArrowStyle{Color: draw.Color(env.Theme.Accent), Width: env.Scale}
	}
	return ArrowStyle{Color: draw.Color(env.Theme.Text).WithAlpha(alpha), Width: env.Scale}
}

// Signals finds the arrows from signals to waits. The zero value is ready.
type Signals struct {
	arrows []locks.Arrow
}

// Visible returns the arrows from signals to waits in the visible range, none if there are too many
// signals to show any. The answer is valid until the next call.
func (g *Signals) Visible(env *panel.Env) []locks.Arrow {
	s := env.View.Session()
	begin, end := env.View.Time().Visible()
	n := s.Locks().SignalsIn(begin, end)
	g.arrows = g.arrows[:0]
	if n > 0 && n <= mostSignals {
		g.arrows = s.Locks().Arrows(begin, end, g.arrows)
	}
	return g.arrows
}
