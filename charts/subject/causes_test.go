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
