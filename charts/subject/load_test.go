package subject_test

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/subject"
	"framescope/model"
)

// TestThreadRangeHasTheEnd: while all of a session is in view, its newest sample counts, as it does
// in trees and reports of the whole.
func TestThreadRangeHasTheEnd(t *testing.T) {
	s := chartstest.LoadFlare(t, "recorded-60s")
	env := chartstest.NewEnv(s, 1)
	begin, end, _ := s.Bounds()
	for _, window := range [][2]int64{{begin, end}, {begin, end + 1}, {begin - 1e9, end + 1e9}} {
		env.View.Steer().PlaceTime(window[0], window[1])
		t0, t1 := subject.ThreadRange(env.View)
		if t0 != begin || t1 != end+1 {
			t.Errorf("of %v in view: [%d, %d), want [%d, %d)", window, t0, t1, begin, end+1)
		}
		for id := range model.TrackID(s.NumTracks()) {
			n, ok := subject.Samples(s, id, t0, t1)
			for _, k := range s.Series().ByTrack(id) {
				if x := s.Series().ByID(k); ok && x.Def.Role == model.RoleStack && n != x.Len() {
					t.Errorf("%s: %d samples of %d", s.Track(id).Title(), n, x.Len())
				}
			}
		}
	}
	env.View.Steer().PlaceTime(begin, end-1e9)
	if _, t1 := subject.ThreadRange(env.View); t1 != end-1e9 {
		t.Errorf("what is not in view counts: up to %d of %d", t1, end)
	}
}
