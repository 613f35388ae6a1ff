package locks

import (
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/locks"
)

// input handles a tick's mouse and held keys: the pane handles the axis; clicks select a use or, in
// the gutter, a lock.
func (c *Chart) input(env *panel.Env, in *panel.Input) panel.Action {
	p, v := &c.pane, env.View
	switch g := p.Input(env, in, nil); {
	case g.Menu:
		return g.MenuOf(c.HitTest(env, g.X, g.Y))
	case g.DoubleClick, g.MiddleClick:
		if d := c.uses.at(p, g.X, g.Y); d != nil {
			v.Steer().ZoomAround(d.bar.Begin, d.bar.End)
		} else if g.DoubleClick {
			p.ZoomToFrame(env, g.X)
		}
	case g.Click && g.Label:
		if at := c.stack.Find(p, g.Y); at != nil {
			v.Select(view.Lock(at.lock))
		}
	case g.Click:
		c.click(env, g.X, g.Y)
	}
	return panel.Action{}
}

// click selects the use and the lock at a point, or nothing, and puts the playhead there.
func (c *Chart) click(env *panel.Env, pxX, pxY float32) {
	v := env.View
	timeNs := c.pane.TimeAt(env, pxX)
	g := c.stack.Find(&c.pane, pxY)
	if g == nil {
		v.PlacePlayhead(timeNs)
		v.ClearThing()
		return
	}
	thing := view.Lock(g.lock)
	if d := c.uses.at(&c.pane, pxX, pxY); d != nil && d.bar.Count == 1 {
		thing = view.Use(d.bar.Use)
	}
	v.SelectAt(thing, timeNs)
}

// HitTest returns the item drawn at a point, with its tooltip.
func (c *Chart) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	hit, g, label := c.stack.HitTest(&c.pane, env, pxX, pxY)
	if g == nil {
		return *hit
	}
	hit.Collector, hit.Thing = g.lock, view.Lock(g.lock)
	if !label {
		c.stack.Describe(&c.pane, env, pxX, pxY, hit)
		return *hit
	}
	hit.Kind = panel.HitCollector
	c.lockTip(env, g)
	hit.Lines = c.pane.Tip().All()
	return *hit
}

// lockTip summarises a lock in the visible range.
func (c *Chart) lockTip(env *panel.Env, g *group) {
	s, tip := env.View.Session(), c.pane.Tip()
	begin, end := env.View.Time().Visible()
	longest := func(u *locks.Use) {
		tip.Text("longest\t").Duration(u.End - u.Begin).Text(" by ").Text(s.Track(u.Track).Title()).End()
	}
	tip.Text(lockName(s, g.lock)).End()
	c.stats = s.Locks().Stats(begin, end, c.stats[:0])
	for i := range c.stats {
		st := &c.stats[i]
		if st.Lock != g.lock {
			continue
		}
		tip.Text("in view:").End()
		if st.Holds > 0 {
			tip.Text("held\t").Count(st.Holds).Text(" × · ").Duration(st.HoldNs).End()
			longest(&st.LongestHold)
		}
		if st.Waits > 0 {
			tip.Text("waited for\t").Count(st.Waits).Text(" × · ").Duration(st.WaitNs).End()
			longest(&st.LongestWait)
		}
		tip.If(st.Failed > 0).Text("tries in vain\t").Count(st.Failed).End()
		if st.Conditions > 0 || st.Signals > 0 {
			tip.Text("conditions\t").Count(st.Conditions).Text(" × · ").Duration(st.ConditionNs).End()
			tip.Text("signals\t").Count(st.Signals).End()
		}
		tip.Text("threads\t").Count(int64(st.Threads)).End()
	}
	tip.If(len(tip.Ends) == 1).Add("Not used in view.")
	if g.more > 0 {
		tip.Plural(int64(g.more), "more thread that waited has", "more threads that waited have").Text(" no row.").End()
	}
}
