package widgets

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Scroll is the vertical position of a panel with content higher than itself.
type Scroll struct {
	Px    float32 // by which the content is moved up
	grab  float32 // where in the thumb the mouse holds it
	Taken bool    // the bar has the mouse
	// Reveal makes the panel scroll to the chosen row.
	Reveal bool
}

// Update handles the wheel and the bar. content is the height of everything.
func (s *Scroll) Update(env *panel.Env, r draw.Rect, in *panel.Input, content float32) {
	if in.Over && in.WheelY != 0 {
		s.Px -= in.WheelY * env.Px(48)
	}
	thumb := s.thumb(env, r, content)
	switch {
	case s.Taken && in.Left.Down:
		if room := r.H() - thumb.H(); room > 0 {
			s.Px = (in.Y - s.grab - r.Y0) / room * (content - r.H())
		}
	case in.Over && in.Left.Pressed && !thumb.Empty() && in.X >= thumb.X0-env.Px(4) && in.Y >= thumb.Y0 && in.Y < thumb.Y1:
		s.Taken, s.grab = true, in.Y-thumb.Y0
	default:
		s.Taken = false
	}
	s.Px = max(0, min(s.Px, content-r.H()))
	s.Px = float32(int(s.Px))
}

func (s *Scroll) thumb(env *panel.Env, r draw.Rect, content float32) draw.Rect {
	if content <= r.H() || r.H() <= 0 {
		return draw.Rect{}
	}
	h := max(env.Px(20), r.H()*r.H()/content)
	y := r.Y0 + (r.H()-h)*s.Px/(content-r.H())
	return draw.Rect{X0: r.X1 - env.Px(5), Y0: y, X1: r.X1 - env.Px(1), Y1: y + h}
}

// Draw draws the bar, if there is more than has room.
func (s *Scroll) Draw(l *draw.List, env *panel.Env, r draw.Rect, content float32) {
	if t := s.thumb(env, r, content); !t.Empty() {
		l.Rect(t, draw.Color(env.Theme.ButtonHover))
	}
}
