package gsttrace_test

import (
	"testing"

	"framescope/internal/recordings"
)

// capture reads a log, unzipped. Tests of larger ones are skipped where those are absent.
func capture(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, recordings.GStreamer, name)
}
