package sessions

import (
	"fmt"
	"os"
	"slices"
	"strings"

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
		err := in.Run(s.ctx, ss.openRecording)
		if err == nil || s.ctx.Err() != nil {
			return
		}
		if !strings.Contains(err.Error(), in.Title()) {
			err = fmt.Errorf("%s: %w", in.Title(), err)
		}
		switch in.(type) {
		case launch.File, launch.Session, launch.Folder: // Unread has it
			s.mu.Lock()
			s.failed = append(s.failed, err)
			s.mu.Unlock()
		default:
			fmt.Fprintln(os.Stderr, "framescope:", escape.Line(err.Error()))
		}
		s.later(func() { ss.ask.Warn(err) })
	}()
}

// openRecording makes the feed of a new recording. The goroutines of inputs call it.
func (ss *Sessions) openRecording(r *launch.Recording) feed.Sink {
	r.NewTape = ss.newTape
	s := &ss.sources
	s.mu.Lock()
	s.followed = append(s.followed, r)
	s.mu.Unlock()
	f := ss.hub.NewFeed(feed.Options{Live: true, Wait: r.Wait, Guest: r.Guest, Name: r.Name, Owner: r})
	if r.Path == "" {
		return f
	}
	own := &opened{path: r.Path}
	s.mu.Lock()
	s.grown = append(s.grown, own)
	s.mu.Unlock()
	return &noted{f, s.ctx, &own.places}
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
