// Package flow describes the path of items (the buffers of a pipeline) through the parts of a program:
// how long each element keeps them, how full its queues are, which thread pushes them on, and where
// most of the time goes. It queries the session and knows no screens.
package flow

import (
	"strings"

	"framescope/model"
	"framescope/model/store"
)

// Index finds the series of an element by their role. It changes only with the definitions of a
// session. The zero value has no session.
type Index struct {
	session  *store.Session
	defs     uint64
	elements map[model.ObjectID]*element
	tracks   map[model.ObjectID]model.TrackID // rows of elements
	threads  map[model.ObjectID]model.TrackID
}

// element is the series of one element.
type element struct {
	latency []model.SeriesID // times of things in it, one a pad
	levels  []model.SeriesID // buffers in it
	dropped []model.SeriesID // buffers reported as dropped, growing
}

// Update brings the index up to date with a session.
func (x *Index) Update(s *store.Session) {
	if x.session == s && s != nil && x.defs == s.DefsRevision() {
		return
	}
	*x = Index{session: s}
	if s == nil {
		return
	}
	x.defs = s.DefsRevision()
	x.elements, x.tracks = map[model.ObjectID]*element{}, map[model.ObjectID]model.TrackID{}
	for id := range model.SeriesID(s.Series().Len()) {
		d := &s.Series().ByID(id).Def
		at := ElementOf(s, d.Object)
		if at == model.NoObject {
			continue
		}
		e := x.elements[at]
		if e == nil {
			e = &element{}
			x.elements[at] = e
		}
		switch {
		case d.Role == model.RoleLatency && (d.Peer == model.NoObject || ElementOf(s, d.Peer) == at):
			e.latency = append(e.latency, id)
		case d.Role == model.RoleLevel && d.Unit == "":
			e.levels = append(e.levels, id)
		case d.Kind == model.SeriesCounter && d.Group == droppedGroup:
			e.dropped = append(e.dropped, id)
		}
	}
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t.Def.Kind == model.TrackElement && t.Def.Object != model.NoObject {
			x.tracks[t.Def.Object] = id
		}
	}
	x.findThreads(s)
}

// droppedGroup is the count of messages of quality of service: buffers dropped so far.
const droppedGroup = "qos dropped"

// Traced reports whether it was measured of any element how long things take in it.
func (x *Index) Traced() bool {
	for _, e := range x.elements {
		if len(e.latency) > 0 {
			return true
		}
	}
	return false
}

// Track returns the row of an element, NoTrack where it has none.
func (x *Index) Track(id model.ObjectID) model.TrackID {
	if t, ok := x.tracks[id]; ok {
		return t
	}
	return model.NoTrack
}

// ElementOf returns the element that an object is, or is a pad of; NoObject where it is none.
func ElementOf(s *store.Session, id model.ObjectID) model.ObjectID {
	for range 8 {
		o, ok := s.Topology().Object(id)
		switch {
		case !ok:
			return model.NoObject
		case o.Kind == model.ObjectElement:
			return id
		}
		id = o.Parent
	}
	return model.NoObject
}

// Queues reports whether an element is a queue, in which things wait: by its type; where that is not known
// by its name, or because it had several at once.
func (x *Index) Queues(id model.ObjectID) bool {
	o, _ := x.session.Topology().Object(id)
	if o.Type != "" {
		return strings.Contains(strings.ToLower(o.Type), "queue")
	}
	if strings.Contains(strings.ToLower(o.Name), "queue") {
		return true
	}
	t := x.session.Track(x.Track(id))
	return t != nil && t.Lanes() > 1
}

// Figures are the times of things in an element, in a range of time, ns. For an element with several
// output pads N, MeanNs and MaxNs cover all of them, and the others the one pad with the most time
// in all.
type Figures struct {
	N              int64 // how many were timed, 0: none
	MeanNs, MaxNs  float64
	SumNs          float64
	MinNs          float64
	MedianNs       float64
	P99Ns          float64
	Estimated      bool // median and p99 are known to 1 %
	Series         model.SeriesID
	padN           int64
	padSum         float64
	firstNs, endNs int64 // when the first and the last left
}

