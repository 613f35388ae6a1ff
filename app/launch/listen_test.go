package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/follow"
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
	few := fewLines{to: func(string) { mu.Lock(); defer mu.Unlock(); lines = append(lines, "x") }}
	for range 1000 {
		few.printf("x")
	}
	n = logged("x")
	testkit.That(t, n <= strangeLines+5, "%d lines at once", n)
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
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "no data from the program at "+c.addr) {
					t.Errorf("%s: %v, want %q", kind, err, c.want)
				}
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
	if runtime.GOOS == "linux" {
		want = fmt.Sprintf("%s is taken by %s (process %d)", addr, filepath.Base(os.Args[0]), os.Getpid())
	}
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
