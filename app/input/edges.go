package input

// The system reports the state at a tick: whether a button is down, and whether it went down and up
// since the last tick. On a busy machine one tick holds several presses, as all late ticks see the
// state before the first of them. So presses and releases are queued, as far as the states distinguish
// them, and each tick delivers one: no caller has to handle a click within one tick.

// edges are the undelivered presses and releases of a button.
type edges struct {
	down  bool   // as given last
	queue []bool // true is a press
}

// last reports whether the button is down once all is given.
func (e *edges) last() bool {
	if n := len(e.queue); n > 0 {
		return e.queue[n-1]
	}
	return e.down
}

// add appends a press (true) or a release, unless it is already the last one.
func (e *edges) add(press bool) {
	if press != e.last() {
		e.queue = append(e.queue, press)
	}
}

// note notes the system's state at a tick. down is the state at its end, except for a tick in which the
// button went both ways: the next tick has its state.
func (e *edges) note(down, pressed, released bool) {
	switch {
	case pressed && released && e.last():
		e.add(false)
		e.add(true)
	case pressed && released:
		e.add(true)
		e.add(false)
	case pressed:
		e.add(false) // that release was missed
		e.add(true)
	case released:
		e.add(true)
		e.add(false)
	default:
		e.add(down)
	}
}

// next gives the next of them away.
func (e *edges) next() (down, pressed, released bool) {
	if len(e.queue) == 0 {
		return e.down, false, false
	}
	e.down = e.queue[0]
	e.queue = append(e.queue[:0], e.queue[1:]...)
	return e.down, e.down, !e.down
}

// seenClock is a clock that stops between late ticks: a key held for some time on it was seen held, and
// two events apart on it were at least so far apart.
type seenClock struct{ ns, lastNs, stepNs int64 }

// seenNs is the longest counted time between two ticks.
const seenNs = 50_000_000

// tick runs to a time.
func (c *seenClock) tick(nowNs int64) {
	c.stepNs = max(0, min(nowNs-c.lastNs, seenNs))
	c.ns, c.lastNs = c.ns+c.stepNs, nowNs
}
