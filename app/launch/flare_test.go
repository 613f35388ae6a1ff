package launch

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/flare"
	"framescope/net/flare/flaretest"
	"framescope/net/follow"
	"framescope/net/journal"
)

// fakeAgent listens as a Flare agent does and sends each client that subscribes what a real agent
// sent once. A new client takes it from the one before.
type fakeAgent struct {
	l    net.Listener
	data []byte

	mu      sync.Mutex
	current net.Conn
	clients int
}

func newFakeAgent(t *testing.T, addr string) *fakeAgent {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(flaretest.Captures(t), "agent-wire", "recorded-60s.agent-to-client.resp"))
	testkit.NoErr(t, err)
	f := &fakeAgent{data: data}
	f.l = accepting(t, addr, func(c net.Conn) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.current != nil {
			f.current.Close()
		}
		f.current = c
		f.clients++
		go func() {
			got := make([]byte, len(flare.Request))
			if _, err := io.ReadFull(c, got); err == nil && string(got) == flare.Request {
				c.Write(f.data)
			}
		}()
	})
	t.Cleanup(f.stop)
	return f
}

// stop closes the port and the connection, as the end of the program does.
func (f *fakeAgent) stop() {
	f.l.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.current != nil {
		f.current.Close()
	}
}

// hangUp closes the connection only.
func (f *fakeAgent) hangUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.current.Close()
}

// samplesOf counts what came of threads' stacks.
func samplesOf(s *store.Session) (n int64) {
	for _, id := range s.Series().ByRole(model.RoleStack) {
		n += s.Series().ByID(id).Len()
	}
	return n
}

// recordedSamples are in the transcript of a real agent.
const recordedSamples = 2630

func TestAgent(t *testing.T) {
	t.Parallel()
	f := newFakeAgent(t, "127.0.0.1:0")
	var lines []string
	a := &Agent{Addr: f.l.Addr().String(), Log: func(l string) { lines = append(lines, l) }}
	v := view(t, a)
	v.until(t, "all samples", func() bool { _, s := v.entry(0); return samplesOf(s) == recordedSamples })
	r, s := v.entry(0)
	if state, _ := r.State(); state != follow.Following || r.Name != a.Addr || s.NumTracks() < 5 {
		t.Errorf("%v, %q, %d threads", state, r.Name, s.NumTracks())
	}
	// A lost connection is made again, and both are one session.
	f.hangUp()
	v.until(t, "waiting for the agent", func() bool { state, why := r.State(); return state == follow.Waiting && strings.Contains(why, "lost") })
	v.until(t, "the connection again", func() bool {
		state, _ := r.State()
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.clients == 2 && state == follow.Following
	})
	r.Stop()
	testkit.NoErr(t, v.result(t))
	testkit.Equal(t, v.over(t, 0), "disconnected", "ended because")
	if data, ended := kept(r); !ended || strings.Count(data, "+thread\r\n") < recordedSamples {
		t.Errorf("kept %d bytes, ended %v", len(data), ended)
	}
	if k := r.Tape().(*tape); k.info != (journal.Meta{Source: "flare", Program: "JVM at " + a.Addr, Peer: a.Addr}) {
		t.Errorf("kept as %+v", k.info)
	}
	said := strings.Join(lines, "\n")
	testkit.That(t, strings.Count(said, "connected to the agent at") == 2, "said %s", said)
}

