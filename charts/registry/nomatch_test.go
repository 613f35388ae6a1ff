package registry

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// TestSearchesEmptyNothingInSilence: a search that a panel has nothing for leaves it as it is, or says
// so in its place, where a click ends the search.
func TestSearchesEmptyNothingInSilence(t *testing.T) {
	const nothing = "no such thing"
	said := map[string]bool{}
	var g chartstest.Legibility
	for name, load := range chartstest.LegibleSessions(t) {
		s := load()
		for _, d := range All() {
			if d.Has != nil && !d.Has(s.Contents()) {
				continue
			}
			rig, p := g.Rig(s, 1, 900, 500), d.New()
			f, ok := p.(panel.Filterer)
			if !ok {
				continue
			}
			texts := func(filter string) (out []draw.WatchedText) {
				f.SetFilter(filter)
				for range 8 {
					rig.Tick(p)
				}
				return p.List().Texts()
			}
			before := words(texts(""))
			after := texts(nothing)
			if words(after) == before || d.ID == "messages" {
				continue
			}
			told := false
			for _, x := range after {
				if !strings.HasPrefix(x.Text, "Nothing matches “"+nothing+"”") {
					continue
				}
				told, said[d.ID] = true, true
				if a := rig.Click(p, (x.Box.X0+x.Box.X1)/2, x.Box.Y0); a.Kind != panel.ActionClearSearch {
					t.Errorf("%s, %s: a click on the words does not end the search", name, d.ID)
				}
			}
			if !told {
				t.Errorf("%s, %s: the search leaves %q of %q", name, d.ID, words(after), before)
			}
		}
	}
	for _, id := range []string{"dashboard", "statistics", "collectors", "calltree", "series", "counters", "elements"} {
		if !said[id] {
			t.Errorf("the panel %s was not emptied by any search", id)
		}
	}
}

func words(texts []draw.WatchedText) string {
	var b strings.Builder
	for _, x := range texts {
		b.WriteString(x.Text + "\n")
	}
	return b.String()
}
