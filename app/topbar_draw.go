package app

import (
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
		switch {
		case b.ss.View().Session() == nil && it.command == "listen":
			text = t.Over
		case b.status.Live && b.ss.View().Live() && !b.status.Silence.Overdue:
			fill = t.Live
			text = assets.TextOn(fill.R, fill.G, fill.B)
		case b.status.Live:
			fill = t.Over
			text = assets.TextOn(fill.R, fill.G, fill.B)
		default: // words, no button
			fill, text = t.PanelTitle, t.Text2
		}
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
	if hot && it.command != "" && it.enabled && it.id == "live" && !b.ss.View().Live() {
		fill = t.ButtonHover
		text = t.Text
	}
	l.Rect(it.rect, draw.Color(fill))
	l.TextIn(draw.Medium, it.rect, draw.Center, it.label, draw.Color(text))
}
