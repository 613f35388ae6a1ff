package perfscript

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/feed/feedtest"
	"framescope/net/trace/tracetest"
)

// truth is what another program finds in a capture.
type truth struct {
	Samples int
	Events  map[string]int64
	First   int64 `json:"first_ns"`
	Last    int64 `json:"last_ns"`
	None    int64 `json:"lines_that_are_no_samples"`
	Threads []struct {
		Comm         string
		PID          *int64
		TID, Samples int
		Events       map[string]int
		Periods      float64 `json:"period_sum"`
		ByName       []struct {
			Name            string
			Self, Inclusive int64
		} `json:"by_name"`
	}
}

// TestCaptures compares each capture with its truth: threads, samples by name, other events.
func TestCaptures(t *testing.T) {
	for _, name := range []string{
		"game", "game-header", "game-fields", "game-dwarf-inline", "game-flat", "game-events", "forks", "simple-with-pid",
	} {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.PerfScript, name+".txt")
			want := recordings.JSON[truth](t, recordings.PerfScript, name+".truth.json")
			head, _ := os.ReadFile(path)
			testkit.That(t, strings.HasSuffix(path, ".gz") || (Source{}).Sniff(head[:min(len(head), 64<<10)], path),
				"it is not recognised")
			k, err := tracetest.Open(t, Source{}, path)
			testkit.MustThat(t, err == nil && len(k.Losses) <= 0, "%v %v", err, k.Losses)
			k.PartWeights()
			compare(t, k, want)
		})
	}
}

// TestOthers opens recordings that others made: whole, with so many threads and samples, of which the first thread has
// one with a leaf.
func TestOthers(t *testing.T) {
	for name, want := range map[string]struct {
		threads    int
		samples    int64
		leaf, root string
	}{
		"no-final-newline":   {1, 1, "_Z4betav", "[unknown]"},
		"single-line-stacks": {1, 2, "_dl_start", "[unknown]"},
		"simpleperf-tabs":    {8, 40, "Lock::unlock()", "GeckoStart"},
	} {
		path := recordings.File(t, recordings.PerfScript, "field-"+name+".txt")
		testkit.That(t, (Source{}).Sniff(feedtest.Head(t, path), path), "%s is not recognised", name)
		k, err := tracetest.Open(t, Source{}, path)
		testkit.That(t, err == nil && len(k.Losses) == 0 && len(k.Tracks) == want.threads,
			"%s: %v, %v, %d threads", name, err, k.Losses, len(k.Tracks))
		k.PartWeights()
		samples := int64(0)
		for _, def := range k.Tracks {
			for _, sum := range k.Counts(def.ID, tracetest.Same) {
				samples += sum.Self
			}
		}
		got := k.Counts(0, tracetest.Same)
		testkit.That(t, samples == want.samples && got[want.leaf].Self == 1 && got[want.root].Inclusive > 0,
			"%s: %d samples, %+v, %+v", name, samples, got[want.leaf], got[want.root])
	}
}

func compare(t *testing.T, k *tracetest.Sink, want *truth) {
	stacked := "cpu-clock"
	samples, of := map[int]int{}, map[int]map[string]tracetest.Sum{}
	points, periods, summed := int64(0), map[int]float64{}, map[int]float64{}
	for _, w := range want.Threads {
		n := w.Events[stacked]
		samples[w.TID] += n
		points += int64(w.Samples - n)
		periods[w.TID] += w.Periods
		if n < w.Samples {
			continue // its sums are of all events
		}
		if of[w.TID] == nil {
			of[w.TID] = map[string]tracetest.Sum{}
		}
		for _, b := range w.ByName {
			x := of[w.TID][b.Name]
			of[w.TID][b.Name] = tracetest.Sum{Self: x.Self + b.Self, Inclusive: x.Inclusive + b.Inclusive}
		}
	}
	testkit.That(t, len(k.Tracks) == len(samples), "%d threads, want %d", len(k.Tracks), len(samples))
	first, last := int64(0), int64(0)
	for id, def := range k.Tracks {
		id := k.Tracks[id].ID
		testkit.Equal(t, len(k.Samples[id])-k.Others[id], samples[def.Index], "%s: samples", def.Name)
		for _, s := range k.Samples[id] {
			first, last = min(first, s.Time), max(last, s.Time)
		}
		points -= int64(k.Others[id])
		for i, s := range k.Weighed[id] {
			summed[def.Index] += s.Value * float64(i%2) // the others count samples
		}
		got := k.Counts(id, tracetest.Same)
		for name, w := range of[def.Index] {
			if name != "[unknown]" && got[name] != w { // that of address 0 is no frame
				t.Errorf("%s, %s: %+v samples, want %+v", def.Name, name, got[name], w)
			}
		}
		testkit.That(t, of[def.Index] == nil || len(got) <= len(of[def.Index]),
			"%s: %d names, want %d", def.Name, len(got), len(of[def.Index]))
	}
	for tid, sum := range periods {
		testkit.That(t, of[tid] == nil || want.Events[stacked] != int64(want.Samples) || sum == summed[tid],
			"thread %d: periods of %g, want %g", tid, summed[tid], sum)
	}
	testkit.That(t, first == 0 && last == want.Last-want.First,
		"from %d to %d, want %d", first, last, want.Last-want.First)
	testkit.That(t, points == 0, "%d samples of other events are missing", points)
	newest := want.Threads[0]
	if newest.PID != nil && k.Info.PID != *newest.PID {
		t.Errorf("process %d, want %d", k.Info.PID, *newest.PID)
	}
}

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
