// File ending.go knows the signals by which a program is asked to end: then it ends in order, with
// what it records complete.

package app

import (
	"context"
	"os/signal"
)

// NotifyInterrupts returns a context that is done when the program is asked to end. After stop the signals
// have their usual effect.
func NotifyInterrupts(ctx context.Context) (asked context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(ctx, signals()...)
}
