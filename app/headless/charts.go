package headless

import (
	"fmt"
	"strings"

	"framescope/charts/series"
	"framescope/model"
)

// kind is a chart that Picture draws.
type kind struct {
	name string
	// lacks is what a session without anything for the chart does not have: "this recording has no locks".
	lacks string
	// frames tells that the chart counts frames: it needs a thread that has some.
	frames bool
	// height of a picture at scale 1, in pixels, and whether a session has something to show.
	height int
	has    func(model.Contents) bool
}

// kinds returns the charts in the order of Charts.
func kinds() []kind {
	frames := func(c model.Contents) bool { return c.Frames }
	spans := func(c model.Contents) bool { return c.Spans }
	levels := func(c model.Contents) bool { return c.Levels }
	series := func(c model.Contents) bool { return c.Series }
	locks := func(c model.Contents) bool { return c.Locks }
	processors := func(c model.Contents) bool { return c.Processors }
	messages := func(c model.Contents) bool { return c.Messages }
	along := func(c model.Contents) bool { return c.Timeline() || c.Series || c.Processors }
	return []kind{
		{name: "timeline", lacks: "spans, messages or locks", height: 720, has: model.Contents.Timeline},
		{name: "flame", lacks: "spans", height: 720, has: spans},
		{name: "strip", lacks: "frames", frames: true, height: 720, has: frames},
		{name: "levels", lacks: "levels", frames: true, height: 720, has: levels},
		{name: "piano", lacks: "frames", frames: true, height: 720, has: frames},
		{name: "frames", lacks: "frames", frames: true, height: 132, has: frames},
		{name: "overview", lacks: "spans, messages or samples", height: 132, has: along},
		{name: "series", lacks: "series of samples", height: 480, has: series},
		{name: "topology", lacks: "elements", height: 720, has: func(c model.Contents) bool { return c.Objects }},
		{name: "locks", lacks: "locks", height: 720, has: locks},
		{name: "contention", lacks: "locks", height: 360, has: locks},
		{name: "processors", lacks: "word on which processor a thread ran", height: 720, has: processors},
		{name: "messages", lacks: "messages", height: 720, has: messages},
		{name: "leaks", lacks: "list of objects that leaked", height: 720, has: func(c model.Contents) bool { return c.Resources }},
	}
}

// kindOf returns the chart of a name.
func kindOf(name string) (kind, error) {
	for _, k := range kinds() {
		if k.name == name {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("no chart %q; there are: %s", name, strings.Join(Charts(), ", "))
}

// Charts are the names of the charts that Picture draws.
func Charts() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// ChartsOf are the names of the charts for which a session has something to show, in the order of Charts.
func ChartsOf(s *model.Session) []string {
	var names []string
	for _, k := range kinds() {
		if k.has(s.Contents()) {
			names = append(names, k.name)
		}
	}
	return names
}

// nothingFor says that a session has nothing to show in a chart, and what it has: "this recording has no locks; it has: timeline, flame, series (latency, cpu load…)".
func nothingFor(s *model.Session, k kind) error {
	has := ChartsOf(s)
	if len(has) == 0 {
		return fmt.Errorf("this recording has no %s, nor anything else to draw", k.lacks)
	}
	for i, name := range has {
		if name == "series" {
			has[i] += " (" + groupNames(s, 6) + ")"
		}
	}
	return fmt.Errorf("this recording has no %s; it has: %s", k.lacks, strings.Join(has, ", "))
}

// groupNames returns the names of a session's groups of series, at most so many.
func groupNames(s *model.Session, most int) string {
	var b strings.Builder
	for i, g := range series.Groups(s) {
		if i >= most {
			b.WriteString("…")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(g.Name)
	}
	return b.String()
}

// findGroup returns the group of series of a name, in any case; empty: the one that one looks at first.
func findGroup(s *model.Session, name string) (string, error) {
	groups := series.Groups(s)
	if name == "" {
		return groups[0].Name, nil
	}
	for _, g := range groups {
		if strings.EqualFold(g.Name, name) {
			return g.Name, nil
		}
	}
	return "", fmt.Errorf("no group %q of series; there are: %s", name, groupNames(s, len(groups)))
}
