package locks

import (
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
)

// input handles a tick's mouse and held keys: the pane handles the axis; clicks select a use or, in
// the gutter, a lock.
func (c *Chart) input(env *panel.Env, in *panel.Input) panel.Action {
	p, v := &c.pane, env.View
	if in.DoubleClick && in.Over && p.Gutter().Contains(in.X, in.Y) {
		if at := c.stack.Find(p, in.Y); at != nil {
			c.goToLongest(env, at.lock)
		}
		return panel.Action{}
	}
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
	tip.Text(lockName(s, g.lock)).End()
	if st := c.statsOf(env, g.lock); st == nil {
		tip.Add("Not used in view.")
	} else {
		begin, end := env.View.Time().Visible()
		c.usedTip(s, st, end-begin)
	}
	if g.more > 0 {
		tip.Plural(int64(g.more), "more thread that waited has", "more threads that waited have").Text(" no row.").End()
	}
}

// statsOf returns the figures of a lock in the visible range, nil where it was not used.
func (c *Chart) statsOf(env *panel.Env, lock model.CollectorID) *locks.Stats {
	begin, end := env.View.Time().Visible()
	c.stats = env.View.Session().Locks().Stats(begin, end, c.stats[:0])
	if i := slices.IndexFunc(c.stats, func(st locks.Stats) bool { return st.Lock == lock }); i >= 0 {
		return &c.stats[i]
	}
	return nil
}

// usedTip describes how a lock was used in a range of a length.
func (c *Chart) usedTip(s *store.Session, st *locks.Stats, ns int64) {
	tip := c.pane.Tip()
	longest := func(u *locks.Use) {
		tip.Text("longest\t").Duration(u.End - u.Begin).Text(" by ").Text(s.Track(u.Track).Title()).End()
	}
	tip.Text("in view:").End()
	if st.Holds > 0 {
		tip.Text("held\t").Count(st.Holds).Text(" × · ").Duration(st.HoldNs).End()
		tip.Text("of the time\t").Percent(float64(st.HoldNs) / float64(ns)).End()
		tip.Text("in the mean\t").Mean(st.HoldNs, st.Holds).End()
		longest(&st.LongestHold)
	}
	if st.Waits > 0 {
		tip.Text("waited for\t").Count(st.Waits).Text(" × · ").Duration(st.WaitNs).End()
		tip.Text("in the mean\t").Mean(st.WaitNs, st.Waits).End()
		longest(&st.LongestWait)
		tip.If(st.HolderNs > 0).Text("meanwhile held by\t").Text(s.Track(st.Holder).Title()).Text(" · ").Duration(st.HolderNs).End()
	}
	tip.If(st.Failed > 0).Text("tries in vain\t").Count(st.Failed).End()
	if st.Conditions > 0 {
		tip.Text("conditions\t").Count(st.Conditions).Text(" × · ").Duration(st.ConditionNs).End()
		longest(&st.LongestCondition)
	}
	tip.If(st.Signals > 0).Text("signals\t").Count(st.Signals).End()
	tip.Text("threads\t").Count(int64(st.Threads)).End()
	tip.Add("double click: the longest wait, or hold")
}

// goToLongest selects the longest wait for a lock in view, or the longest hold if nothing waited, and goes there.
func (c *Chart) goToLongest(env *panel.Env, lock model.CollectorID) {
	st := c.statsOf(env, lock)
	if st == nil {
		return
	}
	u := st.LongestWait
	if u.End == 0 {
		u = st.LongestHold
	}
	if u.End > u.Begin {
		pad := max((u.End-u.Begin)*2, format.MinNs)
		env.View.SelectAt(view.Use(u), u.Begin)
		env.View.Steer().ZoomTo(u.Begin-pad, u.End+pad)
	}
}

// Hit implements timepane.Lane.
func (u *useLane) Hit(p *timepane.Pane, env *panel.Env, _ *group, at timepane.Spot, hit *panel.Hit) bool {
	d := u.at(p, at.PxX, at.PxY)
	if d == nil {
		return false
	}
	hit.Kind, hit.Rect, hit.Track = panel.HitLock, d.r, d.bar.Track
	switch {
	case d.from < d.to:
		u.columnTip(env.View.Session(), p.Tip(), d)
	case d.bar.Count > 1:
		u.manyTip(env.View.Session(), p.Tip(), d.bar)
	default:
		hit.Thing = view.Use(d.bar.Use)
		u.useTip(env, p.Tip(), d.bar)
	}
	return true
}

// verbs are the words for a thread's use of a lock.
var verbs = [...]struct{ one, after, many string }{
	locks.Holding:    {" holds ", "", " holds"},
	locks.Waiting:    {" waits for ", "", " waits"},
	locks.Failed:     {" tries ", " in vain", " tries in vain"},
	locks.Condition:  {" waits for the condition ", "", " waits for a condition"},
	locks.Signalling: {" signals ", "", " signals"},
}

