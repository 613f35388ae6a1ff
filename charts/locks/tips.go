package locks

import (
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model/locks"
	"framescope/model/store"
)

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
