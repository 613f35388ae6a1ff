package decode

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// Replay sends the present content of a journal to a handler, as the client sent it, and returns why
// reading ended early. Damaged and missing records become losses. It does not close the handler:
// reason is why the session ended; ended is false without an end record.
//
// progress, which may be nil, is called now and then with each record's place.
func Replay(
	ctx context.Context, r *journal.Reader, h pstats.Handler, progress func(journal.Pos),
) (reason string, ended bool, err error) {
	p := player{h: h}
	r.Finish()
	r.Watch(p.damaged)
	for n := 0; ; n++ {
		if n%256 == 0 {
			if err := ctx.Err(); err != nil {
				return "", false, err
			}
		}
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", false, err
		}
		if progress != nil && n%256 == 0 {
			progress(rec.Pos)
		}
		p.playRecord(&rec)
	}
	p.end()
	p.gone.report(h)
	return p.reason, p.ended, nil
}

// player turns the records of a journal back into calls of a handler.
type player struct {
	h pstats.Handler

	// Definitions that follow one another become one call.
	collectors []pstats.CollectorDef
	first      int
	threads    []string

	frame     pstats.Frame
	loss      [model.NumLossReasons]lossRecord
	hole      model.Loss // until the next frame gives its time
	places    Places
	spoilt    spoilt
	gone      gone
	newestNs  int64 // end of the latest frame
	malformed int64
	reason    string
	ended     bool
}

// maxMalformed bounds the malformed records that are reported one by one.
const maxMalformed = 100

// playRecord plays one record.
func (p *player) playRecord(rec *journal.Record) {
	if rec.Kind != journal.KindDefinition {
		p.flush()
	}
	var err error
	switch rec.Kind {
	case journal.KindDefinition:
		err = p.definition(rec)
	case journal.KindData:
		err = p.data(rec)
	case journal.KindHole:
		var hole journal.Hole
		if err = rec.Decode(&hole); err == nil && hole.Records > 0 {
			p.gone.records(hole.Records)
			reason, words := model.LossNotRecorded, "not recorded: "+hole.Reason
			if hole.Deleted() {
				reason, words = model.LossDeleted, "deleted from the disk by another program"
			}
			if p.hole.Reason != reason {
				p.reportHole()
			}
			p.hole.Reason, p.hole.Track = reason, model.NoTrack
			p.hole.Add(model.Loss{N: hole.Records, Frames: hole.Records, Begin: p.newestNs})
			p.hole.Detail = fmt.Sprintf("%d frames were %s", p.hole.N, words)
		}
	case journal.KindEvicted:
		var e journal.Evicted
		if err = rec.Decode(&e); err == nil && e.Records > 0 {
			p.gone.records(e.Records + e.Refused)
			p.h.Lost(model.Loss{Reason: model.LossLeftDisk, Track: model.NoTrack, N: e.Records, Frames: e.Records,
				Detail: fmt.Sprintf("the oldest %d frames left the disk, to make room", e.Records)})
		}
	case journal.KindEnd:
		var end journal.End
		if err = rec.Decode(&end); err == nil {
			p.reason, p.ended = end.Reason, true
		}
	}
	if err != nil {
		p.wrong(rec.Pos, err)
	}
}

// wrong reports a whole but malformed record.
func (p *player) wrong(pos journal.Pos, err error) {
	if p.malformed++; p.malformed <= maxMalformed {
		p.h.Lost(model.Loss{
			Reason: model.LossMalformed, Track: model.NoTrack, N: 1,
			Detail: fmt.Sprintf("segment %d, offset %d: %v", pos.Segment, pos.Offset, err),
		})
	}
}

// definition takes a definition.
func (p *player) definition(rec *journal.Record) error {
	kind, word, _ := strings.Cut(string(rec.Key), ":")
	if kind != "c" {
		p.flushCollectors()
	}
	if kind != "t" {
		p.flushThreads()
	}
	switch kind {
	case "hello":
		h, err := pstats.DecodeClientHello(rec.Payload)
		if err != nil {
			return err
		}
		p.h.Hello(h)
	case "c":
		return pstats.DecodeCollectors(rec.Payload, func(d pstats.CollectorDef) { p.collectors = append(p.collectors, d) })
	case "t":
		first, names, err := pstats.DecodeThreads(rec.Payload)
		if err != nil {
			return err
		}
		if int(first) != p.first+len(p.threads) {
			p.flushThreads()
			p.first = int(first)
		}
		p.threads = append(p.threads, names...)
	case "x":
		thread, err := pstats.DecodeExpire(rec.Payload)
		if err != nil {
			return err
		}
		p.h.Expire(int(thread))
	case "f":
		return p.gone.define(word, rec.Payload)
	case "l":
		return p.lost(word, rec.Payload)
	}
	return nil
}

