package subject

import (
	"framescope/charts/view"
	"framescope/model/spans"
)

// StateIn returns which state a series has in [t0, t1), ns: at a moment the one at its end, and since
// when; in a longer time, which may end with everything shut down, the highest. ok is false where no
// state is known.
func StateIn(x *spans.Series, t0, t1 int64, around view.Around) (value float64, since int64, ok bool) {
	if around == view.AroundMoment {
		sample, ok := x.At(t1 - 1)
		return sample.Value, sample.Time, ok
	}
	var one [1]spans.SeriesBin
	for _, b := range x.Bins(t0, t1, 1, one[:0]) {
		if value, ok = b.Max, b.N > 0; b.HasBefore && (!ok || b.Before > value) {
			value, ok = b.Before, true
		}
	}
	return value, 0, ok
}
