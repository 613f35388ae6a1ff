package flow

import (
	"framescope/model"
	"framescope/model/store"
)

// How is the role of an element in an answer.
type How uint8

// The ways.
const (
	// Waits: it is a queue, and things in it wait; the next link names the cause.
	Waits How = iota
	// Works: it keeps things, and is no queue.
	Works
	// Behind: things wait in the queue before it while this element has the ones before.
	Behind
	// Unmeasured: the part behind the last measured element, mostly a sink, which takes the next thing at
	// its own pace.
	Unmeasured
)

var hows = [...]string{"waits", "works", "behind", "not_measured"}

// String returns the word that JSON has for it.
func (h How) String() string { return hows[h] }

// Much is the share of a way from which on an element stands out: it has things for as long as all
// others together.
const Much = 0.5

// Link is an element of an answer.
type Link struct {
	Object  model.ObjectID
	Track   model.TrackID // its row of the timeline, or NoTrack
	Thread  model.TrackID // that pushes things on from it, or NoTrack
	How     How
	Figures Figures
	// Share is the part of the mean way's traced time spent in it; for a link that is Behind or
	// Unmeasured the part of the time from one that leaves the queue to the next.
	Share float64
	Fill  Fill
}

// Answer is where the time of a way goes.
type Answer struct {
	Way     Way
	Chain   []Link // empty where no element was measured
	Dropper model.ObjectID
	Dropped float64 // buffers that the dropper reported as dropped
}

// explains is the part of the time between two things leaving a queue that an element behind it must
// have them for, to be the cause of the wait.
const explains = 0.5

// Where fills out with the distribution of the time of a way in [t0, t1): the element that has things
// longest, or the given one. It reuses the chain of out. It returns false if nothing is known.
func (x *Index) Where(w *Way, of model.ObjectID, t0, t1 int64, out *Answer) bool {
	s := x.session
	*out = Answer{Way: *w, Chain: out.Chain[:0], Dropper: model.NoObject}
	stops := w.Passage.Stops
	figures := make([]Figures, len(stops))
	objects := make([]model.ObjectID, len(stops))
	all, at := 0.0, -1
	for i := range stops {
		t := s.Track(stops[i].Ref.Track)
		objects[i] = t.Def.Object
		figures[i] = x.Passed(objects[i], s.Collector(stops[i].Collector).Name, t0, t1)
		all += figures[i].mean()
		better := at < 0 || figures[i].mean() > figures[at].mean()
		if of != model.NoObject {
			better = objects[i] == of
		}
		if better && figures[i].N > 0 {
			at = i
		}
	}
	x.drops(w, objects, t0, t1, out)
	if at < 0 || all <= 0 {
		return len(out.Chain) > 0 || out.Dropped > 0
	}
	l := x.link(objects[at], Works, figures[at], t0, t1)
	if l.Share = figures[at].mean() / all; !x.Queues(objects[at]) {
		out.Chain = append(out.Chain, l)
		return true
	}
	l.How = Waits
	out.Chain = append(out.Chain, l)
	every := figures[at].EveryNs()
	best, had, last := -1, 0.0, at
	for i := at + 1; i < len(stops) && !x.Queues(objects[i]); i++ {
		if last = i; best < 0 || figures[i].mean() > figures[best].mean() {
			best = i
		}
		had += figures[i].mean()
	}
	if every <= 0 {
		return true
	}
	if best >= 0 && had >= explains*every {
		l = x.link(objects[best], Behind, figures[best], t0, t1)
		l.Share = min(figures[best].mean()/every, 1)
		out.Chain = append(out.Chain, l)
		return true
	}
	if end := x.after(w, objects[last], last == len(stops)-1); end != model.NoObject {
		l = x.link(end, Unmeasured, Figures{Series: model.NoSeries}, t0, t1)
		l.Share = max(1-had/every, 0)
		out.Chain = append(out.Chain, l)
	}
	return true
}

// mean is that of the pad.
func (f *Figures) mean() float64 {
	if f.padN == 0 {
		return 0
	}
	return f.padSum / float64(f.padN)
}

// Passed returns the figures of the pad of an element that a way leads through, given its name; of
// all of the element if it has none by pad; in [t0, t1).
func (x *Index) Passed(id model.ObjectID, pad string, t0, t1 int64) Figures {
	e := x.elements[id]
	if e == nil {
		return Figures{Series: model.NoSeries}
	}
	for _, k := range e.latency {
		if x.session.Series().ByID(k).Def.Name == pad {
			return Took(x.session, []model.SeriesID{k}, t0, t1)
		}
	}
	return Took(x.session, e.latency, t0, t1)
}

func (x *Index) link(id model.ObjectID, how How, f Figures, t0, t1 int64) Link {
	return Link{Object: id, Track: x.Track(id), Thread: x.Thread(id), How: how, Figures: f, Fill: x.Fill(id, t0, t1)}
}

// after returns the object behind an element on a way: for the last measured one the end of the way.
func (x *Index) after(w *Way, id model.ObjectID, last bool) model.ObjectID {
	if !last {
		return model.NoObject
	}
	if end := ElementOf(x.session, x.session.Track(w.Track).Def.Peer); end != id {
		return end
	}
	return model.NoObject
}

// drops finds the element with the most reported drops, among the elements of a way and its end.
func (x *Index) drops(w *Way, objects []model.ObjectID, t0, t1 int64, out *Answer) {
	look := func(id model.ObjectID) {
		if n, told := x.Dropped(id, t0, t1); told && n > out.Dropped {
			out.Dropper, out.Dropped = id, n
		}
	}
	for _, id := range objects {
		look(id)
	}
	look(ElementOf(x.session, x.session.Track(w.Track).Def.Peer))
}

// Asker answers Where for a session and keeps the memory that it works in.
type Asker struct {
	Index
	ways Ways
	list []Way
}

// Ask fills out with where the time goes in [t0, t1) on a way, on NoTrack the longest one; for an
// element, on the longest way through it. false: nothing was traced then.
func (x *Asker) Ask(s *store.Session, way model.TrackID, of model.ObjectID, t0, t1 int64, out *Answer) bool {
	x.Update(s)
	x.list = x.ways.Find(s, t0, t1, nil, x.list[:0])
	for i := range x.list {
		w := &x.list[i]
		if way != model.NoTrack && of == model.NoObject && w.Track != way || of != model.NoObject && !leads(s, w, of) {
			continue
		}
		if x.Where(w, of, t0, t1, out) {
			return true
		}
	}
	*out = Answer{Chain: out.Chain[:0], Dropper: model.NoObject}
	return false
}

// Each calls a function with the answer on each way in [t0, t1), the longest first.
func (x *Asker) Each(s *store.Session, t0, t1 int64, fn func(a *Answer)) {
	x.Update(s)
	x.list = x.ways.Find(s, t0, t1, nil, x.list[:0])
	var a Answer
	for i := range x.list {
		if x.Where(&x.list[i], model.NoObject, t0, t1, &a) {
			fn(&a)
		}
	}
}

// leads reports whether a way leads through an element, or ends at it.
func leads(s *store.Session, w *Way, id model.ObjectID) bool {
	for i := range w.Passage.Stops {
		if s.Track(w.Passage.Stops[i].Ref.Track).Def.Object == id {
			return true
		}
	}
	return false
}
