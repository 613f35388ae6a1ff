package gsttrace

import (
	"cmp"
	"io"
	"maps"
	"math"
	"math/bits"
	"slices"

	"framescope/model"
	"framescope/model/measure"
	"framescope/net/trace"
)

// Collector sums up a log that is written to it: it is the [Handler] of its reader. Unlike gst-stats it counts every
// record, also long ones and those with odd names and types, distinguishes the processes of one log, knows
// elements without announcement, and keeps exact extremes and averages. Beside that it has the figures of gst-stats.
type Collector struct {
	*LogReader
	facts   *facts
	own     *tables
	compat  *tables
	classes map[*Class]*classOf
	counted map[string]*ClassCount
	read    compatReader
	bad     trace.Diagnostics
}

// classOf is what the collector knows of a class: which record it is, and where the fields that it
// wants are.
type classOf struct {
	wanted
	class *ClassCount
	at    [8]int // positions of the wanted fields, -1 for missing ones
}

// wanted are the fields that the collector reads of a kind of records, and what counts them; nil: nothing is summed up.
type wanted struct {
	fields []string
	count  func(t *tables, f *fields, e *LogEntry)
	newer  bool // gst-stats does not know them
}

var wantedOf = map[string]wanted{
	"new-element": {fields: []string{"ix", "parent-ix", "name", "type", "is-bin"}, count: (*tables).newElement},
	"new-pad": {
		fields: []string{"ix", "parent-ix", "name", "is-ghostpad", "pad-direction", "thread-id"}, count: (*tables).newPad,
	},
	"buffer": {
		fields: []string{"thread-id", "ts", "pad-ix", "element-ix", "peer-element-ix", "buffer-size", "buffer-flags"},
		count:  (*tables).buffer,
	},
	"event":   {fields: []string{"thread-id", "ts", "element-ix", "pad-ix"}, count: (*tables).event},
	"message": {fields: []string{"thread-id", "ts", "element-ix"}, count: (*tables).message},
	"query":   {fields: []string{"thread-id", "ts", "element-ix"}, count: (*tables).query},
	"element-query": {
		fields: []string{"thread-id", "ts", "element-ix"}, count: (*tables).elementQuery, newer: true,
	},
	"thread-rusage": {fields: []string{"thread-id", "ts", "average-cpuload", "time"}, count: (*tables).threadUsage},
	"proc-rusage":   {fields: []string{"ts", "average-cpuload", "time"}, count: (*tables).processUsage},
	"latency": {
		fields: []string{"src-element-id", "src-element", "src", "sink-element-id", "sink-element", "sink", "time", "ts"},
		count:  func(t *tables, f *fields, e *LogEntry) { t.latency(t.ways, f, 6, e) },
	},
	"element-latency": {
		fields: []string{"element-id", "element", "src", "time", "ts"},
		count:  func(t *tables, f *fields, e *LogEntry) { t.latency(t.through, f, 3, e) },
	},
	"element-reported-latency": {
		fields: []string{"element-id", "element", "live", "min", "max", "ts"}, count: (*tables).answer,
	},
	"factory-used":   {fields: []string{"factory-type", "factory", "plugin"}, count: (*tables).factory},
	"object-alive":   {},
	"object-refings": {},
	"object-added":   {},
	"object-removed": {},
}

// NewCollector makes an empty sum.
func NewCollector() *Collector {
	c := &Collector{
		facts: newFacts(), own: newTables(false), compat: newTables(true), classes: map[*Class]*classOf{},
		counted: map[string]*ClassCount{}, bad: trace.Diagnostics{Unit: "line"},
	}
	c.own.room = maxValues
	c.LogReader = NewLogReader(c)
	return c
}

// classOf returns the plan of a class.
func (c *Collector) classOf(class *Class) *classOf {
	if k := c.classes[class]; k != nil {
		return k
	}
	want, stock := wantedOf[class.Name]
	k := &classOf{wanted: want, class: c.counted[class.Name]}
	if k.class == nil {
		k.class = &ClassCount{Name: class.Name, Stock: stock}
		c.counted[class.Name] = k.class
	}
	k.class.Origin = class.Origin.String()
	for i, name := range k.fields {
		k.at[i] = class.Index(name)
	}
	c.classes[class] = k
	return k
}

// fields are the values of the wanted fields of one record, absent for missing ones.
type fields [8]*Value

var absent = &Value{}

func (f *fields) number(i int) uint64 { return f[i].Unsigned() }

// index is the number of an object: none where the field is missing.
func (f *fields) index(i int) uint64 {
	if f[i] == absent {
		return none
	}
	return uint64(uint32(f[i].Unsigned()))
}

func (f *fields) text(i int) []byte { return f[i].Text }

