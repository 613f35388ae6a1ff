package gsttrace

import (
	"bytes"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
)

// TestCounts finds every record of every capture again in the session.
func TestCounts(t *testing.T) {
	for capture, want := range truth {
		t.Run(capture, func(t *testing.T) {
			s := load(t, capture)
			twice := int64(1) // two tracers write everything twice, but objects and calls are the same
			if capture == "two-instances" {
				twice = 2
			}
			check := func(what string, got, want int64) {
				t.Helper()
				testkit.That(t, got == want, "%d %s, want %d", got, what, want)
			}
			check("spans of latencies", int64(spansBelow(s, "latency")), want["latency"])
			check("spans of element latencies", int64(spansBelow(s, "element-latency")), want["element-latency"])
			check("latencies", samples(s, "latency", nil), want["latency"])
			check("element latencies", samples(s, "element-latency", nil), want["element-latency"])
			check("reported latencies", samples(s, "element-reported-latency min", nil), want["element-reported-latency"])
			check("buffers", samples(s, "buffers", nil), want["buffer"])
			check("events", samples(s, "events", nil)+samples(s, "latency markers", nil), want["event"])
			check("messages", samples(s, "messages", nil), want["message"])
			check("element queries", samples(s, "element queries", nil), want["element-query"])
			read := want["thread-rusage"]
			switch capture { // the first reading of main is of another clock than the others
			case "rusage-threads", "medium-av", "stats-rusage-pull", "color-all":
				read--
			}
			check("CPU times of threads", samples(s, "thread-rusage time", nil), read)
			check("CPU times of processes", samples(s, "proc-rusage time", nil), want["proc-rusage"])
			check("loads of threads", samples(s, "thread-rusage current-cpuload", nil), want["thread-rusage"])
			check("factories", samples(s, "factory-used", nil), want["factory-used"])
			births := func(what string) int64 {
				return samples(s, "new objects", func(x *spans.Series) bool { return x.Def.Name == what })
			}
			check("births of elements", births("elements"), want["new-element"])
			check("births of pads", births("pads"), want["new-pad"])
			// Each query is asked once and answered once; the log that is cut ends in some.
			queries := samples(s, "queries", nil)
			check("queries", queries, (want["query"]+1)/2)
			check("spans of queries", int64(spansBelow(s, "query")), queries)

			if n := want["new-element"] + want["new-pad"]; n > 0 && capture != "two-instances" || capture == "two-instances" {
				elements, pads := int64(0), int64(0)
				for _, o := range s.Topology().Objects() {
					if o.Kind == model.ObjectPad || o.Kind == model.ObjectGhostPad {
						pads++
					} else {
						elements++
					}
				}
				check("elements", elements, want["new-element"]/twice)
				if capture != "two-instances" {
					check("pads", pads, want["new-pad"])
				}
			}
			fates, refs := map[model.ResourceFate]int64{}, int64(0)
			for _, r := range s.Topology().Resources() {
				fates[r.Fate]++
				refs += int64(len(s.Topology().RefEvents(r.ID)))
			}
			check("objects alive", fates[model.ResourceLeaked]+fates[model.ResourceAlive], want["object-alive"])
			check("objects added", fates[model.ResourceAdded], want["object-added"])
			check("objects removed", fates[model.ResourceRemoved], want["object-removed"])
			check("references", refs, want["object-refings"])

			for _, x := range allSeries(s) {
				testkit.That(t, x.Def.Group != "" && x.Def.Name != "", "%+v", x.Def)
			}
			losses, lines := s.Losses()
			for reason, n := range losses {
				if n != 0 && !(capture == "truncated" && model.LossReason(reason) == model.LossTruncated && n == 1) {
					t.Errorf("%d lost for reason %d: %q", n, reason, lines)
				}
			}
			if s.Info().Source != "gsttrace" || !s.Info().File || s.Info().Program != capture || s.Info().PID <= 0 {
				t.Errorf("info %+v", s.Info())
			}
		})
	}
}

// TestLeaksWithoutHeadings: when the category of the tracer is off, only the order of records tells
// what they are.
func TestLeaksWithoutHeadings(t *testing.T) {
	for capture, want := range map[string]map[model.ResourceFate]int{
		"leaks-found":   {model.ResourceLeaked: 8},
		"leaks-signals": {model.ResourceAdded: 18, model.ResourceRemoved: 18, model.ResourceLeaked: 36},
	} {
		var kept []string
		for _, line := range strings.SplitAfter(string(captureText(t, capture)), "\n") {
			if !strings.Contains(line, " leaks gstleaks.c:") {
				kept = append(kept, line)
			}
		}
		text := strings.Join(kept, "")
		s := decode([]byte(text))
		n := map[model.ResourceFate]int{}
		for _, r := range s.Topology().Resources() {
			n[r.Fate]++
			testkit.That(t, r.Listing >= 1 && r.Listing <= 2, "%s: %+v", capture, r)
		}
		testkit.That(t, maps.Equal(n, want), "%s: fates %v, want %v", capture, n, want)
		// Something that comes after a listing shows that the program was still at work.
		const after = "0:00:09.000000000  8660 0x5653c9477d60 TRACE             GST_TRACER :0:: thread-rusage, thread-id=(guint64)94917234228576, ts=(guint64)8999999999, average-cpuload=(uint)1, current-cpuload=(uint)1, time=(guint64)5;\n"
		later := strings.ReplaceAll(after, " 8660 ", " "+strings.Fields(kept[0])[1]+" ")
		for _, r := range decode([]byte(text + later)).Topology().Resources() {
			testkit.That(t, r.Fate != model.ResourceLeaked, "%s: leaked, though more came: %+v", capture, r)
		}
	}
}

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

// TestOutlines compares what is in captures with testdata/outlines.
func TestOutlines(t *testing.T) {
	for name := range truth {
		if recordings.Here(t, recordings.GStreamer, name) {
			feedtest.Outlines(t, Source{}, capturePath(t, name))
		}
	}
}

// TestCases says what becomes of lines, of all versions and damaged ones.
func TestCases(t *testing.T) {
	feedtest.Cases(t, "testdata/cases.txt", func(text string) *store.Session { return decode([]byte(text)) })
}
