package launch

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"runtime"
	rtpprof "runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed"
	profiles "framescope/net/pprof"
)

// profiled serves net/http/pprof of this very process, so many profiles, and is gone then. Before each
// it does something.
func profiled(t *testing.T, requests int, before func()) (addr string, answers *[][]byte) {
	t.Helper()
	answers = new([][]byte)
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before()
		got := httptest.NewRecorder()
		pprof.Index(got, r)
		if strings.HasSuffix(r.URL.Path, "/profile") {
			got = httptest.NewRecorder()
			pprof.Profile(got, r)
		}
		if got.Code == http.StatusOK {
			*answers = append(*answers, slices.Clone(got.Body.Bytes()))
		}
		if len(*answers) == requests {
			s.Listener.Close() // nobody listens any more
			w.Header().Set("Connection", "close")
		}
		for k, v := range got.Header() {
			w.Header()[k] = v
		}
		w.WriteHeader(got.Code)
		io.Copy(w, got.Body) //nolint:errcheck // the test tells
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://"), answers
}

// sumOf returns what the values of a kind add up to in a profile.
func sumOf(t *testing.T, data []byte, kind string) (sum int64) {
	t.Helper()
	p := testkit.Must(profile.ParseData(data))(t)
	k := slices.IndexFunc(p.SampleType, func(v *profile.ValueType) bool { return v.Type == kind })
	for _, s := range p.Sample {
		sum += s.Value[k]
	}
	return sum
}

// totals returns what a session's weights add up to.
func totals(s *store.Session) map[string]int64 {
	all := map[string]int64{}
	var tracks []model.TrackID
	for id := range model.TrackID(s.NumTracks()) {
		tracks = append(tracks, id)
	}
	var tree spans.Tree
	for k, w := range s.Spans().Weights() {
		s.Spans().TreeOf(spans.MeasureWeight+spans.Measure(k), tracks, model.MinTime, model.MaxTime, &tree)
		all[w.Name] = tree.Total
	}
	s.Spans().TreeOf(spans.MeasureSamples, tracks, model.MinTime, model.MaxTime, &tree)
	all[model.WeightSamples] = tree.Total
	return all
}

var keep [][]byte

// What of the heap is in use is that of the newest profile, what was allocated came since the first.
func TestProfilesOfTheHeap(t *testing.T) {
	was := runtime.MemProfileRate
	runtime.MemProfileRate = 1 << 10
	defer func() { runtime.MemProfileRate = was; keep = nil }()
	addr, answers := profiled(t, 3, func() {
		keep = append(keep, make([]byte, 1<<20))
		runtime.GC() // a heap profile is that of the last one
	})
	var said []string
	in := pprofServer().New(addr+"/heap", func(line string) { said = append(said, line) }, true).(*Profiles)
	in.wait = soon
	c, err := Collect(t.Context(), in, nil)
	testkit.MustThat(t, err == nil && len(c.Sessions) == 1, "%v %v", c, err)
	s := c.Sessions[0]
	if end, ok := s.Ended(); !ok || end != "the program is gone" || len(said) != 1 || !strings.HasPrefix(said[0], addr+"/heap: ") {
		t.Errorf("ended %q, said %q", end, said)
	}
	losses, lines := s.Losses()
	testkit.That(t, len(lines) == 0, "lost %v %q", losses, lines)
	info := s.Info()
	testkit.That(t, info.Sampling.Timeless && strings.Contains(info.Detail, "the newest of 3 profiles") &&
		info.Peer == addr+"/heap", "info %+v", info)
	got, first, last := totals(s), (*answers)[0], (*answers)[2]
	want := sumOf(t, last, "inuse_space")
	testkit.That(t, got["inuse_space"] == want && want >= 3<<20, "%d bytes in use, %d want", got["inuse_space"], want)
	name := "alloc_space, since the first"
	if want := sumOf(t, last, "alloc_space") - sumOf(t, first, "alloc_space"); got[name] < want || got[name] > want+want/10 || want < 2<<20 {
		t.Errorf("%d bytes were allocated, %d want", got[name], want)
	}
}

// CPU profiles add up. While somebody else profiles the program it is told why there is none, and it is
// asked again.
func TestProfilesOfTheCPU(t *testing.T) {
	t.Parallel() // it mostly waits
	if err := rtpprof.StartCPUProfile(io.Discard); err != nil {
		t.Skip(err) // the test itself is profiled
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { // works a fifth of the time
		for ctx.Err() == nil {
			for began := time.Now(); time.Since(began) < 4*time.Millisecond; {
			}
			time.Sleep(16 * time.Millisecond)
		}
	}()
	addr, answers := profiled(t, 2, func() {})
	var said []string
	in := pprofServer().New(addr, func(line string) { said = append(said, line) }, true).(*Profiles)
	in.seconds = 1
	in.wait = func(ctx context.Context, _ time.Duration) error {
		rtpprof.StopCPUProfile()
		return ctx.Err()
	}
	c, err := Collect(t.Context(), in, nil)
	testkit.MustThat(t, err == nil && len(c.Sessions) == 1, "%v %v", c, err)
	testkit.That(t, len(said) == 2 && strings.Contains(said[0], "Could not enable CPU profiling") &&
		strings.HasSuffix(said[1], pollGone+", 3 times"), "said %q", said)
	s := c.Sessions[0]
	got := totals(s)
	for _, kind := range []string{"samples", "cpu"} {
		want := sumOf(t, (*answers)[0], kind) + sumOf(t, (*answers)[1], kind)
		testkit.That(t, got[kind] == want && want >= 10, "%d %s, want %d", got[kind], kind, want)
	}
	if d := s.Info().Detail; !strings.Contains(d, "2 profiles of 2") && !strings.Contains(d, "2 profiles of 1.9") { // clocks measure that
		t.Errorf("detail %q", d)
	}
}

// What serves no profiles is named, and what it answered.
func TestNoProfiles(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/debug/pprof/heap" {
			io.WriteString(w, "<html>") //nolint:errcheck // the test tells
			return
		}
		http.NotFound(w, r)
	}))
	defer s.Close()
	for what, want := range map[string]string{"/heap": "is an incomplete pprof profile", "/mutex": "404"} {
		in := pprofServer().New(strings.TrimPrefix(s.URL, "http://")+what, nil, true)
		testkit.Refused(Collect(t.Context(), in, nil))(t, "net/http/pprof", want)
	}
}

