package gsttrace

import (
	"slices"
	"strings"
	"testing"

	"framescope/model"
)

func TestLeaks(t *testing.T) {
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
			if traces != (strings.Count(r.Trace, "\n") > 1) {
				t.Errorf("%s: trace %q", capture, r.Trace)
			}
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
		if len(s.Topology().Resources()) != 8 || types["GstPad"] != 2 || types["GstIdentity"] != 1 || types["GstBuffer"] != 1 || types["GstCaps"] != 1 || types["GstEvent"] != 1 || types["GstMessage"] != 1 || types["GstMemory"] != 1 {
			t.Errorf("%s: %v", capture, types)
		}
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
	if len(n) != len(want) {
		t.Errorf("listings %v", n)
	}
	for k, v := range want {
		if n[k] != v {
			t.Errorf("%d of %+v, want %d", n[k], k, v)
		}
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
			if r.Listing < 1 || r.Listing > 2 {
				t.Errorf("%s: %+v", capture, r)
			}
		}
		for fate, k := range want {
			if n[fate] != k {
				t.Errorf("%s: fates %v, want %v", capture, n, want)
			}
		}
		// Something that comes after a listing shows that the program was still at work.
		const after = "0:00:09.000000000  8660 0x5653c9477d60 TRACE             GST_TRACER :0:: thread-rusage, thread-id=(guint64)94917234228576, ts=(guint64)8999999999, average-cpuload=(uint)1, current-cpuload=(uint)1, time=(guint64)5;\n"
		later := strings.ReplaceAll(after, " 8660 ", " "+strings.Fields(kept[0])[1]+" ")
		for _, r := range decode([]byte(text + later)).Topology().Resources() {
			if r.Fate == model.ResourceLeaked {
				t.Errorf("%s: leaked, though more came: %+v", capture, r)
			}
		}
	}
}
