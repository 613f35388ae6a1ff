package perfetto

import (
	"cmp"
	"math"

	"framescope/model"
	"framescope/net/trace"
)

// Counter is a counter's descriptor.
type Counter struct {
	Kind, Unit  uint64
	UnitName    string
	Multiplier  int64
	Incremental bool
}

// units are those of counters that have a number for theirs.
var units = [...]string{1: "ns", 2: "", 3: "B"}

// lengths are units of time, in ns: in a session times are in ns.
var lengths = map[string]float64{
	"ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "sec": 1e9, "seconds": 1e9, "milliseconds": 1e6,
	"microseconds": 1e3, "nanoseconds": 1,
}

// Take takes a description of the counter; renamed returns the newest text of an old and a new one.
func (c *Counter) Take(data []byte, renamed func(old string, now []byte) string) {
	for w := (Fields{Rest: data}); w.Next(); {
		switch w.Num {
		case 1:
			c.Kind = w.V
		case 3:
			c.Unit = w.V
		case 4:
			c.Multiplier = int64(w.V)
		case 5:
			c.Incremental = w.V != 0
		case 6:
			c.UnitName = renamed(c.UnitName, w.Data)
		}
	}
}

// Define defines kind and unit of a series of the counter, and returns by how much its values are to be multiplied.
func (c *Counter) Define(def *model.SeriesDef) (times float64) {
	def.Kind = model.SeriesGauge
	switch {
	case c.UnitName != "":
		def.Unit = c.UnitName
	case c.Unit < uint64(len(units)):
		def.Unit = units[c.Unit]
	}
	switch c.Kind {
	case 1:
		def.Kind, def.Unit = model.SeriesCounter, "ns"
	case 2:
		def.Kind, def.Unit = model.SeriesCounter, "instructions"
	}
	times = 1
	if c.Multiplier > 0 {
		times = float64(c.Multiplier)
	}
	if ns, ok := lengths[def.Unit]; ok {
		def.Unit, times = "ns", times*ns
	}
	return times
}

// value is one of a counter.
type value struct {
	time int64
	v    float64
}

// turn is where in the values of a line some begin between which and those before it the sequence was cleared, or
// values of the same track are on another line.
type turn struct {
	at    int
	ord   int64  // of all values
	epoch uint32 // how often the sequence had been cleared
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
	if v-v != 0 {
		d.b.Bad.Bad(trace.BadNumber, d.at)
		return
	}
	if !d.room.TakeData(24) {
		d.b.Bad.Bad(trace.NoMemory, d.at)
		return
	}
	d.values++
	if n := len(l.turns); n == 0 || l.turns[n-1].epoch != s.epoch || l.at.newest != l {
		l.turns = append(l.turns, turn{len(l.values), d.values, s.epoch})
		l.at.newest = l
	}
	l.values = append(l.values, value{time, v})
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
func (d *decoder) extras(s *sequence, e *Event, time int64, clock uint32) {
	for k := range e.Extra {
		tracks := e.Tracks[k]
		if len(tracks) == 0 {
			tracks = s.extra[k]
		}
		for i, v := range e.Extra[k] {
			if i >= len(tracks) {
				d.b.Bad.Bad(trace.BadNumber, d.at)
				break
			}
			l := d.line(s, lineKey{uuid: tracks[i], clock: clock, of: s})
			if l == nil {
				continue
			}
			if k == 1 {
				d.value(s, l, time, math.Float64frombits(v))
			} else {
				d.value(s, l, time, d.whole(v))
			}
		}
	}
}

// addCounters makes series of counters, and of states.
func (d *decoder) addCounters() {
	for _, t := range d.order {
		values, states := 0, 0
		for _, l := range t.lines {
			values, states = values+len(l.values), states+len(l.states)
		}
		if values > 0 {
			d.addCounter(t)
		}
		if states > 0 {
			d.addStates(t)
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

func (d *decoder) addCounter(t *track) {
	_, p := d.owner(t)
	def := model.SeriesDef{Group: d.titleOf(t, p)}
	c := t.counter
	if c == nil {
		c = &Counter{}
	}
	if t.name == "" && c.Kind == 1 {
		def.Group = "thread_time"
	}
	times := c.Define(&def)
	if c.Incremental {
		sumUp(t.lines)
	}
	counter := d.newCounter(t, def)
	for _, l := range t.lines {
		for _, v := range l.values {
			d.b.Value(counter, v.time, v.v*times, trace.Unknown)
		}
		l.values = nil
	}
}

// sumUp makes the values of a counter that says by how much it has changed what it is then. Each sequence sums up its
// own, in the order of the file, whatever clocks they are on, and begins anew where it was cleared.
func sumUp(lines []*line) {
	type stretch struct {
		turn
		of     *sequence
		values []value
	}
	var all []stretch
	for _, l := range lines {
		end := len(l.values)
		for i := len(l.turns) - 1; i >= 0; i-- {
			all = append(all, stretch{l.turns[i], l.of, l.values[l.turns[i].at:end]})
			end = l.turns[i].at
		}
	}
	trace.SortRuns(all, func(a, b stretch) int { return cmp.Compare(a.ord, b.ord) })
	type running struct {
		sum   float64
		epoch uint32
	}
	sums := map[*sequence]running{}
	for _, x := range all {
		r := sums[x.of]
		if r.epoch != x.epoch {
			r = running{epoch: x.epoch}
		}
		for i := range x.values {
			r.sum += x.values[i].v
			x.values[i].v = r.sum
		}
		sums[x.of] = r
	}
}

// addStates makes a series of the states of a track.
func (d *decoder) addStates(t *track) {
	_, p := d.owner(t)
	var list []state
	for _, l := range t.lines {
		list = append(list, l.states...)
	}
	trace.SortRuns(list, func(a, b state) int { return cmp.Compare(a.time, b.time) })
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
	counter := d.newCounter(t, def)
	for _, s := range list {
		if x, known := index[s.name]; known {
			d.b.Value(counter, s.time, float64(x), trace.Unknown)
		} else {
			d.b.Gap(counter, s.time) // no state from here on
		}
	}
}
