package panel

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/internal/testkit"
	"framescope/model"
)

// Numbers are written as numbers.txt says.
func TestNumbers(t *testing.T) {
	number := func(word string) float64 { return testkit.Must(strconv.ParseFloat(word, 64))(t) }
	whole := func(word string) int64 { return testkit.Must(strconv.ParseInt(word, 10, 64))(t) }
	ways := map[string]func(words []string) []byte{
		"duration":   func(words []string) []byte { return format.AppendDuration(nil, whole(words[0])) },
		"count":      func(words []string) []byte { return format.AppendCount(nil, whole(words[0])) },
		"value":      func(words []string) []byte { return format.AppendValue(nil, number(words[0]), words[1]) },
		"short":      func(words []string) []byte { return format.AppendShort(nil, number(words[0]), "u") },
		"clock":      func(words []string) []byte { return format.AppendClock(nil, whole(words[0]), whole(words[1])) },
		"microclock": func(words []string) []byte { return format.AppendMicroClock(nil, whole(words[0])) },
		"per second": func(words []string) []byte { return format.AppendPerSecond(nil, number(words[0])) },
		"beside":     func(words []string) []byte { return format.AppendBeside(nil, whole(words[0]), whole(words[1])) },
		"bytes": func(words []string) []byte {
			u := format.UnitOfValues(&model.SeriesDef{Unit: "B"})
			return u.Append(nil, number(words[0]))
		},
		"unit": func(words []string) []byte {
			var u format.TimeUnit
			if had := number(words[1]); had > 0 {
				u = format.TimeUnitOf(had, u)
			}
			u = format.TimeUnitOf(number(words[0]), u)
			return append(append(u.Append(nil, number(words[2])), ' '), u.Name...)
		},
	}
	for _, row := range testkit.Rows("testdata/numbers.txt") {
		got := string(ways[row[0]](append(strings.Fields(row[1]), "")))
		testkit.Equal(t, strings.ReplaceAll(got, "\u202f", "_"), row[2], "%s of %s", row[0], row[1])
	}
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
	testkit.That(t, n == 0, "%g allocations", n)
}

func TestContainsFold(t *testing.T) {
	for _, tc := range []struct {
		s, sub string
		want   bool
	}{
		{"App:Show code", "SHOW", true}, {"App", "", true}, {"", "a", false}, {"Тень:Карта", "карта", true}, {"Draw", "Drawn", false}, {"描画:影", "影", true}, {"a\xffb", "B", true},
	} {
		testkit.Equal(t, format.ContainsFold(tc.s, tc.sub), tc.want, "ContainsFold(%q, %q)", tc.s, tc.sub)
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
		testkit.Equal(t, string(c.unit.Append(nil, c.v)), c.want, "%v", c.v)
	}
}

// plotRect draws a panel rectangle.
func plotRect(t *rapid.T) draw.Rect {
	x := float32(rapid.IntRange(0, 2000).Draw(t, "x0"))
	return draw.Rect{X0: x, Y0: 10, X1: x + float32(rapid.IntRange(40, 4000).Draw(t, "w")), Y1: 300}
}

// axisAt draws an axis that shows something of a long session.
func axisAt(t *rapid.T) *format.Axis {
	var a format.Axis
	begin := rapid.Int64Range(0, 1<<50).Draw(t, "begin")
	width := int64(math.Pow(10, rapid.Float64Range(3, 12).Draw(t, "log width")))
	a.Fit(begin, begin+width)
	return &a
}

func TestZoomKeepsTheTimeUnderTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, r := axisAt(t), plotRect(t)
		x := float64(r.X0) + rapid.Float64Range(0, 1).Draw(t, "cursor")*float64(r.W())
		for range rapid.IntRange(1, 30).Draw(t, "notches") {
			at := a.ToTimeF(r, x)
			ulp := math.Nextafter(a.EndNs, math.Inf(1)) - a.EndNs
			a.ZoomAt(at, rapid.Float64Range(0.5, 2).Draw(t, "factor"))
			if d := math.Abs(a.ToTimeF(r, x) - at); d > 8*ulp+1e-9*a.Width() {
				t.Fatalf("the time under the cursor moved by %g ns at a width of %g ns", d, a.Width())
			}
		}
	})
}

