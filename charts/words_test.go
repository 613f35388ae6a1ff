package charts

import (
	"strings"
	"testing"

	"framescope/charts/view"
	"framescope/model"
)

// A session that has ended does not wait for anything.
func TestWordsOfSessionsThatHaveEnded(t *testing.T) {
	s := model.NewSession()
	v := view.New(s)
	sources := []string{NewCollectorTree().Empty(), "Who ran inside whom.\n" + noFrame}
	for _, words := range sources {
		if got := finalWords(v, words); got != words {
			t.Errorf("while it runs: %q became %q", words, got)
		}
	}
	s.Apply(model.End{Reason: "closed"})
	for _, words := range sources {
		got := finalWords(v, words)
		if strings.Contains(got, "yet") || strings.Contains(got, "Waiting") || !strings.HasPrefix(got, words[:strings.IndexByte(words, '\n')+1]) {
			t.Errorf("after the end: %q became %q", words, got)
		}
	}
}
