package chrometrace

import (
	"math"
	"strings"

	"framescope/model"
	"framescope/net/trace"
)

// noted is the metadata of a counter (package retold).
type noted struct {
	trace.SeriesInfo
	thread *thread // nil: it is of none
}

// counterNote takes the metadata of a counter of a process. The last one wins.
func (d *decoder) counterNote(th *thread, ev *event, at int64) {
	d.counterKey(th.proc, trace.Member(ev.args, trace.Counter), nil, trace.Member(ev.args, trace.Key))
	_, known := d.noted[string(d.key)]
	if !known && len(d.noted) >= mostSeries || !d.room.Take(int64(len(d.key))+trace.SeriesBytes(ev.args)) {
		d.count(noSeries, trace.Unknown)
		return
	}
	n := noted{SeriesInfo: trace.ReadSeries(ev.args)}
	if n.Bad {
		d.session.Unread.Add(trace.Series, at)
	}
	if th.tid != string(zero) {
		n.thread = th
	}
	d.noted[string(d.key)] = n
}

// gaps takes from when on a counter of a process has no value.
func (d *decoder) gaps(p *process, ev *event, at int64) {
	text := trace.Member(ev.args, trace.At)
	if d.full = d.full || !d.room.TakeData(16*int64(len(text))); d.full {
		d.count(noRoom, trace.Unknown)
		return
	}
	d.counterKey(p, trace.Member(ev.args, trace.Counter), nil, trace.Member(ev.args, trace.Key))
	if _, told := d.noted[string(d.key)]; !told || text == nil { // of nothing, or nothing
		d.session.Unread.Add(trace.Gaps, at)
		return
	}
	n, ok := d.seriesFor(p, trace.Member(ev.args, trace.Counter), nil, trace.Member(ev.args, trace.Key), trace.Unknown)
	if !ok {
		return
	}
	whole := trace.ReadGaps(text, func(ns int64) {
		d.first, d.last = min(d.first, ns), max(d.last, ns)
		d.samples = append(d.samples, model.Sample{Series: n, Time: ns, Value: math.NaN()})
	})
	if !whole {
		d.count(noNumber, trace.Unknown)
	}
}

// defineSeries defines the series of a counter. title is that of its process, empty where there is but one.
func (d *decoder) defineSeries(i int, title string) {
	c := &d.counters[i]
	def := c.def(model.SeriesID(i))
	n := d.noted[c.at]
	if _, told := d.noted[c.at]; told {
		n.Define(&def, &d.session.Topology)
	}
	if n.thread != nil {
		def.Track = n.thread.track
	}
	if title != "" && !n.Named {
		def.Name = strings.TrimSuffix(title+" "+def.Name, " ")
	}
	d.session.Topology.Flow(&def)
	d.sink.Define(def)
}
