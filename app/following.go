// Keys that follow the flows of the selected span. This code depends on the view and the prompt, and
// not on panels.

package app

import (
	"framescope/app/input"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/widgets"
)

// Following follows flows. The goroutine of the game loop calls its methods.
type Following struct {
	View  func() *view.View
	Ask   *workspace.Prompt
	KeyOf func(command string) string
}

const next, previous = "flow.next", "flow.previous"

// Commands are the commands for both directions.
func (f *Following) Commands(group string) []input.Command {
	return []input.Command{
		{ID: next, Name: "Follow a flow to its target", Words: "arrow next slice", Group: group, Keys: []string{"]"},
			Run: func() { f.follow(true) }},
		{ID: previous, Name: "Follow a flow back to its source", Words: "arrow previous slice", Group: group,
			Keys: []string{"["}, Run: func() { f.follow(false) }},
	}
}

// follow goes to the other end of the flow that begins in the selected span, or that leads to it. Where
// there are several it asks, in the order of time.
func (f *Following) follow(out bool) {
	v := f.View()
	if v.None() || !v.HasSpan() {
		f.Ask.Notify("Select a span first, to follow its flows")
		return
	}
	var of timepane.OfSpan
	b := v.Span()
	of.Ask(v.Session(), &b)
	list, others, back := of.In, of.Out, next
	if out {
		list, others, back = of.Out, of.In, previous
	}
	switch {
	case len(list) == 1:
		timepane.Follow(v, followingEnd(v.Session(), list[0], out))
	case len(list) > 1:
		f.choose(v, list, out)
	case len(others) > 0 && out:
		f.Ask.Notify("No flow begins in this span; %s follows flows that lead to it", f.KeyOf(back))
	case len(others) > 0:
		f.Ask.Notify("No flow leads to this span; %s follows flows that begin in it", f.KeyOf(back))
	default:
		f.Ask.Notify("No flow begins in this span, and none leads to it")
	}
}

func followingEnd(s *store.Session, a spans.Arrow, out bool) *timepane.End {
	e := timepane.BeginOf(s, &a)
	if out {
		e = timepane.EndOf(s, &a)
	}
	return &e
}

// mostChoices is how many flows are offered at most; the inspector lists more.
const mostChoices = 16

// choose offers the flows; Enter takes the first.
func (f *Following) choose(v *view.View, list []spans.Arrow, out bool) {
	s, m := v.Session(), &widgets.Menu{Name: "Follow which flow?", Close: func() { f.Ask.CloseMenu() }}
	for i := range list[:min(len(list), mostChoices)] {
		e := followingEnd(s, list[i], out)
		label := timepane.AppendPlace(timepane.AppendName([]byte(timepane.ArrowWord(out)), s, e), s, &list[i], e)
		m.Items = append(m.Items, widgets.MenuItem{
			Label: string(label), Key: string(timepane.AppendDelay(nil, &list[i], out)),
			Run: func() { timepane.Follow(f.View(), e) },
		})
	}
	if n := len(list) - mostChoices; n > 0 {
		more := append(format.AppendCount([]byte("and "), int64(n)), " more"...)
		m.Items = append(m.Items, widgets.MenuItem{Label: string(more), Off: true})
	}
	m.Key("down")
	f.Ask.Choose(m)
}
