package gsttrace

import (
	"fmt"
)

// Collector sums up the entries of a [LogReader]: it is a [Handler]. Unlike gst-stats it counts every
// record, also long ones and those with odd names and types, distinguishes the processes of one log, knows
// elements without announcement, and keeps exact extremes and averages.
type Collector struct {
	names   Names
	t       *tables
	classes map[*Class]*classOf
	counts  map[string]*ClassCount
	queries int64
	leaks   leakTable
	unread  string // see Summary.Unread
	key     []byte
}

// Names returns the names of threads. It gets every call that the collector gets.
type Names interface {
	Handler
	// End ends the log: names are complete then.
	End()
	// Name returns the name of a thread of a process, empty if unknown.
	Name(pid, thread uint64) string
}

// classOf is what the collector knows of a class: which record it is, and where the fields that it
// wants are.
type classOf struct {
	kind  recordKind
	count *ClassCount
	at    [8]int16 // positions of the wanted fields, -1 for missing ones
}

type recordKind uint8

const (
	otherRecord recordKind = iota
	newElementRecord
	newPadRecord
	bufferRecord
	eventRecord
	messageRecord
	queryRecord
	elementQueryRecord
	threadRecord
	processRecord
	latencyRecord
	elementLatencyRecord
	reportedRecord
	factoryRecord
	aliveRecord
	refingsRecord
	addedRecord
	removedRecord
)

// wanted are the fields that the collector reads of each record.
func wanted(name string) (kind recordKind, fields []string) {
	switch name {
	case "new-element":
		return newElementRecord, []string{"ix", "parent-ix", "name", "type", "is-bin"}
	case "new-pad":
		return newPadRecord, []string{"ix", "parent-ix", "name", "is-ghostpad", "pad-direction"}
	case "buffer":
		return bufferRecord, []string{"thread-id", "ts", "pad-ix", "element-ix", "peer-element-ix", "buffer-size", "buffer-flags"}
	case "event":
		return eventRecord, []string{"thread-id", "ts", "pad-ix", "element-ix"}
	case "message":
		return messageRecord, []string{"thread-id", "ts", "element-ix"}
	case "query":
		return queryRecord, []string{"thread-id", "ts", "element-ix"}
	case "element-query":
		return elementQueryRecord, []string{"thread-id", "ts", "element-ix"}
	case "thread-rusage":
		return threadRecord, []string{"thread-id", "ts", "average-cpuload", "time"}
	case "proc-rusage":
		return processRecord, []string{"ts", "average-cpuload", "time"}
	case "latency":
		return latencyRecord, []string{"src-element-id", "src-element", "src", "sink-element-id", "sink-element", "sink", "time", "ts"}
	case "element-latency":
		return elementLatencyRecord, []string{"element-id", "element", "src", "time", "ts"}
	case "element-reported-latency":
		return reportedRecord, []string{"element-id", "element", "live", "min", "max", "ts"}
	case "factory-used":
		return factoryRecord, []string{"factory-type", "factory", "plugin"}
	case "object-alive":
		return aliveRecord, []string{"type-name"}
	case "object-refings":
		return refingsRecord, []string{"type-name", "ts"}
	case "object-added":
		return addedRecord, []string{"type-name"}
	case "object-removed":
		return removedRecord, []string{"type-name"}
	}
	return otherRecord, nil
}

// NewCollector makes an empty sum. Without names threads are called by their numbers.
func NewCollector(names Names) *Collector {
	return &Collector{names: names, t: newTables(false), classes: map[*Class]*classOf{}, counts: map[string]*ClassCount{}}
}

// Class notes a class.
func (c *Collector) Class(class *Class) {
	kind, names := wanted(class.Name)
	k := &classOf{kind: kind, count: c.counts[class.Name]}
	if k.count == nil {
		k.count = &ClassCount{Name: class.Name, Stock: kind != otherRecord}
		c.counts[class.Name] = k.count
	}
	k.count.Origin = class.Origin.String()
	for i := range k.at {
		k.at[i] = -1
		if i < len(names) {
			k.at[i] = int16(class.Index(names[i]))
		}
	}
	c.classes[class] = k
}

// fields reads the wanted fields of one record.
type fields struct {
	at     *[8]int16
	values []Value
}

func (f *fields) number(i int) uint64 {
	if at := f.at[i]; at >= 0 {
		return f.values[at].Unsigned()
	}
	return 0
}

// index is the number of an object: none where the field is missing.
func (f *fields) index(i int) uint64 {
	if f.at[i] < 0 {
		return none
	}
	return f.number(i)
}

func (f *fields) text(i int) []byte {
	if at := f.at[i]; at >= 0 {
		return f.values[at].Text
	}
	return nil
}

