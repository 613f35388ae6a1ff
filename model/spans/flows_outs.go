package spans

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// outs are the arrows that begin on a track, in order of that time. They come in that of their ends,
// track after track: new ones are gathered in a heap and put in their places by the next query. A
// removed one leaves a hole; when these are more than the rest, the list is made anew.
type outs struct {
	list  []out
	front columns.Front
	news  []out
	holes int
}

// out is an arrow, to the track that it ends on. A hole has the complement of its name.
type out struct {
	from, to         int64
	track            model.TrackID
	name             model.FlowID
	chain            uint32
	fromLane, toLane uint16
}

func (o *out) arrow(of model.TrackID) Arrow {
	return Arrow{model.Flow{
		From: o.from, To: o.to, FromTrack: of, Name: o.name, Chain: o.chain, FromLane: o.fromLane, ToLane: o.toLane,
	}, o.track}
}

func (r *row) out(on model.TrackID) out {
	return out{
		from: r.from, to: r.to, track: on, name: r.name, chain: r.chain, fromLane: r.fromLane, toLane: r.toLane,
	}
}

func (o *out) hole() bool { return o.name < 0 }

// byBegin puts arrows in order. Of those that are alike in everything holes come first.
func byBegin(a, b out) int {
	if a.from != b.from {
		return cmp.Compare(a.from, b.from)
	}
	return cmp.Or(
		cmp.Compare(a.to, b.to), cmp.Compare(a.track, b.track), cmp.Compare(a.chain, b.chain),
		cmp.Compare(max(a.name, ^a.name), max(b.name, ^b.name)),
		cmp.Compare(a.fromLane, b.fromLane), cmp.Compare(a.toLane, b.toLane),
	)
}

// begins notes where an arrow begins.
func (x *FlowTable) begins(r *row, on model.TrackID) {
	o := columns.Slot(x.out, r.track)
	if o == nil {
		o = &outs{}
		o.front.Acc = x.acc
		x.acc.Add(columns.SizeOf[outs]())
		x.out = columns.SetSlot(x.acc, x.out, r.track, o)
	}
	o.news = columns.Push(x.acc, o.news, r.out(on))
}

// sorted returns the arrows of a track with all news in their places, nil where it has none.
func (x *FlowTable) sorted(id model.TrackID) *outs {
	o := columns.Slot(x.out, id)
	if o == nil || len(o.news) == 0 {
		return o
	}
	if !slices.IsSortedFunc(o.news, byBegin) {
		slices.SortFunc(o.news, byBegin)
	}
	columns.Keep(&o.front, &o.list, columns.MergeSorted(o.list, o.news, byBegin))
	if cap(o.news) > 1<<10 {
		columns.LetGo(x.acc, o.news)
		o.news = nil
	}
	o.news = o.news[:0]
	return o
}

// at returns the index of the first arrow that begins at a time or later.
func (o *outs) at(timeNs int64) int {
	i, _ := slices.BinarySearchFunc(o.list, timeNs, func(e out, t int64) int { return cmp.Compare(e.from, t) })
	return i
}

// forget makes a hole of where an arrow begins.
func (x *FlowTable) forget(r *row, on model.TrackID) {
	x.stored--
	o := x.sorted(r.track)
	if o == nil {
		return
	}
	want := r.out(on)
	i, ok := slices.BinarySearchFunc(o.list, want, func(e, want out) int {
		if c := byBegin(e, want); c != 0 || !e.hole() {
			return c
		}
		return -1
	})
	if ok {
		o.list[i].name = ^want.name
		o.holes++
	}
	switch n := len(o.list); {
	case o.holes == n:
		x.dropOuts(r.track, o)
	case o.holes > n/2 && o.holes > 64:
		kept := make([]out, 0, n-o.holes)
		for _, e := range o.list {
			if !e.hole() {
				kept = append(kept, e)
			}
		}
		columns.ClearList(&o.front, &o.list)
		columns.Keep(&o.front, &o.list, kept)
		o.holes = 0
	}
}

// dropOuts frees the arrows that begin on a track.
func (x *FlowTable) dropOuts(id model.TrackID, o *outs) {
	columns.ClearList(&o.front, &o.list)
	columns.LetGo(x.acc, o.news)
	x.acc.Add(-columns.SizeOf[outs]())
	columns.EmptySlot(x.out, id, o)
}
