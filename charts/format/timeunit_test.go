package format

import "testing"

func TestTimeUnits(t *testing.T) {
	for _, c := range []struct {
		most, had, ns float64
		want          string
	}{
		{900, 0, 843, "843 ns"}, {61_000, 0, 1, "– µs"}, {10_040_000, 0, 61_000, "0.06 ms"},
		{10_040_000, 0, 10_040_000, "10.0 ms"}, {10_040_000, 0, 4_999, "– ms"}, {10_040_000, 0, 5_000, "0.01 ms"},
		{10_040_000, 0, 0, "– ms"}, {10_040_000, 0, -503_000_000, "−503.0 ms"}, {10_040_000, 0, 9_994_000, "9.99 ms"},
		{10_040_000, 0, 9_996_000, "10.0 ms"}, {5e9, 0, 4_606_800_000, "4606.8 ms"}, {9e9, 0, 12_345_678e3, "12\u202f345.7 ms"},
		{5e9, 0, 1_234_567, "1.23 ms"}, {2e10, 0, 1_500_000_000, "1.50 s"}, {2e12, 0, 15_990_000_000, "16.0 s"},
		{600_000, 2e6, 600_000, "0.60 ms"}, {400_000, 2e6, 400_000, "400.0 µs"}, {0, 0, 0, "0 "},
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
