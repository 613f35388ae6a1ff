package gotrace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	exptrace "golang.org/x/exp/trace"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
)

// traced returns a trace of what do does.
func traced(t testing.TB, do func(ctx context.Context)) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip(err) // the test itself is traced
	}
	do(t.Context())
	trace.Stop()
	return b.Bytes()
}

// read reads traces into a session.
func read(t testing.TB, o Options, traces ...[]byte) *store.Session {
	t.Helper()
	return feedtest.Made(t, Source{o}, "made.trace", bytes.Join(traces, nil))
}

func mainFrames(s *store.Session) (*store.Track, int) {
	tr := s.Track(s.MainTrack())
	return tr, tr.NumFrames()
}

// TestFrames makes frames of regions, of tasks where no region is one, and of neither where none is
// wanted; of tasks that overlap those that do not.
func TestFrames(t *testing.T) {
	tasks := traced(t, func(ctx context.Context) {
		for range 5 {
			_, task := trace.NewTask(ctx, "tick")
			_, inner := trace.NewTask(ctx, "tick")
			trace.WithRegion(ctx, "draw", func() {})
			inner.End()
			task.End()
		}
	})
	s := read(t, Options{}, tasks)
	tr, n := mainFrames(s)
	testkit.That(t, n == 5 && strings.HasPrefix(tr.Title(), "testing.tRunner "),
		"%d frames of %s, want those of the tasks", n, tr.Title())
	w := strings.Join(s.Warnings(), " ")
	testkit.That(t, strings.Contains(w, "5 tasks that would be frames began while another went on"), "told: %q", w)
	if tasks := byName(s, func(tr *store.Track) bool { return tr.Def.Process == groupTasks }); tasks["tick"].N != 10 {
		t.Errorf("tasks: %+v", tasks)
	}
	for i := range n {
		f := tr.Frame(i)
		testkit.That(t, f.Number == int64(i), "frame %d has number %d", i, f.Number)
	}
	if _, n := mainFrames(read(t, Options{Frames: feed.NoFrames}, tasks)); n != 0 {
		t.Errorf("%d frames where none are wanted", n)
	}
	if _, n := mainFrames(read(t, Options{Frames: "draw"}, tasks)); n != 5 {
		t.Errorf("%d frames by the name of a region, want 5", n)
	}
	both := traced(t, func(ctx context.Context) {
		for range 3 {
			_, task := trace.NewTask(ctx, "frame")
			trace.WithRegion(ctx, "update", func() { trace.WithRegion(ctx, "update", func() {}) })
			trace.WithRegion(ctx, "update", func() {})
			task.End()
		}
		trace.WithRegion(ctx, "Frame", func() {})
	})
	if _, n := mainFrames(read(t, Options{}, both)); n != 6 {
		t.Errorf("%d frames, want the 6 regions that are outermost: one Frame is no frames, and regions go before tasks", n)
	}
}

// TestManyGoroutines makes thousands that live shortly: so many get tracks, and the others share one, which
// has every time that one of them ran, and the flows that lead to them; what has regions is shown.
func TestManyGoroutines(t *testing.T) {
	const short, regions = 3000, 50
	const slow = short / 20 // that a busy machine keeps waiting, so that they live long
	var wg sync.WaitGroup
	s := read(t, Options{}, traced(t, func(ctx context.Context) {
		for i := range short + regions {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if i%((short+regions)/regions) == 0 {
					trace.WithRegion(ctx, "work", runtime.Gosched)
				}
			}()
		}
		wg.Wait()
	}))
	tracks, works := 0, int64(0)
	for id := range model.TrackID(s.NumTracks()) {
		if goroutines(s.Track(id)) {
			tracks++
		}
	}
	works = byName(s, goroutines)["work"].N // and there may be assists
	losses, lines := s.Losses()
	testkit.That(t, works == regions && tracks >= regions && tracks <= regions+mostMinor+slow && len(lines) == 0,
		"%d regions on %d tracks, %v %q", works, tracks, losses, lines)
	shared := 0
	for id := range model.TrackID(s.NumTracks()) {
		if tr := s.Track(id); tr.Def.Process == groupShared && strings.Contains(tr.Title(), "TestManyGoroutines") {
			shared++
			testkit.That(t, tr.NumSpans() >= short-mostMinor-slow, "they ran %d times", tr.NumSpans())
			n := len(s.Flows().In(id, math.MinInt64, math.MaxInt64, nil))
			testkit.That(t, n >= short-mostMinor-slow, "%d flows lead to them", n)
		}
	}
	testkit.Equal(t, shared, 1, "tracks are shared")
	ran := byName(s, func(tr *store.Track) bool { return tr.Def.Process == groupProcs })
	n := int64(0)
	for name, x := range ran {
		if strings.Contains(name, "TestManyGoroutines") {
			n += x.N
		}
	}
	testkit.That(t, n >= short+regions, "%d runs on procs: %v", n, ran)
}

