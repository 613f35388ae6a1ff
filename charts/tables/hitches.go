package tables

import (
	"math"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/model/why"
)

// whole reports whether the row stands for all hitches of its cause.
func (r *spikeRow) whole() bool { return r.depth == 0 && len(r.group.Hitches) > 1 }

// at returns the index of the row's frame; -1: it has left.
func (r *spikeRow) at(env *panel.Env) int {
	if t := env.View.Lead(); t != nil {
		if i, ok := t.FrameByNumber(r.hitch.Number); ok {
			return i
		}
	}
	return -1
}

// hitches are the frames of a track that stand out, by their root causes: first those that took most
// over the typical in all. A group opens to its frames, in order of time. In a range that is selected
// they are those of the range.
type hitches struct {
	table.List[spikeRow]
	waits
	groups  []why.Group
	open    map[view.Cause]bool
	folds   uint64 // how often one was opened or closed
	laid    uint64 // for which of that the rows were laid out
	known   bool   // enough frames to know the typical length
	some    bool   // there are frames, or ways
	ready   bool   // all were looked at
	sure    bool   // so it was when the list was made
	selects func(*view.View, *why.Hitch) bool
	buf     []byte
	of      panel.CachedText
	// beginNs and endNs are the session's bounds as long as the list went on, between which ticks lie.
	beginNs, endNs int64
}

// hitchColumns are those of hitches.
var hitchColumns = []table.Column[spikeRow]{
	{
		ID: "frame", Title: "cause", Least: 110,
		Cell: func(env *panel.Env, r *spikeRow, c *table.Cell) {
			if c.Depth, c.Fold = 2*r.depth, r.fold; r.depth > 0 {
				c.Buf = format.AppendCount(append(c.Buf, '#'), r.hitch.Number)
				return
			}
			if !r.whole() {
				c.Depth++ // below each other, as no arrow is before it
			}
			c.Sign, c.Swatch = subject.GroupMark(env, r.group)
			c.Buf = append(c.Buf, r.name...)
		},
		Fold: func(_ *panel.Env, r *spikeRow, _ *panel.Input) { r.list.turn(r) },
	},
	ofGroup(table.Column[spikeRow]{ID: "period", Title: "every", Unit: "ns", Width: 64, Drop: 3},
		func(g *why.Group) (float64, bool) { return float64(g.PeriodNs), g.Regular },
		func(dst []byte, g *why.Group) []byte {
			return format.AppendRoundDuration(append(dst, "≈"...), g.PeriodNs)
		}),
	ofGroup(table.Column[spikeRow]{ID: "hitches", Title: "hitches", Width: 34, Drop: 1},
		func(g *why.Group) (float64, bool) { return float64(len(g.Hitches)), true },
		func(dst []byte, g *why.Group) []byte {
			return format.AppendCount(append(dst, "×"...), int64(len(g.Hitches)))
		}),
	ofGroup(table.Column[spikeRow]{ID: "trend", Title: "trend", Width: 64, Drop: 4},
		func(g *why.Group) (float64, bool) { return g.Trend, g.Trend != 0 },
		func(dst []byte, g *why.Group) []byte { return appendTrend(dst, g.Trend) }),
	{
		ID: "took", Title: "took", Unit: "ns", Kind: table.Number, Width: 64, Fixed: true, Time: true,
		Value: func(_ *panel.Env, r *spikeRow) float64 { return float64(r.hitch.DurationNs) },
		Cell: func(env *panel.Env, r *spikeRow, c *table.Cell) {
			if budget := subject.Budget(env); r.hitch.DurationNs > budget {
				c.Color = subject.FrameColor(env.Theme, r.hitch.DurationNs, budget)
			}
		},
	},
	{ID: "when", Kind: table.Ticks, Cell: placeHitches},
}

// placeHitches gives a tick for each hitch of a row, at its place in the session; the selected one stands out.
func placeHitches(env *panel.Env, r *spikeRow, c *table.Cell) {
	_, c.Color = subject.GroupMark(env, r.group)
	begin, end := r.list.beginNs, r.list.endNs
	if end <= begin {
		return
	}
	for i := range r.group.Hitches {
		h := &r.group.Hitches[i]
		if !r.whole() && (h.Number != r.hitch.Number || h.Of != r.hitch.Of) {
			continue
		}
		if r.list.selects(env.View, h) {
			c.Mark = len(c.Series)
		}
		c.Series = append(c.Series, float32(float64(h.BeginNs-begin)/float64(end-begin)))
	}
}

