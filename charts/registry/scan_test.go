package registry

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/store"
)

// everyText calls visit for all that panels say of a session, with the panel and the place: what is
// drawn, what stands in and beside the title, and the tooltips of what lies in it, but those of
// headers, which are the same for sessions of all kinds. Selections are made before, by their names.
func everyText(s *store.Session, selections map[string]func(v *view.View), visit func(d *panel.Def, where, text string)) {
	var g chartstest.Legibility
	for _, d := range All() {
		if d.Has != nil && !d.Has(s.Contents()) {
			continue
		}
		for name, selected := range selections {
			rig := g.Rig(s, 1, 1100, 460)
			selected(rig.Env.View)
			p := d.New()
			for range 4 {
				rig.Tick(p)
			}
			if l := p.List(); l != nil {
				for i := range l.Texts() {
					visit(&d, "drawn, with "+name+" selected", l.Texts()[i].Text)
				}
			}
			visit(&d, "its title, with "+name+" selected", p.Title(rig.Env))
			visit(&d, "beside its title, with "+name+" selected", p.Mode(rig.Env))
			for y := rig.R.Y0 + 2; y < rig.R.Y1; y += 9 {
				for x := rig.R.X0 + 5; x < rig.R.X1; x += 37 {
					h := p.HitTest(rig.Env, x, y)
					if _, table := p.(titled); table && h.Kind == panel.HitNothing {
						continue
					}
					for _, line := range h.Lines {
						visit(&d, "a tooltip, with "+name+" selected", line)
					}
				}
			}
		}
	}
}

// The scan sees what panels say.
func TestEveryTextIsSeen(t *testing.T) {
	places := map[string]int{}
	everyText(chartstest.NewSession(t), map[string]func(*view.View){"nothing": func(*view.View) {}}, func(_ *panel.Def, where, text string) {
		if text != "" {
			places[where]++
		}
	})
	for _, where := range []string{"drawn", "its title", "beside its title", "a tooltip"} {
		if places[where+", with nothing selected"] < 10 {
			t.Errorf("%s: %d texts", where, places[where+", with nothing selected"])
		}
	}
}
