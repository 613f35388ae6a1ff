package flare

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/net/flare/flaretest"
)

// foundCall is a hit of a search.
type foundCall struct {
	thread    int64
	begin, ms int64
}

// TestSlowCallsEqualTheRecordsOwn holds the search for long calls of a session against that in the
// raw records.
func TestSlowCallsEqualTheRecordsOwn(t *testing.T) {
	captures := flaretest.Captures(t)
	for _, pattern := range []string{"constructed-60s/127*", "recorded-60s/127*"} {
		dir := glob1(t, filepath.Join(captures, pattern))
		rec := testkit.Must(ReadFolder(t.Context(), dir, nil))(t)
		s := openCapture(t, dir)
		var tracks []model.TrackID
		starts := map[int64]int64{} // ns of the first sample by thread
		for i := range s.NumTracks() {
			tr := s.Track(model.TrackID(i))
			tracks = append(tracks, tr.Def.ID)
			starts[int64(tr.Def.Index)] = firstSampleNs(s, tr.Def.ID)
		}
		var search spans.CallSearch
		hits := 0
		byName := map[string][]MethodID{} // overloaded methods share their name, and their collector
		for id, name := range rec.Methods {
			byName[name] = append(byName[name], id)
		}
		for name, ids := range byName {
			for _, minMs := range []int64{1, 40, 150} {
				groups, limited, err := Find(t.Context(), rec, Search{Methods: ids, MinMs: minMs, MaxHits: 1 << 20, StartMs: -1, EndMs: -1}, nil)
				if err != nil || limited {
					t.Fatal(err, limited)
				}
				var want, got []foundCall
				for _, g := range groups {
					for _, c := range g.Calls {
						want = append(want, foundCall{c.Thread, starts[c.Thread]/1e6 + c.StartMs, c.Ms})
					}
				}
				wanted := make([]bool, s.Collectors().Len())
				for c := range wanted {
					wanted[c] = methodName(s, model.CollectorID(c)) == name
				}
				search.Start(s.Spans(), spans.CallQuery{Tracks: tracks, T0: math.MinInt64, T1: math.MaxInt64, Wanted: wanted, MinNs: minMs * 1e6, Limit: 1 << 20})
				for !search.Step(1000) {
				}
				for _, c := range search.Calls() {
					got = append(got, foundCall{int64(s.Track(c.Ref.Track).Def.Index), c.Begin / 1e6, c.Ns / 1e6})
				}
				order := func(a, b foundCall) int {
					return slices.Compare([]int64{a.thread, a.begin, a.ms}, []int64{b.thread, b.begin, b.ms})
				}
				slices.SortFunc(want, order)
				slices.SortFunc(got, order)
				if !slices.Equal(want, got) {
					t.Errorf("%s: %s of %d ms: %d calls, want %d:\n%v\n%v", filepath.Base(dir), name, minMs, len(got), len(want), got[:min(len(got), 5)], want[:min(len(want), 5)])
				}
				hits += len(got)
			}
		}
		if hits == 0 {
			t.Errorf("%s: nothing was found", dir)
		}
		t.Logf("%s: %d calls", filepath.Base(dir), hits)
	}
}
