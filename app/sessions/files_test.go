package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/memory"
	"framescope/app/soak"
	"framescope/internal/aside"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/storm"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/widgets"
)

// A second recording gets a session beside the first one and is shown; taking it away shows the
// other again.
func TestSessionsBesideEachOther(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "nested.pstats")}, Deterministic: true})
	settle(t, g)
	first := g.ss.active
	g.ss.OpenFile(captureFile(t, "levels.pstats"))
	settle(t, g)
	settle(t, g)
	rows := g.ss.Sessions()
	testkit.MustThat(t, len(rows) == 2 && rows[1].Active,
		"%d sessions, the second one shown: %v", len(rows), len(rows) == 2 && rows[1].Active)
	g.ss.Select(first)
	testkit.That(t, g.ss.active == first && g.ss.View().Session() == first,
		"the first session is not shown after a click on it")
	g.ss.forget(first)
	rows = g.ss.Sessions()
	testkit.That(t, len(rows) == 1 && rows[0].Active, "the other session is not shown when the shown one is taken away")
	g.ss.forget(g.ss.active)
	testkit.That(t, g.ss.active == nil && g.ss.View().None() && len(g.ss.Sessions()) == 0,
		"a session is shown after the last was taken away")
}

// What is damaged in a named recording is known to the end, whether it is an error or not.
func TestUnread(t *testing.T) {
	spall := recordings.Read(t, recordings.Spall, "game-v1.spall")
	cut := feedtest.File(t, "cut.spall", spall[:len(spall)-3])
	g := newViewer(t, Options{Files: []string{captureFile(t, "nested.pstats"), cut}, Deterministic: true})
	settle(t, g)
	testkit.Fails(t, g.ss.Unread(), cut+": ", "ends within a record")
	saved := testkit.Must(os.ReadFile("../../net/framescope/testdata/version3.framescope"))(t)
	saved[len(saved)/2] ^= 0x5a
	damaged := feedtest.File(t, "damaged.framescope", saved)
	g = newViewer(t, Options{Deterministic: true, Inputs: []launch.Input{
		launch.File{Path: damaged, Registry: testkit.Must(load.Sources{}.Registry())(t)}}})
	settle(t, g)
	testkit.NoErr(t, g.ss.Close())
	testkit.Fails(t, g.ss.Unread(), damaged+": offset ", "damaged")
}

// A file that cannot be read is a row with a reason, and disturbs nothing else.
func TestFileThatCannotBeRead(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "README.md"), captureFile(t, "nested.pstats")}, Deterministic: true})
	settle(t, g)
	rows := g.ss.Sessions()
	testkit.MustThat(t, len(rows) == 2 && rows[0].Problem != "" && rows[1].Problem == "", "rows: %+v", rows)
	testkit.Equal(t, rows[1].Session.Track(0).NumFrames(), 200, "the other file has … frames")
	testkit.That(t, strings.Contains(fmt.Sprint(g.ss.Unread()), "README.md: not a recording"), "unread: %v", g.ss.Unread())
	testkit.That(t, len(g.ask.Notices.Shown()) == 1 && g.ask.Notices.Shown()[0].Problem,
		"notices: %+v", g.ask.Notices.Shown())
}

// Nothing that the window writes goes over what it shows, by whatever name.
func TestNothingIsWrittenOverWhatIsShown(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.pstats"), filepath.Join(dir, "link")
	content, err := os.ReadFile(captureFile(t, "nested.pstats"))
	testkit.NoErr(t, err)
	testkit.NoErr(t, os.WriteFile(file, content, 0o600))
	g := newViewer(t, Options{Files: []string{file}, Deterministic: true})
	settle(t, g)
	paths := []string{file}
	if os.Link(file, link) == nil {
		paths = append(paths, link)
	}
	var written []string
	write := g.ss.notOver(func(path string) error {
		written = append(written, path)
		return nil
	})
	for _, path := range paths {
		err := write(path)
		testkit.That(t, errors.As(err, new(*aside.InputError)), "%s: %v", path, err)
	}
	err = write(filepath.Join(dir, "b.pstats"))
	testkit.That(t, err == nil && len(written) == 1, "%v, written: %v", err, written)
}

