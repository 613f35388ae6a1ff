package registry

import (
	"cmp"
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
	everyText(s, map[string]func(v *view.View){
		"nothing": func(*view.View) {},
		"a range": func(v *view.View) { v.SelectRange(begin+(end-begin)/3, begin+(end-begin)/2) },
		"a run":   func(v *view.View) { selectRun(t, v, s) },
	}, func(d *panel.Def, where, text string) {
		said[text] = true
		if callWords.MatchString(allowedCalls.Replace(strings.ToLower(text))) {
			t.Errorf("%s, %s: %q", d.ID, where, text)
		}
	})
	for _, d := range All() {
		if tab := cmp.Or(d.Sampled, d.Title); callWords.MatchString(allowedCalls.Replace(strings.ToLower(tab))) {
			t.Errorf("%s: its tab is called %q", d.ID, tab)
		}
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
