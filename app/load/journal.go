package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"path/filepath"
	"strings"
	"time"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/net/framescope"
	"framescope/net/gotrace"
	"framescope/net/journal"
	"framescope/net/pprof"
	"framescope/net/pstats/decode"
	"framescope/net/puffin"
	"framescope/net/together"
)

// Journals opens sessions that a viewer kept on disk while they were live, from any source: a folder,
// or the file of a recording that goes on; and files that name sessions on one ruler.
type Journals struct{ Sources Sources }

var (
	_ feed.FolderFollower = Journals{}
	_ feed.Streamer       = Journals{}
)

// Name implements feed.Source.
func (Journals) Name() string { return "session on disk" }

// About implements feed.Source.
func (Journals) About() feed.About {
	return feed.About{
		Title:   "Sessions on disk and session files",
		Writers: "Framescope: live sessions, session files",
		Ends:    []string{framescope.Extension},
	}
}

// Sniff implements feed.Source.
func (Journals) Sniff(head []byte, _ string) bool { return journal.Sniff(head) || together.Sniff(head) }

// SniffFolder implements feed.FolderSource.
func (Journals) SniffFolder(path string) bool { return journal.Is(path) }

// OpenFile implements feed.Source: it reads all that is there now. A segment of a session stands
// for the session.
func (j Journals) OpenFile(ctx context.Context, path string, sink feed.Sink) error {
	if IsTogether(path) {
		return j.openTogether(ctx, path, sink)
	}
	if dir := filepath.Dir(path); strings.HasSuffix(path, ".seg") && journal.Is(dir) {
		path = dir
	}
	if !journal.Is(path) {
		return j.openPacked(ctx, path, sink)
	}
	r, s, err := j.begin(ctx, path, sink)
	if err != nil {
		return err
	}
	defer r.Close()
	r.Finish()
	err = s.readOn(ctx, r, sink.Progress)
	switch {
	case ctx.Err() != nil || errors.Is(err, feed.ErrCancelled):
		s.close("loading was cancelled", false)
		return context.Canceled
	case err != nil:
		err = fmt.Errorf("%s: %w", path, err)
		s.player.Lost(model.LossTruncated, 1, err.Error())
		s.close(err.Error(), false)
	default:
		total := r.Size()
		sink.Progress(total, total)
		if r.Meta().Source == framescope.Kind && !s.ended && s.damagedTo < total {
			s.player.Lost(model.LossTruncated, 1, fmt.Sprintf("%s: offset %d: not closed: the record of its end is missing",
				path, total))
		}
		s.close(interrupted, true)
	}
	return err
}

// openPacked reads a journal in a file that is compressed.
func (j Journals) openPacked(ctx context.Context, path string, sink feed.Sink) error {
	s := &journalStream{journals: j, sink: feed.Until(ctx, sink), name: path, in: journal.NewStream(path)}
	err := feed.Copy(ctx, path, sink.Progress, s)
	ended := s.session != nil && s.session.ended
	switch {
	case ctx.Err() != nil:
		err = context.Canceled
	case ended && errors.Is(err, feed.ErrCancelled):
		err = nil
	case err != nil:
		err = fmt.Errorf("%s: %w", path, err)
	case !ended && s.in.Meta().Source == framescope.Kind:
		err = fmt.Errorf("%s: not closed: the record of its end is missing", path)
	}
	s.Close(describeError(err))
	return err
}

// begin opens a journal and begins its session. It reports an error to the sink as well.
func (j Journals) begin(ctx context.Context, path string, sink feed.Sink) (*journal.Reader, *session, error) {
	r, err := journal.Open(path)
	if err == nil && r.Meta().Source == "" {
		err = nameless(r, path)
		r.Close()
	}
	if err == nil {
		var s *session
		if s, err = j.newSession(feed.Until(ctx, sink), r.Meta(), path); err == nil {
			r.Watch(s.damaged)
			return r, s, nil
		}
		r.Close()
	}
	sink.Define(model.End{Reason: err.Error()})
	return nil, nil, err
}

