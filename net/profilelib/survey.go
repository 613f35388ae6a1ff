package profilelib

import (
	"encoding/binary"
	"fmt"

	"framescope/net/trace"
)

// survey looks through a stream, or its beginning, for what must be known before the rest can be
// understood: the layout, the tick rate, which arrives late, and the thread with most frames.
type survey struct {
	Detection
	head    []byte  // before the layout is known
	tried   int     // bytes of it that were tried
	frm     *framer // nil before
	rates   []rateAt
	frames  map[uint32]int
	first   []uint32 // threads with frames, in order of appearance
	flushes int      // about how many were seen: the library's own blocks, one a flush
}

// rateAt is a tick rate and its place in the stream.
type rateAt struct {
	at   int64
	rate int64
}

const maxRates = 1 << 12

// newSurvey returns a survey of a layout; nil: it is to be found.
func newSurvey(l *Layout) *survey {
	s := &survey{frames: map[uint32]int{}}
	if l != nil {
		s.begin(Detection{Layout: *l})
	}
	return s
}

func (s *survey) begin(found Detection) {
	s.Detection = found
	s.frm = newFramer(s.Layout, s.addRecord, func(trace.Kind, int64, int, string) {})
	s.frm.at = int64(s.Phase)
	s.frm.write(s.head[min(s.Phase, len(s.head)):], false)
	s.head = nil
}

// add takes the next bytes, which may be the last. It returns ErrNotStream where they are in no layout.
func (s *survey) add(p []byte, last bool) error {
	if s.frm != nil {
		s.frm.write(p, false)
		return nil
	}
	s.head = append(s.head, p...)
	n := len(s.head)
	last = last || n >= detectMost
	if !last && (n < detectFirst || n < 2*s.tried) {
		return nil
	}
	s.tried = n
	found, ok := Detect(s.head)
	if ok && (found.Confidence >= 0.8 || last) {
		s.begin(found)
	} else if last {
		return fmt.Errorf("%w: %s", ErrNotStream, found.Why)
	}
	return nil
}

func (s *survey) addRecord(b []byte, at int64) Fault {
	if f := CheckFields(b); f != NoFault {
		return f
	}
	o := binary.LittleEndian
	switch id := o.Uint32(b); {
	case id == uint32(SysInfo):
		if len(s.rates) < maxRates {
			s.rates = append(s.rates, rateAt{at, int64(o.Uint64(b[AtStart:]))})
		}
	case id == uint32(Frame):
		th := o.Uint32(b[AtThread:])
		if n, ok := s.frames[th]; ok || len(s.first) < maxThreads {
			if !ok {
				s.first = append(s.first, th)
			}
			s.frames[th] = n + 1
		}
	case id >= FirstBlock && string(b[AtName:AtName+len(outputBlock)+1]) == outputBlock+"\x00":
		s.flushes++
	}
	return NoFault
}

// mainThread returns the thread with most frame records.
func (s *survey) mainThread() (id uint32, ok bool) {
	for _, th := range s.first {
		if !ok || s.frames[th] > s.frames[id] {
			id, ok = th, true
		}
	}
	return id, ok
}

// rateFrom returns the first rate given at or after a place in the stream.
func rateFrom(rates []rateAt, at int64) (rate int64, ok bool) {
	for _, r := range rates {
		if r.at >= at {
			return r.rate, true
		}
	}
	return 0, false
}
