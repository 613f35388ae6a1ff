// File motion.go knows whether the user asked the system that nothing on the screen moves by itself.
// It knows nothing of the window.

package app

import "sync/atomic"

// MotionWish is what the user asked the system for. It is asked beside the game loop, as some systems take
// their time to answer; until then things move.
type MotionWish struct{ reduced atomic.Bool }

// Ask asks the system, and returns at once.
func (w *MotionWish) Ask() { go func() { w.reduced.Store(reduced()) }() }

// Reduced reports whether nothing is to move by itself.
func (w *MotionWish) Reduced() bool { return w.reduced.Load() }
