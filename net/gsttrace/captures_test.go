package gsttrace

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/trace"
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
	feedtest.CasesOf(t, Source{}, "x.log")
}

// Whatever is done at an element has its color, which is no other's.
func TestColorsOfElements(t *testing.T) {
	s := load(t, "log-tracer")
	colors, elements := map[string]model.RGB{}, map[model.RGB]string{}
	for id := int(trace.Other) + 1; id < s.Collectors().Len(); id++ {
		k := s.Collector(model.CollectorID(id))
		_, at, member := strings.Cut(k.Name, " ")
		element, _, _ := strings.Cut(at, ":")
		if !member {
			continue
		}
		was, known := colors[element]
		testkit.That(t, k.Color.Set && (!known || was == k.Color), "%s: %v, another call %v", k.Name, k.Color, was)
		of, taken := elements[k.Color]
		testkit.That(t, !taken || of == element, "%s has the color of %s", element, of)
		colors[element], elements[k.Color] = k.Color, element
	}
	testkit.That(t, len(colors) >= 3, "colors of %d elements: %v", len(colors), colors)
}

// line is a line of the log tracer.
func line(ns int64, thread, category, function, object, message string) string {
	return fmt.Sprintf("0:%02d:%02d.%09d  8895 %s TRACE %20s :0:%s:<%s> %s\n", ns/60e9, ns/1e9%60, ns%1e9, thread, category, function, object, message)
}

func clock(ns int64) string { return fmt.Sprintf("0:%02d:%02d.%09d", ns/60e9, ns/1e9%60, ns%1e9) }

func pushLine(ns int64, pre bool, pad string) string {
	phase, rest := "post", ", res=0"
	if pre {
		phase, rest = "pre", ", buffer=buffer: 0x1, size 0"
	}
	return line(ns+500, "0x1000", "GST_BUFFER", "do_push_buffer_"+phase, pad, clock(ns)+", pad=<"+pad+">"+rest)
}

// TestLongCallsShowBeforeTheyReturn: a live viewer sees a push that hangs.
func TestLongCallsShowBeforeTheyReturn(t *testing.T) {
	d := &feedtest.Into{Session: store.NewSession()}
	dec := NewDecoder(d, Options{})
	dec.Write([]byte(pushLine(1e9, true, "a:src") + pushLine(1.001e9, true, "b:src")))
	dec.Write([]byte(line(1.5e9, "0x2000", "GST_PADS", "somebody", "x", "else speaks")))
	dec.Idle()
	dec.Idle()
	open := spansOf(d.Session, 0)
	testkit.MustThat(t, len(open) == 2 && open[0].Flags&model.SpanOpenEnd != 0 && open[0].Begin == 1e9 &&
		open[0].End >= 1.4e9, "open calls %+v", open)
	text := pushLine(2e9, false, "b:src") + pushLine(2.001e9, false, "a:src") + pushLine(2.002e9, true, "a:src") + pushLine(2.003e9, false, "a:src")
	dec.Write([]byte(text))
	dec.Close("end")
	var ends []int64
	for _, b := range spansOf(d.Session, 0) {
		testkit.That(t, b.Flags == 0, "still open: %+v", b)
		ends = append(ends, b.End)
	}
	testkit.That(t, fmt.Sprint(ends) == fmt.Sprint([]int64{2.001e9, 2.003e9, 2e9}), "ends %v", ends)
}

// class is the announcement of a class: each field as "name=descriptor", where the descriptor is
// structure notation without its quotes.
func class(name string, fields ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "0:00:00.001000000  7000 0x1000 TRACE             GST_TRACER gsttracerrecord.c:109:gst_tracer_record_build_format: %s.class", name)
	for _, f := range fields {
		key, descriptor, _ := strings.Cut(f, "=")
		fmt.Fprintf(&b, ", %s=(structure)\"%s\"", key, quote(descriptor))
	}
	b.WriteString(";\n")
	return b.String()
}

// quote is the inside of a quoted string.
func quote(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("_-+/:.", c) >= 0:
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

func record(ns int64, text string) string {
	return fmt.Sprintf("0:%02d:%02d.%09d  7000 0x1000 TRACE             GST_TRACER :0:: %s;\n", ns/60e9, ns/1e9%60, ns%1e9, text)
}

const (
	scopeElement = "scope, type=(type)gchararray, related-to=(GstTracerValueScope)element;"
	scopePad     = "scope, type=(type)gchararray, related-to=(GstTracerValueScope)pad;"
	scopeThread  = "scope, type=(type)guint64, related-to=(GstTracerValueScope)thread;"
	valueTs      = `value, type=(type)guint64, description=(string)"event ts";`
)

func value(typ, rest string) string {
	if rest != "" {
		rest = ", " + rest
	}
	return "value, type=(type)" + typ + rest + ";"
}

func values(x *spans.Series) (v []float64) {
	for _, s := range x.Samples(-1<<60, 1<<60, 0, nil) {
		v = append(v, s.Value)
	}
	return v
}

// TestTextsBecomeStatesOrDetails: few texts are states; when there are too many the rest is told in
// messages.
func TestTextsBecomeStatesOrDetails(t *testing.T) {
	text := class("mood", "element="+scopeElement, "level="+value("guint", ""), "word="+value("gchararray", ""))
	for i := range MaxStates + 10 {
		text += record(int64(2000+i), fmt.Sprintf("mood, element=(string)e, level=(uint)%d, word=(string)w%d", i, i))
	}
	s := decode([]byte(text))
	x := seriesNamed(t, s, "mood word", "e")
	testkit.That(t, len(x.Def.States) == MaxStates && x.Len() == MaxStates+1,
		"%d states, %d samples", len(x.Def.States), x.Len())
	v := values(x)
	testkit.That(t, math.IsNaN(v[len(v)-1]), "the band goes on: %v", v)
	testkit.Equal(t, len(messages(s, "mood")), 10, "messages")
	testkit.Equal(t, seriesNamed(t, s, "mood level", "e").Len(), MaxStates+10, "levels")
}
