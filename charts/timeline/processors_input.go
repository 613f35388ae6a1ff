package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// input handles a tick's mouse and held keys: in the plot by the common gestures, in the gutter scrolling, in the ruler scrubbing.
func (c *ProcessorChart) input(env *panel.Env, in *panel.Input) panel.Action {
	t, v := &c.axis, env.View
	if !v.Time().Valid() || len(c.groups) == 0 {
		return panel.Action{}
	}
	if in.Over && t.gutter.Contains(in.X, in.Y) && t.gestures.Drag == panel.DragNone {
		t.gutterWheel(env, in)
		return panel.Action{}
	}
	res, done := t.gesture(env, in)
	if done {
		return panel.Action{}
	}
	switch {
	case res.Menu:
		return panel.MenuOf(c.HitTest(env, res.X, res.Y), res.X, res.Y)
	case res.DoubleClick, res.MiddleClick:
		if p := c.at(res.X, res.Y); p != nil {
			v.ZoomAround(p.bar.Begin, p.bar.End)
		} else if res.DoubleClick {
			t.zoomTo(env, res.X, res.Y)
		}
	case res.Click && t.plot.Contains(res.X, res.Y):
		c.click(env, res.X, res.Y)
	}
	return panel.Action{}
}

// click selects the span at a point, or nothing, and puts the playhead there.
func (c *ProcessorChart) click(env *panel.Env, pxX, pxY float32) {
	v := env.View
	at := v.Time().ToTime(c.axis.plot, float64(pxX))
	switch p := c.at(pxX, pxY); {
	case p == nil:
		v.PlacePlayhead(at)
		v.ClearThing()
	case p.bar.Count == 1:
		v.SelectSpanAt(p.bar, at)
	default: // several in one piece
		v.PlacePlayhead(at)
		v.SelectCollectorOf(c.rows[p.row].track, p.bar.Collector)
	}
}

// at returns the piece that was drawn at a point, nil where none was; the nearest within two pixels counts.
func (c *ProcessorChart) at(pxX, pxY float32) *processorPiece {
	if !c.axis.plot.Contains(pxX, pxY) {
		return nil
	}
	var near *processorPiece
	best := float32(2)
	for i := range c.pieces {
		p := &c.pieces[i]
		if pxY < p.y0 || pxY >= p.y1 {
			continue
		}
		if pxX >= p.x0 && pxX < p.x1 {
			return p
		}
		if far := max(p.x0-pxX, pxX-p.x1); far < best {
			near, best = p, far
		}
	}
	return near
}

// hover tells the other panels what is under the mouse.
func (c *ProcessorChart) hover(env *panel.Env, in *panel.Input) {
	t, v := &c.axis, env.View
	if !in.Over || t.gestures.Busy() || !v.Time().Valid() || len(c.groups) == 0 || !(t.plot.Contains(in.X, in.Y) || t.ruler.Contains(in.X, in.Y)) {
		v.ClearHover(c)
		return
	}
	col := model.NoCollector
	if p := c.at(in.X, in.Y); p != nil {
		col = p.bar.Collector
	}
	v.SetHover(c, col, v.Time().ToTime(t.plot, float64(in.X)), true)
}

// HitTest returns what was drawn at a point, with its tooltip.
func (c *ProcessorChart) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	t, v := &c.axis, env.View
	hit := panel.NoHit()
	if v.Session() == nil || !v.Time().Valid() || !t.rect.Contains(pxX, pxY) || len(c.groups) == 0 {
		return hit
	}
	hit.TimeNs = v.Time().ToTime(t.plot, float64(pxX))
	t.tip.Begin()
	if t.ruler.Contains(pxX, pxY) {
		t.hitRuler(env, &hit)
		return hit
	}
	p := c.at(pxX, pxY)
	if p == nil {
		c.busyTip(env, &hit, pxX, pxY)
		return hit
	}
	track := c.rows[p.row].track
	tr := v.Session().Track(track)
	hit.Track, hit.Collector, hit.Bar, hit.Kind = track, p.bar.Collector, p.bar, panel.HitSpan
	hit.Rect = draw.Rect{X0: p.x0, Y0: p.y0, X1: p.x1, Y1: p.y1}
	hit.Frame = tr.FrameCovering(p.bar.Begin)
	if p.bar.Count > 1 {
		hit.Kind = panel.HitMerged
		t.mergedTip(env, &p.drawnBar)
	} else {
		c.block = timelineBlock{track: track}
		t.spanTip(env, tr, &c.block, &p.drawnBar)
	}
	t.tip.Text("thread\t").Text(tr.Title()).End()
	t.tip.Text("on CPU ").Count(int64(c.groups[p.group].core)).Text("\t").Duration(int64(float64(p.end-p.begin) * float64(p.share))).End()
	hit.Lines = t.tip.All()
	return hit
}

// busyTip says how busy a processor is in view, and with which threads.
func (c *ProcessorChart) busyTip(env *panel.Env, hit *panel.Hit, pxX, pxY float32) {
	t := &c.axis
	gi := c.groupAt(pxY)
	if gi < 0 {
		return
	}
	g := &c.groups[gi]
	y := t.screenY(g.y) + env.Px(lockPad)
	if !t.gutter.Contains(pxX, pxY) && (pxY < y || pxY >= y+env.Px(processorBusyH)) {
		return
	}
	hit.Kind, hit.Rect = panel.HitCore, draw.Rect{X0: t.gutter.X0, Y0: y, X1: t.plot.X1, Y1: y + env.Px(processorBusyH)}
	begin, end := env.View.Time().Visible()
	t.tip.Text("CPU ").Count(int64(g.core)).Text(" in view").End()
	for row := g.from; row < g.to; row++ {
		ns := 0.0
		for i := range c.pieces {
			if p := &c.pieces[i]; p.row == row {
				share := float64(p.share)
				if p.bar.Count > 1 {
					share *= float64(p.bar.Busy)
				}
				ns += share * float64(max(min(p.end, end)-max(p.begin, begin), 0))
			}
		}
		t.tip.Text(env.View.Session().Track(c.rows[row].track).Title()).Text("\t").Percent(ns / max(float64(end-begin), 1)).End()
	}
	t.tip.Add("Time in outermost spans; a thread may wait in one")
	hit.Lines = t.tip.All()
}
