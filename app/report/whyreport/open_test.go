package whyreport

import (
	"path/filepath"
	"testing"

	"framescope/app/load"
	"framescope/app/timerange"
	"framescope/internal/recordings"
	"framescope/model/store"
)

// opened returns a recording.
func opened(t *testing.T, path string) *store.Session {
	t.Helper()
	rec, err := load.File(t.Context(), path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec.Session
}

func openCapture(t *testing.T, folder, name string) *store.Session {
	t.Helper()
	return opened(t, filepath.Join(recordings.Root(t), "testdata", folder, name))
}

func rng(t *testing.T, text string) timerange.Range {
	t.Helper()
	r, err := timerange.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
