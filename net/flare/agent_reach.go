package flare

import (
	"context"
	"net"
	"time"
)

// How an agent that was just loaded is waited for.
const (
	reachTries = 25
	reachPause = 200 * time.Millisecond
)

// FreeAddress returns an address of this machine that nobody listens on, for an agent that is about
// to be loaded.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// Pause waits for d, or until ctx is done; then it returns the error of ctx.
func Pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Reach connects to an agent that begins to listen: for some five seconds it calls connect until
// that succeeds. It returns the error of the last call, or that of wait, which is Pause anywhere
// but in tests.
func Reach(ctx context.Context, wait func(context.Context, time.Duration) error, connect func() error) (err error) {
	for range reachTries {
		if err = connect(); err == nil {
			return nil
		}
		if stopped := wait(ctx, reachPause); stopped != nil {
			return stopped
		}
	}
	return err
}
