package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"framescope/net/flare/agent"
	"framescope/net/follow"
	"framescope/net/gotrace"
)

// goAdvice says why a program that was connected to may send nothing.
const goAdvice = "The program answered, but no trace comes. Is it stopped, as by a debugger?"

// How a program is asked for traces.
const (
	goTracePath = "/debug/pprof/trace"
	goSeconds   = 1                // that each trace takes
	goRetry     = time.Second      // until it is asked again after it refused
	goTries     = 3                // until one that was there is gone
	goAnswer    = 30 * time.Second // that an answer may take longer than its trace
)

// What is said of the connection.
const (
	goNobody  = "nobody listens there yet: tried every second"
	goTracing = "tracing"
	goGone    = "the program is gone: tried every second"
)

func goServer() Server {
	return Server{
		Kind: "go", Addr: "localhost:6060",
		Help: `a Go program that serves net/http/pprof. It is asked for an execution trace of a second, again and
again; between two there is a short gap, which is shown. Tracing costs the program some percent.
In the program, import _ "net/http/pprof" and go http.ListenAndServe("localhost:6060", nil).`,
		Examples: []string{"localhost:6060", ":6060 --record game.trace", ":6060 --report"},
		Title:    "Connect to a Go program", Hint: "HOST:PORT of net/http/pprof; Enter connects",
		New: func(addr string, log func(line string), leaves bool) Client {
			return &GoProgram{Addr: addr, Log: log, Leaves: leaves}
		},
	}
}

// GoProgram is a Go program that serves net/http/pprof. It need not run yet, and may be started again
// and again; each run is a recording. It may be run once.
type GoProgram struct {
	// Addr is HOST:PORT, see Server.Complete.
	Addr string
	// Log is as in Agent.
	Log func(line string)
	// Leaves tells that Run ends when the program was there, is gone, and does not come back at once.
	Leaves bool

	seconds float64                                          // instead of goSeconds, in tests
	wait    func(ctx context.Context, d time.Duration) error // of tests
}

var _ Client = (*GoProgram)(nil)

// Title implements Input.
func (p *GoProgram) Title() string { return p.Addr }

// Connect implements Client: what is wrong with the machine's name is noticed. The program may come
// later.
func (p *GoProgram) Connect(ctx context.Context) error {
	host, _, err := net.SplitHostPort(p.Addr)
	if err == nil {
		_, err = net.DefaultResolver.LookupHost(ctx, host)
	}
	if err != nil {
		return fmt.Errorf("no program at %s: there is no machine of that name: %w", p.Addr, err)
	}
	return nil
}

// Close implements Client.
func (p *GoProgram) Close() {}

// Run implements Input.
func (p *GoProgram) Run(ctx context.Context, open Opener) error {
	if err := p.Connect(ctx); err != nil {
		return ended(ctx, err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &recorder{
		ctx: ctx, stop: stop, open: open, name: p.Addr, program: "program at " + p.Addr, source: gotrace.Source{}, advice: goAdvice,
	}
	r.told(follow.Waiting, goNobody)
	r.begin()
	client := &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: goAnswer}} // no proxy: it is where the user said
	defer client.CloseIdleConnections()
	there, tries, said := false, 0, ""
	for ctx.Err() == nil {
		refused, err := p.round(ctx, client, r)
		switch {
		case errors.Is(err, errNotGo):
			return r.followed(fmt.Errorf("%s: %w", p.Addr, err))
		case err != nil && ctx.Err() == nil && !errors.Is(err, errAway):
			return r.followed(err)
		case err == nil && refused == "":
			there, tries, said = true, 0, ""
			continue
		}
		why := refused
		switch {
		case refused != "":
			there, tries = true, 0
		case there && errors.Is(err, syscall.ECONNREFUSED) && r.bytes > 0:
			if err := r.finish("the program is gone"); err != nil {
				return err
			}
			r.bytes = 0
			fallthrough
		default:
			tries++
			if why = goNobody; there {
				why = goGone
			}
		}
		if ctx.Err() != nil {
			break
		}
		r.told(follow.Waiting, why)
		if why != said {
			said = why
			p.log(p.Addr + ": " + why)
		}
		if p.Leaves && there && tries >= goTries {
			return r.finish("the program is gone")
		}
		wait := p.wait
		if wait == nil {
			wait = agent.Pause
		}
		if wait(ctx, goRetry) != nil {
			break
		}
	}
	return r.finish("disconnected")
}

// errNotGo is the error of a server that has no traces, errAway that of none.
var (
	errNotGo = errors.New("what listens there serves no " + goTracePath + `: does the program import _ "net/http/pprof"?`)
	errAway  = errors.New("no answer")
)

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

func (p *GoProgram) log(line string) {
	if p.Log != nil {
		p.Log(line)
	}
}