func TestAgentThatIsNotThere(t *testing.T) {
	t.Parallel()
	addr := testkit.Must(flare.FreeAddress())(t)
	c, err := Collect(t.Context(), &Agent{Addr: addr}, nil)
	testkit.That(t, err != nil && strings.Contains(err.Error(), "no agent at "+addr) &&
		strings.Contains(err.Error(), "framescope attach") && len(c.Sessions) == 0, "%d sessions, %v", len(c.Sessions), err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Collect(ctx, &Agent{Addr: addr}, nil)
	testkit.That(t, err == nil, "called off: %v", err)
}

func TestServerAddress(t *testing.T) {
	flare, ok := ServerOf("flare")
	_, other := ServerOf("nonsense")
	testkit.MustThat(t, ok && !other, "a kind is not found, or one that is none")
	for text, want := range map[string]string{
		"": "localhost:3333", " box ": "box:3333", "box:1": "box:1", ":4444": "localhost:4444", "4444": "localhost:4444", "[::1]:3333": "[::1]:3333", "10.0.0.7:3333": "10.0.0.7:3333",
		"box:0": "", "box:65536": "", "box:http": "", "a b:3333": "", "a:b:c": "", "box:": "", "::1": "", strings.Repeat("x", 300): "",
	} {
		got, err := flare.Complete(text)
		testkit.That(t, got == want && (err == nil) == (want != ""), "%q: %q, %v; want %q", text, got, err, want)
	}
}

// loader stands in for the attach protocol: it starts a fake agent where the options say.
type loader struct {
	t       *testing.T
	fails   error // of the first load
	running bool  // an agent that was loaded before, and takes no notice of being started again
	agent   *fakeAgent
	asked   []string
}

func (l *loader) load(_ context.Context, pid int, library, options string) error {
	l.asked = append(l.asked, options)
	testkit.That(l.t, pid == 77 && filepath.IsAbs(library), "loads %q into %d", library, pid)
	if err := l.fails; err != nil {
		l.fails = nil
		return err
	}
	switch _, addr, _ := strings.Cut(options, "address="); {
	case options == "trace=off":
		l.running = false
		if l.agent != nil {
			l.agent.stop()
			l.agent = nil
		}
	case l.running:
	default:
		l.running = true
		l.agent = newFakeAgent(l.t, addr)
	}
	return nil
}

func noPause(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func newAttach(t *testing.T) (*Attach, *loader, *[]string) {
	t.Helper()
	library := filepath.Join(t.TempDir(), "libflareagent.so")
	write(t, library, "")
	l, said := &loader{t: t}, &[]string{}
	return &Attach{PID: 77, Name: "com.acme.Main", Library: library, IntervalMs: 20, load: l.load, wait: noPause, Log: func(s string) { *said = append(*said, s) }}, l, said
}

func TestAttach(t *testing.T) {
	t.Parallel()
	a, l, said := newAttach(t)
	v := view(t, a)
	v.until(t, "all samples", func() bool { _, s := v.entry(0); return samplesOf(s) == recordedSamples })
	r, session := v.entry(0)
	if info := session.Info(); r.Name != "com.acme.Main (JVM 77)" || info.Program != r.Name || info.PID != 77 {
		t.Errorf("called %q, %+v", r.Name, info)
	}
	r.Stop()
	testkit.NoErr(t, v.result(t))
	v.over(t, 0)
	testkit.That(t, len(l.asked) == 2 && strings.HasPrefix(l.asked[0], "trace=on,interval=20,address=127.0.0.1:") &&
		l.asked[1] == "trace=off", "asked for %q", l.asked)
	if s := strings.Join(*said, "\n"); !strings.Contains(s, "the agent was loaded into com.acme.Main (JVM 77) and listens on 127.0.0.1:") || !strings.Contains(s, "was stopped") {
		t.Errorf("said %s", s)
	}
}

// After its time the agent is stopped.
func TestAttachForAWhile(t *testing.T) {
	t.Parallel()
	a, l, _ := newAttach(t)
	a.Duration = time.Second
	c, err := Collect(t.Context(), a, nil)
	testkit.That(t, err == nil && len(c.Sessions) == 1 && samplesOf(c.Sessions[0]) == recordedSamples,
		"%d sessions, %v", len(c.Sessions), err)
	testkit.That(t, slices.Contains(l.asked, "trace=off") && l.agent == nil, "asked for %q", l.asked)
}

// An agent that was loaded before is restarting it.
func TestAttachToAnAgentThatRuns(t *testing.T) {
	t.Parallel()
	a, l, said := newAttach(t)
	l.running = true
	testkit.NoErr(t, a.Connect(t.Context()))
	testkit.That(t, len(l.asked) == 3 && l.asked[1] == "trace=off" && l.asked[0] == l.asked[2], "asked for %q", l.asked)
	s := strings.Join(*said, "\n")
	testkit.That(t, strings.Contains(s, "restarting it"), "said %s", s)
	a.Close()
	testkit.That(t, l.agent == nil, "an Attach that is closed leaves its agent running")
}

func TestAttachThatFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string
	}{
		{flare.ErrNoProcess, "`framescope attach` lists"},
		{flare.ErrOtherUser, "as the user that the JVM runs as"},
		{flare.ErrNotJVM, "`framescope attach` lists"},
		{flare.ErrNoListener, "jcmd"},
		{&flare.RefusedError{Status: -1, Answer: "wrong ELF class"}, "wrong ELF class. Is "},
		{flare.ErrUnsupported, "not supported on this system"},
	} {
		a, l, _ := newAttach(t)
		l.fails = c.err
		collected, err := Collect(t.Context(), a, nil)
		testkit.That(t, errors.Is(err, c.err) && strings.Contains(err.Error(), c.want) && len(collected.Sessions) == 0,
			"%v: %v", c.err, err)
		testkit.Equal(t, len(l.asked), 1, "%v: asked for %q", c.err, l.asked)
	}
	a, _, _ := newAttach(t)
	a.Library += ".not"
	testkit.Fails(t, a.Connect(t.Context()), "no agent library at")
	testkit.Refused(CheckAgentLibrary(os.TempDir()))(t, "is not a file")
	// A library that is no agent is told to stop, in vain or not.
	a, l, _ := newAttach(t)
	a.load = func(_ context.Context, _ int, _, options string) error {
		l.asked = append(l.asked, options)
		return nil
	}
	if err := a.Connect(t.Context()); err == nil || !strings.Contains(err.Error(), "does not listen on") || l.asked[len(l.asked)-1] != "trace=off" {
		t.Errorf("%v, asked for %q", err, l.asked)
	}
}
