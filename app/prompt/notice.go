package prompt

import (
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// Notices are lines that tell the user what happened, at the bottom of the window, each for some
// seconds.
type Notices struct {
	items []Notice
	list  *draw.List
}

// Notice is one of them.
type Notice struct {
	Text    string
	Problem bool // something went wrong
	untilNs int64
	// lines are the text as it fits into a width of pxWidth; one line unless it is longer than the
	// window is wide.
	lines   []string
	pxWidth float32
}

const (
	noticeNs  = 5_000_000_000
	problemNs = 15_000_000_000
	maxNotice = 5
	// What is longer than the window is wide is written in lines of about so many px, at most so
	// many.
	noticeWide  = 760
	noticeLines = 6
)

// Shown returns the notices, the newest last.
func (n *Notices) Shown() []Notice { return n.items }

// List returns what is painted, nil before the first Update.
func (n *Notices) List() *draw.List { return n.list }

func (n *Notices) add(text string, problem bool) {
	// What is said again is the newest.
	n.items = slices.DeleteFunc(n.items, func(it Notice) bool { return it.Text == text })
	n.items = append(n.items, Notice{Text: text, Problem: problem})
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

// Update takes away what has been there long enough and fills the list; called once a tick.
func (n *Notices) Update(env *panel.Env, area draw.Rect) {
	kept := n.items[:0]
	for _, it := range n.items {
		if it.untilNs == 0 {
			it.untilNs = env.NowNs + noticeNs
			if it.Problem {
				it.untilNs = env.NowNs + problemNs
			}
		}
		if env.NowNs < it.untilNs {
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
	l.Reset(area)
	y := area.Y1
	for i := len(n.items) - 1; i >= 0; i-- {
		it := &n.items[i]
		it.wrap(env, area.W()-env.Px(68))
		w := env.Px(28)
		for _, line := range it.lines {
			w = max(w, env.Atlas.Measure(draw.Regular, line)+env.Px(28))
		}
		w = min(w, area.W()-env.Px(40))
		lineH := float32(int(env.Px(18)))
		h := env.Px(26) + lineH*float32(len(it.lines)-1)
		x := float32(int((area.X0 + area.X1 - w) / 2))
		r := draw.Rect{X0: x, Y0: y - h, X1: x + float32(int(w)), Y1: y}
		bar := t.Accent
		if it.Problem {
			bar = t.Bad
		}
		l.Rect(r, draw.Color(t.Tooltip))
		l.Outline(r, 1, draw.Color(t.TooltipBorder))
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(3), Y1: r.Y1}, draw.Color(bar))
		row := draw.Rect{X0: r.X0 + env.Px(14), Y0: r.Y0, X1: r.X1 - env.Px(10), Y1: r.Y0 + env.Px(26)}
		for _, line := range it.lines {
			l.TextIn(draw.Regular, row, draw.Left, line, draw.Color(t.Text))
			row.Y0, row.Y1 = row.Y0+lineH, row.Y1+lineH
		}
		y -= h + env.Px(4)
	}
	l.Filled()
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
		longer := word
		if line != "" {
			longer = line + " " + word
		}
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
