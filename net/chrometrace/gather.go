package chrometrace

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// Limits of a file's memory; decoder.room limits it besides.
const (
	mostThreads = 1 << 16
	mostSeries  = 1 << 14
	mostEvents  = 1 << 31 // numbers of events have 31 bits
	wholeMicros = 1000    // ns
)

// mark is a begin or an end on a thread.
type mark struct {
	time int64
	text uint32
	seq  uint32 // number of the event, with isEnd
}

const isEnd = 1 << 31

// span is what ran from one time to another. The path and the lane it gets when its thread is put in
// order.
type span struct {
	begin, end int64
	text       uint32
	seq        uint32
	path       model.PathID
	lane       uint16
	flags      model.SpanFlags
}

// note is an instant: a message.
type note struct {
	time              int64
	text, cat, object uint32
	severity          model.Severity
}

// tick is an instant that may begin a frame.
type tick struct {
	time   int64
	thread *thread
	number int64 // -1: none
	note   int   // position among the notes of its thread
}

// process is a process of the file.
type process struct {
	pid   string
	name  string
	sort  int64
	order int   // of its first event
	last  int64 // ns, of events with a time
	ticks []tick
	frames
}

// thread is a thread of the file.
type thread struct {
	proc    *process
	tid     string
	pidRaw  []byte // as the file has them, to recognise it by
	tidRaw  []byte
	name    string
	sort    int64
	order   int
	marks   []mark
	spans   []span
	notes   []note
	settled bool // spans are whole, and in order
	ticks   int  // of its process, those that came from it
	totals  int  // spans that say to be sums
	track   model.TrackID
	arrows  []arrow // that end on it
}

// step is a begin or end of an asynchronous span.
type step struct {
	time int64
	key  uint32
	text uint32
	seq  uint32 // as of a mark
}

// counter is a series of values of a process.
type counter struct {
	proc          *process
	name, id, key string
}

// take gathers an event.
func (d *decoder) take(ev *event, at int64) {
	d.events++
	if ev.spoiled { // scanner counts NULs
		return
	}
	if ev.deep {
		d.count(tooDeep, at)
		return
	}
	switch ev.ph {
	case 'M':
		d.metadata(ev)
		return
	case 0:
		d.count(noPhase, at)
		return
	}
	time, ok := trace.ParseTime(ev.ts, 3)
	if !ok {
		d.count(noTime, at)
		return
	}
	if d.full = d.full || !d.room.TakeData(d.used) || d.events >= mostEvents; d.full {
		d.count(noRoom, at)
		return
	}
	d.used = 0
	th := d.threadOf(ev.pid, ev.tid)
	if th == nil {
		d.count(noThread, at)
		return
	}
	ns := time.Round()
	if ev.bindID != nil {
		d.knot(th, ev, ns, ev.role())
	}
	d.see(th.proc, ns)
	seq := uint32(d.events)
	if len(ev.args) > 2 && isSpan[ev.ph] {
		d.args.Object(seq, ev.args)
	}
	switch ev.ph {
	case 'B':
		th.marks = append(th.marks, mark{ns, d.texts.of(ev.name), seq})
		d.used += 56 // and the span that it becomes
	case 'E':
		text := noText
		if len(ev.name) > 0 {
			text = d.texts.of(ev.name)
		}
		th.marks = append(th.marks, mark{ns, text, seq | isEnd})
		d.used += 24
	case 'X':
		end := ns
		if dur, ok := trace.ParseTime(ev.dur, 3); !ok {
			d.count(noLength, at)
		} else if dur.Ns < 0 {
			d.count(negative, at)
		} else {
			end = max(min(time.Plus(dur).Round(), trace.MaxTime), ns)
		}
		d.see(th.proc, end)
		th.spans = append(th.spans, span{begin: ns, end: end, text: d.texts.of(ev.name), seq: seq})
		d.used += 56
		if ns == 0 && isTotal(ev) {
			th.totals++
		}
	case 'i', 'I', 'R':
		d.instant(th, ev, ns)
	case 'C':
		d.counter(th.proc, ev, ns, at)
	case 'b', 'e', 'S', 'F':
		d.async(th, ev, ns, seq)
	case 'n', 'T', 'p':
		d.note(th, ev, ns, false)
	case 's', 't', 'f':
		d.knot(th, ev, ns, ev.ph)
	case 'P':
		d.unshown[samples]++
	case 'N', 'O', 'D':
		d.unshown[snapshots]++
	case 'v', 'V':
		d.unshown[dumps]++
	case 'c':
		d.unshown[clocks]++
	case '(', ')':
		d.unshown[contexts]++
	default:
		d.count(unknownPhase, at)
	}
}

