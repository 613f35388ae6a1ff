package series_test

import (
	"math"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// TestPercentilesByTime: of what holds half of the time, not half of the samples, is below the
// median, also where percentiles come from histograms, of any range, after late samples, and when a
// definition makes of values what holds.
func TestPercentilesByTime(t *testing.T) {
	s := seriesSession(1, model.SeriesValue)
	const n = 200_000
	b := &model.Batch{Track: model.NoTrack}
	now := int64(0)
	for i := range int64(n) {
		v := 1 + float64(i*7919%1009)
		if i%5003 == 7 {
			v = math.NaN()
		}
		b.Samples = append(b.Samples, model.Sample{Time: now, Value: v})
		now += 1 + int64(v)*int64(v)%4096 // what is large holds for long, mostly
	}
	s.Append(b)
	x := s.Series().ByID(0)
	byNumber := x.Stats(0, now)
	s.Apply(model.SeriesDef{ID: 0, Name: "load", Role: model.RoleCPULoad, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	check := func(t0, t1 int64) {
		t.Helper()
		got, exact := x.Stats(t0, t1), x.ExactStats(t0, t1)
		testkit.MustThat(t, got.Estimated && !exact.Estimated && got.StdDev == exact.StdDev && got.Mean == exact.Mean,
			"%+v, exactly %+v", got, exact)
		for _, c := range [][2]float64{{got.P50, exact.P50}, {got.P90, exact.P90}, {got.P95, exact.P95}, {got.P99, exact.P99}} {
			testkit.That(t, math.Abs(c[0]-c[1]) <= 0.01*c[1], "%d to %d: %v, exactly %v", t0, t1, c[0], c[1])
		}
	}
	check(0, now)
	testkit.That(t, x.Stats(0, now).P50 != byNumber.P50, "the median by time is that by number: %v", byNumber.P50)
	check(12_345, now-54_321)
	check(-5, math.MaxInt64)
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: now - 4_000_000, Value: 5000}}})
	check(0, now)
	check(now/7, now)
}

// TestSpreadByTime: percentiles and the standard deviation of a load are by time, like its mean.
func TestSpreadByTime(t *testing.T) {
	s := seriesSession(1, model.SeriesValue)
	s.Apply(model.SeriesDef{ID: 0, Name: "load", Role: model.RoleCPULoad, Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	b := &model.Batch{Track: model.NoTrack}
	for i := range int64(9) { // nine short peaks, then rest
		b.Samples = append(b.Samples, model.Sample{Time: i, Value: 1})
	}
	b.Samples = append(b.Samples, model.Sample{Time: 9, Value: 0}, model.Sample{Time: 100, Value: math.NaN()})
	s.Append(b)
	st := s.Series().ByID(0).Stats(0, 200)
	if st.Mean != 0.09 || st.P50 != 0 || st.P90 != 0 || st.P95 != 1 || math.Abs(st.StdDev-math.Sqrt(0.09*0.91)) > 1e-12 {
		t.Errorf("%+v", st)
	}
}
