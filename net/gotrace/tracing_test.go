package gotrace

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime/trace"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// work is the region of the program that is asked.
const work = "work"

// asked returns what a program answers that is asked for so many traces, one after the other, while it
// works.
func asked(t *testing.T, rounds int) (traces [][]byte) {
	t.Helper()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				trace.WithRegion(context.Background(), work, func() {})
			}
		}
	}()
	s := httptest.NewServer(http.HandlerFunc(pprof.Trace))
	defer s.Close()
	for range rounds {
		r := testkit.Must(s.Client().Get(s.URL + "?seconds=0.05"))(t)
		b, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK {
			t.Skipf("%v %s", err, b) // the test itself is traced
		}
		traces = append(traces, b)
	}
	close(stop)
	<-stopped
	return traces
}

// The goroutines that write a trace are called so by the versions of Go.
func TestTracers(t *testing.T) {
	for _, name := range []string{
		"runtime/trace.Start.func1",                                                    // up to 1.24
		"runtime/trace.(*traceMultiplexer).startLocked.func1",                          // from 1.25 on
		"runtime.traceStartReadCPU.func1", "runtime.(*traceAdvancerState).start.func1", // from 1.22 on
	} {
		testkit.That(t, isTracer(name), "%s is work of the program", name)
	}
	testkit.That(t, !isTracer("runtime/trace.StartRegion") && !isTracer("main.main"), "work of the program is tracing")
}

// What a program runs because it is asked for traces is on one track, however often it is asked; what it
// runs itself has tracks. Of a single trace nobody knows that it was asked for.
func TestTracingIsOneTrack(t *testing.T) {
	const rounds = 6
	traces := asked(t, rounds)
	tracer := func(title string) bool {
		for _, name := range append(tracers, backstage) {
			if strings.HasPrefix(title, name) {
				return true
			}
		}
		return strings.HasPrefix(title, tracingTrack)
	}
	s := read(t, Options{Rounds: true}, traces...)
	rows, works := 0, 0
	for id := range model.TrackID(s.NumTracks()) {
		tr := s.Track(id)
		if tracer(tr.Title()) {
			if rows++; tr.Title() != tracingTrack || tr.NumSpans() < rounds || tr.Def.Process != groupRuntime {
				t.Errorf("%s of %s: %d spans", tr.Title(), tr.Def.Process, tr.NumSpans())
			}
		} else if calls := byName(s, func(o *store.Track) bool { return o == tr }); calls[work].N > 0 {
			works++
		}
	}
	for name := range byName(s, func(tr *store.Track) bool { return tr.Title() == tracingTrack }) {
		if !strings.HasPrefix(name, tracingPrefix) && name != assistName { // whoever allocates may have to help
			t.Errorf("a span of the tracing is called %s, as what runs on procs", name)
		}
	}
	losses, lines := s.Losses()
	testkit.That(t, rows == 1 && works == 1 && losses[model.LossLimit] == 0,
		"%d tracks of the tracing, %d that work: %q", rows, works, lines)
	if len(lines) == 0 || losses[model.LossBetween] != rounds-1 || !strings.Contains(strings.Join(lines, "\n"), "5 times, ") {
		t.Errorf("%d gaps: %q", losses[model.LossBetween], lines)
	}
	testkit.That(t, strings.Contains(s.Info().Detail, tracingTrack), "told: %q", s.Info().Detail)
	alone := read(t, Options{}, traces[0])
	rows = 0
	for id := range model.TrackID(alone.NumTracks()) {
		if title := alone.Track(id).Title(); title == tracingTrack {
			t.Errorf("a trace alone has a track %s", title)
		} else if tracer(title) {
			rows++
		}
	}
	testkit.That(t, rows != 0, "a trace alone has no track of what wrote it")
}

// A goroutine that answers with traces gets a track of its own as soon as it does something that is the
// program's.
func TestWhatWorksIsNotGathered(t *testing.T) {
	d := newDecoder(&feedtest.Into{Session: store.NewSession()}, Options{}, model.Info{})
	d.rounds = true
	g := d.newGoroutine(7)
	g.name, g.tracing, g.seen = server, true, 5
	testkit.That(t, d.gathers(g), "it is not gathered")
	d.gather(g)
	g.regions++
	testkit.That(t, !d.gathers(g), "it is gathered though it has a region")
	g.ungather()
	testkit.That(t, !g.placed && !g.gathered, "it is gathered still")
	other := d.newGoroutine(8)
	other.name, other.made = backstage, true
	testkit.That(t, !d.gathers(other), "what another made is gathered")
}
