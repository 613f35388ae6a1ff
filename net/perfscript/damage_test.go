package perfscript

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/net/trace/tracetest"
)

// sampled is a sample of a clock with lines below its header.
func sampled(us int, stack ...string) string {
	return fmt.Sprintf("g 7  10.%06d: 1000000 cpu-clock: \n%s\n\n", us, strings.Join(stack, "\n"))
}

// someSamples are good ones, of which frames have DSOs.
func someSamples(from, n int) (out string) {
	for i := range n {
		out += sampled((from+i)*1000, "\t  1f a+0x1 (/x)", "\t  2f main (/x)")
	}
	return out
}

// kindsOf are the kinds of diagnostics, each with how many there are and the place.
func kindsOf(k *tracetest.Sink) string {
	var kinds []string
	for _, l := range k.Losses {
		kinds = append(kinds, strings.TrimSpace(fmt.Sprintf("%s %d %s", l.Kind, l.N, l.Place)))
	}
	slices.Sort(kinds)
	return strings.Join(kinds, ", ")
}

// TestDamaged counts what is damaged, and takes the rest for what it is. The damaged text is line 17 or begins there,
// behind four good samples, and one more follows it.
func TestDamaged(t *testing.T) {
	at := func(stack string) string { return sampled(4000, stack) }
	for name, c := range map[string]struct {
		text, want string
		samples    int
		leaf       string // that the sample has
	}{
		"nothing":              {at("\t  3f b+0x3 (/x)\n\t  2f main (/x)"), "", 6, "b"},
		"a place":              {at("\t  3f b (/x)\n  b.c:7\n\t  2f main (/x)"), "", 6, "b"},
		"a NUL in a frame":     {at("\t  3f b\x00+0x3 (/x)\n\t  2f main (/x)"), "bad-line 1 line 18, nul-bytes 1", 6, "[unknown]"},
		"no text":              {at("\t  3f b\xfe\x80 (/x)\n\t  2f main (/x)"), "bad-line 1 line 18", 6, "[unknown]"},
		"a DSO that is gone":   {at("\t  3f b+0x3\n\t  2f main (/x)"), "bad-line 1 line 18", 6, "[unknown]"},
		"two frames in a line": {at("\t  3f b+0x3 (/x)?\t  2f main (/x)"), "bad-line 1 line 18", 6, "[unknown]"},
		"an address":           {at("\t  3?f b+0x3 (/x)\n\t  2f main (/x)"), "bad-line 1 line 18", 6, "[unknown]"},
		"a frame in two lines": {at("\t  3f b\n+0x3 (/x)\n\t  2f main (/x)"), "bad-line 2 line 18", 6, "[unknown]"},
		"one not set off":      {at("????\x00\n\t  3f b (/x)\n\t  2f main (/x)"), "bad-line 1 line 18, nul-bytes 1", 6, "b"},
		"the name of a thread": {"g\x01 7  10.004000: 1 cpu-clock: \n\t  3f b (/x)\n\n", "bad-line 2 line 17", 5, ""},
		"an event":             {"g 7  10.004000: 1 cpu-\x02ock: \n\t  3f b (/x)\n\n", "bad-line 2 line 17", 5, ""},
		"a sample without a time": {
			"g 7 cpu-clock: \n\t  3f b (/x)\n\n", "bad-time 1 line 19", 5, "",
		},
		"a header without frames": {"g 7 cpu-clock: \n\n", "bad-line 1 line 18", 5, ""},
		"a long line":             {strings.Repeat("x", 1<<20+1) + "\n", "long-line 1 line 17", 5, ""},
		"lost events":             {"LOST 12 events!\n", "lost-by-source 12 line 17", 5, ""},
	} {
		k := whole(t, someSamples(0, 4)+c.text+someSamples(5, 1))
		testkit.Equal(t, kindsOf(k), c.want, "%s", name)
		sums := k.Counts(0, tracetest.Same)
		testkit.That(t, len(k.Tracks) == 1 && len(k.Samples[0]) == c.samples && sums["a"].Self == 5 && (c.leaf == "" || sums[c.leaf].Self == 1),
			"%s: %d samples, %+v", name, len(k.Samples[0]), sums)
	}
	// A last line without an end is whole where its DSO is; else it may be cut.
	text := strings.TrimSpace(someSamples(0, 4))
	testkit.Equal(t, kindsOf(whole(t, text)), "", "a last line without an end")
	testkit.Equal(t, kindsOf(whole(t, text[:len(text)-1])), "cut 1 line 15", "one that is cut")
	// Where none has a DSO, nothing is damaged.
	k := whole(t, strings.ReplaceAll(someSamples(0, 20), " (/x)", ""))
	testkit.That(t, len(k.Losses) == 0 && k.Counts(0, tracetest.Same)["a"].Self == 20, "%v", k.Losses)
}

// The first headers are damaged: the others have times all the same.
func TestDamagedBegin(t *testing.T) {
	for first, want := range map[string]string{
		"g 7  1?.000000: 1000000 cpu-clock: ": "bad-time 1 line 1", "g 7\x01 10.000000: 1000000 cpu-clock: ": "bad-line 2 line 1",
	} {
		k := whole(t, first+"\n\t  3f b (/x)\n\n"+someSamples(1, 4))
		testkit.That(t, !k.Info.Sampling.Timeless && len(k.Samples[0]) == 4 && kindsOf(k) == want, "%q: %q", first, kindsOf(k))
	}
}
