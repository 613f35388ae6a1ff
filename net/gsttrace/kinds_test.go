package gsttrace

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/model"
	"framescope/net/gsttrace/gststats"
)

// Threads, elements and the ways through a pipeline are three kinds of things: no name stands for
// two of one kind, and an element or a way says of what it is.
func TestKindsOfTracks(t *testing.T) {
	s := load(t, "medium-av")
	var names [3][]string
	for id := range s.NumTracks() {
		d := s.Track(model.TrackID(id)).Def
		at := 0
		switch d.Kind {
		case model.TrackElement:
			at = 1
			if o, ok := s.Topology().Object(d.Object); !ok || o.Name != d.Name {
				t.Errorf("element %q is of %+v", d.Name, o)
			}
		case model.TrackStream:
			at = 2
			from, _ := s.Topology().Object(d.Object)
			to, _ := s.Topology().Object(d.Peer)
			if from.Direction != model.PadSource || to.Direction != model.PadSink {
				t.Errorf("path %q goes from %+v to %+v", d.Name, from, to)
			}
		}
		names[at] = append(names[at], d.Name)
	}
	want := [3][]string{
		{"audiotestsrc0:src", "main", "queue0:src", "queue1:src", "queue2:src", "videotestsrc0:src"},
		{"audioconvert0", "audioresample0", "capsfilter0", "capsfilter1", "queue0", "queue1", "queue2", "t", "videoconvert0", "videoscale0"},
		{"audiotestsrc0.src → fakesink2.sink", "videotestsrc0.src → fakesink0.sink", "videotestsrc0.src → fakesink1.sink"},
	}
	for i := range names {
		if slices.Sort(names[i]); !slices.Equal(names[i], want[i]) {
			t.Errorf("%q, want %q", names[i], want[i])
		}
	}
}

// summed is the summary of a capture.
func summed(t *testing.T, capture string) *gststats.Summary {
	t.Helper()
	sum, err := gststats.Read(bytes.NewReader(captureText(t, capture)), NewThreads())
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// The percentiles of latencies in a summary are those of the spans, by nearest rank, to the
// nanosecond.
func TestPercentilesOfLatencies(t *testing.T) {
	for _, capture := range []string{"medium-av", "latency-tee-queues", "latency-two-sources"} {
		s, sum := load(t, capture), summed(t, capture)
		if len(sum.Latencies) == 0 {
			t.Fatalf("%s: no latencies", capture)
		}
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
			if !slices.ContainsFunc(sum.Latencies, func(l gststats.Latency) bool {
				return want == [5]uint64{uint64(l.Count), l.MinNs, l.P50Ns, l.P90Ns, l.P99Ns} && !l.Estimated
			}) {
				t.Errorf("%s: no way has %v, as %s does: %+v", capture, want, s.Track(id).Title(), sum.Latencies)
			}
		}
	}
}

// What a thread took of the processors is what gst-stats says, which cuts the first digit behind
// the point; the summary has it to the last digit.
func TestLoadsAreThoseOfTheOfficialProgram(t *testing.T) {
	for _, capture := range []string{"medium-av", "all-audio-chain", "stats-rusage-pull", "color-all"} {
		official := map[string]float64{} // by the CPU time, which names a thread
		text := recordings.Read(t, recordings.GStreamer, capture+".stats.txt")
		var cpu string
		for in := bufio.NewScanner(strings.NewReader(string(text))); in.Scan(); {
			if v, ok := strings.CutPrefix(in.Text(), "  Time: "); ok {
				cpu = v
			}
			var load float64
			if v, ok := strings.CutPrefix(in.Text(), "  Avg CPU load: "); ok && cpu != "" {
				fmt.Sscanf(v, "%f", &load)
				official[cpu] = load
			}
		}
		if len(official) == 0 {
			t.Fatalf("%s: no thread in the official figures", capture)
		}
		s, sum := load(t, capture), summed(t, capture)
		for id := range model.TrackID(s.NumTracks()) {
			for _, x := range s.Series().ByTrack(id) {
				x := s.Series().ByID(x)
				_, last, _ := x.Bounds()
				ns, ok := s.Spans().CPUTime(id, 0, last+1)
				if x.Def.Role != model.RoleCPUTime || !ok {
					continue
				}
				_, end, _ := s.Bounds() // what comes after its last reading makes no difference
				got, _ := s.Spans().CPULoad(id, 0, end+1)
				if !slices.ContainsFunc(sum.Threads, func(t gststats.Thread) bool {
					return t.Name == s.Track(id).Title() && float64(t.CPUNs) == ns && math.Abs(t.Load-got) < 1e-12 && !t.LoadCut
				}) {
					t.Errorf("%s: %s took %v, and the summary has no such thread", capture, s.Track(id).Title(), got)
				}
				key := fmt.Sprintf("%d:%02d:%02d.%09d", 0, 0, int64(ns)/1e9, int64(ns)%1e9)
				want, known := official[key]
				if !known {
					continue // no pad was announced in it, so gst-stats leaves it out
				}
				delete(official, key)
				if math.Floor(got*1000)/10 != want {
					t.Errorf("%s: %s took %v %%, want %v", capture, s.Track(id).Title(), got*100, want)
				}
			}
		}
		if len(official) > 0 {
			t.Errorf("%s: no thread took %v", capture, official)
		}
	}
}
