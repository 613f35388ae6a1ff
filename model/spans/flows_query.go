package spans

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// In appends to out the arrows that end on a track in [t0, t1], in order of that time. Cost: O(log n +
// answer).
func (x *FlowTable) In(track model.TrackID, t0, t1 int64, out []Arrow) []Arrow {
	t := columns.Slot(x.in, track)
	if t == nil {
		return out
	}
	for i := t.from(t0); i < t.rows.End() && t.rows.Ref(i).to <= t1; i++ {
		x.visited++
		out = append(out, t.rows.Ref(i).arrow(track))
	}
	return out
}

// Out appends to out the arrows that begin on a track in [t0, t1], in order of that time. Cost:
// O(log n + answer).
func (x *FlowTable) Out(track model.TrackID, t0, t1 int64, out []Arrow) []Arrow {
	o := x.sorted(track)
	if o == nil {
		return out
	}
	for i := o.at(t0); i < len(o.list) && o.list[i].from <= t1; i++ {
		x.visited++
		if e := &o.list[i]; !e.hole() {
			out = append(out, e.arrow(track))
		}
	}
	return out
}

// Touching appends to out the arrows that end on a track and touch [t0, t1], in order of their ends,
// at most most; more means that there are others. Cost: O(log n · most), however many there are.
func (x *FlowTable) Touching(track model.TrackID, t0, t1 int64, most int, out []Arrow) (_ []Arrow, more bool) {
	t := columns.Slot(x.in, track)
	if t == nil {
		return out, false
	}
	begun := len(out)
	for i, end := t.from(t0), t.rows.End(); i < end; {
		x.visited++
		if node, to := t.least.Greatest(i, end); node != nil && *node > t1 {
			i = to
			continue
		}
		if r := t.rows.Ref(i); min(r.from, r.to) <= t1 {
			if len(out)-begun >= most {
				return out, true
			}
			out = append(out, r.arrow(track))
		}
		i++
	}
	return out, false
}

// Tracks appends to out the tracks on which arrows end.
func (x *FlowTable) Tracks(out []model.TrackID) []model.TrackID {
	for id, t := range x.in {
		if t != nil && t.Stored() > 0 {
			out = append(out, model.TrackID(id))
		}
	}
	return out
}

// Next appends to out the continuations of an arrow's chain: those of its number and name that begin
// where it ends, and with back those that end where it begins. There is none if it has no chain. Of
// those at that moment 2,048 are read.
func (x *FlowTable) Next(a *Arrow, back bool, out []Arrow) []Arrow {
	if a.Chain == 0 {
		return out
	}
	take := func(b Arrow) {
		x.visited++
		if b.Chain == a.Chain && b.Name == a.Name && b != *a {
			out = append(out, b)
		}
	}
	if t := columns.Slot(x.in, a.FromTrack); back && t != nil {
		from := t.from(a.From)
		for i := from; i < min(t.rows.End(), from+mostOfSpan) && t.rows.Ref(i).to == a.From; i++ {
			take(t.rows.Ref(i).arrow(a.FromTrack))
		}
	}
	if o := x.sorted(a.ToTrack); !back && o != nil {
		list := o.list[o.at(a.To):]
		for i := 0; i < min(len(list), mostOfSpan) && list[i].from == a.To; i++ {
			if !list[i].hole() {
				take(list[i].arrow(a.ToTrack))
			}
		}
	}
	return out
}

// Along appends to out the arrows after one in its chain, or with back those before it, the nearest
// first, at most most.
func (x *FlowTable) Along(a Arrow, back bool, most int, out []Arrow) []Arrow {
	var few [8]Arrow
	for begun := len(out); len(out)-begun < most; {
		next := x.Next(&a, back, few[:0])
		if len(next) == 0 || slices.Contains(out[begun:], next[0]) {
			break
		}
		a = next[0]
		out = append(out, a)
	}
	return out
}

func compareArrows(a, b Arrow) int {
	return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From), cmp.Compare(a.ToTrack, b.ToTrack))
}
