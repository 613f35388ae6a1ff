package library

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/sessionfile"
)

// play sends frames of a game to a recorder.
func play(e *decode.Encoder, from, to int) {
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
	testkit.Must(sessionfile.ReadFile(path, raw, nil))(t)
	return len(raw.Numbers(0))
}

// The file of a recording is a journal that opens while it grows, and at the end a file of the
// official format.
func TestRecordingIsOfficialAtTheEnd(t *testing.T) {
	l, told := newLibrary(t, 1<<30)
	path := filepath.Join(t.TempDir(), "run.pstats")
	r := l.Record(meta(sourcePStats), &Target{Path: path})
	e := decode.NewEncoder(r)
	play(e, 0, 500)
	until(t, "the recording opens with all that came", func() bool {
		s, err := surveyOf(t.Context(), path)
		return err == nil && s.Records == 500
	})
	s, err := FromFile(path)
	testkit.That(t, err == nil && s.Source == sourcePStats && s.Program == "game", "%+v %v", s, err)
	play(e, 500, 900)
	finish(t, r)
	testkit.That(t, !journal.Is(path) && framesOf(t, path) == 900, "%d frames in the file, 900 came", framesOf(t, path))
	testkit.That(t, strings.Contains(told.all(), "Recorded to "), "told %q", told.all())
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	testkit.That(t, len(left) == 1, "left behind: %q", left)
}

// A session file is the journal itself, of any source, and stays one.
func TestRecordingIsASessionFile(t *testing.T) {
	l, told := newLibrary(t, 1<<30)
	for _, source := range []string{sourcePStats, sourceProfileLib, sourceFlare} {
		path := filepath.Join(t.TempDir(), "run.framescope")
		r := l.Record(meta(source), &Target{Path: path})
		for i := range 100 {
			r.Data(piece(i))
		}
		finish(t, r)
		rd, err := journal.Open(path)
		testkit.MustThat(t, err == nil && rd.Meta().Source == source, "%s: %v; told %q", source, err, told.all())
		n := 0
		for rec, err := rd.Next(); err == nil; rec, err = rd.Next() {
			if rec.Kind == journal.KindData {
				testkit.Equal(t, string(rec.Payload), string(piece(n)), "record %d", n)
				n++
			}
		}
		rd.Close()
		testkit.Equal(t, n, 100, "%s: records", source)
	}
}

// A recording that cannot be brought into its format stays as it is, opens, and can be exported
// later.
func TestRecordingStaysAJournal(t *testing.T) {
	l, told := newLibrary(t, 0)
	dir := t.TempDir()
	path := filepath.Join(dir, "run.pstats")
	r := l.Record(meta(sourcePStats), &Target{Path: path})
	play(decode.NewEncoder(r), 0, 300)
	until(t, "the recording is on disk", func() bool { s, ok := r.Recording(); return ok && s.Bytes > 0 })
	l.Abort()
	finish(t, r)
	s := testkit.Must(FromFile(path))(t)
	testkit.Contains(t, told.all(), "stays a journal", "framescope sessions export")
	to := filepath.Join(dir, "later.pstats")
	err := Export(t.Context(), &s, to, false)
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
	play(decode.NewEncoder(r), 0, 100)
	until(t, "the problem is told", func() bool { return strings.Contains(told.all(), "is not recorded since ") })
	s, ok := r.Recording()
	testkit.That(t, ok && s.Err != nil, "%+v", s)
	testkit.NoErr(t, os.MkdirAll(dir, 0o755))
	until(t, "the recording begins", func() bool { s, _ := r.Recording(); return s.Err == nil && s.Bytes > 0 })
	finish(t, r)
	testkit.Equal(t, framesOf(t, path), 100, "frames, 100 came")
}

// unkept is a session that the library can't keep, as where its folder should be is a file. It is recorded to
// target, and has ended.
func unkept(t *testing.T, target *Target) (*Library, *notices) {
	t.Helper()
	t.Parallel() // tests mostly wait for disks
	file := filepath.Join(t.TempDir(), "file")
	testkit.NoErr(t, os.WriteFile(file, nil, 0o600))
	told := &notices{}
	l := Open(Options{Dir: filepath.Join(file, "sessions"), Limit: 1 << 30, Report: told.report})
	r := l.Record(meta(sourceProfileLib), target)
	for i := range 3 {
		r.Data(piece(i))
	}
	until(t, "it is told", func() bool { return strings.Contains(told.all(), "not kept on disk") })
	finish(t, r)
	return l, told
}

