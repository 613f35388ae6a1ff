package firefox

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// maxCounters bounds the counters of a file.
const maxCounters = 1 << 12

// counter is one of the file.
type counter struct {
	name, category, description, unit string
	pid                               word
	times                             []int64
	counts                            []float64
}

// counter reads a counter, and publishes it: its values are increments, which are summed up.
func (d *decoder) counter(r *trace.Reader) {
	c := &d.tally
	*c = counter{times: c.times, counts: c.counts}
	samples := fields{"time": times(&c.times), "timeDeltas": deltas(&c.times), "count": numbers(&c.counts)}
	groups := fields{"samples": samples} // of before 2023: a list with one
	d.keep.read(r, fields{
		"name": &c.name, "category": &c.category, "description": &c.description, "pid": &c.pid, "samples": samples,
		"display": fields{"unit": &c.unit},
		"sampleGroups": func() {
			if r.Peek() == '{' {
				d.keep.read(r, groups)
				return
			}
			r.Array(func() {
				if len(c.times) == 0 {
					d.keep.read(r, groups)
				}
			})
		},
	})
	if n := min(len(c.times), len(c.counts)); n > 0 && !d.Info.Sampling.Timeless && !d.cancelled {
		d.Bad.BadN(trace.BadEvent, int64(max(len(c.times), len(c.counts))-n), d.place)
		d.publishCounter(c, n)
	}
}

// of describes the series of a counter.
func (c *counter) of() model.SeriesDef {
	def := model.SeriesDef{
		Name: cmp.Or(c.name, c.category, "counter"), Group: cmp.Or(c.category, c.name, "counter"), Kind: model.SeriesCounter,
		Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject, Description: c.description, Unit: c.unit,
	}
	switch category := strings.ToLower(c.category); {
	case category == "memory":
		def.Kind, def.Unit = model.SeriesGauge, "B"
		def.Description = strings.TrimSpace(c.description + " Change since the recording began.")
	case category == "bandwidth", c.unit == "bytes":
		def.Unit = "B"
	case category == "power":
		def.Unit = cmp.Or(c.unit, "pWh")
	}
	if slices.ContainsFunc(c.counts, func(v float64) bool { return v < 0 }) { // a total that falls is none
		def.Kind = model.SeriesGauge
	}
	return def
}

func (d *decoder) publishCounter(c *counter, n int) {
	def := c.of()
	if d.processes > 1 && c.pid != "" {
		def.Name += " " + string(c.pid)
	}
	if d.counters >= maxCounters || !d.Room.Admit(def) {
		d.Bad.Bad(trace.ManyCounters, d.place)
		return
	}
	d.counters++
	out, id := d.Out.Calls(model.NoTrack), d.Out.Series(def)
	sum, last := 0.0, int64(math.MinInt64)
	for k, at := range c.times[:n] {
		v := c.counts[k]
		switch {
		case at == noTime:
			d.Bad.Bad(trace.BadTime, d.place)
		case math.IsNaN(v):
			d.Bad.Bad(trace.BadNumber, d.place)
		default:
			sum += v
			last = max(last, model.ClampTime(at))
			out.Value(model.Sample{Series: id, Time: last, Value: sum})
		}
	}
	d.cancelled = !out.Close()
}
