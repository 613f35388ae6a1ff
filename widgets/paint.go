// Shared painting of the panels around the charts: a list that is filled again only when its
// content changed, numbers that change slowly enough to be read, words, and pairs of names and
// values. It knows the contract of panels.

package widgets

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Sheet is the list of a panel with its inputs, so that it is drawn again only when these changed.
type Sheet[K comparable] struct {
	Out  *draw.List // the painted list
	key  K
	done bool
}

// Stale reports whether the panel must be drawn again for key, and empties the list if so.
func (s *Sheet[K]) Stale(env *panel.Env, rect draw.Rect, key K) bool {
	if s.Out == nil || s.Out.Atlas() != env.Atlas {
		s.Out = draw.NewList(env.Atlas)
		s.done = false
	}
	if s.done && s.key == key {
		return false
	}
	s.key, s.done = key, true
	s.Out.Reset(rect)
	return true
}

// Redraw lets the panel be drawn again whatever its key is.
func (s *Sheet[K]) Redraw() { s.done = false }

// List returns the panel's picture.
func (s *Sheet[K]) List() *draw.List { return s.Out }

// Slowly limits values that change all the time to four updates a second, so that they can be read.
// Others stay as they are.
type Slowly struct {
	shown uint64
	atNs  int64
}

// Now shows a value at once.
func (s *Slowly) Now(env *panel.Env, v uint64) uint64 {
	s.shown, s.atNs = v, env.NowNs
	return v
}

// Of returns the value to be shown, given the one that would be right.
func (s *Slowly) Of(env *panel.Env, now uint64) uint64 {
	if now != s.shown && (s.atNs == 0 || !panel.Stands(env, s.atNs)) {
		s.shown, s.atNs = now, env.NowNs
	}
	return s.shown
}

// Words draws lines of text in the middle of a panel, the first brighter: the text of an empty
// panel.
func Words(l *draw.List, env *panel.Env, r draw.Rect, lines ...string) {
	h := env.Atlas.LineHeight(draw.Regular) + env.Px(3)
	y := (r.Y0 + r.Y1 - h*float32(len(lines))) / 2
	y = max(y, r.Y0+env.Px(6))
	for i, s := range lines {
		c := draw.Color(format.Pick(i > 0, env.Theme.TextDim, env.Theme.Text2))
		l.TextIn(draw.Regular, draw.Rect{X0: r.X0 + env.Px(10), Y0: y, X1: r.X1 - env.Px(10), Y1: y + h}, draw.Center, s, c)
		y += h
	}
}

// Pair draws a name at the left and its value at the right of a row, the value below the name where
// there is no room for both. It returns the height. The name is drawn with the others of the list.
func Pair(l *draw.List, env *panel.Env, list *draw.Names, r draw.Rect, name, value string, c assets.Color) float32 {
	h := r.H()
	if w := env.Atlas.Measure(draw.Regular, value) + env.Px(6); panel.RoomBeside(env, draw.Regular, name, r.W(), w) {
		l.TextFit(draw.Regular, r, draw.Right, value, draw.Color(c))
		r.X1 -= w
	} else {
		below := draw.Rect{X0: r.X0, Y0: r.Y1 - env.Px(2), X1: r.X1, Y1: r.Y1 + r.H() - env.Px(4)}
		if !l.TextFit(draw.Regular, below, draw.Right, value, draw.Color(c)) {
			l.NameIn(draw.Small, below, draw.Right, value, draw.Color(c))
		}
		h = below.Y1 - r.Y0
	}
	list.Add(0, draw.Regular, r, draw.Left, name, draw.Color(env.Theme.Text2))
	return h
}
