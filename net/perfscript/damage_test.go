package perfscript

import (
	"fmt"
	"strings"
	"testing"

	"framescope/model"
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

// malformed are the losses by what is malformed.
func malformed(k *tracetest.Sink) (out string) {
	for _, l := range k.Losses {
		if l.Reason == model.LossMalformed && !strings.Contains(l.Detail, "NULs") { // these are those of lines
			out += fmt.Sprintf("%s ×%d\n", l.Detail, l.N)
		}
	}
	return strings.TrimSpace(out)
}

// TestDamagedFrames puts an unknown frame in the place of one that is damaged, and says which line it is.
func TestDamagedFrames(t *testing.T) {
	for name, c := range map[string]struct{ stack, told, sums string }{
		"nothing":                 {"\t  3f b+0x3 (/x)\n\t  2f main (/x)", "", "b"},
		"control characters":      {"\t  3f b\x00\x00+0x3 (/x)\n\t  2f main (/x)", "shown as [unknown]: line 18 ×1", "[unknown]"},
		"no text":                 {"\t  3f b\xfe\x80 (/x)\n\t  2f main (/x)", "shown as [unknown]: line 18 ×1", "[unknown]"},
		"a DSO that is gone":      {"\t  3f b+0x3\n\t  2f main (/x)", "shown as [unknown]: line 18 ×1", "[unknown]"},
		"two lines in one":        {"\t  3f b+0x3 (/x)?\t  2f main (/x)", "shown as [unknown]: line 18 ×1", "[unknown]"},
		"an address":              {"\t  3?f b+0x3 (/x)\n\t  2f main (/x)", "shown as [unknown]: line 18 ×1", "[unknown]"},
		"with a colon":            {"\t  3?f b::c:4 (/x)\n\t  2f main (/x)", "shown as [unknown]: line 18 ×1", "[unknown]"},
		"a line of nonsense":      {"\t????\n\t  2f main (/x)", "lines do not belong to a sample: line 18 ×1", "main"},
		"one that is not set off": {"????\x00\n\t  3f b (/x)\n\t  2f main (/x)", "lines do not belong to a sample: line 18 ×1", "b"},
		"a line in two":           {"\t  3f b\n+0x3 (/x)\n\t  2f main (/x)", "lines do not belong to a sample: line 19 ×1\nlines of stacks are damaged, and are shown as [unknown]: line 18 ×1", "[unknown]"},
		"a place":                 {"\t  3f b (/x)\n  b.c:7\n\t  2f main (/x)", "", "b"},
	} {
		k := whole(t, someSamples(0, 4)+sampled(4000, strings.Split(c.stack, "\n")...)+someSamples(5, 1))
		told := malformed(k)
		if !strings.Contains(told, c.told) || (c.told == "") != (told == "") || strings.Count(told, "\n") != strings.Count(c.told, "\n") {
			t.Errorf("%s: told %q, want %q", name, told, c.told)
		}
		sums := k.Counts(0, tracetest.Same)
		if want := int64(1); sums[c.sums].Self != want || sums["main"].Inclusive < 5 || sums["a"].Self != 5 {
			t.Errorf("%s: %+v, want %s", name, sums, c.sums)
		}
	}
	// Where none has a DSO, nothing is damaged.
	if k := whole(t, strings.ReplaceAll(someSamples(0, 20), " (/x)", "")); len(k.Losses) > 0 || k.Counts(0, tracetest.Same)["a"].Self != 20 {
		t.Errorf("%v", k.Losses)
	}
}

// TestDamagedHeaders leaves out samples whose header is damaged, and names no thread and no event after it.
func TestDamagedHeaders(t *testing.T) {
	for _, header := range []string{"g\x01 7  10.004000: 1 cpu-clock: \n", "g 7  10.004000: 1 cpu-\x02ock: \n", "g 7  10.004000: 1 cpu-clock: 7fa\x00\x00\n"} {
		k := whole(t, someSamples(0, 4)+header+"\t  3f b (/x)\n\n"+someSamples(5, 1))
		if got := malformed(k); got != "samples with a damaged first line are left out: line 17 ×1" || len(k.Tracks) != 1 || k.Counts(0, tracetest.Same)["b"].Self != 0 {
			t.Errorf("%q: %q, %d threads", header, got, len(k.Tracks))
		}
	}
}

// A time that is far behind all others, one digit of which is wrong, does not take the others with it; a long pause
// is none.
func TestFarTimes(t *testing.T) {
	text := someSamples(0, 4) + strings.Replace(sampled(4000, "\t  3f b (/x)"), "10.", "910.", 1) + someSamples(5, 3)
	k := whole(t, text)
	if got := malformed(k); !strings.HasPrefix(got, "samples more than a minute after") || !strings.HasSuffix(got, "before line 19 ×1") ||
		len(k.Samples[0]) != 7 || k.Samples[0][6].Time != 7e6 {
		t.Errorf("%q, %+v", got, k.Samples[0])
	}
	later := strings.ReplaceAll(someSamples(5, 3), "10.", "910.")
	if k := whole(t, someSamples(0, 4)+later); len(k.Losses) > 0 || len(k.Samples[0]) != 7 || k.Samples[0][6].Time != 900e9+7e6 {
		t.Errorf("%+v, %+v", k.Losses, k.Samples[0])
	}
}

// The first headers are damaged: the others have times all the same.
func TestDamagedBegin(t *testing.T) {
	for _, first := range []string{"g 7  1?.000000: 1000000 cpu-clock: ", "g 7\x01 10.000000: 1000000 cpu-clock: "} {
		k := whole(t, first+"\n\t  3f b (/x)\n\n"+someSamples(1, 4))
		if told := malformed(k); k.Info.Sampling.Timeless || len(k.Samples[0]) != 4 || len(k.Losses) != 1 || !strings.Contains(told, "are left out") ||
			!strings.Contains(told, "×1") {
			t.Errorf("%q: %v, %d samples, %q", first, k.Info.Sampling.Timeless, len(k.Samples[0]), told)
		}
	}
}

// A text with NULs in it is recognised all the same.
func TestSniffSpoilt(t *testing.T) {
	for text, want := range map[string]bool{
		"\x00" + someSamples(0, 4): true, someSamples(0, 2) + "\x00\x00\n" + someSamples(2, 4): true,
		strings.Repeat("\x00", 4096): false, "\x7fELF\x02\x00\x00\n\x00": false,
	} {
		if got := (Source{}).Sniff([]byte(text), "x"); got != want {
			t.Errorf("%.20q: %t", text, got)
		}
	}
}