// lost takes the total losses of a reason and reports the new ones.
func (p *player) lost(word string, text []byte) error {
	reason := model.LossReason(slices.Index(lossWords[:], word))
	if reason >= model.NumLossReasons {
		return fmt.Errorf("unknown kind of loss %q", word)
	}
	var r lossRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	old := &p.loss[reason]
	l := model.Loss{
		Reason: reason, Track: model.NoTrack, N: r.N - old.N, Frames: r.Frames - old.Frames, Begin: r.Begin,
		End: r.End, Uncounted: r.Uncounted, Detail: r.Detail,
	}
	if l.N < 0 || l.Frames < 0 || r.N < 0 || r.Frames < 0 {
		return errors.New("a count of losses became less")
	}
	*old = r
	if l.N > 0 || l.Uncounted {
		p.h.Lost(l)
	}
	return nil
}

// data takes a frame.
func (p *player) data(rec *journal.Record) error {
	size := len(rec.Payload) - 4
	if size < 0 {
		return errors.New("too short for a frame")
	}
	f := &p.frame
	if err := pstats.DecodeFrame(rec.Payload[:size], sessionfile.FrameVersion, f); err != nil {
		return err
	}
	begin, timed := pstats.FirstTime(f.Events)
	if p.hole.N > 0 {
		p.hole.End = max(begin, p.hole.Begin)
		p.reportHole()
	}
	p.gone.frame(f.Thread, f.Number)
	p.spoilt.frame(p.h, f.Thread, int32(f.Number), begin)
	bytes := binary.LittleEndian.Uint32(rec.Payload[size:])
	f.Continues = bytes&continues != 0
	p.h.Frame(f, int(bytes&^continues))
	if timed {
		p.newestNs = max(p.newestNs, begin)
		if ns, ok := pstats.Nanoseconds(f.Events[len(f.Events)-1].Time); ok {
			p.newestNs = max(p.newestNs, ns)
		}
	}
	if cap(f.Events) > keepBuffer && len(f.Events) < cap(f.Events)/8 {
		f.Events = nil
	}
	return nil
}

func (p *player) reportHole() {
	if p.hole.N > 0 {
		p.h.Lost(p.hole)
	}
	p.hole = model.Loss{}
}

// end sends the waiting records.
func (p *player) end() {
	p.flush()
	p.reportHole()
	p.spoilt.stopWaiting(p.h)
}

// flush hands over the definitions that were gathered.
func (p *player) flush() {
	p.flushCollectors()
	p.flushThreads()
}

func (p *player) flushCollectors() {
	if len(p.collectors) > 0 {
		p.h.Collectors(p.collectors)
		clear(p.collectors)
		p.collectors = p.collectors[:0]
	}
}

func (p *player) flushThreads() {
	if len(p.threads) > 0 {
		p.h.Threads(p.first, p.threads)
		clear(p.threads)
		p.threads = p.threads[:0]
	}
}

// NewStream returns a decoder for the records of a journal. It restores the live session.
func NewStream(sink feed.Sink, m journal.Meta) *Stream {
	s := &Stream{d: New(sink, Options{Peer: m.Peer, Replay: true})}
	s.p.h = s.d
	return s
}

// Stream decodes the records of a journal.
type Stream struct {
	d *Decoder
	p player
}

// Take takes the next record. It returns feed.ErrCancelled when the data are not wanted any more.
func (s *Stream) Take(rec *journal.Record) error {
	s.p.playRecord(rec)
	if s.d.Cancelled() {
		return feed.ErrCancelled
	}
	return nil
}

// Lost reports a loss that is not in the records.
func (s *Stream) Lost(reason model.LossReason, n int64, detail string) {
	s.d.Lost(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: detail})
}

// Damaged reports an unreadable place, before the record after it is taken.
func (s *Stream) Damaged(d journal.Damage) { s.p.damaged(d) }

// Idle notes that nothing comes for the time being.
func (s *Stream) Idle() { s.p.flush() }

// Close ends the session.
func (s *Stream) Close(reason string) {
	s.p.end()
	s.p.gone.report(s.d)
	s.d.Close(reason)
}
