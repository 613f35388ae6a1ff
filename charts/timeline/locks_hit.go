package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// at returns what was drawn last at a point, nil where nothing was. A bar of a pixel or two is hard to meet: the nearest within two pixels counts.
func (c *LockChart) at(pxX, pxY float32) *drawnLock {
	if !c.axis.plot.Contains(pxX, pxY) {
		return nil
	}
	var near *drawnLock
	best := float32(2)
	for i := len(c.px) - 1; i >= 0; i-- {
		d := &c.px[i]
		if pxY < d.r.Y0 || pxY >= d.r.Y1 {
			continue
		}
		if pxX >= d.r.X0 && pxX < d.r.X1 {
			return d
		}
		if far := max(d.r.X0-pxX, pxX-d.r.X1); far < best {
			near, best = d, far
		}
	}
	return near
}

// HitTest returns what was drawn at a point, with its tooltip.
func (c *LockChart) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	t, v := &c.axis, env.View
	hit := panel.NoHit()
	if v.Session() == nil || !v.Time().Valid() || !t.rect.Contains(pxX, pxY) || len(c.groups) == 0 {
		return hit
	}
	hit.TimeNs = v.Time().ToTime(t.plot, float64(pxX))
	c.tip.Begin()
	if t.ruler.Contains(pxX, pxY) {
		t.tip.Begin()
		t.hitRuler(env, &hit)
		return hit
	}
	gi := c.groupAt(pxY)
	if gi < 0 {
		return hit
	}
	g := &c.groups[gi]
	hit.Collector = g.lock
	if t.gutter.Contains(pxX, pxY) {
		hit.Kind = panel.HitCollector
		hit.Rect = draw.Rect{X0: t.gutter.X0, Y0: t.screenY(g.y), X1: t.gutter.X1, Y1: t.screenY(g.y + g.h)}
		c.lockTip(env, g)
		hit.Lines = c.tip.All()
		return hit
	}
	d := c.at(pxX, pxY)
	if d == nil {
		return hit
	}
	hit.Kind, hit.Rect, hit.Track = panel.HitLock, d.r, d.bar.Track
	switch {
	case d.from < d.to:
		c.columnTip(env, d)
	case d.bar.Count > 1:
		c.manyTip(env, d)
	default:
		c.useTip(env, d)
	}
	hit.Lines = c.tip.All()
	return hit
}

// lockTip summarises a lock in the visible range.
func (c *LockChart) lockTip(env *panel.Env, g *lockGroup) {
	v, tip := env.View, &c.tip
	begin, end := v.Time().Visible()
	tip.Text(lockName(v.Session(), g.lock)).End()
	c.stats = v.Session().LockTable(begin, end, c.stats[:0])
	for i := range c.stats {
		st := &c.stats[i]
		if st.Lock != g.lock {
			continue
		}
		tip.Text("in view:").End()
		if st.Holds > 0 {
			tip.Text("held\t").Count(st.Holds).Text(" × · ").Duration(st.HoldNs).End()
			c.longestTip(env, "longest\t", &st.LongestHold)
		}
		if st.Waits > 0 {
			tip.Text("waited for\t").Count(st.Waits).Text(" × · ").Duration(st.WaitNs).End()
			c.longestTip(env, "longest\t", &st.LongestWait)
		}
		if st.Failed > 0 {
			tip.Text("tries in vain\t").Count(st.Failed).End()
		}
		if st.Conditions > 0 || st.Signals > 0 {
			tip.Text("conditions\t").Count(st.Conditions).Text(" × · ").Duration(st.ConditionNs).End()
			tip.Text("signals\t").Count(st.Signals).End()
		}
		tip.Text("threads\t").Count(int64(st.Threads)).End()
	}
	if len(tip.Ends) == 1 {
		tip.Add("Not used in view.")
	}
	if g.more > 0 {
		tip.Plural(int64(g.more), "more thread that waited has", "more threads that waited have").Text(" no row.").End()
	}
}

func (c *LockChart) longestTip(env *panel.Env, name string, u *model.LockUse) {
	c.tip.Text(name).Duration(u.End - u.Begin).Text(" by ").Text(env.View.Session().Track(u.Track).Title()).End()
}

