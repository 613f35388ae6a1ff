package puffin

import (
	"framescope/model"
	"framescope/net/feed"
)

// How long a stream waits to find out which thread is the main one.
const (
	heldFrames = 16
	heldBytes  = 8 << 20
	heldIdles  = 8 // times that nothing came for a while, after the first frame
)

// NewStream implements feed.Streamer.
func (Source) NewStream(sink feed.Sink, o feed.StreamOptions) feed.Stream {
	s := &liveStream{sink: sink, room: feed.NamesOf(sink), o: o, survey: newSurvey()}
	sink.Define(s.info())
	return s
}

// liveStream reads a recording as it comes. It holds back the first frames until they show which thread is the
// main one.
type liveStream struct {
	sink   feed.Sink
	room   *feed.Names
	o      feed.StreamOptions
	cut    cutter
	reader frameReader
	survey *survey
	held   []record // their bytes are copies
	bytes  int
	idles  int
	d      *decoder
	err    error
}

// Recognised reports whether what came is known to be a recording of puffin.
func (s *liveStream) Recognised() bool { return s.d != nil || len(s.held) > 0 }

// Write implements feed.Stream.
func (s *liveStream) Write(p []byte) (int, error) {
	if s.err = s.cut.write(p, s.take); s.err != nil {
		return 0, s.err
	}
	return len(p), nil
}

func (s *liveStream) take(rec *record) error {
	if s.d == nil {
		if f, _ := s.reader.read(rec); f != nil {
			s.survey.take(f, rec.version == '4')
		}
		s.held = append(s.held, rec.copied())
		if s.bytes += rec.size; len(s.held) >= heldFrames || s.bytes >= heldBytes {
			return s.begin()
		}
		return nil
	}
	return s.show(rec)
}

func (s *liveStream) show(rec *record) error {
	if s.d.read(&s.reader, rec); s.d.cancelled {
		return feed.ErrCancelled
	}
	return nil
}

// begin shows the frames that were held back.
func (s *liveStream) begin() error {
	s.d = newDecoder(s.sink, s.room, s.info(), s.survey)
	held := s.held
	s.held, s.survey = nil, nil
	for i := range held {
		if err := s.show(&held[i]); err != nil {
			return err
		}
	}
	return nil
}

// info returns the info of the recording.
func (s *liveStream) info() model.Info {
	program := s.o.Program
	if program == "" {
		program = s.o.Name
	}
	return infoOf(program, s.o.Name, &s.cut, false)
}

// copied returns the record with bytes of its own.
func (r *record) copied() record {
	c := *r
	c.raw = nil
	for _, part := range []*[]byte{&c.meta, &c.streams, &c.scopes} {
		*part = append([]byte(nil), *part...)
	}
	return c
}

// Idle implements feed.Stream.
func (s *liveStream) Idle() {
	if s.d == nil {
		if s.idles++; len(s.held) == 0 {
			s.idles = 0
		}
		if s.idles < heldIdles {
			return
		}
		s.err = s.begin()
	}
	s.d.idle()
}

// Close implements feed.Stream.
func (s *liveStream) Close(reason string) {
	if s.d == nil {
		s.begin()
	}
	s.d.ended(&s.cut, s.err)
	s.room.Close()
	s.sink.Define(model.End{Reason: reason})
}
