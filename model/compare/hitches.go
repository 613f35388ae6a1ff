package compare

import "math"

// mostChunks bounds how many parts a side is cut into for the test of its hitches.
const mostChunks = 1 << 13

// hitches notes which frames of a side, by index, took much longer than those around them: in order of
// time, 1 for a part of the frames that has such a one; and how many of all they are.
func (f *FrameTimes) hitches(side, first, last int, of []int) {
	n := last - first + 1
	each := (n + mostChunks - 1) / mostChunks
	has := make([]float64, (n+each-1)/each)
	for _, i := range of {
		has[(i-first)/each] = 1
	}
	f.Sides[side].Hitches = int64(len(of))
	f.hitched[side] = has
}

// oftener tests whether one side has hitches more often, by Fisher: a test of frame times shows little
// about hitches, as these hardly move a mean with outliers cut.
func (f *FrameTimes) oftener() contrast {
	a, b := f.hitched[0], f.hitched[1]
	f.hitched = [2][]float64{}
	c := contrast{p: math.NaN(), half: math.NaN()}
	switch {
	case len(a) < leastIndependent || len(b) < leastIndependent:
		f.Hitches.Lack, f.Hitches.Needs = LacksFrames, leastIndependent
		return c
	case f.Sides[0].Hitches+f.Sides[1].Hitches < LeastOccur:
		f.Hitches.Lack = LacksUse
		return c
	}
	for i := range c.typical {
		c.typical[i] = float64(f.Sides[i].Hitches) / float64(f.Sides[i].Received)
	}
	more, fewer := Surplus(b, a), Surplus(a, b)
	c.p = min(1, 2*min(more, fewer))
	alone, of := max(AutocorrelationTime(a), AutocorrelationTime(b)), 0.0
	for i, share := range c.typical {
		of += share * (1 - share) * alone / float64(f.Sides[i].Received)
	}
	c.half = 1.96 * math.Sqrt(of)
	if c.higher = 1; fewer < more {
		c.higher = -1
	}
	return c
}
