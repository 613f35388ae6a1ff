package chartstest

import (
	"slices"
	"testing"

	"framescope/charts/draw"
)

// The test of legibility sees what it is there for: a text over another, one that is cut at its side,
// one that hardly stands out. What is drawn well, or covered again, it lets pass.
func TestLegibilitySeesWhatIsWrong(t *testing.T) {
	s := NewSession(t)
	for name, c := range map[string]struct {
		draw func(l *draw.List, text, grey draw.Color)
		want string // of the rules; empty: nothing is wrong
	}{
		"well": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text)
			l.Text(draw.Regular, 10, 40, "two", text)
		}, ""},
		"over": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text)
			l.Text(draw.Regular, 14, 12, "two", text)
		}, "over"},
		"covered": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text)
			l.Rect(draw.Rect{X0: 5, Y0: 5, X1: 100, Y1: 40}, draw.RGB(20, 20, 20))
			l.Text(draw.Regular, 14, 12, "two", text)
		}, ""},
		"cut": {func(l *draw.List, text, _ draw.Color) {
			l.PushClip(draw.Rect{X1: 30, Y1: 60})
			l.Text(draw.Regular, 10, 10, "a long text", text)
			l.PopClip()
		}, "cut"},
		"elided": {func(l *draw.List, text, _ draw.Color) {
			l.TextIn(draw.Regular, draw.Rect{X0: 10, Y0: 10, X1: 60, Y1: 30}, draw.Left, "a long text", text)
		}, ""},
		"grey on grey": {func(l *draw.List, _, grey draw.Color) {
			l.Rect(draw.Rect{X1: 200, Y1: 60}, draw.RGB(90, 90, 90))
			l.Text(draw.Regular, 10, 10, "one", grey)
		}, "contrast"},
		"pale": {func(l *draw.List, text, _ draw.Color) {
			l.Text(draw.Regular, 10, 10, "one", text.WithAlpha(80))
		}, "contrast"},
	} {
		var g Legibility
		rig := g.Rig(s, 1, 200, 60)
		l := draw.NewList(rig.Env.Atlas)
		l.Reset(rig.R)
		c.draw(l, draw.Color(rig.Env.Theme.Text), draw.RGB(120, 120, 120))
		g.Look(rig, l, "panel", "here")
		var found []string
		for rule := range g.found {
			found = append(found, rule)
		}
		if want := "panel: " + c.want; c.want == "" && len(found) > 0 || c.want != "" && !slices.Equal(found, []string{want}) {
			t.Errorf("%s: %q is found", name, found)
		}
	}
}
