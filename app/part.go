package app

import (
	"context"
	"errors"
	"fmt"
	"math"

	"framescope/app/launch"
	"framescope/charts/format"
	"framescope/model"
	"framescope/net/feed"
)

// Of a session that is kept on disk only the newest part may be in memory. Any other part of it can be opened as a session of its own: as much as there is room for, right before what is there.

// part is a stretch of time of a session on disk, in ns from its start. The zero value is all of it.
type part struct{ from, to int64 }

func (p part) whole() bool { return p == part{} }

// words says which part it is: "0:12:30 – 0:14:10".
func (p part) words() string {
	b := format.AppendClock(nil, p.from, 1e9)
	return string(format.AppendClock(append(b, " – "...), p.to, 1e9))
}

// partSlack is how far behind the end of a part a session is read: what comes late may still belong to it.
const partSlack = 5_000_000_000

// errPartDone ends the reading of a session at the end of the part.
var errPartDone = errors.New("the part has been read")

// partSink lets only a part of a session through.
type partSink struct {
	feed.Sink
	part
	spare *model.Batch // that was left out, to be filled again
	done  bool
}

// Unwrap returns the sink behind it.
func (p *partSink) Unwrap() feed.Sink { return p.Sink }

// Begin implements feed.Sink.
func (p *partSink) Begin() *model.Batch {
	if b := p.spare; b != nil {
		p.spare = nil
		b.Reset()
		return b
	}
	return p.Sink.Begin()
}

// Publish implements feed.Sink.
func (p *partSink) Publish(b *model.Batch) bool {
	begin, end, some := bounds(b)
	if some && begin > p.to+partSlack {
		p.done = true
	}
	if p.done || some && (end <= p.from || begin >= p.to) {
		p.spare = b
		return !p.done
	}
	return p.Sink.Publish(b)
}

// Define implements feed.Sink.
func (p *partSink) Define(c model.Change) {
	switch d := c.(type) {
	case model.Info:
		d.Program += " (" + p.words() + ")"
		c = d
	case model.End:
		if p.done {
			d.Reason = "this is " + p.words() + " of the session"
		}
		c = d
	}
	p.Sink.Define(c)
}

// bounds returns the times of what is in a batch, false if it has none.
func bounds(b *model.Batch) (begin, end int64, some bool) {
	if b.HasFrame {
		return b.Begin, b.End, true
	}
	begin, end = math.MaxInt64, math.MinInt64
	at := func(from, to int64) { begin, end = min(begin, from), max(end, to+1) }
	for i := range b.Spans {
		at(b.Spans[i].Begin, b.Spans[i].End)
	}
	for i := range b.Levels {
		at(b.Levels[i].Time, b.Levels[i].Time)
	}
	for i := range b.Messages {
		at(b.Messages[i].Time, b.Messages[i].Time)
	}
	for i := range b.Locks {
		at(b.Locks[i].Time, b.Locks[i].Time)
	}
	for i := range b.Samples {
		at(b.Samples[i].Time, b.Samples[i].Time)
	}
	return begin, end, begin <= end
}

// openPart reads a part of a session on disk.
func (g *Game) openPart(ctx context.Context, path string, p part, f feed.Sink) error {
	if p.whole() {
		return g.sources.registry.Open(ctx, path, f)
	}
	sink := &partSink{Sink: f, part: p}
	err := g.sources.registry.Open(ctx, path, sink)
	if sink.done && errors.Is(err, context.Canceled) && ctx.Err() == nil {
		return nil
	}
	return err
}

// elsewhere is what of a session is on disk and not in memory.
type elsewhere struct {
	path   string
	before part // right before what is in memory; empty: nothing is
	after  part
	whole  bool // all of it fits into memory
}

// roomForPart is the share of the memory that a part takes.
const roomForPart = 3

// elsewhere finds out what of the shown session is on disk only; false: nothing is.
func (g *Game) elsewhere() (e elsewhere, ok bool) {
	s := g.active
	entry, known := g.hub.EntryOf(s)
	if !known {
		return e, false
	}
	held, of := part{}, part{to: math.MaxInt64}
	switch own := entry.Feed.Owner().(type) {
	case *opened:
		if !own.journal {
			return e, false
		}
		e.path = own.path
		if !own.part.whole() {
			of = own.part
		}
	case *liveOwner, *launch.Recording:
		rec := recorderOf(own)
		if rec == nil || !rec.Keeps() {
			return e, false
		}
		e.path = rec.Path()
	}
	t := g.View().Shown()
	begin, end, some := s.Bounds()
	if t != nil && t.NumFrames() > 0 {
		begin = t.Frame(0).Begin
	}
	if e.path == "" || !some || end <= begin {
		return e, false
	}
	held = part{begin, end}
	partial := of.to != math.MaxInt64
	if !leftMemory(s) && !(partial && (of.from > 0 || of.to > 0)) {
		return e, false
	}
	limit := g.store.MemoryLimit
	if limit <= 0 {
		limit = g.memoryLimit()
	}
	length := int64(float64(held.to-held.from) * float64(limit) / roomForPart / float64(max(s.Memory().Total(), 1)))
	length = max(length, 1e9)
	e.whole = !partial && float64(end)*float64(s.Memory().Total())/float64(held.to-held.from) < float64(limit)*0.8
	if held.from > 1e6 {
		e.before = part{max(0, held.from-length), held.from}
	}
	if partial {
		e.after = part{held.to, held.to + length}
	}
	return e, !e.before.whole() || !e.after.whole()
}

// onDiskToo tells whether the shown session is on disk, so that what has left memory can be opened from there.
func (g *Game) onDiskToo() bool {
	e, ok := g.hub.EntryOf(g.active)
	if !ok {
		return false
	}
	if own, ok := e.Feed.Owner().(*opened); ok {
		return own.journal
	}
	rec := recorderOf(e.Feed.Owner())
	return rec != nil && rec.Keeps()
}

// openElsewhere opens what of the shown session is on disk only: all of it if that fits into memory, else the part right before what is there.
func (g *Game) openElsewhere() {
	e, ok := g.elsewhere()
	switch {
	case !ok:
		g.tell("All that is there of this session is in memory")
	case e.whole:
		g.openOnDisk(e.path, part{})
	case !e.before.whole():
		g.openOnDisk(e.path, e.before)
	default:
		g.openOnDisk(e.path, e.after)
	}
}

// openOnDisk opens a part of a session on disk, with what is still on its way there.
func (g *Game) openOnDisk(path string, p part) {
	rec := g.recorderOf(g.active)
	g.sources.work.Add(1)
	go func() {
		defer g.sources.work.Done()
		if rec != nil {
			if err := rec.Flush(); err != nil {
				g.sources.later(func(g *Game) { g.warn(fmt.Errorf("not all of it is on disk: %w", err)) })
			}
		}
		g.sources.later(func(g *Game) {
			g.showNext, g.chosen = true, false
			g.read(path, p)
		})
	}()
}
