package convert_test

import (
	"os"
	"path/filepath"
	"testing"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/model/place"
	"framescope/model/store"
)

// opened reads a recording of the tree's testdata.
func opened(t testing.TB, name string) *store.Session {
	t.Helper()
	rec, err := load.File(t.Context(), filepath.Join("../../testdata", name), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec.Session
}

// testPart is a range of a session, all of it where the text is empty.
func testPart(t testing.TB, s *store.Session, text string) *convert.Part {
	t.Helper()
	r, err := place.ParseRange(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := convert.Of(s, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// reopened writes a part and reads the file.
func reopened(t testing.TB, f *convert.Format, p *convert.Part) (s *store.Session, path string) {
	t.Helper()
	if err := f.Check(p); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "again"+f.Ext)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Give(t.Context(), p, file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := load.File(t.Context(), path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec.Session, path
}

// complainer is a test of any kind.
type complainer interface {
	Helper()
	Errorf(format string, args ...any)
}
