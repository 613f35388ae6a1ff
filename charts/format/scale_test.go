package format

import (
	"math"
	"testing"
)

// A live chart's scale stays while it suits.
func TestScaleDoesNotBreathe(t *testing.T) {
	var sc Scale
	u := Unit{Factor: 1}
	sc.Fit(u, 0, 9.1, 1, false)
	if sc.Hi != 10 || sc.Lo != 0 {
		t.Fatalf("%+v", sc)
	}
	for _, hi := range []float64{9.9, 10, 7, 5.1, 6} {
		if sc.Fit(u, 0, hi, 1, false); sc.Hi != 10 {
			t.Errorf("%v made it %v", hi, sc.Hi)
		}
	}
	if sc.Fit(u, 0, 10.1, 1, false); sc.Hi != 12 {
		t.Errorf("it does not grow: %v", sc.Hi)
	}
	if sc.Fit(u, 0, 2, 1, false); sc.Hi > 3 {
		t.Errorf("it does not shrink: %v", sc.Hi)
	}
	for _, c := range [][2]float64{{0, 0}, {-3, -3}, {-5, 8}, {1e300, 1.1e300}, {-1e308, 1e308}, {1e-300, 1e-300}, {100, 100.5}, {5, 5}, {1e15, 1e15 + 1}} {
		for _, log := range []bool{false, true} {
			for _, u := range []Unit{{Factor: 1}, {Kind: UnitBytes, Factor: 1}, {Kind: UnitTime, Factor: 1}, {Kind: UnitPercent, Factor: 100}} {
				var sc Scale
				sc.Fit(u, c[0], c[1], max(c[0], 1e-3), log)
				if !sc.Set || !(sc.Hi > sc.Lo) || !sc.Log && (sc.Lo > c[0] || sc.Hi < c[1]) && !math.IsInf(c[1]-c[0], 0) {
					t.Errorf("%v, log %v, unit %d: %+v", c, log, u.Kind, sc)
				}
				for _, v := range sc.AppendTicks(nil, u, 6) {
					if v <= sc.Lo || v >= sc.Hi {
						t.Errorf("%v: a tick at %v is not inside %+v", c, v, sc)
					}
				}
				for _, share := range []float64{0.1, 0.5, 0.9} {
					v := sc.Lo + share*(sc.Hi-sc.Lo)
					if sc.Log {
						v = sc.Lo * math.Pow(sc.Hi/sc.Lo, share)
					}
					if got := sc.Share(v); math.Abs(got-share) > 1e-6 && !math.IsInf(sc.Hi-sc.Lo, 0) {
						t.Errorf("%+v: share %v became %v", sc, share, got)
					}
				}
			}
		}
	}
	if sc.Share(math.NaN()) != 0 || sc.Share(math.Inf(1)) != 1 {
		t.Error("odd values have no place")
	}
}
