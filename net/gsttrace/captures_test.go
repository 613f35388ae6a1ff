package gsttrace

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
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

func TestFlowsOfLinks(t *testing.T) {
	s := load(t, "stats-bins-ghostpads")
	var buffers int64
	for _, l := range s.Topology().Links() {
		flow := s.Series().ByID(l.Flow)
		if flow == nil || flow.Def.Role != model.RoleFlow || flow.Def.Object != l.From || flow.Def.Peer != l.To {
			t.Fatalf("link %+v without its flow", l)
		}
		from, _ := s.Topology().Object(l.From)
		to, _ := s.Topology().Object(l.To)
		testkit.That(t, from.Direction == model.PadSource && to.Direction == model.PadSink,
			"%s → %s goes from %d to %d", from.Name, to.Name, from.Direction, to.Direction)
		begin, _, _ := flow.Bounds()
		testkit.That(t, begin == l.Since, "link since %d, its first buffer came at %d", l.Since, begin)
		buffers += flow.Len()
	}
	testkit.That(t, buffers == truth["stats-bins-ghostpads"]["buffer"],
		"%d buffers over links, want %d", buffers, truth["stats-bins-ghostpads"]["buffer"])
}

// TestBins finds out which element is in which bin from ghost pads and from messages that bins pass
// on: no record says so.
func TestBins(t *testing.T) {
	s := load(t, "stats-bins-ghostpads")
	want := map[string]string{
		"d": "pipeline0", "queue0": "pipeline0", "videoconvert0": "pipeline0", "fakesink0": "pipeline0", "queue1": "pipeline0", "audioconvert0": "pipeline0", "fakesink1": "pipeline0",
		"pipeline0": "", "source": "d", "decodebin0": "d", "typefind": "decodebin0", "matroskademux0": "decodebin0", "multiqueue0": "decodebin0", "vp8dec0": "decodebin0", "vorbisdec0": "decodebin0",
	}
	for _, o := range s.Topology().Objects() {
		if o.Kind == model.ObjectPad || o.Kind == model.ObjectGhostPad {
			testkit.That(t, o.Parent != model.NoObject, "pad %s has no element", o.Name)
			continue
		}
		parent, _ := s.Topology().Object(o.Parent)
		testkit.That(t, parent.Name == want[o.Name], "%s is in %q, want %q", o.Name, parent.Name, want[o.Name])
		if bin := o.Kind == model.ObjectBin; bin != slices.Contains([]string{"d", "pipeline0", "decodebin0"}, o.Name) {
			t.Errorf("%s is a bin: %v", o.Name, bin)
		}
	}
}

func TestThreadNames(t *testing.T) {
	for capture, want := range map[string][]string{
		"stats-mux": {"main", "audiotestsrc0:src", "queue0:src", "queue1:src", "queue2:src", "queue3:src", "videotestsrc0:src"},
		"stats-bins-ghostpads": {
			"main", "matroskademux0:sink", "multiqueue0:src_0", "multiqueue0:src_1", "queue0:src", "queue1:src", "typefind:sink",
		},
		"log-tracer":               {"main", "fakesrc0:src", "queue0:src"},
		"two-instances":            {"main", "audiotestsrc0:src"},
		"stats-rusage-pull":        {"main", "wavparse0:sink"},
		"constructed-1.28-columns": nil, // latency records alone do not name threads
		"constructed-windows":      nil,
	} {
		s := load(t, capture)
		var got []string
		for _, tr := range allTracks(s) {
			if tr.Def.Kind == model.TrackThread {
				got = append(got, tr.Title())
			}
		}
		if want == nil {
			n := 0
			for _, name := range got {
				if strings.HasPrefix(name, "thread ") {
					n++
				}
			}
			testkit.That(t, n >= 3 && n == len(got)-1 && slices.Contains(got, "main"), "%s: threads %q", capture, got)
			continue
		}
		slices.Sort(got)
		slices.Sort(want)
		testkit.That(t, slices.Equal(got, want), "%s: threads %q, want %q", capture, got, want)
	}
}

// TestSameWhateverTheColumns reads one log as three systems write it.
func TestSameWhateverTheColumns(t *testing.T) {
	plain := load(t, "latency-two-sources")
	for _, name := range []string{"constructed-1.28-columns", "constructed-windows"} {
		other := load(t, name)
		if plain.NumTracks() != other.NumTracks() || plain.Series().Len() != other.Series().Len() {
			t.Fatalf("%s: %d tracks and %d series, plain %d and %d", name, other.NumTracks(), other.Series().Len(), plain.NumTracks(), plain.Series().Len())
		}
		for id := range plain.Series().Len() {
			a, b := plain.Series().ByID(model.SeriesID(id)), other.Series().ByID(model.SeriesID(id))
			if a.Def.Name != b.Def.Name || a.Def.Group != b.Def.Group || !slices.Equal(a.Samples(0, 1<<60, 0, nil), b.Samples(0, 1<<60, 0, nil)) {
				t.Errorf("%s: series %+v, plain %+v", name, b.Def, a.Def)
			}
		}
	}
}

