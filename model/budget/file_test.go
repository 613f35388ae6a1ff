package budget

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/measure"
	"framescope/model/store"
)

// TestParse reads files: what is wrong with one is told with its line and what to write instead.
func TestParse(t *testing.T) {
	testkit.Blocks(t, "testdata/files.txt", func(_, text string) string {
		all, err := Parse(text)
		if err != nil {
			return err.Error()
		}
		out := ""
		for _, b := range all {
			out += fmt.Sprintf("%+v\n", b)
		}
		return strings.TrimSpace(out)
	})
	testkit.Refused(Parse(strings.Repeat("[[budget]]\nlimit=\"4ms\"\n", MaxBudgets+1)))(t, "the limit is 1000")
}

func FuzzParse(f *testing.F) {
	f.Add("[[budget]]\ncollector = \"App:*\"\nlimit = \"4 ms\"\nshare = 0.5\n")
	f.Add("[[budget]]\nseries = \"Heap\"\nat = \"max\"\nlimit = 1e9\n")
	f.Add("[[budget]]\nseries = \"Heap\"\nlimit = \"1.5 GiB\"\n")
	f.Add("[[budget]]\nlimit = \"9999999h\"\nshare = \"100 %\" # all")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Parse(text)
		testkit.MustEqual(t, err == nil, len(all) > 0, "%d budgets, %v", len(all), err)
		for i := range all {
			b := &all[i]
			testkit.MustThat(t, !math.IsNaN(b.Limit) && !math.IsInf(b.Limit, 0) && b.HasShare == (b.At == "") &&
				b.Share >= 0 && b.Share <= 1, "%+v", b)
		}
	})
}

// Limits of series are given in the units that they have elsewhere, and are written so that they are read
// again.
func TestLimitsOfSeriesHaveUnits(t *testing.T) {
	for text, want := range map[string]struct {
		limit       float64
		unit, again string
	}{
		"16ms": {16e6, "ns", "16 ms"}, "16.5 ms": {16.5e6, "ns", "16.5 ms"}, "1m30s": {90e9, "ns", "90 s"}, "250 µs": {250e3, "ns", "250 µs"},
		"-4 ms": {-4e6, "ns", "-4ms"}, "512 MiB": {512 << 20, "B", "512 MiB"}, "1.5GB": {1.5e9, "B", "1500000000 B"}, "90 %": {90, "%", "90 %"},
		"16000000": {16e6, "", ""}, "1e9": {1e9, "", ""},
	} {
		b := Budget{Series: "x", Measure: Value}
		var err error
		if b.Limit, b.Unit, err = ParseLimit(text, Value); err != nil || b.Limit != want.limit || b.Unit != want.unit {
			t.Errorf("%q: %v %q %v", text, b.Limit, b.Unit, err)
		}
		if got := b.inUnit(); got != want.again {
			t.Errorf("%q is written as %q, want %q", text, got, want.again)
		} else if got == "" {
			continue
		}
		if limit, unit, err := ParseLimit(want.again, Value); limit != want.limit || unit != want.unit || err != nil {
			t.Errorf("%q is %v %q %v when it is read again", want.again, limit, unit, err)
		}
		all, err := Parse("[[budget]]\nseries = \"x\"\nlimit = \"" + text + "\"\n")
		testkit.That(t, err == nil && all[0].Limit == want.limit && all[0].Unit == want.unit,
			"%q in a file: %+v %v", text, all, err)
	}
	for _, bad := range []string{"", "ms", "4 hours", "5 parsecs", "nan", "1e300 GiB", "4 ms ms"} {
		limit, unit, err := ParseLimit(bad, Value)
		testkit.That(t, err != nil, "%q is %v %q", bad, limit, unit)
	}
}

const byHand = `# What the game may take.
# Ask the team before you change it.

[[budget]]
name = "60 Hz"   # the display's
limit = "16.7 ms" # of the frame
share = '1 %'

# Physics has its own thread soon.
[[budget]]
  # indented, why not
  collector = "App:Physics"
  measure = "total"
  limit = "4ms"   # was 5 # once

# the last word
`

