package tables

import (
	"math"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/model"
)

// The threads of a pipeline, and the ways through it are groups, its elements have a list of their own; each thing
// stands there once, and processor time is a matter of threads alone: what their CPU time says,
// whatever range it is.
func TestThreeGroupsOfTracks(t *testing.T) {
	s := chartstest.LoadTrace(t, "all-audio-chain.log.gz")
	_, end, _ := s.Bounds()
	for _, t1 := range []int64{end + 1, end / 2, 200 * end} {
		rig := chartstest.NewRig(s, 1, 300, 600)
		rig.Env.View.SelectRange(0, t1)
		src := NewThreads()
		n, _ := src.Rows(rig.Env)
		var names []string
		seen := map[string]bool{}
		heads, of := map[string]int{}, ""
		for i := range n {
			r := src.At(i)
			if r.head != "" {
				of = r.head
				continue
			}
			heads[strings.Fields(of)[0]]++
			x := s.Track(r.id)
			if names = append(names, x.Title()); seen[of+x.Title()] {
				t.Errorf("%s stands twice below %s", x.Title(), of)
			}
			seen[of+x.Title()] = true
			begin, end, _ := s.Spans().Life(r.id, 0, t1)
			lived := float64(end - begin)
			switch ns, ok := s.Spans().CPUTime(r.id, 0, t1); {
			case !x.Def.Kind.Calls() && r.share == r.share:
				t.Errorf("%s took %v of a processor", x.Title(), r.share)
			case x.Def.Kind == model.TrackThread && (!ok || math.Abs(r.share-min(ns/lived, 1)) > 1e-9):
				t.Errorf("%s took %v of a processor, its CPU time is %v ns of %v", x.Title(), r.share, ns, lived)
			}
		}
		list, elements := NewElements(), 0
		n, _ = list.Rows(rig.Env)
		for i := range n {
			if list.At(i).track != model.NoTrack {
				elements++
			}
		}
		if elements != 4 {
			t.Errorf("%d elements have a row in the timeline, want 4", elements)
		}
		if heads["threads"] != 2 || heads["elements"] != 0 || heads["paths"] != 1 {
			t.Errorf("%v: %q", heads, names)
		}
	}
}
