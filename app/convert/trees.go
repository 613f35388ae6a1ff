package convert

import (
	"fmt"
	"strings"

	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/spans"
)

// Measure returns the measure for sums by call path: that of Weigh, by its name in charts; empty: the
// samples of a session with counted samples, else its first measure, else time.
func (p *Part) Measure() (spans.Measure, error) {
	all := p.Session.Spans().Measures(p.Tracks, nil)
	if len(all) == 0 {
		return 0, fmt.Errorf("the recording, or this part of it, has nothing to sum by call path")
	}
	if p.Weigh == "" {
		for _, m := range all {
			if m == spans.MeasureSamples {
				return m, nil
			}
		}
		return all[0], nil
	}
	var names []string
	for _, m := range all {
		name := subject.MeasureName(p.Session, m)
		if strings.EqualFold(name, p.Weigh) {
			return m, nil
		}
		names = append(names, name)
	}
	return 0, fmt.Errorf("--measure %q: unknown measure; choose one of %s", p.Weigh, strings.Join(names, ", "))
}

// Tree fills out with the sums of the part's tracks by call path, in a measure.
func (p *Part) Tree(m spans.Measure, id model.TrackID, out *spans.Tree) {
	begin, end := p.Time(id)
	p.Session.Spans().TreeOf(m, []model.TrackID{id}, begin, end, out)
}

// WeightName returns the name of a measure in formats of sums: "time", "cpu", model.WeightSamples, else
// its name in charts.
func (p *Part) WeightName(m spans.Measure) string {
	switch m {
	case spans.MeasureDuration:
		return "time"
	case spans.MeasureCPU:
		return "cpu"
	case spans.MeasureSamples:
		return model.WeightSamples
	}
	return subject.MeasureName(p.Session, m)
}

// MeasureUnit returns the unit of a measure: "ns", "B" or another word; empty for counts.
func (p *Part) MeasureUnit(m spans.Measure) string {
	switch w, ok := p.Session.Spans().Weight(m); {
	case ok:
		return w.Unit
	case m == spans.MeasureSamples:
		return ""
	}
	return "ns"
}
