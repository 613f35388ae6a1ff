package gsttrace

import (
	"math/rand/v2"
	"slices"
	"testing"

	"framescope/model"
)

func TestSamplesAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	o := new(Output)
	for _, disorder := range []int64{0, 5, 1_000_000} {
		s := make([]model.Sample, 5000)
		for i := range s {
			s[i] = model.Sample{Time: int64(i) + r.Int64N(disorder+1), Value: float64(i)}
		}
		want := slices.Clone(s)
		slices.SortStableFunc(want, func(a, b model.Sample) int { return int(a.Time - b.Time) })
		o.sortSamples(s, sortRounds)
		if !slices.Equal(s, want) {
			t.Errorf("disorder of %d: not sorted", disorder)
		}
	}
	backwards := make([]model.Sample, 60_000)
	for i := range backwards {
		backwards[i].Time = int64(len(backwards) - i)
	}
	o.sortSamples(backwards, sortRounds)
	if backwards[0].Time != 1 || !slices.IsSortedFunc(backwards, func(a, b model.Sample) int { return int(a.Time - b.Time) }) {
		t.Error("backwards: not sorted")
	}
}
