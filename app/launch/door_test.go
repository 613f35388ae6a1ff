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
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/feed"
)

// occupy takes a port.
func occupy(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	testkit.NoErr(t, err)
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
	if err := p.Try(t.Context()); !Taken(err) {
		t.Fatalf("error %v", err)
	}
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
	conn, err := net.Dial("tcp", p.State().Addr)
	testkit.NoErr(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("tiny\n"))
	testkit.NoErr(t, err)
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
	if err == nil || written > feed.HeadSize+len(zeros) || !strings.HasPrefix(err.Error(), StandardInput+": not a recording") {
		t.Errorf("after %d bytes: %v", written, err)
	}
	_, err = s.Write(zeros)
	testkit.That(t, err != nil, "it goes on")
	err = s.readWhole(t.Context(), feed.NewHub().NewFeed(feed.Options{}))
	testkit.That(t, err != nil && strings.HasPrefix(err.Error(), StandardInput+": "), "read: %v", err)
}
