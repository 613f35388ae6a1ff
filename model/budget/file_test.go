package budget

import (
	"math"
	"strings"
	"testing"

	"framescope/internal/testkit"
)

func TestParse(t *testing.T) {
	all, err := Parse(`
# the frame
[[budget]]
name = "60 Hz"
limit = "16.7 ms"
share = "1 %"

[[budget]]
collector = "App:*"
thread = "Main"
measure = "Self"
at = "P95"
limit = "250µs"
optional = true

[[budget]]
collector = "Vertices"
measure = "level"
limit = 2e6

[[budget]]
series = "Heap*"
at = "max"
limit = 512000000
`)
	want := []Budget{
		{Name: "60 Hz", Measure: Duration, Limit: 16_700_000, Share: 0.01, HasShare: true, Line: 3},
		{Collector: "App:*", Thread: "Main", Measure: Self, At: P95, Limit: 250_000, Optional: true, Line: 8},
		{Collector: "Vertices", Measure: Level, At: P99, Limit: 2e6, Line: 16},
		{Series: "Heap*", Measure: Value, At: Max, Limit: 512e6, Line: 21},
	}
	testkit.MustThat(t, err == nil && len(all) == len(want), "%+v, %v", all, err)
	for i := range want {
		testkit.Equal(t, all[i], want[i], "all")
	}
}

// What is wrong with a file is told with its line and what to write instead.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "no [[budget]]",
		"[[budget]\n":                           "line 2: expected end",
		"x = 1\n":                               `line 1: "x" is no word`,
		"[[budget]]\nlimits = 3":                `line 2: "budget.limits" is no word`,
		"\n[[budget]]\n":                        "line 2: budget 1: there is no limit",
		"[[budget]]\nlimit = 4":                 "a time needs a unit",
		"[[budget]]\nlimit = \"4 hours or so\"": "is no time",
		"[[budget]]\nlimit = \"-4 ms\"":         "is no time",
		"[[budget]]\nlimit = \"4 ms\"\nat = \"p42\"":                                     `at "p42"`,
		"[[budget]]\nlimit = \"4 ms\"\nmeasure = \"speed\"":                              `measure "speed"`,
		"[[budget]]\nlimit = \"4 ms\"\nmeasure = \"self\"":                               "self is of a collector",
		"[[budget]]\ncollector=\"a\"\nlimit = \"4 ms\"\nmeasure = \"duration\"":          "of whole frames",
		"[[budget]]\ncollector=\"a\"\nseries=\"b\"\nlimit = 4":                           "either a collector or a series",
		"[[budget]]\ncollector=\"[a\"\nlimit = \"4 ms\"":                                 "does not close",
		"[[budget]]\nlimit = \"4 ms\"\nshare = 3":                                        "share: 3",
		"[[budget]]\nlimit = \"4 ms\"\nshare = \"few\"":                                  "no part of all frames",
		"[[budget]]\nlimit = \"4 ms\"\nshare = 0.1\nat=\"max\"":                          "either at",
		"[[budget]]\nlimit = nan\ncollector=\"a\"\nmeasure=\"calls\"":                    "is no number",
		"[[budget]]\nlimit = [1]\ncollector=\"a\"\nmeasure=\"calls\"":                    "is no number",
		"[[budget]]\nseries=\"b\"\nlimit = 4\nshare=0.1":                                 "for what comes with frames",
		strings.Repeat("[[budget]]\nlimit=\"4ms\"\n", MaxBudgets+1):                      "at most 1000",
		"[[budget]]\nlimit = \"4 ms\"\nname = 3":                                         "name",
		"[[budget]]\nlimit = \"4 ms\"\n[[budget]]\nmeasure = \"value\"\nlimit = \"4ms\"": "line 3: budget 2: value is of a series",
	} {
		all, err := Parse(text)
		testkit.That(t, err != nil && strings.Contains(err.Error(), want),
			"%q: %v, want %q; %+v", text[:min(len(text), 80)], err, want, all)
	}
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
			if math.IsNaN(b.Limit) || math.IsInf(b.Limit, 0) || b.HasShare != (b.At == "") || b.Share < 0 || b.Share > 1 {
				t.Fatalf("%+v", b)
			}
		}
	})
}