// streamed reads traces as a stream, in pieces.
func streamed(t testing.TB, data []byte, piece func(i int) int) *store.Session {
	t.Helper()
	k := &feedtest.Into{Session: store.NewSession()}
	testkit.OK(t, feedtest.Stream(Source{}, k, data, piece, true))
	return k.Session
}

// facts are what a session says, but for how it was read.
func facts(s *store.Session) string {
	out := ""
	for id := range model.TrackID(s.NumTracks()) {
		tr := s.Track(id)
		out += fmt.Sprintln(tr.Title(), tr.NumSpans(), tr.NumFrames(), s.Messages().Count(id))
		for _, x := range s.Series().ByTrack(id) {
			out += fmt.Sprintln(s.Series().ByID(x).Def.Group, s.Series().ByID(x).Len())
		}
	}
	losses, _ := s.Losses()
	out += fmt.Sprintln(s.Flows().Stored(), s.Args().Stored())
	return out + fmt.Sprint(losses, byName(s, func(*store.Track) bool { return true }), s.Warnings())
}

// TestStream reads two traces one behind the other, as a file and in pieces of any size: the same. They
// are of other programs, and the second began later on the same machine or not.
func TestStream(t *testing.T) {
	first, second := recordings.Read(t, recordings.GoTrace, "game-122.trace"), recordings.Read(t, recordings.GoTrace, "flight-126.trace")
	for _, pair := range [][][]byte{{first, second}, {second, first}} {
		want := facts(read(t, Options{}, pair...))
		for _, n := range []int{1 << 20, 4096, 7} {
			got := facts(streamed(t, bytes.Join(pair, nil), func(i int) int { return n + i%3 }))
			testkit.MustThat(t, got == want, "in pieces of %d:\n%s\nwhole:\n%s", n, got, want)
		}
		s := read(t, Options{}, pair...)
		_, n := mainFrames(s)
		testkit.That(t, n == 55, "%d frames, want those of both", n)
		back := &pair[0][0] == &second[0]
		told := strings.Contains(strings.Join(s.Warnings(), " "), "had ended")
		testkit.That(t, told == back, "a clock that goes back: told %t", told)
		losses, lines := s.Losses()
		gap := losses[model.LossBetween] == 1 && losses[model.LossSource] == 0
		testkit.That(t, gap != back && losses[model.LossTruncated]+losses[model.LossMalformed] <= 0, "%q", lines)
	}
}

// TestOpenRegion has a region that goes on through all frames of another goroutine, and to the end of the
// trace: it is in each of them, also where what came is published while it goes on.
func TestOpenRegion(t *testing.T) {
	data := traced(t, func(ctx context.Context) {
		begun, end := make(chan bool), make(chan bool)
		t.Cleanup(func() { close(end) })
		go func() {
			defer trace.StartRegion(ctx, "service").End()
			close(begun)
			<-end
		}()
		<-begun
		for range 5 {
			trace.WithRegion(ctx, "frame", func() {})
		}
	})
	for how, s := range map[string]*store.Session{
		"whole": read(t, Options{}, data), "as a stream": streamed(t, data, func(int) int { return 1 << 20 }),
	} {
		service := byName(s, goroutines)["service"]
		testkit.That(t, service.N == 1 && service.OpenEnd == 1 && service.OpenBegin == 0, "%s: %+v", how, service)
		framed := 0
		for id := range model.TrackID(s.NumTracks()) {
			if tr := s.Track(id); tr.NumFrames() == 5 {
				framed++
			}
		}
		testkit.That(t, framed == 2, "%s: %d goroutines have all frames, want 2", how, framed)
	}
}

