package workspace

import (
	"slices"
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Notices are messages to the user, each shown for some seconds or until it was seen, over the status line, where they cover
// no chart: side by side from the figures at its end, the newest first, as long as the line's left part
// stays free, the others above.
type Notices struct {
	items []Notice
	list  *draw.List
	end   float32 // where they end at the right; it does not move on while there are some
	area  draw.Rect
}

// Notice is one of them.
type Notice struct {
	Text    string
	Problem bool   // something went wrong
	Stays   bool   // until it is clicked, dismissed or dropped
	Run     func() // of a click; nil: that only takes it away
	untilNs int64
	// lines are the text as it fits into a width of pxWidth; one line unless it is longer than the
	// window is wide.
	lines   []string
	pxWidth float32
	rect    draw.Rect // as drawn
}

const (
	noticeNs  = 5_000_000_000
	problemNs = 15_000_000_000
	maxNotice = 5
	// A notice wider than the window is split into lines of about noticeWide px, at most noticeLines.
	noticeWide  = 760
	noticeLines = 6
	noticeHigh  = 22  // one of a line, as the status line
	noticeLeast = 0.6 // of the window's width there is for them at least
	noticeShare = 0.4 // of the window's width stays free of several beside each other
)

// Shown returns the notices, the newest last.
func (n *Notices) Shown() []Notice { return n.items }

// List returns the draw list, nil before the first Update.
func (n *Notices) List() *draw.List { return n.list }

func (n *Notices) add(it Notice) {
	// A repeated notice becomes the newest.
	n.items = slices.DeleteFunc(n.items, func(old Notice) bool { return old.Text == it.Text })
	n.items = append(n.items, it)
	if len(n.items) > maxNotice {
		n.items = n.items[1:]
	}
}

// Drop takes those away that begin with some words, because they are no longer true.
func (n *Notices) Drop(words string) {
	n.items = slices.DeleteFunc(n.items, func(it Notice) bool { return strings.HasPrefix(it.Text, words) })
}

// Dismiss takes the newest one away; false when there was none.
func (n *Notices) Dismiss() bool {
	if len(n.items) == 0 {
		return false
	}
	n.items = n.items[:len(n.items)-1]
	return true
}

// Update removes expired notices and fills the list; called once a tick. area is the window, and
// figures the left edge of the figures in the status line.
func (n *Notices) Update(env *panel.Env, area draw.Rect, figures float32) {
	kept := n.items[:0]
	for _, it := range n.items {
		if it.untilNs == 0 {
			it.untilNs = format.Pick(it.Problem, env.NowNs+problemNs, env.NowNs+noticeNs)
		}
		if it.Stays || env.NowNs < it.untilNs {
			kept = append(kept, it)
		}
	}
	n.items = kept
	if n.list == nil || n.list.Atlas() != env.Atlas {
		n.list = draw.NewList(env.Atlas)
	}
	l, t := n.list, env.Theme
	if len(n.items) == 0 && l.Quads() == 0 {
		return
	}
	first := l.Quads() == 0
	l.Reset(area)
	if figures -= env.Px(8); figures < area.X0+area.W()*noticeLeast {
		figures = area.X1 // there is no room beside them
	}
	if n.end = min(n.end, figures); n.area != area || first {
		n.end, n.area = figures, area
	}
	area.X1 = n.end
	row := draw.Rect{X0: area.X1, X1: area.X1, Y0: area.Y1, Y1: area.Y1} // that is being filled, from the right
	for i := range slices.Backward(n.items) {
		it := &n.items[i]
		w, h := it.size(env, area)
		if x := row.X0 - w; row.W() > 0 && x < area.X0+area.W()*noticeShare {
			row = draw.Rect{X0: area.X1, X1: area.X1, Y0: row.Y0, Y1: row.Y0}
		}
		it.rect = draw.Rect{X0: row.X0 - w, Y0: row.Y1 - h, X1: row.X0, Y1: row.Y1}
		row.X0, row.Y0 = it.rect.X0, min(row.Y0, it.rect.Y0)
		it.draw(l, env, t)
	}
	l.Filled()
}

// size returns how large a notice is, its text in lines.
func (n *Notice) size(env *panel.Env, area draw.Rect) (w, h float32) {
	n.wrap(env, area.W()-env.Px(68))
	for _, line := range n.lines {
		w = max(w, env.Atlas.Measure(draw.Regular, line))
	}
	w = min(w+env.Px(28), area.W()-env.Px(40))
	return float32(int(w)), float32(int(env.Px(noticeHigh))) + lineHigh(env)*float32(len(n.lines)-1)
}

func lineHigh(env *panel.Env) float32 { return float32(int(env.Px(18))) }

func (n *Notice) draw(l *draw.List, env *panel.Env, t *assets.Theme) {
	r, bar := n.rect, format.Pick(n.Problem, t.Bad, t.Accent)
	l.Rect(r, draw.Color(t.Tooltip))
	l.Outline(r, 1, draw.Color(t.TooltipBorder))
	l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(3), Y1: r.Y1}, draw.Color(bar))
	row := draw.Rect{X0: r.X0 + env.Px(14), Y0: r.Y0, X1: r.X1 - env.Px(10), Y1: r.Y0 + env.Px(noticeHigh)}
	for _, line := range n.lines {
		l.TextIn(draw.Regular, row, draw.Left, line, draw.Color(t.Text))
		row.Y0, row.Y1 = row.Y0+lineHigh(env), row.Y1+lineHigh(env)
	}
}

// Press removes the notice at a point and does what it offers; false: there is none.
func (n *Notices) Press(x, y float32) bool {
	i := slices.IndexFunc(n.items, func(it Notice) bool { return it.rect.Contains(x, y) })
	if i >= 0 {
		run := n.items[i].Run
		n.items = slices.Delete(n.items, i, i+1)
		if run != nil {
			run()
		}
	}
	return i >= 0
}

// wrap divides the text into lines when it does not fit into a width.
func (n *Notice) wrap(env *panel.Env, pxWidth float32) {
	if n.pxWidth == pxWidth && n.lines != nil {
		return
	}
	n.pxWidth, n.lines = pxWidth, n.lines[:0]
	words := strings.Fields(n.Text)
	line := strings.Join(words, " ")
	if env.Atlas.Measure(draw.Regular, line) <= pxWidth || len(words) == 0 {
		n.lines = append(n.lines, line)
		return
	}
	most := min(pxWidth, env.Px(noticeWide))
	line = ""
	for i, word := range words {
		longer := format.Pick(line != "", line+" "+word, word)
		if line != "" && env.Atlas.Measure(draw.Regular, longer) > most {
			if len(n.lines) == noticeLines-1 { // the rest on the last line, cut
				n.lines = append(n.lines, line+" "+strings.Join(words[i:], " "))
				return
			}
			n.lines = append(n.lines, line)
			longer = word
		}
		line = longer
	}
	n.lines = append(n.lines, line)
}