func TestZoomInAndOutReturns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, r := axisAt(t), plotRect(t)
		b0, e0 := a.BeginNs, a.EndNs
		x := float64(r.X0) + rapid.Float64Range(0, 1).Draw(t, "cursor")*float64(r.W())
		n := rapid.IntRange(1, 12).Draw(t, "notches")
		f := rapid.SampledFrom([]float64{1.25, 1.05}).Draw(t, "factor")
		for range n {
			a.ZoomAt(a.ToTimeF(r, x), f)
		}
		if a.Width() == format.MinNs {
			return // reached the limit: the way back is longer than the way in
		}
		for range n {
			a.ZoomAt(a.ToTimeF(r, x), 1/f)
		}
		perPx := (e0 - b0) / float64(r.W())
		ulp := math.Nextafter(e0, math.Inf(1)) - e0
		if d := max(math.Abs(a.BeginNs-b0), math.Abs(a.EndNs-e0)); d > 1e-6*perPx+16*ulp*math.Pow(f, float64(n)) {
			t.Fatalf("zoomed in and out by %d notches: off by %g px", n, d/perPx)
		}
	})
}

func TestAnimatedZoomKeepsTheCursorAllTheWay(t *testing.T) {
	r := draw.Rect{X0: 100, X1: 1100, Y1: 10}
	var a format.Axis
	a.Fit(1e9, 2e9)
	x := 412.0
	at := a.ToTimeF(r, x)
	now := int64(5)
	for i := range 40 {
		if i%3 == 0 && i < 20 { // several notches while it moves
			a.ZoomBy(a.ToTimeF(r, x), 1.25, true, now)
		}
		now += 16_000_000
		a.Step(now)
		d := math.Abs(a.ToTimeF(r, x) - at)
		testkit.MustThat(t, d <= 1e-3, "step %d: the time under the cursor moved by %g ns", i, d)
	}
	testkit.MustThat(t, !a.Animating(), "still moving after the animation's time")
	if want := 1e9 / math.Pow(1.25, 7); math.Abs(a.Width()-want) > 1e-3 {
		t.Fatalf("seven notches gave a width of %g ns, want %g", a.Width(), want)
	}
}

func TestToPxAndBackAtGreatTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		begin := rapid.Int64Range(-1<<52, 1<<52).Draw(t, "begin")
		width := rapid.Int64Range(format.MinNs, 1<<40).Draw(t, "width")
		r := plotRect(t)
		var a format.Axis
		a.Fit(begin, begin+width)
		at := begin + rapid.Int64Range(0, width).Draw(t, "at")
		back := a.ToTime(r, a.ToPx(r, at))
		d := back - at
		testkit.MustThat(t, d >= -1 && d <= 1, "%d became %d", at, back)
	})
}

func TestPanMovesWholePixels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, r := axisAt(t), plotRect(t)
		b0, perPx := a.BeginNs, a.NsPerPx(r)
		sum := 0.0
		for range rapid.IntRange(1, 40).Draw(t, "moves") {
			dx := rapid.Float64Range(-7, 7).Draw(t, "dx")
			sum += dx
			a.PanPx(dx, float64(r.W()))
			moved := (a.BeginNs - b0) / perPx
			ulp := (math.Nextafter(a.EndNs, math.Inf(1)) - a.EndNs) / perPx
			testkit.MustThat(t, math.Abs(moved-math.Round(moved)) <= 1e-6+64*ulp, "moved by %g px", moved)
			testkit.MustThat(t, math.Abs(moved-sum) <= 1+1e-6+64*ulp, "moved by %g px after drags of %g px", moved, sum)
		}
	})
}

func TestLimits(t *testing.T) {
	var a format.Axis
	a.SetLimits(0, 1e9)
	a.Fit(0, 1e9)
	a.ZoomAt(5e8, 1e12)
	testkit.That(t, a.Width() == format.MinNs, "narrowest %g ns, want %d", a.Width(), format.MinNs)
	a.ZoomAt(5e8, 1e-12)
	testkit.That(t, a.Width() == 2e9, "widest %g ns, want twice the session", a.Width())
	a.Set(5e12, 5e12+1e6, false, 0)
	testkit.That(t, a.BeginNs <= 1e9 && a.EndNs >= 1e9, "[%g, %g] shows nothing of the session", a.BeginNs, a.EndNs)
	a.Set(math.NaN(), math.Inf(1), false, 0)
	testkit.That(t, a.BeginNs == 0 && a.EndNs == 1e9, "a range that is none gave [%g, %g]", a.BeginNs, a.EndNs)
	a.ZoomAt(0, math.NaN())
	a.ZoomAt(0, 0)
	a.ZoomAt(0, math.Inf(1))
	testkit.That(t, a.BeginNs == 0 && a.EndNs == 1e9, "factors that are none gave [%g, %g]", a.BeginNs, a.EndNs)
}

