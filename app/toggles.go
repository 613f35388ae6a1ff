// View commands that have only a keyboard shortcut. Each shows the new state. The view and the settings
// own the state.

package app

import (
	"slices"
	"strings"

	"framescope/app/input"
	"framescope/app/settings"
	"framescope/app/workspace"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/registry"
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
			Now: input.ByState(func() bool { return look().ShowInterpolated() }, "Hide interpolated frames", "Show interpolated frames"),
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
			Now: input.ByState(func() bool { return look().ShowWall() }, "Times of threads: busy", "Times of threads: from begin to end, waits included"),
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
			ID: "flows", Name: "Show or hide all flows in the timeline", Group: group, Keys: []string{"J"}, Words: "arrows links",
			Now: input.ByState(func() bool { return look().ShowFlows() }, "Show only the flows of the selection", "Show all flows in the timeline"),
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

// The state of the panels' tools for each program: a switch for one does not affect the others.

// Switches keeps how the tools of the panels stand for each program. There is one of each panel for all
// sessions: for another program it is as new, until something is switched there.
type Switches struct {
	panels []switched
	view   *view.View // for which the panels stand as they do; nil: none yet
	of     map[string][][]stand
}

// stand is the state of a tool: its switch, or its chosen option.
type stand struct {
	id     int
	kind   panel.ToolKind
	on     bool
	chosen string // empty: nothing, or several things
}

// switched is a panel with tools, and one of its kind in its initial state.
type switched struct{ panel, fresh panel.Tooled }

// NewSwitches takes the panels of the registry that have tools, from panels by ID. Comparisons concern
// two sessions and belong to neither.
func NewSwitches(panels map[string]panel.Panel) Switches {
	s := Switches{of: map[string][][]stand{}}
	for _, d := range registry.All() {
		if p, ok := panels[d.ID].(panel.Tooled); ok {
			s.panels = append(s.panels, switched{p, d.New().(panel.Tooled)})
		}
	}
	return s
}

// ownerOfSwitches returns the owner of the switches of a view: a program, or the source of an unnamed one.
func ownerOfSwitches(v *view.View) string {
	info := v.Session().Info()
	if info.Program != "" {
		return "program " + info.Program
	}
	return "source " + info.Peer
}

// Follow lets the panels stand as they did for the shown program last, and otherwise notes how they do.
func (s *Switches) Follow(env *panel.Env) {
	v := env.View
	if v.None() {
		return
	}
	key := ownerOfSwitches(v)
	if v != s.view {
		s.view = v
		for i, p := range s.panels {
			if kept := s.of[key]; kept != nil {
				p.set(env, kept[i])
			} else {
				p.set(env, note(nil, p.fresh.Tools(env)))
			}
		}
	}
	kept := s.of[key]
	if kept == nil {
		kept = make([][]stand, len(s.panels))
		s.of[key] = kept
	}
	for i, p := range s.panels {
		kept[i] = note(kept[i], p.panel.Tools(env))
	}
}

// note returns how tools stand, in the place of how they did.
func note(was []stand, tools []panel.Tool) []stand {
	for i, t := range tools {
		if i == len(was) {
			was = append(was, stand{})
		}
		now := stand{id: t.ID, kind: t.Kind, on: t.On, chosen: was[i].chosen}
		switch {
		case t.Kind != panel.ToolChoice || t.Chosen < 0:
			now.chosen = ""
		case now.chosen != t.Label: // the panel may write another into the same place
			now.chosen = strings.Clone(t.Label)
		}
		was[i] = now
	}
	return was[:len(tools)]
}

// set brings the tools of a panel into a state, one after the other: of some one changes another.
func (p *switched) set(env *panel.Env, want []stand) {
	for range 2 * len(want) {
		id, option, differs := 0, 0, false
		for _, now := range p.panel.Tools(env) {
			at := slices.IndexFunc(want, func(w stand) bool { return w.id == now.ID && w.kind == now.Kind })
			if at < 0 {
				continue
			}
			id, option = now.ID, 0
			if now.Kind == panel.ToolChoice {
				option = slices.Index(now.Options, want[at].chosen)
				differs = option >= 0 && now.Chosen >= 0 && option != now.Chosen
			} else {
				differs = want[at].on != now.On
			}
			if differs {
				break
			}
		}
		if !differs {
			return
		}
		p.panel.Use(env, id, option)
	}
}
