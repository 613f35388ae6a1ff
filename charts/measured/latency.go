package measured

import (
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/store"
)

// Latencies finds the baseline's times of things through elements: single ones are the spans of the
// element's row of the timeline, by the pad that they leave through. The zero value is ready.
type Latencies struct {
	of    *store.Session
	defs  uint64
	track map[model.ObjectID]model.TrackID
	spans map[string]model.CollectorID // by full name
}

// Of compares the median time through an element with the usual values of one thing.
func (l *Latencies) Of(b *Baseline, s *store.Session, took *flow.Figures) subject.Measured {
	if b.Against == nil || took.N == 0 || took.Series == model.NoSeries {
		return subject.Measured{}
	}
	l.find(s)
	def := &s.Series().ByID(took.Series).Def
	track, ok := l.track[def.Object]
	name := def.Group + ":" + def.Name
	c, known := l.spans[name]
	if !known {
		c = view.CollectorNamed(s, name)
		l.spans[name] = c
	}
	if !ok || c == model.NoCollector {
		return subject.Measured{}
	}
	e, known := b.Collector(track, c)
	return subject.MeasuredBy(e, known, subject.CallOf, took.MedianNs)
}

// find finds the rows of the elements, when there are others.
func (l *Latencies) find(s *store.Session) {
	if l.of == s && l.defs == s.DefsRevision() {
		return
	}
	l.of, l.defs, l.track, l.spans = s, s.DefsRevision(), map[model.ObjectID]model.TrackID{},
		map[string]model.CollectorID{}
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t != nil && t.Def.Kind == model.TrackElement && t.Def.Object != model.NoObject {
			l.track[t.Def.Object] = id
		}
	}
}
