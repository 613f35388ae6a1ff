package report

import (
	"path/filepath"
	"testing"

	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/model/place"
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

func whyreportRng(t *testing.T, text string) place.TimeRange {
	t.Helper()
	r, err := place.ParseRange(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
