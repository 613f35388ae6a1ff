package convert_test

import (
	"os"
	"path/filepath"
	"testing"

	"framescope/internal/testkit"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/model/place"
	"framescope/model/store"
)

// opened reads a recording of the tree's testdata.
func opened(t testing.TB, name string) *store.Session {
	t.Helper()
	rec := testkit.Must(load.File(t.Context(), filepath.Join("../../testdata", name), load.Options{}))(t)
	return rec.Session
}

// testPart is a range of a session, all of it where the text is empty.
func testPart(t testing.TB, s *store.Session, text string) *convert.Part {
	t.Helper()
	r := testkit.Must(place.ParseRange(text))(t)
	p := testkit.Must(convert.Of(s, r, nil))(t)
	return p
}

// reopened writes a part and reads the file.
func reopened(t testing.TB, f *convert.Format, p *convert.Part) (s *store.Session, path string) {
	t.Helper()
	testkit.OK(t, f.Check(p))
	path = filepath.Join(t.TempDir(), "again"+f.Ext)
	file := testkit.Must(os.Create(path))(t)
	testkit.OK(t, f.Give(t.Context(), p, file))
	testkit.OK(t, file.Close())
	rec := testkit.Must(load.File(t.Context(), path, load.Options{}))(t)
	return rec.Session, path
}

// complainer is a test of any kind.
type complainer interface {
	Helper()
	Errorf(format string, args ...any)
}
