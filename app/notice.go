package app

import (
	"framescope/charts"
	"framescope/charts/draw"
)

// notices are lines that tell the user what happened, at the bottom of the window, each for some seconds.
type notices struct {
	items []notice
	list  *draw.List
}

type notice struct {
	text    string
	problem bool
	untilNs int64
}

const (
	noticeNs  = 5_000_000_000
	problemNs = 15_000_000_000
	maxNotice = 5
)

func (n *notices) add(text string, problem bool) {
	for i := range n.items {
		if n.items[i].text == text {
			n.items[i].untilNs = 0
			return
		}
	}
	n.items = append(n.items, notice{text: text, problem: problem})
	if len(n.items) > maxNotice {
		n.items = n.items[1:]
	}
}

// dismiss takes the newest one away; false when there was none.
func (n *notices) dismiss() bool {
	if len(n.items) == 0 {
		return false
	}
	n.items = n.items[:len(n.items)-1]
	return true
}

func (n *notices) update(env *charts.Env, area draw.Rect) {
	kept := n.items[:0]
	for _, it := range n.items {
		if it.untilNs == 0 {
			it.untilNs = env.NowNs + noticeNs
			if it.problem {
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
		w := min(env.Atlas.Measure(draw.Regular, it.text)+env.Px(28), area.W()-env.Px(40))
		x := float32(int((area.X0 + area.X1 - w) / 2))
		r := draw.Rect{X0: x, Y0: y - env.Px(26), X1: x + float32(int(w)), Y1: y}
		bar := t.Accent
		if it.problem {
			bar = t.Bad
		}
		l.Rect(r, draw.Color(t.Tooltip))
		l.Outline(r, 1, draw.Color(t.TooltipBorder))
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + env.Px(3), Y1: r.Y1}, draw.Color(bar))
		l.TextIn(draw.Regular, draw.Rect{X0: r.X0 + env.Px(14), Y0: r.Y0, X1: r.X1 - env.Px(10), Y1: r.Y1}, draw.Left, it.text, draw.Color(t.Text))
		y -= env.Px(30)
	}
}
