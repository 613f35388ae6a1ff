// Package demo simulates a small game: "Solar Chase" computes what its threads would have done, frame
// by frame, and sends it to a viewer as a real game does, through net/pstats/client. It covers
// everything that a viewer must cope with: nested, recursive, repeated and overlapping spans, spans
// that cross frame borders, render and GPU threads that lag behind, worker threads with their own
// frames, a loader that comes and goes and gets its index again, counters with units, garbage
// collections, hitches with detectable causes, unsent frames, and collectors that are defined late.
//
// It uses no processor time: times are computed, and only the sleep between two frames is real.
package demo

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"framescope/net/pstats/client"
)

// Options configures a run. The zero value plays in real time until the context is done.
type Options struct {
	// Seed makes runs differ; equal seeds play the same game.
	Seed uint64
	// Name is the program's name as the viewer shows it. Empty: "Solar Chase".
	Name string
	// Frames ends the run after so many frames of the main thread. 0: no end.
	Frames int
	// Fast plays as fast as the viewer takes the frames, without dropping any: two runs of one seed
	// then arrive equal, as tests need.
	Fast bool
	// Restart ends the program after so many frames and starts it again, so that the viewer sees
	// another session. 0: never.
	Restart int
	// Next plays the next version of the game, for comparisons: its opponents think in less time, its
	// drawing takes longer.
	Next bool
	// Patience is how long a viewer is waited for at the beginning. 0: 10 s.
	Patience time.Duration
}

// Run plays until ctx is done, which is no error, or Options.Frames are played. It returns an error
// when no viewer answers at addr (host:port) in the beginning; when the viewer goes away later the
// game goes on and connects again.
func Run(ctx context.Context, addr string, opt Options) error {
	if opt.Name == "" {
		opt.Name = "Solar Chase"
	}
	if opt.Patience <= 0 {
		opt.Patience = 10 * time.Second
	}
	for run := 0; ; run++ {
		played, err := play(ctx, addr, opt, run)
		if err != nil || ctx.Err() != nil {
			return err
		}
		if opt.Frames > 0 {
			if opt.Frames -= played; opt.Frames <= 0 {
				return nil
			}
		}
	}
}

// play is one life of the program. It returns the number of frames that it played.
func play(ctx context.Context, addr string, opt Options, run int) (frames int, err error) {
	var now atomic.Int64 // the game's clock: where the simulation is, ns
	copt := client.Options{
		Addr: addr, Name: opt.Name, Host: "demo", Nested: true, ReuseThreads: true,
		MaxRate: -1, MaxQueue: 1024, // the workers' frames come in bursts, once a frame of the game
		RetryAfter: 500 * time.Millisecond,
		Clock:      func() time.Duration { return time.Duration(now.Load()) },
	}
	if opt.Fast {
		copt.Lossless, copt.TCPRatio = true, 1
	}
	c := client.New(copt)
	defer c.Close()
	g := newGame(c, opt.Seed+uint64(run)*0x9e3779b97f4a7c15)
	g.next = opt.Next
	if err := c.Connect(ctx); err != nil {
		return 0, err
	}
	if err := await(ctx, c, opt.Patience); err != nil {
		return 0, err
	}
	if !c.Connected() {
		return 0, nil // ctx is done
	}
	g.begin()
	limit := opt.Frames
	if opt.Restart > 0 && (limit == 0 || opt.Restart < limit) {
		limit = opt.Restart
	}
	began := time.Now()
	sleep := time.NewTimer(0)
	defer sleep.Stop()
	for frames = 0; limit == 0 || frames < limit; frames++ {
		end := g.frame()
		now.Store(int64(end))
		if opt.Fast {
			if ctx.Err() != nil {
				return frames + 1, nil
			}
			if !c.Connected() {
				return frames + 1, fmt.Errorf("demo: after %d frames: %w", frames+1, c.Err())
			}
			continue
		}
		ahead := end - time.Since(began)
		if ahead < -time.Second { // the machine slept: do not race to catch up
			began = began.Add(-ahead)
		}
		sleep.Reset(max(0, ahead))
		select {
		case <-sleep.C:
		case <-ctx.Done():
			return frames + 1, nil
		}
	}
	return frames, nil
}

// await waits until a viewer answered.
func await(ctx context.Context, c *client.Client, patience time.Duration) error {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for !c.Connected() {
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil
		case <-limit.C:
			return fmt.Errorf("demo: no viewer answered within %v: %w", patience, c.Err())
		}
	}
	return nil
}
