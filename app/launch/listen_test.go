package launch

import (
	"context"
	"fmt"
	"net"
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
	l, err := Listen(t.Context(), "127.0.0.1:0", tiny{})
	testkit.NoErr(t, err)
	start := time.Now()
	var later atomic.Int64
	l.now = func() time.Time { return start.Add(time.Duration(later.Load())) }
	v := view(t, l)
	connect := func() net.Conn {
		c, err := net.Dial("tcp", l.Addr())
		testkit.NoErr(t, err)
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
	_, err = full.Read(make([]byte, 1))
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
	l, err := Listen(t.Context(), "127.0.0.1:0", tiny{})
	testkit.NoErr(t, err)
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
	c, err := net.Dial("tcp", l.Addr())
	testkit.NoErr(t, err)
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
	l, err := Listen(t.Context(), "127.0.0.1:0", tiny{})
	testkit.NoErr(t, err)
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
		c, err := net.Dial("tcp", l.Addr())
		testkit.NoErr(t, err)
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
	v.until(t, "who is turned away in the log", func() bool { return logged("are turned away") > 0 })
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
			{silent, pollAsked, "accepts the connection, and no whole answer has come yet"},
			{closes, "closes the connection", "closes the connection before its answer is whole"},
			{talks, "gives no answer that is one", "malformed HTTP"},
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
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "nothing comes from the program at "+c.addr) {
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
