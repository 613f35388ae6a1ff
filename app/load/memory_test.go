package load

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"framescope/app/memory"
	"framescope/model"
	"framescope/net/pstats/gen"
)

// A file that does not fit into the memory leaves out the same each time it is read.
func TestTheSameLeavesEachTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.pstats")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	made, err := gen.New(gen.Options{Spans: 1_500_000})
	if err != nil {
		t.Fatal(err)
	}
	if err := made.Write(t.Context(), f, nil); err != nil {
		t.Fatal(err)
	}
	f.Close()
	keeper := memory.Keep(16<<20, 0, 0)
	defer keeper.Stop()
	var first string
	for i := range 3 {
		rec, err := File(t.Context(), path, Options{Memory: keeper})
		if err != nil {
			t.Fatal(err)
		}
		if rec.Left == 0 {
			t.Fatal("all of it fits: the test shows nothing")
		}
		got := fmt.Sprintln(rec.Left)
		for id := range model.TrackID(rec.Session.NumTracks()) {
			tr := rec.Session.Track(id)
			got += fmt.Sprintln(tr.Def, tr.NumFrames(), tr.Frame(0), tr.NumSpans(), tr.Evicted())
		}
		if i == 0 {
			first = got
		} else if got != first {
			t.Fatalf("read again, it is another session:\n%sbut it was\n%s", got, first)
		}
	}
}
