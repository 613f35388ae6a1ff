// The state of the panels' tools for each program: a switch for one does not affect the others.

package app

import (
	"slices"
	"strings"

	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/view"
)

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

// whose returns the owner of the switches of a view: a program, or the source of an unnamed one.
func whose(v *view.View) string {
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
	key := whose(v)
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
