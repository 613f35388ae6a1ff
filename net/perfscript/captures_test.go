package perfscript

import (
	"os"
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

// TestLongLine leaves out a line that is too long.
func TestLongLine(t *testing.T) {
	const sample = "g 7  10.000000: 1000000 cpu-clock: \n\t  1f a+0x1 (/x)\n\n"
	text := sample + strings.Repeat("x", 1<<20+1) + "\n" + sample
	k := streamed(t, []byte(text), feedtest.Steps(len(text)))
	testkit.Equal(t, tracetest.Faults(k.Session), "1 long-line at line 4", "faults")
	testkit.Equal(t, len(k.Samples[0]), 2, "samples")
}
