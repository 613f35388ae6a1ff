package details

import (
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
	"framescope/model/why"
)

// detailsLock is the figures of a chosen lock: in the selected range, and in all of the recording.
type detailsLock struct {
	locks     []model.CollectorID
	table     []locks.Stats
	here, all locks.Stats
	held      []why.Step // the holders while the chosen use waited
	unknownNs int64      // time of that without a known holder
}

// isLock reports whether a collector is a lock.
func (d *detailsLock) isLock(s *store.Session, c model.CollectorID) bool {
	d.locks = s.Locks().All(d.locks[:0])
	return slices.Contains(d.locks, c)
}

// in returns the numbers of a lock in [t0, t1), in ns.
func (d *detailsLock) in(s *store.Session, lock model.CollectorID, t0, t1 int64) locks.Stats {
	d.table = s.Locks().Stats(t0, t1, d.table[:0])
	for i := range d.table {
		if d.table[i].Lock == lock {
			return d.table[i]
		}
	}
	return locks.Stats{Lock: lock}
}

// measureLock gets the numbers from the model.
func (p *Panel) measureLock(of subjectOf) {
	d := &p.lock
	d.here, d.all = locks.Stats{}, locks.Stats{}
	if d.held, d.unknownNs = nil, 0; waits(of) {
		u, _ := of.thing.Use()
		d.held, d.unknownNs = why.Holders(of.session, &u)
	}
	if of.t1 > of.t0 {
		d.here = d.in(of.session, of.collector, of.t0, of.t1)
	}
	if begin, end, ok := of.session.Bounds(); ok {
		d.all = d.in(of.session, of.collector, begin, end+1)
	}
}

// ofLock is the headline of a lock: for how long threads waited for it, in the selected range or in all of
// the recording, and below it the longest of these waits.
func (p *Why) ofLock(v *view.View, of *subjectOf) headline {
	x, where, c := &p.details.lock.all, "in all of the recording", &p.chain
	if of.t1 > of.t0 {
		x, where = &p.details.lock.here, selectedWords(v)
	}
	h := headline{what: "waited for, " + where, name: p.details.title, value: string(format.AppendDuration(nil, x.WaitNs))}
	words := "No thread waited for it there."
	if x.Waits > 0 {
		b := format.AppendPlural(nil, x.Waits, "wait", "waits")
		b = format.AppendDuration(append(b, ", the longest "...), x.LongestWait.End-x.LongestWait.Begin)
		if t := of.session.Track(x.LongestWait.Track); t != nil {
			b = append(append(b, " by "...), t.Title()...)
		}
		if t := of.session.Track(x.Holder); t != nil && x.HolderNs > 0 {
			b = append(append(b, "; meanwhile "...), t.Title()...)
			b = format.AppendDuration(append(b, " held it for "...), x.HolderNs)
		}
		words = string(append(b, '.'))
	}
	c.begin()
	c.rows = append(c.rows, chainRow{words: words})
	h.chain = c.stamp
	return h
}

// waits reports whether a use of a lock is chosen in which a thread waited, or tried in vain.
func waits(of subjectOf) bool {
	u, ok := of.thing.Use()
	return ok && (u.Kind == locks.Waiting || u.Kind == locks.Failed) && u.End > u.Begin
}

// drawLock describes the chosen lock.
func (p *Panel) drawLock(env *panel.Env, of subjectOf) {
	k := of.session.Collector(of.collector)
	p.title, p.mode = k.Name, "lock"
	r := p.stripe(env, of.collector)
	if u, ok := of.thing.Use(); ok {
		p.useRows(&r, of, &u)
		r.line()
	}
	if of.t1 > of.t0 {
		r.head(selectedWords(env.View))
		p.lockRows(&r, of, &p.lock.here)
		r.line()
	}
	r.head("in all of the recording")
	p.lockRows(&r, of, &p.lock.all)
}

// selectedWords name the range of the numbers.
func selectedWords(v *view.View) string {
	return format.Pick(v.RangeIsFrames(), "in the selected frames", "in the selected range")
}

// useWords describe the uses of a lock.
var useWords = [...]string{
	locks.Holding: "held by", locks.Waiting: "waited for by", locks.Failed: "tried in vain by",
	locks.Condition: "condition of", locks.Signalling: "signalled by",
}

// useRows writes the facts of one use of a lock.
func (p *Panel) useRows(r *rows, of subjectOf, u *locks.Use) {
	t := r.env.Theme
	r.head("this use")
	if track := of.session.Track(u.Track); track != nil {
		r.add(useWords[u.Kind], track.Title(), t.Text)
	}
	if u.Kind != locks.Signalling && u.Kind != locks.Failed {
		took := string(format.AppendDuration(nil, u.End-u.Begin))
		if u.OpenBegin || u.OpenEnd {
			took = "≥ " + took
		}
		r.add("took", took, t.Text)
	}
	p.holderRows(r, of)
	r.add("at", string(format.AppendClock(nil, u.Begin, of.session.Info().Clock.Step(u.Begin))), t.Text)
}

// mostHolders is the greatest number of threads listed as holders of a lock meanwhile.
const mostHolders = 4

// holderRows writes the holders of the lock while the chosen use waited, and for how much of that.
func (p *Panel) holderRows(r *rows, of subjectOf) {
	if !waits(of) {
		return
	}
	t, d := r.env.Theme, &p.lock
	for i := range d.held[:min(len(d.held), mostHolders)] {
		if track := of.session.Track(d.held[i].Track); track != nil {
			b := append([]byte(track.Title()), " · "...)
			r.add("held by", string(format.AppendDuration(b, d.held[i].Ns)), t.Text)
		}
	}
	if n := len(d.held) - mostHolders; n > 0 {
		r.add("and", string(append(format.AppendCount(nil, int64(n)), " more"...)), t.TextDim)
	}
	r.If(d.unknownNs > 0).add("no holder known", string(format.AppendDuration(nil, d.unknownNs)), t.TextDim)
}

// lockRows writes the numbers of a lock that are not 0.
func (p *Panel) lockRows(r *rows, of subjectOf, x *locks.Stats) {
	t := r.env.Theme
	counted := func(name string, ns, n int64) {
		if n == 0 {
			return
		}
		b := format.AppendCount(append(format.AppendDuration(nil, ns), " · "...), n)
		r.add(name, string(append(b, "×"...)), t.Text)
	}
	longest := func(name string, u *locks.Use) {
		if u.End <= u.Begin {
			return
		}
		b := format.AppendDuration(nil, u.End-u.Begin)
		if track := of.session.Track(u.Track); track != nil {
			b = append(append(b, ", "...), track.Title()...)
		}
		r.add(name, string(b), t.Text)
	}
	if x.Waits+x.Unheld+x.Holds+x.Failed+x.Conditions+x.Signals == 0 {
		r.add("not used", "—", t.TextDim)
		return
	}
	counted("waited", x.WaitNs, x.Waits)
	longest("longest wait", &x.LongestWait)
	counted("no holder known", x.UnheldNs, x.Unheld)
	counted("held", x.HoldNs, x.Holds)
	longest("longest hold", &x.LongestHold)
	counted("condition", x.ConditionNs, x.Conditions)
	for _, n := range [...]struct {
		name  string
		count int64
	}{{"signals", x.Signals}, {"tries in vain", x.Failed}, {"threads", int64(x.Threads)}} {
		r.If(n.count > 0).add(n.name, string(format.AppendCount(nil, n.count)), t.Text)
	}
}
