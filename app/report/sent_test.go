package report

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// TestCompatAsSent reports a session with what is odd in it: a frame of levels alone, whose time is
// 0 officially and whose rate is so below zero, and names that are longer than the session keeps.
func TestCompatAsSent(t *testing.T) {
	long := strings.Repeat("long ", 1000) + "end"
	raw := sessionfile.NewRaw()
	raw.Collectors([]pstats.CollectorDef{{Index: 0, Name: "Frame"}, {Index: 1, Name: long}, {Index: 2, Name: "Child", Parent: 1}})
	raw.Threads(0, []string{"Main"})
	for n := range 3 {
		f := &pstats.Frame{Number: uint32(n), Levels: []pstats.Level{{Collector: 2, Value: 1}}}
		if at := float32(13 + n); n < 2 {
			f.Events = []pstats.Event{{Word: 0, Time: at}, {Word: 2, Time: at}, {Word: 2 | pstats.StopBit, Time: at + 0.5}, {Word: pstats.StopBit, Time: at + 1}}
		}
		raw.Frame(f, 0)
	}
	path := filepath.Join(t.TempDir(), "odd.pstats")
	file := testkit.Must(os.Create(path))(t)
	testkit.OK(t, errors.Join(raw.WriteSession(file, nil), file.Close()))
	rec := testkit.Must(load.File(t.Context(), path, load.Options{Events: true}))(t)
	out := textOf(t, rec.Session, Options{Events: rec.Events, Compat: true})
	testkit.Contains(t, out, "frame 1, 1000 ms (1 Hz)", "frame 2, 0 ms (-0.230769 Hz):\n", "\n  "+long+" = 500 ms\n")
	out = textOf(t, rec.Session, Options{Events: rec.Events, JSON: true})
	var events []struct{ Name string }
	testkit.OK(t, json.Unmarshal([]byte(out), &events))
	n := 0
	for _, e := range events {
		if e.Name == long+":Child" {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d events are of the collector of the long name, want 4", n)
	}
}
