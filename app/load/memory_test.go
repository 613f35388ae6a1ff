package load

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"framescope/app/memory"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/pstats/gen"
)

// A file that does not fit into the memory leaves out the same each time it is read, and of all of its
// threads, which lie one after another in it, what is before about the same time.
func TestTheSameLeavesEachTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.pstats")
	f, err := os.Create(path)
	testkit.NoErr(t, err)
	made, err := gen.New(gen.Options{Spans: 1_500_000})
	testkit.NoErr(t, err)
	testkit.NoErr(t, made.Write(t.Context(), f, nil))
	f.Close()
	keeper := memory.Keep(16<<20, 0, 0)
	defer keeper.Stop()
	var first string
	for i := range 3 {
		rec, err := File(t.Context(), path, Options{Memory: keeper})
		testkit.NoErr(t, err)
		testkit.MustThat(t, rec.Left != 0, "all of it fits: the test shows nothing")
		got := fmt.Sprintln(rec.Left)
		for id := range model.TrackID(rec.Session.NumTracks()) {
			tr := rec.Session.Track(id)
			got += fmt.Sprintln(tr.Def, tr.NumFrames(), tr.Frame(0), tr.NumSpans(), tr.Evicted())
		}
		if i == 0 {
			first = got
			beginsTogether(t, rec)
		} else if got != first {
			t.Fatalf("read again, it is another session:\n%sbut it was\n%s", got, first)
		}
	}
}

// beginsTogether demands that what is left of all threads begins at about the same time, and that all
// frames are told.
func beginsTogether(t *testing.T, rec *Recording) {
	t.Helper()
	earliest, latest, left := int64(model.MaxTime), int64(model.MinTime), int64(0)
	for id := range model.TrackID(rec.Session.NumTracks()) {
		tr := rec.Session.Track(id)
		begin := tr.Frame(0).Begin
		earliest, latest = min(earliest, begin), max(latest, begin)
		left += tr.Evicted()
		testkit.That(t, tr.NumFrames() >= 30 && tr.Evicted() != 0,
			"%s: %d frames, %d left", tr.Title(), tr.NumFrames(), tr.Evicted())
	}
	if _, end, _ := rec.Session.Bounds(); latest-earliest > (end-earliest)/8 || left != rec.Left {
		t.Errorf("threads begin between %d and %d ns and end at %d; %d left, %d are told", earliest, latest, end, left, rec.Left)
	}
}

// A file whose events are gathered before they are shown is not cut where what it takes fits into the
// memory: its events are reckoned by what they take, and not against the room for names.
func TestGatheredFits(t *testing.T) {
	const events, limit = 250_000, 64 << 20
	trace := []byte("[")
	for i := range events {
		trace = fmt.Appendf(trace, `{"ph":"X","pid":1,"tid":1,"name":"N%d","ts":%d,"dur":1},`+"\n", i%7, 2*i)
	}
	path := filepath.Join(t.TempDir(), "large.json")
	testkit.NoErr(t, os.WriteFile(path, append(trace, "{}]"...), 0o600))
	keeper := memory.Keep(limit, 0, 0)
	defer keeper.Stop()
	rec, err := File(t.Context(), path, Options{Memory: keeper})
	testkit.NoErr(t, err)
	losses, lines := rec.Session.Losses()
	if n := rec.Session.Track(0).NumSpans(); n != events || rec.Left != 0 || losses[model.LossLimit] != 0 {
		t.Errorf("%d of %d calls, %d left: %q", n, events, rec.Left, lines)
	}
}
