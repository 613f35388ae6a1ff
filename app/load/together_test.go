package load

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/together"
)

// What two recordings hold is in a session on one ruler, of each thread as much and moved alike. Each recording goes
// with one of another kind.
func TestTogetherHoldsBoth(t *testing.T) {
	reg := testkit.Must(Sources{}.Registry())(t)
	var paths []string // the smallest of each kind
	last := ""
	for _, path := range recordings.Few(recordings.All(t, reg)) {
		if _, err := File(t.Context(), path, Options{}); err != nil || filepath.Dir(path) == last {
			continue
		}
		last, paths = filepath.Dir(path), append(paths, path)
	}
	for i, path := range paths {
		other := paths[(i+1)%len(paths)]
		plan := &together.Plan{Members: []together.Member{
			{Path: path, Name: "one"}, {Path: other, Name: "two", Shift: together.Shift{OffsetNs: 1_234_567, SpreadNs: 10}},
		}}
		file := filepath.Join(t.TempDir(), "both.framescope")
		testkit.NoErr(t, os.WriteFile(file, testkit.Must(plan.Encode(""))(t), 0o600))
		both := testkit.Must(File(t.Context(), file, Options{}))(t)
		var got []string
		for id := range model.TrackID(both.Session.NumTracks()) {
			track := both.Session.Track(id)
			shift := int64(0)
			if track.Def.Program == "two" {
				shift = 1_234_567
			}
			got = append(got, track.Def.Program+" "+holds(both.Session, id, shift))
		}
		var want []string
		for k, path := range []string{path, other} {
			rec := testkit.Must(File(t.Context(), path, Options{}))(t)
			for id := range model.TrackID(rec.Session.NumTracks()) {
				want = append(want, plan.Members[k].Name+" "+holds(rec.Session, id, 0))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		testkit.Equal(t, strings.Join(got, "\n"), strings.Join(want, "\n"), "%s with %s", path, other)
	}
}

// holds says what is in a track, its times moved back.
func holds(s *store.Session, id model.TrackID, shift int64) string {
	t := s.Track(id)
	begin, end, some := t.Bounds()
	if some {
		begin, end = begin-shift, end-shift
	}
	arrows := len(s.Flows().In(id, begin+shift, end+shift, nil))
	return fmt.Sprint(t.Def.Name, t.Def.Kind, t.NumSpans(), t.NumFrames(), t.NumMessages(), t.Missing(), t.Lanes(), begin, end,
		t.SumOfFrames(0, t.NumFrames()-1), arrows)
}
