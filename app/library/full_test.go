package library

import (
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
	err := l.Close(time.Minute)
	testkit.That(t, err != nil && strings.Contains(err.Error(), "nothing of which is on disk"), "the end says %v", err)
}

// Where the user's own file has all of the session nothing is missing.
func TestUnkeptButRecorded(t *testing.T) {
	l, _ := unkept(t, &Target{Path: filepath.Join(t.TempDir(), "run.prof")})
	testkit.NoErr(t, l.Close(time.Minute))
}
