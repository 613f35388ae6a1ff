package store

import (
	"math"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// Values that are too great to be summed up are cut, and counted.
func TestTooGreatValues(t *testing.T) {
	s := NewSession()
	s.Apply(model.SeriesDef{ID: 0, Name: "x", Track: model.NoTrack})
	b := model.Batch{Track: model.NoTrack}
	for i, v := range []float64{1, 1e140, 1e300, -1e300, math.Inf(1), math.NaN()} {
		b.Samples = append(b.Samples, model.Sample{Series: 0, Time: int64(i), Value: v})
	}
	s.Append(&b)
	lost, lines := s.Losses()
	testkit.That(t, lost[model.LossLimit] == 2, "%d are told: %q", lost[model.LossLimit], lines)
}
