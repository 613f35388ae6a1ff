package sessions

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"framescope/app/clips"
	"framescope/app/library"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/gen"
	"framescope/net/pstats/sessionfile"
	"framescope/widgets"
)

// Clients that send garbage make as many lines as they like; the log takes some and counts the
// rest.
func TestLogIsBounded(t *testing.T) {
	var out strings.Builder
	writeLog(&out, []string{"a", "b"}, 2)
	writeLog(&out, []string{"c"}, 1001)
	want := "framescope: a\nframescope: b\nframescope: c\nframescope: and 1000 lines more\n"
	testkit.Equal(t, out.String(), want, "the log says")
}

func TestSilence(t *testing.T) {
	const s = time.Second
	start := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		since, usual, step time.Duration // since the last arrival; below 0: since the beginning, nothing came
		waiting            bool
		want               widgets.Silence
	}{
		"just came":                {since: s / 10, usual: s / 4},
		"between two frames":       {since: s / 2, usual: s / 4},
		"a stopped game":           {since: 3 * s / 4, usual: s / 4, want: widgets.Silence{Ns: int64(3 * s / 4), UsualNs: int64(s / 4), Overdue: true}},
		"a slow log":               {since: 3 * s, usual: 2 * s, want: widgets.Silence{Ns: int64(3 * s), UsualNs: int64(2 * s)}},
		"a slow log that stopped":  {since: 5 * s, usual: 2 * s, want: widgets.Silence{Ns: int64(5 * s), UsualNs: int64(2 * s), Overdue: true}},
		"one batch, then nothing":  {since: 2*s + 1, want: widgets.Silence{Ns: int64(2*s + 1), Overdue: true}},
		"slow samples":             {since: 3 * s, usual: s / 4, step: 2 * s, want: widgets.Silence{Ns: int64(3 * s), UsualNs: int64(s / 4)}},
		"connected this moment":    {since: -s / 2},
		"connected":                {since: -2 * s, want: widgets.Silence{Ns: int64(2 * s), Nothing: true}},
		"connected for long":       {since: -25 * s, want: widgets.Silence{Ns: int64(25 * s), Nothing: true, Overdue: true}},
		"a file that is not there": {since: -25 * s, waiting: true},
		"a lost connection":        {since: 25 * s, usual: s / 4, waiting: true, want: widgets.Silence{Ns: int64(25 * s), UsualNs: int64(s / 4), Overdue: true}},
	} {
		p := feed.Pulse{Since: start, LastAt: start, Usual: c.usual}
		now := start.Add(c.since)
		if c.since < 0 {
			p.LastAt, now = time.Time{}, start.Add(-c.since)
		}
		testkit.Equal(t, silence(p, c.step, c.waiting, now), c.want, "%s", name)
	}
}

// What a source warns of is told in the window, once, for the session that is shown.
func TestWarningsAreTold(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "nested.pstats")}, Deterministic: true})
	settle(t, g)
	told := func() (n int) {
		for range slices.DeleteFunc(slices.Clone(g.ask.Notices.Shown()), func(n workspace.Notice) bool { return n.Text != "too slow" }) {
			n++
		}
		return n
	}
	g.ss.active.Apply(model.Warning{Text: "too slow"})
	for range 3 {
		g.ss.active.Apply(model.Warning{Text: "too slow"})
		settle(t, g)
	}
	n := told()
	testkit.That(t, n == 1, "told %d times: %+v", n, g.ask.Notices.Shown())
	g.ss.forget(g.ss.active)
	testkit.Equal(t, len(g.ss.warned), 0, "what was told is remembered of a session that is gone")
}

