package chrometrace

import (
	"bytes"
	"fmt"

	"framescope/net/jsonscan"
	"framescope/net/tally"
)

const (
	mostFound  = 64 << 10 // bytes of an event with which reading goes on behind damage
	freeLosses = 64 << 20 // bytes that may be read in vain, and
	lossEach   = 8        // how many more for each byte of the file
)

// lost is what is known of the stretches of a file that can't be read. Behind the begin of each, the next
// event that is whole is looked for.
type lost struct {
	tally.Gaps
	at     int64  // where that begins in which the scanner is
	now    string // why that can't be read
	big    bool   // it begins with an event that goes on for more than mostEvent
	cut    bool   // it begins with an event that the end of the file cuts off
	wasted int64  // bytes that were read in vain
}

// past notes that the first n bytes of what begins at a place were read in vain, and returns how many of
// them are passed over: as a rule one, since events may stand in them. But a file must not have all of
// its bytes read over and over.
func (l *lost) past(n int, at int64) int {
	if l.wasted += int64(n); l.wasted <= freeLosses+lossEach*at {
		return 1
	}
	return max(n, 1)
}

// lose begins a stretch that can't be read: n bytes of it were, and place is where it is seen. It returns how many
// bytes are done with.
func (s *scanner) lose(at int64, n int, place int64, why string, args ...any) int {
	s.part, s.lost.at, s.lost.big, s.lost.cut = inLost, at, false, false
	if s.lost.N == 0 {
		s.lost.now = fmt.Sprintf("byte %d: ", place) + fmt.Sprintf(why, args...)
	}
	return s.lost.past(n, at)
}

// unread takes the event at the begin of b that can't be read, n bytes of it at least if it is damaged, and
// returns how much of b is done with: nothing while the rest of it may come.
func (s *scanner) unread(b []byte, n int, at int64, got jsonscan.Outcome) int {
	if got == jsonscan.Garbage {
		return s.lose(at, n, at+int64(n), "%q does not belong into an event", b[n])
	}
	if len(b) < mostEvent && !s.ended {
		return 0
	}
	done := s.lose(at, min(len(b), mostEvent), at, "an event has no end")
	s.lost.big, s.lost.cut = len(b) >= mostEvent, s.ended
	return done
}

// resume looks for the next event, and returns how much of b has none.
func (s *scanner) resume(b []byte, at int64) int {
	for i := 0; ; {
		next := bytes.IndexByte(b[i:], '{')
		if next < 0 {
			return len(b)
		}
		i += next
		window := b[i:min(len(b), i+mostFound)]
		n, got := s.ev.scan(window)
		if got == jsonscan.Whole && s.ev.certain() {
			s.found(at + int64(i))
			s.part = inEvents
			return i
		}
		if got == jsonscan.Partial {
			if len(window) < mostFound && !s.ended {
				return i
			}
			n = len(window)
		}
		if i += s.lost.past(n, at+int64(i)); i >= len(b) {
			return len(b)
		}
	}
}

// certain tells whether an object can be nothing else but an event.
func (ev *event) certain() bool {
	return ev.ph != 0 && (ev.ts != nil || ev.ph == 'M' && ev.name != nil)
}

// found ends the stretch at an event, or at the end of the file.
func (s *scanner) found(at int64) {
	l := &s.lost
	if n := at - l.at; l.big && n > mostEvent {
		s.tooBig.Add(l.at)
		return
	}
	l.Gap(l.at, at-l.at, l.now)
}

// lostTail ends a stretch with the file. It returns what was cut off, in words, if nothing but that is lost.
func (s *scanner) lostTail() (cut string) {
	if s.lost.cut && !s.lost.big {
		return fmt.Sprintf("the file ends inside the event at byte %d", s.lost.at)
	}
	s.found(s.at)
	return ""
}

// afterEnd takes a byte behind the outermost bracket. Where an array goes on, that was none.
func (s *scanner) afterEnd(c byte, at int64) int {
	switch {
	case s.array && c == ',':
		return s.lose(at, 1, at, "events stand behind the end of the trace")
	case c > ' ':
		s.part = beyond
		s.behind = fmt.Sprintf("byte %d: something stands behind the end of the trace", at)
	}
	return 1
}
