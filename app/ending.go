// This file handles the signals that end a program: it ends in order, with complete recordings.

package app

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// NotifyInterrupts returns a context that is done at a signal to end. After stop the signals have their
// usual effect.
func NotifyInterrupts(ctx context.Context) (asked context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(ctx, signals()...)
}

// Grace is the time after the first signal in which further ones count as the same: impatient users,
// and shells that signal a whole group, send several.
const Grace = 500 * time.Millisecond

// Again waits, after a signal to end, for another one later than Grace, and then calls atOnce with the
// exit status for that signal. It returns when done is closed. The end of the terminal does not count,
// see SurviveHangups.
func Again(done <-chan struct{}, atOnce func(status int)) {
	got := make(chan os.Signal, 1)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(got)
	if sig := again(got, time.After(Grace), done); sig != nil {
		atOnce(status(sig))
	}
}

// again returns the first signal after the grace, or nil.
func again(got <-chan os.Signal, grace <-chan time.Time, done <-chan struct{}) os.Signal {
	for over := false; ; {
		select {
		case <-done:
			return nil
		case <-grace:
			over = true
		case sig := <-got:
			if over {
				return sig
			}
		}
	}
}

// status is a shell's exit status for a program that a signal ended.
func status(sig os.Signal) int {
	if s, ok := sig.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return 1
}
