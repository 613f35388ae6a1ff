package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/flare"
	"framescope/net/follow"
	"framescope/net/journal"
)

// Connections that send nothing do not keep programs out, and a program that sends keeps its place.
func TestSilentConnectionsGiveWay(t *testing.T) {
	t.Parallel()
	l := testkit.Must(Listen(t.Context(), "127.0.0.1:0", tiny{}))(t)
	start := time.Now()
	var later atomic.Int64
	l.now = func() time.Time { return start.Add(time.Duration(later.Load())) }
	v := view(t, l)
	connect := func() net.Conn {
		c := testkit.Must(net.Dial("tcp", l.Addr()))(t)
		t.Cleanup(func() { c.Close() })
		return c
	}
	good := connect()
	good.Write([]byte("tiny\na\n"))
	v.lines(t, 0, "tiny\na\n")
	for range maxConnections - 1 {
		connect()
	}
	full := connect() // it is accepted after all others
	full.SetReadDeadline(time.Now().Add(patience))
	_, err := full.Read(make([]byte, 1))
	testkit.That(t, err != nil, "one too many got a place")
	later.Add(int64(feed.IdleGrace))
	newcomer := connect()
	newcomer.Write([]byte("tiny\nb\n"))
	v.lines(t, 1, "tiny\nb\n")
	good.Write([]byte("more\n"))
	v.lines(t, 0, "tiny\na\nmore\n")
	v.stop()
	testkit.NoErr(t, v.result(t))
}

// A program that sends faster than the disk writes is made to wait, and what it sent is kept.
func TestListenerWaitsForTheDisk(t *testing.T) {
	l := testkit.Must(Listen(t.Context(), "127.0.0.1:0", tiny{}))(t)
	v := view(t, l)
	room, asked := make(chan struct{}), make(chan struct{}, 1000)
	v.mu.Lock()
	v.patient = func(stop <-chan struct{}) {
		asked <- struct{}{}
		select {
		case <-room:
		case <-stop:
		}
	}
	v.mu.Unlock()
	c := testkit.Must(net.Dial("tcp", l.Addr()))(t)
	defer c.Close()
	fmt.Fprint(c, "tiny\none\n")
	<-asked
	r, _ := v.entry(0)
	v.until(t, "a tape", func() bool { r, _ = v.entry(0); return r.Tape() != nil })
	data, _ := kept(r)
	testkit.That(t, data == "", "kept %q while there was no room", data)
	close(room)
	v.until(t, "all is kept", func() bool { data, _ := kept(r); return data == "tiny\none\n" })
}

// Who is turned away, and whose stream is nonsense, is told, in a bounded number of lines.
func TestListenerTellsOfStrangers(t *testing.T) {
	l := testkit.Must(Listen(t.Context(), "127.0.0.1:0", tiny{}))(t)
	var mu sync.Mutex
	var lines []string
	l.Log = func(line string) { mu.Lock(); defer mu.Unlock(); lines = append(lines, line) }
	logged := func(text string) (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, line := range lines {
			if strings.Contains(line, text) {
				n++
			}
		}
		return n
	}
	v := view(t, l)
	dial := func(text string) net.Conn {
		c := testkit.Must(net.Dial("tcp", l.Addr()))(t)
		fmt.Fprint(c, text)
		return c
	}
	dial("nonsense\n").Close()
	v.until(t, "a refused stream in the log", func() bool { return logged("is refused") == 1 })
	for range maxConnections {
		defer dial("tiny\n").Close()
	}
	v.until(t, "all sessions", func() bool { return len(v.hub.Entries()) >= maxConnections })
	for range 50 {
		dial("tiny\n").Close()
	}
	v.until(t, "who is turned away in the log", func() bool { return logged("are refused") > 0 })
	n := logged("")
	testkit.That(t, n <= 5, "%d lines", n)
}

// A program that does not say what it is called is called by what is known of it, no two alike.
func TestClientsHaveNames(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:50312": "tiny client 50312", "[::1]:50313": "tiny client 50313", "192.168.0.7:50312": "tiny client 192.168.0.7:50312",
	} {
		testkit.Equal(t, clientName(tiny{}, addr), want, "%s is called", addr)
	}
}

