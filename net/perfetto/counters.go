package perfetto

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

const mostSeries = 1 << 14

// gauge is a series of the session.
type gauge struct {
	def    model.SeriesDef
	thread *thread
	proc   *process
}

// stageCounters makes series of counters, and of states.
func (d *decoder) stageCounters() {
	all := 0
	for _, t := range d.order {
		for _, l := range t.lists {
			all += l.values.N + l.states.N
		}
	}
	d.samples = slices.Grow(d.samples, all)
	for _, t := range d.order {
		counted, states := 0, 0
		for _, l := range t.lists {
			counted, states = counted+l.values.N, states+l.states.N
		}
		if counted > 0 {
			d.stageCounter(t)
		}
		if states > 0 {
			d.stageStates(t)
		}
	}
}

// newSeries returns a series, nil where there is no room for it.
func (d *decoder) newSeries(t *track, def model.SeriesDef, n int) *gauge {
	def.ID, def.Track, def.Object, def.Peer = model.SeriesID(len(d.series)), model.NoTrack, model.NoObject, model.NoObject
	if len(d.series) >= mostSeries || !d.room.Admit(def) {
		d.faults[NoSeries].AddN(int64(n), trace.Unknown)
		return nil
	}
	g := &gauge{def: def}
	g.thread, g.proc = d.owner(t)
	d.series = append(d.series, g)
	return g
}

func (d *decoder) stageCounter(t *track) {
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
	n := 0
	for _, l := range t.lists {
		n += l.values.N
	}
	g := d.newSeries(t, def, n)
	if g == nil {
		return
	}
	take := func(part []value) {
		for _, v := range part {
			if x := v.v * times; x-x != 0 {
				d.faults.Count(NoNumber, trace.Unknown)
			} else {
				d.samples = append(d.samples, model.Sample{Series: g.def.ID, Time: v.time - d.first, Value: x})
			}
		}
	}
	if c.Incremental {
		summedUp(t.lists, take)
		return
	}
	for _, l := range t.lists {
		l.values.Each(take)
		l.values = List[value]{}
	}
}

// summedUp hands over the values of a counter that says by how much it has changed as what it is then. Each sequence
// sums up its own, in the order of the file, whatever clocks they are on, and begins anew where it was cleared.
func summedUp(lists []*list, take func(part []value)) {
	type stretch struct {
		turn
		of     *sequence
		values []value
	}
	var all []stretch
	for _, l := range lists {
		values := l.values.Drain(nil)
		for i := len(l.turns) - 1; i >= 0; i-- {
			at := min(l.turns[i].at, len(values))
			all = append(all, stretch{l.turns[i], l.of, values[at:]})
			values = values[:at]
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
		take(x.values)
	}
}

// stageStates makes a series of the states of a track.
func (d *decoder) stageStates(t *track) {
	_, p := d.owner(t)
	var rows []Row
	for _, l := range t.lists {
		rows = l.states.Drain(rows)
	}
	trace.SortRuns(rows, func(a, b Row) int { return cmp.Compare(a.Time, b.Time) })
	def := model.SeriesDef{Group: "state", Kind: model.SeriesState}
	if t.thread == nil {
		def.Name = d.titleOf(t, p)
	}
	index := map[uint32]int{}
	for _, r := range rows {
		if _, known := index[r.Text]; !known && r.Text != None && len(def.States) < 256 {
			index[r.Text] = len(def.States)
			def.States = append(def.States, d.texts.Text(r.Text))
		}
	}
	g := d.newSeries(t, def, len(rows))
	if g == nil {
		return
	}
	for _, r := range rows {
		x, known := index[r.Text]
		v := float64(x)
		if !known {
			v = math.NaN() // no state from here on
		}
		d.samples = append(d.samples, model.Sample{Series: g.def.ID, Time: r.Time - d.first, Value: v})
	}
}
