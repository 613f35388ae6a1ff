package profilelib

import (
	"sort"

	"framescope/model"
	"framescope/net/trace"
)

const (
	looseSpans  = 1 << 14 // blocks of one batch without a frame
	emptyCredit = 16      // empty frames that each record may cause
)

// publish publishes the frames of a thread that are final, or all of it where there are no
// frames.
func (d *Decoder) publish(th *thread) {
	if d.cancelled {
		return
	}
	st, f := &th.st, &d.frames
	if !f.expected {
		d.publishLoose(th, maxTime)
		st.compact()
		return
	}
	if st.seg < 0 {
		if len(f.borders) == 0 {
			if lag := d.opt.lagNs; lag > 0 && st.final > f.minStart+lag {
				d.publishAhead(th)
			}
			d.relieve(th)
			return
		}
		st.seg = f.total()
		if at := st.nextTime(); at < maxTime {
			st.seg = f.base + sort.Search(len(f.borders), func(i int) bool { return f.borders[i].end > at })
		}
		if th == d.main {
			st.seg = f.base
		}
	}
	if st.seg < f.base { // the thread was silent for too long
		st.seg = f.base
		d.publishLoose(th, f.borders[0].begin)
	}
	for st.seg < f.total() && !d.cancelled {
		b := &f.borders[st.seg-f.base]
		if b.end > st.final && !d.closing {
			break
		}
		if st.nextTime() < b.begin {
			d.publishLoose(th, b.begin)
		}
		if th != d.main && len(st.open) == 0 && st.nextTime() >= b.end {
			if f.credit--; f.credit < 0 {
				// Hostile streams make more threads than anybody can show a frame of; from here on theirs are
				// left out.
				st.seg = d.skipEmpty(th)
				continue
			}
		}
		d.publishFrame(th, b)
		st.seg++
	}
	if lag := d.opt.lagNs; lag > 0 && !d.closing && st.seg == f.total() && len(f.borders) > 0 && st.final > f.lastEnd+lag && st.nextTime() < st.final {
		d.publishAhead(th)
	}
	d.relieve(th)
	st.compact()
}

// relieve publishes what of a thread waits for its frames where more waits in all than memory should hold.
func (d *Decoder) relieve(th *thread) {
	if d.waiting > d.mostPending {
		d.publishLoose(th, maxTime)
	}
}

// publishAhead publishes a thread's final blocks though the main thread's frame goes on: a live view
// must not stand still while a game loads for seconds. The blocks wait on, to be counted in their
// frames when these come.
func (d *Decoder) publishAhead(th *thread) {
	st := &th.st
	for !d.cancelled && (st.sent < len(st.spans) || st.sentEvents < len(st.events)) {
		b := d.sink.Begin()
		b.Track = th.track
		from := max(st.next, st.sent)
		st.sent = min(len(st.spans), from+looseSpans)
		b.Spans = appendSpans(b.Spans, st.spans[from:st.sent])
		d.addEvents(th, b, min(len(st.events), max(st.nextEvent, st.sentEvents)+looseSpans), false)
		d.send(b)
	}
}

func appendSpans(out []model.Span, list []span) []model.Span {
	for i := range list {
		sp := &list[i]
		out = append(out, model.Span{Begin: sp.begin, End: sp.end, Path: sp.path, Lane: sp.depth, Flags: sp.flags})
	}
	return out
}

// skipEmpty returns the border of the next frame in which the thread has something, and reports the
// frames left out.
func (d *Decoder) skipEmpty(th *thread) int {
	f := &d.frames
	at := th.st.nextTime()
	to := f.base + sort.Search(len(f.borders), func(i int) bool { return f.borders[i].end > at })
	to = max(to, th.st.seg+1)
	d.bad.BadN(trace.ManyEmptyFrames, int64(to-th.st.seg), trace.Unknown)
	return to
}

// nextTime returns the earliest time that waits, maxTime if nothing does.
func (st *threadState) nextTime() int64 {
	at := int64(maxTime)
	if st.next < len(st.spans) {
		at = st.spans[st.next].begin
	}
	if st.nextEvent < len(st.events) {
		at = min(at, st.events[st.nextEvent].timeNs)
	}
	return at
}

