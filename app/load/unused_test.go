package load

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestUnused names the flags that mean nothing for a kind of recording, and no others.
func TestUnused(t *testing.T) {
	all := Sources{Label: "thread", Time: "1", FrameTime: "2"}
	for file, want := range map[string][]string{
		"chrometrace/engine-object.json.gz":        {"--label", "--time", "--frame-time"},
		"pprof/game-cpu.pprof":                     {"--time", "--frame-time"},
		"frametimes/byhand-capframex-comments.csv": {"--label"},
		"speedscope/game-evented.speedscope.json":  {"--label", "--time", "--frame-time"},
		"perfetto/frametimeline.pftrace.gz":        {"--label", "--time", "--frame-time"},
	} {
		o := all
		if file == "frametimes/byhand-capframex-comments.csv" {
			o.Time, o.FrameTime = "TimeInSeconds", "MsBetweenPresents"
		}
		rec, err := File(t.Context(), filepath.Join("../../testdata", file), Options{Sources: o})
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if !slices.Equal(rec.Unused, want) {
			t.Errorf("%s: %q, want %q", file, rec.Unused, want)
		}
	}
}