// see takes a time of a process.
func (d *decoder) see(p *process, ns int64) {
	d.first, d.last, p.last = min(d.first, ns), max(d.last, ns), max(p.last, ns)
	d.fine = d.fine || ns%wholeMicros != 0
}

// zero is the pid, or tid, of events that have none.
var zero = []byte("0")

// threadOf returns the thread of an event, nil if there is no room for one more.
func (d *decoder) threadOf(pid, tid []byte) *thread {
	if th := d.newest; th != nil && bytes.Equal(th.tidRaw, tid) && bytes.Equal(th.pidRaw, pid) {
		return th
	}
	pidRaw, tidRaw := pid, tid
	if len(pid) == 0 {
		pid = zero
	}
	if len(tid) == 0 {
		tid = zero
	}
	d.key = append(append(append(d.key[:0], pid...), 0), tid...)
	th := d.byKey[string(d.key)]
	if th == nil {
		if len(d.threads) >= mostThreads || len(d.key) > trace.MaxText || !d.room.Take(int64(len(d.key))+512) {
			return nil
		}
		th = &thread{proc: d.processOf(pid), tid: trace.JSONText(tid), order: len(d.threads), track: model.NoTrack}
		d.byKey[string(d.key)] = th
		d.threads = append(d.threads, th)
	}
	th.pidRaw, th.tidRaw = append(th.pidRaw[:0], pidRaw...), append(th.tidRaw[:0], tidRaw...)
	d.newest = th
	return th
}

// processOf returns the process of a pid. There are no more of them than threads, which were let in.
func (d *decoder) processOf(pid []byte) *process {
	p := d.byPid[string(pid)]
	if p == nil {
		p = &process{pid: trace.JSONText(pid), order: len(d.processes), last: math.MinInt64}
		d.byPid[string(pid)] = p
		d.processes = append(d.processes, p)
	}
	return p
}

// metadata takes a metadata event of a process or a thread. The last one wins.
func (d *decoder) metadata(ev *event) {
	th := d.threadOf(ev.pid, ev.tid)
	if th == nil {
		return // it has no events that could be shown
	}
	switch string(ev.name) {
	case "process_name":
		th.proc.name = trace.Program(trace.JSONText(trace.Member(ev.args, "name")))
	case "thread_name":
		th.name = trace.JSONText(trace.Member(ev.args, "name"))
	case "process_sort_index":
		th.proc.sort, _ = strconv.ParseInt(string(trace.Member(ev.args, "sort_index")), 10, 64)
	case "thread_sort_index":
		th.sort, _ = strconv.ParseInt(string(trace.Member(ev.args, "sort_index")), 10, 64)
	}
}

// instant takes an instant: a message, or the begin of a frame.
func (d *decoder) instant(th *thread, ev *event, ns int64) {
	digits, ticks := trace.Frame(ev.name)
	if ticks {
		number := int64(-1)
		if len(digits) == 0 {
			digits = trace.Member(ev.args, "n")
		}
		if v, err := strconv.ParseInt(string(digits), 10, 64); err == nil && v >= 0 {
			number = v
		}
		th.proc.ticks = append(th.proc.ticks, tick{ns, th, number, len(th.notes)})
		th.ticks++
		d.used += 48
	}
	d.note(th, ev, ns, ticks)
}

// note keeps an event's text; ticks: it may begin a frame.
func (d *decoder) note(th *thread, ev *event, ns int64, ticks bool) {
	n := note{time: ns, cat: d.texts.of(ev.cat), object: d.texts.of(nil)}
	d.say(ev, ticks, &n)
	th.notes = append(th.notes, n)
	d.used += 32
}

