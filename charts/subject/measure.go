package subject

import (
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// MeasureChoice knows which measures some tracks can give, so that panels ask for it only when it
// may have changed.
type MeasureChoice struct {
	key  measureKey
	List []spans.Measure

	names []string
	named measureKey // that the names are of
}

type measureKey struct {
	session        *store.Session
	revision, hash uint64
}

// TrackHash is a number for a list of tracks.
func TrackHash(tracks []model.TrackID) (h uint64) {
	for _, t := range tracks {
		h = h*31 + uint64(t) + 1
	}
	return h
}

// of returns the measure to show: the view's, or duration where the tracks can't give that.
func (c *MeasureChoice) Of(v *view.View, tracks []model.TrackID) spans.Measure {
	if v.Session() == nil {
		c.List = c.List[:0]
		return spans.MeasureDuration
	}
	if key := (measureKey{v.Session(), v.Session().Revision(), TrackHash(tracks)}); key != c.key {
		c.key = key
		c.List = v.Session().Spans().Measures(tracks, c.List[:0])
	}
	if slices.Contains(c.List, v.Look().Measure()) {
		return v.Look().Measure()
	}
	if len(c.List) > 0 {
		return c.List[0]
	}
	return spans.MeasureDuration
}

// At returns the place of a measure among those that there are, -1 none.
func (c *MeasureChoice) At(m spans.Measure) int { return slices.Index(c.List, m) }

// Names returns what the measures are called in a choice; valid until the list changes.
func (c *MeasureChoice) Names() []string {
	if len(c.names) == len(c.List) && c.named == c.key {
		return c.names
	}
	c.names, c.named = c.names[:0], c.key
	for _, m := range c.List {
		c.names = append(c.names, measureName(m))
	}
	return c.names
}

func measureName(m spans.Measure) string {
	switch m {
	case spans.MeasureCPU:
		return "CPU, estimated"
	case spans.MeasureSamples:
		return "Samples"
	}
	return "Duration"
}

// AppendMeasured appends a figure of a measure: a duration, or a number of samples. CPU time is an
// estimate, be it of what ran or of what was parked, and says so.
func AppendMeasured(dst []byte, m spans.Measure, v int64) []byte {
	if m == spans.MeasureCPU {
		dst = append(dst, "≈ "...)
	}
	if m != spans.MeasureSamples {
		return format.AppendDuration(dst, v)
	}
	return format.AppendPlural(dst, v, "sample", "samples")
}

// SampleUnits is how many units of a flame graph's axis a sample is wide: an axis shows no less
// than 100 of them.
const SampleUnits = 1_000_000

// UnitsOf is how many units of the axis one of a measure is wide: of times a nanosecond is one.
func UnitsOf(m spans.Measure) float64 {
	if m == spans.MeasureSamples {
		return SampleUnits
	}
	return 1
}

// EstimateTip says in the tooltip of a method what its CPU time is worth.
func EstimateTip(l *panel.TipLines, s *store.Session, method model.CollectorID) {
	if s.Collector(method).Waits {
		l.Add("Spread: nothing but waits was sampled between two readings of the thread's clock")
		return
	}
	l.Add("Estimated: growth of the thread's clock between two readings, shared by the samples of code in between")
}
