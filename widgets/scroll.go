package widgets

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// scroll is the vertical position of a panel whose content is higher than itself.
type scroll struct {
	px    float32
	grab  float32 // where in the thumb the mouse holds it
	taken bool
	// reveal asks the panel to scroll to what is chosen.
	reveal bool
}

// update handles the wheel and the bar. content is the height of everything.
func (s *scroll) update(env *panel.Env, r draw.Rect, in *panel.Input, content float32) {
	if in.Over && in.WheelY != 0 {
		s.px -= in.WheelY * env.Px(48)
	}
	thumb := s.thumb(env, r, content)
	switch {
	case s.taken && in.Left.Down:
		if room := r.H() - thumb.H(); room > 0 {
			s.px = (in.Y - s.grab - r.Y0) / room * (content - r.H())
		}
	case in.Over && in.Left.Pressed && !thumb.Empty() && in.X >= thumb.X0-env.Px(4) && in.Y >= thumb.Y0 && in.Y < thumb.Y1:
		s.taken, s.grab = true, in.Y-thumb.Y0
	default:
		s.taken = false
	}
	s.px = max(0, min(s.px, content-r.H()))
	s.px = float32(int(s.px))
}

func (s *scroll) thumb(env *panel.Env, r draw.Rect, content float32) draw.Rect {
	if content <= r.H() || r.H() <= 0 {
		return draw.Rect{}
	}
	h := max(env.Px(20), r.H()*r.H()/content)
	y := r.Y0 + (r.H()-h)*s.px/(content-r.H())
	return draw.Rect{X0: r.X1 - env.Px(5), Y0: y, X1: r.X1 - env.Px(1), Y1: y + h}
}

func (s *scroll) draw(l *draw.List, env *panel.Env, r draw.Rect, content float32) {
	if t := s.thumb(env, r, content); !t.Empty() {
		l.Rect(t, draw.Color(env.Theme.ButtonHover))
	}
}
