package planted

import (
	"math/rand/v2"
	"slices"

	"framescope/net/pstats"
)

// event is a start or a stop at a time in nanoseconds.
type event struct {
	word uint16
	ns   int64
}

// frame is a frame of a thread with all that it starts and stops.
type frame struct {
	number int64
	events []event
}

// line is a thread while the game is played: its time and its events.
type line struct {
	thread int
	at     int64
	number int64
	open   bool
	events []event
	frames []frame
	shift  int64 // of its clock

	pcg   rand.PCG
	rnd   *rand.Rand
	ops   []*op
	scale float64 // of all that it does in this frame
	mute  bool    // its events are not kept: only its duration is needed
}

func newLine(thread int, mute bool) *line {
	l := &line{thread: thread, scale: 1, mute: mute}
	l.rnd = rand.New(&l.pcg)
	return l
}

// seed makes the random numbers that follow equal in every run.
func (l *line) seed(seed uint64, n int64) {
	l.pcg.Seed(seed^uint64(l.thread)<<48, uint64(n)*0x9e3779b97f4a7c15)
}

func (l *line) begin(number, at int64) {
	l.number, l.at, l.open = number, at, true
	l.events = l.events[:0]
	l.note(0)
}

// end ends the frame, and keeps it unless it is lost.
func (l *line) end(lost bool) {
	if !l.open {
		return
	}
	l.note(pstats.StopBit)
	l.open = false
	if lost || l.mute {
		return
	}
	l.frames = append(l.frames, frame{l.number, slices.Clone(l.events)})
}

func (l *line) note(word uint16) {
	if l.open && !l.mute {
		l.events = append(l.events, event{word, l.at})
	}
}

func (l *line) start(collector int) { l.note(uint16(collector)) }
func (l *line) stop(collector int)  { l.note(uint16(collector) | pstats.StopBit) }

// until spends the time up to a moment in a collector; no time passes if the moment is over. A negative
// collector is unmeasured time.
func (l *line) until(collector int, ns int64) {
	if ns <= l.at {
		return
	}
	if collector < 0 {
		l.at = ns
		return
	}
	l.start(collector)
	l.at = ns + wakeNs(ns)
	l.stop(collector)
}

// wakeNs is how long a thread takes to run again after what it waited for has happened.
func wakeNs(ns int64) int64 { return 2000 + ns%9973 }
