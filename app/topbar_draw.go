package app

import (
	"strings"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/subject"
	"framescope/widgets"
)

// paint fills the bar's list; called once a tick.
func (b *topBar) paint() {
	env := &b.stage.env
	if b.list == nil || b.list.Atlas() != env.Atlas {
		b.list = draw.NewList(env.Atlas)
	}
	t, l := env.Theme, b.list
	bar := b.rect
	hot := b.hot()
	if key := b.looks(hot); key == b.key && !b.find.shown().Focused() && l.Quads() > 0 {
		return
	} else {
		b.key = key
	}
	l.Reset(bar)
	l.Rect(bar, draw.Color(t.PanelTitle))
	for i := range b.items {
		it := &b.items[i]
		if it.rect.Empty() {
			continue
		}
		switch it.kind {
		case itemButton:
			fill, text := t.Button, t.Text
			if !it.enabled {
				fill, text = t.Panel, t.TextDim
			} else if i == hot {
				fill = t.ButtonHover
			}
			if b.status.Recording && it.id == "record" {
				text = t.Bad
			}
			l.Rect(it.rect, draw.Color(fill))
			l.TextIn(draw.Regular, it.rect, draw.Center, it.label, draw.Color(text))
		case itemTab:
			face, c := draw.Regular, draw.Color(t.Text2)
			if i == hot {
				c = draw.Color(t.Text)
			}
			if it.label == b.spaces.desk.Workspace() {
				face, c = draw.Medium, draw.Color(t.Text)
				line := draw.Rect{X0: it.rect.X0 + env.Px(7), Y0: bar.Y1 - env.Px(3), X1: it.rect.X1 - env.Px(7), Y1: bar.Y1 - env.Px(1)}
				l.Rect(line, draw.Color(t.Accent))
			}
			l.TextIn(face, it.rect, draw.Center, it.label, c)
		case itemChip:
			b.chip(it, i == hot)
		case itemText:
			c := t.Text
			if v := b.ss.View(); v.FrameA() >= 0 && v.FrameA() == v.FrameB() && v.Session() != nil {
				if tr := v.Session().Track(v.Track()); tr != nil && v.FrameA() < tr.NumFrames() {
					f := tr.Frame(v.FrameA())
					if ns := f.End - f.Begin; subject.OverBudget(ns, v.Look().FrameBudgetNs()) {
						c = assets.Color(subject.FrameColor(t, ns, v.Look().FrameBudgetNs()))
					}
				}
			}
			l.TextIn(draw.Medium, it.rect, draw.Center, it.label, draw.Color(c))
		case itemSearch:
			field, note := b.find.shown(), "/"
			field.Hint = b.find.hint()
			if field == &b.find.field && field.Text() != "" {
				note = b.find.hits
			}
			field.Draw(l, env, it.rect, note)
		}
	}
	l.HLine(bar.X0, bar.X1, bar.Y1-1, 1, draw.Color(t.Separator))
	l.Filled()
}

// looks sums up what the bar's picture depends on.
func (b *topBar) looks(hot int) (sum widgets.Sum) {
	for i := range b.items {
		it := &b.items[i]
		sum.Text(it.label)
		sum.Add(uint64(uint32(it.rect.X0))<<32 | uint64(uint32(it.rect.X1)))
		sum.Flag(it.enabled)
	}
	v, st := b.ss.View(), &b.status
	sum.Text(b.spaces.desk.Workspace())
	sum.Add(uint64(hot + 1))
	for _, on := range [...]bool{
		v.Live(), st.Live, st.Recording, b.find.shown().Focused(), st.Silence.Overdue, st.Unrecorded,
	} {
		sum.Flag(on)
	}
	sum.Add(uint64(b.stage.env.Scale * 1000))
	sum.Add(uint64(b.stage.theme.Ground.R)<<8 | uint64(b.stage.theme.Ground.G))
	sum.Add(uint64(v.Look().FrameBudgetNs()))
	sum.Text(b.find.field.Text(), b.find.hits)
	return sum
}

// chip paints something that has a state: green live, amber behind or missing.
func (b *topBar) chip(it *toolItem, hot bool) {
	t, l := b.stage.env.Theme, b.list
	fill, text := t.Panel, t.Text
	switch it.id {
	case "live":
		b.state(it, hot)
		return
	case "recorded":
		text = t.Text2
		if b.status.Unrecorded {
			fill, text = t.Bad, assets.TextOn(t.Bad.R, t.Bad.G, t.Bad.B)
		}
	case "missing":
		text = t.Text2
		if ledger := b.ss.View().Session().Ledger(); ledger.Lost() > 0 {
			text = t.Over
		}
	}
	l.Rect(it.rect, draw.Color(fill))
	l.TextIn(draw.Medium, it.rect, draw.Center, it.label, draw.Color(text))
}

// state paints whether what is shown is what happens now: a dot and words. It is a button only where
// it listens again.
func (b *topBar) state(it *toolItem, hot bool) {
	t, l, env := b.stage.env.Theme, b.list, &b.stage.env
	dot, text := t.TextDim, t.Text
	switch {
	case it.command == "listen":
		dot, text = t.Over, t.Over
		fill := t.Button
		if hot {
			fill = t.ButtonHover
		}
		l.Rect(it.rect, draw.Color(fill))
	case b.status.Live && b.ss.View().Live() && !b.status.Silence.Overdue, b.ss.View().Session() == nil && b.status.Awaits:
		dot = t.Live
	case b.status.Live:
		dot = t.Over
	}
	r := it.rect
	r.X0 += env.Px(4)
	l.TextIn(draw.Regular, r, draw.Left, "●", draw.Color(dot))
	r.X0 += env.Px(13)
	l.TextIn(draw.Regular, r, draw.Left, strings.TrimPrefix(it.label, "● "), draw.Color(text))
}
