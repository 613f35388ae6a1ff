package registry

import (
	"fmt"
	"math"
	"strings"

	"framescope/charts/calls"
	"framescope/charts/flame"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/series"
	"framescope/charts/strip"
	"framescope/charts/subject"
	"framescope/charts/tables"
	"framescope/charts/topology"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// selected makes a panel for a picture with figures of the selected range.
func selected(id string) func(*panel.Ask) (panel.Panel, error) {
	return func(a *panel.Ask) (panel.Panel, error) {
		d, _ := Find(id)
		selectAsked(a)
		return d.New(), nil
	}
}

// selectAsked selects the given range, unless it is the whole recording.
func selectAsked(a *panel.Ask) {
	if !a.Whole {
		a.Env.View.SelectRange(a.BeginNs, a.EndNs)
	}
	if a.Collector != model.NoCollector {
		a.Env.View.SelectCollector(a.Collector)
	}
}

// drawAgainst draws one frame: the longest of the range.
func drawAgainst(a *panel.Ask) (panel.Panel, error) {
	selectAsked(a)
	v := a.Env.View
	t := v.Shown()
	if t == nil || t.NumFrames() == 0 {
		return tables.NewAgainstPanel(), nil
	}
	first, last := 0, t.NumFrames()-1
	if !a.Whole {
		first, last = t.FramesIn(a.BeginNs, a.EndNs)
	}
	best, most := first, int64(-1)
	for i := first; i <= last; i++ {
		if f := t.Frame(i); f.End-f.Begin > most {
			best, most = i, f.End-f.Begin
		}
	}
	v.SelectFrames(best, best)
	return tables.NewAgainstPanel(), nil
}

func drawFlame(a *panel.Ask) (panel.Panel, error) {
	a.Env.View.SelectRange(a.BeginNs, a.EndNs)
	return flame.New(a.Collector), nil
}

func drawCalls(a *panel.Ask) (panel.Panel, error) {
	if a.Collector == model.NoCollector {
		a.Collector = longest(a.Env.View)
	}
	selectAsked(a)
	c := calls.NewSlow()
	c.InRange = !a.Whole
	return c, nil
}

// longest returns the collector with the longest single call, NoCollector if there are none.
func longest(v *view.View) model.CollectorID {
	best, ns := model.NoCollector, int64(-1)
	for _, c := range v.Session().Spans().Stats(v.Look().VisibleTracks(), math.MinInt64, math.MaxInt64, nil) {
		if c.Collector > 0 && c.MaxNs > ns {
			best, ns = c.Collector, c.MaxNs
		}
	}
	return best
}

func drawTopology(a *panel.Ask) (panel.Panel, error) {
	selectAsked(a)
	return topology.New(), nil
}

func drawSeries(a *panel.Ask) (panel.Panel, error) {
	group, err := findGroup(a.Env.View.Session(), a.Group)
	if err != nil {
		return nil, err
	}
	c := series.NewChart()
	c.Show(group)
	c.Order = series.OrderMean // the most important first, as not all fit
	return c, nil
}

func drawMessages(a *panel.Ask) (panel.Panel, error) {
	v := a.Env.View
	if a.Named {
		v.Look().SetMessageFilter(view.MessageFilter{Track: a.Track, OnlyTrack: true})
	}
	if !a.Whole {
		v.SetPlayhead(a.BeginNs)
	}
	return tables.NewMessages(), nil
}

func drawLeaks(a *panel.Ask) (panel.Panel, error) {
	c := tables.NewLeaks()
	c.Select(a.Env, longestHistory(a.Env.View.Session()))
	return c, nil
}

func drawStrip(a *panel.Ask) (panel.Panel, error) { return stripOf(a, max(a.Collector, 0), false), nil }

func drawLevels(a *panel.Ask) (panel.Panel, error) {
	focus := a.Collector
	if s := a.Env.View.Session(); focus < 0 {
		if focus = firstLevel(s, a.Track); focus < 0 {
			return nil, fmt.Errorf("thread %s has no levels", s.Track(a.Track).Title())
		}
	}
	return stripOf(a, focus, true), nil
}

func drawPiano(a *panel.Ask) (panel.Panel, error) {
	v, first := a.Env.View, a.First
	if a.Whole {
		if slowest := v.Session().Frames().Slowest(a.Track, first, a.Last, 1, nil); len(slowest) > 0 {
			first = slowest[0]
		}
	}
	v.SelectFrames(first, first)
	return strip.NewPiano(a.Track), nil
}

func drawFrames(a *panel.Ask) (panel.Panel, error) {
	if a.Whole {
		a.Env.View.SelectFrames(a.Last, a.Last)
	} else {
		a.Env.View.SelectFrames(a.First, a.Last)
	}
	return &overview.FrameStrip{}, nil
}

func stripOf(a *panel.Ask, focus model.CollectorID, levels bool) panel.Panel {
	c := strip.New(a.Track, focus, levels)
	c.Show(a.Env.View, a.BeginNs, a.EndNs)
	return c
}

// findGroup returns the group of series of a name, in any case; empty: the one that one looks at
// first.
func findGroup(s *store.Session, name string) (string, error) {
	groups := subject.SeriesGroups(s)
	if name == "" {
		return groups[0].Name, nil
	}
	for _, g := range groups {
		if strings.EqualFold(g.Name, name) {
			return g.Name, nil
		}
	}
	return "", fmt.Errorf("no group %q of series; choose one of: %s", name, GroupNames(s, len(groups)))
}

// GroupNames returns the names of a session's groups of series, at most so many.
func GroupNames(s *store.Session, most int) string {
	var b strings.Builder
	for i, g := range subject.SeriesGroups(s) {
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

// longestHistory returns the listed object with the longest reference history, the first if there
// is none.
func longestHistory(s *store.Session) model.ResourceID {
	var best model.ResourceID
	for id := range model.ResourceID(len(s.Topology().Resources())) {
		if len(s.Topology().RefEvents(id)) > len(s.Topology().RefEvents(best)) {
			best = id
		}
	}
	return best
}

// firstLevel returns the first collector below the root with levels in the thread's frames.
func firstLevel(s *store.Session, track model.TrackID) model.CollectorID {
	levels := s.Frames().AllStats(track, true, 0, s.Track(track).NumFrames()-1, nil)
	for _, top := range s.Collectors().Children(0) {
		for _, l := range levels {
			if s.Collectors().IsDescendant(l.Collector, top) {
				return top
			}
		}
	}
	return model.NoCollector
}
