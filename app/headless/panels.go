package headless

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/store"
)

// defOf returns the panel of a name.
func defOf(name string) (panel.Def, error) {
	if d, ok := registry.Find(name); ok {
		return d, nil
	}
	return panel.Def{}, fmt.Errorf("no panel %q; choose one of: %s", name, strings.Join(Panels(), ", "))
}

// Panels are the names of the panels that Picture draws.
func Panels() []string { return namesOf(registry.All()) }

func namesOf(list []panel.Def) (names []string) {
	for _, d := range list {
		names = append(names, d.ID)
	}
	return names
}

// PanelHelp describes the panels, one line each.
func PanelHelp() string { return helpOf(registry.All(), 10) }

// helpOf describes panels, their names in a column of so many letters.
func helpOf(list []panel.Def, width int) string {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, d.ID, d.Help)
	}
	return b.String()
}

// PanelsOf are the names of the panels for which a session has something to show, in the order of
// Panels.
func PanelsOf(s *store.Session) []string {
	var names []string
	for _, d := range registry.All() {
		if has(d, s) {
			names = append(names, d.ID)
		}
	}
	return names
}

func has(d panel.Def, s *store.Session) bool { return d.Has == nil || d.Has(s.Contents()) }

// nothingFor is the error for a session without data for a panel; it lists the session's contents:
// "this recording has no locks; it has: timeline, flame, series (latency, cpu load…)".
func nothingFor(s *store.Session, d panel.Def) error {
	if !s.Contents().Any() {
		return fmt.Errorf("this recording has no %s, and nothing else to draw", d.Lacks)
	}
	list := PanelsOf(s)
	for i, name := range list {
		if name == "series" {
			list[i] += " (" + registry.GroupNames(s, 6) + ")"
		}
	}
	return fmt.Errorf("this recording has no %s; it has: %s", d.Lacks, strings.Join(list, ", "))
}

// ComparedPanels are the names of the panels of comparisons.
func ComparedPanels() []string { return namesOf(registry.Compared()) }

// ComparedHelp describes these panels, one line each.
func ComparedHelp() string { return helpOf(registry.Compared(), 11) }

// Compared draws a panel of the differences between two sides; names are their titles. It ignores the
// options Range, Thread, Group and Collector: the sides define the compared ranges.
func Compared(sides [2]compare.Side, names [2]string, o PictureOptions) (*draw.Picture, error) {
	all := registry.Compared()
	i := slices.Index(ComparedPanels(), o.Panel)
	if i < 0 {
		return nil, fmt.Errorf("no panel %q for comparisons; choose one of: %s", o.Panel, strings.Join(ComparedPanels(),
			", "))
	}
	fitted, err := o.size(&all[i])
	if err != nil {
		return nil, err
	}
	for side, x := range sides {
		if x.Session.MainTrack() == model.NoTrack && !x.Session.Contents().Timeless {
			return nil, errors.New(names[side] + " has nothing to compare")
		}
	}
	env, err := o.env(sides[view.SideB].Session)
	if err != nil {
		return nil, err
	}
	env.View.ClearSelection()
	env.Comparing = new(view.Comparing)
	for side, x := range sides {
		env.Comparing.Set(side, view.MarkOf(x, names[side]), env.View.Look().FrameBudgetNs())
	}
	for env.Comparing.Result() == nil {
		env.Comparing.Tick(1 << 30)
	}
	chart := all[i].New()
	if fitted {
		fit(env, chart, &o)
	}
	return paint(env, chart, &o), nil
}