// nameless is the error for a journal whose first record, which has its kind, cannot be read.
func nameless(r *journal.Reader, path string) error {
	r.Finish()
	if _, err := r.Next(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if unread := r.Unread(); unread != nil {
		return fmt.Errorf("it cannot be known what it is a recording of: %w", unread)
	}
	return fmt.Errorf("%s: offset %d: it ends before it says what it is a recording of", path, r.Size())
}

// interrupted is the end of a journal that does not say how its session ended.
const interrupted = "the recording ends here: its viewer was interrupted, or still writes it"

// FollowFolder implements feed.FolderFollower: it reads on as long as the session is being written.
func (j Journals) FollowFolder(
	ctx context.Context, path string, sink feed.Sink, wait func(ctx context.Context) error,
) error {
	if IsTogether(path) {
		return j.followTogether(ctx, path, sink, wait)
	}
	r, s, err := j.begin(ctx, path, sink)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		running := true
		if info, err := journal.ReadInfo(path); err == nil {
			running = info.Running
		}
		if !running {
			r.Finish()
		}
		err := s.readOn(ctx, r, sink.Progress)
		if err != nil || s.ended {
			s.close(describeError(err), err == nil)
			return err
		}
		if !running {
			s.close(interrupted, true)
			return nil
		}
		s.player.Idle()
		r.Unpin() // it may go on for days
		if err := wait(ctx); err != nil {
			s.close("no longer followed", true)
			return err
		}
	}
}

func describeError(err error) string {
	if err == nil {
		return ""
	}
	return feed.Plain(err).Error()
}

// player decodes one kind of source from a journal.
type player interface {
	// Take takes the next record. feed.ErrCancelled: no more records are needed.
	Take(rec *journal.Record) error
	Lost(reason model.LossReason, n int64, detail string)
	Idle()
	Close(reason string)
}

// session is a journal that is being read.
type session struct {
	player  player
	reason  string // why it ended
	ended   bool
	places  decode.Places
	refused bool // the sink wants no more
	watched *watched
	// damagedTo is the offset behind the last unreadable place.
	damagedTo int64
	begun     int64 // Unix time of the session's start, ns; 0: not of a live one
}

// watched notices when a sink wants no more: not every decoder does. It takes the time of day of a session that does
// not know its own from when its data arrived.
type watched struct {
	feed.Sink
	refused *bool
	info    model.Info
	arrived int64 // Unix time of the record that is being read, ns; 0: not known
	early   int64 // the earliest time of day of time 0, by what arrived the least late
}

// A time of day is put right by earlier at least. Data are late by nearNs at most from this machine, by farNs from
// others.
const (
	earlier = int64(100 * time.Microsecond)
	nearNs  = int64(time.Millisecond)
	farNs   = int64(10 * time.Millisecond)
)

// Define implements feed.Sink.
func (w *watched) Define(c model.Change) {
	if info, ok := c.(model.Info); ok {
		w.info = info
		if w.early != 0 && info.ZeroAt.UnixNs == 0 {
			w.info.ZeroAt = w.dayTime()
		}
		c = w.info
	}
	w.Sink.Define(c)
}

// noteArrival finds the time of day of time 0: data come late, but never early.
func (w *watched) noteArrival(b *model.Batch) {
	at := &w.info.ZeroAt
	_, end, some := b.Bounds()
	if !some || w.arrived == 0 || w.info.Source == "" || at.UnixNs != 0 && at.By != model.ByArrival {
		return
	}
	if zero := w.arrived - end; w.early == 0 || zero < w.early-earlier {
		w.early = zero
		w.info.ZeroAt = w.dayTime()
		w.Sink.Define(w.info)
	}
}

