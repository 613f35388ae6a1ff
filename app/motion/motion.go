// Package motion knows whether the user asked the system that nothing on the screen moves by itself.
// It knows nothing of the window.
package motion

import "sync/atomic"

// Wish is what the user asked the system for. It is asked beside the game loop, as some systems take
// their time to answer; until then things move.
type Wish struct{ reduced atomic.Bool }

// Ask asks the system, and returns at once.
func (w *Wish) Ask() { go func() { w.reduced.Store(reduced()) }() }

// Reduced tells whether nothing is to move by itself.
func (w *Wish) Reduced() bool { return w.reduced.Load() }
