package details

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// section is the state of the panel as one of several in a pane that scrolls as one.
type section struct {
	on     bool
	shift  float32 // how much of it lies above the visible part
	height float32 // of all of it, at the last drawing
}

// sectionMost is how high it may be at scale 1.
const sectionMost = 1600

// whole returns the rectangle of all of the panel; rect is the visible part.
func (s *section) whole(env *panel.Env, rect draw.Rect) draw.Rect {
	if s.on {
		rect.Y0 -= s.shift
		rect.Y1 = rect.Y0 + env.Px(sectionMost)
	}
	return rect
}

// measure takes the height from the vertices drawn into the whole panel.
func (s *section) measure(env *panel.Env, l *draw.List, rect draw.Rect) {
	bottom := rect.Y0
	for i := range l.Vertices {
		bottom = max(bottom, l.Vertices[i].Y)
	}
	s.height = bottom - rect.Y0 + env.Px(4)
}

// Extent implements panel.Section.
func (p *Panel) Extent(env *panel.Env, _ float32) float32 {
	if p.section.height == 0 {
		return env.Px(60) // nothing was drawn yet
	}
	return p.section.height
}

// Shift implements panel.Section.
func (p *Panel) Shift(px float32) { p.section.on, p.section.shift = px >= 0, max(px, 0) }

// Reveal implements panel.Section.
func (p *Panel) Reveal() (y0, y1 float32, ok bool) { return 0, 0, false }
