package pstats

import (
	"context"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
)

// interrupted is the end of a journal that does not say how its session ended.
const interrupted = "the recording ends here: the viewer that made it was interrupted, or is still writing it"

// OpenJournal reads a journal into a sink, up to the end of what it holds now, until ctx is done or
// the sink was cancelled; the sink then gets a model.End in any case. The session is the one that
// was live.
func OpenJournal(ctx context.Context, r *journal.Reader, sink feed.Sink) error {
	d := NewDecoder(feed.Until(ctx, sink), DecoderOptions{Peer: r.Meta().Peer, Replay: true})
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	total := r.Size()
	reason, ended, err := ReplayJournal(ctx, r, d, func(pos journal.Pos) {
		sink.Progress(min(r.Done(), total), total)
		if d.Cancelled() {
			stop(feed.ErrCancelled)
		}
	})
	switch {
	case d.Cancelled() || ctx.Err() != nil:
		d.Close("loading was cancelled")
		return context.Canceled
	case err != nil:
		d.Lost(model.Loss{Reason: model.LossTruncated, Track: model.NoTrack, N: 1, Detail: err.Error()})
		d.Close(err.Error())
		return err
	case !ended:
		reason = interrupted
	}
	sink.Progress(total, total)
	d.Close(reason)
	return nil
}

// NewJournalStream returns a stream that decodes the records of a journal as they come. Its Write
// is given records by Take instead.
func NewJournalStream(sink feed.Sink, m journal.Meta) *JournalStream {
	s := &JournalStream{d: NewDecoder(sink, DecoderOptions{Peer: m.Peer, Replay: true})}
	s.p.h = s.d
	return s
}

// JournalStream decodes a journal that is followed while it grows.
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

// Idle tells that nothing comes for the time being.
func (s *JournalStream) Idle() { s.p.flush() }

// Damaged takes a place that could not be read.
func (s *JournalStream) Damaged(d journal.Damage) { s.p.damaged([]journal.Damage{d}, 1) }

// Close ends the session, for the reason that the journal gives if it does.
func (s *JournalStream) Close(reason string) {
	s.p.flush()
	s.p.tellHole()
	switch {
	case s.p.ended:
		reason = s.p.reason
	case reason == "":
		reason = interrupted
	}
	s.d.Close(reason)
}
