package app

import (
	"path/filepath"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/internal/testkit"
	"framescope/model/place"
)

// workspaceOf returns the workspace in which a recording opens.
func workspaceOf(t *testing.T, file string) string {
	t.Helper()
	g, err := NewGame(Options{Options: sessions.Options{Files: []string{file}, Deterministic: true}, SettingsPath: "-"})
	testkit.NoErr(t, err)
	t.Cleanup(func() { g.Close() })
	g.stage.width, g.stage.height = 1280, 720
	settle(t, g)
	rest(t, g, -1, -1)
	return g.desk.Workspace()
}

// A recording opens in the workspace for what is in it: one of a pipeline, which was given back in
// another format, in that for pipelines.
func TestWorkspaceByContents(t *testing.T) {
	folder := filepath.Join("..", "testdata")
	for file, want := range map[string]string{
		"gsttrace/latency-tee-queues.log.gz": "Pipeline", "gsttrace/leaks-found.log": "Pipeline", "gsttrace/rusage-threads.log.gz": "Game",
		"speedscope/game-threads.speedscope.json": "Samples", "speedscope/game-evented.speedscope.json": "Game",
		"pprof/game-cpu.pprof": "Profile", "chrometrace/bevy-async.json.gz": "Game", "pstats/late.pstats": "Game",
	} {
		testkit.Equal(t, workspaceOf(t, filepath.Join(folder, filepath.FromSlash(file))), want,
			"%s opens in the workspace", file)
	}
	for _, format := range []convert.Format{convert.ChromeFormat, convert.PerfettoFormat} {
		rec, err := load.File(t.Context(), filepath.Join(folder, "gsttrace", "latency-tee-queues.log.gz"), load.Options{})
		testkit.NoErr(t, err)
		part, err := convert.Of(rec.Session, place.TimeRange{}, nil)
		testkit.NoErr(t, err)
		_, again := converttest.Again(t, &format, part)
		testkit.Equal(t, workspaceOf(t, again), "Pipeline", "given back as %s it opens in the workspace", format.Name)
	}
}
