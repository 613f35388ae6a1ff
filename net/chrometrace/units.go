package chrometrace

import "framescope/net/jsonscan"

// The format has no units of counters. What writes them so that they are read here tells each of a
// counter by metadata of its process, which others pass over.
const (
	// CounterNote is the name of metadata that says what a counter is.
	CounterNote = "counter_info"
	// NotedCounter and NotedKey are its arguments that say of which: the name of its events, and the
	// argument of these that has the values.
	NotedCounter, NotedKey = "counter", "key"
	// NotedUnit is the argument that says it, as model.SeriesDef has it: values are in base units.
	NotedUnit = "unit"
)

const mostUnit = 64 // bytes of one

// unit takes which unit a counter of a process has. The last one wins.
func (d *decoder) unit(p *process, ev *event) {
	text := jsonscan.Member(ev.args, NotedUnit)
	d.counterKey(p, jsonscan.Member(ev.args, NotedCounter), nil, jsonscan.Member(ev.args, NotedKey))
	_, known := d.units[string(d.key)]
	if len(text) > mostUnit || !known && (len(d.units) >= mostSeries || !d.room.Take(int64(len(d.key)+len(text))+64)) {
		return
	}
	d.units[string(d.key)] = jsonscan.Text(text)
}
