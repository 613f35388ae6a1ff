package clips

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"framescope/app/load"
	"framescope/app/report"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/net/framescope"
)

// TestSessionFiles saves recordings of all kinds to session files: what report --stats --json says of the
// file is what it says of the recording, byte by byte, as are its bookmarks.
func TestSessionFiles(t *testing.T) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	paths := recordings.Few(recordings.All(t, reg))
	if testkit.Long {
		paths = append(paths, recordings.Shared(t, reg)...)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			to := filepath.Join(t.TempDir(), filepath.Base(path)+framescope.Extension)
			x := Session{
				Path: path, Name: "recording", Sources: reg,
				Marks: []place.Mark{{Number: 1, Place: place.Place{Kind: place.Frames}}},
			}
			unread, err := x.Save(t.Context(), to, false)
			if err != nil { // nothing of it can be read
				_, also := load.File(t.Context(), path, load.Options{})
				testkit.That(t, also != nil, "%v", err)
				return
			}
			want, cut := described(t, path)
			got, of := described(t, to)
			testkit.MustNoDiff(t, gocmp.Diff(want, got), "the file says something else (-recording +file)")
			testkit.That(t, (cut != nil) == (unread != nil) && of == nil, "%v when saved, %v when read, %v when opened", unread, cut, of)
			text, err := framescope.ReadAttached(to, framescope.Bookmarks)
			testkit.That(t, err == nil && bytes.Contains(text, []byte("number = 1")), "bookmarks: %q, %v", text, err)
			_, err = x.Save(t.Context(), to, false)
			testkit.Fails(t, err, "is there already")
		})
	}
}

// described is the report on a recording, under one name, and the error of reading it.
func described(t *testing.T, path string) (string, error) {
	t.Helper()
	rec, err := load.File(t.Context(), path, load.Options{Name: "recording"})
	testkit.MustThat(t, rec != nil, "%v", err)
	var out bytes.Buffer
	testkit.NoErr(t, report.Write(&out, rec.Session, report.Options{Stats: true, JSON: true}))
	return out.String(), err
}

// Where nothing can be read, of no format or of an unknown version of one, there is no file.
func TestNothingToSave(t *testing.T) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	garbage := filepath.Join(t.TempDir(), "garbage.txt")
	testkit.OK(t, os.WriteFile(garbage, []byte("garbage\n"), 0o600))
	for _, path := range []string{garbage, filepath.Join(recordings.Root(t), "testdata", "spall", "broken-version2.spall")} {
		to := filepath.Join(t.TempDir(), "x.framescope")
		_, err := (&Session{Path: path, Sources: reg}).Save(t.Context(), to, false)
		_, missing := os.Stat(to)
		testkit.That(t, err != nil && errors.Is(missing, fs.ErrNotExist), "%s: %v, %v", path, err, missing)
	}
}

// A part without data is a session without data.
func TestNothing(t *testing.T) {
	reg := testkit.Must(load.Sources{}.Registry())(t)
	path := recordings.File(t, recordings.PStats, "recursion.pstats")
	to := filepath.Join(t.TempDir(), "nothing.framescope")
	x := Session{Path: path, Sources: reg, Part: framescope.Part{Stretch: model.Stretch{Begin: -9, End: -8}}}
	_, err := x.Save(t.Context(), to, false)
	testkit.NoErr(t, err)
	s := open(t, to)
	_, _, some := s.Bounds()
	testkit.That(t, !some && s.Info().Program != "", "%+v", s.Info())
}
