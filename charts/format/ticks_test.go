package format

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"framescope/charts/draw"
)

func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		begin := rapid.Int64Range(0, 1<<50).Draw(t, "begin")
		width := math.Pow(10, rapid.Float64Range(3, 12).Draw(t, "log width"))
		a := Window{BeginNs: float64(begin), EndNs: float64(begin) + width}
		r := draw.Rect{X0: 7, Y0: 10, X1: 7 + float32(rapid.IntRange(40, 4000).Draw(t, "w")), Y1: 300}
		sc, ticks := Ticks(a, r, 80, nil)
		if len(ticks) > int(r.W()/80)+2 {
			t.Fatalf("%d ticks in %g px", len(ticks), r.W())
		}
		var last string
		for i, at := range ticks {
			if at%sc.StepNs != 0 || at < int64(a.BeginNs) || float64(at) > a.EndNs+1 {
				t.Fatalf("tick %d of step %d in [%g, %g]", at, sc.StepNs, a.BeginNs, a.EndNs)
			}
			if i > 0 && a.ToPx(r, at)-a.ToPx(r, ticks[i-1]) < 79.9 {
				t.Fatal("ticks too close")
			}
			label := string(sc.AppendLabel(nil, at))
			if label == last {
				t.Fatalf("two ticks have the label %q", label)
			}
			last = label
			if len(label) > 12 {
				t.Fatalf("label %q is long (step %d, base %d)", label, sc.StepNs, sc.BaseNs)
			}
		}
	})
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		begin, end int64
		want       string
	}{
		{0, 80_000_000, "0 ms|10 ms|20 ms"},
		{0, 800, "0 ns|100 ns|200 ns"},
		{0, 8_000_000_000, "0 s|1 s|2 s"},
		{0, 3_600_000_000_000, "0 s|500 s|1000 s"},
		{7_205_016_000_000, 7_205_096_000_000, "+20 ms|+30 ms|+40 ms"},
		{700_000_000, 1_500_000_000, "0.7 s|0.8 s|0.9 s"},
	} {
		a := Window{BeginNs: float64(c.begin), EndNs: float64(c.end)}
		sc, ticks := Ticks(a, draw.Rect{X1: 800, Y1: 20}, 80, nil)
		var got []byte
		for i, at := range ticks[:3] {
			if i > 0 {
				got = append(got, '|')
			}
			got = sc.AppendLabel(got, at)
		}
		if string(got) != c.want {
			t.Errorf("[%d, %d]: %s, want %s", c.begin, c.end, got, c.want)
		}
	}
}

func TestOffsets(t *testing.T) {
	w := Window{BeginNs: -25e6, EndNs: 45e6}
	sc, ticks := Ticks(w, draw.Rect{X1: 700, Y1: 10}, 90, nil)
	var words []string
	for _, at := range ticks {
		words = append(words, string(sc.AppendOffset(nil, at)))
	}
	if got := strings.Join(words, " ") + " " + sc.Unit(); got != "−20 −10 0 +10 +20 +30 +40 ms" {
		t.Error(got)
	}
}
