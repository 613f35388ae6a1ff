package subject

import (
	"cmp"
	"slices"
	"strings"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// MeasureChoice caches the measures of some tracks, so that panels query them only when they may
// have changed.
type MeasureChoice struct {
	key  measureKey
	List []spans.Measure

	names []string
	named measureKey // the inputs of the names
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

// Of returns the measure to show: the view's, or duration where the tracks can't give that.
func (c *MeasureChoice) Of(v *view.View, tracks []model.TrackID) spans.Measure {
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

// Names returns the names of the measures in a choice; valid until the list changes.
func (c *MeasureChoice) Names() []string {
	if len(c.names) == len(c.List) && c.named == c.key {
		return c.names
	}
	c.names, c.named = c.names[:0], c.key
	for _, m := range c.List {
		c.names = append(c.names, MeasureName(c.key.session, m))
	}
	return c.names
}

// MeasureName is the name of a measure of a session in choices.
func MeasureName(s *store.Session, m spans.Measure) string {
	switch w, _ := s.Spans().Weight(m); m {
	case spans.MeasureDuration:
		return "Duration"
	case spans.MeasureCPU:
		return "CPU, estimated"
	case spans.MeasureSamples:
		return "Samples"
	default:
		return w.Name
	}
}

// AppendMeasured appends a figure of a measure of a session: a duration, a number of samples, or
// their weight. CPU time is an estimate, of running or parked threads, and is marked as one.
func AppendMeasured(dst []byte, s *store.Session, m spans.Measure, v int64) []byte {
	switch unit, word := MeasureUnit(s, m); {
	case m == spans.MeasureCPU:
		return format.AppendDuration(append(dst, "≈ "...), v)
	case m == spans.MeasureSamples:
		return format.AppendPlural(dst, v, "sample", "samples")
	case unit.Kind == format.UnitTime:
		return format.AppendDuration(dst, v)
	case unit.Kind == format.UnitBytes:
		return unit.Append(dst, float64(v))
	default:
		return append(append(format.AppendCount(dst, v), ' '), word...)
	}
}

// MeasuredBeside is AppendMeasured beside the name of the measure: it omits the name.
func MeasuredBeside(s *store.Session, m spans.Measure, v int64) string {
	return strings.TrimSuffix(string(AppendMeasured(nil, s, m, v)), " "+MeasureName(s, m))
}

// MeasureUnit returns the unit of a measure, and for a measure without unit the word for the counted
// things.
func MeasureUnit(s *store.Session, m spans.Measure) (u format.Unit, word string) {
	switch w, ok := s.Spans().Weight(m); {
	case ok:
		return format.UnitOfValues(&model.SeriesDef{Unit: w.Unit}), cmp.Or(w.Unit, w.Name)
	case m == spans.MeasureSamples:
		return format.UnitOfValues(&model.SeriesDef{}), "samples"
	}
	return format.UnitOfValues(&model.SeriesDef{Unit: "ns"}), ""
}

// countUnits is the width of one counted thing in units of a flame graph's axis: an axis shows no
// less than 100 of them.
const countUnits = 1_000

// UnitsOf is how many units of the axis one of a unit is wide: of times a nanosecond is one.
func UnitsOf(u format.Unit) float64 {
	return format.Pick(u.Kind == format.UnitPlain, countUnits, 1.0)
}

// EstimateTip explains in the tooltip of a method the precision of its CPU time.
func EstimateTip(l *panel.TipLines, s *store.Session, method model.CollectorID) {
	if s.Collector(method).Waits {
		l.Add("Spread: nothing but waits was sampled between two readings of the thread's clock")
		return
	}
	l.Add("Estimated: growth of the thread's clock between two readings, shared by the samples of code in between")
}