// TestDamageLosesNothingBefore damages the second of two traces anywhere: the first is there, whole.
func TestDamageLosesNothingBefore(t *testing.T) {
	first, second := recordings.Read(t, recordings.GoTrace, "game-122.trace"), recordings.Read(t, recordings.GoTrace, "game-121.trace")
	want := byName(read(t, Options{}, first), goroutines)["physics"]
	places := testkit.Rounds(12, 40)
	for i := range places {
		at := headSize + i*(len(second)-headSize)/places
		cut := read(t, Options{}, first, second[:at])
		got, list := byName(cut, goroutines)["physics"], cut.Diagnostics()
		testkit.MustThat(t, got == want && len(list) > 0 && list[0].Kind == "gap" && list[0].N == 1 && list[0].Place != "",
			"cut at byte %d: %+v, want %+v; told %+v", at, got, want, list)
		broken := bytes.Clone(second)
		for j := at; j < min(at+64, len(broken)); j++ {
			broken[j] ^= 0xff
		}
		got = byName(read(t, Options{}, first, broken), goroutines)["physics"]
		testkit.MustThat(t, got.N >= want.N, "damaged at byte %d: %+v, want %+v at least", at, got, want)
	}
}

// TestDamagedGeneration damages one generation of three: the others are there, and where the damaged one was is said.
func TestDamagedGeneration(t *testing.T) {
	data := recordings.Read(t, recordings.GoTrace, "game-122.trace")
	want := byName(read(t, Options{}, data), goroutines)["physics"].N
	generation := func(n byte, spoil func(batch []byte)) []byte {
		body := bytes.Clone(data[headSize:])
		for rest, i := body, 0; len(rest) > 0; i++ {
			gen, size, behind, ok := batchHeader(rest)
			testkit.MustThat(t, ok && gen == 1, "batch %d is of generation %d", i, gen)
			rest[1] = n
			if i == 2 && spoil != nil {
				spoil(rest)
			}
			rest = behind[size:]
		}
		return body
	}
	for name, spoil := range map[string]func(batch []byte){
		"header": func(b []byte) { b[0] = 77 },
		"events": func(b []byte) { clear(b[len(b)/2 : len(b)/2+4096]) },
	} {
		for bad := range 3 {
			trace := bytes.Clone(data[:headSize])
			for n := range 3 {
				if n == bad {
					trace = append(trace, generation(byte(n+1), spoil)...)
				} else {
					trace = append(trace, generation(byte(n+1), nil)...)
				}
			}
			s := read(t, Options{}, trace)
			got := byName(s, goroutines)["physics"].N
			losses, lines := s.Losses()
			testkit.That(t, got >= want && losses != [model.NumLossReasons]int64{} && (bad != 1 || got == 2*want), "%s of generation %d: %d, not %d; %v",
				name, bad+1, got, want, lines)
		}
	}
}

// FuzzDecoder reads anything: nothing breaks, and what the store gets keeps to its rules.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"broken-header-only", "broken-middle", "game-122", "game-121"} {
		f.Add(recordings.Read(f, recordings.GoTrace, name+".trace"))
	}
	small := traced(f, func(ctx context.Context) {
		for range 3 {
			trace.WithRegion(ctx, "frame", func() { trace.Log(ctx, "a", "b") })
		}
	})
	f.Add(small)
	f.Add(append(small, small...))
	f.Fuzz(func(t *testing.T, data []byte) {
		k := feedtest.NewRuled(t)
		k.Also = k.Ascending
		d := newDecoder(k, Options{}, model.Info{})
		d.live = len(data)%2 == 0
		err := d.traces(bytes.NewReader(data))
		d.close()
		testkit.That(t, err != nil || k.Session.NumTracks() != 0 || k.Session.Series().Len() != 0 || d.read != 0,
			"nothing, and no error")
		feedtest.Unrefused(t, k.Session)
	})
}

// followed reads a trace as a file that grows no more, and hands the session to look, again and again,
// until it is content.
func followed(t *testing.T, name string, data []byte, look func(s *store.Session) bool) {
	t.Helper()
	hub, all := feed.NewHub(), store.New(0)
	defer hub.Close()
	defer all.Close()
	st := Source{}.NewStream(hub.NewFeed(feed.Options{Live: true, Wait: true}), feed.StreamOptions{Name: name})
	written := make(chan struct{})
	go func() {
		defer close(written)
		st.Write(data) //nolint:errcheck // it takes all
	}()
	testkit.WaitUntil(t, name+" to be shown", func() bool {
		select {
		case <-written:
			st.Idle()
		default:
		}
		hub.Poll(all, 1e9)
		list := hub.Entries()
		return len(list) > 0 && list[0].Session != nil && look(list[0].Session)
	})
	closed := make(chan struct{})
	go func() { defer close(closed); st.Close("") }()
	testkit.WaitUntil(t, "the end", func() bool {
		hub.Poll(all, 1e9)
		select {
		case <-closed:
			return true
		default:
			return false
		}
	})
}

