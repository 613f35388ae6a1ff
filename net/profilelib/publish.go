package profilelib

import (
	"sort"

	"framescope/model"
	"framescope/net/trace"
)

const looseSpans = 1 << 14 // blocks of one batch without a frame

// publish publishes the frames of a thread that are final, or all of it where there are no
// frames.
func (d *Decoder) publish(th *thread) {
	if d.cancelled {
		return
	}
	f := &d.frames
	if !f.expected {
		d.publishLoose(th, maxTime)
		th.compact()
		return
	}
	if th.seg < 0 {
		if len(f.borders) == 0 {
			if lag := d.opt.lagNs; lag > 0 && th.final > f.minStart+lag {
				d.publishAhead(th)
			}
			d.relieve(th)
			return
		}
		th.seg = f.total()
		if at := th.nextTime(); at < maxTime {
			th.seg = f.base + sort.Search(len(f.borders), func(i int) bool { return f.borders[i].end > at })
		}
		if th == d.main {
			th.seg = f.base
		}
	}
	if th.seg < f.base { // the thread was silent for too long
		th.seg = f.base
		d.publishLoose(th, f.borders[0].begin)
	}
	for th.seg < f.total() && !d.cancelled {
		b := &f.borders[th.seg-f.base]
		if b.end > th.final && !d.closing {
			break
		}
		if th.nextTime() < b.begin {
			d.publishLoose(th, b.begin)
		}
		if th != d.main && len(th.open) == 0 && th.nextTime() >= b.end {
			if f.credit--; f.credit < 0 {
				// Hostile streams make more threads than anybody can show a frame of; from here on theirs are
				// left out.
				th.seg = d.skipEmpty(th)
				continue
			}
		}
		d.publishFrame(th, b)
		th.seg++
	}
	ready := !d.closing && th.seg == f.total() && len(f.borders) > 0 && th.nextTime() < th.final
	if lag := d.opt.lagNs; lag > 0 && ready && th.final > f.lastEnd+lag {
		d.publishAhead(th)
	}
	d.relieve(th)
	th.compact()
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
	for !d.cancelled && (th.sent < len(th.spans) || th.sentEvents < len(th.events)) {
		b := d.sink.Begin()
		b.Track = th.track
		from := max(th.next, th.sent)
		th.sent = min(len(th.spans), from+looseSpans)
		b.Spans = appendSpans(b.Spans, th.spans[from:th.sent]...)
		d.addEvents(th, b, min(len(th.events), max(th.nextEvent, th.sentEvents)+looseSpans), false)
		d.send(b)
	}
}

func appendSpans(out []model.Span, list ...span) []model.Span {
	for _, sp := range list {
		out = append(out, model.Span{Begin: sp.begin, End: sp.end, Path: sp.path, Lane: sp.depth, Flags: sp.flags})
	}
	return out
}

// skipEmpty returns the border of the next frame in which the thread has something, and reports the
// frames left out.
func (d *Decoder) skipEmpty(th *thread) int {
	f := &d.frames
	at := th.nextTime()
	to := f.base + sort.Search(len(f.borders), func(i int) bool { return f.borders[i].end > at })
	to = max(to, th.seg+1)
	d.bad.BadN(trace.ManyEmptyFrames, int64(to-th.seg), trace.Unknown)
	return to
}

// nextTime returns the earliest time that waits, maxTime if nothing does.
func (th *thread) nextTime() int64 {
	at := int64(maxTime)
	if th.next < len(th.spans) {
		at = th.spans[th.next].begin
	}
	if th.nextEvent < len(th.events) {
		at = min(at, th.events[th.nextEvent].timeNs)
	}
	return at
}

