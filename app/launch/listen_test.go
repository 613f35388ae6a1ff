package launch

import (
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"framescope/net/seats"
)

// Connections that send nothing do not keep programs out, and a program that sends keeps its place.
func TestSilentConnectionsGiveWay(t *testing.T) {
	t.Parallel()
	l, err := Listen(t.Context(), "127.0.0.1:0", tiny{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	var later atomic.Int64
	l.now = func() time.Time { return start.Add(time.Duration(later.Load())) }
	v := view(t, l)
	connect := func() net.Conn {
		c, err := net.Dial("tcp", l.Addr())
		if err != nil {
			t.Fatal(err)
		}
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
	if _, err := full.Read(make([]byte, 1)); err == nil {
		t.Error("one too many got a place")
	}
	later.Add(int64(seats.IdleGrace))
	newcomer := connect()
	newcomer.Write([]byte("tiny\nb\n"))
	v.lines(t, 1, "tiny\nb\n")
	good.Write([]byte("more\n"))
	v.lines(t, 0, "tiny\na\nmore\n")
	v.stop()
	if err := v.result(t); err != nil {
		t.Error(err)
	}
}

// A program that sends faster than the disk writes is made to wait, and what it sent is kept.
func TestListenerWaitsForTheDisk(t *testing.T) {
	l, err := Listen(t.Context(), "127.0.0.1:0", tiny{})
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "tiny\none\n")
	<-asked
	r, _ := v.entry(0)
	v.until(t, "a tape", func() bool { r, _ = v.entry(0); return r.Tape() != nil })
	if data, _ := kept(r); data != "" {
		t.Errorf("kept %q while there was no room", data)
	}
	close(room)
	v.until(t, "all is kept", func() bool { data, _ := kept(r); return data == "tiny\none\n" })
}
