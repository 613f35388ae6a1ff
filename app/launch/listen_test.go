package launch

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/feed"
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
