package perfscript

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/net/feed"
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
			testkit.MustThat(t, err == nil && len(k.Losses) == 0, "%v %v", err, k.Losses)
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
	testkit.That(t, newest.PID == nil || k.Info.PID == *newest.PID, "process %d", k.Info.PID)
}

// TestLongLine leaves out a line that is too long.
func TestLongLine(t *testing.T) {
	const sample = "g 7  10.000000: 1000000 cpu-clock: \n\t  1f a+0x1 (/x)\n\n"
	text := sample + strings.Repeat("x", 1<<20+1) + "\n" + sample
	k := streamed(t, []byte(text), feedtest.Steps(len(text)))
	testkit.Equal(t, tracetest.Faults(k.Session), "1 long-line at line 4", "faults")
	testkit.Equal(t, len(k.Samples[0]), 2, "samples")
}

// streamed reads a text in pieces.
func streamed(t testing.TB, text []byte, size func(i int) int) *tracetest.Sink {
	k := tracetest.New(t)
	testkit.OK(t, feedtest.Stream(Source{}, k, text, size, false))
	if !k.Info.Sampling.Timeless {
		k.PartWeights()
	}
	return k
}

// TestLines reads headers of samples and frames of stacks in all their forms.
func TestLines(t *testing.T) {
	testkit.Lines(t, "testdata/lines.txt", func(text string) string {
		kind, line, _ := strings.Cut(text, " | ")
		var h header
		var f frame
		switch {
		case kind == "header" && h.parse([]byte(line)):
			return fmt.Sprintf("%s|%d|%d|%d|%d|%d|%s|%s", h.comm, h.pid, h.tid, h.cpu, h.ns, h.period, h.event, h.rest)
		case kind == "frame" && f.parse([]byte(line)):
			return fmt.Sprintf("%s|%s", f.symbol, f.dso)
		}
		return "none"
	})
	testkit.Equal(t, shownSymbol([]byte("alloc::vec::push::h0123456789abcdef")), "alloc::vec::push", "a symbol of Rust")
}

// TestCases reads texts of what perf script writes, damaged ones, and what is no such text.
func TestCases(t *testing.T) { feedtest.CasesOf(t, Source{}, "x.txt") }

// TestIdle shows what came when nothing more comes, though it might still be put in order.
func TestIdle(t *testing.T) {
	k := tracetest.New(t)
	s := Source{}.NewStream(k, feed.StreamOptions{Name: "pipe"})
	s.Write([]byte("g 7  10.000000: 1000000 cpu-clock: \n\t 1 f (x)\n\ng 7  10.001000: 1000000 cpu-clock: \n\t 1 f (x)\n\n"))
	for range quiet - 1 {
		s.Idle()
	}
	testkit.That(t, len(k.Samples[0]) == 0, "shown while it might be put in order")
	s.Idle()
	k.PartWeights()
	testkit.That(t, len(k.Samples[0]) == 2, "%d samples", len(k.Samples[0]))
	s.Close("gone")
	testkit.That(t, k.Ended == "gone", "%v", k.Ended)
}

// FuzzStream reads anything: nothing breaks, and pieces make no difference.
func FuzzStream(f *testing.F) {
	for _, name := range []string{"game-events", "game-flat", "simple-with-pid"} {
		data := recordings.Read(f, recordings.PerfScript, name+".txt")
		f.Add(uint8(5), data[:min(len(data), 4000)])
	}
	for i, text := range feedtest.CaseTexts(f) {
		f.Add(uint8(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		want := streamed(t, data, feedtest.Steps(len(data)))
		got := streamed(t, data, feedtest.Steps(int(step)))
		testkit.MustThat(t, reflect.DeepEqual(got.Spans, want.Spans) &&
			(reflect.DeepEqual(got.Samples, want.Samples) || len(want.Others) != 0), "pieces make a difference")
		Source{}.Sniff(data, "x")
		feedtest.Unrefused(t, want.Session)
	})
}
