package headless

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"framescope/app/library"
	"framescope/app/memory"
	"framescope/charts/format"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/server"
	"framescope/net/pstats/sessionfile"
)

// LiveOptions configures ListenLive.
type LiveOptions struct {
	// Addr is HOST:PORT; empty: server.DefaultAddr.
	Addr string
	// Memory bounds the data kept; nil: the model's default.
	Memory *memory.Keeper
	// Frames keeps each frame as it was sent until Poll has handed it out.
	Frames bool
	// Events keeps everything that each client sends, event by event (Client.Events). It grows without
	// bound.
	Events bool
	// Record returns a recorder for a client; it and its result may be nil.
	Record func(info server.SessionInfo) *library.Recorder
	// Polled is called after each piece of data that Poll has taken in; nil: nothing is.
	Polled func(l *Live) error
	// Log takes a line when a client comes or goes; nil drops them. It may be called by any goroutine.
	Log func(line string)
}

// Live receives games without a window. Its sessions belong to the goroutine that calls Poll.
type Live struct {
	opt    LiveOptions
	server *server.Server
	hub    *feed.Hub
	store  *store.Store
}

// Client is a game that connected.
type Client struct {
	pstats.Handler // the decoder, and other listeners
	Session        *store.Session
	// Events is the client's events, if LiveOptions.Events was set; it may be read once the session has
	// ended.
	Events *sessionfile.Raw
	// Recorder is the result of LiveOptions.Record.
	Recorder *library.Recorder

	live    *Live
	name    string
	mu      sync.Mutex
	arrived []*pstats.Frame
	missed  int64
	waiting []waitingFrame // of Poll
}

// waitingFrame is a frame that arrived but is not in the store yet.
type waitingFrame struct {
	f     *pstats.Frame
	polls int
}

// Limits for frames waiting for Poll, and for its attempts to find one in the store.
const (
	maxArrived = 1 << 16
	maxPolls   = 20
)

// ListenLive opens the address and receives games until ctx is done or Close is called.
func ListenLive(ctx context.Context, o LiveOptions) (*Live, error) {
	l := &Live{opt: o, hub: feed.NewHub(), store: store.New(0)}
	if l.opt.Log == nil {
		l.opt.Log = func(string) {}
	}
	limit := o.Memory.Limit()
	l.hub.SetLimit(memory.Feeds(limit))
	srv, err := server.Listen(ctx, server.Config{
		Addr: o.Addr, MaxMessage: memory.Message(limit), Held: l.hub.Held(), NewSession: l.newClient, Log: l.opt.Log,
	})
	if err != nil {
		return nil, err
	}
	l.server = srv
	return l, nil
}

// Addr is the address that games connect to.
func (l *Live) Addr() string { return l.server.Addr().String() }

// Close disconnects all games and stops listening. Their data can still be polled.
func (l *Live) Close() { l.server.Close() }

func (l *Live) newClient(info server.SessionInfo) pstats.Handler {
	c := &Client{live: l, name: fmt.Sprintf("%s on host %s", format.ClipName(info.Hello.Program),
		format.ClipName(info.Hello.Host))}
	f := l.hub.NewFeed(feed.Options{Live: true, Name: info.Hello.Program, Owner: c})
	info.CountDrops(f.DroppedFrames)
	c.Handler = decode.New(f, decode.Options{Peer: info.Peer.String()})
	if l.opt.Events {
		c.Events = sessionfile.NewRaw()
		c.Handler = pstats.Tee(c.Handler, c.Events)
	}
	if l.opt.Record != nil {
		if c.Recorder = l.opt.Record(info); c.Recorder != nil {
			c.Handler = pstats.Tee(c.Handler, decode.NewEncoder(c.Recorder))
		}
	}
	l.opt.Log("Now connected to " + c.name)
	return c
}

// AwaitRoom implements journal.Patient.
func (c *Client) AwaitRoom(stop <-chan struct{}, bytes int) { pstats.AwaitRoom(c.Handler, stop, bytes) }

// Frame implements pstats.Handler.
func (c *Client) Frame(f *pstats.Frame, bytes int) {
	c.Handler.Frame(f, bytes)
	if !c.live.opt.Frames {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.arrived) >= maxArrived {
		c.missed++
		return
	}
	c.arrived = append(c.arrived, &pstats.Frame{Thread: f.Thread, Number: f.Number, Events: slices.Clone(f.Events),
		Levels: slices.Clone(f.Levels)})
}

// Close implements pstats.Handler.
func (c *Client) Close(reason string) {
	c.Handler.Close(reason)
	c.live.opt.Log("Lost connection to " + c.name + ": " + reason)
}

// Clients returns the games that connected so far and were polled, in order of arrival.
func (l *Live) Clients() []*Client {
	var out []*Client
	for _, e := range l.hub.Entries() {
		if c, ok := e.Feed.Owner().(*Client); ok {
			c.Session = e.Session
			out = append(out, c)
		}
	}
	return out
}

// Poll takes in new data. With LiveOptions.Frames it then calls fn for each new frame in the store, in
// order of arrival: frame i of a track, and as it was sent.
func (l *Live) Poll(fn func(c *Client, track model.TrackID, i int, f *pstats.Frame) error) error {
	clients := l.Clients()
	arrived := make([][]*pstats.Frame, len(clients)) // taken before polling, so that the store has these frames after it
	for i, c := range clients {
		c.mu.Lock()
		arrived[i], c.arrived = c.arrived, nil
		missed := c.missed
		c.missed = 0
		c.mu.Unlock()
		if missed > 0 {
			l.opt.Log(fmt.Sprintf("%d frames of %s are not shown: they came too fast", missed, c.name))
		}
	}
	l.opt.Memory.Apply(l.store, l.hub)
	for more := true; more; {
		more = l.hub.Poll(l.store, 100*time.Millisecond).More
		if l.opt.Polled != nil {
			if err := l.opt.Polled(l); err != nil {
				return err
			}
		}
	}
	for k, c := range clients {
		for _, f := range arrived[k] {
			c.waiting = append(c.waiting, waitingFrame{f, 0})
		}
		kept := c.waiting[:0]
		for i := range c.waiting {
			w := &c.waiting[i]
			if t, at, ok := find(c.Session, w.f); ok {
				if fn != nil {
					if err := fn(c, t, at, w.f); err != nil {
						return err
					}
				}
				continue
			}
			if w.polls++; w.polls < maxPolls {
				kept = append(kept, *w)
			}
		}
		c.waiting = kept
	}
	return nil
}

// find looks a frame up in the store: on the newest track with its thread's index.
func find(s *store.Session, f *pstats.Frame) (track model.TrackID, i int, ok bool) {
	for id := model.TrackID(s.NumTracks() - 1); id >= 0; id-- {
		t := s.Track(id)
		if t == nil || t.Def.Index != int(f.Thread) {
			continue
		}
		if i, ok := t.FrameByNumber(int64(int32(f.Number))); ok {
			return id, i, true
		}
	}
	return 0, 0, false
}

// Done reports whether the game is gone and Poll has handed out all that it sent.
func (c *Client) Done() bool {
	if _, ended := c.Session.Ended(); !ended || len(c.waiting) > 0 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.arrived) == 0
}

// Forget frees the memory of a game's session.
func (l *Live) Forget(c *Client) { l.hub.Remove(l.store, c.Session) }

// Ended reports whether all games that connected are gone and everything they sent has been polled.
func (l *Live) Ended() bool {
	clients := l.Clients()
	for _, c := range clients {
		if _, ended := c.Session.Ended(); !ended {
			return false
		}
	}
	return len(clients) > 0
}