// Sessions that are called alike say by which file they are, and where the files are called alike, too, in
// which folder; what has a name of its own says nothing more. The menu of a row acts on that session.
func TestSessionsThatAreCalledAlike(t *testing.T) {
	bytes := testkit.Must(os.ReadFile(captureFile(t, "nested.pstats")))(t)
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"one/run.pstats", "two/run.pstats", "two/other.pstats"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(path), 0o755)
		testkit.NoErr(t, os.WriteFile(path, bytes, 0o644))
		files = append(files, path)
	}
	g := newViewer(t, Options{Files: append(files, captureFile(t, "late.pstats"))})
	testkit.WaitUntil(t, "all recordings", func() bool {
		g.tick()
		rows, n := g.ss.Sessions(), 0
		for i := range rows {
			if _, ended := rows[i].Session.Ended(); ended {
				n++
			}
		}
		return n == 4
	})
	got := map[string]bool{}
	for _, r := range g.ss.Sessions() {
		got[filepath.ToSlash(r.Apart)] = true
	}
	testkit.That(t, got["one/run.pstats"] && got["two/run.pstats"] && got["other.pstats"] &&
		got[""] == (g.ss.Sessions()[0].Called() != g.ss.Sessions()[3].Called()), "told apart by %v", got)
	row := g.ss.Sessions()[1]
	testkit.Equal(t, g.ss.NameApart(row.Session), row.Called()+" ("+row.Apart+")", "a notice names it")
	g.ss.Offer(row.Session)
	testkit.WaitUntil(t, "the menu", func() bool { g.tick(); return g.ask.Menu() != nil })
	g.ask.Menu().Items[0].Run()
	testkit.Equal(t, g.ss.active, row.Session, "the menu shows another session")
}

func framesIn(t *testing.T, path string) int64 {
	t.Helper()
	info := testkit.Must(sessionfile.ReadFile(path, sessionfile.NewRaw(), nil))(t)
	return info.Frames
}

// With --record, each session is in a file of its own when the program ends, of the official
// format.
func TestRecordOption(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "run.pstats")
	testkit.NoErr(t, os.WriteFile(mine, []byte("mine"), 0o644))
	g := newViewer(t, Options{Listen: "127.0.0.1:0", Record: mine, Deterministic: true})
	play(t, g, "fragmented")
	play(t, g, "fragmented")
	g.ss.Close()
	for _, name := range []string{"run-2.pstats", "run-3.pstats"} {
		testkit.Equal(t, framesIn(t, filepath.Join(dir, name)), 60, "%s holds … frames, the client sent 60", name)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	got, _ := os.ReadFile(mine)
	testkit.That(t, len(left) == 3 && string(got) == "mine", "there are %v, and %q", left, got)
}

// The button records a session from its first frame on, whenever it is pressed, also when the
// session has ended; what was saved can be opened, and an opened one be saved.
func TestRecordButton(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	play(t, g, "fragmented")
	t.Chdir(t.TempDir())
	g.ss.toggleRecord()
	g.ss.sources.work.Wait()
	files, _ := filepath.Glob("*.pstats")
	testkit.MustEqual(t, len(files), 1, "recorded to %v", files)
	testkit.Equal(t, framesIn(t, files[0]), 60, "the recording holds … frames, the client sent 60")
	e, _ := g.ss.hub.EntryOf(g.ss.active)
	testkit.NoErr(t, save(t.Context(), ownerOf(e.Feed), "y.pstats"))
	testkit.NoErr(t, save(t.Context(), owner{file: &opened{path: "y.pstats"}}, "z.pstats"))
	testkit.Equal(t, framesIn(t, "z.pstats"), 60, "the copy holds … frames")
	err := save(t.Context(), owner{file: &opened{path: "none.pstats"}}, "z.pstats")
	testkit.That(t, err != nil, "a file that is gone was copied")
	testkit.Equal(t, framesIn(t, "z.pstats"), 60, "a failed save destroyed the file that was there")
}

// A game that is recorded in its middle is there from its first frame on, while it runs and when it
// has ended.
func TestRecordInTheMiddle(t *testing.T) {
	g := keptViewer(t, t.TempDir())
	t.Chdir(t.TempDir())
	h := game(g, "Main")
	frame := func(n int) { h.Frame(&pstats.Frame{Number: uint32(n)}, 10) }
	for n := range 100 {
		frame(n)
	}
	for g.ss.active == nil {
		g.tick()
	}
	g.ss.toggleRecord()
	for n := range 100 {
		frame(100 + n)
	}
	s, ok := g.ss.recording(g.ss.active)
	if label, tip, _ := g.ss.recordChip(); !ok || !strings.HasPrefix(label, "● rec ") || !strings.Contains(tip, filepath.Base(s.Path)) {
		t.Errorf("%q, %q", label, tip)
	}
	h.Close("bye")
	g.ss.Close()
	files, _ := filepath.Glob("*")
	testkit.MustEqual(t, len(files), 1, "recorded to %v", files)
	testkit.Equal(t, framesIn(t, files[0]), 200, "the recording holds … frames, the client sent 200")
}

