package gotrace

import (
	"strings"

	exptrace "golang.org/x/exp/trace"

	"framescope/model"
	"framescope/net/trace"
)

// maxMetrics bounds the counters of a trace; the runtime has three.
const maxMetrics = 64

// metricNames are the runtime's counters as they are shown.
var metricNames = map[string]struct{ group, name, words string }{
	"/memory/classes/heap/objects:bytes": {"heap", "heap in use", "memory of objects that are live or not swept yet"},
	"/gc/heap/goal:bytes":                {"heap", "heap goal", "size of the heap at which the next collection ends"},
	"/sched/gomaxprocs:threads":          {"threads", "GOMAXPROCS", "how many goroutines may run at the same time"},
}

// metric takes the value of a counter, which holds until the next.
func (d *decoder) metric(ev *exptrace.Event) {
	m := ev.Metric()
	if m.Value.Kind() != exptrace.ValueUint64 {
		d.bad.Bad(trace.BadNumber, trace.Unknown)
		return
	}
	id, ok := d.metrics[m.Name]
	if !ok {
		if id = d.defineMetric(m.Name); id == model.NoSeries {
			d.bad.Bad(trace.ManyCounters, trace.Unknown)
			return
		}
		d.metrics[m.Name] = id
	}
	d.samples = append(d.samples, model.Sample{Series: id, Time: d.now, Value: float64(m.Value.Uint64())})
}

func (d *decoder) defineMetric(name string) model.SeriesID {
	path, unit, _ := strings.Cut(cutText(name), ":")
	def := model.SeriesDef{
		ID: d.series, Name: trace.Shown(path), Group: trace.Shown(path), Kind: model.SeriesGauge, Unit: trace.Shown(unit),
		Description: trace.Shown(cutText(name)), Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject,
	}
	if known, ok := metricNames[name]; ok {
		def.Name, def.Group, def.Description = known.name, known.group, known.words+" ("+name+")"
	}
	switch unit {
	case "bytes":
		def.Unit = "B"
	case "threads":
		def.Unit = ""
	}
	if len(d.metrics) >= maxMetrics || !d.room.Admit(def) {
		return model.NoSeries
	}
	d.series++
	d.sink.Define(def)
	return def.ID
}