// That a session can't be kept is told once, and the end is an error that says what is missing.
func TestUnkeptIsToldOnce(t *testing.T) {
	l, told := unkept(t, nil)
	n := strings.Count(told.all(), "not kept on disk")
	testkit.That(t, n == 1, "told %d times:\n%s", n, told.all())
	testkit.Fails(t, l.Close(time.Minute), "of which no data are on disk")
}

// Where the user's own file has all of the session nothing is missing.
func TestUnkeptButRecorded(t *testing.T) {
	l, _ := unkept(t, &Target{Path: filepath.Join(t.TempDir(), "run.prof")})
	testkit.NoErr(t, l.Close(time.Minute))
}

// What comes faster than the disk writes is kept whole where whoever sends can wait.
func TestBurstIsKeptWhole(t *testing.T) {
	l, told := newLibrary(t, 1<<30)
	path := filepath.Join(t.TempDir(), "run.prof")
	r := l.Record(meta(sourceProfileLib), &Target{Path: path})
	block := bytes.Repeat([]byte("0123456789abcdef"), 4<<10)
	const blocks = 800 // 50 MiB, three times what may wait
	for n := range blocks {
		block[0] = byte(n)
		r.AwaitRoom(t.Context().Done(), len(block))
		testkit.MustThat(t, r.Data(block), "block %d was refused", n)
	}
	finish(t, r)
	s, ok := r.Kept()
	testkit.That(t, ok && s.Refused == 0 && s.Err == nil, "kept: %+v", s)
	st, err := os.Stat(path)
	testkit.That(t, err == nil && st.Size() == int64(blocks*len(block)), "recorded: %v, %v\n%s", st, err, told.all())
}

// What stands there and is no file is neither recorded to nor evaded, and stays.
func TestTargetIsAFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, os.DevNull} {
		target := &Target{Path: path, Force: true}
		err := target.Check()
		testkit.That(t, err != nil, "%s may be recorded to", path)
		got, _, err := target.Claim(false)
		testkit.That(t, err != nil, "%s is recorded to %s", path, got)
		s := Session{Source: sourceProfileLib, Path: path}
		err = Export(t.Context(), &s, path, true)
		testkit.That(t, err != nil && strings.Contains(err.Error(), "name a file"), "exported to %s: %v", path, err)
	}
	testkit.NoErr(t, (&Target{Path: filepath.Join(dir, "new.prof")}).Check())
	list, _ := os.ReadDir(dir)
	testkit.That(t, len(list) == 0, "left behind: %v", list)
}

// A recording that could not be made, and one that stayed a journal, are the error of the end, with
// where the session is.
func TestEndNamesWhatIsNotRecorded(t *testing.T) {
	l, told := newLibrary(t, 1<<30)
	gone := filepath.Join(t.TempDir(), "gone", "run.prof")
	r := l.Record(meta(sourceProfileLib), &Target{Path: gone})
	r.Data(piece(0))
	testkit.NoErr(t, r.Flush())
	finish(t, r)
	// What is no frame of PStats can't be brought into the official format.
	journal := filepath.Join(t.TempDir(), "run.pstats")
	r2 := l.Record(meta(sourcePStats), &Target{Path: journal})
	r2.Data([]byte("x"))
	until(t, "the file is there", func() bool { s, _ := r2.Recording(); return s.Bytes > 0 })
	l.Abort()
	finish(t, r2)
	testkit.Fails(t, l.Close(10*time.Second), gone, journal)
	for _, want := range []string{
		"Nothing was recorded to " + gone, "the session is whole in " + l.Dir(), journal + " could not be completed and stays a journal",
	} {
		testkit.That(t, strings.Contains(told.all(), want), "not told %q:\n%s", want, told.all())
	}
}

// A recording of bytes whose name ends in .zst is compressed at its end.
func TestRecordingIsCompressed(t *testing.T) {
	l, _ := newLibrary(t, 0)
	path := filepath.Join(t.TempDir(), "run.log.zst")
	r := l.Record(meta(sourceGStreamer), &Target{Path: path})
	for n := range 200 {
		r.Data(piece(n))
	}
	finish(t, r)
	packed := testkit.Must(os.ReadFile(path))(t)
	plain := testkit.Must(feed.Uncompressed(bytes.NewReader(packed)))(t)
	got := testkit.Must(io.ReadAll(plain))(t)
	testkit.That(t, bytes.Equal(got, pieces(200)) && len(packed) < len(got), "%d bytes became %d", len(pieces(200)), len(packed))
}
