//go:build !js

package query

import (
	"context"
	"time"
)

// turnWork is the work of a turn itself: in a join each row may be one.
const turnWork = 32

// access is how one reader comes to read sessions. Without turns one reader at a time does.
type access struct {
	d    *DB
	ctx  context.Context
	held bool
	turn turn
}

// begin waits until the sessions may be read. An error means that they must not be, as the query has ended.
func (a *access) begin() error {
	if a.d.turns == nil {
		a.d.store.Lock()
		a.held = true
		return nil
	}
	select {
	case a.turn = <-a.d.turns.grant:
		a.turn.left -= turnWork
		a.held = true
		return nil
	case <-a.ctx.Done():
		return a.ctx.Err()
	}
}

// end lets others read, or the owner go on.
func (a *access) end() {
	switch {
	case !a.held:
	case a.d.turns == nil:
		a.d.store.Unlock()
	default:
		a.d.turns.back <- a.turn.left
	}
	a.held = false
}

// spend counts rows that were read, and waits for the next turn when this one is over.
func (a *access) spend(rows int) error {
	if err := a.ctx.Err(); err != nil || !a.held || a.d.turns == nil {
		return err
	}
	a.turn.left -= rows
	if a.turn.left > 0 && time.Now().Before(a.turn.until) {
		return nil
	}
	a.end()
	return a.begin()
}
