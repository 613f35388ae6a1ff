package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/launch"
	"framescope/app/load"
	"framescope/app/sessions"
	"framescope/charts/draw"
	"framescope/internal/testkit"
	"framescope/widgets"
)

// trace is a trace log of GStreamer.
var trace = filepath.Join(testFolder, "..", "testdata", "gsttrace", "leaks-refs.log")

// A log whose writer is gone is silent, in the list and in the tool bar; it is live again with the
// next line.
func TestSilentLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.log")
	log, err := os.ReadFile(trace)
	testkit.NoErr(t, err)
	half := bytes.LastIndexByte(log[:len(log)/2], '\n') + 1
	testkit.NoErr(t, os.WriteFile(path, log[:half], 0o600))
	registry, err := load.Sources{}.Registry()
	testkit.NoErr(t, err)
	g := newTestGame(t, sessions.Options{Inputs: []launch.Input{launch.File{Path: path, Registry: registry}}})
	tip := func() (said string) {
		g.placeBar(draw.Rect{X1: 1920, Y1: ToolbarHeight})
		for _, it := range g.bars.top.Items() {
			if it.ID == "live" {
				said = it.Label
			}
		}
		return said
	}
	pollUntil(t, g, "silence", func(rows []widgets.SessionRow) bool {
		return len(rows) == 1 && rows[0].Silence.Overdue && !rows[0].Silence.Nothing && strings.HasPrefix(tip(), "● Live, silent for ")
	})
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	testkit.NoErr(t, err)
	defer f.Close()
	_, err = f.Write(log[half:])
	testkit.NoErr(t, err)
	pollUntil(t, g, "life", func(rows []widgets.SessionRow) bool {
		return !rows[0].Silence.Overdue && strings.HasPrefix(tip(), "● Live  ")
	})
}
