package launch

import (
	"context"
	"time"

	"framescope/app/memory"
	"framescope/model/store"
	"framescope/net/feed"
)

// Collected is the result of an input.
type Collected struct {
	// Recordings and Sessions correspond by index, in order of their beginning. Recordings without data
	// are left out.
	Recordings []*Recording
	Sessions   []*store.Session
}

// collectEvery is the interval between polls; a producer waits when too much data is pending.
const collectEvery = 20 * time.Millisecond

// Collect runs an input without a viewer until it has ended or ctx is done, and returns its recordings.
// The keeper bounds the data kept; without one the model's default does. Data received before an error
// is returned with it.
func Collect(ctx context.Context, in Input, keeper *memory.Keeper) (*Collected, error) {
	hub, store := feed.NewHub(), store.New(0)
	ran := make(chan error, 1)
	go func() {
		ran <- in.Run(ctx, func(r *Recording) feed.Sink {
			return hub.NewFeed(feed.Options{Live: true, Wait: true, Guest: r.Guest, Name: r.Name, Owner: r})
		})
	}()
	poll := func() {
		keeper.Apply(store, hub)
		for hub.Poll(store, 100*time.Millisecond).More {
		}
	}
	tick := time.NewTicker(collectEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			poll()
		case err := <-ran:
			poll()
			c := &Collected{}
			for _, e := range hub.Entries() {
				if r, ok := e.Feed.Owner().(*Recording); ok && e.Session.Info().Source != "" {
					c.Recordings = append(c.Recordings, r)
					c.Sessions = append(c.Sessions, e.Session)
				}
			}
			return c, err
		}
	}
}
