// Package soak holds the long trials of the real program: hours of load in its window at a small memory
// limit, and kills at any moment. Their short forms are ordinary tests; test flags start the full ones:
//
//	go test -tags integration ./app/cli -run TestRealKill -kills 200 -timeout 2h
//	go test -tags integration ./app/cli -run TestRealWindow -window 30m -timeout 2h -v
package soak

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"framescope/net/pstats/client"
)

// Load is a game that sends the same amount of work in every frame, by TCP and without losses.
type Load struct {
	Addr, Name string
	Rate       int // frames a second
	Threads    int
	Spans      int // of each thread in a frame
}

// Sent counts the frames that a Load has sent. It may be read during Run.
type Sent struct {
	mu    sync.Mutex
	times []time.Time
	n     atomic.Int64
}

// Frames returns how many frames of the main thread were handed over to the system.
func (s *Sent) Frames() int64 { return s.n.Load() }

// Before returns how many frames were handed over before a moment.
func (s *Sent) Before(t time.Time) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n < len(s.times) && s.times[n].Before(t) {
		n++
	}
	return n
}

// maxTimes bounds the moments that are kept, for runs that are long.
const maxTimes = 1 << 20

func (s *Sent) add() {
	s.n.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.times) < maxTimes {
		s.times = append(s.times, time.Now())
	}
}

// Run plays until ctx is done or the viewer is gone. Frames are numbered from 1 on.
func (l Load) Run(ctx context.Context, sent *Sent) error {
	c := client.New(client.Options{
		Addr: l.Addr, Name: l.Name, MaxRate: -1, MaxQueue: 64, TCPRatio: 1, Lossless: true, Nested: true,
	})
	defer c.Close()
	if err := c.Dial(ctx); err != nil {
		return err
	}
	names := make([]client.Collector, 40)
	for i := range names {
		names[i] = c.Collector(fmt.Sprintf("App:Step %d", i))
	}
	threads := []*client.Thread{c.MainThread()}
	for i := 1; i < l.Threads; i++ {
		threads = append(threads, c.Thread(fmt.Sprintf("Worker %d", i)))
	}
	period := time.Second / time.Duration(l.Rate)
	begin := c.Now()
	for _, t := range threads {
		t.EndFrameAt(begin) // from here on it is recorded
	}
	for c.Connected() {
		for _, t := range threads {
			l.frame(t, names, begin, period)
		}
		begin += period
		sent.add()
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(begin - c.Now()):
		}
	}
	return c.Err()
}

// frame states what a thread did in the frame that begins at begin and lasts so long: steps that
// call each other four deep.
func (l Load) frame(t *client.Thread, names []client.Collector, begin, length time.Duration) {
	const deep = 4
	groups := max(l.Spans/deep, 1)
	each := length * 9 / 10 / time.Duration(groups)
	step := max(each/(2*deep+1), 1)
	for g := range groups {
		at := begin + time.Duration(g)*each
		for k := range deep {
			t.StartAt(names[(g*deep+k)%len(names)], at+time.Duration(k)*step)
		}
		for k := deep - 1; k >= 0; k-- {
			t.StopAt(names[(g*deep+k)%len(names)], at+time.Duration(2*deep-k)*step)
		}
	}
	t.EndFrameAt(begin + length)
}