// TestZoomingOutStopsAtAll zooms out anywhere: no more than the margin is ever empty, and in the end all
// is shown in the middle; what is zoomed in and out again within it returns.
func TestZoomingOutStopsAtAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a format.Axis
		begin := rapid.Int64Range(0, 1<<50).Draw(t, "begin")
		length := rapid.Int64Range(2_000_000, 1<<42).Draw(t, "length")
		a.SetLimits(begin, begin+length)
		a.StopAtAll(true)
		margin := float64(length) * format.Margin
		at := float64(begin) + rapid.Float64Range(0, 1).Draw(t, "at")*float64(length)
		a.Set(at-rapid.Float64Range(0, 2e6).Draw(t, "before"), at+1e6, false, 0)
		share := rapid.Float64Range(0, 1).Draw(t, "cursor")
		for n := 0; n < 200; n++ {
			a.ZoomBy(a.BeginNs+share*a.Width(), 0.8, rapid.Bool().Draw(t, "animated"), int64(n))
			if b, e := a.Target(); b < float64(begin)-margin-1 || e > float64(begin+length)+margin+1 {
				t.Fatalf("[%g, %g] of [%d, %d]: more than %g is empty", b, e, begin, begin+length, margin)
			}
		}
		a.Step(1 << 40)
		left, right := float64(begin)-a.BeginNs, a.EndNs-float64(begin+length)
		testkit.MustThat(t, math.Abs(left-margin) <= 1+1e-6*margin && math.Abs(right-margin) <= 1+1e-6*margin,
			"all zoomed out, %g and %g ns are empty, want %g", left, right, margin)
	})
}

func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		begin := rapid.Int64Range(0, 1<<50).Draw(t, "begin")
		width := math.Pow(10, rapid.Float64Range(3, 12).Draw(t, "log width"))
		a := format.Window{BeginNs: float64(begin), EndNs: float64(begin) + width}
		r := draw.Rect{X0: 7, Y0: 10, X1: 7 + float32(rapid.IntRange(40, 4000).Draw(t, "w")), Y1: 300}
		sc, ticks := format.Ticks(a, r, 80, nil)
		testkit.MustThat(t, len(ticks) <= int(r.W()/80)+2, "%d ticks in %g px", len(ticks), r.W())
		var last string
		for i, at := range ticks {
			testkit.MustThat(t, at%sc.StepNs == 0 && at >= int64(a.BeginNs) && float64(at) <= a.EndNs+1,
				"tick %d of step %d in [%g, %g]", at, sc.StepNs, a.BeginNs, a.EndNs)
			testkit.MustThat(t, i <= 0 || a.ToPx(r, at)-a.ToPx(r, ticks[i-1]) >= 79.9, "ticks too close")
			label := string(sc.AppendLabel(nil, at))
			testkit.MustThat(t, label != last, "two ticks have the label %q", label)
			last = label
			testkit.MustThat(t, len(label) <= 12, "label %q is long (step %d, base %d)", label, sc.StepNs, sc.BaseNs)
		}
	})
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		begin, end int64
		want       string
	}{
		{0, 80_000_000, "0 ms|10 ms|20 ms"}, {0, 800, "0 ns|100 ns|200 ns"}, {0, 8_000_000_000, "0 s|1 s|2 s"},
		{0, 3_600_000_000_000, "0 s|600 s|1200 s"}, {7_205_016_000_000, 7_205_096_000_000, "+20 ms|+30 ms|+40 ms"},
		{700_000_000, 1_500_000_000, "0.7 s|0.8 s|0.9 s"},
	} {
		a := format.Window{BeginNs: float64(c.begin), EndNs: float64(c.end)}
		sc, ticks := format.Ticks(a, draw.Rect{X1: 800, Y1: 20}, 80, nil)
		var got []byte
		for i, at := range ticks[:3] {
			if i > 0 {
				got = append(got, '|')
			}
			got = sc.AppendLabel(got, at)
		}
		testkit.That(t, string(got) == c.want, "[%d, %d]: %s, want %s", c.begin, c.end, got, c.want)
	}
}

// From 10 s on the steps of axes are those of clocks.
func TestStepsOfMinutes(t *testing.T) {
	const second = int64(1e9)
	for least, want := range map[float64]int64{
		4e9: 5 * second, 5.1e9: 10 * second, 11e9: 15 * second, 31e9: 60 * second, 50e9: 60 * second, 61e9: 120 * second,
		250e9: 300 * second, 301e9: 600 * second, 1801e9: 3600 * second, 80_000e9: 86_400 * second, 90_000e9: 100_000 * second,
	} {
		testkit.Equal(t, format.NiceStep(least), want, "at least %g ns", least)
	}
}