// publishLoose publishes blocks outside frames that began before a time.
func (d *Decoder) publishLoose(th *thread, before int64) {
	for !d.cancelled {
		n := th.next
		for n < len(th.spans) && n-th.next < looseSpans && th.spans[n].begin < before {
			n++
		}
		full := n-th.next == looseSpans
		e := th.nextEvent
		for e < len(th.events) && th.events[e].timeNs < before && e-th.nextEvent < looseSpans {
			e++
		}
		full = full || e-th.nextEvent == looseSpans
		if n == th.next && e == th.nextEvent && (len(th.samples) == 0 || d.frames.expected) {
			return
		}
		b := d.sink.Begin()
		b.Track = th.track
		b.Spans = appendSpans(b.Spans, th.spans[min(max(th.next, th.sent), n):n]...)
		calls := int64(0)
		for _, sp := range th.spans[th.next:n] {
			if sp.flags&model.SpanContinues == 0 {
				calls++
			}
			d.open(th, sp)
			d.frames.looseTo = max(d.frames.looseTo, min(sp.end, before))
		}
		if d.frames.expected {
			d.unframed += calls
		}
		d.waiting -= n - th.next
		th.next = n
		d.addEvents(th, b, e, true)
		d.send(b)
		if !full {
			return
		}
		th.compact()
	}
}

// open remembers a block that was published, for its time in later frames.
func (d *Decoder) open(th *thread, sp span) {
	th.open = append(th.open[:min(int(sp.depth), len(th.open))], sp)
}

// publishFrame publishes one frame of a thread: the blocks and messages that begin in it, and the
// time of each name alone, whenever its blocks began. Blocks are published whole where they begin,
// for their ends are known.
func (d *Decoder) publishFrame(th *thread, f *border) {
	b := d.sink.Begin()
	b.Track, b.HasFrame, b.Number, b.Begin, b.End = th.track, true, f.number, f.begin, f.end
	at := f.begin
	n := th.next
	for ; n < len(th.spans) && th.spans[n].begin < f.end; n++ {
		sp := &th.spans[n]
		if n >= th.sent {
			b.Spans = appendSpans(b.Spans, *sp)
		}
		at = d.charge(th, at, sp.begin)
		d.open(th, *sp)
		if sp.flags&model.SpanContinues == 0 {
			d.alone.Add(model.CollectorID(sp.collector), 0, 1)
		}
	}
	d.charge(th, at, f.end)
	d.waiting -= n - th.next
	th.next = n
	b.Self = d.alone.Take(b.Self)
	e := th.nextEvent
	for e < len(th.events) && th.events[e].timeNs < f.end {
		e++
	}
	d.addEvents(th, b, e, true)
	d.send(b)
}

// charge adds the time between two moments to the self time of the blocks open then, each moment to
// the innermost one, and returns the new moment. A block may outlive its caller, or the next one of
// its depth may begin before it ends: no moment is counted twice whatever the stream says.
func (d *Decoder) charge(th *thread, from, to int64) int64 {
	for i := len(th.open) - 1; i >= 0 && from < to; i-- {
		if end := min(th.open[i].end, to); end > from {
			d.alone.Add(model.CollectorID(th.open[i].collector), end-from, 0)
			from = end
		}
	}
	for n := len(th.open); n > 0 && th.open[n-1].end <= to; n-- {
		th.open = th.open[:n-1]
	}
	return max(from, to)
}

// addEvents adds the events up to the to-th to a batch, and the samples. done reports whether their
// frames have come.
func (d *Decoder) addEvents(th *thread, b *model.Batch, to int, done bool) {
	from := max(th.nextEvent, th.sentEvents)
	for i := from; i < to; i++ {
		e := &th.events[i]
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
	b.Bytes = d.frm.stride * (len(b.Spans) + max(to-from, 0))
	th.sentEvents = max(th.sentEvents, to)
	if done {
		d.waiting -= to - th.nextEvent
		th.nextEvent = to
	}
	if len(th.samples) > 0 {
		b.Samples = append(b.Samples, th.samples...)
		th.samples = th.samples[:0]
	}
}

// send hands a batch to the sink.
func (d *Decoder) send(b *model.Batch) {
	if !d.sink.Publish(b) {
		d.cancelled = true
	}
}
