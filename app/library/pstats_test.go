package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/records"
	"framescope/net/pstats/sessionfile"
)

// play sends frames of a game to a recorder.
func play(e *records.Encoder, from, to int) {
	if from == 0 {
		e.Hello(pstats.ClientHello{Program: "game"})
		e.Threads(0, []string{"Main"})
		e.Collectors([]pstats.CollectorDef{{Index: 1, Name: "App"}})
	}
	for n := from; n < to; n++ {
		e.Frame(&pstats.Frame{Number: uint32(n)}, 10)
	}
}

func framesOf(t *testing.T, path string) int {
	t.Helper()
	raw := sessionfile.NewRaw()
	_, err := sessionfile.ReadFile(path, raw, nil)
	testkit.NoErr(t, err)
	return len(raw.Numbers(0))
}

// The file of a recording is a journal that opens while it grows, and at the end a file of the
// official format.
func TestRecordingIsOfficialAtTheEnd(t *testing.T) {
	l, told := newLibrary(t, 1<<30)
	path := filepath.Join(t.TempDir(), "run.pstats")
	r := l.Record(meta(sourcePStats), &Target{Path: path})
	e := records.NewEncoder(r)
	play(e, 0, 500)
	until(t, "the recording opens with all that came", func() bool {
		s, err := surveyOf(t.Context(), path)
		return err == nil && s.Records == 500
	})
	s, err := FromFile(path)
	testkit.That(t, err == nil && s.Source == sourcePStats && s.Program == "game", "%+v %v", s, err)
	play(e, 500, 900)
	finish(t, r)
	if journal.Is(path) || framesOf(t, path) != 900 {
		t.Errorf("%d frames in the file, 900 came", framesOf(t, path))
	}
	testkit.That(t, strings.Contains(told.all(), "Recorded to "), "told %q", told.all())
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	testkit.That(t, len(left) == 1, "left behind: %q", left)
}

// A long session is caught up with to its end, several times: what was written waits no longer, however
// large the buffers are that it waited in.
func TestRecordingOfALongSession(t *testing.T) {
	l, _ := newLibrary(t, 1<<30)
	r := l.Record(meta(sourcePStats), nil)
	e := records.NewEncoder(r)
	e.Hello(pstats.ClientHello{Program: "game"})
	e.Threads(0, []string{"Main"})
	e.Collectors([]pstats.CollectorDef{{Index: 1, Name: "App"}})
	events := make([]pstats.Event, 2000)
	for i := range events {
		events[i] = pstats.Event{Word: 1 | uint16(i%2)*pstats.StopBit, Time: float32(i)}
	}
	const frames = 2000 // 24 MiB
	for n := range frames {
		r.AwaitRoom(t.Context().Done(), 8*len(events))
		e.Frame(&pstats.Frame{Number: uint32(n), Events: events}, 10)
	}
	for _, name := range []string{"a.pstats", "b.pstats", "c.pstats"} {
		path := filepath.Join(t.TempDir(), name)
		whole, err := r.Start(&Target{Path: path})
		testkit.MustThat(t, err == nil && whole, "%v %v", whole, err)
		r.Stop()
		until(t, "the recording is complete", func() bool { s, ok := r.Recording(); return ok && s.Ended })
		got := framesOf(t, path)
		testkit.That(t, got == frames, "%s: %d frames in the file, %d came", name, got, frames)
	}
	finish(t, r)
}

// A recording that cannot be brought into its format stays as it is, opens, and can be exported
// later.
func TestRecordingStaysAJournal(t *testing.T) {
	l, told := newLibrary(t, 0)
	dir := t.TempDir()
	path := filepath.Join(dir, "run.pstats")
	r := l.Record(meta(sourcePStats), &Target{Path: path})
	play(records.NewEncoder(r), 0, 300)
	until(t, "the recording is on disk", func() bool { s, ok := r.Recording(); return ok && s.Bytes > 0 })
	l.Abort()
	finish(t, r)
	s, err := FromFile(path)
	testkit.NoErr(t, err)
	if text := told.all(); !strings.Contains(text, "stays a journal") || !strings.Contains(text, "framescope sessions export") {
		t.Errorf("told %q", text)
	}
	to := filepath.Join(dir, "later.pstats")
	err = Export(t.Context(), &s, to, false)
	testkit.That(t, err == nil && framesOf(t, to) == 300, "exported %v", err)
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	testkit.That(t, len(left) == 2, "left behind: %q", left)
}

// A folder for recordings that cannot be made is told, tried again, and then gets what came
// meanwhile.
func TestRecordingBeginsWhenItCan(t *testing.T) {
	l, told := newLibrary(t, 0)
	dir := filepath.Join(t.TempDir(), "not", "there")
	path := filepath.Join(dir, "run.pstats")
	r := l.Record(meta(sourcePStats), &Target{Path: path})
	play(records.NewEncoder(r), 0, 100)
	until(t, "the problem is told", func() bool { return strings.Contains(told.all(), "Nothing is recorded to ") })
	s, ok := r.Recording()
	testkit.That(t, ok && s.Err != nil, "%+v", s)
	testkit.NoErr(t, os.MkdirAll(dir, 0o755))
	until(t, "the recording begins", func() bool { s, _ := r.Recording(); return s.Err == nil && s.Bytes > 0 })
	finish(t, r)
	testkit.Equal(t, framesOf(t, path), 100, "frames, 100 came")
}
