package histogram

import (
	"math"
	"testing"
)

func TestBinsAscendAndAreFine(t *testing.T) {
	last := int32(-1)
	for _, v := range []float64{-1e250, -5e9, -1, -1e-300, 0, 1e-300, 0.5, 1, 1.02, 16_666_667, 1e18, 1e250} {
		bin := Of(v)
		if bin <= last || bin < 0 || bin >= NumBins {
			t.Errorf("bin of %v is %d after %d", v, bin, last)
		}
		last = bin
		if got := Value(bin); math.Abs(got-v) > 0.008*math.Abs(v) {
			t.Errorf("%v becomes %v", v, got)
		}
	}
}
