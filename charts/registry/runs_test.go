package registry

import (
	"regexp"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// callWords are words for spans that sampling can't tell apart.
var callWords = regexp.MustCompile(`\bcalls?\b`)

// allowedCalls takes out of a text where it says what runs are: of calls.
var allowedCalls = strings.NewReplacer("of one call or of many", "", "call tree", "")

// Where stacks are sampled no panel says calls: not drawn, not beside its title, not in a tooltip,
// whatever is selected. What the header of a column means is said for sessions of all kinds.
func TestRunsAreNotCalledCalls(t *testing.T) {
	s := chartstest.LoadFlare(t, "recorded-60s")
	begin, end, _ := s.Bounds()
	said := map[string]bool{}
	var g chartstest.Legibility
	for _, d := range All() {
		if d.Has != nil && !d.Has(s.Contents()) {
			continue
		}
		check := func(where, text string) {
			said[text] = true
			if callWords.MatchString(allowedCalls.Replace(strings.ToLower(text))) {
				t.Errorf("%s, %s: %q", d.ID, where, text)
			}
		}
		for _, selected := range []string{"nothing", "a range", "a run"} {
			rig := g.Rig(s, 1, 1100, 460)
			v := rig.Env.View
			switch selected {
			case "a range":
				v.SelectRange(begin+(end-begin)/3, begin+(end-begin)/2)
			case "a run":
				selectRun(t, v, s)
			}
			p := d.New()
			for range 4 {
				rig.Tick(p)
			}
			if l := p.List(); l != nil {
				for i := range l.Texts() {
					check("drawn, with "+selected+" selected", l.Texts()[i].Text)
				}
			}
			check("its title", p.Title(rig.Env))
			check("beside its title", p.Mode(rig.Env))
			for y := rig.R.Y0 + 2; y < rig.R.Y1; y += 9 {
				for x := rig.R.X0 + 5; x < rig.R.X1; x += 37 {
					h := p.HitTest(rig.Env, x, y)
					if _, table := p.(titled); table && h.Kind == panel.HitNothing {
						continue // a header
					}
					for _, line := range h.Lines {
						check("a tooltip, with "+selected+" selected", line)
					}
				}
			}
		}
		if d.Sampled == "" {
			check("its tab", d.Title)
		}
		check("its tab", d.Sampled)
	}
	if w := subject.CallWordsOf(true).Warning; !said[w] {
		t.Errorf("nothing says %q", w)
	}
	if len(said) < 200 {
		t.Errorf("only %d texts were read", len(said))
	}
}

// selectRun selects a run of a session that has some.
func selectRun(t *testing.T, v *view.View, s *store.Session) {
	for id := range model.TrackID(s.NumTracks()) {
		begin, end, _ := s.Track(id).Bounds()
		for lane := range s.Track(id).Lanes() {
			if bars := s.Spans().Visible(id, lane, begin, end, 0, nil); len(bars) > 2 {
				v.SelectSpan(bars[1])
				return
			}
		}
	}
	t.Fatal("no runs")
}