// Record counts a record.
func (c *Collector) Record(r *Record) {
	if c.names != nil {
		c.names.Record(r)
	}
	k := c.classes[r.Class]
	if k == nil {
		c.Class(r.Class)
		k = c.classes[r.Class]
	}
	k.count.Records++
	if k.kind < aliveRecord && c.leaks.open {
		c.leaks.close()
	}
	f := fields{&k.at, r.Values}
	t, pid := c.t, r.Entry.PID
	object := func(i int) objectKey { return objectKey{pid, f.index(i)} }
	switch k.kind {
	case newElementRecord:
		t.newElement(object(0), f.index(1), string(f.text(2)), string(f.text(3)), f.number(4) != 0)
	case newPadRecord:
		way := f.number(4)
		if at := k.at[4]; at >= 0 && r.Values[at].Kind == KindText {
			way = direction(r.Values[at].Text)
		}
		t.newPad(object(0), f.index(1), 0, string(f.text(2)), f.number(3) != 0, way)
	case bufferRecord:
		c.touch(&f, r.Entry)
		t.buffer(transfer{pid: pid, thread: f.number(0), ts: c.ts(&f, 1, r.Entry), pad: f.index(2), element: f.index(3), peer: f.index(4), size: uint32(f.number(5)), flags: uint32(f.number(6))})
	case eventRecord:
		c.touch(&f, r.Entry)
		t.event(pid, c.ts(&f, 1, r.Entry), f.index(2), f.index(3))
	case messageRecord:
		c.touch(&f, r.Entry)
		t.message(pid, c.ts(&f, 1, r.Entry), f.index(2))
	case queryRecord:
		c.touch(&f, r.Entry)
		t.query(pid, c.ts(&f, 1, r.Entry), f.index(2))
	case elementQueryRecord:
		c.touch(&f, r.Entry)
		c.queries++
		t.seen(c.ts(&f, 1, r.Entry))
		if e := t.element(object(2)); e != nil {
			e.elementQueries++
		}
	case threadRecord:
		t.threadUsage(objectKey{pid, f.number(0)}, c.ts(&f, 1, r.Entry), f.number(2), f.number(3))
	case processRecord:
		t.processUsage(c.ts(&f, 0, r.Entry), f.number(1), f.number(2))
	case latencyRecord:
		c.key = c.key[:0]
		for i := range 6 {
			c.join(&f, i, i == 3)
		}
		t.latency(t.ways, c.key, f.number(6), c.ts(&f, 7, r.Entry))
	case elementLatencyRecord:
		c.key = c.key[:0]
		for i := range 3 {
			c.join(&f, i, false)
		}
		t.latency(t.through, c.key, f.number(3), c.ts(&f, 4, r.Entry))
	case reportedRecord:
		t.answer(Reported{Element: string(f.text(0)) + "." + string(f.text(1)), Live: f.number(2) != 0, MinNs: f.number(3), MaxNs: f.number(4), TsNs: c.ts(&f, 5, r.Entry)})
	case factoryRecord:
		t.factory(string(f.text(0)), string(f.text(1)), string(f.text(2)))
	case aliveRecord, refingsRecord, addedRecord, removedRecord:
		c.leaks.count(k.kind, f.text(0))
	}
}

// touch notes the thread of a record.
func (c *Collector) touch(f *fields, e *LogEntry) {
	if id := f.number(0); id != 0 {
		c.t.thread(objectKey{e.PID, id}).lived(c.ts(f, 1, e))
	}
}

// ts is the time of a record, or of its line where that is not known.
func (c *Collector) ts(f *fields, i int, e *LogEntry) uint64 {
	if f.at[i] < 0 {
		return uint64(e.TimeNs)
	}
	return uint64(e.Time(f.number(i)))
}

// join adds one part to the key of a latency. Layouts of 1.14 and before lack some.
func (c *Collector) join(f *fields, i int, sink bool) {
	if f.at[i] < 0 {
		return
	}
	if sink || len(c.key) > 0 && i == 5 && f.at[3] < 0 {
		c.key = append(c.key, '|')
	} else if len(c.key) > 0 {
		c.key = append(c.key, '.')
	}
	c.key = append(c.key, f.text(i)...)
}

// Message notes the lines of the leaks tracer that part its listings.
func (c *Collector) Message(e *LogEntry) {
	if c.names != nil {
		c.names.Message(e)
	}
	if string(e.Category) == "leaks" {
		c.leaks.line(e)
	}
}

// Foreign is counted by the reader.
func (c *Collector) Foreign(int64, []byte) {}

// Unreadable keeps the first place; the reader counts.
func (c *Collector) Unreadable(offset int64, _ []byte, reason string) {
	if c.unread == "" && reason != CutLine { // which is Counts.CutLast
		c.unread = fmt.Sprintf("byte %d: %s", offset, reason)
	}
}

// nameThreads copies the names of the threads.
func (c *Collector) nameThreads(all []Thread) {
	if c.names == nil {
		return
	}
	c.names.End()
	for i := range all {
		all[i].Name = c.names.Name(all[i].PID, all[i].ID)
	}
}
