package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// input handles a tick's mouse and held keys: in the plot by the common gestures, in the gutter selecting and scrolling, in the ruler scrubbing.
func (c *LockChart) input(env *panel.Env, in *panel.Input) panel.Action {
	t, v := &c.axis, env.View
	if !v.Time().Valid() || len(c.groups) == 0 {
		return panel.Action{}
	}
	if act, done := c.inputGutter(env, in); done {
		return act
	}
	res, done := t.gesture(env, in)
	if done {
		return panel.Action{}
	}
	switch {
	case res.Menu:
		return panel.MenuOf(c.HitTest(env, res.X, res.Y), res.X, res.Y)
	case res.DoubleClick, res.MiddleClick:
		if d := c.at(res.X, res.Y); d != nil {
			v.ZoomAround(d.bar.Begin, d.bar.End)
		} else if res.DoubleClick {
			t.zoomTo(env, res.X, res.Y)
		}
	case res.Click && t.plot.Contains(res.X, res.Y):
		c.click(env, res.X, res.Y)
	}
	return panel.Action{}
}

// click selects the use and the lock at a point, or nothing, and puts the playhead there.
func (c *LockChart) click(env *panel.Env, pxX, pxY float32) {
	v := env.View
	v.PlacePlayhead(v.Time().ToTime(c.axis.plot, float64(pxX)))
	v.ClearThing()
	c.hasSelected = false
	if g := c.groupAt(pxY); g >= 0 {
		v.SelectCollector(c.groups[g].lock)
		if d := c.at(pxX, pxY); d != nil && d.bar.Count == 1 {
			c.selected, c.hasSelected = d.bar.LockUse, true
		}
	}
}

// inputGutter selects a lock by a click on its name, scrolls by the wheel and by a drag. done tells that the gutter has the mouse.
func (c *LockChart) inputGutter(env *panel.Env, in *panel.Input) (act panel.Action, done bool) {
	t, v := &c.axis, env.View
	clicked, menu, done := t.gutterGesture(env, in)
	if g := c.groupAt(in.Y); g >= 0 && clicked {
		v.SelectCollector(c.groups[g].lock)
	} else if g >= 0 && menu {
		return panel.MenuOf(c.HitTest(env, in.X, in.Y), in.X, in.Y), true
	}
	return panel.Action{}, done
}

// hover tells the other panels what is under the mouse.
func (c *LockChart) hover(env *panel.Env, in *panel.Input) {
	t, v := &c.axis, env.View
	if !in.Over || t.gestures.Busy() || !v.Time().Valid() || len(c.groups) == 0 || !t.rect.Contains(in.X, in.Y) || c.legend.Contains(in.X, in.Y) {
		v.ClearHover(c)
		return
	}
	lock := model.NoCollector
	if g := c.groupAt(in.Y); g >= 0 {
		lock = c.groups[g].lock
	}
	v.SetHover(c, lock, v.Time().ToTime(t.plot, float64(in.X)), in.X >= t.plot.X0)
}

// drawOver draws what changes with the mouse and the playhead over the base list.
func (c *LockChart) drawOver(env *panel.Env, in *panel.Input) {
	t, th := &c.axis, env.Theme
	l, one := t.list, max(1, float32(int(env.Scale)))
	l.PushClip(t.plot)
	if in.Over && !t.gestures.Busy() {
		if d := c.at(in.X, in.Y); d != nil {
			l.Outline(d.r, one, draw.Color(th.Text).WithAlpha(150))
		}
	}
	if c.hasSelected {
		for i := range c.px {
			if d := &c.px[i]; d.bar.Count == 1 && d.bar.LockUse == c.selected {
				l.Outline(draw.Rect{X0: d.r.X0 - 1, Y0: d.r.Y0 - 1, X1: d.r.X1 + 1, Y1: d.r.Y1 + 1}, env.Px(2), draw.Color(th.Text))
			}
		}
	}
	l.PopClip()
	t.drawCursors(env, in)
}
