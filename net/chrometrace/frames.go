package chrometrace

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/net/trace"
)

const (
	leastFrames = 2       // instants that make frames
	emptyCredit = 1 << 18 // empty frames that a file may cause, and
	emptyEach   = 16      // so many for each event
)

// frames are those of a process.
type frames struct {
	borders []border
	main    *thread // that begins most of them
	skips   bool    // their numbers leave some out
}

type border = trace.Border

// findFrames makes frames of the instants that begin them, for each process of its own; they are no
// messages then. Between two of them nothing is missing whatever their numbers are. It returns the thread
// to look at first, nil where there are no frames.
func (d *decoder) findFrames() (main *thread) {
	most := 0
	for _, p := range d.processes {
		if len(p.ticks) < leastFrames {
			continue
		}
		trace.SortRuns(p.ticks, func(a, b tick) int { return cmp.Compare(a.time, b.time) })
		for i, t := range p.ticks {
			b := border{Number: t.number, Begin: t.time, End: p.last, Open: true}
			if i+1 < len(p.ticks) {
				b.End, b.Open = p.ticks[i+1].time, false
			}
			p.borders = append(p.borders, b)
			if p.main == nil || t.thread.ticks > p.main.ticks {
				p.main = t.thread
			}
			t.thread.notes[t.note].text = noText
		}
		lost := false
		p.skips, lost = trace.Numbered(p.borders)
		d.uncounted = d.uncounted || lost
		if len(p.ticks) > most {
			most, main = len(p.ticks), p.main
		}
		p.ticks = nil
	}
	for _, th := range d.threads {
		if th.proc.main != nil {
			th.notes = slices.DeleteFunc(th.notes, func(n note) bool { return n.text == noText })
		}
	}
	return main
}

// publisher publishes the spans, notes and frames of a thread.
type publisher struct {
	d      *decoder
	track  model.TrackID
	spans  []span
	notes  []note
	arrows []arrow
	flown  int // arrow
	next   int // span
	noted  int // note
	framed bool
	main   bool // the frames are of its thread
	alone  trace.SelfTimes
}

// looseSpans is how many spans, and how many messages, one batch without a frame has.
const looseSpans = 1 << 14

func (p *publisher) batch() *model.Batch {
	b := p.d.sink.Begin()
	b.Track = p.track
	return b
}

func (p *publisher) send(b *model.Batch) {
	if !p.d.sink.Publish(b) {
		p.d.cancelled = true
	}
}

// add puts a span into a batch.
func (p *publisher) add(b *model.Batch, s *span) {
	b.Spans = append(b.Spans, model.Span{
		Begin: s.begin - p.d.first, End: s.end - p.d.first, Path: s.path, Lane: s.lane, Flags: s.flags,
	})
	if p.d.args.Any() {
		p.d.addArgs(b, s.seq)
	}
}

// addNotes puts the messages before a time into a batch, up to so many.
func (p *publisher) addNotes(b *model.Batch, before int64, most int) {
	list := p.d.texts.list
	for ; p.noted < len(p.notes) && p.notes[p.noted].time < before && most > 0; most-- {
		n := &p.notes[p.noted]
		b.Messages = append(b.Messages, model.Message{
			Time: n.time - p.d.first, Text: list[n.text], Category: list[n.cat], Object: list[n.object], Severity: n.severity,
		})
		p.noted++
	}
}

// Loose implements trace.Publisher: it publishes everything that began before a time without a frame.
func (p *publisher) Loose(before int64) {
	calls := int64(0)
	for !p.d.cancelled {
		b := p.batch()
		for ; p.next < len(p.spans) && len(b.Spans) < looseSpans && p.spans[p.next].begin < before; p.next++ {
			p.add(b, &p.spans[p.next])
			if p.framed {
				s := &p.spans[p.next]
				p.alone.Run(p.d.texts.owner[s.path], s.end)
				calls++
			}
		}
		p.addNotes(b, before, looseSpans)
		p.addFlows(b, before)
		if len(b.Spans)+len(b.Messages)+len(b.Flows) == 0 {
			break
		}
		p.send(b)
	}
	if calls > 0 {
		p.d.sink.Define(model.Loss{
			Reason: model.LossUnframed, Track: model.NoTrack, N: calls,
			Detail: "spans began in no frame: they are shown, and are in call trees by time, but not in " +
				"figures of frames",
		})
	}
}

// Frame implements trace.Publisher: it publishes all that begins in f, and the self time of each name, even of
// spans that began earlier. Spans are published whole where they begin.
func (p *publisher) Frame(f border, to int64) {
	b := p.batch()
	b.HasFrame, b.Open, b.Number, b.Begin, b.End = !f.Open, f.Open, f.Number, f.Begin-p.d.first, f.End-p.d.first
	p.alone.Frame(f.Begin, f.End)
	for ; p.next < len(p.spans) && p.spans[p.next].begin < to; p.next++ {
		s := &p.spans[p.next]
		p.add(b, s)
		p.alone.Start(p.d.texts.owner[s.path], s.begin, s.end, 1)
	}
	p.addNotes(b, to, len(p.notes))
	p.addFlows(b, to)
	b.Self = p.alone.End(b.Self)
	p.send(b)
}

// Idle implements trace.Publisher: it reports whether nothing begins before to.
func (p *publisher) Idle(to int64) bool {
	return (p.next == len(p.spans) || p.spans[p.next].begin >= to) &&
		(p.noted == len(p.notes) || p.notes[p.noted].time >= to)
}

// all publishes everything, cut at frames if there are any.
func (p *publisher) all(list []border) {
	p.framed = len(list) > 0
	trace.Frames(p, &p.alone, list, 0, p.d.last, p.main)
}

// Refuse implements trace.Publisher.
func (p *publisher) Refuse() bool {
	if p.d.credit--; p.d.credit >= 0 {
		return false
	}
	p.d.count(noEmptyFrames, trace.Unknown)
	return true
}

// Cancelled implements trace.Publisher.
func (p *publisher) Cancelled() bool { return p.d.cancelled }