// Files that are dropped on the window are opened where they lie; those that a browser hands over
// by a copy, which is gone when the viewer has ended.
func TestDroppedFiles(t *testing.T) {
	data := testkit.Must(os.ReadFile(captureFile(t, "nested.pstats")))(t)
	dir := t.TempDir()
	testkit.NoErr(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o755))
	for _, name := range []string{"a.pstats", "sub/b.pstats"} {
		testkit.NoErr(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	t.Setenv("TMPDIR", t.TempDir())
	g := newViewer(t, Options{Deterministic: true})
	g.ss.OpenDropped(os.DirFS(dir))
	g.ss.OpenDropped(fstest.MapFS{"c.pstats": {Data: data}})
	for range 3 {
		settle(t, g)
	}
	rows := g.ss.Sessions()
	testkit.MustEqual(t, len(rows), 3, "sessions")
	for _, r := range rows {
		testkit.That(t, r.Problem == "" && r.Session.NumTracks() != 0 && r.Session.Track(0).NumFrames() == 200,
			"%s: %s", r.Name, r.Problem)
	}
	testkit.MustEqual(t, len(g.ss.sources.temp), 1, "copies were made")
	copied := g.ss.sources.temp[0]
	g.ss.Close()
	_, err := os.Stat(copied)
	testkit.That(t, os.IsNotExist(err), "the copy is still there: %v", err)
	testkit.Equal(t, len(g.settings.Recent), 2, "remembered are %v, want the two files on disk", g.settings.Recent)
}

// traceLines returns a trace log of GStreamer, by lines.
func traceLines(t *testing.T) []string {
	t.Helper()
	data := testkit.Must(os.ReadFile(filepath.Join(testkit.Folder, "..", "..", "testdata", "gsttrace", "leaks-refs.log")))(t)
	return strings.SplitAfter(string(data), "\n")
}

// registry lists the kinds of recordings that are opened.
func registry(t *testing.T) feed.Registry {
	t.Helper()
	r := testkit.Must(load.Sources{}.Registry())(t)
	return r
}

// A file that is followed is a live session with a state; closing it stops what reads it.
func TestFollowedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.log")
	g := newViewer(t, Options{Inputs: []launch.Input{launch.File{Path: path, Registry: registry(t)}}})
	pollUntil(t, g, "a session that waits", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && rows[0].State == "waiting for data: the file is not there yet" && rows[0].Followed && rows[0].Live
	})
	lines := traceLines(t)
	testkit.NoErr(t, os.WriteFile(path, []byte(strings.Join(lines[:len(lines)/2], "")), 0o600))
	pollUntil(t, g, "its first half", func(rows []widgets.SessionRow) bool {
		return rows[0].State == "following" && rows[0].Session.Info().Source == "gsttrace" && rows[0].Session.Revision() > 0
	})
	s := g.ss.store.Sessions()[0]
	v := g.ss.views[s]
	testkit.That(t, v != nil && v.Live(), "the view does not follow")
	f := testkit.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
	defer f.Close()
	before := s.Revision()
	testkit.Must(f.WriteString(strings.Join(lines[len(lines)/2:], "")))(t)
	testkit.Must(f.WriteString(strings.Join(lines[:1], "")[:40] + "damaged\n"))(t)
	pollUntil(t, g, "its second half", func([]widgets.SessionRow) bool { return s.Revision() > before })

	saved := filepath.Join(t.TempDir(), "saved.log")
	e, _ := g.ss.hub.EntryOf(s)
	testkit.NoErr(t, save(t.Context(), ownerOf(e.Feed), saved))
	data, err := os.ReadFile(saved)
	testkit.That(t, err == nil && strings.HasPrefix(string(data), strings.Join(lines, "")), "saved %d bytes, %v", len(data), err)

	g.ss.Forget(s)
	pollUntil(t, g, "the session to leave", func(rows []widgets.SessionRow) bool { return len(rows) == 0 })
	g.ss.Close()
	testkit.Fails(t, g.ss.Unread(), "the first is line ")
}

// What can't be followed is told, in the list and in words.
func TestFollowedFileThatIsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	testkit.NoErr(t, os.WriteFile(path, []byte(strings.Repeat("nothing that is known\n", 5000)), 0o600))
	g := newViewer(t, Options{Inputs: []launch.Input{launch.File{Path: path, Registry: registry(t)}}})
	pollUntil(t, g, "the problem", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && strings.Contains(rows[0].Problem, "not a recording that Framescope can follow") && g.ss.ownerOf(rows[0].Session).problem() == rows[0].Problem
	})
	g.ss.Close()
	testkit.Fails(t, g.ss.Unread(), "can follow")
}

