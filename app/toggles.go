// View commands that have only a keyboard shortcut. Each shows the new state. The view and the settings
// own the state.

package app

import (
	"framescope/app/input"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/charts/view"
)

// Toggles switch. The goroutine of the game loop calls its methods.
type Toggles struct {
	View     func() *view.View
	Ask      *workspace.Prompt
	Settings *settings.Settings
	Key      func(command string) string // of a command
}

// Commands returns the commands.
func (t *Toggles) Commands(group string) []input.Command {
	look := func() *view.Look { return t.View().Look() }
	return []input.Command{
		{
			ID: "interpolated", Name: "Show or hide interpolated frames", Group: group, Keys: []string{"I"},
			Now: input.ByState(func() bool { return look().ShowInterpolated() }, "Hide interpolated frames",
				"Show interpolated frames"),
			Run: func() {
				look().SetShowInterpolated(!look().ShowInterpolated())
				t.showState("interpolated", "Interpolated frames ", look().ShowInterpolated(), "shown", "hidden")
			},
		},
		{
			ID: "counters", Name: "Show or hide counters in the timeline", Group: group,
			Now: input.ByState(t.countersShown, "Hide counters in the timeline", "Show counters in the timeline"),
			Run: func() {
				look().ChooseCounters(format.Pick(t.countersShown(), view.CountersNone, view.CountersChanging))
				t.showState("counters", "Counters in the timeline ", t.countersShown(), "shown", "hidden")
			},
		},
		{
			ID: "wall", Name: "Times of threads: busy, or from begin to end", Group: group, Words: "wall wait idle",
			Now: input.ByState(func() bool { return look().ShowWall() }, "Times of threads: busy",
				"Times of threads: from begin to end, waits included"),
			Run: func() {
				look().SetShowWall(!look().ShowWall())
				t.showState("wall", "Times of threads are ", !look().ShowWall(), "busy times", "from begin to end, waits included")
			},
		},
		{
			ID: "daytime", Name: "Ruler: time of day, or of the session", Group: group, Words: "clock UTC wall date",
			Now: input.ByState(func() bool { return look().ShowDayTime() }, "Ruler: times of the session", "Ruler: time of day"),
			Run: t.dayTime,
		},
		{
			ID: "flows", Name: "Show or hide all flows in the timeline", Group: group, Keys: []string{"J"},
			Words: "arrows links",
			Now: input.ByState(func() bool { return look().ShowFlows() }, "Show only the flows of the selection",
				"Show all flows in the timeline"),
			Run: func() {
				look().SetShowFlows(!look().ShowFlows())
				t.showState("flows", "Flows of the visible time ", look().ShowFlows(), "shown", "hidden")
			},
		},
		{
			ID: "tooltips", Name: "Tooltips on or off", Group: group, Keys: []string{"T"},
			Now: input.ByState(func() bool { return t.Settings.Tooltips }, "Tooltips off", "Tooltips on"),
			Run: func() {
				t.Settings.Tooltips = !t.Settings.Tooltips
				t.Settings.Touch()
				t.showState("tooltips", "Tooltips ", t.Settings.Tooltips, "on", "off")
			},
		},
	}
}

// dayTime shows the time of day on the ruler, or says why it cannot.
func (t *Toggles) dayTime() {
	look := t.View().Look()
	switch s := t.View().Session(); {
	case look.ShowDayTime():
		look.SetShowDayTime(false)
		t.Ask.ReplaceNotice("The ruler shows ", "times of the session")
	case s.Info().ZeroAt.UnixNs == 0:
		t.Ask.ReplaceNotice("The time of day is not known: ", "the recording has none")
	default:
		look.SetShowDayTime(true)
		t.Ask.ReplaceNotice("The ruler shows the time of day; time 0 is ", "%s", s.Info().ZeroAt.Words())
	}
}

// countersShown reports whether all counters that change have a row in the timeline.
func (t *Toggles) countersShown() bool {
	c := t.View().Look().CounterChoice()
	return c == view.CountersChanging || c == view.CountersAll
}

// showState shows whether something is on, and if it is off which key brings it back.
func (t *Toggles) showState(id, what string, on bool, yes, no string) {
	switch key := t.Key(id); {
	case on:
		t.Ask.ReplaceNotice(what, "%s", yes)
	case key == "":
		t.Ask.ReplaceNotice(what, "%s", no)
	default:
		t.Ask.ReplaceNotice(what, "%s: %s shows them", no, key)
	}
}
