package query

import (
	"context"
	"sync"
	"time"
)

// Turns let queries read sessions that grow: they read only while the goroutine that changes the sessions waits
// for them in Give.
type Turns struct {
	grant chan turn
	back  chan int // work that was not done

	patience time.Duration
}

// turn is the permission to read.
type turn struct {
	left  int
	until time.Time
}

// NewTurns returns the turns of the sessions of one goroutine, which waits so long for a reader that has just read and
// may go on at once: a join, or an export that writes rows.
func NewTurns(patience time.Duration) *Turns {
	return &Turns{grant: make(chan turn), back: make(chan int), patience: patience}
}

// turnWork is the work of a turn itself: in a join each row may be one.
const turnWork = 32

// Give lets queries read about so many rows while they ask for some, until a time at most. It returns how many they
// read; each turn counts as turnWork at least.
func (t *Turns) Give(work int, until time.Time) (done int) {
	for given := t.offer(turn{work, until}, 0); given; given = t.offer(turn{work - done, until}, t.patience) {
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

// Reader is how a goroutine comes to read sessions.
type Reader struct {
	Turns   *Turns
	Context context.Context
	// Alone is held while sessions are read, where there are no turns.
	Alone *sync.Mutex

	held bool
	turn turn
}

// Begin waits until the sessions may be read. An error means that they must not be, as nobody wants the result.
func (r *Reader) Begin() error {
	if r.Turns == nil {
		r.Alone.Lock()
		r.held = true
		return nil
	}
	select {
	case r.turn = <-r.Turns.grant:
		r.turn.left -= turnWork
		r.held = true
		return nil
	case <-r.Context.Done():
		return r.Context.Err()
	}
}

// End lets others read, or the owner go on.
func (r *Reader) End() {
	switch {
	case !r.held:
	case r.Turns == nil:
		r.Alone.Unlock()
	default:
		r.Turns.back <- r.turn.left
	}
	r.held = false
}

// Spend counts rows that were read, and waits for the next turn when this one is over.
func (r *Reader) Spend(rows int) error {
	if err := r.Context.Err(); err != nil || !r.held || r.Turns == nil {
		return err
	}
	r.turn.left -= rows
	if r.turn.left > 0 && time.Now().Before(r.turn.until) {
		return nil
	}
	r.End()
	return r.Begin()
}
