package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// Only the newest part of a session on disk may be in memory. Any other part can be opened as a session
// of its own: as much as fits, directly before the loaded part.

// part is a stretch of time of a session on disk, in ns from its start. The zero value is all of
// it.
type part struct{ from, to int64 }

func (p part) whole() bool { return p == part{} }

// describe says which part it is: "0:12:30 – 0:14:10".
func (p part) describe() string {
	b := format.AppendClock(nil, p.from, 1e9)
	return string(format.AppendClock(append(b, " – "...), p.to, 1e9))
}

// partSlack is how far behind the end of a part a session is read: late data may still belong to it.
const partSlack = 5_000_000_000

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
	begin, end, some := b.Bounds()
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
		d.Program += " (" + p.describe() + ")"
		c = d
	case model.End:
		if p.done {
			d.Reason = "this is " + p.describe() + " of the session"
		}
		c = d
	}
	p.Sink.Define(c)
}

// openPart reads a part of a session on disk.
func (ss *Sessions) openPart(ctx context.Context, own *opened, f feed.Sink) error {
	if own.part.whole() {
		return ss.openWhole(ctx, own, f)
	}
	sink := &partSink{Sink: f, part: own.part}
	err := ss.sources.registry.Open(ctx, own.path, sink)
	if sink.done && errors.Is(err, context.Canceled) && ctx.Err() == nil {
		return nil
	}
	own.mu.Lock()
	own.toEnd = err == nil
	own.mu.Unlock()
	return err
}

// elsewhere is the part of a session that is only on disk.
type elsewhere struct {
	path    string
	before  part // directly before the part in memory; empty: none
	after   part
	whole   bool // all of it fits into memory
	totalNs int64
}

// A part opened beside a live session gets one roomBeside-th of the sessions' memory, so that the live
// one keeps some and the part stays (see store.Session.Hold). Without live sessions the whole session
// is opened if it takes no more than roomAlone of that.
const (
	roomBeside = 4
	roomAlone  = 0.8
)

// bytesOfLeft is the assumed size of a frame, or of a span without frames, for a session with no data
// in memory.
const bytesOfLeft = 1 << 10

// partOnDisk returns the part of the shown session that is only on disk; false: there is none.
func (ss *Sessions) partOnDisk() (e elsewhere, ok bool) {
	s := ss.active
	own := ss.ownerOf(s)
	if !own.keeps() {
		return e, false
	}
	held, partial, toEnd := part{}, false, false
	e.path = own.kept()
	if own.file != nil {
		e.totalNs, partial, toEnd = own.file.totalNs, !own.file.part.whole(), own.file.reachedEnd()
	}
	t := ss.View().Shown()
	begin, end, some := s.Bounds()
	bytes := s.Memory().Total()
	switch left := leftMemory(s); {
	case e.path == "" || !left && !partial:
		return e, false
	case !some && left: // all of it
		end = s.Latest()
		begin, bytes = end, s.Ledger().Evicted*bytesOfLeft
	case t != nil && t.NumFrames() > 0:
		begin = t.Frame(0).Begin
	}
	if some && end <= begin || end <= 0 {
		return e, false
	}
	held = part{begin, end}
	e.totalNs = max(e.totalNs, end)
	limit := ss.store.MemoryLimit
	if limit <= 0 {
		limit = ss.memory.limit
	}
	room := float64(limit) / roomBeside
	nsPerByte := float64(held.to-held.from) / float64(max(bytes, 1))
	if !some {
		nsPerByte = float64(end) / float64(max(bytes, 1))
	}
	length := max(int64(room*nsPerByte), 1e9)
	if !ss.liveIn() {
		room = float64(limit) * roomAlone
	}
	e.whole = !partial && float64(end) < room*nsPerByte
	if held.from > 1e6 {
		e.before = part{max(0, held.from-length), held.from}
	}
	if partial && !toEnd {
		e.after = part{held.to, held.to + length}
	}
	if e.before.whole() && e.after.whole() && !partial { // of the shown thread all is there, not of others
		e.before = part{0, length}
	}
	return e, !e.before.whole() || !e.after.whole()
}

// liveIn reports whether any session goes on.
func (ss *Sessions) liveIn() bool {
	return slices.ContainsFunc(ss.hub.Entries(), func(e feed.Entry) bool {
		_, ended := e.Session.Ended()
		return !ended && e.Feed.Live()
	})
}

// partWords says how much of a session a part is: "41 s of 4 min 29 s". Empty: it is all of it, or
// that is not known.
func (o *opened) partWords(s *store.Session) string {
	begin, end, some := s.Bounds()
	if o.part.whole() || !some || o.totalNs <= end-begin {
		return ""
	}
	b := format.AppendDuration(nil, end-begin)
	return string(format.AppendDuration(append(b, " of "...), o.totalNs))
}

// reportParts reports for each newly read part its share of the session, and how to get the others.
func (ss *Sessions) reportParts(ended []*store.Session) {
	for _, s := range ended {
		own := ss.ownerOf(s).file
		if own == nil || own.problem() != "" {
			continue
		}
		if words := own.partWords(s); words != "" {
			more := ""
			if ss.active == s {
				if rest, ok := ss.partOnDisk(); ok && !rest.before.whole() {
					more = "; earlier: " + keyOfElsewhere + " again, or a right click"
				}
			}
			ss.ask.Notify("%s: as much as fits into the memory limit%s", words, more)
		}
	}
}

// keyOfElsewhere opens data that left memory, or the part before the shown one.
const keyOfElsewhere = panel.KeyOfLeft

// OnDiskToo reports whether the shown session is on disk, so that data that left memory can be opened
// from there.
func (ss *Sessions) OnDiskToo() bool { return ss.ownerOf(ss.active).keeps() }

// openElsewhere opens data of the shown session that is only on disk: all of it if that fits into
// memory, else the part directly before the loaded one.
func (ss *Sessions) openElsewhere() {
	e, ok := ss.partOnDisk()
	switch {
	case !ok:
		ss.ask.Notify("%s", ss.nothingElsewhere())
	case e.whole:
		ss.openOnDisk(e, part{})
	case !e.before.whole():
		ss.openOnDisk(e, e.before)
	default:
		ss.openOnDisk(e, e.after)
	}
}

// nothingElsewhere says why there is nothing to open.
func (ss *Sessions) nothingElsewhere() string {
	switch {
	case ss.active == nil:
		return "No session is shown"
	case !leftMemory(ss.active):
		return "The whole session is in memory"
	case !ss.OnDiskToo():
		return "The part that has left memory was not kept on disk. " + panel.NotKept
	}
	if rec := ss.ownerOf(ss.active).recorder(); rec != nil && rec.Path() == "" {
		return "The part that has left memory is still on its way to disk"
	}
	return "No part of this session on disk can be opened"
}

// openOnDisk opens a part of a session on disk, after pending data is written.
func (ss *Sessions) openOnDisk(e elsewhere, p part) {
	if p.whole() {
		ss.ask.Notify("Opening the whole session from disk")
	} else {
		ss.ask.Notify("Opening %s from disk", p.describe())
	}
	rec := ss.ownerOf(ss.active).recorder()
	ss.sources.work.Add(1)
	go func() {
		defer ss.sources.work.Done()
		if rec != nil {
			if err := rec.Flush(); err != nil {
				ss.sources.later(func() { ss.ask.Warn(fmt.Errorf("the session on disk is incomplete: %w", err)) })
			}
		}
		ss.sources.later(func() {
			ss.showNext, ss.chosen = true, false
			ss.read(e.path, p, e.totalNs)
		})
	}()
}
