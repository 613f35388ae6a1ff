package report

import (
	"bufio"
	"errors"
	"io"
	"math"

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
	events   map[*store.Session]*Events
	named    map[*store.Session]map[int]string // threads with their names written
	dummy    int64                             // process ids for clients that sent none, as text-stats counts them
	any      bool
}

// ErrNotLive is returned for options that need the whole recording.
var ErrNotLive = errors.New("a live report prints frame by frame: --range and --compat need a recording")

// NewStream begins a stream. Of the options it takes JSON and Raw.
func NewStream(w io.Writer, o Options) (*Stream, error) {
	if o.Compat || !o.Range.All() {
		return nil, ErrNotLive
	}
	s := &Stream{
		out: bufio.NewWriterSize(w, 1<<16), o: o, printers: map[*store.Session]*framePrinter{}, events: map[*store.Session]*Events{},
		named: map[*store.Session]map[int]string{},
	}
	if o.JSON {
		s.out.WriteString("[\n")
	}
	return s, nil
}

// Frame writes a frame that has just been stored: frame i of the track. f is the same frame as it
// was sent; nil if that is not known.
func (s *Stream) Frame(session *store.Session, track model.TrackID, i int, f *pstats.Frame) error {
	if s.o.JSON {
		s.frameJSON(session, session.Track(track), f)
		return nil
	}
	p := s.printers[session]
	if p == nil {
		p = &framePrinter{out: s.out, s: session, o: &Options{}, withRaw: s.o.Raw, tracks: map[model.TrackID]*trackPrinter{}}
		s.printers[session] = p
	}
	p.sent = f
	return p.frame(track, i)
}

func (s *Stream) frameJSON(session *store.Session, t *store.Track, f *pstats.Frame) {
	if f == nil {
		return
	}
	w := s.events[session]
	if w == nil {
		w = newEvents(s.out, session, nil)
		if w.PID < 0 {
			w.PID = s.dummy
			s.dummy++
		}
		s.events[session] = w
		s.named[session] = map[int]string{}
	}
	w.Any = s.any
	if name := t.Title(); s.named[session][t.Def.Index] != name {
		s.named[session][t.Def.Index] = name
		w.Thread(t)
	}
	for _, e := range f.Events {
		w.Event(model.CollectorID(e.Word&^pstats.StopBit), micros(e.Time), e.Word&pstats.StopBit == 0, t.Def.Index)
	}
	s.any = w.Any
}

// micros is a time in whole microseconds, as text-stats writes it.
func micros(seconds float32) int64 {
	us := math.Max(0, float64(seconds)) * 1e6
	if !(us < math.MaxInt64) {
		return math.MaxInt64
	}
	return int64(us)
}

// Forget drops the state of an ended session.
func (s *Stream) Forget(session *store.Session) {
	delete(s.printers, session)
	delete(s.events, session)
	delete(s.named, session)
}

// Flush writes out buffered text.
func (s *Stream) Flush() error { return s.out.Flush() }

// Close ends the stream and flushes it.
func (s *Stream) Close() error {
	if s.o.JSON {
		s.out.WriteString("\n]\n")
	}
	return s.out.Flush()
}