// Record counts a record.
func (c *Collector) Record(r *Record) {
	c.facts.threads.Record(r)
	k := c.classOf(r.Class)
	k.class.Records++
	if k.count == nil {
		return
	}
	var f fields
	for i := range k.fields {
		if f[i] = absent; k.at[i] >= 0 {
			f[i] = &r.Values[k.at[i]]
		}
	}
	k.count(c.own, &f, r.Entry)
	if k.newer {
		return
	}
	if compat, ok := c.read.record(r.Entry, k.fields, c.colored); ok {
		k.count(c.compat, compat, r.Entry)
	} else {
		k.class.missed++
	}
}

// Message takes what the lines of the log tell of threads and listings.
func (c *Collector) Message(e *LogEntry) { c.facts.threads.Message(e) }

// Foreign is counted by the reader.
func (c *Collector) Foreign([]byte) {}

// Unreadable counts it.
func (c *Collector) Unreadable(kind trace.Kind, line int64, _ []byte) {
	if kind != trace.Cut { // which is Counts.CutLast
		c.bad.Bad(kind, line)
	}
}

// Summary ends the log and returns its sum.
func (c *Collector) Summary() *Summary {
	c.LogReader.Close()
	compat := c.compat.figures()
	s := &Summary{
		Figures: c.own.figures(), Compatible: &compat, ElementQueries: c.own.elementQueries, Leaks: c.facts.leaks(),
		Log: c.Counts(), NotKept: c.own.beyond,
	}
	c.bad.Define(func(x model.Change) {
		if l, ok := x.(model.Loss); ok && s.Unread == "" {
			s.Unread = l.Detail
		}
	}, nil)
	for i := range s.Threads {
		s.Threads[i].Name = c.facts.thread(s.Threads[i].PID, s.Threads[i].ID)
	}
	for _, name := range slices.Sorted(maps.Keys(c.counted)) {
		k := c.counted[name]
		s.Classes = append(s.Classes, *k)
		if k.missed > 0 {
			s.Missed = append(s.Missed, Missed{name, k.missed})
		}
	}
	slices.SortStableFunc(s.Missed, func(a, b Missed) int { return cmp.Compare(b.Count, a.Count) })
	return s
}

// Read sums up a whole log, which is not compressed. The error is that of r; what came before it is
// summed up.
func Read(r io.Reader) (*Summary, error) {
	c := NewCollector()
	_, err := io.CopyBuffer(struct{ io.Writer }{c}, struct{ io.Reader }{r}, make([]byte, 256<<10))
	return c.Summary(), err
}

// durations sums latencies up. Percentiles are those of the values themselves, as long as there is
// room for them, and from then on of the first ones.
type durations struct {
	count, total, over, min, max uint64 // over counts how often the total was too great for 64 bits
	values                       []uint64
}

const (
	maxValues   = 8 << 20 // bounds the latencies that are kept by all ways together: 64 MiB of them
	leastValues = 256     // of each way, at least
)

// add adds a latency. room is how many more may be kept for percentiles, by all ways.
func (d *durations) add(ns uint64, room *int) {
	if d.count == 0 || ns < d.min {
		d.min = ns
	}
	d.max = max(d.max, ns)
	d.count++
	var carry uint64
	d.total, carry = bits.Add64(d.total, ns, 0)
	d.over += carry
	if *room > 0 || len(d.values) < leastValues {
		d.values = append(d.values, ns)
		*room--
	}
}

// percentile is the value that so many of a hundred are at most (nearest rank). Values must be in order.
func (d *durations) percentile(percent int64) uint64 {
	return d.values[measure.Rank(int64(len(d.values)), percent)]
}

// mean is the mean to the nearest nanosecond.
func (d *durations) mean() uint64 {
	sum, carry := bits.Add64(d.total, d.count/2, 0)
	mean, _ := bits.Div64(d.over+carry, sum, d.count)
	return mean
}

// figures are the latencies' figures; in the compatible ones the mean is cut, and there are no
// percentiles.
func (d *durations) figures(key string, compat bool) Latency {
	l := Latency{Key: key, Count: int64(d.count), MinNs: d.min, MaxNs: d.max}
	if compat {
		l.MeanNs = d.total / d.count
		return l
	}
	slices.Sort(d.values)
	l.MeanNs, l.Estimated = d.mean(), int64(len(d.values)) < l.Count
	l.P50Ns, l.P90Ns, l.P99Ns = d.percentile(50), d.percentile(90), d.percentile(99)
	return l
}

// The loads in records are in per mille and cut, and that of the process is divided by the number of processors,
// which no record contains. But each record also has the CPU time and the time from which its load was made: since
// the process began. So the load of the process is exact only if a single number of processors leads to the
// recorded loads. The load of a thread covers its own lifetime, as everywhere else: the growth of its clock, and
// nothing of the time before.

