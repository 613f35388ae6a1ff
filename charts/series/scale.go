package series

import (
	"math"

	"framescope/charts/format"
	"framescope/model"
)

// seriesScale is the vertical scale of a plot, from the value at its lower edge to the one at its upper edge. The zero value is unset: share answers 0.
type seriesScale struct {
	lo, hi float64
	log    bool
	set    bool
}

// share returns where a value lies between the lower edge (0) and the upper edge (1); values beyond the edges lie on them, and what is not a number on the lower one.
func (sc *seriesScale) share(v float64) float64 {
	if !sc.set {
		return 0
	}
	lo, hi := sc.lo, sc.hi
	if sc.log {
		if !(v > lo) {
			return 0
		}
		v, lo, hi = math.Log(v), math.Log(lo), math.Log(hi)
	}
	s := (v - lo) / (hi - lo)
	if !(s > 0) {
		return 0
	}
	return min(s, 1)
}

// fit makes the scale suit values from lo to hi. It stays as it is while it still suits: everything is inside and fills more than half of it. So a live chart does not breathe.
// leastPositive is the smallest value above 0, for logarithmic scales.
func (sc *seriesScale) fit(u format.Unit, lo, hi, leastPositive float64, log bool) {
	if !(hi >= lo) { // nothing is visible
		if !sc.set || sc.log != log {
			*sc = seriesScale{lo: 0, hi: 1 / u.Factor, set: true}
			if log {
				*sc = seriesScale{lo: 0.1 / u.Factor, hi: 1 / u.Factor, log: true, set: true}
			}
		}
		return
	}
	if log && hi > 0 {
		sc.fitLog(u, min(leastPositive, hi), hi)
		return
	}
	if sc.set && !sc.log && lo >= sc.lo && hi <= sc.hi {
		if sc.lo == 0 && lo >= 0 && hi >= 0.5*sc.hi && lo <= 0.9*hi || sc.lo != 0 && (hi-lo >= 0.2*(sc.hi-sc.lo) || sc.hi-sc.lo <= 0.005*max(math.Abs(hi), math.Abs(lo)) || hi == lo) {
			return
		}
	}
	pad := 0.05
	if sc.set { // it grew out of the scale once and will do so again
		pad = 0.3
	}
	*sc = seriesScale{set: true}
	// Of durations, sizes and shares 0 is of interest; of other numbers only when it is near.
	near := 0.6
	if u.Kind != format.UnitPlain {
		near = 0.85
	}
	switch {
	case lo >= 0 && lo <= near*hi:
		sc.hi = u.RoundUp(hi * 1.02)
	case lo == 0 && hi == 0:
		sc.hi = 1 / u.Factor
	default:
		span := hi - lo
		size := max(math.Abs(hi), math.Abs(lo))
		switch {
		case span == 0:
			span = 0.1 * size
		case span < 1e-3*size: // what hardly moves must not look wild
			span = 1e-3 * size
			lo, hi = (lo+hi-span)/2, (lo+hi+span)/2
		}
		step := u.Step(5, span)
		if !(step > 0) {
			step = max(span, math.SmallestNonzeroFloat32)
		}
		sc.lo, sc.hi = math.Floor((lo-pad*span)/step)*step, math.Ceil((hi+pad*span)/step)*step
		if lo >= 0 {
			sc.lo = max(sc.lo, 0)
		}
		if hi <= 0 {
			sc.hi = min(sc.hi, 0)
		}
	}
	if !(sc.hi > sc.lo) || math.IsInf(sc.hi-sc.lo, 0) {
		sc.lo, sc.hi = min(lo, 0), max(hi, 1)
	}
}

// fitLog is fit for a logarithmic scale: whole powers of ten (of bytes: of two), at least one decade.
func (sc *seriesScale) fitLog(u format.Unit, lo, hi float64) {
	if sc.set && sc.log && lo >= sc.lo && hi <= sc.hi && math.Log(hi/lo) >= 0.5*math.Log(sc.hi/sc.lo) {
		return
	}
	base, _ := logBase(u)
	e0, e1 := math.Floor(math.Log(lo*u.Factor)/math.Log(base)+1e-9), math.Ceil(math.Log(hi*u.Factor)/math.Log(base)-1e-9)
	e0 = max(e0, e1-12) // one wild value near 0 must not flatten all others
	if e1 <= e0 {
		e1 = e0 + 1
	}
	*sc = seriesScale{lo: math.Pow(base, e0) / u.Factor, hi: math.Pow(base, e1) / u.Factor, log: true, set: true}
	if !(sc.lo > 0) || math.IsInf(sc.hi, 0) {
		*sc = seriesScale{lo: 1e-9, hi: 1, log: true, set: true}
	}
}

// stretch moves the upper edge.
func (sc *seriesScale) stretch(factor float64) {
	switch hi := sc.lo + (sc.hi-sc.lo)*factor; {
	case !sc.set:
	case sc.log:
		sc.hi = max(sc.hi*factor, sc.lo*1.01)
	case hi > sc.lo && hi < 1e300:
		sc.hi = hi
	}
}

// usableRange tells whether a series states a range of its values that makes a scale.
func usableRange(d *model.SeriesDef) bool {
	return d.HasRange && d.Kind != model.SeriesCounter && d.Kind != model.SeriesEvent && d.Max > d.Min && !math.IsInf(d.Max-d.Min, 0)
}

// logBase returns the base of logarithmic scales of a unit, and the factors of the ticks within a decade.
func logBase(u format.Unit) (base float64, steps [3]float64) {
	if u.Kind == format.UnitBytes {
		return 16, [3]float64{1, 2, 4}
	}
	return 10, [3]float64{1, 2, 5}
}

// appendTicks appends the values of about n ticks between the edges, without the edges themselves.
func (sc *seriesScale) appendTicks(dst []float64, u format.Unit, n int) []float64 {
	if !sc.set || n < 1 {
		return dst
	}
	if sc.log {
		base, steps := logBase(u)
		decades := math.Log(sc.hi/sc.lo) / math.Log(base)
		every := max(1, math.Ceil(decades/float64(n)))
		if decades*3 <= float64(n)+1 { // room for steps in between
			for e := 0.0; e < decades; e++ {
				for _, m := range steps {
					if v := sc.lo * math.Pow(base, e) * m; v > sc.lo*1.001 && v < sc.hi*0.999 {
						dst = append(dst, v)
					}
				}
			}
			return dst
		}
		for e := every; e < decades-1e-6; e += every {
			dst = append(dst, sc.lo*math.Pow(base, e))
		}
		return dst
	}
	step := u.Step(n, sc.hi-sc.lo)
	if !(step > 0) || (sc.hi-sc.lo)/step > 64 {
		return dst
	}
	for k := math.Floor(sc.lo/step) + 1; k*step < sc.hi-1e-6*step; k++ {
		if k*step > sc.lo+1e-6*step {
			dst = append(dst, k*step)
		}
	}
	return dst
}