// A viewer that ends leaves no goroutine behind, whatever it follows.
func TestInputsEndWithTheViewer(t *testing.T) {
	before := runtime.NumGoroutine()
	dir := t.TempDir()
	l := testkit.Must(launch.Listen(t.Context(), "127.0.0.1:0", load.GStreamer()))(t)
	testkit.NoErr(t, os.WriteFile(filepath.Join(dir, "trace.log"), []byte(strings.Join(traceLines(t), "")), 0o600))
	g := newViewer(t, Options{Inputs: []launch.Input{
		launch.File{Path: filepath.Join(dir, "never"), Registry: registry(t)},
		launch.Folder{Path: dir, Registry: registry(t), Newest: 1},
		l,
	}})
	pollUntil(t, g, "both sessions", func(rows []widgets.SessionRow) bool { return len(rows) == 2 })
	g.ss.Close()
	testkit.WaitUntil(t, "the end of all goroutines", func() bool { return runtime.NumGoroutine() <= before }, func() any {
		buf := make([]byte, 1<<20)
		return string(buf[:runtime.Stack(buf, true)])
	})
}

func TestExtensionOfASavedFile(t *testing.T) {
	s := store.NewSession()
	for path, want := range map[string]string{"a.log": ".log", "a.log.gz": ".log.gz", "b.bin": ".bin", "a": ".pstats"} {
		testkit.Equal(t, extensionOf(s, owner{file: &opened{path: path}}), want, "%s", path)
	}
	s.Apply(model.Info{Source: "gsttrace"})
	testkit.Equal(t, extensionOf(s, owner{in: &launch.Recording{}}), ".log", "a trace from a FIFO")
}

// gone lets a game of a name connect, send frames and go.
func gone(g *viewer, program string, frames int) {
	f := g.ss.hub.NewFeed(feed.Options{Live: true})
	if program != "" {
		f.Define(model.Info{Program: program})
	}
	for n := range frames {
		b := f.Begin()
		b.HasFrame, b.Number, b.Begin, b.End = true, int64(n), int64(n)*1e6, int64(n+1)*1e6
		b.Spans = append(b.Spans, model.Span{Begin: b.Begin, End: b.End})
		f.Publish(b)
	}
	f.Define(model.End{Reason: "gone"})
	g.tick()
}

// A game that connects a thousand times, and a program that only says hello a thousand times, leave
// a bounded list behind; the newest is shown.
func TestSessionsOfGoneGamesAreBounded(t *testing.T) {
	testkit.OneGoroutine(t)
	g := newViewer(t, Options{Deterministic: true})
	for range 3 * maxEnded {
		gone(g, "", 2)
		gone(g, "", 0)
		testkit.MustThat(t, slices.Contains(g.ss.store.Sessions(), g.ss.active),
			"the session that is shown was taken away")
	}
	all := g.ss.store.Sessions()
	testkit.MustThat(t, len(all) <= 1+maxEnded+maxEmpty, "%d sessions are kept", len(all))
	testkit.Equal(t, g.ss.active, all[len(all)-1], "the newest game is not the one that is shown")
	feeds, views := len(g.ss.hub.Entries()), len(g.ss.views)
	testkit.That(t, feeds == len(all) && views == len(all), "%d feeds and %d views for %d sessions", feeds, views, len(all))
	g.ss.hub.NewFeed(feed.Options{}).Define(model.TrackDef{})
	g.tick()
	testkit.That(t, g.ss.active != all[len(all)-1] && !g.ss.Live(), "a file counts as live before its first data")
}

// Sessions with hardly anything in them do not take the place of one with much, however many come
// after it.
func TestLongSessionsStayLongest(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	for i := range 3 * maxEnded {
		if i == 5 {
			gone(g, "long", 100)
		} else {
			gone(g, "short", 2)
		}
	}
	n := len(g.ss.store.Sessions())
	testkit.That(t, n <= maxEnded+1, "%d sessions are kept", n)
	for _, s := range g.ss.store.Sessions() {
		if s.Info().Program == "long" {
			return
		}
	}
	t.Error("the long session was taken away")
}

// A session that has left memory is not one that brought nothing.
func TestSessionsThatLeftMemoryStay(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	gone(g, "long", 100)
	long := g.ss.store.Sessions()[0]
	g.ss.store.MemoryLimit = 1
	gone(g, "next", 2)
	_, _, some := long.Bounds()
	testkit.MustThat(t, !some, "nothing left memory")
	g.ss.store.MemoryLimit = 256 << 20
	for range 3 * maxEnded {
		gone(g, "short", 2)
	}
	testkit.That(t, slices.Contains(g.ss.store.Sessions(), long), "the long session was taken away")
}

