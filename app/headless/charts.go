package headless

import (
	"fmt"
	"strings"

	"framescope/charts"
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
	has    func(s *model.Session) bool
}

// kinds returns the charts in the order of Charts.
func kinds() []kind {
	return []kind{
		{name: "timeline", lacks: "spans, messages or locks", height: 720, has: hasTimeline},
		{name: "flame", lacks: "spans", height: 720, has: hasSpans},
		{name: "strip", lacks: "frames", frames: true, height: 720, has: hasFrames},
		{name: "levels", lacks: "levels", frames: true, height: 720, has: hasLevels},
		{name: "piano", lacks: "frames", frames: true, height: 720, has: hasFrames},
		{name: "frames", lacks: "frames", frames: true, height: 132, has: hasFrames},
		{name: "overview", lacks: "spans, messages or samples", height: 132, has: hasAnything},
		{name: "series", lacks: "series of samples", height: 480, has: hasSeries},
		{name: "topology", lacks: "elements", height: 720, has: func(s *model.Session) bool { return len(s.Objects()) > 0 }},
		{name: "locks", lacks: "locks", height: 720, has: hasLocks},
		{name: "contention", lacks: "locks", height: 360, has: hasLocks},
		{name: "processors", lacks: "word on which processor a thread ran", height: 720, has: hasProcessors},
		{name: "messages", lacks: "messages", height: 720, has: hasMessages},
		{name: "leaks", lacks: "list of objects that leaked", height: 720, has: func(s *model.Session) bool { return len(s.Resources()) > 0 }},
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
		if k.has(s) {
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
	for i, g := range charts.SeriesGroups(s) {
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
	groups := charts.SeriesGroups(s)
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

func anyTrack(s *model.Session, has func(t *model.Track) bool) bool {
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t != nil && has(t) {
			return true
		}
	}
	return false
}

func hasFrames(s *model.Session) bool {
	return anyTrack(s, func(t *model.Track) bool { return t.NumFrames() > 0 })
}

func hasSpans(s *model.Session) bool {
	return anyTrack(s, func(t *model.Track) bool { return t.NumSpans() > 0 })
}

func hasTimeline(s *model.Session) bool {
	return hasSpans(s) || hasFrames(s) || hasMessages(s) || hasLocks(s)
}

func hasAnything(s *model.Session) bool {
	_, _, ok := s.Bounds()
	return ok
}

func hasLocks(s *model.Session) bool { return len(s.Locks(nil)) > 0 }

func hasProcessors(s *model.Session) bool { return len(s.SeriesByRole(model.RoleProcessor)) > 0 }

func hasLevels(s *model.Session) bool {
	for id := range model.TrackID(s.NumTracks()) {
		if s.Track(id) != nil && firstLevel(s, id) != model.NoCollector {
			return true
		}
	}
	return false
}

func hasMessages(s *model.Session) bool {
	for _, n := range s.MessageSeverities() {
		if n > 0 {
			return true
		}
	}
	return false
}

// hasSeries tells whether there are series besides those that say which processor a thread ran on, which are bands of the timeline.
func hasSeries(s *model.Session) bool {
	for _, g := range charts.SeriesGroups(s) {
		if g.Role != model.RoleProcessor {
			return true
		}
	}
	return false
}
