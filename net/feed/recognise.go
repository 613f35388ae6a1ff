package feed

import "framescope/model"

// Recogniser is a stream of a kind that is not known yet. It keeps the first bytes until a source
// recognises them, and from then on hands everything to that source's stream.
type Recogniser struct {
	reg    Registry
	sink   Sink
	opt    StreamOptions
	head   []byte // kept until the source is known
	next   int    // how long head must be before it is looked at again while bytes keep coming
	source Source
	stream Stream
	err    error
}

// firstLook is how many bytes to gather before a first attempt while more keep coming: a few say
// little. When no more come, fewer are enough.
const firstLook = 4 << 10

// NewStream returns a stream that recognises its format by itself. Its Write fails with
// *NotStreamedError when the format is unreadable as a stream, and with another error when no source
// recognises the first HeadSize bytes, or FarSize (see Patient); Head then returns the bytes so far.
func (r Registry) NewStream(sink Sink, o StreamOptions) *Recogniser {
	return &Recogniser{reg: r, sink: sink, opt: o, next: firstLook}
}

// Source returns the source that recognised the stream, nil while none has.
func (s *Recogniser) Source() Source { return s.source }

// Err returns why the stream takes nothing more, nil while it does.
func (s *Recogniser) Err() error { return s.err }

// Head returns all bytes that have come, for as long as there is no stream that they were handed
// to.
func (s *Recogniser) Head() []byte { return s.head }

// Write implements Stream.
func (s *Recogniser) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.stream != nil {
		return s.stream.Write(p)
	}
	s.head = append(s.head, p...)
	if len(s.head) >= s.next {
		for s.next <= len(s.head) {
			s.next *= 2
		}
		s.look(len(s.head) >= FarSize || len(s.head) >= HeadSize && !s.reg.undecided(s.head))
	}
	if s.err != nil {
		return 0, s.err
	}
	return len(p), nil
}

// look tries to recognise the head. last declares that there will be no better time.
func (s *Recogniser) look(last bool) {
	if len(s.head) == 0 {
		return
	}
	if isGzip(s.head) || isZstd(s.head) {
		s.err = &NotStreamedError{Name: s.opt.Name}
		return
	}
	src := s.reg.sniff(s.head, s.opt.Name)
	if src == nil {
		switch {
		case !last:
		case isZlib(s.head):
			s.err = &NotStreamedError{Name: s.opt.Name}
		default:
			s.err = s.reg.stranger(s.head, s.opt.Name, true)
		}
		return
	}
	s.source = src
	st, ok := src.(Streamer)
	if !ok {
		s.err = &NotStreamedError{Name: s.opt.Name, Source: src}
		return
	}
	s.stream = st.NewStream(s.sink, s.opt)
	_, s.err = s.stream.Write(s.head)
	s.head = nil
}

// Idle implements Stream. Bytes that came and are followed by none are looked at, however few they
// are.
func (s *Recogniser) Idle() {
	if s.err != nil {
		return
	}
	if s.stream == nil {
		s.look(false)
	}
	if s.stream != nil {
		s.stream.Idle()
	}
}

// Finish tries a last time to recognise the data, if no source has yet, and returns the error. Call it
// before Close to get that error.
func (s *Recogniser) Finish() error {
	if s.stream == nil && s.err == nil {
		s.look(true)
	}
	return s.err
}

// Close implements Stream. An unrecognised stream ends with the error as the reason.
func (s *Recogniser) Close(reason string) {
	err := s.Finish()
	if s.stream != nil {
		s.stream.Close(reason)
		return
	}
	if err != nil {
		reason = err.Error()
	}
	s.sink.Define(model.End{Reason: reason})
}
