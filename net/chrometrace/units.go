package chrometrace

import (
	"framescope/model"
	"framescope/net/jsonscan"
)

// The format has no units of counters, nor kinds. What writes them so that they are read here tells each of a
// counter by metadata of its process, which others pass over.
const (
	// CounterNote is the name of metadata that says what a counter is.
	CounterNote = "counter_info"
	// NotedCounter and NotedKey are its arguments that say of which: the name of its events, and the
	// argument of these that has the values.
	NotedCounter, NotedKey = "counter", "key"
	// NotedUnit is the argument that says its unit, as model.SeriesDef has it: values are in base units.
	NotedUnit = "unit"
	// NotedKind says of which kind it is, in the word of model.SeriesKind: of states nothing is known.
	NotedKind = "kind"
)

const mostUnit = 64 // bytes of one

// noted is what is told of a counter.
type noted struct {
	unit string
	kind model.SeriesKind
}

// counterNote takes what a counter of a process is. The last one wins.
func (d *decoder) counterNote(p *process, ev *event) {
	unit, word := jsonscan.Member(ev.args, NotedUnit), jsonscan.Member(ev.args, NotedKind)
	d.counterKey(p, jsonscan.Member(ev.args, NotedCounter), nil, jsonscan.Member(ev.args, NotedKey))
	_, known := d.noted[string(d.key)]
	if len(unit) > mostUnit || !known && (len(d.noted) >= mostSeries || !d.room.Take(int64(len(d.key)+len(unit))+64)) {
		return
	}
	n := noted{jsonscan.Text(unit), model.SeriesGauge}
	for _, kind := range [...]model.SeriesKind{model.SeriesValue, model.SeriesCounter, model.SeriesEvent} {
		if string(word) == kind.Word() {
			n.kind = kind
		}
	}
	d.noted[string(d.key)] = n
}
