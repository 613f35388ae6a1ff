package perfetto

import (
	"cmp"
	"math"

	"framescope/model"
	"framescope/net/trace"
)

// counter is a counter's descriptor.
type counter struct {
	kind, unit  uint64
	unitName    string
	multiplier  int64
	incremental bool
}

// units are those of counters that have a number for theirs.
var units = [...]string{1: "ns", 2: "", 3: "B"}

// lengths are units of time, in ns: in a session times are in ns.
var lengths = map[string]float64{
	"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "sec": 1e9, "seconds": 1e9, "milliseconds": 1e6,
	"microseconds": 1e3, "nanoseconds": 1,
}

// describe reads a description of the counter; renamed returns the newest text of an old and a new one.
func (c *counter) describe(data []byte, renamed func(old string, now []byte) string) {
	f := flatten(data)
	c.kind, c.unit = cmp.Or(f.v[1], c.kind), cmp.Or(f.v[3], c.unit)
	c.multiplier, c.incremental = cmp.Or(int64(f.v[4]), c.multiplier), c.incremental || f.v[5] != 0
	c.unitName = renamed(c.unitName, f.data[6])
}

// define defines kind and unit of a series of the counter, and returns by how much its values are to be multiplied.
func (c *counter) define(def *model.SeriesDef) (times float64) {
	def.Kind = model.SeriesGauge
	switch {
	case c.kind == 1:
		def.Kind, def.Unit = model.SeriesCounter, "ns"
	case c.kind == 2:
		def.Kind, def.Unit = model.SeriesCounter, "instructions"
	case c.unitName != "":
		def.Unit = c.unitName
	case c.unit < uint64(len(units)):
		def.Unit = units[c.unit]
	}
	times = float64(max(c.multiplier, 1))
	if ns, ok := lengths[def.Unit]; ok {
		def.Unit, times = "ns", times*ns
	}
	return times
}

// number is a value of a counter. Of one that says by how much it has changed, the sum is what it is then.
type number struct {
	time   int64
	v, sum float64
}

// running is the sum of the changes of a counter by a sequence, in the order of the file and not of their clocks. It
// begins anew where the sequence is cleared.
type running struct {
	sum   float64
	epoch uint32
}

// state is a state of a track, from a time on.
type state struct {
	time int64
	name trace.Symbol
}

// whole is a whole number as a value of a series.
func (d *decoder) whole(v uint64) float64 {
	if !trace.Exact(int64(v)) {
		d.b.Bad.Bad(trace.LargeNumber, d.at)
	}
	return float64(int64(v))
}

// value keeps a value of a counter.
func (d *decoder) value(s *sequence, l *line, time int64, v float64) {
	switch {
	case v-v != 0:
		d.b.Bad.Bad(trace.BadNumber, d.at)
		return
	case !d.room.TakeData(24):
		d.b.Bad.Bad(trace.NoMemory, d.at)
		return
	}
	if l.sum.epoch != s.epoch {
		*l.sum = running{epoch: s.epoch}
	}
	l.sum.sum += v
	l.values = append(l.values, number{time, v, l.sum.sum})
}

// state keeps a state of a track.
func (d *decoder) state(l *line, time int64, name trace.Symbol) {
	if !d.room.TakeData(16) {
		d.b.Bad.Bad(trace.NoMemory, d.at)
		return
	}
	l.states = append(l.states, state{time, name})
}

// extras keeps the counter values of an event.
func (d *decoder) extras(s *sequence, e *event, time int64, clock uint32) {
	for k := range e.extra {
		tracks := e.tracks[k]
		if len(tracks) == 0 {
			tracks = s.extra[k]
		}
		for i, v := range e.extra[k] {
			if i >= len(tracks) {
				d.b.Bad.Bad(trace.BadNumber, d.at)
				break
			}
			if l := d.line(s, lineKey{uuid: tracks[i], clock: clock, of: s}); l != nil {
				d.value(s, l, time, d.valueOf(v, k == 1))
			}
		}
	}
}

// valueOf returns the value of a counter.
func (d *decoder) valueOf(v uint64, isFloat bool) float64 {
	if isFloat {
		return math.Float64frombits(v)
	}
	return d.whole(v)
}

// addCounters makes series of counters, and of states.
func (d *decoder) addCounters() {
	for _, t := range d.order {
		var values []number
		var states []state
		for _, l := range t.lines {
			values, states = append(values, l.values...), append(states, l.states...)
			l.values, l.states = nil, nil
		}
		if len(values) > 0 {
			d.addCounter(t, values)
		}
		if len(states) > 0 {
			d.addStates(t, states)
		}
	}
}

// newCounter returns a counter of the thread or process that a track belongs to.
func (d *decoder) newCounter(t *track, def model.SeriesDef) *trace.Counter {
	th, p := d.owner(t)
	switch {
	case th != nil:
		return d.b.NewCounter(p.Process, th.Thread, def)
	case p != nil:
		return d.b.NewCounter(p.Process, nil, def)
	}
	return d.b.NewCounter(nil, nil, def)
}

func (d *decoder) addCounter(t *track, values []number) {
	_, p := d.owner(t)
	def := model.SeriesDef{Group: d.titleOf(t, p)}
	c := cmp.Or(t.counter, &counter{})
	if t.name == "" && c.kind == 1 {
		def.Group = "thread_time"
	}
	times := c.define(&def)
	to := d.newCounter(t, def)
	for _, v := range values {
		if c.incremental {
			v.v = v.sum
		}
		d.b.Value(to, v.time, v.v*times, trace.Unknown)
	}
}

// addStates makes a series of the states of a track.
func (d *decoder) addStates(t *track, list []state) {
	trace.SortRuns(list, func(a, b state) int { return cmp.Compare(a.time, b.time) })
	_, p := d.owner(t)
	def := model.SeriesDef{Group: "state", Kind: model.SeriesState}
	if t.thread == nil {
		def.Name = d.titleOf(t, p)
	}
	index := map[trace.Symbol]int{}
	for _, s := range list {
		if _, known := index[s.name]; !known && s.name != trace.EmptySymbol && len(def.States) < 256 {
			index[s.name] = len(def.States)
			def.States = append(def.States, d.b.Words(s.name))
		}
	}
	to := d.newCounter(t, def)
	for _, s := range list {
		if x, known := index[s.name]; known {
			d.b.Value(to, s.time, float64(x), trace.Unknown)
		} else {
			d.b.Gap(to, s.time) // no state from here on
		}
	}
}
