package sessions

import (
	"slices"
	"testing"

	"framescope/app/prompt"
	"framescope/internal/testkit"
	"framescope/model"
)

// What a source warns of is told in the window, once, for the session that is shown.
func TestWarningsAreTold(t *testing.T) {
	g := newViewer(t, Options{Files: []string{captureFile(t, "nested.pstats")}, Deterministic: true})
	settle(t, g)
	told := func() (n int) {
		for range slices.DeleteFunc(slices.Clone(g.ask.Notices.Shown()), func(n prompt.Notice) bool { return n.Text != "too slow" }) {
			n++
		}
		return n
	}
	g.ss.active.Apply(model.Warning{Text: "too slow"})
	for range 3 {
		g.ss.active.Apply(model.Warning{Text: "too slow"})
		settle(t, g)
	}
	n := told()
	testkit.That(t, n == 1, "told %d times: %+v", n, g.ask.Notices.Shown())
	g.ss.forget(g.ss.active)
	testkit.Equal(t, len(g.ss.warned), 0, "what was told is remembered of a session that is gone")
}
