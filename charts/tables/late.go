package tables

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/why"
)

// lateBuffers are the things that took much longer on their way than others, of all ways, by root causes:
// as hitches are for frames.
type lateBuffers struct{ hitches }

// bar returns the span of a row on its way; false: it has left.
func (r *spikeRow) bar(env *panel.Env) (spans.Bar, bool) {
	return env.View.Session().Spans().ByRef(r.hitch.Of)
}

// Empty implements table.Source.
func (t *lateBuffers) Empty(bool) string {
	if !t.ready {
		return "Looking for late buffers."
	}
	return "Late buffers by cause.\nNo buffer took much longer than those around it."
}

// Rows implements table.Source.
func (t *lateBuffers) Rows(env *panel.Env) (n int, revision uint64) {
	v := env.View
	all := panel.Causes(env)
	key := panel.RangeKey{Session: v.Session(), Revision: all.Revision(), Live: v.Live(), T0: model.MinTime, T1: model.MaxTime}
	if v.ChoseRange() {
		key.T0, key.T1, key.Extra = v.RangeA(), v.RangeB(), chosenRange
	}
	if !t.stays(&t.Fresh, key) && t.Fresh.Due(env, key) {
		t.groups = all.GroupsOf(all.Late(key.T0, key.T1), t.groups[:0])
		t.laid = t.folds - 1
	}
	t.ready = all.Ready()
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
	v := env.View
	if r.whole() {
		v.ChooseCause(causeOf(r.group))
	} else if v.Cause() != causeOf(r.group) {
		v.ChooseCause(view.Cause{})
	}
	if b, ok := r.bar(env); ok {
		v.GoToSpan(b)
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
	if key.Extra&chosenRange == 0 || !t.Fresh.Done || !env.View.ChoseRange() {
		return "late buffers"
	}
	return t.of.Set(format.AppendDuration(append(t.of.New(), "late buffers in "...), key.T1-key.T0))
}
