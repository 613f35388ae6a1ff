package trace

import (
	"cmp"
	"math"

	"framescope/model"
)

// looseSpans is how many spans, and how many messages, one batch without a frame has.
const looseSpans = 1 << 14

// publisher publishes the spans, notes and frames of a track, in order of time.
type publisher struct {
	b      *Builder
	out    *output
	spans  []span
	next   int // span
	noted  int // notes published
	framed bool
}

// publishOutput publishes all of a track, cut at the frames of its process if it has any.
func (b *Builder) publishOutput(o *output) {
	if o.isSampled() {
		b.publishSampled(o)
		return
	}
	p := publisher{b: b, out: o, spans: b.spansOf(o)}
	b.bindFlows(o, p.spans)
	main := o.process.main == o
	if o.thread == nil && !main {
		p.loose(math.MaxInt64)
		return
	}
	p.framed = len(o.process.borders) > 0
	b.sums.Forget()
	p.frames(o.process.borders, main)
}

// spansOf returns the spans of a track, in order of begin and row.
func (b *Builder) spansOf(o *output) []span {
	if o.thread == nil {
		return b.pack(o.trees)
	}
	var all []span
	base := 0
	for _, t := range o.tracks {
		b.settle(t, ofThreads)
		if base == 0 {
			all = t.spans
		} else {
			all = append(all, b.lower(t.spans, base)...)
		}
		base += t.depth
	}
	sortSpans(all)
	return all
}

// lower gives spans rows from a base on.
func (b *Builder) lower(spans []span, base int) []span {
	kept := spans[:0]
	for _, s := range spans {
		if int(s.lane)+base >= maxRows {
			b.Bad.Bad(ManyRows, Unknown)
			continue
		}
		s.lane += uint16(base)
		kept = append(kept, s)
	}
	return kept
}

// pack gives asynchronous spans their rows: trees that do not overlap share rows.
func (b *Builder) pack(trees []tree) (out []span) {
	SortRuns(trees, func(x, y tree) int { return cmp.Compare(x.spans[0].begin, y.spans[0].begin) })
	var rows FreeRows
	for _, t := range trees {
		row, ok := rows.Take(t.spans[0].begin, t.end, t.rows, maxRows)
		if !ok {
			b.Bad.BadN(ManyRows, int64(len(t.spans)), Unknown)
			continue
		}
		for _, s := range t.spans {
			s.lane += uint16(row)
			out = append(out, s)
		}
	}
	sortSpans(out)
	return out
}

func sortSpans(list []span) {
	SortRuns(list, func(x, y span) int { return SortRunPairs(x.begin, y.begin, int64(x.lane), int64(y.lane)) })
}

// frames publishes everything, cut at frames in order of time. Of frames that overlap each has what begins in it
// before the next one does; what begins with the end of the last one is of that, where that is the end of all, and what
// begins after it, too, where it is open, unless open spans end with their thread. main marks frames of the track
// itself: all of these are published, the empty ones too.
func (p *publisher) frames(list []Border, main bool) {
	b := p.b
	begun, ended := main, int64(math.MinInt64)
	for i, f := range list {
		to := f.End
		if i+1 < len(list) {
			to = min(to, list[i+1].Begin)
		} else if f.Open && !b.options.EndWithThread || f.End == b.last {
			to = math.MaxInt64
		}
		p.loose(f.Begin)
		if f.Begin < ended {
			b.sums.Forget() // what ran in the one before is of that one alone
		}
		idle := !main && !b.sums.Runs(f.Begin) && p.isIdle(to)
		switch {
		case b.cancelled:
			return
		case idle && (!begun || p.refusesEmpty()):
			continue
		}
		begun, ended = true, f.End
		p.frame(f, to)
	}
	p.loose(math.MaxInt64)
}

// isIdle reports whether nothing begins before a time.
func (p *publisher) isIdle(to int64) bool {
	return (p.next == len(p.spans) || p.spans[p.next].begin >= to) &&
		(p.noted == len(p.out.notes) || p.out.notes[p.noted].time >= to)
}

// refusesEmpty reports whether an empty frame is one too many, which is counted.
func (p *publisher) refusesEmpty() bool {
	if p.b.credit--; p.b.credit >= 0 {
		return false
	}
	p.b.Bad.Bad(ManyEmptyFrames, Unknown)
	return true
}

func (p *publisher) batch() *model.Batch {
	batch := p.b.sink.Begin()
	batch.Track = p.out.def.ID
	return batch
}

// loose publishes everything that begins before a time, without a frame.
func (p *publisher) loose(before int64) {
	b := p.b
	for !b.cancelled {
		batch := p.batch()
		for p.next < len(p.spans) && len(batch.Spans) < looseSpans && p.spans[p.next].begin < before {
			s := p.add(batch)
			if p.framed {
				b.sums.Run(b.table.Of(s.path), s.end)
				b.Bad.Bad(OutsideFrames, Unknown)
			}
		}
		p.addNotes(batch, before, looseSpans)
		if len(batch.Spans)+len(batch.Messages) == 0 {
			return
		}
		b.publish(batch)
	}
}

// frame publishes all that begins in a frame before a time, and the self time of each name, even of spans that began
// earlier. Spans are published whole where they begin.
func (p *publisher) frame(f Border, to int64) {
	b := p.b
	batch := p.batch()
	batch.HasFrame, batch.Open, batch.Number = !f.Open, f.Open, f.Number
	batch.Begin, batch.End = f.Begin-b.first, f.End-b.first
	b.sums.Frame(f.Begin, f.End)
	for p.next < len(p.spans) && p.spans[p.next].begin < to {
		s := p.add(batch)
		b.sums.Start(b.table.Of(s.path), s.begin, s.end, 1)
	}
	p.addNotes(batch, to, len(p.out.notes))
	batch.Self = b.sums.End(batch.Self)
	b.publish(batch)
}

// add puts the next span into a batch, with the arguments of the events that began and ended it.
func (p *publisher) add(batch *model.Batch) *span {
	b, s := p.b, &p.spans[p.next]
	p.next++
	batch.Spans = append(batch.Spans, model.Span{
		Begin: s.begin - b.first, End: s.end - b.first, Path: s.path, Lane: s.lane, Flags: s.flags,
	})
	if b.Args.Any() {
		at := len(batch.Spans) - 1
		batch.Args = b.Args.Append(batch.Args, at, s.event)
		if s.endEvent != 0 && b.Args.Adds(s.endEvent, s.event) {
			batch.Args = b.Args.Append(batch.Args, at, s.endEvent)
		}
	}
	return s
}

// addNotes puts the messages before a time into a batch, up to so many.
func (p *publisher) addNotes(batch *model.Batch, before int64, most int) {
	b, list := p.b, p.out.notes
	for ; p.noted < len(list) && list[p.noted].time < before && most > 0; most-- {
		n := &list[p.noted]
		batch.Messages = append(batch.Messages, model.Message{
			Time: n.time - b.first, Text: cmp.Or(b.Words(n.text), "(unnamed)"), Category: b.Words(n.category),
			Object: b.Words(n.object), Severity: n.severity,
		})
		p.noted++
	}
}
