package report

import (
	"path/filepath"
	"testing"

	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model/place"
	"framescope/model/store"
)

// whyreportOpened returns a recording.
func whyreportOpened(t *testing.T, path string) *store.Session {
	t.Helper()
	rec := testkit.Must(load.File(t.Context(), path, load.Options{}))(t)
	return rec.Session
}

func whyreportOpenCapture(t *testing.T, folder, name string) *store.Session {
	t.Helper()
	return whyreportOpened(t, filepath.Join(recordings.Root(t), "testdata", folder, name))
}

func whyreportRng(t *testing.T, text string) place.TimeRange {
	t.Helper()
	r := testkit.Must(place.ParseRange(text))(t)
	return r
}
