//go:build !page

package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"framescope/model"
	"framescope/net/pprof"
)

// pprofAdvice says why a program that was connected to may send nothing.
const pprofAdvice = "The program answered, but no profile arrives. Is it stopped, perhaps by a debugger? Profiles " +
	"of mutex and block " +
	"are empty until the program calls runtime.SetMutexProfileFraction or runtime.SetBlockProfileRate."

// Requests for profiles.
const (
	pprofFirst = 1               // seconds of the first CPU profile: there is something to be seen soon
	pprofCPU   = 5               // seconds of later ones: the gap between two takes up to 0.2 s
	pprofEvery = 2 * time.Second // from one profile of how things stand to the next
)

func pprofServer() Server {
	s := Server{
		Kind: "pprof", Addr: "localhost:6060",
		Asked: []string{"cpu", "heap", "allocs", "goroutine", "mutex", "block", "threadcreate"},
		Help: `profiles of a Go program that serves net/http/pprof. CPU profiles, of 5 seconds each, add up.
The others are read every 2 seconds: memory in use, goroutines and threads are those of the
newest profile; allocations and waits for locks are those since the first one.
In the program, import _ "net/http/pprof" and go http.ListenAndServe("localhost:6060", nil).`,
		Examples: []string{"", "localhost:6060/heap", ":6060/goroutine --record game.pprof", ":6060 --report"},
		Title:    "Connect to profiles of a Go program",
	}
	s.Hint = "HOST:PORT/" + strings.Join(s.Asked, "|") + "; Enter connects"
	s.New = func(addr string, log func(line string), leaves bool) Client {
		addr, what, _ := s.cutWhat(addr)
		return &Profiles{Polled: Polled{Addr: addr, What: what, Log: log, Leaves: leaves}}
	}
	return s
}

// Profiles are the profiles of a Go program that serves net/http/pprof; each run of it is a recording.
// It may be run once.
type Profiles struct {
	Polled

	seconds int // of each CPU profile, in tests
}

// Run implements Input.
func (p *Profiles) Run(ctx context.Context, open Opener) error {
	none := fmt.Errorf("the server at this address has no %s%s: %s", goPath, p.path(), goImport)
	a := newAsker(p.Addr, none)
	defer a.close()
	return p.run(ctx, open, rounds{
		source: pprof.Rounds{}, whole: true, advice: pprofAdvice, serves: goServes, tries: pollTries, gone: pollGone,
		round: func(ctx context.Context, r *recorder) (why string, err error) { return p.round(ctx, a, r) },
	})
}

func (p *Profiles) path() string {
	if p.What == "cpu" {
		return "profile"
	}
	return p.What
}

// round requests one profile. refused is why there is none now.
func (p *Profiles) round(ctx context.Context, a *asker, r *recorder) (refused string, err error) {
	ask, doing, lasts := p.path(), fmt.Sprintf("asks for %s every %d s", p.What, pprofEvery/time.Second), time.Duration(0)
	switch {
	case p.What == "cpu":
		seconds := cmp.Or(p.seconds, pprofCPU)
		if r.bytes == 0 {
			seconds = pprofFirst
		}
		lasts, doing = time.Duration(seconds)*time.Second, "sampling the CPU"
		ask += fmt.Sprintf("?seconds=%d", seconds)
	case r.bytes > 0:
		if err := p.pause(ctx, pprofEvery); err != nil {
			return "", err
		}
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, askAnswer+lasts)
	defer cancel()
	a.reached = r.onAccepted(doing)
	data, refused, err := a.whole(ctx, ask)
	left, gone := errors.AsType[*awayError](err)
	switch {
	case gone && r.bytes > 0 && ctx.Err() == nil && !left.refused():
		p.lose(r, model.LossTruncated, "the connection was lost while a profile was made")
		return "", err
	case data == nil:
		return refused, err
	}
	packed, err := pprof.Packed(data)
	if err != nil {
		if r.bytes == 0 {
			return "", fmt.Errorf("%w (the answer %w)", a.none, err)
		}
		p.lose(r, model.LossMalformed, fmt.Sprintf("an answer of %d bytes %v", len(data), err))
		return fmt.Sprintf("the newest answer %v (trying every second)", err), nil
	}
	_, err = r.Write(packed)
	return early(began, lasts), err
}

// lose reports a missing profile.
func (p *Profiles) lose(r *recorder, reason model.LossReason, why string) {
	if r.sink != nil {
		r.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: 1, Detail: why})
	}
}

// whole is ask, and reads all of the answer.
func (a *asker) whole(ctx context.Context, what string) (data []byte, refused string, err error) {
	body, refused, err := a.ask(ctx, what)
	if body == nil {
		return nil, refused, err
	}
	defer body.Close()
	most := pprof.MostPacked()
	data, err = io.ReadAll(io.LimitReader(body, most+1))
	switch {
	case err != nil:
		return nil, "", &awayError{err, true}
	case int64(len(data)) > most:
		return nil, fmt.Sprintf("a profile of more than %d MiB is too large (trying every second)", most>>20), nil
	}
	return data, "", nil
}