// Took returns how long things took in an element in [t0, t1).
func (x *Index) Took(id model.ObjectID, t0, t1 int64) (f Figures) {
	e := x.elements[id]
	if e == nil {
		return Figures{Series: model.NoSeries}
	}
	return Took(x.session, e.latency, t0, t1)
}

// TookAll appends the series of an element's times, one a pad.
func (x *Index) TookAll(id model.ObjectID, out []model.SeriesID) []model.SeriesID {
	if e := x.elements[id]; e != nil {
		out = append(out, e.latency...)
	}
	return out
}

// Took sums up the measurements at the pads of one element in [t0, t1).
func Took(s *store.Session, pads []model.SeriesID, t0, t1 int64) (f Figures) {
	f.Series = model.NoSeries
	for _, id := range pads {
		st := s.Series().ByID(id).Stats(t0, t1)
		if st.N == 0 {
			continue
		}
		f.N, f.SumNs, f.MaxNs = f.N+st.N, f.SumNs+st.Sum, max(f.MaxNs, st.Max)
		if f.Series == model.NoSeries || st.Sum > f.padSum {
			f.Series, f.padN, f.padSum = id, st.N, st.Sum
			f.MinNs, f.MedianNs, f.P99Ns, f.Estimated = st.Min, st.P50, st.P99, st.Estimated
			f.firstNs, f.endNs = st.FirstTime, st.LastTime
		}
	}
	if f.N > 0 {
		f.MeanNs = f.SumNs / float64(f.N)
	}
	return f
}

// EveryNs is the mean time from one thing that left to the next, 0 where fewer than two did.
func (f *Figures) EveryNs() float64 {
	if f.padN < 2 {
		return 0
	}
	return float64(f.endNs-f.firstNs) / float64(f.padN-1)
}

// Fill is how many buffers were in a queue, in a range of time.
type Fill struct {
	Known  bool
	Median float64 // by time
	Most   float64 // in the range
	Ever   float64 // in all of the data
	Limit  float64 // of its capacity, 0: not recorded
}

// Share is its mean fill level: of its capacity, else of the most it ever had.
func (f *Fill) Share() float64 {
	of := f.Limit
	if of == 0 {
		of = f.Ever
	}
	if of <= 0 {
		return 0
	}
	return min(f.Median/of, 1)
}

// full is the share from which on a queue is as good as full, and fullLeast the least capacity for
// that to have a meaning.
const full, fullLeast = 0.9, 4

// Full reports whether it was as full as it ever was, or may be, for at least half of the time.
func (f *Fill) Full() bool { return f.Known && max(f.Limit, f.Ever) >= fullLeast && f.Share() >= full }

// Fill returns how full an element was in [t0, t1). Of a queue of several ways it is the fullest.
func (x *Index) Fill(id model.ObjectID, t0, t1 int64) (f Fill) {
	e := x.elements[id]
	if e == nil {
		return f
	}
	for _, k := range e.levels {
		series := x.session.Series().ByID(k)
		st := series.Stats(t0, t1)
		if _, held := series.At(t0); st.N == 0 && !held {
			continue
		}
		if f.Known && st.P50 <= f.Median {
			continue
		}
		f = Fill{Known: true, Median: st.P50, Most: st.Max}
		if begin, end, ok := series.Bounds(); ok {
			f.Ever = series.Stats(begin, end+1).Max
		}
		if series.Def.HasRange {
			f.Limit = series.Def.Max
		}
	}
	return f
}

// Dropped returns how many buffers an element reported as dropped in [t0, t1); the second result is
// false if it reports no drops.
func (x *Index) Dropped(id model.ObjectID, t0, t1 int64) (n float64, told bool) {
	e := x.elements[id]
	if e == nil {
		return 0, false
	}
	for _, k := range e.dropped {
		series := x.session.Series().ByID(k)
		last, ok := series.At(t1 - 1)
		if !ok {
			continue
		}
		told = true
		before, _ := series.At(t0 - 1)
		n += max(last.Value-before.Value, 0)
	}
	return n, told
}
