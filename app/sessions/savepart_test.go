package sessions

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/clips"
	"framescope/charts/format"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats/gen"
)

// question waits until the window asks where to write.
func question(t *testing.T, g *viewer) {
	t.Helper()
	testkit.WaitUntil(t, "the question", func() bool { g.tick(); return g.ask.Dialog() != nil })
}

// answerPath answers with a path, and waits until something is there.
func answerPath(t *testing.T, g *viewer) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "part.pstats")
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

// A range of time is saved as reports on it have it: of each thread the frames that begin in it.
func TestRangeOfTimeIsSavedAsReported(t *testing.T) {
	t.Setenv("DISPLAY", "") // no dialog of the system
	game, err := gen.New(gen.Options{Spans: 20_000, Tracks: 3, Seed: 5})
	testkit.NoErr(t, err)
	var file bytes.Buffer
	testkit.NoErr(t, game.Write(t.Context(), &file, func(int64, int64) {}))
	recording := filepath.Join(t.TempDir(), "game.pstats")
	testkit.NoErr(t, os.WriteFile(recording, file.Bytes(), 0o600))
	g := newViewer(t, Options{Files: []string{recording}})
	settle(t, g)
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

// Where a part can't be saved a sentence says why.
func TestPartsThatCannotBeSaved(t *testing.T) {
	g := newViewer(t, Options{Files: []string{filepath.Join(testFolder, "..", "..", "testdata", "gsttrace", "truncated.log.gz")}})
	settle(t, g)
	testkit.That(t, !g.ss.SavesParts(), "it is offered")
	begin, end, _ := g.ss.active.Bounds()
	g.ss.View().SelectRange(begin, (begin+end)/2)
	g.ss.SavePart()
	if told := g.told(); !told.Problem || !strings.HasPrefix(told.Text, "a part of a GStreamer session cannot be saved: ") {
		t.Errorf("told %+v", told)
	}
}

// TestReframe makes frames of the calls of a name, none, and those again that are found: each time the recording is
// read anew, and what was shown before is closed.
func TestReframe(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "../spall/game-v3.spall")}})
	settle(t, g)
	found := g.ss.active.Track(g.ss.active.MainTrack()).NumFrames()
	now, ok := g.ss.FramesOf()
	testkit.MustThat(t, ok && now == "" && found != 0, "frames %q, %t, %d found", now, ok, found)
	for _, c := range []struct {
		f feed.Frames
		n int
	}{{"physics", 60}, {feed.NoFrames, 0}, {"nothing is called so", 0}, {"", found}} {
		was := g.ss.active
		g.ss.Reframe(c.f)
		testkit.WaitUntil(t, "the recording with other frames", func() bool {
			g.tick()
			return g.ss.active != was && len(g.ss.store.Sessions()) == 1
		})
		settle(t, g)
		s := g.ss.active
		n := s.Track(s.MainTrack()).NumFrames()
		testkit.That(t, n == c.n, "%d frames of %q, want %d", n, c.f, c.n)
		now, ok := g.ss.FramesOf()
		testkit.That(t, ok && now == c.f, "frames are %q, %t, want %q", now, ok, c.f)
	}
}

// TestFramesThatAreGiven offers no choice where a recording says itself what its frames are.
func TestFramesThatAreGiven(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "gaps.pstats")}})
	settle(t, g)
	_, ok := g.ss.FramesOf()
	testkit.That(t, !ok, "frames of PStats can be chosen")
}
