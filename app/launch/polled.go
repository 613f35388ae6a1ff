package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/net/follow"
)

// Polled is a program at an address that serves its measurements, polled again and again. It need not
// run yet, and may restart.
type Polled struct {
	// Addr is where it listens, HOST:PORT.
	Addr string
	// What is the requested data, one of Server.Asked if it has any.
	What string
	// Log is as in Agent.
	Log Log
	// Leaves reports that Run ends when the program has gone and does not come back at once. If no
	// program or no data came, that is an error.
	Leaves bool

	wait func(ctx context.Context, d time.Duration) error // of tests
	said string                                           // that nothing comes, and why, in the log
}

// Retries for a missing program.
const (
	pollRetry  = time.Second
	startTries = 60 // where the program may start after the viewer
	pollTries  = 3  // until a lost program counts as gone, or a missing one as an error
)

// The states of a missing program.
const (
	pollNobody = "nothing listens there yet: trying every second"
	pollAsked  = "connected, waiting for the first answer"
	pollGone   = "the program is gone: trying every second"
)

// Title implements Input.
func (p *Polled) Title() string { return withWhat(p.Addr, p.What) }

// Connect implements Client: it reports a wrong machine name. The program may come later.
func (p *Polled) Connect(ctx context.Context) error {
	host, _, err := net.SplitHostPort(p.Addr)
	if err == nil {
		_, err = net.DefaultResolver.LookupHost(ctx, host)
	}
	if err != nil {
		return fmt.Errorf("no program at %s: unknown host: %w", p.Addr, err)
	}
	return nil
}

// Close implements Client.
func (p *Polled) Close() {}

// rounds defines how to poll a program, and the kind of its data.
type rounds struct {
	source feed.Streamer
	whole  bool   // nothing of it may be left out, see Recording.Wait
	advice string // why a program that was connected to may send nothing
	serves string // the program to start, as a sentence; %s is its address
	tries  int    // until a missing program counts as an error
	// gone is the state of a lost program that refuses connections: its session ends. Empty: the state
	// of the last round stays, and the session goes on when it comes back.
	gone string
	// round polls once, and passes the data on. It returns why nothing comes now, empty if the next
	// round is to begin at once. awayError: nobody answered. Any other error ends it all.
	round func(ctx context.Context, r *recorder) (why string, err error)
}

// run asks a program until ctx is done, a recording is closed, or it has left.
func (p *Polled) run(ctx context.Context, open Opener, by rounds) error {
	if err := p.Connect(ctx); err != nil {
		return ended(ctx, err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &recorder{
		ctx: ctx, stop: stop, open: open, name: p.Title(), program: "program at " + p.Addr, wait: by.whole,
		source: by.source, advice: by.advice,
	}
	r.noteState(follow.Waiting, p.tried(pollNobody, by.tries))
	r.begin()
	there, came, tries := false, false, 0
	away := &awayError{cause: errNoAnswer}
	for ctx.Err() == nil {
		why, err := by.round(ctx, r)
		came = came || r.bytes > 0
		left, gone := errors.AsType[*awayError](err)
		if gone && (ctx.Err() == nil || left.accepted) {
			away = left
		}
		switch {
		case ctx.Err() != nil:
			there = there || err == nil
			continue
		case err == nil:
			if there, tries = true, 0; why == "" {
				p.said = ""
				continue
			}
		case !gone:
			return r.followed(fmt.Errorf("%s: %w", p.Title(), err))
		default:
			if tries++; !there {
				if why = p.tried(left.waiting(), by.tries); p.Leaves && tries >= by.tries {
					return r.followed(p.nobody(left, by.serves))
				}
			} else if why = p.tried(by.gone, pollTries); why != "" && left.refused() && r.bytes > 0 {
				if err := r.finish("the program is gone"); err != nil {
					return err
				}
				r.bytes = 0
			}
		}
		if why != "" {
			r.noteState(follow.Waiting, why)
			if why != p.said {
				p.said = why
				p.Log.line(p.Title() + ": " + why)
			}
		}
		if p.Leaves && there && tries >= pollTries {
			return r.finish("the program is gone")
		}
		if p.pause(ctx, pollRetry) != nil {
			break
		}
	}
	err := r.finish("disconnected")
	switch {
	case err != nil || came || !p.Leaves:
		return err
	case there && p.said != "":
		return fmt.Errorf("the program at %s sent nothing: %s", p.Addr, reason(p.said))
	case there:
		return fmt.Errorf("the program at %s sent nothing. %s", p.Addr, by.advice)
	}
	return p.nobody(away, by.serves)
}

// pollOften is the end of the state of a missing program.
const pollOften = "trying every second"

// tried adds the number of attempts to the state of a missing program, if it is limited.
func (p *Polled) tried(why string, tries int) string {
	if !p.Leaves {
		return why
	}
	return strings.Replace(why, pollOften, fmt.Sprintf("trying every second, %d times", tries), 1)
}

// reason is the state of a program without the retry interval.
func reason(said string) string {
	said, _, _ = strings.Cut(said, ": "+pollOften)
	return strings.NewReplacer(" ("+pollOften+")", "", " "+pollOften+")", ")").Replace(said)
}

// errNoAnswer is the cause of a missing answer if nothing more is known.
var errNoAnswer = errors.New("no answer")

// Pause waits between two attempts to reach a program; a variable for tests, which wait less.
var Pause = flare.Pause

// pause waits.
func (p *Polled) pause(ctx context.Context, d time.Duration) error {
	if p.wait != nil {
		return p.wait(ctx, d)
	}
	return Pause(ctx, d)
}
