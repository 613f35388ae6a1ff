package gotrace

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
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

// TestManyGoroutines makes thousands that live shortly: so many get tracks, and the others are told; what
// has regions is shown.
func TestManyGoroutines(t *testing.T) {
	const short, regions = 3000, 50
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
	if works != regions || tracks < regions || tracks > regions+mostMinor+20 || losses[model.LossLimit] < short-mostMinor {
		t.Errorf("%d regions on %d tracks, %q", works, tracks, lines)
	}
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
