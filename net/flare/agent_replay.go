package flare

import (
	"bytes"
	"cmp"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
)

// EventReader reads the events of a journal's records.
type EventReader struct {
	src bytes.Reader
	dec *Decoder
}

// Event reads the event of a record.
func (r *EventReader) Event(rec *journal.Record) (Event, error) {
	r.src.Reset(rec.Payload)
	if r.dec == nil {
		r.dec = NewDecoder(&r.src)
	}
	r.dec.r.Reset(&r.src)
	r.dec.offset = rec.Pos.Offset
	return r.dec.Next()
}

// NewJournalStream returns what maps the records of a journal to a session, as it was when it was
// live.
func NewJournalStream(sink feed.Sink, m journal.Meta) *JournalStream {
	c := Config{Addr: m.Peer, Program: m.Program, PID: m.PID, Sink: sink}
	info := c.info()
	info.File = true
	return &JournalStream{session: newSession(c, info)}
}

// JournalStream maps the records of a journal.
type JournalStream struct {
	session *session
	events  EventReader
	wrong   int // records that were no events
}

// maxWrong is the limit of unreadable records that are reported one by one.
const maxWrong = 100

// Take takes the next record.
func (s *JournalStream) Take(rec *journal.Record) error {
	switch rec.Kind {
	case journal.KindDefinition, journal.KindData:
		e, err := s.events.Event(rec)
		if err != nil {
			if s.wrong++; s.wrong <= maxWrong {
				s.Lost(model.LossMalformed, 1, err.Error())
			}
			return nil
		}
		s.session.handleEvent(e)
	case journal.KindHole, journal.KindEvicted:
		s.Gap()
	}
	return nil
}

// Gap handles missing records at this place.
func (s *JournalStream) Gap() {
	s.session.intake.release()
	clear(s.session.threads) // clocks have gone on meanwhile
}

// Lost reports a loss.
func (s *JournalStream) Lost(reason model.LossReason, n int64, detail string) {
	s.session.Sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: feed.PlainText(detail)})
}

// Idle publishes the decoded events.
func (s *JournalStream) Idle() {
	s.session.intake.release()
	s.session.mapper.Flush()
}

// Close ends the session.
func (s *JournalStream) Close(reason string) {
	s.session.intake.end()
	s.session.mapper.Close(cmp.Or(reason, "disconnected"))
}
