package decode

import (
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
)

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
	s.p.gone.tell(s.d)
	s.d.Close(reason)
}
