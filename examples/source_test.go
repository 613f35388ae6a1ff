package examples

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"framescope/charts/registry"
	"framescope/examples/source"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// A log is recognised by its content, its calls are there, and the panels that have something to show of
// it offer themselves.
func TestALogOfCalls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "anything")
	text := "# calls 1\nload 0 5000\ndraw 6000 9000\nnonsense\ndraw 10000 14000\n"
	testkit.NoErr(t, os.WriteFile(path, []byte(text), 0o600))
	k := &feedtest.Into{Session: store.NewSession()}
	testkit.NoErr(t, (feed.Registry{source.Source{}}).Open(context.Background(), path, k))
	var calls []string
	for _, st := range k.Session.Spans().Stats([]model.TrackID{0}, 0, 1e6, nil) {
		calls = append(calls, k.Session.Collector(st.Collector).Name)
		if name := calls[len(calls)-1]; name == "draw" && (st.Calls != 2 || st.TotalNs != 7000) {
			t.Errorf("draw: %d calls, %d ns, want 2 and 7000", st.Calls, st.TotalNs)
		}
	}
	testkit.Equal(t, strings.Join(calls, " "), "load draw", "calls of %q", calls)
	if _, lines := k.Session.Losses(); len(lines) != 1 || !strings.Contains(lines[0], "line 4") {
		t.Errorf("the line that is none is told as %q", lines)
	}
	for _, id := range []string{"timeline", "flame", "calltree"} {
		d, _ := registry.Find(id)
		testkit.That(t, d.Has(k.Session.Contents()), "the panel %s has nothing to show", id)
	}
}

// FuzzOpenFile: every byte of a file is hostile.
func FuzzOpenFile(f *testing.F) {
	f.Add("# calls 1\na 1 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "log")
		testkit.NoErr(t, os.WriteFile(path, []byte("# calls 1\n"+text), 0o600))
		k := &feedtest.Into{Session: store.NewSession()}
		source.Source{}.OpenFile(context.Background(), path, k)
		if lanes := k.Session.Track(0).NumSpans(); lanes > int64(strings.Count(text, "\n")+1) {
			t.Errorf("%d spans of %d lines", lanes, strings.Count(text, "\n")+1)
		}
	})
}
