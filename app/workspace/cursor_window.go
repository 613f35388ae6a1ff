//go:build !headless

package workspace

import (
	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app/input"
	"framescope/charts/panel"
)

// Cursor returns the shape of the mouse pointer.
func (d *Desk) Cursor(env *panel.Env, m *input.Mouse) ebiten.CursorShapeType {
	s := d.hold.split
	if s == nil {
		s = d.overSplitter(env, m.X, m.Y)
	}
	switch {
	case s != nil && s.Column:
		return ebiten.CursorShapeNSResize
	case s != nil:
		return ebiten.CursorShapeEWResize
	case d.hold.corner || d.hover != nil && d.hover.corner(env).Contains(m.X, m.Y):
		return ebiten.CursorShapeNWSEResize
	case d.hover != nil && !d.hover.empty():
		if r, ok := d.hover.front().Panel.(panel.Resizer); ok && r.Resizes(env, m.X, m.Y) {
			return ebiten.CursorShapeNSResize
		}
	}
	return ebiten.CursorShapeDefault
}
