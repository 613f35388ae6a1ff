package calls

import (
	"cmp"
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/model/store"
)

// goOn updates the search to the present settings, and takes a step.
func (c *Slow) goOn(env *panel.Env) {
	q := &c.search
	key, ok := c.wantedKey(env)
	if !ok {
		if q.valid {
			q.steps++
		}
		q.valid, q.key = false, slowKey{}
		return
	}
	same := key
	same.revision, same.collectors = q.key.revision, q.key.collectors
	if env.View.Live() { // new data moves the range
		same.t0, same.t1 = q.key.t0, q.key.t1
	}
	switch {
	case !q.valid || same != q.key:
		c.start(&q.run[q.shown], key)
		q.key, q.valid, q.again, q.done, q.atNs = key, true, false, false, env.NowNs
		clear(c.source.open)
		q.steps++
	case key != q.key && q.done && !q.again && (!env.Paced || env.NowNs-q.atNs >= slowAgainNs):
		c.start(&q.run[1-q.shown], key)
		q.key, q.again, q.atNs = key, true, env.NowNs
	}
	switch {
	case q.again:
		if q.run[1-q.shown].Step(slowWork) {
			q.shown, q.again = 1-q.shown, false
			q.steps++
		}
	case !q.done:
		q.done = q.run[q.shown].Step(slowWork)
		q.steps++
	}
}

// wantedKey returns the subject of the search; ok is false without one.
func (c *Slow) wantedKey(env *panel.Env) (key slowKey, ok bool) {
	v := env.View
	s := v.Session()
	key = slowKey{session: s, revision: s.Revision(), collectors: s.Collectors().Len(), text: c.Text,
		collector: model.NoCollector, tracks: subject.TrackHash(c.tracks(env))}
	if h := v.Look().FoundCalls(); h != nil && h.Expr() != nil {
		key.expr, key.text = h.Expr(), ""
	}
	if c.Text == "" && key.expr == nil {
		key.collector = v.Collector()
		if v.Collector() == model.NoCollector {
			return key, false
		}
	}
	if key.t0, key.t1, ok = c.timeRange(env); !ok {
		return key, false
	}
	return key, true
}

// timeRange returns the range that is searched. Going to a call selects its time; the search stays
// where it was then.
func (c *Slow) timeRange(env *panel.Env) (t0, t1 int64, ok bool) {
	v, q := env.View, &c.search
	if q.pinned && (v.Live() || v.RangeA() != q.ownA || v.RangeB() != q.ownB) {
		q.pinned = false
	}
	if !c.InRange {
		const ever = 1 << 61
		return -ever, ever, true
	}
	if q.pinned {
		return q.rangeA, q.rangeB, true
	}
	return callRange(env)
}

// start begins a search.
func (c *Slow) start(run *spans.CallSearch, key slowKey) {
	s := key.session
	if key.expr != nil {
		q := key.expr.Query(s, c.searched, key.t0, key.t1)
		c.search.wanted = q.Wanted
		run.Start(s.Spans(), q)
		return
	}
	w := c.search.wanted[:0]
	for id := range model.CollectorID(s.Collectors().Len()) {
		d := s.Collector(id)
		is := false
		switch {
		case key.text == "":
			// A package or a folder of collectors stands for its content.
			is = id == key.collector || !s.Collector(key.collector).HasTime && s.Collectors().IsDescendant(id, key.collector)
		default:
			is = format.ContainsFold(d.Title(), key.text)
		}
		w = append(w, is)
	}
	c.search.wanted = w
	run.Start(s.Spans(), spans.CallQuery{Tracks: c.searched, T0: key.t0, T1: key.t1, Wanted: w})
}

// tracks returns the tracks that are searched.
func (c *Slow) tracks(env *panel.Env) []model.TrackID {
	c.searched = c.tracksOf(env, c.AllTracks, c.Track)
	return c.searched
}

// show goes to a call: the timeline shows it with some room at its sides, its span and its time are
// selected.
func (c *Slow) show(env *panel.Env, x *spans.Call) bool {
	v := env.View
	bar, ok := v.Session().Spans().ByRef(x.Ref)
	if !ok || bar.Begin != x.Begin || bar.Path != x.Path { // left memory, or was taken back
		return false
	}
	q := &c.search
	if !q.pinned {
		if a, b, some := callRange(env); some {
			q.rangeA, q.rangeB = a, b
		}
	}
	v.SelectCall(bar, x.Begin+x.Ns, c.Text != "")
	q.pinned, q.ownA, q.ownB = true, v.RangeA(), v.RangeB()
	return true
}

// Grouping is the property that the calls of a group share.
type Grouping uint8

