package library

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
)

// unkept is a session that the library can't keep, as where its folder should be is a file. It is recorded to
// target, and has ended.
func unkept(t *testing.T, target *Target) (*Library, *notices) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	testkit.NoErr(t, os.WriteFile(file, nil, 0o600))
	told := &notices{}
	l := Open(Options{Dir: filepath.Join(file, "sessions"), Limit: 1 << 30, Tell: told.tell})
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
	testkit.Fails(t, l.Close(time.Minute), "nothing of which is on disk")
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
