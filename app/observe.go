package app

import (
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// observe returns the visible state.
func (g *Game) observe() Observed {
	v, env, hit := g.View(), &g.stage.env, &g.under.hit
	o := Observed{
		Tick: g.stage.tick, Track: v.Track(), Span: v.Span(), HasSpan: v.HasSpan(), Collector: v.Collector(),
		Thing:  v.Thing().String(),
		FrameA: -1, FrameB: -1, RangeA: v.RangeA(), RangeB: v.RangeB(), Playhead: v.Playhead(),
		WholeFrames: v.RangeIsFrames(), Live: v.Live(),
		Begin: v.Time().BeginNs, End: v.Time().EndNs, Bar: g.bars.top.Chosen(v),
		Status: g.bars.status.says(),
		Under:  hit.Kind, UnderTrack: hit.Track, UnderCollector: hit.Collector, UnderSpan: hit.Bar,
		UnderTimeNs: hit.TimeNs, UnderThing: hit.Thing.String(), UnderFrame: hit.Frame, UnderLines: hit.Lines,
		Picture: g.picture,
	}
	if t := v.Shown(); t != nil {
		o.Thread, o.Framed = t.Title(), t.HasFrames()
		if v.FrameA() >= 0 && v.FrameB() < t.NumFrames() {
			o.FrameA, o.FrameB = t.Frame(v.FrameA()).Number, t.Frame(v.FrameB()).Number
		}
	}
	if o.Collector != model.NoCollector {
		o.Name = v.Session().Collector(o.Collector).Name
	}
	if m := g.ask.Menu(); m != nil {
		for i := range m.Items {
			if it := &m.Items[i]; it.Run != nil && !it.Off {
				o.Menu = append(o.Menu, it.Label)
			}
		}
	}
	for _, it := range g.bars.top.Items() {
		if it.Command != "" {
			o.Controls = append(o.Controls, workspace.Control{Label: it.Label, Rect: it.Rect})
		}
	}
	g.desk.EachInSight(func(t *workspace.Tab, r draw.Rect) {
		p := ObservedPanel{ID: t.ID, Title: t.Panel.Title(env), Mode: t.Panel.Mode(env), Rect: r}
		if m, ok := t.Panel.(panel.Marker); ok {
			p.Lists = true
			for _, h := range m.Marked(env, nil) {
				p.Marked = append(p.Marked, mark(v, &h))
			}
		}
		p.Tabs, p.Tools = g.desk.Controls(env, t.ID, nil, nil)
		o.Panels = append(o.Panels, p)
	})
	return o
}
