package format

import (
	"testing"

	"framescope/model"
)

// A rate that is too small to be written is said to be that, in every unit.
func TestSmallRates(t *testing.T) {
	event := model.SeriesDef{Kind: model.SeriesEvent}
	bytes := model.SeriesDef{Kind: model.SeriesEvent, Unit: "B"}
	words := model.SeriesDef{Kind: model.SeriesCounter, Unit: "frames"}
	for _, c := range []struct {
		unit Unit
		v    float64
		want string
	}{
		{UnitOfCurve(&event, false), 6e-9, "<0.01 /s"}, {UnitOfCurve(&event, false), 0, "0 /s"}, {UnitOfCurve(&event, false), 0.02, "0.02 /s"},
		{UnitOfCurve(&bytes, true), 6e-9, "<0.01 B/s"}, {UnitOfCurve(&words, true), -6e-9, ">−0.01 frames/s"},
	} {
		if got := string(c.unit.Append(nil, c.v)); got != c.want {
			t.Errorf("%v: %q, want %q", c.v, got, c.want)
		}
	}
	for v, want := range map[float64]string{6e-9: "<0.01/s", 0: "0.00/s", 0.02: "0.02/s"} {
		if got := string(AppendPerSecond(nil, v)); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
