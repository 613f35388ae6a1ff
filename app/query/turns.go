package query

import "time"

// Turns let queries read sessions that grow: they read only while the goroutine that changes the sessions waits
// for them in Give.
type Turns struct {
	grant chan turn
	back  chan int // work that was not done
}

// turn is the permission to read.
type turn struct {
	left  int
	until time.Time
}

// NewTurns returns the turns of the sessions of one goroutine.
func NewTurns() *Turns { return &Turns{grant: make(chan turn), back: make(chan int)} }

// patience is how long Give waits for a query that has just read and may go on at once, as joins do.
const patience = 100 * time.Microsecond

// Give lets queries read about so many rows while they ask for some, until a time at most. It returns how many they
// read; each turn counts as turnWork at least.
func (t *Turns) Give(work int, until time.Time) (done int) {
	for given := t.offer(turn{work, until}, 0); given; given = t.offer(turn{work - done, until}, patience) {
		done = work - <-t.back
		if done >= work || !time.Now().Before(until) {
			break
		}
	}
	return done
}

// offer gives a turn to a query that waits for one; false: none does.
func (t *Turns) offer(x turn, wait time.Duration) bool {
	select {
	case t.grant <- x:
		return true
	default:
	}
	if wait == 0 {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case t.grant <- x:
		return true
	case <-timer.C:
		return false
	}
}