// counter takes the values of a counter, one for each key of the arguments.
func (d *decoder) counter(p *process, ev *event, ns, at int64) {
	id := ev.id
	if id == nil {
		id = ev.id2
	}
	trace.Members(ev.args, func(key, value []byte) {
		v, err := strconv.ParseFloat(string(value), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			d.count(noNumber, at)
			return
		}
		if math.Abs(v) >= 1<<53 && !exact(value) {
			d.count(rounded, at)
		}
		if n, ok := d.seriesFor(p, ev.name, id, key, at); ok {
			d.samples = append(d.samples, model.Sample{Series: n, Time: ns, Value: v})
			d.used += 24
		}
	})
}

// exact reports whether a number is none that is whole and that a value of a series can't hold.
func exact(value []byte) bool {
	whole, err := strconv.ParseInt(string(value), 10, 64)
	return err == nil && trace.Exact(whole) || err != nil && !errors.Is(err, strconv.ErrRange)
}

// seriesFor returns the series of a counter; ok is false without room.
func (d *decoder) seriesFor(p *process, name, id, key []byte, at int64) (n model.SeriesID, ok bool) {
	d.key = append(append(append(d.key[:0], p.pid...), 0), name...)
	d.key = append(append(append(d.key, 0), id...), 0)
	d.key = append(d.key, key...)
	if n, ok = d.seriesOf[string(d.key)]; ok {
		return n, true
	}
	def := counter{p, trace.JSONText(name), trace.JSONText(id), trace.JSONText(key)}
	if len(d.counters) >= mostSeries || !d.room.Admit(def.def(model.SeriesID(len(d.counters)))) {
		d.count(noSeries, at)
		return 0, false
	}
	n = model.SeriesID(len(d.counters))
	d.seriesOf[string(d.key)] = n
	d.counters = append(d.counters, def)
	return n, true
}

// async takes a begin or an end that belongs to no thread. Those with the same key nest.
func (d *decoder) async(th *thread, ev *event, ns int64, seq uint32) {
	k := d.key[:0]
	id, pid := ev.id, []byte(th.proc.pid)
	if ev.id2 != nil {
		if id = trace.Member(ev.id2, "local"); id == nil {
			id, pid = trace.Member(ev.id2, "global"), nil
		}
	}
	old := ev.ph == 'S' || ev.ph == 'F'
	for _, part := range [...][]byte{pid, ev.cat, ev.scope, id} {
		k = append(append(k, part...), 0)
	}
	if old {
		k = append(append(k, 1), ev.name...)
	}
	d.key = k
	n, ok := d.asyncOf[string(k)]
	if !ok {
		if !d.room.Take(int64(len(k)) + 64) {
			d.count(noRoom, trace.Unknown)
			return
		}
		n = uint32(len(d.asyncs))
		d.asyncOf[string(k)] = n
		d.asyncs = append(d.asyncs, th)
	}
	text := noText
	if ev.ph == 'b' || ev.ph == 'S' || len(ev.name) > 0 {
		text = d.texts.of(ev.name)
	}
	if ev.ph == 'e' || ev.ph == 'F' {
		seq |= isEnd
	}
	d.steps = append(d.steps, step{ns, n, text, seq})
	d.used += 56
}

// shown returns the threads with anything to show, in the order of the file's sort indexes.
func (d *decoder) shown() []*thread {
	var list []*thread
	for _, th := range d.threads {
		if th.some() {
			list = append(list, th)
		}
	}
	slices.SortStableFunc(list, func(a, b *thread) int {
		return trace.SortRunPairs(
			a.proc.sort, b.proc.sort, int64(a.proc.order), int64(b.proc.order),
			a.sort, b.sort, int64(a.order), int64(b.order),
		)
	})
	return list
}

// isTotal reports whether a span is what clang writes of how long all of a name took, on a thread of its own from 0 on
// (spec/chrome-trace.md, Mapping).
func isTotal(ev *event) bool {
	return bytes.HasPrefix(ev.name, []byte("Total ")) && trace.Member(ev.args, "avg ms") != nil
}

// sums reports whether a thread has nothing but such sums.
func (th *thread) sums() bool {
	return th.totals > 0 && th.totals == len(th.spans) && len(th.marks)+len(th.notes) == 0
}

// some reports whether there is something of a thread to show, be it frames alone.
func (th *thread) some() bool {
	return len(th.marks)+len(th.spans)+len(th.notes) > 0 || th.proc.main == th
}
