package launch

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"runtime/trace"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
)

// goProgram serves what net/http/pprof does, of this very process, in which something makes frames.
// After so many requests it answers none.
func goProgram(t *testing.T, requests int64) (addr string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	go func() {
		for ctx.Err() == nil {
			trace.WithRegion(ctx, "frame", func() {
				trace.Log(ctx, "level", "one\ntwo")
				time.Sleep(time.Millisecond)
			})
		}
	}()
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != goPath+"trace" {
			http.NotFound(w, r)
			return
		}
		if n.Add(1) > requests {
			panic(http.ErrAbortHandler)
		}
		pprof.Trace(w, r)
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// TestGoProgram takes traces of a program that is being traced by somebody else at first: it is told, and
// asked again. Two traces are one session, on one clock, with a gap between them that is told, too.
func TestGoProgram(t *testing.T) {
	if err := trace.Start(io.Discard); err != nil {
		t.Skip(err) // the test itself is traced
	}
	var said []string
	p := &GoProgram{seconds: 0.2,
		Polled: Polled{Addr: goProgram(t, 3), Leaves: true, Log: func(line string) { said = append(said, line) }}}
	p.wait = func(ctx context.Context, _ time.Duration) error {
		trace.Stop()
		return ctx.Err()
	}
	c, err := Collect(t.Context(), p, nil)
	testkit.MustThat(t, err == nil && len(c.Sessions) == 1, "%v %v", c, err)
	if len(said) != 2 || !strings.Contains(said[0], "Could not enable tracing") || !strings.HasSuffix(said[1], pollGone+", 3 times") {
		t.Errorf("said %q", said)
	}
	s := c.Sessions[0]
	end, ended := s.Ended()
	losses, lines := s.Losses()
	if !ended || end != "the program is gone" || losses[model.LossBetween] != 1 || losses[model.LossTruncated]+losses[model.LossLimit] > 0 {
		t.Errorf("ended %q, lost %q", end, lines)
	}
	tr := s.Track(s.MainTrack())
	testkit.MustThat(t, strings.HasPrefix(tr.Title(), "framescope/app/launch.goProgram.func1 ") && tr.NumFrames() >= 20,
		"%d frames of %s", tr.NumFrames(), tr.Title())
	gap := int64(0) // the greatest between frames, with the gap in it
	cut := 0        // frames that a trace ended in: their ends were not received
	for i := 1; i < tr.NumFrames(); i++ {
		a, b := tr.Frame(i-1), tr.Frame(i)
		cut += int(b.Missing)
		testkit.MustThat(t, b.Begin >= a.End && b.Number == a.Number+1+b.Missing && cut <= 1, "frames %+v, %+v", a, b)
		gap = max(gap, b.Begin-a.End)
	}
	first, last := tr.Frame(0), tr.Frame(tr.NumFrames()-1)
	testkit.That(t, gap <= last.End-first.Begin-100e6, "a gap of %d ns: the traces have no common clock", gap)
}

// An answer that never ends is let go where no trace is so long: what came is shown, and the error says it.
func TestEndlessTrace(t *testing.T) {
	packed, err := os.Open("../../testdata/gotrace/game-122.trace.gz")
	testkit.NoErr(t, err)
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	testkit.NoErr(t, err)
	trace, err := io.ReadAll(r)
	testkit.NoErr(t, err)
	var sent atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for sent.Load() < 64<<20 {
			n, err := w.Write(trace)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	p := &GoProgram{most: 1 << 20, Polled: Polled{Addr: strings.TrimPrefix(s.URL, "http://"), Leaves: true}}
	c, err := Collect(t.Context(), p, nil)
	if err == nil || !strings.Contains(err.Error(), "does not end: more than 1 MiB came for a trace of 1 s") {
		t.Error(err)
	}
	testkit.That(t, len(c.Sessions) == 1 && c.Sessions[0].NumTracks() != 0, "nothing of what came is shown")
	// What the connection holds between the two comes on top.
	n := sent.Load()
	testkit.That(t, n <= 32<<20, "%d MiB were sent", n>>20)
}

// TestNoGoProgram connects to a server that has no traces: an error, which says what is missing.
func TestNoGoProgram(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	p := &GoProgram{Polled: Polled{Addr: strings.TrimPrefix(s.URL, "http://"), Leaves: true}}
	if _, err := Collect(t.Context(), p, nil); err == nil || !strings.Contains(err.Error(), "net/http/pprof") || !strings.Contains(err.Error(), "404") {
		t.Error(err)
	}
}

// A server whose answers are no traces is told of once, and asked again after a while only.
func TestGoProgramWithoutTraces(t *testing.T) {
	for _, answer := range []string{"<html>hi", "x", ""} {
		asked, waited := 0, 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			asked++
			io.WriteString(w, answer)
		}))
		defer s.Close()
		ctx, stop := context.WithCancel(t.Context())
		var said []string
		p := &GoProgram{Polled: Polled{Addr: strings.TrimPrefix(s.URL, "http://"), Log: func(line string) { said = append(said, line) }}}
		p.wait = func(ctx context.Context, _ time.Duration) error {
			if waited++; waited == 5 {
				stop()
			}
			return ctx.Err()
		}
		Collect(ctx, p, nil)
		testkit.That(t, asked == 5 && waited == 5 && len(said) == 1 && strings.Contains(said[0], "is no trace"),
			"%q: asked %d times, waited %d, said %q", answer, asked, waited, said)
	}
}
