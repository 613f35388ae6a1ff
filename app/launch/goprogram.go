//go:build !page

package launch

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"framescope/charts/format"
	"framescope/net/follow"
	"framescope/net/gotrace"
)

// goAdvice says why a program that was connected to may send nothing.
const goAdvice = "The program answered, but no trace arrives. Is it stopped, perhaps by a debugger?"

// Requests for traces.
const (
	goSeconds = 1         // that each trace takes
	goMost    = 256 << 20 // bytes of each: some seconds of a busy program
)

// goImport is advice when a program serves no traces or profiles.
const goImport = `does the program import _ "net/http/pprof"?`

// goServes is advice on the program to start for traces or profiles, and its address.
const goServes = `Start a Go program that has import _ "net/http/pprof" and calls ` +
	`go http.ListenAndServe("%s", nil), or name the address of one`

// goBegin is the beginning of every trace.
const goBegin = "go 1."

// goTracing is the state while a trace comes.
const goTracing = "tracing"

func goServer() Server {
	return Server{
		Kind: "go", Addr: "localhost:6060",
		Help: `execution traces of a Go program that serves net/http/pprof, a second each; the timeline
shows the short gaps between them. Tracing slows the program down by some percent; its own work
is on the track Tracing.
In the program, import _ "net/http/pprof" and go http.ListenAndServe("localhost:6060", nil).`,
		Examples: []string{"localhost:6060", ":6060 --record game.trace", ":6060 --report"},
		Title:    "Connect to a Go program", Hint: "HOST:PORT of net/http/pprof; Enter connects",
		New: func(addr string, log func(line string), leaves bool) Client {
			return &GoProgram{Polled: Polled{Addr: addr, Log: log, Leaves: leaves}}
		},
	}
}

// GoProgram is a Go program that serves net/http/pprof; each run of it is a recording. It may be run
// once.
type GoProgram struct {
	Polled

	seconds float64 // instead of goSeconds, in tests
	most    int64   // instead of goMost, in tests
}

// Run implements Input.
func (p *GoProgram) Run(ctx context.Context, open Opener) error {
	a := newAsker(p.Addr, errNotGo)
	defer a.close()
	return p.run(ctx, open, rounds{
		source: gotrace.Source{Options: gotrace.Options{Rounds: true}}, advice: goAdvice, serves: goServes, tries: pollTries,
		gone:  pollGone,
		round: func(ctx context.Context, r *recorder) (why string, err error) { return p.round(ctx, a, r) },
	})
}

// endless is the error of an answer that does not end where a trace does.
func endless(most int64, seconds float64) error {
	return fmt.Errorf("its answer does not end: more than %s arrived for a trace of %g s",
		format.AppendBytes(nil, most), seconds)
}

// errNotGo is the error of a server that has no traces.
var errNotGo = errors.New("the server at this address has no " + goPath + "trace: " + goImport)

// round asks for one trace and hands it on while it comes. refused is why the program does not trace
// now.
func (p *GoProgram) round(ctx context.Context, a *asker, r *recorder) (refused string, err error) {
	seconds := cmp.Or(p.seconds, goSeconds)
	lasts, began := time.Duration(seconds*float64(time.Second)), time.Now()
	ctx, cancel := context.WithTimeout(ctx, askAnswer+lasts)
	defer cancel()
	a.reached = r.onAccepted("")
	answer, refused, err := a.ask(ctx, "trace?seconds="+strconv.FormatFloat(seconds, 'g', -1, 64))
	if answer == nil {
		return refused, err
	}
	defer answer.Close()
	r.noteState(follow.Following, goTracing)
	body := bufio.NewReaderSize(answer, readBytes)
	if head, _ := body.Peek(len(goBegin)); !strings.HasPrefix(goBegin, string(head)) || len(head) == 0 {
		head, _ = body.Peek(min(body.Buffered(), 40))
		return fmt.Sprintf("its answer is not a trace: it begins with %q (trying every second)", head), nil
	}
	buf, left := make([]byte, readBytes), cmp.Or(p.most, goMost)
	for {
		n, err := body.Read(buf)
		if left -= int64(n); left < 0 {
			return "", endless(cmp.Or(p.most, goMost), seconds)
		}
		if n > 0 {
			if _, err := r.Write(buf[:n]); err != nil {
				return "", err
			}
		}
		if err != nil {
			if s, ok := r.stream.(gotrace.Parted); ok {
				s.EndTrace()
			}
			if errors.Is(err, io.EOF) {
				return early(began, lasts), nil
			}
			return "", &awayError{err, true}
		}
	}
}
