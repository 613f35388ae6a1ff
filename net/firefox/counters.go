package firefox

import (
	"cmp"
	"math"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// maxCounters bounds the counters of a file.
const maxCounters = 1 << 12

// counter is one of the file.
type counter struct {
	name, category, description, pid string
	unit                             string
	times                            []int64
	counts                           []float64
}

// counter reads a counter, and publishes it: its values are increments, which are summed up.
func (d *decoder) counter(r *trace.Reader) {
	c := &d.tally
	*c = counter{times: c.times[:0], counts: c.counts[:0]}
	samples := func() {
		r.Object(func(key []byte) {
			switch string(key) {
			case "time":
				c.times = d.keep.times(r, c.times, false)
			case "timeDeltas":
				c.times = d.keep.times(r, c.times, true)
			case "count":
				c.counts = d.keep.numbers(r, c.counts)
			}
		})
	}
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			c.name = trace.Shown(trace.JSONText(r.String()))
		case "category":
			c.category = trace.Shown(trace.JSONText(r.String()))
		case "description":
			c.description = trace.Shown(trace.JSONText(r.String()))
		case "pid":
			c.pid = word(r)
		case "samples":
			samples()
		case "display":
			r.Object(func(key []byte) {
				if string(key) == "unit" {
					c.unit = trace.Shown(trace.JSONText(r.String()))
				}
			})
		case "sampleGroups": // of before 2023: a list with one
			one := false
			group := func() {
				r.Object(func(key []byte) {
					if string(key) == "samples" && !one {
						one = true
						samples()
					}
				})
			}
			if r.Peek() == '[' {
				r.Array(group)
			} else {
				group()
			}
		}
	})
	if n := min(len(c.times), len(c.counts)); n > 0 && !d.timeless && !d.cancelled {
		d.problem(uneven, int64(max(len(c.times), len(c.counts))-n))
		d.publishCounter(c, n)
	}
}

// of describes the series of a counter.
func (c *counter) of() model.SeriesDef {
	def := model.SeriesDef{
		Name: cmp.Or(c.name, c.category, "counter"), Group: cmp.Or(c.category, c.name, "counter"), Kind: model.SeriesCounter,
		Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject, Description: c.description, Unit: c.unit,
	}
	power := strings.EqualFold(c.category, "power")
	switch {
	case strings.EqualFold(c.category, "memory"):
		def.Kind, def.Unit = model.SeriesGauge, "B"
		def.Description = strings.TrimSpace(c.description + " Change since the recording began.")
	case strings.EqualFold(c.category, "bandwidth"), c.unit == "bytes":
		def.Unit = "B"
	case power:
		def.Unit = cmp.Or(c.unit, "pWh")
	}
	for _, v := range c.counts { // a total that falls is none
		if v < 0 {
			def.Kind = model.SeriesGauge
		}
	}
	return def
}

func (d *decoder) publishCounter(c *counter, n int) {
	def := c.of()
	if d.processes > 1 && c.pid != "" {
		def.Name += " " + c.pid
	}
	if d.counters >= maxCounters || !d.room.Admit(def) {
		d.problem(noSeries, 1)
		return
	}
	d.counters++
	id := d.out.Series(def)
	sum, last := 0.0, int64(math.MinInt64)
	for k := 0; k < n && !d.cancelled; {
		b := d.sink.Begin()
		b.Track = model.NoTrack
		for ; k < n && len(b.Samples) < atOnce; k++ {
			v, at := c.counts[k], c.times[k]
			switch {
			case at == noTime:
				d.problem(noTimes, 1)
				continue
			case math.IsNaN(v):
				d.problem(badCounter, 1)
				continue
			}
			sum += v
			last = max(last, model.ClampTime(at))
			b.Samples = append(b.Samples, model.Sample{Series: id, Time: last, Value: sum})
		}
		d.cancelled = !d.sink.Publish(b)
	}
}