// A budget is changed in its own lines, and what a hand has written stays.
func TestPut(t *testing.T) {
	got, err := Put(byHand, 10, Budget{Collector: "App:Physics", Measure: Self, At: Max, Limit: 6.5e6})
	want := strings.Replace(byHand, `  measure = "total"
  limit = "4ms"   # was 5 # once
`, `  measure = "self"
  limit = "6.5 ms"   # was 5 # once
at = "max"
`, 1)
	testkit.That(t, err == nil && got == want, "%v\n%s", err, got)
	got, err = Put(byHand, 4, Budget{Name: "60 Hz", Measure: Duration, At: P99, Limit: 16.7e6})
	testkit.That(t, err == nil && got == strings.Replace(byHand, "share = '1 %'\n", "", 1), "%v\n%s", err, got)
	got, err = Put(byHand, 0, Budget{Collector: "Draw", Thread: "Main", Measure: Total, Limit: 2e6, Share: 0.05, HasShare: true})
	if err != nil || got != byHand+"\n"+`[[budget]]
collector = "Draw"
thread = "Main"
share = "5 %"
limit = "2 ms"
` {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = Put("", 0, Budget{Series: "Heap", Measure: Value, At: P99, Limit: 1e6})
	testkit.That(t, err == nil && got == "[[budget]]\nseries = \"Heap\"\nlimit = 1000000\n", "%v\n%s", err, got)
	dos := strings.ReplaceAll(byHand, "\n", "\r\n")
	got, err = Put(dos, 10, Budget{Collector: "App:Physics", Measure: Self, At: Max, Limit: 6.5e6})
	testkit.That(t, err == nil && got == strings.ReplaceAll(want, "\n", "\r\n"), "%v\n%q", err, got)
}

func TestRemove(t *testing.T) {
	got, err := Remove(byHand, 4)
	want := strings.Replace(byHand, `[[budget]]
name = "60 Hz"   # the display's
limit = "16.7 ms" # of the frame
share = '1 %'

`, "", 1)
	testkit.That(t, err == nil && got == want, "%v\n%s", err, got)
	got, err = Remove("[[budget]]\nlimit = \"1 s\"\n", 1)
	testkit.That(t, err == nil && strings.TrimSpace(got) == "", "%v %q", err, got)
	got, err = Put(got, 0, Budget{Measure: Duration, At: P99, Limit: 1e6})
	testkit.That(t, err == nil && strings.Contains(got, `"1 ms"`), "%v %q", err, got)
	for _, line := range []int{0, 1, 5, 99} {
		_, err := Remove(byHand, line)
		testkit.That(t, err != nil, "line %d was removed", line)
	}
}

// What can't be changed line by line is left alone.
func TestNotByHand(t *testing.T) {
	for _, text := range []string{
		"budget = [{limit = \"1 s\"}, {limit = \"2 s\"}]\n",
		"[[budget]]\nname = \"\"\"\nlimit = 3\n\"\"\"\nlimit = \"1 s\"\n",
		"[[budget]]\nnonsense\n",
	} {
		for _, line := range []int{0, 1} {
			got, err := Put(text, line, Budget{Collector: "x", Measure: Total, At: P99, Limit: 1e6})
			if err != nil {
				continue
			}
			all, err := Parse(got)
			testkit.That(t, err == nil && all[len(all)-1].Collector == "x", "%q: %q %v", text, got, err)
		}
	}
}

func TestWritten(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0 ns", 999: "999 ns", 1000: "1 µs", 16_700_000: "16.7 ms", 4e6: "4 ms", 1_000_001: "1.000001 ms", 2.5e9: "2.5 s", 250_100: "250.1 µs",
	} {
		got := Time(ns)
		back, _, err := ParseLimit(got, Total)
		testkit.That(t, got == want && back == ns && err == nil, "%v: %q, back %v %v", ns, got, back, err)
	}
	for _, name := range []string{"App:Physics", `a*b?[c]\d`, "a\x01\"b", "caf\u00e9", "\xff"} {
		b := Budget{Collector: Exactly(name), Measure: Total, At: P99, Limit: 1}
		text, err := Put("", 0, b)
		testkit.NoErr(t, err, name)
		all, err := Parse(text)
		testkit.That(t, err == nil && matches(meant(all[0].Collector), meant(name)) &&
			!matches(meant(all[0].Collector), meant(name+"x")), "%q: %q %v", name, text, err)
	}
}

func FuzzPut(f *testing.F) {
	f.Add(byHand, 10, "App:Physics", 3.5e6)
	f.Add("[[budget]]\nlimit=\"1s\"#x", 1, "\\", 1.0)
	f.Fuzz(func(t *testing.T, text string, line int, name string, limit float64) {
		before, _ := Parse(text)
		got, err := Put(text, line, Budget{Collector: Exactly(name), Measure: Total, At: Max, Limit: limit})
		if err != nil {
			return
		}
		after, err := Parse(got)
		testkit.MustThat(t, err == nil && len(after) >= len(before) && len(after) <= len(before)+1, "%q: %v", got, err)
	})
}

