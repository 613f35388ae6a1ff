package model

// FoldNs is how long a fold is on its axis.
const FoldNs = 200_000_000

// Folds are stretches of time, in order and each longer than FoldNs, that an axis shows in FoldNs: the program stood
// still in them. With nil the axis is time itself.
type Folds struct{ List []Fold }

// Fold is a stretch of time, in ns.
type Fold struct{ Begin, End int64 }

// All returns them, in order.
func (f *Folds) All() []Fold {
	if f == nil {
		return nil
	}
	return f.List
}

// Short returns the place of a time on the axis.
func (f *Folds) Short(ns int64) int64 {
	saved := int64(0)
	for _, x := range f.All() {
		if ns <= x.Begin {
			break
		}
		saved += min(ns, x.End) - x.Begin - int64(FoldNs*float64(min(ns, x.End)-x.Begin)/float64(x.End-x.Begin))
	}
	return ns - saved
}

// Long returns the time of a place on the axis.
func (f *Folds) Long(place float64) float64 {
	for _, x := range f.All() {
		in := place - float64(x.Begin)
		if in <= 0 {
			break
		}
		place += min(in/FoldNs, 1) * float64(x.End-x.Begin-FoldNs)
	}
	return place
}

// At returns the fold in which a time lies.
func (f *Folds) At(ns int64) (in Fold, ok bool) {
	for _, x := range f.All() {
		if x.Begin < ns && ns < x.End {
			return x, true
		}
	}
	return in, false
}
