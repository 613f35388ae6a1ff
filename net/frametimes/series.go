package frametimes

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// states is a column of states.
type states struct {
	id    model.SeriesID
	now   int32
	names []string
	of    map[string]int32
}

// measures reads all that was measured in a row.
func (s *stream) measures(r *row, cells [][]byte) {
	d, l := s.d, s.d.l
	for i := range l.values {
		c := &l.values[i]
		v, ok := number(cells[c.at], l.head.comma)
		if !ok || v == 0 && c.zeroless {
			if v = math.NaN(); !ok && !missing(cells[c.at]) {
				d.bad.Bad(trace.BadNumber, r.line)
			}
		}
		r.values = append(r.values, v*c.factor)
	}
	for i := range l.states {
		r.states = append(r.states, s.state(i, cells[l.states[i].at]))
	}
	ms := func(at int) (int64, bool) {
		ns, ok := l.instant(cells, at, 6)
		return ns, ok && ns < longestNs && ns > -longestNs
	}
	r.busy, _ = ms(l.busy)
	r.wait, _ = ms(l.wait)
	r.present, _ = ms(l.inPresent)
	r.busy, r.wait, r.present = max(r.busy, 0), max(r.wait, 0), max(r.present, 0)
	if from, ok := ms(l.gpuFrom); ok {
		r.gpu, r.gpuEnd = from, from
		if till, ok := ms(l.gpuTill); ok {
			r.gpuEnd = till
		} else if n, ok := ms(l.gpuFor); ok {
			r.gpuEnd = from + n
		}
	}
	switch {
	case l.dropped >= 0:
		r.unshown = string(cells[l.dropped]) == "1"
	case l.displayed >= 0:
		r.unshown = missing(cells[l.displayed])
	}
	if s.generated {
		r.kind = d.names.Path(model.PathRoot, d.names.Collector(cells[l.frameType]))
	}
}

// state returns the number of a state by its text.
func (s *stream) state(i int, text []byte) int32 {
	x := &s.states[i]
	if missing(text) || len(text) > maxState || x.id == refused {
		return -1
	}
	if n, ok := x.of[string(text)]; ok {
		return n
	}
	n := int32(len(x.names))
	if n >= mostStates {
		return n - 1
	}
	name := s.stateName(i, text)
	if n == mostStates-1 {
		name = "(others)"
	}
	x.of[string(text)] = n
	x.names = append(x.names, name)
	s.define(&x.id, model.SeriesDef{Group: s.d.l.states[i].group, Kind: model.SeriesState, States: slices.Clone(x.names)})
	if x.id == refused {
		return -1
	}
	return n
}

// stateName is what a state is called.
func (s *stream) stateName(i int, text []byte) string {
	name := trace.Shown(string(bytes.TrimSpace(text)))
	if s.d.l.head.kind != presentMon {
		return name
	}
	switch column := s.d.l.head.norms[s.d.l.states[i].at]; {
	case column == "syncinterval":
		return "interval " + strings.Replace(name, "-", "\u2212", 1)
	case column == "allowstearing" && name == "0":
		return "no"
	case column == "allowstearing" && name == "1":
		return "yes"
	}
	return name
}

// define defines a series of the stream, again where it was, and sets its ID, to refused where there is no room.
func (s *stream) define(id *model.SeriesID, def model.SeriesDef) {
	d := s.d
	def.Name = cmp.Or(def.Name, s.name)
	def.Track, def.Object, def.Peer = s.track, model.NoObject, model.NoObject
	if *id == undefined {
		if d.next >= maxSeries || !d.room.Admit(def) {
			*id = refused
			d.bad.Bad(trace.ManyCounters, trace.Unknown)
			return
		}
		*id = d.next
		d.next++
	}
	def.ID = *id
	d.sink.Define(def)
}

// defineNew defines the series of the values that a row is the first to have, in the order in which rows come, whatever
// the order is in which they are let go. A zero is none where a column has had nothing else.
func (s *stream) defineNew(r *row) {
	for i, v := range r.values {
		c := &s.d.l.values[i]
		switch {
		case v != v || s.series[i] != undefined:
		case v == 0 && c.hidden:
			r.values[i] = math.NaN()
		default:
			c.hidden = false
			s.defineValue(i)
		}
	}
	if r.unshown && s.shown == undefined {
		s.define(&s.shown, model.SeriesDef{
			Group: "Frames not shown", Kind: model.SeriesEvent,
			Description: "frames that were made, but never came to the screen",
		})
	}
}

// measured appends the values of a row, at the begin of its frame.
func (s *stream) measured(out []model.Sample, r *row) []model.Sample {
	add := func(id model.SeriesID, v float64) {
		if id != refused {
			out = append(out, model.Sample{Series: id, Time: r.begin, Value: v})
		}
	}
	for i, v := range r.values {
		if v == v {
			add(s.series[i], v)
		}
	}
	for i, n := range r.states {
		if x := &s.states[i]; n >= 0 && n != x.now {
			x.now = n
			add(x.id, float64(n))
		}
	}
	if r.unshown {
		s.unshown++
		add(s.shown, 1)
	}
	return out
}

// defineValue defines the series of a column of values.
func (s *stream) defineValue(i int) {
	c := &s.d.l.values[i]
	def := model.SeriesDef{Group: trace.Shown(c.group), Unit: trace.Shown(c.unit), Kind: model.SeriesValue}
	if s.d.l.application < 0 {
		def.Name = trace.Shown(c.name)
	}
	s.define(&s.series[i], def)
}