// A client with 65,536 threads costs a good game beside it nothing, and the viewer no more than it
// may take; each of its frames is on the account.
func TestVeryManyThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("so many threads take minutes where each access to memory is watched")
	}
	const threads, limit = 1 << 16, 128 << 20
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	testkit.SetXDG(t, "XDG_STATE_HOME", t.TempDir())
	g := newViewer(t, Options{Listen: "127.0.0.1:0", MemoryLimit: limit})
	g.ss.memory.Stands(0) // there is no window to wait for
	tick := g.tick
	tick()
	empty := memory.Look().Resident
	addr := g.ss.sources.server.Addr().String()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var sent soak.Sent
	ends := make(chan error, 2)
	go func() { ends <- soak.Load{Addr: addr, Name: "good", Rate: 960, Threads: 2, Spans: 100}.Run(ctx, &sent) }()
	testkit.WaitUntil(t, "the first frames of the good game", func() bool { tick(); return sent.Frames() >= 30 })
	go func() { ends <- storm.Wide{Addr: addr, Threads: threads, Frames: 1}.Run(ctx) }()
	ledger := func(program string) (l model.Ledger) {
		for _, e := range g.ss.hub.Entries() {
			if e.Session.Info().Program == program {
				return e.Session.Ledger()
			}
		}
		return l
	}
	most, after := int64(0), int64(0)
	testkit.WaitUntil(t, "all of the wide client, and frames of the good one after that", func() bool {
		if ledger("wide").Sent < threads {
			after = sent.Frames()
		}
		tick()
		most = max(most, memory.Look().Resident-empty)
		return ledger("wide").Sent >= threads && sent.Frames() >= after+30
	}, func() any { return ledger("wide") })
	stop()
	for range cap(ends) {
		testkit.NoErr(t, <-ends)
	}
	wide, good := ledger("wide"), ledger("good")
	t.Logf("at most %d MiB above the empty program; wide: %+v; good: %+v", most>>20, wide, good)
	testkit.That(t, wide.Sent == threads && wide.Received != 0 && wide.Received+wide.Ours == threads && wide.Ours != 0,
		"%d frames were sent: %+v", threads, wide)
	testkit.That(t, good.Received >= 2*after && good.Lost() == 0 && good.Evicted == 0, "of the good game: %+v", good)
	testkit.That(t, most <= limit+limit/memory.Slack,
		"%d MiB above the empty program, %d and a fifth are allowed", most>>20, limit>>20)
}

// stormTrial plays one good game and a storm of damaged sessions into a viewer without a window,
// which is polled as often as one with a window.
type stormTrial struct {
	sessions int
	each     time.Duration // a session, at least
	rate     int           // frames a second of the good game
	limit    int64         // of memory, bytes
	atMost   time.Duration // that all of it may take

	ticks             int
	worst             time.Duration // tick
	busiest           time.Duration // tick, by the processor's time: what else the machine does left out
	slow              int           // ticks of more than 50 ms
	resident          int64         // most, above what the empty program takes
	files             int           // most descriptors
	sent              int64         // frames of the good game
	received, stormed int
	listed            int // most sessions in the list
	silent            int
	residents         []int64 // each second, MiB
}

func (s *stormTrial) run(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	testkit.SetXDG(t, "XDG_STATE_HOME", t.TempDir())
	g := newViewer(t, Options{Listen: "127.0.0.1:0", MemoryLimit: s.limit})
	g.ss.memory.Stands(0) // there is no window to wait for
	tick := func() {
		began, cpu := time.Now(), threadTime()
		g.tick()
		took := time.Since(began)
		s.busiest = max(s.busiest, threadTime()-cpu)
		s.ticks++
		s.worst = max(s.worst, took)
		if took > 50*time.Millisecond {
			s.slow++
		}
	}
	runtime.LockOSThread() // for the processor's time
	defer runtime.UnlockOSThread()
	tick()
	empty := memory.Look().Resident

	addr := g.ss.sources.server.Addr().String()
	ctx, stop := context.WithTimeout(t.Context(), s.atMost)
	defer stop()
	var sent soak.Sent
	playing, played := context.WithCancel(ctx)
	good := make(chan error, 1)
	go func() {
		load := soak.Load{Addr: addr, Name: "good", Rate: s.rate, Threads: 2, Spans: 100}
		good <- load.Run(playing, &sent)
	}()
	var over atomic.Bool
	go func() {
		defer over.Store(true)
		damaged := storm.Storm{Addr: addr, Sessions: s.sessions, Each: s.each, Seed: 1}
		s.stormed = damaged.Run(ctx)
		played()
	}()

	second := time.Now()
	for ended := false; !ended && ctx.Err() == nil; {
		tick()
		s.listed = max(s.listed, len(g.ss.hub.Entries()))
		if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
			s.files = max(s.files, len(entries))
		}
		now := memory.Look().Resident - empty
		s.resident = max(s.resident, now)
		if time.Since(second) >= time.Second {
			second = time.Now()
			s.residents = append(s.residents, now>>20)
		}
		for _, e := range g.ss.hub.Entries() { // until the good game's end has come, too
			if _, gone := e.Session.Ended(); gone && e.Session.Info().Program == "good" {
				ended = over.Load()
			}
		}
		time.Sleep(time.Second/60 - time.Since(second)%(time.Second/60)) // the pace of a window
	}
	err := <-good
	testkit.That(t, err == nil, "the good game: %v", err)
	s.sent = sent.Frames()
	for _, e := range g.ss.hub.Entries() {
		if e.Session.Info().Program == "good" && e.Session.NumTracks() > 0 {
			l := e.Session.Ledger()
			s.received = int(l.Received)
			testkit.Equal(t, l.Lost(), 0, "of the good game … frames are lost: %+v", l)
		}
	}
	s.silent = g.ss.Silent().Nothing
	testkit.That(t, s.stormed >= s.sessions*9/10,
		"%d sessions of the storm came, %d were wanted", s.stormed, s.sessions)
}

