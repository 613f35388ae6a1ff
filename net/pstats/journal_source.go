package pstats

import (
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
)

// NewJournalStream returns what decodes the records of a journal: into the session that was live.
func NewJournalStream(sink feed.Sink, m journal.Meta) *JournalStream {
	s := &JournalStream{d: NewDecoder(sink, DecoderOptions{Peer: m.Peer, Replay: true})}
	s.p.h = s.d
	return s
}

// JournalStream decodes the records of a journal.
type JournalStream struct {
	d *Decoder
	p player
}

// Take takes the next record. It returns feed.ErrCancelled when nobody wants more.
func (s *JournalStream) Take(rec *journal.Record) error {
	s.p.take(rec)
	if s.d.Cancelled() {
		return feed.ErrCancelled
	}
	return nil
}

// Lost tells of something that is missing besides what records say.
func (s *JournalStream) Lost(reason model.LossReason, n int64, detail string) {
	s.d.Lost(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: detail})
}

// Idle tells that nothing comes for the time being.
func (s *JournalStream) Idle() { s.p.flush() }

// Close ends the session.
func (s *JournalStream) Close(reason string) {
	s.p.flush()
	s.p.tellHole()
	s.d.Close(reason)
}
