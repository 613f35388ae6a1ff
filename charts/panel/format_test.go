package panel

import (
	"math"
	"testing"

	"framescope/charts/format"
	"framescope/model"
)

func TestAppendDuration(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0 ns", 843: "843 ns", 1000: "1.00 µs", 61_035: "61.0 µs", 999_499: "999 µs", 999_500: "1.00 ms",
		2_690_000: "2.69 ms", 18_900_000: "18.9 ms", 187_000_000: "187 ms", 1_250_000_000: "1.25 s", 119_000_000_000: "119 s",
		200_000_000_000: "3 min 20 s", 7_260_000_000_000: "2 h 1 min", -100_000: "−100 µs", math.MinInt64: "−2\u202f562\u202f047 h 47 min",
	} {
		if ns == math.MinInt64 {
			want = string(format.AppendDuration([]byte("−"), math.MaxInt64))
		}
		if got := string(format.AppendDuration(nil, ns)); got != want {
			t.Errorf("%d: %q, want %q", ns, got, want)
		}
	}
}

func TestAppendCount(t *testing.T) {
	formats(t, format.AppendCount, map[int64]string{
		0: "0", 9999: "9999", 10_000: "10\u202f000", 12_407: "12\u202f407", -1_234_567: "−1\u202f234\u202f567", 100_000_000: "100\u202f000\u202f000",
		-5: "−5", math.MinInt64: "−9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808",
	})
}

func TestAppendValue(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{1204, "", "1204"}, {41.2345, "MB", "41.2 MB"}, {12_407, "nodes", "12\u202f407 nodes"}, {0.25, "", "0.25"}, {-3.5, "K", "−3.50 K"},
		{123456.7, "", "123\u202f457"}, {1e20, "", "1.00e+20"}, {6.71e-4, "MB", "0.000671 MB"}, {-0.00005, "", "−0.00005"}, {1e-9, "", "1.00e-09"}, {math.NaN(), "x", "not a number x"}, {math.Inf(-1), "", "−∞"},
	} {
		if got := string(format.AppendValue(nil, c.v, c.unit)); got != c.want {
			t.Errorf("%g %s: %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestAppendShort(t *testing.T) {
	for v, want := range map[float64]string{8.3e6: "8.30 M u", 999_999: "999\u202f999 u", -1.2e9: "−1.20 G u", 9.999e8: "1.00 G u", 2e13: "20.0 T u", 5: "5 u"} {
		if got := string(format.AppendShort(nil, v, "u")); got != want {
			t.Errorf("%g: %q, want %q", v, got, want)
		}
	}
}

func TestAppendClock(t *testing.T) {
	for _, c := range []struct {
		ns, step int64
		want     string
	}{
		{2_250_000_000, 1e6, "0:02.250"}, {3_725_016_000_000, 1, "1:02:05.016"}, {61_000_000_000, 1, "1:01"},
		{1_000_123_456, 1, "0:01.000\u202f123\u202f456"}, {1_000_123_456, 1e3, "0:01.000\u202f123"}, {5_500_000_000, 1e9, "0:06"},
		{59_999_600_000, 1e6, "1:00.000"}, {59_999_400_000, 1e6, "0:59.999"}, {3_599_999_999_999, 1e3, "1:00:00.000"},
		{59_999_600_000, 1e3, "0:59.999\u202f600"}, {3_599_600_000_000, 1e9, "1:00:00"}, {-400_000, 1e6, "0:00.000"},
		{-59_999_600_000, 1e6, "−1:00.000"}, {math.MaxInt64, 1e6, "2562047:47:16.854"}, {math.MinInt64, 1, "−2562047:47:16.854\u202f775\u202f807"},
		{0, 1, "0:00"},
	} {
		if got := string(format.AppendClock(nil, c.ns, c.step)); got != c.want {
			t.Errorf("%d step %d: %q, want %q", c.ns, c.step, got, c.want)
		}
	}
}

func TestAppendMicroClock(t *testing.T) {
	formats(t, format.AppendMicroClock, map[int64]string{
		0: "0:00.000\u202f000", 1_500_000_000: "0:01.500\u202f000", 59_999_999_600: "1:00.000\u202f000", -1_234_567: "−0:00.001\u202f235",
	})
}

func TestFormatsDoNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 128)
	n := testing.AllocsPerRun(100, func() {
		buf = format.AppendDuration(buf[:0], 12_345_678)
		buf = format.AppendCount(buf, 1_234_567)
		buf = format.AppendValue(buf, 41.25, "MB")
		buf = format.AppendRate(buf, 16_666_667)
		buf = format.AppendClock(buf, 1_234_567_890_123, 1)
	})
	if n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// A number is rounded once.
func TestBytesAreRoundedOnce(t *testing.T) {
	u := format.UnitOfValues(&model.SeriesDef{Unit: "B"})
	for v, want := range map[float64]string{258.53: "259 B", 258.47: "258 B", 99.96: "100 B", 12.34: "12.3 B", 0.5: "0.50 B"} {
		if got := string(u.Append(nil, v)); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

func TestContainsFold(t *testing.T) {
	for _, tc := range []struct {
		s, sub string
		want   bool
	}{
		{"App:Show code", "SHOW", true}, {"App", "", true}, {"", "a", false}, {"Тень:Карта", "карта", true}, {"Draw", "Drawn", false}, {"描画:影", "影", true}, {"a\xffb", "B", true},
	} {
		if got := format.ContainsFold(tc.s, tc.sub); got != tc.want {
			t.Errorf("ContainsFold(%q, %q) = %v", tc.s, tc.sub, got)
		}
	}
}

// A rate that is too small to be written is said to be that, in every unit.
func TestSmallRates(t *testing.T) {
	event := model.SeriesDef{Kind: model.SeriesEvent}
	bytes := model.SeriesDef{Kind: model.SeriesEvent, Unit: "B"}
	words := model.SeriesDef{Kind: model.SeriesCounter, Unit: "frames"}
	for _, c := range []struct {
		unit format.Unit
		v    float64
		want string
	}{
		{format.UnitOfCurve(&event, false), 6e-9, "<0.01 /s"}, {format.UnitOfCurve(&event, false), 0, "0 /s"}, {format.UnitOfCurve(&event, false), 0.02, "0.02 /s"},
		{format.UnitOfCurve(&bytes, true), 6e-9, "<0.01 B/s"}, {format.UnitOfCurve(&words, true), -6e-9, ">−0.01 frames/s"},
	} {
		if got := string(c.unit.Append(nil, c.v)); got != c.want {
			t.Errorf("%v: %q, want %q", c.v, got, c.want)
		}
	}
	for v, want := range map[float64]string{6e-9: "<0.01/s", 0: "0.00/s", 0.02: "0.02/s"} {
		if got := string(format.AppendPerSecond(nil, v)); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

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
		u := format.TimeUnit{}
		if c.had > 0 {
			u = format.TimeUnitOf(c.had, u)
		}
		u = format.TimeUnitOf(c.most, u)
		if got := string(u.Append(nil, c.ns)) + " " + u.Name; got != c.want {
			t.Errorf("%g of %g: %s, want %s", c.ns, c.most, got, c.want)
		}
	}
}

// formats compares what is appended with what it is to be.
func formats[V comparable](t *testing.T, add func([]byte, V) []byte, want map[V]string) {
	t.Helper()
	for v, want := range want {
		if got := string(add(nil, v)); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
