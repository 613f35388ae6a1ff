package report

import (
	"testing"
)

// Figures are to be read: no powers of ten where digits do, and of what happens once in a long time
// that it does.
func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.000", 0.0004: "0.0004000", 0.00001234: "0.00001234", -0.00001234: "-0.00001234", 0.25: "0.250",
		99999.4: "99999.400", 123456.7: "123457", -1e12: "-1000000000000", 2e15: "2e+15",
	} {
		if got := Number(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0.000", 1.735e-9: "<0.001", -1.735e-9: ">-0.001", 0.0006: "0.001", 25: "25.000"} {
		if got := Rate(v); got != want {
			t.Errorf("%v a second: %s, want %s", v, got, want)
		}
	}
}
