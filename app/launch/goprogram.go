package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"framescope/net/follow"
	"framescope/net/gotrace"
)

// goAdvice says why a program that was connected to may send nothing.
const goAdvice = "The program answered, but no trace comes. Is it stopped, as by a debugger?"

// How a program is asked for traces.
const (
	goTracePath = "/debug/pprof/trace"
	goSeconds   = 1                // that each trace takes
	goAnswer    = 30 * time.Second // that an answer may take longer than its trace
)

// goTracing is said while a trace comes.
const goTracing = "tracing"

func goServer() Server {
	return Server{
		Kind: "go", Addr: "localhost:6060",
		Help: `a Go program that serves net/http/pprof. It is asked for an execution trace of a second, again and
again; between two there is a short gap, which is shown. Tracing costs the program some percent.
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
}

var _ Client = (*GoProgram)(nil)

// Run implements Input.
func (p *GoProgram) Run(ctx context.Context, open Opener) error {
	client := newAsker()
	defer client.CloseIdleConnections()
	return p.run(ctx, open, rounds{
		source: gotrace.Source{}, advice: goAdvice, gone: pollGone,
		round: func(ctx context.Context, r *recorder) (why string, err error) { return p.round(ctx, client, r) },
	})
}

// newAsker returns what asks a program by HTTP, without a proxy: it is where the user said.
func newAsker() *http.Client {
	return &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: goAnswer, DisableCompression: true}}
}

// errNotGo is the error of a server that has no traces.
var errNotGo = errors.New("what listens there serves no " + goTracePath + `: does the program import _ "net/http/pprof"?`)

// round asks for one trace and hands it on while it comes. refused is why the program does not trace
// now.
func (p *GoProgram) round(ctx context.Context, client *http.Client, r *recorder) (refused string, err error) {
	seconds := p.seconds
	if seconds == 0 {
		seconds = goSeconds
	}
	ctx, cancel := context.WithTimeout(ctx, goAnswer+time.Duration(seconds*float64(time.Second)))
	defer cancel()
	url := "http://" + p.Addr + goTracePath + "?seconds=" + strconv.FormatFloat(seconds, 'g', -1, 64)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNotGo, err)
	}
	res, err := client.Do(req)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errAway, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10))
		line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		if res.StatusCode == http.StatusInternalServerError && res.Header.Get("X-Go-Pprof") != "" {
			return strings.ToValidUTF8(line, "\uFFFD") + " (another tracer? tried every second)", nil
		}
		return "", fmt.Errorf("%w (it answered %s)", errNotGo, res.Status)
	}
	r.told(follow.Following, goTracing)
	buf := make([]byte, readBytes)
	for {
		n, err := res.Body.Read(buf)
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
				return "", nil
			}
			return "", fmt.Errorf("%w: %w", errAway, err)
		}
	}
}
