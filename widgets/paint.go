package widgets

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// sheet is the list of a panel with what it was drawn for, so that it is drawn again only when that changed.
type sheet[K comparable] struct {
	list *draw.List
	key  K
	done bool
}

// stale tells whether the panel must be drawn again for key, and empties the list if so.
func (s *sheet[K]) stale(env *panel.Env, rect draw.Rect, key K) bool {
	if s.list == nil || s.list.Atlas() != env.Atlas {
		s.list = draw.NewList(env.Atlas)
		s.done = false
	}
	if s.done && s.key == key {
		return false
	}
	s.key, s.done = key, true
	s.list.Reset(rect)
	return true
}

// List returns the panel's picture.
func (s *sheet[K]) List() *draw.List { return s.list }

// slowly lets what changes all the time be shown five times a second only, so that it can be read. What does not change stays as it is.
type slowly struct {
	shown uint64
	atNs  int64
}

// of returns the value to be shown, given the one that would be right.
func (s *slowly) of(env *panel.Env, now uint64) uint64 {
	const everyNs = 200_000_000
	if now != s.shown && (s.atNs == 0 || env.NowNs < s.atNs || env.NowNs-s.atNs >= everyNs) {
		s.shown, s.atNs = now, env.NowNs
	}
	return s.shown
}

// words draws lines of text in the middle of a panel, the first brighter: what an empty panel says.
func words(l *draw.List, env *panel.Env, r draw.Rect, lines ...string) {
	h := env.Atlas.LineHeight(draw.Regular) + env.Px(3)
	y := (r.Y0 + r.Y1 - h*float32(len(lines))) / 2
	y = max(y, r.Y0+env.Px(6))
	for i, s := range lines {
		c := draw.Color(env.Theme.Text2)
		if i > 0 {
			c = draw.Color(env.Theme.TextDim)
		}
		l.TextIn(draw.Regular, draw.Rect{X0: r.X0 + env.Px(10), Y0: y, X1: r.X1 - env.Px(10), Y1: y + h}, draw.Center, s, c)
		y += h
	}
}

// pair draws a name at the left and its value at the right of a row; the name gives way.
func pair(l *draw.List, env *panel.Env, r draw.Rect, name, value string, c assets.Color) {
	w := env.Atlas.Measure(draw.Mono, value)
	left := r
	left.X1 -= w + env.Px(6)
	l.TextIn(draw.Regular, left, draw.Left, name, draw.Color(env.Theme.Text2))
	l.TextIn(draw.Mono, r, draw.Right, value, draw.Color(c))
}
