// This file handles the signals that end a program: it ends in order, with complete recordings.

package app

import (
	"context"
	"os/signal"
)

// NotifyInterrupts returns a context that is done at a signal to end. After stop the signals have their
// usual effect.
func NotifyInterrupts(ctx context.Context) (asked context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(ctx, signals()...)
}