// processors narrows the number of processors down.
type processors struct{ least, most uint64 }

// maxLoad is the greatest load of a record: a greater one is cut down to it.
const maxLoad = 1000

// addRecord adds a record: the load in per mille, the CPU time and the time in ns. A record that contradicts those
// before it (times are read one after another, not at once) begins anew.
func (p *processors) addRecord(load, cpuNs, ns uint64) {
	if load == 0 || load >= maxLoad || ns == 0 || cpuNs > never/maxLoad {
		return
	}
	all := cpuNs * maxLoad / ns // as if there were one processor
	least, most := all/(load+1)+1, all/load
	switch {
	case least > most:
	case p.most == 0 || least > p.most || most < p.least:
		p.least, p.most = least, most
	default:
		p.least, p.most = max(p.least, least), min(p.most, most)
	}
}

// load is the load of CPU time in a time, both in ns; false where the number of processors is not
// known, or where a record's own load says otherwise.
func (p *processors) load(told, cpuNs, ns uint64) (load float64, ok bool) {
	if p.most == 0 || p.least != p.most || ns == 0 || cpuNs > never/maxLoad {
		return 0, false
	}
	if told >= maxLoad {
		return 1, true
	}
	return float64(cpuNs) / float64(ns) / float64(p.least), cpuNs*maxLoad/ns/p.least == told
}

// ownLoad is the load of a thread for as long as it lived; false where that is not known. In the
// compatible figures it is that of its last record, which is cut and counts from the beginning of the
// process.
func (t *gststatsThread) ownLoad(compat bool) (load float64, ok bool) {
	switch {
	case compat:
		return float64(t.load) / maxLoad, t.hasLoad
	case t.clock.N < 2 || t.last <= t.first:
		return 0, false
	}
	return float64(t.clock.Took()) / float64(t.last-t.first), true
}

// exactLoad is the load, and whether it is cut: that of the record is, in the compatible figures
// always.
func (t *gststatsThread) exactLoad(among *processors, compat bool) (load float64, cut bool) {
	if load, ok := among.load(t.load, t.cpuNs, t.ts); ok && !compat {
		return load, false
	}
	return float64(t.load) / maxLoad, !compat
}

// elementFigures are the elements and the bins with activity. What elements in a bin did counts for
// the bin as well, as far as their parents are known.
func (t *tables) elementFigures() (elements, bins []Element) {
	all := slices.SortedFunc(maps.Values(t.elements), func(a, b *element) int {
		return cmp.Or(cmp.Compare(a.key.pid, b.key.pid), cmp.Compare(a.key.number, b.key.number))
	})
	sums := make(map[*element]Element, len(all))
	for _, e := range all {
		sums[e] = e.Element
	}
	for _, e := range all { // a circle of parents ends, too
		up := t.elements[objectKey{e.key.pid, e.parent}]
		for n := 0; up != nil && up != e && n < maxNesting; n++ {
			s := sums[up]
			s.fold(&e.Element)
			sums[up] = s
			up = t.elements[objectKey{up.key.pid, up.parent}]
		}
	}
	for _, e := range all {
		s := sums[e]
		switch {
		case s.FirstNs == never && (t.compat || s.Events+s.Messages+s.Queries+s.ElementQueries == 0):
		case e.bin:
			bins = append(bins, s)
		default:
			elements = append(elements, s)
		}
	}
	byFirst := func(a, b Element) int { return cmp.Compare(a.FirstNs, b.FirstNs) }
	slices.SortStableFunc(elements, byFirst)
	slices.SortStableFunc(bins, byFirst)
	return elements, bins
}

// fold adds a child's figures.
func (e *Element) fold(child *Element) {
	e.Events += child.Events
	e.Messages += child.Messages
	e.Queries += child.Queries
	e.ElementQueries += child.ElementQueries
	e.FirstNs = min(e.FirstNs, child.FirstNs)
}

func (t *tables) padFigures(p *pad) Pad {
	f := p.Pad
	f.Source, f.Element = p.direction == sourcePad, "(null)"
	if e := t.elements[objectKey{p.key.pid, p.parent}]; e != nil {
		f.Element = e.Name
	}
	span := float64(int64(f.LastNs - f.FirstNs))
	if t.compat {
		f.AverageSize = float64(p.average)
		f.BytesPerSecond = Rate(float64(uint32(p.average)*uint32(f.Buffers)) * 1e9 / span)
		return f
	}
	f.AverageSize = float64(p.bytes) / float64(f.Buffers)
	f.BytesPerSecond = Rate(math.NaN())
	if span > 0 {
		f.BytesPerSecond = Rate(float64(p.bytes) * 1e9 / span)
	}
	return f
}
