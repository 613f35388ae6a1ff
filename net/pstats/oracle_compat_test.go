package pstats

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/net/pstats/wire"
)

// TestOracleCompat holds the official algorithms, from raw frames, against what the official code made of the same recordings.
func TestOracleCompat(t *testing.T) {
	for _, name := range captures {
		for _, from := range []string{"pstats", "pscap"} {
			t.Run(name+"/"+from, func(t *testing.T) {
				raw, _ := rawCapture(t, name, from == "pstats")
				results := []string{
					compareCompatBars(t, raw, name), compareCompatStrips(t, raw, name), compareCompatFlame(t, raw, name),
				}
				t.Logf("%-14s %s: %s", name, from, strings.Join(results, "; "))
			})
		}
	}
}

// oracleBars reads NAME.bars.tsv.
func oracleBars(t *testing.T, name string) (bars []CompatBar) {
	for _, r := range rows(t, name+".bars.tsv") {
		bars = append(bars, CompatBar{Thread: atoi(t, r[0]), Row: atoi(t, r[1]), Begin: atof(t, r[2]), End: atof(t, r[3]), Collector: atoi(t, r[4]), OpenBegin: r[5] == "1", OpenEnd: r[6] == "1"})
	}
	return bars
}

func orderOfBars(a, b CompatBar) int {
	return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End))
}

func compareCompatBars(t *testing.T, raw *RawSession, name string) string {
	c := tally{t: t, what: "bars"}
	got, want := CompatTimeline(raw), oracleBars(t, name)
	slices.SortStableFunc(got, orderOfBars)
	slices.SortStableFunc(want, orderOfBars)
	for i, w := range want {
		if i >= len(got) {
			c.check(false, "%+v is missing", w)
			continue
		}
		g := got[i]
		c.check(g.Thread == w.Thread && g.Row == w.Row && near(g.Begin, w.Begin) && near(g.End, w.End) && g.Collector == w.Collector && g.OpenBegin == w.OpenBegin && g.OpenEnd == w.OpenEnd,
			"bar %d is %+v, want %+v", i, g, w)
	}
	c.check(len(got) == len(want), "%d bars, want %d", len(got), len(want))
	c.same--
	return c.String()
}

// stripRow is a row of NAME.strip.tsv.
type stripRow struct {
	thread, collector int
	level             bool
	frame             int
	begin, end, net   float64
	bands             []CompatBand
}

func oracleStrips(t *testing.T, name string) (out []stripRow) {
	for _, r := range rows(t, name+".strip.tsv") {
		s := stripRow{thread: atoi(t, r[0]), collector: atoi(t, r[1]), level: r[2] == "1", frame: atoi(t, r[3]), begin: atof(t, r[4]), end: atof(t, r[5]), net: atof(t, r[6])}
		for _, field := range r[7:] {
			for _, band := range strings.Fields(field) {
				c, v, _ := strings.Cut(band, ":")
				s.bands = append(s.bands, CompatBand{atoi(t, c), atof(t, v)})
			}
		}
		out = append(out, s)
	}
	return out
}

func compareCompatStrips(t *testing.T, raw *RawSession, name string) string {
	c := tally{t: t, what: "strips"}
	views := map[string]*CompatView{}
	for _, w := range oracleStrips(t, name) {
		key := strconv.Itoa(w.thread) + strconv.FormatBool(w.level)
		if views[key] == nil {
			views[key] = NewCompatView(raw, w.level)
		}
		f := raw.FrameOf(w.thread, int32(w.frame))
		if f == nil {
			f = &wire.Frame{}
		}
		views[key].Update(f)
		got, net := views[key].Strip(w.collector, nil)
		if w.level && !near(net, w.net) {
			if bound := levelRounding(f); sameBands(got, w.bands, func(a, b float64) bool { return math.Abs(a-b) <= bound }) {
				c.name(ruleRounding)
				continue
			}
		}
		c.check(near(net, w.net) && sameBands(got, w.bands, near), "thread %d collector %d level %v frame %d: %v = %v, want %v = %v", w.thread, w.collector, w.level, w.frame, got, net, w.bands, w.net)
	}
	return c.String()
}

// ruleRounding: clients send absurd levels now and then (1.76e13 MB in a memory counter that fell below zero). A parent's own value is then a small difference of huge
// numbers, and depends on the order of the sum, which the official viewer leaves to an unstable sort.
const ruleRounding = "differ by the rounding of an absurd level"

// levelRounding bounds the rounding error of sums of a frame's levels in 64-bit floats.
func levelRounding(f *wire.Frame) float64 {
	greatest := 0.0
	for _, l := range f.Levels {
		greatest = max(greatest, math.Abs(float64(l.Value)))
	}
	return greatest * 0x1p-53 * float64(len(f.Levels))
}

// sameBands compares bands as a set: collectors of equal sort have no defined order in the official viewer.
func sameBands(got, want []CompatBand, near func(a, b float64) bool) bool {
	if len(got) != len(want) {
		return false
	}
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g CompatBand) bool { return g.Collector == w.Collector && near(g.Value, w.Value) }) {
			return false
		}
	}
	return true
}

// oracleFlame reads NAME.flame.tsv: bars by thread and frame.
func oracleFlame(t *testing.T, name string) map[[2]int][]CompatFlameBar {
	out := map[[2]int][]CompatFlameBar{}
	for _, r := range rows(t, name+".flame.tsv") {
		key := [2]int{atoi(t, r[0]), atoi(t, r[1])}
		out[key] = append(out[key], CompatFlameBar{Depth: atoi(t, r[2]), X0: atoi(t, r[3]), X1: atoi(t, r[4]), Collector: atoi(t, r[5]), Parent: atoi(t, r[6])})
	}
	return out
}

func compareCompatFlame(t *testing.T, raw *RawSession, name string) string {
	c := tally{t: t, what: "flame"}
	for key, want := range oracleFlame(t, name) {
		got := CompatFlame(raw.FrameOf(key[0], int32(key[1])), 1000)
		for i := range got {
			got[i].Sec, got[i].Count = 0, 0
		}
		order := func(a, b CompatFlameBar) int { return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.X0, b.X0)) }
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		for i, w := range want {
			if i >= len(got) {
				c.check(false, "thread %d frame %d: %+v is missing", key[0], key[1], w)
			} else {
				c.check(got[i] == w, "thread %d frame %d: %+v, want %+v", key[0], key[1], got[i], w)
			}
		}
		c.check(len(got) == len(want), "thread %d frame %d: %d bars, want %d", key[0], key[1], len(got), len(want))
		c.same--
	}
	return c.String()
}