// useTip describes one use.
func (c *LockChart) useTip(env *panel.Env, d *drawnLock) {
	v, tip, b := env.View, &c.tip, &d.bar
	name, who := lockName(v.Session(), b.Lock), v.Session().Track(b.Track).Title()
	switch b.Kind {
	case model.LockHolding:
		tip.Text(who).Text(" holds ").Text(name).End()
	case model.LockWaiting:
		tip.Text(who).Text(" waits for ").Text(name).End()
	case model.LockFailed:
		tip.Text(who).Text(" tries ").Text(name).Text(" in vain").End()
	case model.LockCondition:
		tip.Text(who).Text(" waits for the condition ").Text(name).End()
	case model.LockSignalling:
		tip.Text(who).Text(" signals ").Text(name).End()
	}
	if b.Kind != model.LockSignalling && b.Kind != model.LockFailed {
		if b.OpenBegin || b.OpenEnd {
			tip.Text("at least\t")
		} else {
			tip.Text("duration\t")
		}
		tip.Duration(b.End - b.Begin).End()
	}
	if b.Depth > 0 {
		tip.Text("held already\t").Count(int64(b.Depth)).Text(" ×").End()
	}
	tip.Text("at\t").Clock(b.Begin).End()
	switch b.Kind {
	case model.LockHolding:
		c.beforeTip(env, b)
		c.meanwhileTip(env, b, model.LockWaiting, "kept waiting\t")
	case model.LockWaiting, model.LockFailed:
		c.meanwhileTip(env, b, model.LockHolding, "held by\t")
	}
	for i := range c.arrowPx {
		a := &c.arrowPx[i].arrow
		switch {
		case a.Lock != b.Lock:
		case b.Kind == model.LockCondition && a.ToTrack == b.Track && a.ToTime == b.End && a.WaitBegin == b.Begin:
			tip.Text("woken by\t").Text(v.Session().Track(a.FromTrack).Title()).End()
			tip.Text("after its signal\t").Duration(a.ToTime - a.FromTime).End()
		case b.Kind == model.LockSignalling && a.FromTrack == b.Track && a.FromTime == b.Begin:
			tip.Text("wakes\t").Text(v.Session().Track(a.ToTrack).Title()).End()
			tip.Text("after\t").Duration(a.ToTime - a.FromTime).End()
		}
	}
	switch {
	case b.OpenBegin && b.OpenEnd:
		tip.Add("Neither its begin nor its end was received.")
	case b.OpenBegin:
		tip.Add("It began before what was received.")
	case b.OpenEnd:
		tip.Add("It had not ended when the data end.")
	}
}

// beforeTip says how long a thread had waited for what it holds.
func (c *LockChart) beforeTip(env *panel.Env, b *model.LockBar) {
	if b.Depth > 0 {
		return
	}
	c.tipBars = env.View.Session().LockBars(b.Lock, b.Begin, b.Begin, 1, c.tipBars[:0])
	for i := range c.tipBars {
		if w := &c.tipBars[i]; w.Kind == model.LockWaiting && w.Track == b.Track && w.End == b.Begin && w.End > w.Begin {
			c.tip.Text("waited before\t").Duration(w.End - w.Begin).End()
		}
	}
}

// meanwhileTip names the threads that did something with a lock during a use, with the time that they did it, a few of them.
func (c *LockChart) meanwhileTip(env *panel.Env, b *model.LockBar, kind model.LockUseKind, name string) {
	const few, parts = 4, 64
	v := env.View
	c.tipBars = v.Session().LockBars(b.Lock, b.Begin, b.End, max((b.End-b.Begin)/parts, 1), c.tipBars[:0])
	from := len(c.shares) // behind those of the picture
	c.column.from = from
	for i := range c.tipBars {
		w := &c.tipBars[i]
		if w.Kind != kind || w.Depth > 0 || w.Track == b.Track {
			continue
		}
		w.BusyNs -= max(min(w.BusyNs, b.Begin-w.Begin), 0) + max(min(w.BusyNs, w.End-b.End), 0)
		if w.BusyNs > 0 {
			c.share(w)
		}
	}
	for i, s := range c.shares[from:] {
		if i == few {
			c.tip.Text("and ").Count(int64(len(c.shares) - from - few)).Text(" more").End()
			break
		}
		c.tip.Text(name).Text(v.Session().Track(s.track).Title()).Text(" · ").Duration(s.busyNs).End()
	}
	c.shares = c.shares[:from]
}

// columnTip describes a column of holds that are too short to be told apart.
func (c *LockChart) columnTip(env *panel.Env, d *drawnLock) {
	v, tip := env.View, &c.tip
	tip.Text(lockName(v.Session(), d.bar.Lock)).Text(" is held ").Count(int64(d.bar.Count)).Text(" ×").End()
	tip.Text("within\t").Duration(d.bar.End - d.bar.Begin).End()
	for _, s := range c.shares[d.from:d.to] {
		tip.Text(v.Session().Track(s.track).Title()).Text("\t").Count(int64(s.count)).Text(" × · ").Duration(s.busyNs).End()
	}
}

// manyTip describes several uses by one thread.
func (c *LockChart) manyTip(env *panel.Env, d *drawnLock) {
	v, tip, b := env.View, &c.tip, &d.bar
	what := "holds"
	switch b.Kind {
	case model.LockWaiting:
		what = "waits"
	case model.LockFailed:
		what = "tries in vain"
	case model.LockCondition:
		what = "waits for a condition"
	case model.LockSignalling:
		what = "signals"
	}
	tip.Text(lockName(v.Session(), b.Lock)).Text(": ").Count(int64(b.Count)).Text(" ").Text(what).End()
	tip.Text("by\t").Text(v.Session().Track(b.Track).Title()).End()
	tip.Text("within\t").Duration(b.End - b.Begin).End()
	if b.BusyNs > 0 {
		tip.Text("in all\t").Duration(b.BusyNs).End()
	}
}
