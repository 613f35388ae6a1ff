package flare

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// serveAgent runs a connection to an agent that answers with what write writes.
func serveAgent(t *testing.T, sink feed.Sink, write func(w io.Writer)) {
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		if _, err := io.ReadFull(theirs, make([]byte, len(Request))); err != nil {
			t.Error(err)
		}
		w := bufio.NewWriterSize(theirs, 64<<10)
		defer w.Flush()
		write(w)
	}()
	gone := func(context.Context) (net.Conn, error) { return nil, errors.New("gone") }
	never := make(chan time.Time) // a busy machine takes longer for all this than names are waited for
	if err := Run(t.Context(), Config{Addr: "x", Sink: sink, First: ours, dial: gone, Wait: noWait, ask: never}); err != nil {
		t.Error(err)
	}
}

// stacks writes so many samples with stacks of so many frames. next gives the methods.
func stacks(w io.Writer, samples, deep int, next func() MethodID) {
	x := &SampleEvent{Thread: 7, Name: "main"}
	for i := range samples {
		x.Record = Record{TimeMs: 1e6 + int64(i)*20, Stack: x.Record.Stack[:0]}
		for range deep {
			x.Record.Stack = append(x.Record.Stack, next())
		}
		w.Write(appendSample(nil, x))
	}
}

// TestNamesThatNeverRepeat plays agents that name 300,000 methods, use them, and use ones that
// nobody ever named: that must not cost more memory than is allowed. What is used of two methods is
// all there.
func TestNamesThatNeverRepeat(t *testing.T) {
	const methods = 300_000
	name := func(w io.Writer, n int) {
		for i := range n {
			w.Write(appendMethod(nil, &MethodEvent{MethodID(i), fmt.Sprintf("com.acme.shop%d.Checkout.run%d()", i, i)}))
		}
	}
	for _, c := range []struct {
		what  string
		more  bool
		write func(w io.Writer)
	}{
		{"two methods", false, func(w io.Writer) {
			name(w, 2)
			n := 0
			stacks(w, 5000, 60, func() MethodID { n++; return MethodID(n / 100 % 2) })
		}},
		{"named, then used", true, func(w io.Writer) {
			name(w, methods)
			n := 0
			stacks(w, methods/60, 60, func() MethodID { n++; return MethodID(n) })
		}},
		{"never named", true, func(w io.Writer) {
			n := 0
			stacks(w, 100, 3000, func() MethodID { n++; return MethodID(n * 7919) })
		}},
	} {
		v := feedtest.New(t, 32<<20)
		s := v.Run(func(sink feed.Sink) { serveAgent(t, sink, c.write) })
		t.Logf("%s: accounts %d KiB, heap %d KiB", c.what, v.Account>>10, v.Heap>>10)
		v.Check(t)
		if lost, lines := s.Losses(); !c.more && lost[model.LossLimit] != 0 {
			t.Errorf("%d beyond a limit: %q", lost[model.LossLimit], lines)
		}
		if c.more {
			v.CheckMore(t, s)
		}
		if n := s.NumTracks(); n != 1 {
			t.Errorf("%s: %d threads", c.what, n)
		}
	}
}

// Methods that come without names are asked for by one more connection, and no further one.
func TestNamesAreAskedForAgain(t *testing.T) {
	ask := make(chan time.Time, 2)
	dialled := 0
	dial := func(context.Context) (net.Conn, error) {
		if dialled++; dialled > 2 {
			return nil, errors.New("gone")
		}
		first := dialled == 1
		ours, theirs := net.Pipe()
		go func() {
			io.ReadFull(theirs, make([]byte, len(Request)))
			if first {
				theirs.Write(appendInfo(nil, &InfoEvent{StartMs: 1e6 - 100, IntervalMs: 20, LastSampleMs: 1e6}))
				stacks(theirs, 2, 1, func() MethodID { return 5 })
				io.Copy(io.Discard, theirs) // until the client hangs up
			} else {
				theirs.Write(appendMethod(nil, &MethodEvent{5, "com.acme.Shop.run()"}))
			}
			theirs.Close()
		}()
		return ours, nil
	}
	s := store.NewSession()
	samples := 0
	taken := func(e Event) {
		if e.Sample != nil {
			samples++
		}
		if samples == 2 {
			ask <- time.Time{}
		}
	}
	c := Config{Addr: "x", Sink: &sink{s: s}, dial: dial, Wait: noWait, ask: ask, Taken: taken}
	if err := Run(t.Context(), c); err != nil {
		t.Error(err)
	}
	if got := describe(s); dialled < 3 || !strings.Contains(got, "Shop") || strings.Contains(got, "5?") {
		t.Errorf("after %d connections: %s", dialled, got)
	}
}