func (w *watched) dayTime() model.DayTime {
	at := model.DayTime{UnixNs: w.early, By: model.ByArrival, StepNs: nearNs}
	if host, err := netip.ParseAddrPort(w.info.Peer); err == nil && !host.Addr().IsLoopback() {
		at.StepNs = farNs
	}
	return at
}

// Unwrap returns the sink behind it.
func (w *watched) Unwrap() feed.Sink { return w.Sink }

func (w *watched) Publish(b *model.Batch) bool {
	w.noteArrival(b)
	ok := w.Sink.Publish(b)
	*w.refused = *w.refused || !ok
	return ok
}

// newSession makes the decoder of a journal.
func (j Journals) newSession(sink feed.Sink, m journal.Meta, path string) (*session, error) {
	o := feed.StreamOptions{Name: cmp.Or(m.Peer, path), Program: m.Program}
	s := &session{}
	s.watched = &watched{Sink: sink, refused: &s.refused}
	if m.Source != framescope.Kind { // its times are the recording's
		s.begun = m.Start.UnixNano()
	}
	sink = s.watched
	switch m.Source {
	case decode.JournalSource:
		s.player = decode.NewStream(sink, m)
	case framescope.Kind:
		s.player = framescope.NewPlayer(sink, path)
	case "flare":
		s.player = flare.NewJournalStream(sink, m)
	case "gsttrace":
		s.player = &bytesPlayer{stream: GStreamer().NewStream(sink, o), sink: sink}
	case gotrace.Kind:
		source := gotrace.Source{Options: gotrace.Options{Frames: j.Sources.Frames, Rounds: true}}
		s.player = &bytesPlayer{stream: source.NewStream(sink, o), sink: sink}
	case pprof.Kind:
		source := pprof.Rounds{Source: pprof.Source{Label: j.Sources.Label}}
		s.player = &bytesPlayer{stream: source.NewStream(sink, o), sink: sink}
	case puffin.Source{}.Kind():
		s.player = &bytesPlayer{stream: puffin.Source{}.NewStream(sink, o), sink: sink}
	case "profilelib":
		p, err := j.Sources.ProfileLib()
		if err != nil {
			return nil, err
		}
		s.player = &bytesPlayer{stream: p.NewStream(sink, o), sink: sink}
	default:
		return nil, fmt.Errorf("%s: a session of the source %q, which this version does not know", path, m.Source)
	}
	return s, nil
}

