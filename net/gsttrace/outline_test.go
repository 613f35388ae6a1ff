package gsttrace

import (
	"testing"

	"framescope/internal/recordings"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// TestOutlines compares what is in captures with testdata/outlines.
func TestOutlines(t *testing.T) {
	for name := range truth {
		if recordings.Here(t, recordings.GStreamer, name) {
			feedtest.Outlines(t, Source{}, capturePath(t, name))
		}
	}
}

// TestCases says what becomes of lines, of all versions and damaged ones.
func TestCases(t *testing.T) {
	feedtest.Cases(t, "testdata/cases.txt", func(text string) *store.Session { return decode([]byte(text)) })
}
