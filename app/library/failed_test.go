package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"framescope/internal/testkit"
)

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
	err := l.Close(10 * time.Second)
	testkit.That(t, err != nil && strings.Contains(err.Error(), gone) && strings.Contains(err.Error(), journal),
		"the end says %v", err)
	for _, want := range []string{
		"Nothing was recorded to " + gone, "the session is whole in " + l.Dir(), journal + " stays a journal",
	} {
		testkit.That(t, strings.Contains(told.all(), want), "not told %q:\n%s", want, told.all())
	}
}