// What is written for an address says what is asked for.
func TestAddressOfProfiles(t *testing.T) {
	s := pprofServer()
	for text, want := range map[string]string{
		"": "localhost:6060/cpu", ":7000": "localhost:7000/cpu", "box/heap": "box:6060/heap", "/mutex": "localhost:6060/mutex",
		"http://box:7/debug/pprof/goroutine?debug=1": "box:7/goroutine", "6061/profile": "localhost:6061/cpu", "box/": "box:6060/cpu",
	} {
		got, err := s.Complete(text)
		testkit.That(t, err == nil && got == want, "%q: %q, %v", text, got, err)
	}
	for text, want := range map[string]string{"http://box:7/debug/pprof/": "box:7", "http://box:7": "box:7", "box:7/": "box:7", "": "localhost:6060"} {
		s := goServer()
		got, err := s.Complete(text)
		testkit.That(t, err == nil && got == want, "go %q: %q, %v", text, got, err)
	}
	testkit.Refused(s.Complete("box/trace"))(t, "/goroutine")
}

// An answer that never ends is let go once it is more than there is memory for.
func TestEndlessProfile(t *testing.T) {
	feed.SetMemory(64 << 20)
	defer feed.SetMemory(0)
	var most atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		piece := make([]byte, 64<<10)
		for n := int64(0); ; n += int64(len(piece)) {
			if _, err := w.Write(piece); err != nil {
				return
			}
			if n > most.Load() {
				most.Store(n)
			}
			if n > 1<<30 {
				return
			}
		}
	}))
	defer s.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var said []string
	in := pprofServer().New(strings.TrimPrefix(s.URL, "http://")+"/heap", func(line string) { said = append(said, line) }, true).(*Profiles)
	in.wait = func(ctx context.Context, _ time.Duration) error { stop(); return ctx.Err() }
	_, err := Collect(ctx, in, nil)
	text := strings.Join(said, "\n")
	testkit.That(t, strings.Contains(text, "a profile of more than 4 MiB is too large"), "said %q, %v", said, err)
	// What the connection holds between the two comes on top.
	if got := most.Load(); profiles.MostPacked() != 4<<20 || got > 32<<20 || errors.Is(err, nil) && len(said) == 0 {
		t.Errorf("%d MiB were sent", got>>20)
	}
}

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
	testkit.That(t, len(said) == 2 && strings.Contains(said[0], "Could not enable tracing") &&
		strings.HasSuffix(said[1], pollGone+", 3 times"), "said %q", said)
	s := c.Sessions[0]
	end, ended := s.Ended()
	losses, lines := s.Losses()
	testkit.That(t, ended && end == "the program is gone" && losses[model.LossBetween] == 1 &&
		losses[model.LossTruncated]+losses[model.LossLimit] <= 0, "ended %q, lost %q", end, lines)
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
	packed := testkit.Must(os.Open("../../testdata/gotrace/game-122.trace.gz"))(t)
	defer packed.Close()
	r := testkit.Must(gzip.NewReader(packed))(t)
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
	testkit.That(t, err != nil && strings.Contains(err.Error(), "does not end: more than 1 MiB arrived for a trace of 1 s"),
		"%v", err)
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
	testkit.Refused(Collect(t.Context(), p, nil))(t, "net/http/pprof", "404")
}

// A server whose answers are no traces, or end at once, is reported once, and asked again only after a
// pause.
func TestGoProgramWithoutTraces(t *testing.T) {
	for answer, want := range map[string]string{
		"<html>hi": "is not a trace", "x": "is not a trace", "": "is not a trace",
		"go 1.22 trace\x00\x00\x00": "ended too early for 1s",
	} {
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
		testkit.That(t, asked == 5 && waited == 5 && len(said) == 1 && strings.Contains(said[0], want),
			"%q: asked %d times, waited %d, said %q", answer, asked, waited, said)
	}
}

// A server cannot send the viewer on to another one.
func TestGoProgramIsNotRedirected(t *testing.T) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	s := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusFound))
	defer s.Close()
	p := &GoProgram{Polled: Polled{Addr: strings.TrimPrefix(s.URL, "http://"), Leaves: true}}
	_, err := Collect(t.Context(), p, nil)
	testkit.That(t, err != nil && strings.Contains(err.Error(), "302 Found") && asked == 0, "%v, asked %d times", err, asked)
}