// A session outlives its viewer, its place on the screen, and the next session.
func TestSessionsAreKept(t *testing.T) {
	home := t.TempDir()
	g := keptViewer(t, home)
	play(t, g, "fragmented")
	play(t, g, "fragmented")
	g.ss.forget(g.ss.store.Sessions()[0])
	g.ss.Close()
	h := keptViewer(t, home)
	play(t, h, "fragmented")
	h.ss.Close()
	all := h.ss.library.Sessions()
	testkit.MustEqual(t, len(all), 3, "%d of three sessions are on disk", len(all))
	for _, s := range all {
		testkit.That(t, s.State == library.Ended && s.Frames() == 60, "%+v: the client sent 60 frames", s)
	}
}

// A notice that something is not recorded goes when it is no longer so.
func TestNoticesThatAreOver(t *testing.T) {
	g := newViewer(t, Options{Deterministic: true})
	g.ss.noticeOfLibrary(library.Notice{Text: "game is not recorded since frame 1", Problem: true})
	g.ss.noticeOfLibrary(library.Notice{Text: "game is recorded again", Over: "game is not recorded"})
	g.tick()
	n := g.ask.Notices.Shown()
	testkit.That(t, len(n) == 1 && n[0].Text == "game is recorded again", "told %+v", n)
}

// The end of another session has a notice, unless it is a stranger's with hardly any frames.
func TestEndsOfStrangersHaveNoNotice(t *testing.T) {
	for frames, want := range map[int64]int{fewFrames - 1: 0, fewFrames: 1} {
		g, s := newViewer(t, Options{}), store.NewSession()
		s.Apply(model.Info{Source: "pstats", Program: "Stranger"})
		s.Apply(model.TrackDef{Name: "Main"})
		for i := range frames {
			s.Append(&model.Batch{HasFrame: true, Number: i, Begin: i * 1e6, End: (i + 1) * 1e6})
		}
		s.Apply(model.End{Reason: "it disconnected"})
		g.ask.NotifyUntilSeen("Stranger", " is connected, too")
		g.ss.noteEnd(s)
		g.tick()
		n := g.ask.Notices.Shown()
		testkit.That(t, len(n) == want && (want == 0 || n[0].Text == "Stranger has ended: it disconnected"), "%d frames: %+v", frames, n)
	}
}

// When the shown session has ended, a stranger's few frames do not take its place; those of a game do.
func TestStrangersDoNotTakeTheView(t *testing.T) {
	g := newViewer(t, Options{})
	ended, stranger, game := store.NewSession(), store.NewSession(), store.NewSession()
	for s, frames := range map[*store.Session]int64{ended: 20, stranger: fewFrames - 1, game: fewFrames} {
		s.Apply(model.Info{Source: "pstats", Program: "game"})
		s.Apply(model.TrackDef{Name: "Main"})
		for i := range frames {
			s.Append(&model.Batch{HasFrame: true, Number: i, Begin: i * 1e6, End: (i + 1) * 1e6})
		}
		g.ss.views[s] = view.New(s)
	}
	ended.Apply(model.End{Reason: "it disconnected"})
	g.ss.activate(ended)
	g.ss.heirs = []*store.Session{stranger}
	g.ss.succeed()
	testkit.That(t, g.ss.active == ended, "a stranger took the view")
	g.ss.heirs = append(g.ss.heirs, game)
	g.ss.succeed()
	testkit.That(t, g.ss.active == game, "the game did not take the view")
}

