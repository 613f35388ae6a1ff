package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"framescope/model"
	"framescope/net/follow"
	"framescope/net/tracy"
)

// tracyAdvice says why a program that was connected to may send nothing.
const tracyAdvice = "The connection was accepted, but no zones arrive. Is the program stopped, perhaps by a debugger?"

func tracyServer() Server {
	return Server{
		Kind: "tracy", Addr: "127.0.0.1:8086",
		Help: `a game or program with the Tracy client compiled in (TRACY_ENABLE), of Tracy 0.10 to 0.14. It needs
no change: Framescope takes the place of Tracy's own viewer. The program may come later; one that
is profiled on demand sends from the connection on. When it restarts, another session begins.`,
		Examples: []string{"", "10.0.0.5 --record game.tracystream", ":8087 --report", "--list"},
		Programs: tracyPrograms,
		Title:    "Connect to a Tracy program", Hint: "HOST:PORT where the Tracy client listens; Enter connects",
		New: func(addr string, log func(line string), leaves bool) Client {
			return &Tracy{Polled{Addr: addr, Log: log, Leaves: leaves}}
		},
	}
}

// tracyAnnounce is how long to listen: a program announces itself every three seconds.
const tracyAnnounce = 4 * time.Second

// tracyPrograms lists the programs that announce themselves.
func tracyPrograms(ctx context.Context) (lines []string, err error) {
	list, err := tracy.Discover(ctx, tracyAnnounce)
	for i := range list {
		a := &list[i]
		lines = append(lines, fmt.Sprintf("%-22s %s, process %d, runs for %v, %s", a.Addr, a.Program, a.PID, a.Runs,
			a.Tracy()))
	}
	return lines, err
}

// tracyServes is advice on the program to start, and its address.
const tracyServes = `Start a program with the Tracy client that listens at %s, or name the address of one`

// Tracy is a program with the Tracy client; each run of it is a recording. It may be run once.
type Tracy struct{ Polled }

// The states of the connection.
const (
	tracyNothing = "connected, no data yet"
	tracyLost    = "the connection was lost: trying every second"
)

// Run implements Input.
func (p *Tracy) Run(ctx context.Context, open Opener) error {
	return p.run(ctx, open, rounds{
		source: tracy.Source{}, advice: tracyAdvice, serves: tracyServes, tries: startTries, gone: pollGone,
		round: func(ctx context.Context, r *recorder) (why string, err error) {
			conn, hello, err := tracy.Greet(ctx, p.Addr, agentDial)
			if away, ok := errors.AsType[*tracy.AwayError](err); ok {
				return "", &awayError{away.Cause, away.Accepted}
			}
			if err != nil {
				return "", err
			}
			defer conn.Close()
			p.said = ""
			p.Log.line("connected to the program at " + p.Addr)
			return p.serve(ctx, conn, r, hello)
		},
	})
}

// serve takes the data of a connection until it ends, and returns why it did.
func (p *Tracy) serve(ctx context.Context, conn net.Conn, r *recorder, hello []byte) (why string, err error) {
	if r.bytes > 0 {
		if err := r.finish("the program was started again"); err != nil {
			return "", err
		}
	}
	if r.stream == nil {
		r.begin()
	}
	talk := r.stream.(tracy.Conversation)
	talk.Ask(func(questions []byte) error {
		conn.SetWriteDeadline(time.Now().Add(askAnswer))
		_, err := conn.Write(questions)
		return err
	})
	r.noteState(follow.Following, tracyNothing)
	if _, err := r.Write(hello); err != nil {
		return "", err
	}
	over, err := r.readFrom(conn, func() bool { return !talk.Over() }, func(p []byte) error {
		r.noteState(follow.Following, "connected")
		_, err := r.Write(p)
		return err
	})
	switch {
	case err != nil:
		return "", err
	case over != nil:
		r.sink.Define(model.Loss{Reason: model.LossTruncated, Track: model.NoTrack, N: 1,
			Detail: "the connection was lost before the program ended"})
		r.Idle()
		return p.tried(tracyLost, pollTries), nil
	case !talk.Over():
		return "", nil
	}
	conn.SetWriteDeadline(time.Now().Add(askAnswer))
	conn.Write(tracy.Farewell())
	return p.tried(pollGone, pollTries), r.finish("the program has ended")
}