// ofGroup makes a column of a value of all hitches of a cause.
func ofGroup(
	c table.Column[spikeRow], of func(*why.Group) (v float64, known bool), words func([]byte, *why.Group) []byte,
) table.Column[spikeRow] {
	c.Kind, c.Quiet, c.Fixed = table.Number, true, true
	c.Value = func(_ *panel.Env, r *spikeRow) float64 {
		if v, known := of(r.group); known && r.whole() {
			return v
		}
		return math.NaN()
	}
	c.Cell = func(_ *panel.Env, r *spikeRow, c *table.Cell) {
		c.Buf = c.Buf[:0]
		if _, known := of(r.group); known && r.whole() {
			c.Buf = words(c.Buf, r.group)
		}
	}
	return c
}

// Columns implements table.Source.
func (t *hitches) Columns() []table.Column[spikeRow] { return hitchColumns }

// Empty implements table.Source.
func (t *hitches) Empty(bool) string {
	switch {
	case !t.ready:
		return "Looking for hitches."
	case !t.known && t.some:
		return "Slow frames by their cause.\nThere are too few frames to find a typical one."
	case !t.known:
		return "Hitches by cause.\n" + panel.NoData
	}
	return "No frame is a hitch."
}

// Rows implements table.Source.
func (t *hitches) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	s, track := v.Session(), v.Lead()
	if track == nil || track.NumFrames() == 0 {
		t.groups, t.known, t.some, t.ready = t.groups[:0], false, false, true
		return t.None()
	}
	causes := panel.Causes(env)
	first, last := 0, track.NumFrames()-1
	key := panel.RangeKey{Session: s, Revision: causes.Revision(), Track: v.LeadTrack(), Live: v.Live()}
	if v.LeadB() > v.LeadA() && v.LeadA() >= 0 && v.LeadB() <= last {
		first, last = v.LeadA(), v.LeadB()
		key.First, key.Last, key.Extra = first, last, chosenRange
	}
	if len(t.groups) == 0 { // the words say whether the typical length is known
		key.T0 = int64(s.Revision())
	}
	if t.goesOn(s, key) && t.Fresh.Due(env, key) {
		t.sure = causes.Ready()
		of := causes.Hitches(track.Frame(first).Number, track.Frame(last).Number)
		t.groups = causes.GroupsOf(of, t.groups[:0])
		t.some = true
		t.known = s.Frames().Around(v.LeadTrack(), last).MedianNs > 0
		t.laid = t.folds - 1
	}
	t.ready = causes.Ready()
	if t.laid != t.folds {
		t.laid = t.folds
		t.lay(env)
		t.Revision++
	}
	return t.Listed()
}

// goesOn reports whether the list follows what comes, and its places in time with it: see stays.
func (t *hitches) goesOn(s *store.Session, now panel.RangeKey) bool {
	if t.stays(now) {
		return false
	}
	t.beginNs, t.endNs, _ = s.Bounds()
	return true
}

// stays reports whether the list stays as it is, though it is to be another by now: while the mouse is over it, and
// while the view is paused and more comes, which may also tell another cause of what is listed. It does not where
// another thread, collector or range was chosen.
func (t *hitches) stays(now panel.RangeKey) bool {
	made := &t.Fresh
	was := made.Key
	same := was.Session == now.Session && was.Track == now.Track && was.Extra == now.Extra && was.Calls == now.Calls
	ranges := was.T0 == now.T0 && was.T1 == now.T1 && was.First == now.First && was.Last == now.Last
	_, ended := now.Session.Ended()
	paused := t.sure && len(t.groups) > 0 && !now.Live && !ended && !now.Session.Info().File
	return (bool(t.waits) || paused) && made.Done && same && (ranges || now.Extra&chosenRange == 0)
}

// lay makes the rows of the groups.
func (t *hitches) lay(env *panel.Env) {
	old := t.All[:cap(t.All)] // most names stay
	t.All = t.All[:0]
	for k := range t.groups {
		g := &t.groups[k]
		t.buf = subject.AppendCauseName(t.buf[:0], env.View.Session(), g, t.twin(k))
		row := spikeRow{list: t, group: g, hitch: &g.Worst, place: k}
		if n := len(t.All); n < len(old) && old[n].name == string(t.buf) {
			row.name = old[n].name
		} else {
			row.name = string(t.buf)
		}
		open := t.open[view.By(g)]
		if len(g.Hitches) > 1 {
			row.fold = table.FoldOf(open)
		}
		t.All = append(t.All, row)
		if !open || len(g.Hitches) == 1 {
			continue
		}
		for i := range g.Hitches {
			t.All = append(t.All, spikeRow{list: t, group: g, hitch: &g.Hitches[i], depth: 1, place: k})
		}
	}
}