// question waits until the window asks where to write.
func question(t *testing.T, g *viewer) {
	t.Helper()
	testkit.WaitUntil(t, "the question", func() bool { g.tick(); return g.ask.Dialog() != nil })
}

// answerPath answers with a path, and waits until something is there.
func answerPath(t *testing.T, g *viewer) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "part"+filepath.Ext(g.ask.Dialog().Field.Text()))
	g.ask.Dialog().Field.SetText(path)
	g.ask.Dialog().Enter()
	testkit.WaitUntil(t, "it is saved", func() bool { g.tick(); _, err := os.Stat(path); return err == nil })
	return path
}

// opensPart opens what was saved, and waits until all of it is shown.
func opensPart(t *testing.T, g *viewer, path string) {
	t.Helper()
	whole := g.ss.active
	g.ss.OpenFile(path)
	testkit.WaitUntil(t, "it is opened", func() bool {
		g.tick()
		_, ended := g.ss.active.Ended()
		return g.ss.active != whole && ended
	})
}

// What is selected becomes a session of its own: the frames, their numbers and their times are those of
// the selection. Where nothing is selected that is said.
func TestSaveOnlyTheSelection(t *testing.T) {
	t.Setenv("DISPLAY", "") // no dialog of the system
	g := newViewer(t, Options{Files: []string{captureFile(t, "nested.pstats")}})
	settle(t, g)
	g.ss.View().ClearSelection()
	g.ss.SavePart()
	told := g.told().Text
	testkit.That(t, strings.HasPrefix(told, "Select frames"), "of nothing: %q", told)
	whole := g.ss.active
	g.ss.View().SelectFrames(20, 29)
	g.ss.SavePart()
	question(t, g)
	if d := g.ask.Dialog(); d.Name != "Save frames 21 to 30 as a session" || !strings.Contains(d.Field.Text(), "frames-21-to-30") {
		t.Errorf("asks %q, %q", d.Name, d.Field.Text())
	}
	opensPart(t, g, answerPath(t, g))
	a, b := whole.Track(0), g.ss.active.Track(0)
	testkit.MustEqual(t, b.NumFrames(), 10, "frames were saved")
	for i := range 10 {
		x, y := a.Frame(20+i), b.Frame(i)
		testkit.That(t, x == y, "%+v was saved as %+v", x, y)
	}
}

// A time that begins and ends inside frames is saved as these frames, which is said.
func TestFramesAreSavedWhole(t *testing.T) {
	t.Setenv("DISPLAY", "") // no dialog of the system
	g := newViewer(t, Options{Files: []string{captureFile(t, "nested.pstats")}})
	settle(t, g)
	f := g.ss.active.Track(0).Frame(20)
	v := g.ss.View()
	v.SelectRange(f.Begin+(f.End-f.Begin)/4, f.Begin+(f.End-f.Begin)/2)
	g.ss.SavePart()
	question(t, g)
	d := g.ask.Dialog()
	testkit.That(t, d.Name == "Save all of frame 21 as a session", "asks %q", d.Name)
	answerPath(t, g)
	over := string(format.AppendDuration(nil, f.End-f.Begin-((f.End-f.Begin)/2-(f.End-f.Begin)/4)))
	testkit.WaitUntil(t, "that is said", func() bool {
		g.tick()
		return strings.Contains(g.told().Text, "frames are saved whole: these take "+over+" more than is selected")
	})
}

// viewerOfGame opens a recording of a generated game.
func viewerOfGame(t *testing.T, o gen.Options) *viewer {
	t.Helper()
	game := testkit.Must(gen.New(o))(t)
	var file bytes.Buffer
	testkit.NoErr(t, game.Write(t.Context(), &file, func(int64, int64) {}))
	recording := filepath.Join(t.TempDir(), "game.pstats")
	testkit.NoErr(t, os.WriteFile(recording, file.Bytes(), 0o600))
	g := newViewer(t, Options{Files: []string{recording}})
	settle(t, g)
	return g
}

