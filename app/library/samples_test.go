package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/flare"
	"framescope/net/journal"
)

// sampled returns a session of samples taken at some times, in ms.
func sampled(t *testing.T, timesMs ...int64) *Session {
	t.Helper()
	root := journal.OpenRoot(filepath.Join(t.TempDir(), "sessions"), journal.RootOptions{})
	defer root.Close()
	w := root.Create(journal.Meta{Source: sourceFlare, Program: "App", Peer: "127.0.0.1:13334"}, journal.Options{})
	e := flare.NewEncoder(w, nil)
	e.Event(flare.Event{Method: &flare.MethodEvent{ID: 1, Name: "App.run()"}})
	for _, at := range timesMs {
		x := flare.Record{TimeMs: at, Stack: []flare.MethodID{1}}
		e.Event(flare.Event{Sample: &flare.SampleEvent{Thread: 7, Name: "main", Record: x}})
	}
	w.Close("bye")
	e.Forget()
	<-w.Done()
	return &Session{Source: sourceFlare, Path: w.Path()}
}

// One segment of samples is exported as the sample folder of that name, several as folders in it;
// what is there already stays, and nothing is left beside it.
func TestExportSamples(t *testing.T) {
	const start, hour = 1_700_000_000_000, 3_600_000
	dir := t.TempDir()
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	err := Export(t.Context(), sampled(t, start, start+4), one, false)
	testkit.That(t, err == nil && flare.IsFolder(one), "one segment: %v", err)
	st, err := os.Stat(one)
	testkit.That(t, err == nil && st.Mode().Perm()&0o500 == 0o500, "%v, %v", st.Mode(), err)
	session := sampled(t, start, start+hour, start+2*hour)
	err = Export(t.Context(), session, many, false)
	testkit.That(t, err == nil && !flare.IsFolder(many), "three segments: %v", err)
	segments, _ := os.ReadDir(many)
	testkit.That(t, len(segments) == 3, "segments %v", segments)
	for _, force := range []bool{false, true} {
		if err := Export(t.Context(), session, one, force); err == nil || !strings.Contains(err.Error(), "already") {
			t.Errorf("in the place of another one, force %v: %v", force, err)
		}
	}
	err = Export(t.Context(), sampled(t), filepath.Join(dir, "none"), false)
	testkit.That(t, err != nil, "no samples were exported")
	left, _ := os.ReadDir(dir)
	testkit.That(t, len(left) == 2 && flare.IsFolder(one), "in the folder %v", left)
}
