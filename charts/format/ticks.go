package format

import (
	"math"
	"strconv"

	"framescope/charts/draw"
)

// TickScale is the spacing and naming of the ticks of a time axis. Labels count from BaseNs, a
// round time at or before the visible range, so that they stay short an hour into a session; if
// BaseNs is 0 they are session times.
type TickScale struct {
	StepNs, BaseNs int64
	unitNs         int64 // 1, 1e3, 1e6 or 1e9
	digits         int   // after the point
}

// Ticks appends to out the times of the ticks of a window that are visible in r, with steps of 1, 2
// or 5 times a power of ten at least minPx pixels apart.
func Ticks(w Window, r draw.Rect, minPx float32, out []int64) (TickScale, []int64) {
	if !w.Valid() || r.W() <= 0 || minPx <= 0 {
		return TickScale{StepNs: 1, unitNs: 1}, out
	}
	begin, end := w.Visible()
	sc := newTickScale(begin, end, NiceStep(w.NsPerPx(r)*float64(minPx)))
	first := FloorDiv(begin, sc.StepNs)
	for i := range int64(r.W()/minPx) + 2 + int64(len(w.Folds.All())) {
		t := (first + i) * sc.StepNs
		if in, ok := w.Folds.At(t); ok {
			first = FloorDiv(in.End, sc.StepNs) - i
		} else if t >= begin && t <= end {
			out = append(out, t)
		}
	}
	return sc, out
}

func newTickScale(begin, end, step int64) TickScale {
	sc := TickScale{StepNs: step, unitNs: 1}
	for sc.unitNs < 1e9 && step >= sc.unitNs*1000 {
		sc.unitNs *= 1000
	}
	// With labels from the session's start, one of four digits is still read at a glance; longer ones
	// get a base.
	width := end - begin
	if begin/sc.unitNs >= 10_000 || begin/sc.unitNs <= -10_000 {
		base := int64(10)
		for base < width && base <= math.MaxInt64/10 {
			base *= 10
		}
		sc.BaseNs = FloorDiv(begin, base) * base
	}
	// Few digits: 1.5 ms reads better than 1500 µs.
	for sc.unitNs < 1e9 && end-sc.BaseNs >= sc.unitNs*1000 && step*100 >= sc.unitNs*1000 {
		sc.unitNs *= 1000
	}
	for s := sc.unitNs; step%s != 0 && s > 1; s /= 10 {
		sc.digits++
	}
	return sc
}

// AppendLabel appends the label of the tick at timeNs: "8 ms", or "+8 ms" when it counts from a
// base.
func (sc TickScale) AppendLabel(dst []byte, timeNs int64) []byte {
	if sc.BaseNs != 0 {
		dst = append(dst, '+')
	}
	v := timeNs - sc.BaseNs
	if sc.digits == 0 {
		dst = strconv.AppendInt(dst, v/max(sc.unitNs, 1), 10)
	} else {
		dst = strconv.AppendFloat(dst, float64(v)/float64(sc.unitNs), 'f', sc.digits, 64)
	}
	return append(dst, unitName(sc.unitNs)...)
}

// AppendOffset appends the label of a tick counted from something: "+10", "−10", "0", in Unit.
func (sc TickScale) AppendOffset(dst []byte, ns int64) []byte {
	switch {
	case ns > 0:
		dst = append(dst, '+')
	case ns < 0:
		dst, ns = append(dst, "−"...), -ns
	default:
		return append(dst, '0')
	}
	return strconv.AppendFloat(dst, float64(ns)/float64(max(sc.unitNs, 1)), 'f', sc.digits, 64)
}

// Unit returns the unit of the labels.
func (sc TickScale) Unit() string { return unitName(sc.unitNs)[1:] }

// AppendBase appends the base as a clock time, "1:02:05.016", with as many digits as it has (three
// at most in groups), nothing when it is 0.
func (sc TickScale) AppendBase(dst []byte) []byte {
	if sc.BaseNs == 0 {
		return dst
	}
	return AppendClock(dst, sc.BaseNs, 1)
}

func unitName(ns int64) string {
	switch ns {
	case 1:
		return " ns"
	case 1e3:
		return " µs"
	case 1e6:
		return " ms"
	}
	return " s"
}

// FloorDiv is a / b rounded down, for b > 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