func TestOddNames(t *testing.T) {
	s := load(t, "odd-names")
	odd := []string{`my source, "main"`, "convert;=(int)5", "Ausgang-süd", "pipeline0"}
	var elements []string
	for _, o := range s.Topology().Objects() {
		if o.Kind == model.ObjectElement || o.Kind == model.ObjectBin {
			elements = append(elements, o.Name)
		}
	}
	testkit.That(t, slices.Equal(elements, odd), "elements %q", elements)
	pair := odd[0] + ".src → " + odd[2] + ".sink"
	if n := seriesNamed(t, s, "latency", pair).Len(); n != 10 {
		t.Errorf("%d latencies of the pair", n)
	}
	if n := trackNamed(t, s, pair).NumSpans(); n != 10 {
		t.Errorf("%d spans of the pair", n)
	}
	if n := seriesNamed(t, s, "element-latency", odd[1]+".src").Len(); n != 10 {
		t.Errorf("%d latencies of the element", n)
	}
	if !slices.Contains(trackNames(s), odd[0]+":src") {
		t.Errorf("no thread of the source; tracks %q", trackNames(s))
	}
	// Latency records and statistics speak of the same objects.
	pads := 0
	for _, o := range s.Topology().Objects() {
		if o.Kind == model.ObjectPad {
			pads++
		}
	}
	testkit.That(t, pads == 4, "%d pads, want 4", pads)
}

// TestTwoInstances: two tracers of a kind write everything twice; the tree stays as it is.
func TestTwoInstances(t *testing.T) {
	s := load(t, "two-instances")
	var names []string
	for _, o := range s.Topology().Objects() {
		parent, _ := s.Topology().Object(o.Parent)
		names = append(names, parent.Name+"/"+o.Name)
	}
	slices.Sort(names)
	want := []string{
		"/pipeline0", "audioconvert0/sink", "audioconvert0/src", "audiotestsrc0/src", "fakesink0/sink", "pipeline0/audioconvert0", "pipeline0/audiotestsrc0", "pipeline0/fakesink0",
	}
	testkit.That(t, slices.Equal(names, want), "objects %q", names)
	if len(s.Topology().Links()) != 2 {
		t.Errorf("%d links", len(s.Topology().Links()))
	}
	if got := values(seriesNamed(t, s, "state", "fakesink0")); !slices.Equal(got, []float64{0, 1, 2, 3, 2, 1, 0}) {
		t.Errorf("states %v", got)
	}
}

func TestStates(t *testing.T) {
	for _, capture := range []string{"stats-mux", "stats-bins-ghostpads", "log-tracer"} {
		s := load(t, capture)
		bands := 0
		for _, o := range s.Topology().Objects() {
			if o.Kind != model.ObjectElement && o.Kind != model.ObjectBin {
				continue
			}
			x := seriesNamed(t, s, "state", o.Name)
			if x.Def.Role != model.RoleState || x.Def.Kind != model.SeriesState || x.Def.Object != o.ID || !slices.Equal(x.Def.States, States[:]) {
				t.Errorf("%s: %+v", capture, x.Def)
			}
			last := -2.0
			for i, v := range x.Samples(0, 1<<60, 0, nil) {
				if i > 0 && v.Value != last+1 && v.Value != last-1 {
					t.Errorf("%s: %s goes from %v to %v", capture, o.Name, last, v.Value)
				}
				last = v.Value
			}
			bands++
		}
		testkit.That(t, bands >= 4, "%s: %d bands", capture, bands)
	}
}

func TestForeignLines(t *testing.T) {
	s := load(t, "stderr-and-stdout")
	want := []string{
		"Setting pipeline to PAUSED ...", "Pipeline is PREROLLING ...", "Pipeline is PREROLLED ...",
		"Setting pipeline to PLAYING ...", "Redistribute latency...", "New clock: GstSystemClock",
		`Got EOS from element "pipeline0".`, "Execution ended after 0:00:00.000955446",
		"Setting pipeline to NULL ...", "Freeing pipeline ...",
	}
	var foreign []string
	for _, m := range messages(s, "foreign") {
		foreign = append(foreign, m.Text)
	}
	testkit.That(t, slices.Equal(foreign, want), "foreign lines: %q", foreign)
	if n := len(s.Messages().Of(trackNamed(t, s, "Program output").Def.ID, 0, 1<<60, nil)); n != 10 {
		t.Errorf("%d lines of output", n)
	}
}

func TestMixedDebug(t *testing.T) {
	s := load(t, "mixed-debug")
	if n := len(messages(s, "GST_SCHEDULING")); n != 556 {
		t.Errorf("%d lines of GST_SCHEDULING", n)
	}
	states := messages(s, "GST_STATES")
	if len(states) != 110 || states[0].Severity != model.SeverityInfo || states[0].Object == "" || !strings.Contains(states[0].Text, ".c:") {
		t.Errorf("%d lines of GST_STATES: %+v", len(states), states[0])
	}
	if v := s.Info().Version; v != "GStreamer trace log of GStreamer 1.22.0" {
		t.Errorf("version %q", v)
	}
}