// A range of time is saved as reports on it have it: of each thread the frames that begin in it.
func TestRangeOfTimeIsSavedAsReported(t *testing.T) {
	t.Setenv("DISPLAY", "") // no dialog of the system
	g := viewerOfGame(t, gen.Options{Spans: 20_000, Tracks: 3, Seed: 5})
	whole := g.ss.active
	f, l := whole.Track(0).Frame(5), whole.Track(0).Frame(15)
	from, to := (f.Begin+f.End)/2, (l.Begin+l.End)/2
	want := clips.Time(from, to).Frames(whole)
	testkit.MustThat(t, whole.NumTracks() >= 2 && want.N > want.Own && want.Own >= 9, "a poor example: %+v", want)
	g.ss.View().SelectRange(from, to)
	g.ss.SavePart()
	question(t, g)
	if d := g.ask.Dialog(); d.Name != fmt.Sprintf("Save the selected time, %d frames of all threads, as a session", want.N) {
		t.Errorf("asks %q", d.Name)
	}
	opensPart(t, g, answerPath(t, g))
	n := 0
	for id := range model.TrackID(g.ss.active.NumTracks()) {
		n += g.ss.active.Track(id).NumFrames()
	}
	testkit.Equal(t, int64(n), want.N, "%d frames were saved", n)
}

// The window offers to judge a game by the lower rate that it keeps, and remembers that for the program. It offers
// nothing for a game that keeps the rate of the settings.
func TestRateIsOffered(t *testing.T) {
	for hz, offered := range map[float64]bool{40: true, 60: false} {
		g := viewerOfGame(t, gen.Options{Spans: 20_000, Tracks: 1, FrameSpans: 30, Seed: 5, Hz: hz, HitchEvery: 100})
		g.tick()
		i := slices.IndexFunc(g.ask.Notices.Shown(), func(n workspace.Notice) bool { return strings.Contains(n.Text, " keeps ") })
		testkit.MustThat(t, (i >= 0) == offered, "%v Hz: it says %+v", hz, g.ask.Notices.Shown())
		if !offered {
			continue
		}
		notice, program := g.ask.Notices.Shown()[i], g.ss.active.Info().Program
		var keeps float64
		_, err := fmt.Sscanf(strings.TrimPrefix(notice.Text, program), " keeps %f Hz: judge", &keeps)
		testkit.MustThat(t, err == nil && keeps > 38 && keeps < 46, "%v: it offers %q", err, notice.Text)
		notice.Run()
		testkit.Equal(t, g.ss.View().Look().FrameBudgetNs(), int64(1e9/keeps+0.5), "frames are judged by")
		testkit.Equal(t, g.settings.FrameMs[program], 1000/keeps, "kept for the program")
		g.settings.SetBudget(20)
		testkit.Equal(t, len(g.settings.FrameMs), 0, "programs of their own when a time for all is set")
	}
}

// A part of a session of any source is saved as a session file.
func TestPartOfAnySource(t *testing.T) {
	t.Setenv("DISPLAY", "") // no dialog of the system
	g := newViewer(t, Options{Files: []string{captureFile(t, "../spall/game-v3.spall")}})
	settle(t, g)
	whole := g.ss.active
	begin, end, _ := whole.Bounds()
	g.ss.View().SelectRange(begin, (begin+end)/2)
	g.ss.SavePart()
	question(t, g)
	path := answerPath(t, g)
	testkit.Equal(t, filepath.Ext(path), ".framescope", "the file that is suggested")
	opensPart(t, g, path)
	a, b := whole.Track(whole.MainTrack()), g.ss.active.Track(g.ss.active.MainTrack())
	testkit.MustThat(t, b.NumFrames() > 2 && b.NumFrames() < a.NumFrames(), "%d of %d frames", b.NumFrames(), a.NumFrames())
	for i := range b.NumFrames() {
		testkit.Equal(t, b.Frame(i), a.Frame(i), "frame %d", i)
	}
}

// TestFramesThatAreGiven offers no choice where a recording says itself what its frames are.
func TestFramesThatAreGiven(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "gaps.pstats")}})
	settle(t, g)
	_, ok := g.ss.FramesOf()
	testkit.That(t, !ok, "frames of PStats can be chosen")
}
