package sessions

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"framescope/app/launch"
	"framescope/internal/escape"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/follow"
)

// bringIn runs an input in the background until it ends or the viewer does. Each recording that it
// brings in is a live session.
func (ss *Sessions) bringIn(in launch.Input) {
	s := &ss.sources
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		err := in.Run(s.ctx, func(r *launch.Recording) feed.Sink { return ss.openRecording(r) })
		if err == nil || s.ctx.Err() != nil {
			return
		}
		if !strings.Contains(err.Error(), in.Title()) {
			err = fmt.Errorf("%s: %w", in.Title(), err)
		}
		if _, ok := in.(*named); !ok { // else it is printed at the end
			fmt.Fprintln(os.Stderr, "framescope:", escape.Line(err.Error()))
		}
		s.later(func() { ss.ask.Warn(err) })
	}()
}

// named is an input of the options. It notes what could not be read.
type named struct {
	launch.Input
	ss   *Sessions
	err  error
	mu   sync.Mutex
	sets []*noted // the sinks of its recordings
}

// Run implements launch.Input.
func (n *named) Run(ctx context.Context, _ launch.Opener) error {
	n.err = n.Input.Run(ctx, func(r *launch.Recording) feed.Sink {
		sink := &noted{n.ss.openRecording(r), &feed.Places{}, ctx, false}
		n.mu.Lock()
		n.sets = append(n.sets, sink)
		n.mu.Unlock()
		return sink
	})
	return n.err
}

// unread returns what could not be read. Call it after Run.
func (n *named) unread() []error {
	all := []error{n.err}
	for _, sink := range n.sets {
		problem := sink.Owner().(*launch.Recording).Problem()
		switch {
		case problem != nil && n.err == nil:
			all = append(all, problem)
		case problem == nil && sink.places.N > 0:
			all = append(all, damage(sink.Name(), sink.places))
		case problem == nil && !sink.some:
			all = append(all, fmt.Errorf("%s: no recording came", sink.Name()))
		}
	}
	return all
}

// openRecording makes the feed of a new recording. The goroutines of inputs call it.
func (ss *Sessions) openRecording(r *launch.Recording) *feed.Feed {
	r.NewTape = ss.newTape
	s := &ss.sources
	s.mu.Lock()
	s.followed = append(s.followed, r)
	s.mu.Unlock()
	return ss.hub.NewFeed(feed.Options{Live: true, Wait: r.Wait, Guest: r.Guest, Name: r.Name, Owner: r})
}

// stopFollowing stops the input of a recording that is taken off the screen.
func (ss *Sessions) stopFollowing(r *launch.Recording) {
	if state, _ := r.State(); state != follow.Ended {
		r.Stop()
	}
	r.Forget()
	src := &ss.sources
	src.mu.Lock()
	src.followed = slices.DeleteFunc(src.followed, func(other *launch.Recording) bool { return other == r })
	src.mu.Unlock()
}

// forgetCopies removes the copies of streams when the program ends.
func (ss *Sessions) forgetCopies() {
	s := &ss.sources
	s.mu.Lock()
	all := s.followed
	s.followed = nil
	s.mu.Unlock()
	for _, r := range all {
		r.Forget()
	}
}

// atEnd describes the progress of a streamed session that is readable only at its end; empty for
// others.
func (ss *Sessions) atEnd(s *store.Session) string {
	if r := ss.ownerOf(s).in; r != nil {
		return r.AtEnd()
	}
	return ""
}

// doing describes the state of a recording.
func doing(r *launch.Recording) string {
	switch state, why := r.State(); {
	case why == "":
		return state.String()
	case state == follow.Following: // "connected" says more
		return why
	case state == follow.Waiting:
		return state.String() + ": " + why
	default:
		return state.String()
	}
}

// awaited describes the waits of inputs, empty if there are none.
func awaited(inputs []launch.Input) string {
	var all []string
	for _, in := range inputs {
		if what := launch.Awaiting(in); what != "" {
			all = append(all, what)
		}
	}
	return strings.Join(all, ", and for ")
}