// mute listens, and does something with each connection after it has taken the question.
func mute(t *testing.T, then func(c net.Conn)) (addr string) {
	t.Helper()
	return accepting(t, "127.0.0.1:0", func(c net.Conn) {
		go func() {
			defer c.Close()
			c.Read(make([]byte, 1<<10))
			then(c)
		}()
	}).Addr().String()
}

// Who accepts a connection and sends no answer is told apart from nobody: while it is waited for, and at the end.
func TestWhoAnswersNothing(t *testing.T) {
	silent := mute(t, func(c net.Conn) { c.Read(make([]byte, 1)) })
	closes := mute(t, func(net.Conn) {})
	talks := mute(t, func(c net.Conn) { c.Write([]byte("hello there\r\n\r\n")) })
	for _, kind := range []string{"go", "pprof"} {
		for _, c := range []struct{ addr, waits, want string }{
			{silent, pollAsked, "accepts the connection, but has not completed an answer yet"},
			{closes, "closes the connection", "closes the connection before its answer is complete"},
			{talks, "its answer is invalid", "malformed HTTP"},
		} {
			var server Server
			for _, s := range Servers() {
				if s.Kind == kind {
					server = s
				}
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			in := server.New(c.addr, nil, true)
			opened, ran := make(chan *Recording, 1), make(chan error, 1)
			go func() {
				ran <- in.Run(ctx, func(r *Recording) feed.Sink {
					opened <- r
					return nothing{}
				})
			}()
			r := <-opened
			testkit.WaitUntil(t, c.waits, func() bool {
				state, why := r.State()
				return state == follow.Waiting && strings.Contains(why, c.waits)
			})
			stop()
			select {
			case err := <-ran:
				testkit.Fails(t, err, c.want, "no data from the program at "+c.addr)
			case <-time.After(time.Minute):
				t.Fatal("it does not end")
			}
		}
	}
}

// nothing is a sink for what is not looked at.
type nothing struct{}

func (nothing) Define(model.Change)       {}
func (nothing) Begin() *model.Batch       { return &model.Batch{} }
func (nothing) Publish(*model.Batch) bool { return true }
func (nothing) Progress(int64, int64)     {}

// occupy takes a port.
func occupy(t *testing.T) net.Listener {
	t.Helper()
	l := testkit.Must(net.Listen("tcp4", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	return l
}

// A door whose address is taken says by whom, and opens by itself when it is free.
func TestDoorOpensWhenTheAddressIsFree(t *testing.T) {
	other := occupy(t)
	addr := other.Addr().String()
	var attempts atomic.Int64
	var open net.Listener
	d := &Door{Addr: addr, Flag: "--listen", every: 5 * time.Millisecond, Open: func(ctx context.Context) (string, error) {
		attempts.Add(1)
		l, err := net.Listen("tcp4", addr)
		if err != nil {
			return "", err
		}
		open = l
		return l.Addr().String(), nil
	}}
	testkit.Equal(t, d.State(), DoorState{}, "not tried yet")
	err := d.Try(t.Context())
	testkit.MustThat(t, Taken(err), "error %v", err)
	want := addr + " is taken by another program"
	if s := d.State(); s.Addr != "" || s.Problem != want || s.Short != fmt.Sprintf("port %d is taken", port(addr)) || !strings.Contains(s.Remedy, "--listen HOST:PORT") {
		t.Errorf("%+v, want %q", s, want)
	}
	kept := make(chan bool, 1)
	go func() { kept <- d.Keep(t.Context(), nil) }()
	testkit.WaitUntil(t, "attempts", func() bool { return attempts.Load() > 5 })
	s := d.State()
	testkit.That(t, s.Problem == want, "after some attempts: %+v", s)
	other.Close()
	testkit.That(t, <-kept, "given up")
	defer open.Close()
	testkit.Equal(t, d.State(), DoorState{Addr: addr}, "open")
	before := attempts.Load()
	err = d.Try(t.Context())
	testkit.That(t, err == nil && attempts.Load() == before, "an open door is opened again: %v", err)
}

// What does not pass by itself is tried again only when somebody asks for it.
func TestDoorThatCannotOpen(t *testing.T) {
	var attempts atomic.Int64
	d := &Door{Addr: "x:1", Flag: "--listen", every: time.Millisecond, Open: func(context.Context) (string, error) {
		if attempts.Add(1) == 3 {
			return "x:1", nil
		}
		return "", errors.New("no such machine")
	}}
	d.Try(t.Context())
	s := d.State()
	testkit.That(t, s.Problem == "no such machine" && s.Remedy != "", "%+v", s)
	ctx, cancel := context.WithCancel(t.Context())
	kept, tried := make(chan bool, 1), make(chan error, 1)
	go func() { kept <- d.Keep(ctx, func(err error) { tried <- err }) }()
	d.Again()
	err := <-tried
	testkit.That(t, err != nil && attempts.Load() == 2, "%v after %d attempts", err, attempts.Load())
	d.Again()
	err = <-tried
	testkit.That(t, err == nil && <-kept, "not open: %v", err)
	cancel()
	testkit.Equal(t, attempts.Load(), 3, "attempts")

	closed := &Door{Addr: "x:1", Open: func(context.Context) (string, error) { return "", errors.New("no") }}
	testkit.That(t, !closed.Keep(ctx, nil), "open though nobody waits any more")
}

// A Port takes connections as soon as its address is free.
func TestPortOpensLater(t *testing.T) {
	other := occupy(t)
	p := NewPort(other.Addr().String(), "--addr", tiny{})
	p.every = 5 * time.Millisecond
	defer p.Close()
	err := p.Try(t.Context())
	testkit.MustThat(t, Taken(err), "error %v", err)
	testkit.Equal(t, Awaiting(p), "", "awaits")
	ctx, cancel := context.WithCancel(t.Context())
	began, ran := make(chan *Recording, 1), make(chan error, 1)
	go func() {
		ran <- p.Run(ctx, func(r *Recording) feed.Sink {
			began <- r
			return feed.NewHub().NewFeed(feed.Options{Live: true})
		})
	}()
	other.Close()
	testkit.WaitUntil(t, "the port to open", func() bool { return p.State().Addr != "" })
	what := Awaiting(p)
	testkit.That(t, strings.HasSuffix(what, "s on "+p.State().Addr), "awaits %q", what)
	conn := testkit.Must(net.Dial("tcp", p.State().Addr))(t)
	defer conn.Close()
	testkit.Must(conn.Write([]byte("tiny\n")))(t)
	r := <-began
	testkit.That(t, r.Name == clientName(tiny{}, conn.LocalAddr().String()), "recording %q", r.Name)
	cancel()
	testkit.NoErr(t, <-ran)
}

// A copy of what is no recording ends with its head, and knows its name.
func TestSpoolRefusesWhatIsNothing(t *testing.T) {
	s, err := NewSpool(feed.Registry{tiny{}}, StandardInput)
	testkit.NoErr(t, err)
	defer s.Remove()
	zeros := make([]byte, 10_000)
	written := 0
	for err == nil && written < 1<<20 {
		_, err = s.Write(zeros)
		written += len(zeros)
	}
	testkit.That(t, err != nil && written <= feed.HeadSize+len(zeros) &&
		strings.HasPrefix(err.Error(), StandardInput+": not a recording"), "after %d bytes: %v", written, err)
	_, err = s.Write(zeros)
	testkit.That(t, err != nil, "it goes on")
	err = s.readWhole(t.Context(), feed.NewHub().NewFeed(feed.Options{}))
	testkit.That(t, err != nil && strings.HasPrefix(err.Error(), StandardInput+": "), "read: %v", err)
}

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
	testkit.Contains(t, strings.Join(*said, "\n"), "was stopped",
		"the agent was loaded into com.acme.Main (JVM 77) and listens on 127.0.0.1:")
}

// After its time the agent is stopped.
func TestAttachForAWhile(t *testing.T) {
	t.Parallel()
	a, l, _ := newAttach(t)
	a.Duration = 100 * time.Millisecond
	c, err := Collect(t.Context(), a, nil)
	testkit.That(t, err == nil && len(c.Sessions) == 1, "%d sessions, %v", len(c.Sessions), err)
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
	testkit.Refused(flare.CheckAgentLibrary(os.TempDir()))(t, "is not a file")
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
