package timeline

import (
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model/store"
)

// shown is the choice that was brought into view last.
type shown struct {
	session *store.Session
	choice  view.Choice
}

// reveal scrolls to the selected span, or to the thread, when it was chosen elsewhere and is out of
// view.
func (t *Timeline) reveal(env *panel.Env) {
	v := env.View
	choice := v.Choice()
	if v.Session() != t.shown.session { // how far down one was in another is nothing for this one
		t.shown = shown{v.Session(), choice}
		t.pane.ScrollTo(0)
		t.anchor.valid = false
	}
	if was := t.shown.choice; choice.HasSpan && (!was.HasSpan || choice.Span != was.Span) || choice.Track != was.Track {
		t.scrollTo(env, choice)
	}
}

// scrollTo brings the lane of a choice into the middle of the plot, where it is not in view.
func (t *Timeline) scrollTo(env *panel.Env, c view.Choice) {
	i := t.indexOf(c.Track)
	if i < 0 {
		return
	}
	b := &t.stack.Groups()[i]
	y, h := t.stack.Band(i)
	plot := t.pane.Plot().H()
	if c.HasSpan && !b.folded {
		lane := min(int(c.Span.Lane), max(b.lanes-1, 0))
		y, h = y+b.spansY0+t.spans.laneY(env, b, lane), t.spans.pitchOf(env, b)
	}
	if top := t.pane.Scroll(); y < top || y+min(h, plot) > top+plot {
		t.pane.ScrollTo(y + min(h, plot)/2 - plot/2)
		t.anchor.valid = false // one scrolled
	}
}
