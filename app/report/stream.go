package report

import (
	"bufio"
	"errors"
	"io"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats"
)

// Stream writes frames as they arrive, of any number of sessions. One goroutine may use it, the one
// that the sessions belong to.
type Stream struct {
	out      *bufio.Writer
	o        Options
	printers map[*store.Session]*framePrinter
}

// ErrNotLive is returned for options that need the whole recording.
var ErrNotLive = errors.New("a live report prints frame by frame: --range and --compat need a recording")

// NewStream begins a stream. Of the options it takes Raw.
func NewStream(w io.Writer, o Options) (*Stream, error) {
	if o.Compat || !o.Range.All() {
		return nil, ErrNotLive
	}
	return &Stream{out: bufio.NewWriterSize(w, 1<<16), o: o, printers: map[*store.Session]*framePrinter{}}, nil
}

// Frame writes a frame that has just been stored: frame i of the track. f is the same frame as it
// was sent; nil if that is not known.
func (s *Stream) Frame(session *store.Session, track model.TrackID, i int, f *pstats.Frame) error {
	p := s.printers[session]
	if p == nil {
		p = &framePrinter{out: s.out, s: session, o: &Options{}, withRaw: s.o.Raw, tracks: map[model.TrackID]*trackPrinter{}}
		s.printers[session] = p
	}
	p.sent = f
	return p.frame(track, i)
}

// Forget drops the state of an ended session.
func (s *Stream) Forget(session *store.Session) {
	delete(s.printers, session)
}

// Flush writes out buffered text.
func (s *Stream) Flush() error { return s.out.Flush() }
