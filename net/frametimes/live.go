package frametimes

import (
	"framescope/model"
	"framescope/net/feed"
)

// How many rows a stream waits for to find out what its columns are, or how many times that nothing
// came for a while.
const (
	firstRows  = 64
	fewRows    = 3
	firstIdles = 20
)

// NewStream implements feed.Streamer.
func (o Source) NewStream(sink feed.Sink, opt feed.StreamOptions) feed.Stream {
	program := opt.Program
	if program == "" {
		program = programOf(opt.Name)
	}
	s := &liveStream{sink: sink, room: feed.NamesOf(sink), frames: o.Frames != feed.NoFrames}
	s.info = infoOf(program, opt.Name, false)
	sink.Define(s.info)
	s.reader = o.reader(&s.survey, &s.info)
	s.reader.sieve.pass = s.row
	s.reader.again = func() {
		if s.d == nil && s.survey.rows > 0 {
			s.begin()
		}
		if s.d != nil {
			s.d.restart()
		}
	}
	return s
}

// liveStream reads a table as it comes.
type liveStream struct {
	sink   feed.Sink
	room   *feed.Names
	info   model.Info
	frames bool
	reader *reader
	survey *survey
	held   []heldRow
	idles  int
	d      *decoder
}

func (s *liveStream) row(cells [][]byte, line int64) {
	if s.d != nil {
		s.d.take(cells, line)
		return
	}
	s.survey.take(cells)
	if s.held = append(s.held, own(cells, line)); len(s.held) == firstRows {
		s.begin()
	}
}

// begin shows the rows that were held back.
func (s *liveStream) begin() {
	s.survey.decide(s.frames)
	s.d = newDecoder(s.sink, s.room, s.info, s.survey)
	for _, h := range s.held {
		s.d.take(h.cells, h.line)
	}
	s.held = nil
}

// Write implements feed.Stream.
func (s *liveStream) Write(p []byte) (int, error) {
	if err := s.reader.write(p); err != nil {
		return 0, err
	}
	if s.d != nil && s.d.cancelled {
		return 0, feed.ErrCancelled
	}
	return len(p), nil
}

// Idle implements feed.Stream.
func (s *liveStream) Idle() {
	if s.reader.head == nil && s.reader.err == nil && len(s.reader.before) > fewRows {
		s.reader.look()
	}
	if s.reader.head != nil {
		s.reader.sieve.flush()
	}
	if s.d == nil {
		if s.idles++; len(s.held) < fewRows || s.idles < firstIdles {
			return
		}
		s.begin()
	}
	s.d.idle()
}

// Close implements feed.Stream.
func (s *liveStream) Close(reason string) {
	err := s.reader.close()
	if s.d == nil && s.survey != nil && s.survey.rows > 0 {
		s.begin()
	}
	if s.d != nil {
		s.d.close()
		s.d.refused(s.reader)
	} else if err != nil && reason == "" {
		reason = err.Error()
	}
	s.room.Close()
	s.sink.Define(model.End{Reason: reason})
}
