package subject_test

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/why"
)

// Marks of causes stand out from the ground in every theme, whatever colours the collectors have, have the
// hue and about as much of it as these, and ways of being slow have shapes of their own.
func TestCausesAreToldApart(t *testing.T) {
	s := chartstest.NewSession(t)
	for _, name := range assets.ThemeNames() {
		th, _ := assets.ThemeNamed(name)
		env := chartstest.NewEnv(s, 1)
		env.Theme = &th
		for c := range s.Collectors().Len() {
			fill := assets.LChOf(assets.Color(env.Palette().Fill(model.CollectorID(c))))
			_, color := subject.CauseMark(env, model.CollectorID(c), why.Longer)
			mark := assets.LChOf(assets.Color(color))
			if off := assets.HueDistance(mark.Hue, fill.Hue); fill.C > 0.02 && (off > 5 || mark.C < 0.8*fill.C) {
				t.Errorf("%s: the mark of collector %d is %.3f, what it is filled with %.3f", name, c, mark, fill)
			}
			for what, ground := range map[string]assets.Color{"well": th.Well, "panel": th.Panel} {
				if got := assets.Contrast(assets.Color(color), ground); got < 4.5 {
					t.Errorf("%s: the mark of collector %d has a contrast of %.2f on a %s", name, c, got, what)
				}
			}
		}
	}
	env, shapes := chartstest.NewEnv(s, 1), map[string]bool{}
	for _, how := range []why.How{why.New, why.MoreCalls, why.Longer, why.Unknown} {
		shape, _ := subject.CauseMark(env, 1, how)
		shapes[shape] = true
	}
	if len(shapes) != 4 {
		t.Errorf("four ways have the shapes %v", shapes)
	}
}

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
