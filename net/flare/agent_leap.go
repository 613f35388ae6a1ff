package flare

// A sample with a damaged time may lie days away from all others, and would stretch the session until nothing else
// is visible. So a sample far from those before it is held until the next ones decide: if one of them is near its
// time, the program stood still, or its clock was set; if they continue as before, it is left out.

const (
	leapMs   = 3_600_000 // that a sample may be from the one before it
	mostLept = 8         // that are held at a time
)

// leaps holds back samples with unconfirmed times.
type leaps struct {
	take    func(Event)
	damaged func(n int64)

	newestMs int64 // time of the last sample passed on, or sent by the agent
	any      bool  // it is known
	held     []Event
}

// noteTime takes the time of the newest sample, as sent by the agent.
func (l *leaps) noteTime(ms int64) {
	if !l.any && ms > 0 {
		l.newestMs, l.any = ms, true
	}
}

// sample takes the next sample.
func (l *leaps) sample(e Event) {
	at := e.Sample.Record.TimeMs
	if l.any && near(at, l.newestMs) {
		l.drop(len(l.held))
		l.pass(e)
		return
	}
	confirmed := l.held[:0]
	lost := 0
	for _, h := range l.held {
		if near(at, h.Sample.Record.TimeMs) {
			confirmed = append(confirmed, h)
		} else {
			lost++
		}
	}
	if len(confirmed) == 0 {
		if len(l.held) == mostLept {
			l.damaged(1)
			l.held = append(l.held[:0], l.held[1:]...)
		}
		l.held = append(l.held, e)
		return
	}
	l.held = l.held[:0]
	if lost > 0 {
		l.damaged(int64(lost))
	}
	for _, h := range confirmed {
		l.pass(h)
	}
	l.pass(e)
}

func (l *leaps) pass(e Event) {
	l.newestMs, l.any = e.Sample.Record.TimeMs, true
	l.take(e)
}

// drop leaves out the held samples.
func (l *leaps) drop(n int) {
	if n > 0 {
		l.damaged(int64(n))
		clear(l.held)
		l.held = l.held[:0]
	}
}

// end ends the input: held samples are left out, unless there is nothing else.
func (l *leaps) end() {
	if l.any || len(l.held) != 1 {
		l.drop(len(l.held))
		return
	}
	held := l.held[0]
	l.held = l.held[:0]
	l.pass(held)
}

// near reports whether two times may be of samples that follow each other.
func near(a, b int64) bool { return a-b <= leapMs && b-a <= leapMs }
