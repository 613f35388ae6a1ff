package report

import (
	"path/filepath"
	"testing"

	"framescope/app/load"
	"framescope/app/timerange"
	"framescope/internal/recordings"
	"framescope/model/store"
)

// whyreportOpened returns a recording.
func whyreportOpened(t *testing.T, path string) *store.Session {
	t.Helper()
	rec, err := load.File(t.Context(), path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rec.Session
}

func whyreportOpenCapture(t *testing.T, folder, name string) *store.Session {
	t.Helper()
	return whyreportOpened(t, filepath.Join(recordings.Root(t), "testdata", folder, name))
}

func whyreportRng(t *testing.T, text string) timerange.Range {
	t.Helper()
	r, err := timerange.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