// useTip describes one use.
func (u *useLane) useTip(env *panel.Env, tip *panel.TipLines, b *locks.Bar) {
	s := env.View.Session()
	name, who := lockName(s, b.Lock), s.Track(b.Track).Title()
	verb := &verbs[b.Kind]
	tip.Text(who).Text(verb.one).Text(name).Text(verb.after).End()
	if b.Kind != locks.Signalling && b.Kind != locks.Failed {
		timepane.DurationTip(tip, b.End-b.Begin, b.OpenBegin || b.OpenEnd)
		tip.End()
	}
	tip.If(b.Depth > 0).Text("held already\t").Count(int64(b.Depth)).Text(" ×").End()
	tip.Text("at\t").Clock(b.Begin).End()
	switch b.Kind {
	case locks.Holding:
		u.beforeTip(s, tip, b)
		u.meanwhileTip(s, tip, b, locks.Waiting, "kept waiting\t")
	case locks.Waiting, locks.Failed:
		u.meanwhileTip(s, tip, b, locks.Holding, "held by\t")
	}
	for i := range u.arrows {
		a := &u.arrows[i]
		switch {
		case !a.Joins(&b.Use):
		case b.Kind == locks.Condition:
			tip.Text("woken by\t").Text(s.Track(a.FromTrack).Title()).End()
			tip.Text("after its signal\t").Duration(a.ToTime - a.FromTime).End()
		case b.Kind == locks.Signalling:
			tip.Text("wakes\t").Text(s.Track(a.ToTrack).Title()).End()
			tip.Text("after\t").Duration(a.ToTime - a.FromTime).End()
		}
	}
	timepane.OpenTip(tip, b.OpenBegin, b.OpenEnd)
}

// beforeTip adds how long a thread had waited before a hold.
func (u *useLane) beforeTip(s *store.Session, tip *panel.TipLines, b *locks.Bar) {
	if b.Depth > 0 {
		return
	}
	u.near = s.Locks().Bars(b.Lock, b.Begin, b.Begin, 1, u.near[:0])
	for i := range u.near {
		if w := &u.near[i]; w.Kind == locks.Waiting && w.Track == b.Track && w.End == b.Begin && w.End > w.Begin {
			tip.Text("waited before\t").Duration(w.End - w.Begin).End()
		}
	}
}

// meanwhileTip names the threads that did something with a lock during a use, with the time that
// they did it, a few of them.
func (u *useLane) meanwhileTip(
	s *store.Session, tip *panel.TipLines, b *locks.Bar, kind locks.UseKind, name string,
) {
	const few, parts = 4, 64
	u.near = s.Locks().Bars(b.Lock, b.Begin, b.End, max((b.End-b.Begin)/parts, 1), u.near[:0])
	from := len(u.shares) // behind those of the picture
	u.column.from = from
	for i := range u.near {
		w := &u.near[i]
		if w.Kind != kind || w.Depth > 0 || w.Track == b.Track {
			continue
		}
		w.BusyNs -= max(min(w.BusyNs, b.Begin-w.Begin), 0) + max(min(w.BusyNs, w.End-b.End), 0)
		if w.BusyNs > 0 {
			u.share(w)
		}
	}
	for i, sh := range u.shares[from:] {
		if i == few {
			tip.Text("and ").Count(int64(len(u.shares) - from - few)).Text(" more").End()
			break
		}
		tip.Text(name).Text(s.Track(sh.track).Title()).Text(" · ").Duration(sh.busyNs).End()
	}
	u.shares = u.shares[:from]
}

// columnTip describes a column of merged short holds.
func (u *useLane) columnTip(s *store.Session, tip *panel.TipLines, d *drawnUse) {
	tip.Text(lockName(s, d.bar.Lock)).Text(" is held ").Count(int64(d.bar.Count)).Text(" ×").End()
	tip.Text("within\t").Duration(d.bar.End - d.bar.Begin).End()
	for _, sh := range u.shares[d.from:d.to] {
		tip.Text(s.Track(sh.track).Title()).Text("\t").Count(int64(sh.count)).Text(" × · ").Duration(sh.busyNs).End()
	}
}

// manyTip describes several uses by one thread.
func (u *useLane) manyTip(s *store.Session, tip *panel.TipLines, b *locks.Bar) {
	tip.Text(lockName(s, b.Lock)).Text(": ").Count(int64(b.Count)).Text(verbs[b.Kind].many).End()
	tip.Text("by\t").Text(s.Track(b.Track).Title()).End()
	tip.Text("within\t").Duration(b.End - b.Begin).End()
	tip.If(b.BusyNs > 0).Text("in all\t").Duration(b.BusyNs).End()
}
