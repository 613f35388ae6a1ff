package gsttrace

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
)

// summed is the summary of a capture.
func summed(t *testing.T, capture string) *Summary {
	t.Helper()
	return testkit.Must(Read(bytes.NewReader(captureText(t, capture))))(t)
}

// The percentiles of latencies in a summary are those of the spans, by nearest rank, to the
// nanosecond.
func TestPercentilesOfLatencies(t *testing.T) {
	for _, capture := range []string{"medium-av", "latency-tee-queues", "latency-two-sources"} {
		s, sum := load(t, capture), summed(t, capture)
		testkit.MustThat(t, len(sum.Latencies) != 0, "%s: no latencies", capture)
		for id := range model.TrackID(s.NumTracks()) {
			if s.Track(id).Def.Kind != model.TrackStream {
				continue
			}
			var all []uint64
			for _, b := range spansOf(s, id) {
				all = append(all, uint64(b.End-b.Begin))
			}
			slices.Sort(all)
			rank := func(share float64) uint64 { return all[int(math.Ceil(share*float64(len(all))))-1] }
			want := [5]uint64{uint64(len(all)), all[0], rank(0.5), rank(0.9), rank(0.99)}
			if !slices.ContainsFunc(sum.Latencies, func(l Latency) bool {
				return want == [5]uint64{uint64(l.Count), l.MinNs, l.P50Ns, l.P90Ns, l.P99Ns} && !l.Estimated
			}) {
				t.Errorf("%s: no way has %v, as %s does: %+v", capture, want, s.Track(id).Title(), sum.Latencies)
			}
		}
	}
}

// What a thread took of the processors is what its clock grew by while it lived, to the last digit:
// in the window and in the summary alike. What a thread did not live of the program is none of it,
// nor what the main thread took before the tracer began.
func TestLoadsAreOfTheLivesOfThreads(t *testing.T) {
	for _, capture := range []string{"rusage-threads", "medium-av", "all-audio-chain", "stats-rusage-pull", "color-all"} {
		type reading struct{ ns, cpuNs float64 }
		threads := map[uint64][]reading{} // by the log's own lines
		usage := regexp.MustCompile(`thread-rusage, thread-id=\(guint64\)(\d+), ts=\(guint64\)(\d+),.* time=\(guint64\)(\d+);`)
		for text := range bytes.Lines(captureText(t, capture)) {
			if !bytes.Contains(text, []byte("thread-rusage, thread-id")) {
				continue
			}
			line := usage.FindSubmatch(text)
			if line == nil {
				continue
			}
			id, _ := strconv.ParseUint(string(line[1]), 10, 64)
			ns, _ := strconv.ParseFloat(string(line[2]), 64)
			cpuNs, _ := strconv.ParseFloat(string(line[3]), 64)
			threads[id] = append(threads[id], reading{ns, cpuNs})
		}
		s, sum := load(t, capture), summed(t, capture)
		begin, end, _ := s.Bounds()
		for id, all := range threads {
			first, last := all[0], all[len(all)-1]
			counted := first
			if next := all[1]; next.cpuNs-first.cpuNs > 10*(next.ns-first.ns) { // as much as 80 threads: not of this time
				counted = next
			}
			took := last.cpuNs - counted.cpuNs
			want := took / (last.ns - first.ns)
			i := slices.IndexFunc(sum.Threads, func(t Thread) bool { return t.ID == id })
			testkit.MustThat(t, i >= 0, "%s: no thread %#x in the summary", capture, id)
			of := sum.Threads[i]
			testkit.That(t, math.Abs(of.Load-want) <= 1e-4 && float64(of.CPUNs) == last.cpuNs,
				"%s: %s took %v, the summary says %v", capture, of.Name, want, of.Load)
			found := false
			for track := range model.TrackID(s.NumTracks()) {
				if s.Track(track).Title() != of.Name || s.Track(track).Def.Kind != model.TrackThread {
					continue
				}
				found = true
				ns, _ := s.Spans().CPUTime(track, begin, end+1)
				for _, x := range s.Series().ByTrack(track) {
					x := s.Series().ByID(x)
					if x.Def.Role != model.RoleCPULoad {
						continue
					}
					if mean := x.Stats(begin, end+1).Mean; math.Abs(mean*(last.ns-counted.ns)-took) > 1e3 && mean < 1 {
						t.Errorf("%s: %s took %v, in the mean of the series %v", capture, of.Name, took/(last.ns-counted.ns), mean)
					}
				}
				if got, ok := s.Spans().CPULoad(track, begin, end+1); !ok || math.Abs(got-of.Load) > 1e-12 || ns != took {
					t.Errorf("%s: %s took %v ns of %v, a load of %v, the summary says %v", capture, of.Name, ns, took, got, of.Load)
				}
			}
			testkit.That(t, found, "%s: no thread %q", capture, of.Name)
		}
	}
}