// twin reports whether another thread, or another way, has a cause of the same name.
func (t *hitches) twin(k int) bool {
	for i := range t.groups {
		a, b := &t.groups[i], &t.groups[k]
		if i != k && a.Collector == b.Collector && a.Within == b.Within {
			return true
		}
	}
	return false
}

// turn opens or closes a group.
func (t *hitches) turn(r *spikeRow) {
	if t.open == nil {
		t.open = map[view.Cause]bool{}
	}
	of := view.By(r.group)
	t.open[of] = !t.open[of]
	t.folds++
}

// Row implements table.Describer.
func (t *hitches) Row(env *panel.Env, r *spikeRow) table.RowInfo {
	v := env.View
	if !r.whole() {
		return table.RowInfo{
			Selected: t.selects(v, r.hitch),
			Hit:      panel.Hit{Kind: panel.HitFrame, Collector: model.NoCollector, Track: v.LeadTrack(), Frame: r.at(env)},
		}
	}
	return t.whole(env, r)
}

// whole describes a row that stands for a group.
func (t *hitches) whole(env *panel.Env, r *spikeRow) table.RowInfo {
	hit := panel.NoHit()
	hit.Kind = panel.HitLabel
	if r.group.Collector != model.NoCollector {
		hit.Kind, hit.Track, hit.Collector = panel.HitCollector, r.group.Track, r.group.Collector
	}
	selected := env.View.Cause() == view.By(r.group)
	return table.RowInfo{Selected: selected, Lit: r.fold == table.FoldClosed && t.holds(env.View, r.group), Hit: hit}
}

// holds reports whether the selected hitch is among those of a group.
func (t *hitches) holds(v *view.View, g *why.Group) bool {
	for i := range g.Hitches {
		if t.selects(v, &g.Hitches[i]) {
			return true
		}
	}
	return false
}

// selectsFrame reports whether a hitch is the one selected frame; in a range all frames are selected.
func selectsFrame(v *view.View, h *why.Hitch) bool {
	t, i := v.Lead(), v.LeadA()
	one := t != nil && !v.Live() && i >= 0 && i == v.LeadB() && i < t.NumFrames()
	return one && t.Frame(i).Number == h.Number
}

// choose chooses the cause of a group, so that keys go through it.
func (r *spikeRow) choose(v *view.View) {
	if r.whole() {
		v.ChooseCause(view.By(r.group))
	} else if v.Cause() != view.By(r.group) {
		v.ChooseCause(view.Cause{})
	}
}