// A rank of many values in runs is that of all of them in order, frames without a value counting as 0.
func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 100, runLen, 3*runLen + 17} {
		var f figures
		var all []float64
		var numbers []int64
		for i := range n {
			v := float64(r.IntN(2000) - 300)
			if r.IntN(3) > 0 {
				f.now = v
				f.push(numbers, int64(i))
			} else {
				v = 0
			}
			all, numbers = append(all, v), append(numbers, int64(i))
		}
		if f.n == 0 {
			continue
		}
		f.finish(numbers)
		worst := slices.Index(all, slices.Max(all))
		testkit.That(t, f.worst == all[worst] && f.worstAt == int64(worst),
			"%d: worst %v in %d, want %v in %d", n, f.worst, f.worstAt, all[worst], worst)
		over := 0
		for _, v := range all {
			if v > 42 {
				over++
			}
		}
		tt := target{Result: Result{Budget: &Budget{At: P95, Limit: 42}}}
		f.judge(&tt)
		slices.Sort(all)
		want := all[measure.Rank(int64(n), 95)]
		testkit.That(t, tt.Value == want && tt.Over == int64(over) && tt.Frames == int64(n),
			"%d: %+v, want %v, %d over", n, tt.Result, want, over)
		for k := range all {
			testkit.MustEqual(t, f.rank(int64(k)), all[k], "%d: rank %d", n, k)
		}
	}
}

func growing(s *store.Session, from, n int) {
	if from == 0 {
		s.Apply(model.TrackDef{ID: 0, Name: "Main"})
		s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: model.NoCollector})
		s.Apply(model.CollectorDef{ID: 1, Name: "Draw"})
	}
	for i := from; i < from+n; i++ {
		begin := int64(i) * 10e6
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: int64(100 + i), Begin: begin, End: begin + 10e6,
			Self: []model.CollectorTime{{Collector: 1, Ns: int64(i % 7 * 1e6), Count: 1}}})
	}
}

// Piece by piece comes what comes at once, though the session grows and takes frames back meanwhile; and
// no piece is more than was asked for, but for one frame.
func TestPieces(t *testing.T) {
	budgets := []Budget{
		{Measure: Duration, At: P99, Limit: 5e6}, {Collector: "*", Measure: Net, At: Max, Limit: 3e6},
		{Collector: "draw", Measure: Calls, At: Sum, Limit: 3}, {Collector: "none", Measure: Total, At: P99, Limit: 1},
	}
	s := store.NewSession()
	growing(s, 0, 500)
	want, err := Check(s, budgets, All(s))
	testkit.NoErr(t, err)
	p := Begin(s, budgets, All(s))
	steps, rewound := 0, false
	for ; !p.Step(50); steps++ {
		growing(s, 500+steps, 1)
		if steps == 3 && !rewound {
			s.Append(&model.Batch{Track: 0, HasFrame: true, Rewind: true, Number: 602, Begin: 5020e6, End: 5030e6})
			rewound = true
			growing(s, 503, 1)
		}
		testkit.MustThat(t, steps <= 10_000, "it does not end")
	}
	got, err := p.Results()
	testkit.MustThat(t, err == nil && steps >= 10, "%v %v", steps, err)
	testkit.Same(t, got, want, "got")
	again := Begin(s, budgets, All(s))
	again.Step(10)
	again.Close()
}

// A value that is just the limit keeps the budget.
func TestTheLimitItselfIsKept(t *testing.T) {
	var p Pass
	for i, want := range []Verdict{Kept, Kept, Broken} {
		p.judged(Result{Budget: &Budget{Limit: 10}, Value: float64(9 + i)})
		testkit.Equal(t, p.targets[i].Verdict, want, "%d of 10", 9+i)
	}
}

// Of a thread without frames there is nothing to judge by frames; one frame is enough.
func TestThreadsWithFrames(t *testing.T) {
	s := store.NewSession()
	growing(s, 0, 1)
	s.Apply(model.TrackDef{ID: 1, Name: "Other"})
	p := Pass{s: s}
	for framed, want := range map[bool]string{true: "[0]", false: "[0 1]"} {
		testkit.Equal(t, fmt.Sprint(p.tracks(&Budget{Thread: "*"}, framed)), want, "threads, of those with frames: %t", framed)
	}
}