// A trace that grows no more is shown to its end, and what is looked at first is what it is of the
// finished file.
func TestFollowedToItsEnd(t *testing.T) {
	for _, name := range []string{"flight-126.trace", "gotest-126.trace"} {
		data := recordings.Read(t, recordings.GoTrace, name)
		whole := read(t, Options{}, data)
		_, end, _ := whole.Bounds()
		first := whole.Track(whole.FirstTrack()).Title()
		followed(t, name, bytes.Clone(data), func(s *store.Session) bool {
			_, now, _ := s.Bounds()
			tr := s.Track(s.FirstTrack())
			return now >= end-1e6 && tr != nil && tr.Title() == first
		})
	}
}

// endless is a trace of a version that begins and goes on with the same for ever, so far as it is read.
type endless struct {
	head io.Reader
	more []byte
	read int64
}

func (e *endless) Read(p []byte) (int, error) {
	if n, _ := e.head.Read(p); n > 0 {
		return n, nil
	}
	n := copy(p, bytes.Repeat(e.more, len(p)/len(e.more)+1))
	n -= n % len(e.more)
	e.read += int64(n)
	return n, nil
}

// A trace that goes on without end of a generation, or without events that can be shown, ends where there
// is no room for more.
func TestNoEndOfAGeneration(t *testing.T) {
	batch := func(kind byte, size int) []byte {
		return append([]byte{evEventBatch, 1, 1, 1, byte(size), kind}, bytes.Repeat([]byte{1}, size-1)...)
	}
	for name, c := range map[string]struct {
		version string
		more    []byte
	}{
		"empty batches":   {"go 1.23 trace\x00\x00\x00", []byte{evEventBatch, 1, 1, 1, 0}},
		"batches of one":  {"go 1.26 trace\x00\x00\x00", []byte{evEventBatch, 1, 1, 1, 1, 1}},
		"tables":          {"go 1.25 trace\x00\x00\x00", append(batch(evStrings, 4), 0)[:9]},
		"large batches":   {"go 1.22 trace\x00\x00\x00", batch(evEventBatch, 100)},
		"the older form":  {"go 1.19 trace\x00\x00\x00", []byte{0x4c, 1, 1}},
		"its empty parts": {"go 1.11 trace\x00\x00\x00", []byte{0}},
	} {
		t.Run(name, func(t *testing.T) {
			v := feedtest.New(t, 16<<20)
			in := &endless{head: strings.NewReader(c.version), more: c.more}
			var err error
			v.Run(func(sink feed.Sink) {
				room := feed.NamesOf(sink)
				defer room.Close()
				m := &meter{room: room}
				var e *exptrace.Reader
				for e, _, err = newEvents(in, m); err == nil; _, err = nextEvent(e) {
				}
				m.done()
				testkit.That(t, room.TakeData(1<<20), "what was held is not given back")
			})
			if !testkit.Race { // which takes memory of its own
				v.Check(t)
			}
			testkit.That(t, err != nil && in.read <= 16<<20, "%d bytes were read: %v", in.read, err)
		})
	}
}

// What is weighed is the generation that is being read, in whatever pieces its bytes come, and all of a real
// trace is followed.
func TestMeterFollowsGenerations(t *testing.T) {
	data := recordings.Read(t, recordings.GoTrace, "game-126.trace")
	weigh := func(r io.Reader) (m meter, most int64) {
		m = meter{r: r, version: 26}
		p := make([]byte, 1<<12)
		for {
			if _, err := m.Read(p); errors.Is(err, io.EOF) {
				return m, most
			} else if err != nil {
				t.Fatal(err)
			}
			most = max(most, m.held)
		}
	}
	whole, most := weigh(bytes.NewReader(data[headSize:]))
	testkit.That(t, len(whole.head) == 0 && whole.left == 0 && !whole.lost && whole.gen != 0 && most != 0 && most <= 64*int64(len(data)),
		"%+v, at most %d bytes", whole, most)
	single, _ := weigh(iotest.OneByteReader(bytes.NewReader(data[headSize:])))
	testkit.That(t, single.held == whole.held && single.gen == whole.gen,
		"%+v in single bytes, %+v in large pieces", single, whole)
}

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
		r := testkit.Must(s.Client().Get(s.URL + "?seconds=0.02"))(t)
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
	testkit.That(t, !g.placed && g.shared == nil, "it is gathered still")
	other := d.newGoroutine(8)
	other.name, other.made = backstage, true
	testkit.That(t, !d.gathers(other), "what another made is gathered")
}
