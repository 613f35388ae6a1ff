package charts

import (
	"slices"

	"framescope/charts/view"
	"framescope/model"
)

// measureChoice knows which measures some tracks can give, so that panels ask for it only when it may have changed.
type measureChoice struct {
	key  measureKey
	list []model.Measure
}

type measureKey struct {
	session        *model.Session
	revision, hash uint64
}

// trackHash is a number for a list of tracks.
func trackHash(tracks []model.TrackID) (h uint64) {
	for _, t := range tracks {
		h = h*31 + uint64(t) + 1
	}
	return h
}

// of returns the measure to show: the view's, or duration where the tracks can't give that.
func (c *measureChoice) of(v *view.View, tracks []model.TrackID) model.Measure {
	if v.Session() == nil {
		c.list = c.list[:0]
		return model.MeasureDuration
	}
	if key := (measureKey{v.Session(), v.Session().Revision(), trackHash(tracks)}); key != c.key {
		c.key = key
		c.list = v.Session().Measures(tracks, c.list[:0])
	}
	if slices.Contains(c.list, v.Measure()) {
		return v.Measure()
	}
	return model.MeasureDuration
}

// next returns the measure after one, in a circle.
func (c *measureChoice) next(m model.Measure) model.Measure {
	if i := slices.Index(c.list, m); i >= 0 {
		return c.list[(i+1)%len(c.list)]
	}
	return model.MeasureDuration
}

// measureChip is what the switch between measures says.
func measureChip(m model.Measure) string {
	switch m {
	case model.MeasureCPU:
		return "CPU, estimated M"
	case model.MeasureSamples:
		return "samples M"
	}
	return "duration M"
}

// appendMeasured appends a figure of a measure: a duration, or a number of samples.
func appendMeasured(dst []byte, m model.Measure, v int64) []byte {
	if m != model.MeasureSamples {
		return AppendDuration(dst, v)
	}
	dst = AppendCount(dst, v)
	if v == 1 {
		return append(dst, " sample"...)
	}
	return append(dst, " samples"...)
}

// sampleUnits is how many units of a flame graph's axis a sample is wide: an axis shows no less than 100 of them.
const sampleUnits = 1_000_000

// unitsOf is how many units of the axis one of a measure is wide: of times a nanosecond is one.
func unitsOf(m model.Measure) float64 {
	if m == model.MeasureSamples {
		return sampleUnits
	}
	return 1
}

// estimateLine says in tooltips what CPU time is worth.
const estimateLine = "Estimated: growth of the thread's clock between two readings, spread over the stacks in between"
