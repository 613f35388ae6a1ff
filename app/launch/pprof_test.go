package launch

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	rtpprof "runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/spans"
	"framescope/model/store"
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
	p, err := profile.ParseData(data)
	testkit.NoErr(t, err)
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
	if !info.Sampling.Timeless || !strings.Contains(info.Detail, "the newest of 3 profiles") || info.Peer != addr+"/heap" {
		t.Errorf("info %+v", info)
	}
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
	if err := rtpprof.StartCPUProfile(io.Discard); err != nil {
		t.Skip(err) // the test itself is profiled
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		for n := 0; ctx.Err() == nil; n++ {
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
	if len(said) != 2 || !strings.Contains(said[0], "Could not enable CPU profiling") || !strings.HasSuffix(said[1], pollGone+", 3 times") {
		t.Errorf("said %q", said)
	}
	s := c.Sessions[0]
	got := totals(s)
	for _, kind := range []string{"samples", "cpu"} {
		want := sumOf(t, (*answers)[0], kind) + sumOf(t, (*answers)[1], kind)
		testkit.That(t, got[kind] == want && want >= 20, "%d %s, want %d", got[kind], kind, want)
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
	for what, want := range map[string]string{"/heap": "is no whole pprof profile", "/mutex": "404"} {
		in := pprofServer().New(strings.TrimPrefix(s.URL, "http://")+what, nil, true)
		_, err := Collect(t.Context(), in, nil)
		if err == nil || !strings.Contains(err.Error(), "net/http/pprof") || !strings.Contains(err.Error(), want) {
			t.Error(err)
		}
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
	_, err := s.Complete("box/trace")
	testkit.That(t, err != nil && strings.Contains(err.Error(), "/goroutine"), "%v", err)
}
