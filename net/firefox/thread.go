package firefox

import (
	"fmt"
	"math"
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

// thread is the stored part of the current thread.
type thread struct {
	stack   []int32
	times   []int64
	weights []float64
	cpu     []float64
	end     ns // when the thread ended, noTime where that is not known
	markers markers
}

// thread reads a thread, and publishes it.
func (d *decoder) thread(r *trace.Reader, i int) {
	t, k := &d.now, &d.keep
	t.end = noTime
	f := d.own.fields()
	f["samples"] = fields{
		"stack": indexes(&t.stack), "time": times(&t.times), "timeDeltas": deltas(&t.times), "weight": numbers(&t.weights),
		"threadCPUDelta": numbers(&t.cpu),
	}
	f["markers"], f["unregisterTime"] = t.markers.fieldsOf(k, r), &t.end
	k.read(r, f)
	if len(t.stack)+t.markers.len() == 0 {
		return
	}
	def, ok := d.track(i)
	if !ok {
		k.bad.Bad(trace.ManyThreads, d.place)
		return
	}
	d.stacks.use(&d.own, &d.all)
	if d.Info.Sampling.Timeless {
		d.weigh(i)
		d.timed += int64(t.markers.len())
		return
	}
	bars := d.bars()
	d.play(i, def, bars)
	d.notes(def.ID)
	d.publishBars(i, def, bars)
}

// weigh sums up samples that have no times.
func (d *decoder) weigh(i int) {
	t, h := &d.now, &d.threads[i]
	if h.weight != d.kind {
		d.skipped = append(d.skipped, fmt.Sprintf("%d samples of %q, which are %s", len(t.stack), h.name, h.weight))
		return
	}
	for n, s := range t.stack {
		if s == none {
			d.bare++
			continue
		}
		d.sampled++
		d.Weigh(h.track, d.stacks.inner(s), scaled(h.weight, t.weight(n)), d.place)
	}
}

// weight is that of a sample.
func (t *thread) weight(n int) float64 {
	if n >= len(t.weights) || math.IsNaN(t.weights[n]) {
		return 1
	}
	return t.weights[n]
}

// cpuUnit is how many ns a unit of threadCPUDelta is, 0 where it is no time.
func cpuUnit(name string) float64 {
	switch name {
	case "ns":
		return 1
	case "µs", "μs", "us":
		return 1e3
	case "ms":
		return 1e6
	}
	return 0
}

// play publishes the samples of a thread.
func (d *decoder) play(i int, def model.TrackDef, bars []bar) {
	t, h := &d.now, &d.threads[i]
	n := min(len(t.stack), len(t.times))
	d.Bad.BadN(trace.BadEvent, int64(max(len(t.stack), len(t.times))-n), d.place)
	for _, beside := range [...]int{len(t.weights), len(t.cpu)} {
		if beside > 0 { // else the column is not there
			d.Bad.BadN(trace.BadEvent, int64(max(beside-n, n-beside)), d.place)
		}
	}
	if n == 0 && i != d.framed {
		return
	}
	out := d.Out.Thread(def.ID, def.Name)
	if i == d.framed {
		d.frames(out, bars)
	}
	if t.differ(h, n) {
		out.Weighs(kindOf(h.weight))
	}
	cpu := newClock(out, t.cpu, cpuUnit(d.meta.cpuUnit), def.Name)
	var space trace.Spacing
	last, any := int64(0), false
	for k, s := range t.stack[:n] {
		at := t.times[k]
		if at == noTime {
			d.Bad.Bad(trace.BadTime, d.place)
			continue
		}
		if any && at < last {
			d.Bad.Bad(trace.LateEvent, d.place)
			at = last
		}
		at = model.ClampTime(at)
		if any {
			space.Add(at - last)
			// A sample stands for the time before it, as many intervals as it weighs.
			every := int64(d.meta.interval)
			if every > 0 && h.weight == "samples" && float64(at-last) > (1+max(t.weight(k), 1))*float64(every) {
				out.Stop(last + every)
			}
		}
		last, any = at, true
		if s == none {
			d.bare++
			out.Stop(at)
		} else {
			d.sampled++
			out.Sample(at, d.stacks.stack(s))
			w := scaled(h.weight, t.weight(k))
			if w < 0 {
				d.Bad.Bad(trace.BadWeight, d.place)
			}
			out.Weigh(max(w, 0))
		}
		if cpu.take(k, at) {
			d.idle++
		}
	}
	cpu.close()
	d.Bad.BadN(trace.BadNumber, cpu.bad, d.place)
	h.cpu = cpu.sum
	if any {
		hold := last + int64(d.meta.interval)
		if end := int64(t.end); end >= last {
			hold = min(hold, end)
		}
		out.Stop(hold)
	}
	d.cancelled = !out.Close()
	if space.N() > d.Space.N() {
		d.Space = space
	}
}

// differ reports whether not all of the first n samples weigh one sample.
func (t *thread) differ(h *header, n int) bool {
	for k := 0; k < n && h.weight == "samples"; k++ {
		if t.weight(k) != 1 {
			return true
		}
	}
	return h.weight != "samples" && len(t.weights) > 0
}

// clock adds up the CPU time of a thread.
type clock struct {
	out        *trace.StackThread
	deltas     []float64
	unit       float64
	load, time model.SeriesID
	sum        float64 // ns
	rest       float64 // of samples at one and the same time
	last       int64
	any        bool
	bad        int64 // invalid values
}

// newClock defines the series of a thread's CPU time, if there are any values.
func newClock(out *trace.StackThread, deltas []float64, unit float64, name string) *clock {
	c := &clock{out: out, unit: unit}
	if unit == 0 || !slices.ContainsFunc(deltas, func(v float64) bool { return v >= 0 }) {
		return c
	}
	c.deltas = deltas
	c.load = out.Series(model.SeriesDef{
		Name: name, Group: "CPU load", Kind: model.SeriesValue, Role: model.RoleCPULoad, Unit: "%", Max: 100, HasRange: true,
		Description: "CPU time that the thread used from one sample to the next, by the time between them",
	})
	c.time = out.Series(model.SeriesDef{
		Name: name, Group: "CPU time", Kind: model.SeriesCounter, Role: model.RoleCPUTime, Unit: "ns",
		Description: "CPU time of the thread since the recording began, at each sample",
	})
	return c
}

// take reads a sample's CPU time since the one before. idle reports whether it is zero.
func (c *clock) take(k int, at int64) (idle bool) {
	if c.deltas == nil {
		return false
	}
	v := math.NaN()
	if k < len(c.deltas) {
		v = c.deltas[k] * c.unit
	}
	known := v >= 0 && v < model.MaxTime
	switch {
	case known:
		c.sum += v
	case v == v:
		c.bad++
		v = math.NaN()
	}
	switch {
	case c.any && at == c.last && known:
		c.rest += v
	case c.any && at > c.last:
		c.out.Value(model.Sample{Series: c.load, Time: c.last, Value: min(100*(v+c.rest)/float64(at-c.last), 100)})
		c.rest = 0
	}
	if !known && c.any {
		c.out.Value(model.Sample{Series: c.time, Time: at, Value: v})
	}
	c.out.Value(model.Sample{Series: c.time, Time: at, Value: c.sum})
	idle = v == 0 && c.any
	c.last, c.any = at, true
	return idle
}

func (c *clock) close() {
	if c.any {
		c.out.Value(model.Sample{Series: c.load, Time: c.last, Value: math.NaN()})
	}
}