// publishLoose publishes blocks outside frames that began before a time.
func (d *Decoder) publishLoose(th *thread, before int64) {
	st := &th.st
	for !d.cancelled {
		n := st.next
		for n < len(st.spans) && n-st.next < looseSpans && st.spans[n].begin < before {
			n++
		}
		full := n-st.next == looseSpans
		e := st.nextEvent
		for e < len(st.events) && st.events[e].timeNs < before && e-st.nextEvent < looseSpans {
			e++
		}
		full = full || e-st.nextEvent == looseSpans
		if n == st.next && e == st.nextEvent && (len(st.samples) == 0 || d.frames.expected) {
			return
		}
		b := d.sink.Begin()
		b.Track = th.track
		b.Spans = appendSpans(b.Spans, st.spans[min(max(st.next, st.sent), n):n])
		calls := int64(0)
		for _, sp := range st.spans[st.next:n] {
			if sp.flags&model.SpanContinues == 0 {
				calls++
			}
			d.open(st, sp)
			d.frames.looseTo = max(d.frames.looseTo, min(sp.end, before))
		}
		if d.frames.expected {
			d.unframed += calls
		}
		d.waiting -= n - st.next
		st.next = n
		d.addEvents(th, b, e, true)
		d.send(b)
		if !full {
			return
		}
		st.compact()
	}
}

// open remembers a block that was published, for its time in later frames.
func (d *Decoder) open(st *threadState, sp span) {
	st.open = append(st.open[:min(int(sp.depth), len(st.open))], sp)
}

// publishFrame publishes one frame of a thread: the blocks and messages that begin in it, and the
// time of each name alone, whenever its blocks began. Blocks are published whole where they begin,
// for their ends are known.
func (d *Decoder) publishFrame(th *thread, f *border) {
	st := &th.st
	b := d.sink.Begin()
	b.Track, b.HasFrame, b.Number, b.Begin, b.End = th.track, true, f.number, f.begin, f.end
	at := f.begin
	n := st.next
	for ; n < len(st.spans) && st.spans[n].begin < f.end; n++ {
		sp := &st.spans[n]
		if n >= st.sent {
			b.Spans = append(b.Spans, model.Span{Begin: sp.begin, End: sp.end, Path: sp.path, Lane: sp.depth, Flags: sp.flags})
		}
		at = d.charge(st, at, sp.begin)
		d.open(st, *sp)
		if sp.flags&model.SpanContinues == 0 {
			d.alone.Add(model.CollectorID(sp.collector), 0, 1)
		}
	}
	d.charge(st, at, f.end)
	d.waiting -= n - st.next
	st.next = n
	b.Self = d.alone.Take(b.Self)
	e := st.nextEvent
	for e < len(st.events) && st.events[e].timeNs < f.end {
		e++
	}
	d.addEvents(th, b, e, true)
	d.send(b)
}

// charge adds the time between two moments to the self time of the blocks open then, each moment to
// the innermost one, and returns the new moment. A block may outlive its caller, or the next one of
// its depth may begin before it ends: no moment is counted twice whatever the stream says.
func (d *Decoder) charge(st *threadState, from, to int64) int64 {
	for i := len(st.open) - 1; i >= 0 && from < to; i-- {
		if end := min(st.open[i].end, to); end > from {
			d.alone.Add(model.CollectorID(st.open[i].collector), end-from, 0)
			from = end
		}
	}
	for n := len(st.open); n > 0 && st.open[n-1].end <= to; n-- {
		st.open = st.open[:n-1]
	}
	return max(from, to)
}

// addEvents adds the events up to the to-th to a batch, and the samples. done reports whether their
// frames have come.
func (d *Decoder) addEvents(th *thread, b *model.Batch, to int, done bool) {
	st := &th.st
	from := max(st.nextEvent, st.sentEvents)
	for i := from; i < to; i++ {
		e := &st.events[i]
		switch {
		case e.kind == Log:
			b.Messages = append(b.Messages, model.Message{
				Time: e.timeNs, Severity: e.severity, Text: e.text, Category: e.category,
			})
		case e.kind == Frame:
		case e.woken:
			b.Locks = append(b.Locks, model.LockEvent{Time: e.timeNs, Lock: e.lock, Kind: model.LockWoken})
		default:
			b.Locks = append(b.Locks, model.LockEvent{Time: e.timeNs, Lock: e.lock, Kind: lockKind(e.kind)})
		}
	}
	b.Bytes = d.layout.Stride() * (len(b.Spans) + max(to-from, 0))
	st.sentEvents = max(st.sentEvents, to)
	if done {
		d.waiting -= to - st.nextEvent
		st.nextEvent = to
	}
	if len(st.samples) > 0 {
		b.Samples = append(b.Samples, st.samples...)
		st.samples = st.samples[:0]
	}
}

// send hands a batch to the sink.
func (d *Decoder) send(b *model.Batch) {
	if !d.sink.Publish(b) {
		d.cancelled = true
	}
}
