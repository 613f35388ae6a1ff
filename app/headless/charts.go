package headless

import (
	"fmt"
	"strings"

	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/model/store"
)

// defOf returns the panel of a name.
func defOf(name string) (panel.Def, error) {
	if d, ok := registry.Find(name); ok {
		return d, nil
	}
	return panel.Def{}, fmt.Errorf("no chart %q; choose one of: %s", name, strings.Join(Charts(), ", "))
}

// Charts are the names of the charts that Picture draws.
func Charts() []string {
	var names []string
	for _, d := range registry.All() {
		names = append(names, d.ID)
	}
	return names
}

// ChartHelp describes the charts, one line each.
func ChartHelp() string {
	var b strings.Builder
	for _, d := range registry.All() {
		fmt.Fprintf(&b, "  %-10s  %s\n", d.ID, d.Help)
	}
	return b.String()
}

// ChartsOf are the names of the charts for which a session has something to show, in the order of
// Charts.
func ChartsOf(s *store.Session) []string {
	var names []string
	for _, d := range registry.All() {
		if has(d, s) {
			names = append(names, d.ID)
		}
	}
	return names
}

func has(d panel.Def, s *store.Session) bool { return d.Has == nil || d.Has(s.Contents()) }

// nothingFor is the error for a session without data for a chart; it lists the session's contents:
// "this recording has no locks; it has: timeline, flame, series (latency, cpu load…)".
func nothingFor(s *store.Session, d panel.Def) error {
	if !s.Contents().Any() {
		return fmt.Errorf("this recording has no %s, and nothing else to draw", d.Lacks)
	}
	list := ChartsOf(s)
	for i, name := range list {
		if name == "series" {
			list[i] += " (" + registry.GroupNames(s, 6) + ")"
		}
	}
	return fmt.Errorf("this recording has no %s; it has: %s", d.Lacks, strings.Join(list, ", "))
}