func TestTruncated(t *testing.T) {
	s := load(t, "truncated")
	if l := s.Diagnostics(); len(l) != 1 || l[0].Kind != "cut" || l[0].Place != "line 755" {
		t.Errorf("%+v", l)
	}
	if n := len(messages(s, "unreadable")); n != 1 {
		t.Errorf("%d unreadable lines shown", n)
	}
}

// Of every link over which buffers went it is known what kind of data they were.
func TestCapsOfLinks(t *testing.T) {
	for capture, want := range map[string]map[string]string{
		"medium-av": {
			"capsfilter1": "video/x-raw, format=(string)ABGR64_LE, width=(int)80, height=(int)60, ",
			"queue2":      "audio/x-raw, rate=(int)44100, format=(string)F64LE, channels=(int)1, layout=(string)interleaved",
		},
		"stats-mux": {"vp8enc0": "video/x-vp8, "},
	} {
		s := load(t, capture)
		testkit.MustThat(t, len(s.Topology().Links()) != 0, "no links")
		for _, l := range s.Topology().Links() {
			pad, _ := s.Topology().Object(l.From)
			element, _ := s.Topology().Object(pad.Parent)
			testkit.That(t, l.Media != "", "%s: nothing is known of what comes from %s", capture, element.Name)
			testkit.That(t, strings.HasPrefix(l.Media, want[element.Name]),
				"%s: %s sends %q, want %q", capture, element.Name, l.Media, want[element.Name])
		}
	}
}

func TestLeaks(t *testing.T) {
	leaked := map[string]int{
		"GstPad": 2, "GstIdentity": 1, "GstBuffer": 1, "GstCaps": 1, "GstEvent": 1, "GstMessage": 1, "GstMemory": 1,
	}
	for _, capture := range []string{"leaks-refs", "leaks-refs-traces", "leaks-found", "leaks-traces-none"} {
		s := load(t, capture)
		refs := strings.Contains(capture, "refs")
		traces := strings.Contains(capture, "traces")
		types := map[string]int{}
		for _, r := range s.Topology().Resources() {
			types[r.Type]++
			if r.Fate != model.ResourceLeaked || r.Listing != 1 || r.Time == 0 || !strings.HasPrefix(r.Address, "0x") || r.RefCount < 1 {
				t.Errorf("%s: %+v", capture, r)
			}
			testkit.That(t, traces == (strings.Count(r.Trace, "\n") > 1), "%s: trace %q", capture, r.Trace)
			last := int64(-1 << 62)
			for _, e := range s.Topology().RefEvents(r.ID) {
				if e.Time < last || traces && !strings.Contains(e.Trace, "gst_debug_get_stack_trace") {
					t.Errorf("%s: %+v after %d", capture, e, last)
				}
				last = e.Time
			}
			refEvents := s.Topology().RefEvents(r.ID)
			if refs && r.Type == "GstPad" && len(refEvents) < 10 {
				t.Errorf("%s: %d references of %s", capture, len(refEvents), r.Description)
			}
			if capture == "leaks-refs" && r.Description == "<passer:src>" {
				want := []model.RefEvent{
					{Resource: r.ID, Time: 4966598, Ref: true, Count: 2}, {Resource: r.ID, Time: 5030282, Ref: false, Count: 1}, {Resource: r.ID, Time: 5059195, Ref: true, Count: 2},
				}
				if !slices.Equal(refEvents[:3], want) {
					t.Errorf("the history begins with %+v", refEvents[:3])
				}
			}
		}
		testkit.That(t, maps.Equal(types, leaked), "%s: %v", capture, types)
		if n := samples(s, "references", nil); refs && n != 187 || !refs && n != 0 {
			t.Errorf("%s: %d samples of reference counts", capture, n)
		}
	}
}

func TestDescriptionsWithSeparators(t *testing.T) {
	s := load(t, "leaks-found")
	for _, r := range s.Topology().Resources() {
		if r.Type == "GstCaps" && r.Description != "video/x-raw, format=(string){ I420, NV12 }, width=(int)[ 1, 640 ], framerate=(fraction)30/1" {
			t.Errorf("caps are %q", r.Description)
		}
	}
}

func TestListingsAndCheckpoints(t *testing.T) {
	s := load(t, "leaks-signals")
	type kind struct {
		fate    model.ResourceFate
		listing int
	}
	n := map[kind]int{}
	for _, r := range s.Topology().Resources() {
		n[kind{r.Fate, r.Listing}]++
	}
	// One checkpoint, then the list of all that was alive. Nothing was left at the end: the listing
	// there is empty.
	want := map[kind]int{{model.ResourceAdded, 1}: 18, {model.ResourceRemoved, 1}: 18, {model.ResourceAlive, 2}: 36}
	testkit.That(t, maps.Equal(n, want), "listings %v, want %v", n, want)
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
