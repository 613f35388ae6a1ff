package profilelib

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"framescope/net/feed"
)

// lines gathers what a server says.
type lines struct {
	mu   sync.Mutex
	all  []string
	said chan struct{}
}

func (l *lines) logf(format string, args ...any) {
	l.mu.Lock()
	l.all = append(l.all, fmt.Sprintf(format, args...))
	l.mu.Unlock()
	l.said <- struct{}{}
}

func (l *lines) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all[len(l.all)-1]
}

// listen starts a server whose sinks arrive in a channel.
func listen(t *testing.T, o ListenOptions, refuse error) (s *Server, sinks chan *sink, said *lines) {
	t.Helper()
	said = &lines{said: make(chan struct{}, 100)}
	sinks = make(chan *sink, 100)
	o.Logf = said.logf
	s, err := Listen(context.Background(), "127.0.0.1:0", func(string) (feed.Sink, error) {
		if refuse != nil {
			return nil, refuse
		}
		k := newSink()
		sinks <- k
		return k, nil
	}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, sinks, said
}

func dial(t *testing.T, s *Server) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// wait waits for the server to say something.
func (l *lines) wait(t *testing.T) {
	t.Helper()
	select {
	case <-l.said:
	case <-time.After(30 * time.Second):
		t.Fatal("the server says nothing")
	}
}

// Each connection is a session of its own, and holds what the file holds.
func TestListen(t *testing.T) {
	path := capture(t, "small-clean")
	data := readFile(t, path)
	want := picture(load(t, path, Options{}).s)
	s, sinks, said := listen(t, ListenOptions{}, nil)
	for range 3 {
		c := dial(t, s)
		for p := data; len(p) > 0; p = p[min(5000, len(p)):] {
			if _, err := c.Write(p[:min(5000, len(p))]); err != nil {
				t.Fatal(err)
			}
		}
		_ = c.Close()
	}
	for range 3 {
		said.wait(t)
		k := <-sinks
		_ = k
	}
	if !strings.Contains(said.last(), "the program closed the connection") {
		t.Errorf("said %q", said.last())
	}
	s2, sinks, said := listen(t, ListenOptions{}, nil)
	c := dial(t, s2)
	_, _ = c.Write(data)
	_ = c.Close()
	said.wait(t)
	k := <-sinks
	if got := picture(k.s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if info := k.s.Info(); info.File || info.Peer == "" {
		t.Errorf("info %+v", info)
	}
}

// Strangers open no session; the reason is told.
func TestListenRefuses(t *testing.T) {
	s, sinks, said := listen(t, ListenOptions{MaxConns: 2}, nil)
	c := dial(t, s)
	_, _ = c.Write([]byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
	_ = c.Close()
	said.wait(t)
	if !strings.Contains(said.last(), "not a profile stream") {
		t.Errorf("said %q", said.last())
	}
	c = dial(t, s)
	_, _ = c.Write(make([]byte, detectMost+1))
	said.wait(t) // refused while the connection is open
	if !strings.Contains(said.last(), "not a profile stream") {
		t.Errorf("said %q", said.last())
	}
	_ = c.Close()
	dial(t, s)
	dial(t, s)
	dial(t, s)
	said.wait(t)
	if !strings.Contains(said.last(), "2 connections are the most") {
		t.Errorf("said %q", said.last())
	}
	_ = s.Close()
	if len(sinks) > 0 {
		t.Error("a stranger opened a session")
	}

	s, _, said = listen(t, ListenOptions{}, errors.New("no more sessions"))
	c = dial(t, s)
	_, _ = c.Write(readFile(t, capture(t, "no-sysinfo")))
	_ = c.Close()
	said.wait(t)
	if !strings.Contains(said.last(), "no more sessions") {
		t.Errorf("said %q", said.last())
	}
	if _, err := Listen(context.Background(), s.Addr().String(), nil, ListenOptions{}); err == nil {
		t.Error("two servers on one address")
	}
}

// A server that is closed ends its sessions.
func TestListenClose(t *testing.T) {
	s, sinks, _ := listen(t, ListenOptions{Decoder: Options{Rate: 1e9}}, nil)
	c := dial(t, s)
	_, _ = c.Write(readFile(t, capture(t, "small-clean"))[:100*64])
	k := <-sinks
	_ = s.Close()
	if reason, over := k.s.Ended(); !over || !strings.Contains(reason, "closed") {
		t.Errorf("ended %v: %q", over, reason)
	}
}
