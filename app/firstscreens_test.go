package app

import (
	"path/filepath"
	"testing"

	"framescope/charts/draw/golden"
	"framescope/internal/testkit"
)

// firstScreens are recordings of every kind, by what their picture is called: what a user sees who
// opens one. They are looked at: the first screen answers the first question of who makes such
// recordings.
var firstScreens = map[string]string{
	"chrometrace-frames":   "chrometrace/engine-object.json.gz",
	"chrometrace-async":    "chrometrace/bevy-async.json.gz",
	"cpuprofile":           "cpuprofile/main.cpuprofile",
	"firefox":              "firefox/game-markers.json.gz",
	"folded":               "folded/game-threads.folded",
	"frametimes":           "frametimes/presentmon-v2-case0.csv.gz",
	"frametimes-capframex": "frametimes/byhand-capframex-comments.csv",
	"gotrace":              "gotrace/game-122.trace.gz",
	"perfetto":             "perfetto/sdk-us.pftrace.gz",
	"perfetto-frames":      "perfetto/frametimeline.pftrace.gz",
	"perfscript":           "perfscript/game-events.txt.gz",
	"pprof-cpu":            "pprof/game-cpu.pprof",
	"pprof-heap":           "pprof/game-heap.pprof",
	"pprof-block":          "pprof/game-block.pprof",
	"pprof-goroutine":      "pprof/game-goroutine.pprof",
	"frametimes-mangohud":  "frametimes/byhand-mangohud-0.8-ms.csv",
	"gsttrace":             "gsttrace/latency-tee-queues.log.gz",
	"profilelib":           "profilelib/exhausted.prof",
	"puffin":               "puffin/pfd1.puffin",
	"spall":                "spall/game-v3.spall",
	"speedscope":           "speedscope/game-threads.speedscope.json",
	"speedscope-evented":   "speedscope/game-evented.speedscope.json",
}

// TestFirstScreens compares the window on a recording of each kind with what was looked at.
func TestFirstScreens(t *testing.T) {
	for name, file := range firstScreens {
		t.Run(name, func(t *testing.T) {
			p, _, err := Photo(PhotoOptions{File: filepath.Join("../testdata", file), Width: 1280, Height: 720})
			testkit.NoErr(t, err)
			golden.Check(t, "testdata/first/"+name+".png", p)
		})
	}
}