func TestOffsets(t *testing.T) {
	w := format.Window{BeginNs: -25e6, EndNs: 45e6}
	sc, ticks := format.Ticks(w, draw.Rect{X1: 700, Y1: 10}, 90, nil)
	var words []string
	for _, at := range ticks {
		words = append(words, string(sc.AppendOffset(nil, at)))
	}
	got := strings.Join(words, " ") + " " + sc.Unit()
	testkit.That(t, got == "−20 −10 0 +10 +20 +30 +40 ms", "%v", got)
}

// A live chart's scale stays while it suits.
func TestScaleDoesNotBreathe(t *testing.T) {
	var sc format.Scale
	u := format.Unit{Factor: 1}
	sc.Fit(u, 0, 9.1, 1, false)
	testkit.MustThat(t, sc.Hi == 10 && sc.Lo == 0, "%+v", sc)
	for _, hi := range []float64{9.9, 10, 7, 5.1, 6} {
		sc.Fit(u, 0, hi, 1, false)
		testkit.That(t, sc.Hi == 10, "%v made it %v", hi, sc.Hi)
	}
	sc.Fit(u, 0, 10.1, 1, false)
	testkit.That(t, sc.Hi == 12, "it does not grow: %v", sc.Hi)
	sc.Fit(u, 0, 2, 1, false)
	testkit.That(t, sc.Hi <= 3, "it does not shrink: %v", sc.Hi)
	for _, c := range [][2]float64{{0, 0}, {-3, -3}, {-5, 8}, {1e300, 1.1e300}, {-1e308, 1e308}, {1e-300, 1e-300}, {100, 100.5}, {5, 5}, {1e15, 1e15 + 1}} {
		for _, log := range []bool{false, true} {
			for _, u := range []format.Unit{{Factor: 1}, {Kind: format.UnitBytes, Factor: 1}, {Kind: format.UnitTime, Factor: 1}, {Kind: format.UnitPercent, Factor: 100}} {
				var sc format.Scale
				sc.Fit(u, c[0], c[1], max(c[0], 1e-3), log)
				if !sc.Set || !(sc.Hi > sc.Lo) || !sc.Log && (sc.Lo > c[0] || sc.Hi < c[1]) && !math.IsInf(c[1]-c[0], 0) {
					t.Errorf("%v, log %v, unit %d: %+v", c, log, u.Kind, sc)
				}
				for _, v := range sc.AppendTicks(nil, u, 6) {
					testkit.That(t, v > sc.Lo && v < sc.Hi, "%v: a tick at %v is not inside %+v", c, v, sc)
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
	testkit.That(t, sc.Share(math.NaN()) == 0 && sc.Share(math.Inf(1)) == 1, "odd values have no place")
}

// A window of all of time has ticks, too.
func TestTicksOfAllOfTime(t *testing.T) {
	for _, w := range []format.Window{{BeginNs: -9e18, EndNs: 9e18}, {BeginNs: 2e16, EndNs: 9.22e18}, {BeginNs: -9.2e18, EndNs: -1e18}} {
		scale, ticks := format.Ticks(w, draw.Rect{X1: 1000, Y1: 20}, 86, nil)
		testkit.That(t, scale.StepNs > 0 && len(ticks) > 2 && slices.IsSorted(ticks),
			"%+v: step %d, ticks %d", w, scale.StepNs, ticks)
	}
}

// Times at the begin of the right column of a tooltip have one unit, but for those too small for it.
func TestTimesOfATooltipHaveOneUnit(t *testing.T) {
	var l TipLines
	for range 2 {
		l.Begin()
		l.Add("Draw")
		l.Text("total\t").Duration(55_900_000).End()
		l.Text("self\t").Duration(930_000).Text(" · 2 %").End()
		l.Text("mean\t").Duration(-503_000).End()
		l.Text("shortest\t").Duration(12_000).End()
		l.Text("in a sentence ").Duration(503_000).End()
		testkit.Equal(t, strings.Join(l.All(), "\n"),
			"Draw\ntotal\t55.9 ms\nself\t0.93 ms · 2 %\nmean\t−0.50 ms\nshortest\t12.0 µs\nin a sentence 503 µs", "the tooltip")
	}
}