// Click implements table.Clicker: of a group it goes to the worst, and keys go through the group from
// then on.
func (t *hitches) Click(env *panel.Env, r *spikeRow, _ *panel.Input) panel.Action {
	r.choose(env.View)
	if i := r.at(env); i >= 0 {
		env.View.GoToHitch(i)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *hitches) Tip(env *panel.Env, r *spikeRow, l *panel.TipLines) {
	t.tip(env, r, l, "frame ", "hitches\t")
}

// tip describes a row; one and several are the words for its hitches.
func (t *hitches) tip(env *panel.Env, r *spikeRow, l *panel.TipLines, one, several string) {
	s, g := env.View.Session(), r.group
	if !r.whole() {
		if l.Text(one).Count(r.hitch.Number).End(); one == "frame " {
			l.Duration(r.hitch.DurationNs).Text(" · ").Rate(r.hitch.DurationNs).End()
		} else {
			l.Text("took\t").Duration(r.hitch.DurationNs).End()
		}
		l.Text("over typical\t").Duration(r.hitch.ExcessNs).End()
		l.With(subject.AppendCauseName(l.Text("cause\t").Buf, s, g, true)).End()
		return
	}
	l.With(subject.AppendCauseName(l.Buf, s, g, true)).End()
	l.Text(several).Count(int64(len(g.Hitches))).End()
	l.Text("worst\t").Duration(g.Worst.DurationNs).Text(" · #").Count(g.Worst.Number).End()
	if g.Regular {
		l.With(format.AppendRoundDuration(l.Text("every\t≈").Buf, g.PeriodNs)).End()
	}
	if g.Trend != 0 {
		l.With(appendTrend(l.Text("over typical, newer half\t").Buf, g.Trend)).End()
	}
	l.Add("click: the worst; then N goes through these alone, Esc ends that")
}

// appendTrend appends by how much the newer half is worse than the older one.
func appendTrend(dst []byte, v float64) []byte {
	if v < 0 {
		return format.AppendPercent(append(dst, "−"...), -v)
	}
	return format.AppendPercent(append(dst, '+'), v)
}

// Words implements spikeList: the thread, the number of selected frames if several, and the order of the
// causes; until all hitches are found and explained, how far that is.
func (t *hitches) Words(env *panel.Env) string {
	v := env.View
	of := v.Lead()
	if of == nil {
		return ""
	}
	b := append(t.of.New(), of.Title()...)
	if v.LeadA() >= 0 && v.LeadB() > v.LeadA() {
		b = format.AppendCount(append(b, " · of "...), int64(v.LeadB()-v.LeadA()+1))
		b = append(b, " frames"...)
	}
	switch {
	case !t.ready:
		b = appendLooked(b, v)
	case len(t.groups) > 0 && subject.Baseline(env) != nil:
		b = append(b, " · over the frames around, not over the baseline"...)
	case len(t.groups) > 1:
		b = append(b, " · worst frame of each"...)
	}
	return t.of.Set(b)
}

// appendLooked appends the share of the frames in which hitches were looked for: the list is of these.
func appendLooked(b []byte, v *view.View) []byte {
	return format.AppendPercent(append(b, " · looking, so far "...), v.Causes().Looked())
}

// Key implements table.Keyed.
func (t *hitches) Key(r *spikeRow) uint64 {
	number, of := r.hitch.Number, r.hitch.Of
	if r.whole() {
		number, of = -1, spans.Ref{Track: of.Track}
	}
	g := r.group
	return table.KeyOf(
		int64(g.Track), int64(g.Collector), int64(g.Within), number, int64(of.Track), int64(of.Lane), of.Index,
	)
}

// lateBuffers are the things that took much longer on their way than others, of all ways, by root causes:
// as hitches are for frames.
type lateBuffers struct{ hitches }

// bar returns the span of a row on its way; false: it has left.
func (r *spikeRow) bar(env *panel.Env) (spans.Bar, bool) {
	return env.View.Session().Spans().ByRef(r.hitch.Of)
}

// Empty implements table.Source.
func (t *lateBuffers) Empty(bool) string {
	switch {
	case !t.some:
		return "Hitches by cause.\nThis thread has no frames: select one that has."
	case !t.ready:
		return "Looking for late buffers."
	}
	return "Late buffers by cause.\nNo buffer took much longer than those around it."
}

// Rows implements table.Source.
func (t *lateBuffers) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	all := panel.Causes(env)
	key := panel.RangeKey{Session: v.Session(), Revision: all.Revision(), Live: v.Live(), T0: model.MinTime,
		T1: model.MaxTime}
	if v.ChoseRange() {
		key.T0, key.T1, key.Extra = v.RangeA(), v.RangeB(), chosenRange
	}
	if t.goesOn(env.View.Session(), key) && t.Fresh.Due(env, key) {
		t.sure = all.Ready()
		t.groups = all.GroupsOf(all.Late(key.T0, key.T1), t.groups[:0])
		t.laid = t.folds - 1
	}
	t.ready, t.some = all.Ready(), v.Session().Contents().Ways
	if t.laid != t.folds {
		t.laid = t.folds
		t.lay(env)
		t.Revision++
	}
	return len(t.All), t.Revision
}

// selectsBuffer reports whether a late buffer is the selected one.
func selectsBuffer(v *view.View, h *why.Hitch) bool { return v.HasSpan() && h.Of == v.Span().Ref }

// Row implements table.Describer.
func (t *lateBuffers) Row(env *panel.Env, r *spikeRow) table.RowInfo {
	v := env.View
	if !r.whole() {
		b, _ := r.bar(env)
		return table.RowInfo{
			Selected: t.selects(v, r.hitch),
			Hit: panel.Hit{
				Kind: panel.HitSpan, Collector: b.Collector, Track: r.hitch.Of.Track, Bar: b, Frame: -1, TimeNs: b.Begin,
			},
		}
	}
	return t.whole(env, r)
}

// Click implements table.Clicker, as hitches do.
func (t *lateBuffers) Click(env *panel.Env, r *spikeRow, _ *panel.Input) panel.Action {
	r.choose(env.View)
	if b, ok := r.bar(env); ok {
		env.View.GoToSpan(b)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (t *lateBuffers) Tip(env *panel.Env, r *spikeRow, l *panel.TipLines) {
	t.tip(env, r, l, "buffer ", "late buffers\t")
}

// Words implements spikeList: in a range how long that is.
func (t *lateBuffers) Words(env *panel.Env) string {
	key := &t.Fresh.Key
	if !t.some {
		return ""
	}
	if !t.ready {
		return t.of.Set(appendLooked(append(t.of.New(), "late buffers"...), env.View))
	}
	if key.Extra&chosenRange == 0 || !t.Fresh.Done || !env.View.ChoseRange() {
		return "late buffers"
	}
	return t.of.Set(format.AppendDuration(append(t.of.New(), "late buffers in "...), key.T1-key.T0))
}
