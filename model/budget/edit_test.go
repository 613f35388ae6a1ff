package budget

import (
	"strings"
	"testing"

	"framescope/internal/testkit"
)

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
		if err != nil || !matches(meant(all[0].Collector), meant(name)) || matches(meant(all[0].Collector), meant(name+"x")) {
			t.Errorf("%q: %q %v", name, text, err)
		}
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