// The groupings.
const (
	ByStack  Grouping = iota // the longest callee of the call, and of that again: its primary stack
	ByThread                 // on which it ran
	ByCaller                 // the call path that it was called from
	ByPath                   // its call path
	ByFrame                  // in which it began, see find.FrameOf
)

var groupNames = [...]string{"By stack", "By thread", "By caller", "By path", "By frame"}

// noFrame stands for calls that began in no frame.
const noFrame = -1 << 62

// keyOf returns the group key of a call.
func (b Grouping) keyOf(s *store.Session, x *spans.Call) int64 {
	switch b {
	case ByThread:
		return int64(x.Ref.Track)
	case ByCaller:
		up, _ := s.Path(x.Path)
		return int64(up)
	case ByPath:
		return int64(x.Path)
	case ByFrame:
		if n, ok := find.FrameOf(s, x); ok {
			return n
		}
		return noFrame
	}
	return int64(x.Stack)
}

// assign finds the group of each call, and makes the groups.
func (t *slowSource) assign(calls []spans.Call) {
	run, s, by := t.run(), t.owner.search.key.session, t.owner.grouping()
	if t.groupAt == nil {
		t.groupAt = map[int64]int32{}
	}
	clear(t.groupAt)
	t.groupOf = t.groupOf[:0]
	if by == ByStack {
		for i := range run.Stacks() {
			g := slowGroup{key: 1}
			for _, p := range run.PrimaryStack(int32(i)) {
				_, c := s.Path(p)
				g.key = childKey(g.key, c)
			}
			t.groups = append(t.groups, g)
		}
	}
	for i := range calls {
		if by == ByStack {
			t.groupOf = append(t.groupOf, calls[i].Stack)
			continue
		}
		of := by.keyOf(s, &calls[i])
		at, known := t.groupAt[of]
		if !known {
			at = int32(len(t.groups))
			t.groupAt[of] = at
			t.groups = append(t.groups, slowGroup{of: of, key: childKey(uint64(of)<<3|uint64(by), 0)})
		}
		t.groupOf = append(t.groupOf, at)
	}
}

// numGroups returns how many groups there are so far.
func (t *slowSource) numGroups() (n int) {
	for i := range t.groups {
		if t.groups[i].n() > 0 {
			n++
		}
	}
	return n
}

// stackOf returns the primary stack of a row: of a group that of its longest call.
func (t *slowSource) stackOf(r *slowRow) []model.PathID {
	if r.call >= 0 {
		return t.run().PrimaryStack(t.run().Calls()[r.call].Stack)
	}
	if t.owner.grouping() == ByStack {
		return t.run().PrimaryStack(r.group)
	}
	return t.run().PrimaryStack(t.run().Calls()[t.longest(r.group)].Stack)
}

// appendGroup appends the shared property of a group's calls.
func (t *slowSource) appendGroup(env *panel.Env, dst []byte, r *slowRow) []byte {
	s, of := env.View.Session(), t.groups[r.group].of
	switch t.owner.grouping() {
	case ByThread:
		return append(dst, s.Track(model.TrackID(of)).Title()...)
	case ByCaller, ByPath:
		return appendPath(s, dst, model.PathID(of))
	case ByFrame:
		if of == noFrame {
			return append(dst, "in no frame"...)
		}
		return format.AppendCount(append(dst, "frame #"...), of)
	}
	return t.appendStack(env, dst, t.stackOf(r))
}

// appendPath appends a call path from the innermost call out, as there is room for that: names are cut
// at their end.
func appendPath(s *store.Session, dst []byte, p model.PathID) []byte {
	if p == model.PathRoot {
		return append(dst, "called by nothing"...)
	}
	for first := true; p != model.PathRoot; first = false {
		up, c := s.Path(p)
		if !first {
			dst = append(dst, " ‹ "...)
		}
		dst, p = append(dst, s.Collector(c).Name...), up
	}
	return dst
}

// compareGroups orders groups by the shared property of their calls.
func (t *slowSource) compareGroups(env *panel.Env, a, b *slowRow) int {
	s := env.View.Session()
	if t.owner.grouping() == ByFrame {
		return cmp.Compare(t.groups[a.group].of, t.groups[b.group].of)
	}
	if t.owner.grouping() != ByStack {
		t.names[0] = t.appendGroup(env, t.names[0][:0], a)
		t.names[1] = t.appendGroup(env, t.names[1][:0], b)
		return format.CompareNatural(panel.ScratchText(t.names[0]), panel.ScratchText(t.names[1]))
	}
	return slices.CompareFunc(t.stackOf(a), t.stackOf(b), func(p, q model.PathID) int {
		_, x := s.Path(p)
		_, y := s.Path(q)
		return format.CompareNatural(s.Collector(x).Name, s.Collector(y).Name)
	})
}
