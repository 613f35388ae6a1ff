// This file finds out whether the user wants reduced motion in the system. It does not depend on the
// window.

package app

import "sync/atomic"

// MotionWish is the system's setting for reduced motion. It is read beside the game loop, as some
// systems answer slowly; until then things move.
type MotionWish struct{ reduced atomic.Bool }

// Ask asks the system, and returns at once.
func (w *MotionWish) Ask() { go func() { w.reduced.Store(reduced()) }() }

// Reduced reports whether nothing is to move by itself.
func (w *MotionWish) Reduced() bool { return w.reduced.Load() }
