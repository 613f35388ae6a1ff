package report

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"framescope/app/load"
	"framescope/internal/testkit"
)

// The time of day at time 0 is the one that the recording gives: its meta.startTime (Firefox), time_nanos (pprof),
// the first row (MSI Afterburner), or its clocks put together (Go, Perfetto).
func TestBegun(t *testing.T) {
	for file, want := range map[string][2]string{
		"firefox/game.json":                   {"2026-11-21T22:29:47.7667617Z", "UTC"},
		"pprof/game-cpu.pprof":                {"2026-11-21T22:25:05.565077431Z", "UTC"},
		"pprof/byhand-edges.pprof":            {"2026-11-21T22:26:40.123456789Z", "UTC"},
		"frametimes/field-afterburner.csv.gz": {"2025-10-24T16:56:05Z", "local"},
		"gotrace/flight-126.trace.gz":         {"2026-11-21T22:24:17.619226915Z", "UTC"},
		"perfetto/py-multi.pftrace.gz":        {"2026-11-21T22:35:49.070735681Z", "UTC"},
		"pstats/levels.pstats":                {"", ""},
		"chrometrace/engine-object.json.gz":   {"", ""},
	} {
		s := testkit.Must(load.File(t.Context(), filepath.Join("../../testdata", file), load.Options{}))(t).Session
		var got summary
		testkit.OK(t, json.Unmarshal([]byte(textOf(t, s, Options{Stats: true, JSON: true})), &got))
		testkit.Equal(t, [2]string{got.Session.Begun, got.Session.BegunBy}, want, "%s", file)
	}
}
