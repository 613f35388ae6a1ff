package spans

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
)

const maxSeries = 1 << 20

// SeriesTable has the series of a session.
//
// Its methods are queries. SeriesKeeper has the methods that change it; the session keeps it private.
type SeriesTable struct {
	series []*Series
	work   valueWork
	index  seriesIndex
	lo, hi int64 // earliest and latest sample, lo > hi while there is none
	text   int64 // bytes
	rev    uint64
	acc    *columns.Account // samples
	defs   *columns.Account // definitions
	booked columns.Booked   // of defs
}

// SeriesKeeper is a table with the methods that change it.
type SeriesKeeper struct{ SeriesTable }

// Init makes the table ready. acc is the account of samples, defs that of definitions.
func (x *SeriesKeeper) Init(acc, defs *columns.Account) {
	x.acc, x.defs, x.work.acc = acc, defs, acc
	x.lo, x.hi = model.MaxTime, model.MinTime
}

// Define takes a definition. ok is false where its id is out of bounds.
func (x *SeriesKeeper) Define(d model.SeriesDef) (ok bool) {
	x.series, ok = columns.GrowTo(x.series, int(d.ID), maxSeries, func(i int) *Series {
		s := &Series{work: &x.work, Def: model.SeriesDef{
			ID: model.SeriesID(i), Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject,
		}}
		s.init(x.acc)
		return s
	})
	if ok {
		if d.HasRange = d.HasRange && d.Min < d.Max; !d.HasRange { // NaN is no range either
			d.Min, d.Max = 0, 0
		}
		s := x.series[d.ID]
		if s.defined {
			x.index.removeSeries(&s.Def)
			x.text -= textOf(&s.Def)
		}
		s.Def, s.defined = d, true
		s.setHolds(d.Holds())
		x.index.addSeries(&d)
		x.text += textOf(&d)
		x.rev++
	}
	return ok
}

// textOf returns the bytes of the words of a definition.
func textOf(d *model.SeriesDef) (n int64) {
	for _, name := range d.States {
		n += int64(len(name)) + 16
	}
	return n + int64(len(d.Name)+len(d.Group)+len(d.Description)+len(d.Unit))
}

// OddSamples counts samples that were not stored unchanged: those of undefined series, those that came too
// late to be put in their place (neither is stored), and those beyond MaxSample.
type OddSamples struct{ Strangers, Late, Cut int64 }

// Append stores samples and returns the earliest time of those that were stored (MaxTime without
// one).
func (x *SeriesKeeper) Append(samples []model.Sample) (first int64, odd OddSamples) {
	first = model.MaxTime
	for i := range samples {
		r := &samples[i]
		if uint(r.Series) >= uint(len(x.series)) {
			odd.Strangers++
			continue
		}
		at := model.ClampTime(r.Time)
		if !x.series[r.Series].add(at, r.Value) {
			odd.Late++
			continue
		}
		if v := math.Abs(r.Value); v > MaxSample && v <= math.MaxFloat64 {
			odd.Cut++
		}
		first = min(first, at)
		x.lo, x.hi = min(x.lo, at), max(x.hi, at)
	}
	return first, odd
}

// DropBefore forgets the samples before a time and returns how many.
func (x *SeriesKeeper) DropBefore(timeNs int64) (n int64) {
	for _, s := range x.series {
		n += s.dropBefore(timeNs)
	}
	x.bound()
	return n
}

// DropStacks forgets the samples of a track's stacks and their weights, and reports whether there were
// any.
func (x *SeriesKeeper) DropStacks(track model.TrackID) (some bool) {
	for _, id := range x.ByTrack(track) {
		if s := x.series[id]; s.Def.Role.OfStacks() && s.Len() > 0 {
			s.dropTo(s.rows.End())
			s.hasHeld = false
			some = true
		}
	}
	if some {
		x.bound()
	}
	return some
}

// bound finds the times of the earliest and the latest sample.
func (x *SeriesKeeper) bound() {
	x.lo, x.hi = model.MaxTime, model.MinTime
	for _, s := range x.series {
		if begin, end, ok := s.Bounds(); ok {
			x.lo, x.hi = min(x.lo, begin), max(x.hi, end)
		}
	}
}

// Settle accounts for the definitions.
func (x *SeriesKeeper) Settle() {
	n := int64(len(x.series))*columns.SizeOf[Series]() + int64(cap(x.series))*8 + x.index.entries*indexEntryBytes
	x.booked.Set(x.defs, n+x.text)
}

// Clear frees everything.
func (x *SeriesKeeper) Clear() {
	for _, s := range x.series {
		s.clear()
	}
	x.work.clearAll()
	x.booked.Set(x.defs, 0)
	acc, defs := x.acc, x.defs
	*x = SeriesKeeper{SeriesTable{rev: x.rev + 1}}
	x.Init(acc, defs)
}

// Revision changes with every definition.
func (x *SeriesTable) Revision() uint64 { return x.rev }

// Len returns the number of series.
func (x *SeriesTable) Len() int { return len(x.series) }

// Stored returns the number of samples of all series.
func (x *SeriesTable) Stored() (n int64) {
	for _, s := range x.series {
		n += s.Len()
	}
	return n
}

// Bounds returns the times of the earliest and the latest stored sample of all series; ok is false
// without one.
func (x *SeriesTable) Bounds() (begin, end int64, ok bool) {
	if x.lo > x.hi {
		return 0, 0, false
	}
	return x.lo, x.hi, true
}

// ByID returns a series; nil when there is none of that id.
func (x *SeriesTable) ByID(id model.SeriesID) *Series {
	if uint(id) >= uint(len(x.series)) {
		return nil
	}
	return x.series[id]
}

// ByObject returns the series that belong to an object (SeriesDef.Object), ascending by id. The
// slice is the table's own.
func (x *SeriesTable) ByObject(id model.ObjectID) []model.SeriesID { return x.index.byObject[id] }

// ByTrack returns the series that belong to a track, ascending by id. The slice is the table's own.
func (x *SeriesTable) ByTrack(id model.TrackID) []model.SeriesID { return x.index.byTrack[id] }

// ByRole returns the series of a role, ascending by id. The slice is the table's own.
func (x *SeriesTable) ByRole(role model.SeriesRole) []model.SeriesID { return x.index.byRole[role] }

// ByGroup returns the groups of series in the order in which they came up, with their series. The
// slices are the table's own.
func (x *SeriesTable) ByGroup() []SeriesGroup { return x.index.groups }
