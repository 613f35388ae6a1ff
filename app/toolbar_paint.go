package app

import (
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/widgets"
)

// Paint fills the bar's list; called once a tick. space is the workspace that is shown.
func (b *Toolbar) Paint(space string, search Search) {
	env := b.Env
	panel.ListFor(&b.list, env)
	hot, l := b.hot(), b.list
	if key := b.looks(hot, space, search); key == b.key && !search.Field.Focused() && l.Quads() > 0 {
		return
	} else {
		b.key = key
	}
	t, bar := env.Theme, b.rect
	l.Reset(bar)
	l.Rect(bar, draw.Color(t.PanelTitle))
	for i := range b.items {
		it := &b.items[i]
		if it.rect.Empty() {
			continue
		}
		switch it.kind {
		case itemButton:
			b.button(it, i == hot)
		case itemTab:
			b.tab(it, i == hot, it.label == space)
		case itemChip:
			b.chip(it, i == hot)
		case itemText:
			l.TextIn(draw.Medium, it.rect, draw.Center, it.label, b.chosenColor())
		case itemSearch:
			search.Field.Draw(l, env, it.rect, search.Note)
		}
	}
	l.HLine(bar.X0, bar.X1, bar.Y1-1, 1, draw.Color(t.Separator))
	l.Filled()
}

// looks sums up the inputs of the bar's picture.
func (b *Toolbar) looks(hot int, space string, search Search) (sum widgets.Sum) {
	for i := range b.items {
		it := &b.items[i]
		sum.Text(it.label)
		sum.Add(uint64(uint32(it.rect.X0))<<32 | uint64(uint32(it.rect.X1)))
		sum.Flag(it.enabled)
	}
	v, st := b.shown.View, &b.shown.Status
	sum.Text(space)
	sum.Add(uint64(hot + 1))
	for _, on := range [...]bool{
		v.Live(), st.Live, st.Recording, search.Field.Focused(), st.Silence.Overdue, st.Unrecorded,
	} {
		sum.Flag(on)
	}
	sum.Add(uint64(b.Env.Scale * 1000))
	sum.Add(uint64(b.Env.Theme.Ground.R)<<8 | uint64(b.Env.Theme.Ground.G))
	sum.Add(uint64(v.Look().FrameBudgetNs()))
	sum.Text(search.Field.Text(), search.Note)
	return sum
}

// button paints a button.
func (b *Toolbar) button(it *item, hot bool) {
	t := b.Env.Theme
	fill, text := t.Button, t.Text
	switch {
	case !it.enabled:
		fill, text = t.Panel, t.TextDim
	case hot:
		fill = t.ButtonHover
	}
	if b.shown.Status.Recording && it.id == "record" {
		text = t.Bad
	}
	b.list.Rect(it.rect, draw.Color(fill))
	b.list.TextIn(draw.Regular, it.rect, draw.Center, it.label, draw.Color(text))
}

// tab paints the tab of a workspace.
func (b *Toolbar) tab(it *item, hot, shown bool) {
	t, env := b.Env.Theme, b.Env
	face, c := draw.Regular, format.Pick(hot, t.Text, t.Text2)
	if shown {
		face, c = draw.Medium, t.Text
		line := draw.Rect{X0: it.rect.X0 + env.Px(7), X1: it.rect.X1 - env.Px(7)}
		line.Y0, line.Y1 = b.rect.Y1-env.Px(3), b.rect.Y1-env.Px(1)
		b.list.Rect(line, draw.Color(t.Accent))
	}
	b.list.TextIn(face, it.rect, draw.Center, it.label, draw.Color(c))
}

// chosenColor is the color of the selection in time: for a frame over its budget as in the charts.
func (b *Toolbar) chosenColor() draw.Color {
	t, v := b.Env.Theme, b.shown.View
	if v.None() || v.LeadA() < 0 || v.LeadA() != v.LeadB() {
		return draw.Color(t.Text)
	}
	if tr := v.Session().Track(v.LeadTrack()); tr != nil && v.LeadA() < tr.NumFrames() {
		f := tr.Frame(v.LeadA())
		if ns := f.End - f.Begin; subject.OverBudget(ns, v.Look().FrameBudgetNs()) {
			return subject.FrameColor(t, ns, v.Look().FrameBudgetNs())
		}
	}
	return draw.Color(t.Text)
}

// chip paints something that has a state: green live, amber behind or missing.
func (b *Toolbar) chip(it *item, hot bool) {
	t, l := b.Env.Theme, b.list
	fill, text := t.Panel, t.Text
	switch it.id {
	case "live":
		b.state(it, hot)
		return
	case "recorded":
		text = t.Text2
		if it.wrong {
			fill, text = t.Bad, assets.TextOn(t.Bad.R, t.Bad.G, t.Bad.B)
		}
	case "baseline":
		fill, text = format.Pick(hot, t.ButtonHover, t.AccentGround), t.Accent
	case "missing":
		text = format.Pick(it.wrong, t.Over, t.Text2)
	}
	l.Rect(it.rect, draw.Color(fill))
	l.TextIn(draw.Medium, it.rect, draw.Center, it.label, draw.Color(text))
}

// state paints whether the shown data is live: a dot and words. It is a button only if a click makes it
// listen again.
func (b *Toolbar) state(it *item, hot bool) {
	t, l, env := b.Env.Theme, b.list, b.Env
	v, st := b.shown.View, &b.shown.Status
	dot, text := t.TextDim, t.Text
	switch {
	case it.command == "listen":
		dot, text = t.Over, t.Over
		fill := format.Pick(hot, t.ButtonHover, t.Button)
		l.Rect(it.rect, draw.Color(fill))
	case st.Live && v.Live() && !st.Silence.Overdue, v.None() && st.Awaits:
		dot = t.Live
	case st.Live:
		dot = t.Over
	case !v.None() && v.Session().BrokeOff():
		dot, text = t.Bad, t.Bad
	}
	r := it.rect
	r.X0 += env.Px(4)
	l.TextIn(draw.Regular, r, draw.Left, "●", draw.Color(dot))
	r.X0 += env.Px(13)
	l.TextIn(draw.Regular, r, draw.Left, strings.TrimPrefix(it.label, "● "), draw.Color(text))
}
