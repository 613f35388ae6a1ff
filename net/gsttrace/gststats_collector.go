package gsttrace

import (
	"bytes"
	"cmp"
	"io"
	"maps"
	"slices"

	"framescope/model"
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
	class  *ClassCount
	missed int64  // records that gst-stats can't read
	at     [8]int // positions of the wanted fields, -1 for missing ones
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

// fields are the values of the wanted fields of one record, nil for missing ones.
type fields [8]*Value

func (f *fields) number(i int) uint64 {
	if f[i] == nil {
		return 0
	}
	return f[i].Unsigned()
}

// index is the number of an object: none where the field is missing.
func (f *fields) index(i int) uint64 {
	if f[i] == nil {
		return none
	}
	return uint64(uint32(f[i].Unsigned()))
}

func (f *fields) text(i int) []byte {
	if f[i] == nil {
		return nil
	}
	return f[i].Text
}

// Record counts a record.
func (c *Collector) Record(r *Record) {
	c.facts.threads.Record(r)
	c.read.begin(r.Entry.Colored)
	k := c.classOf(r.Class)
	k.class.Records++
	if k.count == nil {
		return
	}
	var f fields
	for i := range k.fields {
		if at := k.at[i]; at >= 0 {
			f[i] = &r.Values[at]
		}
	}
	k.count(c.own, &f, r.Entry)
	if k.newer {
		return
	}
	if compat, ok := c.read.record(r.Entry, k.fields); ok {
		k.count(c.compat, compat, r.Entry)
	} else {
		k.missed++
	}
}

// Message takes what the lines of the log tell of threads and listings.
func (c *Collector) Message(e *LogEntry) {
	c.facts.threads.Message(e)
	c.read.begin(e.Colored)
}

// Foreign is counted by the reader.
func (c *Collector) Foreign(text []byte) { c.read.begin(bytes.IndexByte(text, esc) >= 0) }

// Unreadable counts it.
func (c *Collector) Unreadable(kind trace.Kind, line int64, text []byte) {
	c.read.begin(bytes.IndexByte(text, esc) >= 0)
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
		s.Classes = append(s.Classes, *c.counted[name])
	}
	missed := map[string]int64{}
	for class, k := range c.classes {
		missed[class.Name] += k.missed
	}
	for name, n := range missed {
		if n > 0 {
			s.Missed = append(s.Missed, Missed{name, n})
		}
	}
	slices.SortFunc(s.Missed, func(a, b Missed) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return s
}

// Read sums up a whole log, which is not compressed. The error is that of r; what came before it is
// summed up.
func Read(r io.Reader) (*Summary, error) {
	c := NewCollector()
	_, err := io.CopyBuffer(struct{ io.Writer }{c}, struct{ io.Reader }{r}, make([]byte, 256<<10))
	return c.Summary(), err
}
