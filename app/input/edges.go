package input

// What the system tells of a tick is a state: whether a button is down, and whether it went down and
// up since the tick before. Several presses lie in one tick where the machine is busy, for all ticks
// that it has to catch up with see what came before the first of them. So presses and releases are
// put in a row as far as the states tell them apart, and each tick gives one of them away: nobody has
// to know that a click may be over within a tick.

// edges are the presses and releases of a button that nobody has been given yet.
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

// take notes what the system tells of a tick. down is the state at its end, but for a tick in which
// the button went both ways: of that the next one tells.
func (e *edges) take(down, pressed, released bool) {
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

// seenClock is a clock that does not run while nothing is looked at: what was held for so long by it
// was seen held, and what lies so far apart was so at least.
type seenClock struct{ ns, lastNs, stepNs int64 }

// seenNs is the longest time between two looks of which anything is known.
const seenNs = 50_000_000

// tick runs to a time.
func (c *seenClock) tick(nowNs int64) {
	c.stepNs = max(0, min(nowNs-c.lastNs, seenNs))
	c.ns, c.lastNs = c.ns+c.stepNs, nowNs
}
