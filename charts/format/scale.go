package format

import (
	"math"

	"framescope/model"
)

// Scale is the vertical scale of a plot, from the value at its lower edge to the one at its upper
// edge. The zero value is unset: Share answers 0.
type Scale struct {
	Lo, Hi   float64
	Log, Set bool
}

// Share returns where a value lies between the lower edge (0) and the upper edge (1); values beyond
// the edges lie on them, and NaN on the lower one.
func (sc *Scale) Share(v float64) float64 {
	if !sc.Set {
		return 0
	}
	lo, hi := sc.Lo, sc.Hi
	if sc.Log {
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

// Fit makes the scale suit values from lo to hi. It stays as it is while it still suits: everything
// is inside and fills more than half of it. So a live chart does not breathe. leastPositive is the
// smallest value above 0, for logarithmic scales.
func (sc *Scale) Fit(u Unit, lo, hi, leastPositive float64, log bool) {
	if !(hi >= lo) { // nothing is visible
		if !sc.Set || sc.Log != log {
			*sc = Scale{Lo: 0, Hi: 1 / u.Factor, Set: true}
			if log {
				*sc = Scale{Lo: 0.1 / u.Factor, Hi: 1 / u.Factor, Log: true, Set: true}
			}
		}
		return
	}
	if log && hi > 0 {
		sc.fitLog(u, min(leastPositive, hi), hi)
		return
	}
	if sc.Set && !sc.Log && lo >= sc.Lo && hi <= sc.Hi {
		size := sc.Hi - sc.Lo
		filled := hi-lo >= 0.2*size || size <= 0.005*max(math.Abs(hi), math.Abs(lo)) || hi == lo
		if sc.Lo == 0 && lo >= 0 && hi >= 0.5*sc.Hi && lo <= 0.9*hi || sc.Lo != 0 && filled {
			return
		}
	}
	pad := 0.05
	if sc.Set { // it grew out of the scale once and will do so again
		pad = 0.3
	}
	*sc = Scale{Set: true}
	// Durations, sizes and shares include 0; other numbers only when it is near.
	near := Pick(u.Kind != UnitPlain, 0.85, 0.6)
	switch {
	case lo >= 0 && lo <= near*hi:
		sc.Hi = u.RoundUp(hi * 1.02)
	case lo == 0 && hi == 0:
		sc.Hi = 1 / u.Factor
	default:
		span := hi - lo
		size := max(math.Abs(hi), math.Abs(lo))
		switch {
		case span == 0:
			span = 0.1 * size
		case span < 1e-3*size: // small changes must not look wild
			span = 1e-3 * size
			lo, hi = (lo+hi-span)/2, (lo+hi+span)/2
		}
		step := u.Step(5, span)
		if !(step > 0) {
			step = max(span, math.SmallestNonzeroFloat32)
		}
		sc.Lo, sc.Hi = math.Floor((lo-pad*span)/step)*step, math.Ceil((hi+pad*span)/step)*step
		if lo >= 0 {
			sc.Lo = max(sc.Lo, 0)
		}
		if hi <= 0 {
			sc.Hi = min(sc.Hi, 0)
		}
	}
	if !(sc.Hi > sc.Lo) || math.IsInf(sc.Hi-sc.Lo, 0) {
		sc.Lo, sc.Hi = min(lo, 0), max(hi, 1)
	}
}

// fitLog is Fit for a logarithmic scale: whole powers of ten (of bytes: of two), at least one
// decade.
func (sc *Scale) fitLog(u Unit, lo, hi float64) {
	if sc.Set && sc.Log && lo >= sc.Lo && hi <= sc.Hi && math.Log(hi/lo) >= 0.5*math.Log(sc.Hi/sc.Lo) {
		return
	}
	base, _ := logBase(u)
	e0, e1 := math.Floor(math.Log(lo*u.Factor)/math.Log(base)+1e-9), math.Ceil(math.Log(hi*u.Factor)/math.Log(base)-1e-9)
	e0 = max(e0, e1-12) // one wild value near 0 must not flatten all others
	if e1 <= e0 {
		e1 = e0 + 1
	}
	*sc = Scale{Lo: math.Pow(base, e0) / u.Factor, Hi: math.Pow(base, e1) / u.Factor, Log: true, Set: true}
	if !(sc.Lo > 0) || math.IsInf(sc.Hi, 0) {
		*sc = Scale{Lo: 1e-9, Hi: 1, Log: true, Set: true}
	}
}

// Stretch moves the upper edge.
func (sc *Scale) Stretch(factor float64) {
	switch hi := sc.Lo + (sc.Hi-sc.Lo)*factor; {
	case !sc.Set:
	case sc.Log:
		sc.Hi = max(sc.Hi*factor, sc.Lo*1.01)
	case hi > sc.Lo && hi < 1e300:
		sc.Hi = hi
	}
}

// HasUsableRange reports whether a series states a range of its values that makes a scale.
func HasUsableRange(d *model.SeriesDef) bool {
	return d.HasRange && d.Kind != model.SeriesCounter && d.Kind != model.SeriesEvent && d.Max > d.Min &&
		!math.IsInf(d.Max-d.Min, 0)
}

// logBase returns the base of logarithmic scales of a unit, and the factors of the ticks within a
// decade.
func logBase(u Unit) (base float64, steps [3]float64) {
	if u.Kind == UnitBytes {
		return 16, [3]float64{1, 2, 4}
	}
	return 10, [3]float64{1, 2, 5}
}

// AppendTicks appends the values of about n ticks between the edges, without the edges themselves.
func (sc *Scale) AppendTicks(dst []float64, u Unit, n int) []float64 {
	if !sc.Set || n < 1 {
		return dst
	}
	if sc.Log {
		base, steps := logBase(u)
		decades := math.Log(sc.Hi/sc.Lo) / math.Log(base)
		every := max(1, math.Ceil(decades/float64(n)))
		if decades*3 <= float64(n)+1 { // room for steps in between
			for e := 0.0; e < decades; e++ {
				for _, m := range steps {
					if v := sc.Lo * math.Pow(base, e) * m; v > sc.Lo*1.001 && v < sc.Hi*0.999 {
						dst = append(dst, v)
					}
				}
			}
			return dst
		}
		for e := every; e < decades-1e-6; e += every {
			dst = append(dst, sc.Lo*math.Pow(base, e))
		}
		return dst
	}
	step := u.Step(n, sc.Hi-sc.Lo)
	if !(step > 0) || (sc.Hi-sc.Lo)/step > 64 {
		return dst
	}
	for k := math.Floor(sc.Lo/step) + 1; k*step < sc.Hi-1e-6*step; k++ {
		if k*step > sc.Lo+1e-6*step {
			dst = append(dst, k*step)
		}
	}
	return dst
}
