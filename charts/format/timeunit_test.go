package format

import "testing"

func TestTimeUnits(t *testing.T) {
	for _, c := range []struct {
		most, had, ns float64
		want          string
	}{
		{900, 0, 843, "843 ns"}, {61_000, 0, 1, "0.001 µs"}, {10_040_000, 0, 61_000, "0.061 ms"}, {10_040_000, 0, 10_040_000, "10.040 ms"},
		{10_040_000, 0, 61, "<0.001 ms"}, {10_040_000, 0, 0, "0.000 ms"}, {10_040_000, 0, -503_000_000, "−503.000 ms"},
		{5e9, 0, 1_234_567, "1.23 ms"}, {2e10, 0, 1_500_000_000, "1.500 s"}, {2e12, 0, 1_500_000_000, "1.5 s"},
		{600_000, 2e6, 600_000, "0.600 ms"}, {400_000, 2e6, 400_000, "400.000 µs"}, {0, 0, 0, "0 "},
	} {
		u := TimeUnit{}
		if c.had > 0 {
			u = TimeUnitOf(c.had, u)
		}
		u = TimeUnitOf(c.most, u)
		if got := string(u.Append(nil, c.ns)) + " " + u.Name; got != c.want {
			t.Errorf("%g of %g: %s, want %s", c.ns, c.most, got, c.want)
		}
	}
}
