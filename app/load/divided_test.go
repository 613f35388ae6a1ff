package load

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/paths"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/gen"
)

// single hides that a sink is a divided one.
type single struct{ feed.Sink }

// answers is what a session says of a track.
type answers struct {
	Name   string
	Frames []frames.Frame
	Alone  []model.CollectorTime
	Inside []paths.Inside
	Spans  int64
}

func answersOf(s *store.Session) (out []answers) {
	var tree paths.Tree
	for id := range s.NumTracks() {
		t := s.Track(model.TrackID(id))
		a := answers{Name: t.Def.Name, Spans: t.NumSpans()}
		for i := range t.NumFrames() {
			a.Frames = append(a.Frames, t.Frame(i))
			a.Alone = s.Frames().Alone(model.TrackID(id), i, a.Alone)
			if i%100 == 0 {
				a.Inside = s.FrameTotals(model.TrackID(id), i, min(i+99, t.NumFrames()-1), &tree, a.Inside)
			}
		}
		out = append(out, a)
	}
	return out
}

// Threads that are appended by several goroutines at once make the same session as one after the
// other.
func TestDividedSessionIsTheSame(t *testing.T) {
	const spans = 500_000 // more than 4 MiB, from which on files are read by several
	made, err := gen.New(gen.Options{Spans: spans, Tracks: 7, Depth: 9, Seed: 3, GapEvery: 50})
	testkit.NoErr(t, err)
	var file bytes.Buffer
	testkit.NoErr(t, made.Write(t.Context(), &file, nil))
	path := filepath.Join(t.TempDir(), "game.pstats")
	testkit.NoErr(t, os.WriteFile(path, file.Bytes(), 0o600))
	pages := store.New(0)
	defer pages.Close()
	rec, err := File(t.Context(), path, Options{Store: pages})
	testkit.NoErr(t, err)
	one := store.NewSession()
	testkit.NoErr(t, decode.OpenFile(t.Context(), path, single{&direct{ctx: t.Context(), session: one}}))
	testkit.NoDiff(t, cmp.Diff(answersOf(one), answersOf(rec.Session)), "answersOf")
	var n int64
	for _, a := range answersOf(rec.Session) {
		n += a.Spans
	}
	// Call paths are numbered in the order in which threads come to define them, and rows have as many bits
	// as these numbers need.
	a, b := one.Memory(), rec.Session.Memory()
	if off := a.Spans - b.Spans; n != spans || max(off, -off) > a.Spans/100 || a.Frames != b.Frames {
		t.Errorf("%d spans, memory %+v, want %+v", n, b, a)
	}
}
