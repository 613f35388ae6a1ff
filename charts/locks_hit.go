package charts

import (
	"framescope/charts/draw"
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
func (c *LockChart) HitTest(env *Env, pxX, pxY float32) Hit {
	t, v := &c.axis, env.View
	hit := hitNothing()
	if v.Session() == nil || !v.Time().Valid() || !t.rect.Contains(pxX, pxY) || len(c.groups) == 0 {
		return hit
	}
	hit.TimeNs = v.Time().ToTime(t.plot, float64(pxX))
	c.tip.begin()
	if t.ruler.Contains(pxX, pxY) {
		t.tip.begin()
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
		hit.Kind = HitCollector
		hit.Rect = draw.Rect{X0: t.gutter.X0, Y0: t.screenY(g.y), X1: t.gutter.X1, Y1: t.screenY(g.y + g.h)}
		c.lockTip(env, g)
		hit.Lines = c.tip.all()
		return hit
	}
	d := c.at(pxX, pxY)
	if d == nil {
		return hit
	}
	hit.Kind, hit.Rect, hit.Track = HitLock, d.r, d.bar.Track
	switch {
	case d.from < d.to:
		c.columnTip(env, d)
	case d.bar.Count > 1:
		c.manyTip(env, d)
	default:
		c.useTip(env, d)
	}
	hit.Lines = c.tip.all()
	return hit
}

// lockTip summarises a lock in the visible range.
func (c *LockChart) lockTip(env *Env, g *lockGroup) {
	v, tip := env.View, &c.tip
	begin, end := v.Time().Visible()
	tip.text(lockName(v.Session(), g.lock)).end()
	c.stats = v.Session().LockTable(begin, end, c.stats[:0])
	for i := range c.stats {
		st := &c.stats[i]
		if st.Lock != g.lock {
			continue
		}
		tip.text("in view:").end()
		if st.Holds > 0 {
			tip.text("held\t").count(st.Holds).text(" × · ").duration(st.HoldNs).end()
			c.longestTip(env, "longest\t", &st.LongestHold)
		}
		if st.Waits > 0 {
			tip.text("waited for\t").count(st.Waits).text(" × · ").duration(st.WaitNs).end()
			c.longestTip(env, "longest\t", &st.LongestWait)
		}
		if st.Failed > 0 {
			tip.text("tries in vain\t").count(st.Failed).end()
		}
		if st.Conditions > 0 || st.Signals > 0 {
			tip.text("conditions\t").count(st.Conditions).text(" × · ").duration(st.ConditionNs).end()
			tip.text("signals\t").count(st.Signals).end()
		}
		tip.text("threads\t").count(int64(st.Threads)).end()
	}
	if len(tip.ends) == 1 {
		tip.add("Not used in view.")
	}
	if g.more > 0 {
		tip.plural(int64(g.more), "more thread that waited has", "more threads that waited have").text(" no row.").end()
	}
}

func (c *LockChart) longestTip(env *Env, name string, u *model.LockUse) {
	c.tip.text(name).duration(u.End - u.Begin).text(" by ").text(env.View.Session().Track(u.Track).Title()).end()
}

// useTip describes one use.
func (c *LockChart) useTip(env *Env, d *drawnLock) {
	v, tip, b := env.View, &c.tip, &d.bar
	name, who := lockName(v.Session(), b.Lock), v.Session().Track(b.Track).Title()
	switch b.Kind {
	case model.LockHolding:
		tip.text(who).text(" holds ").text(name).end()
	case model.LockWaiting:
		tip.text(who).text(" waits for ").text(name).end()
	case model.LockFailed:
		tip.text(who).text(" tries ").text(name).text(" in vain").end()
	case model.LockCondition:
		tip.text(who).text(" waits for the condition ").text(name).end()
	case model.LockSignalling:
		tip.text(who).text(" signals ").text(name).end()
	}
	if b.Kind != model.LockSignalling && b.Kind != model.LockFailed {
		if b.OpenBegin || b.OpenEnd {
			tip.text("at least\t")
		} else {
			tip.text("duration\t")
		}
		tip.duration(b.End - b.Begin).end()
	}
	if b.Depth > 0 {
		tip.text("held already\t").count(int64(b.Depth)).text(" ×").end()
	}
	tip.text("at\t").clock(b.Begin).end()
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
			tip.text("woken by\t").text(v.Session().Track(a.FromTrack).Title()).end()
			tip.text("after its signal\t").duration(a.ToTime - a.FromTime).end()
		case b.Kind == model.LockSignalling && a.FromTrack == b.Track && a.FromTime == b.Begin:
			tip.text("wakes\t").text(v.Session().Track(a.ToTrack).Title()).end()
			tip.text("after\t").duration(a.ToTime - a.FromTime).end()
		}
	}
	switch {
	case b.OpenBegin && b.OpenEnd:
		tip.add("Neither its begin nor its end was received.")
	case b.OpenBegin:
		tip.add("It began before what was received.")
	case b.OpenEnd:
		tip.add("It had not ended when the data end.")
	}
}

// beforeTip says how long a thread had waited for what it holds.
func (c *LockChart) beforeTip(env *Env, b *model.LockBar) {
	if b.Depth > 0 {
		return
	}
	c.tipBars = env.View.Session().LockBars(b.Lock, b.Begin, b.Begin, 1, c.tipBars[:0])
	for i := range c.tipBars {
		if w := &c.tipBars[i]; w.Kind == model.LockWaiting && w.Track == b.Track && w.End == b.Begin && w.End > w.Begin {
			c.tip.text("waited before\t").duration(w.End - w.Begin).end()
		}
	}
}

// meanwhileTip names the threads that did something with a lock during a use, with the time that they did it, a few of them.
func (c *LockChart) meanwhileTip(env *Env, b *model.LockBar, kind model.LockUseKind, name string) {
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
			c.tip.text("and ").count(int64(len(c.shares) - from - few)).text(" more").end()
			break
		}
		c.tip.text(name).text(v.Session().Track(s.track).Title()).text(" · ").duration(s.busyNs).end()
	}
	c.shares = c.shares[:from]
}

// columnTip describes a column of holds that are too short to be told apart.
func (c *LockChart) columnTip(env *Env, d *drawnLock) {
	v, tip := env.View, &c.tip
	tip.text(lockName(v.Session(), d.bar.Lock)).text(" is held ").count(int64(d.bar.Count)).text(" ×").end()
	tip.text("within\t").duration(d.bar.End - d.bar.Begin).end()
	for _, s := range c.shares[d.from:d.to] {
		tip.text(v.Session().Track(s.track).Title()).text("\t").count(int64(s.count)).text(" × · ").duration(s.busyNs).end()
	}
}

// manyTip describes several uses by one thread.
func (c *LockChart) manyTip(env *Env, d *drawnLock) {
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
	tip.text(lockName(v.Session(), b.Lock)).text(": ").count(int64(b.Count)).text(" ").text(what).end()
	tip.text("by\t").text(v.Session().Track(b.Track).Title()).end()
	tip.text("within\t").duration(b.End - b.Begin).end()
	if b.BusyNs > 0 {
		tip.text("in all\t").duration(b.BusyNs).end()
	}
}
