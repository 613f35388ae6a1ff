package gsttrace

import (
	"strconv"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// process is one traced program. A log holds several when they share a file; their numbers and
// addresses have nothing to do with each other.
type process struct {
	m          *mapper
	pid        uint64
	title      string             // among the processes of a log
	plays      bool               // it has elements
	behind     string             // the suffix of its names when its threads were last defined
	threads    map[string]*thread // by the text of the log's column
	byID       map[uint64]*thread // by thread-id, as far as it was learned
	order      []*thread          // by appearance
	lastThread *thread
	rest       *thread        // stands for all threads beyond the limit
	slow       bool           // its lag behind real time is reported
	titles     map[string]int // how many threads had each name

	elements map[uint32]*object // by number
	pads     map[uint32]*object
	named    map[string]*object // elements by name, the newest of each
	at       map[string]*object // elements by address, from latency records

	latencies bool           // there are latency records, so events of that tracer are its own marks
	markers   []*groupSeries // event series of these marks
	calls     bool           // there are calls of the log tracer

	streams map[streamKey]*stream
	leaks
}

// startNs is how late the first line of a log may be for the log to have the start of its program.
const startNs = 2e9

// process returns the process of a number, a new one if need be.
func (m *mapper) process(pid uint64) *process {
	if p := m.procs[pid]; p != nil {
		return p
	}
	if len(m.procList) >= MaxProcesses {
		m.out.Beyond(trace.ManyTracks)
		return m.procList[len(m.procList)-1]
	}
	p := &process{
		m: m, pid: pid, title: "process " + strconv.FormatUint(pid, 10), threads: map[string]*thread{},
		byID: map[uint64]*thread{}, elements: map[uint32]*object{}, pads: map[uint32]*object{},
		named: map[string]*object{}, at: map[string]*object{}, streams: map[streamKey]*stream{},
		titles: map[string]int{},
	}
	m.procs[pid] = p
	m.procList = append(m.procList, p)
	p.behind = p.suffix()
	switch len(m.procList) {
	case 1:
		m.inform()
	case 2:
		m.procList[0].renameAll()
	}
	return p
}

// newObject numbers an object of the process. With its first element the process counts for suffixes of names.
func (p *process) newObject(o *object) *object {
	p.m.newObject(o)
	if !p.plays && !o.isPad() {
		p.plays = true
		p.m.playing++
		for _, other := range p.m.procList {
			other.renameAll()
		}
	}
	return o
}

// renameAll defines threads again if the suffix of names has changed.
func (p *process) renameAll() {
	if suffix := p.suffix(); suffix != p.behind {
		p.behind = suffix
		for _, t := range p.order {
			t.define()
		}
	}
}

// suffix returns the suffix of names that distinguishes processes. The only process that has elements needs none:
// others that write a few lines are its helpers, such as the one that looks plugins up.
func (p *process) suffix() string {
	if len(p.m.procList) < 2 || p.plays && p.m.playing == 1 {
		return ""
	}
	return " (" + strconv.FormatUint(p.pid, 10) + ")"
}

// thread returns the thread of a column's text, a new one if need be.
func (p *process) thread(key []byte) *thread {
	if t := p.threads[string(key)]; t != nil {
		return t
	}
	n, def := p.m.nThreads, model.TrackDef{Name: string(key)}
	if n >= MaxThreads || len(key) > MaxName || n >= feed.SureThreads && !p.m.out.Names.Admit(def) {
		p.m.out.Beyond(trace.ManyTracks)
		return p.more()
	}
	if id, ok := pointerKey(def.Name); ok && p.byID[id] != nil { // a record named it before it wrote anything
		p.threads[def.Name] = p.byID[id]
		p.m.nThreads++
		return p.byID[id]
	}
	return p.newThread(def.Name)
}

// more returns the thread that stands for all beyond the limit.
func (p *process) more() *thread {
	if p.rest == nil {
		p.rest = p.newThread("more threads")
		p.rest.owner = "more threads"
		p.rest.rename()
	}
	return p.rest
}

func (p *process) newThread(key string) *thread {
	t := &thread{p: p, key: key, number: len(p.order), track: model.NoTrack}
	t.calls.t = t
	t.id, t.pointer = pointerKey(key)
	if t.pointer {
		p.byID[t.id] = t
	}
	// The first thread of a log that has the start of its program is the one that initialises GStreamer.
	t.main = len(p.order) == 0 && p.m.lineNs < startNs
	t.track = p.m.addTrack(t.def())
	t.rename()
	p.threads[key] = t
	p.order = append(p.order, t)
	p.m.nThreads++
	return t
}

// pointerKey reads a column's text as the address of a thread, as versions to 1.26 print it, and
// 1.28 where it knows no thread numbers: with 0x before it, or 16 digits on Windows.
func pointerKey(key string) (id uint64, ok bool) {
	digits := strings.TrimPrefix(strings.TrimPrefix(key, "0x"), "0X")
	if len(key) != 16 && len(digits) == len(key) {
		return 0, false
	}
	id, err := strconv.ParseUint(digits, 16, 64)
	return id, err == nil
}

// threadOfID returns the thread that a record's thread-id names; by is the one that wrote the line. Where the
// column is no address (1.28), every record that has both was written by the thread it names, so the first one
// shows which belong together.
func (p *process) threadOfID(by *thread, id uint64) *thread {
	if by.pointer && by.id == id || by.learned && by.id == id {
		return by
	}
	if t := p.byID[id]; t != nil {
		return t
	}
	if by.pointer {
		p.m.scratch = strconv.AppendUint(append(p.m.scratch[:0], "0x"...), id, 16)
		return p.thread(p.m.scratch)
	}
	if !by.learned && by != p.rest {
		by.id, by.learned = id, true
	}
	if len(p.byID) < 2*MaxThreads {
		p.byID[id] = by
	}
	return by
}

// uintOf is the value of a field as a number of an object; ok is false for none (all ones).
func uintOf(v *Value) (ix uint32, ok bool) {
	u := v.Unsigned()
	return uint32(u), v.Present && v.Kind != KindText && u < 1<<32-1
}