// readOn reads all that is there.
func (s *session) readOn(ctx context.Context, r *journal.Reader, progress func(done, total int64)) error {
	total := r.Size()
	n := 0
	for rec, err := range r.All() {
		if err == nil {
			err = s.applyRecord(&rec)
		}
		if n++; n%256 == 0 {
			err = cmp.Or(err, ctx.Err())
			progress(min(r.Done(), total), total)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (s *session) applyRecord(rec *journal.Record) error {
	switch rec.Kind {
	case journal.KindEnd:
		var end journal.End
		if rec.Decode(&end) == nil {
			s.reason, s.ended = end.Reason, true
		}
		return nil
	case journal.KindHole:
		var h journal.Hole
		if rec.Decode(&h) != nil || h.Records <= 0 || framed(s.player) {
			break
		}
		if h.Deleted() {
			s.player.Lost(model.LossDeleted, h.Records,
				fmt.Sprintf("%d pieces of data (%d bytes) were deleted from the disk by another program", h.Records,
					h.Bytes))
		} else {
			s.player.Lost(model.LossNotRecorded, h.Records,
				fmt.Sprintf("%d pieces of data (%d bytes) were not recorded: %s", h.Records, h.Bytes, h.Reason))
		}
	case journal.KindEvicted:
		var e journal.Evicted
		if rec.Decode(&e) == nil && e.Records > 0 && !framed(s.player) {
			s.player.Lost(model.LossLeftDisk, e.Records, fmt.Sprintf("the oldest %d pieces of data left the disk, to make room",
				e.Records))
		}
	}
	if s.begun != 0 {
		s.watched.arrived = s.begun + rec.Time
	}
	if err := s.player.Take(rec); err != nil {
		return err
	}
	if s.refused {
		return feed.ErrCancelled
	}
	return nil
}

// framed reports whether a player itself counts the frames that are missing.
func framed(p player) bool {
	_, ok := p.(*decode.Stream)
	return ok
}

// damaged reports an unreadable place.
func (s *session) damaged(d journal.Damage) {
	s.damagedTo = d.Offset + d.Bytes
	switch p := s.player.(type) {
	case *decode.Stream:
		p.Damaged(d)
		return
	case *flare.JournalStream:
		p.Gap()
	case *framescope.Player:
		p.Damaged()
	}
	l := s.places.Loss(d)
	s.player.Lost(l.Reason, l.N, l.Detail)
}

// close ends the session: for the reason that its source gave, if it is whole and there is one.
func (s *session) close(reason string, whole bool) {
	if whole && s.ended {
		reason = s.reason
	}
	s.player.Close(reason)
}

// bytesPlayer hands the bytes of a journal to the decoder of their kind.
type bytesPlayer struct {
	stream feed.Stream
	sink   feed.Sink
	some   bool
}

func (p *bytesPlayer) Take(rec *journal.Record) error {
	switch {
	case rec.Kind == journal.KindData, rec.Kind == journal.KindDefinition && !p.some && string(rec.Key) == journal.HeadKey:
		p.some = true
		_, err := p.stream.Write(rec.Payload)
		return err
	}
	return nil
}

func (p *bytesPlayer) Lost(reason model.LossReason, n int64, detail string) {
	p.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: detail})
}

func (p *bytesPlayer) Idle()               { p.stream.Idle() }
func (p *bytesPlayer) Close(reason string) { p.stream.Close(reason) }

// NewStream implements feed.Streamer, for the file of a recording that goes on.
func (j Journals) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	return &journalStream{journals: j, sink: sink, name: o.Name, in: journal.NewStream(o.Name)}
}

// journalStream decodes the bytes of a journal as they come.
type journalStream struct {
	journals Journals
	sink     feed.Sink
	name     string
	in       *journal.Stream
	session  *session
	err      error
}

// Write implements feed.Stream.
func (s *journalStream) Write(p []byte) (int, error) {
	if s.err == nil {
		s.in.Write(p)
		s.err = s.readOn()
	}
	if s.err != nil {
		return 0, s.err
	}
	return len(p), nil
}

// readOn reads the records that have come.
func (s *journalStream) readOn() error {
	for {
		rec, err := s.in.Next()
		if err == nil || errors.Is(err, io.EOF) {
			if failed := s.begin(); failed != nil {
				return failed
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case s.session == nil:
			return fmt.Errorf("%s: does not say what it is a recording of", s.name)
		}
		if err := s.session.applyRecord(&rec); err != nil {
			return err
		}
		if s.session.ended { // a different file takes its place
			return feed.ErrCancelled
		}
	}
}

// begin makes the decoder once the first record, which has its kind, has come.
func (s *journalStream) begin() (err error) {
	if s.session == nil && s.in.Meta().Source != "" {
		if s.session, err = s.journals.newSession(s.sink, s.in.Meta(), s.name); err != nil {
			return err
		}
		s.in.Watch(s.session.damaged)
	}
	return nil
}

// Idle implements feed.Stream.
func (s *journalStream) Idle() {
	if s.session != nil {
		s.session.player.Idle()
	}
}

// Close implements feed.Stream.
func (s *journalStream) Close(reason string) {
	if s.err == nil {
		s.in.Finish()
		s.err = s.readOn()
	}
	switch {
	case s.session != nil:
		s.session.close(reason, s.err == nil || s.session.ended)
	case s.err != nil:
		s.sink.Define(model.End{Reason: s.err.Error()})
	default:
		s.sink.Define(model.End{Reason: reason})
	}
}