func (s *stormTrial) log(t *testing.T) {
	t.Logf("%d sessions in %d ticks: worst tick %v, by the processor's time %v; %d over 50 ms",
		s.stormed, s.ticks, s.worst, s.busiest, s.slow)
	t.Logf("at most %d MiB above the empty program, %d descriptors, %d sessions listed; %d clients silent",
		s.resident>>20, s.files, s.listed, s.silent)
	t.Logf("the good game: %d frames sent, %d received (all threads)", s.sent, s.received)
	t.Logf("MiB each second: %v", s.residents)
}

// A storm of damaged sessions costs a good game nothing, and the viewer little. The full form is
// TestStormFull.
func TestStorm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	s := stormTrial{sessions: 80, each: 75 * time.Millisecond, rate: 30, limit: 256 << 20, atMost: time.Minute}
	s.run(t)
	s.log(t)
	testkit.That(t, s.files <= 110, "%d descriptors", s.files)
	testkit.Equal(t, s.received, 2*int(s.sent), "of the good game … frames of %d were received", 2*s.sent)
	testkit.That(t, s.silent != 0, "no client was silent: the storm is too mild")
}

// Frames that come while the window gets no time wait on disk, and come back when it does: none is dropped.
func TestStarvedWindow(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	h := game(g, "Main")
	const frames = 3 * feed.DefaultBatches
	for n := range frames {
		at := float32(n) / 1000
		h.Frame(&pstats.Frame{Number: uint32(n), Events: []pstats.Event{{Time: at}, {Word: pstats.StopBit, Time: at + 0.001}}}, 40)
	}
	pollUntil(t, g, "the frames that wait on disk are told", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && strings.Contains(rows[0].OnDisk, "frames wait on disk until the viewer keeps up")
	})
	h.Close("bye")
	pollUntil(t, g, "all frames", func([]widgets.SessionRow) bool {
		_, ended := g.ss.active.Ended()
		return ended
	})
	l := g.ss.active.Ledger()
	testkit.That(t, l.Received == frames && l.Ours == 0 && l.Sent == frames, "of %d frames: %+v", frames, l)
}

// A live session that does not know the time of day has it from when its first data came; a recording has none.
func TestTimeOfArrival(t *testing.T) {
	now := time.Date(2026, 11, 21, 22, 29, 50, 0, time.UTC)
	for _, c := range []struct {
		info model.Info
		want string
	}{
		{model.Info{}, "2026-11-21 22:29:47.000 (received, UTC)"},
		{model.Info{File: true}, ""},
		{model.Info{ZeroAt: model.DayTime{UnixNs: 86_400e9}}, "1970-01-02 00:00:00.000 (UTC)"},
	} {
		st := store.New(1 << 20)
		s := st.NewSession()
		s.Apply(c.info)
		noteArrival(st, now)
		s.Apply(model.TrackDef{ID: 0, Name: "Main"})
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: 1, Begin: 1e9, End: 3e9})
		noteArrival(st, now)
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: 2, Begin: 3e9, End: 4e9})
		noteArrival(st, now.Add(time.Hour))
		s.Apply(c.info) // the source says more, but not this
		info := s.Info()
		testkit.Equal(t, info.ZeroAt.Words(), c.want, "%+v", c.info)
	}
}
