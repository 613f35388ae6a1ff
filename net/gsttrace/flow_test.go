package gsttrace

import (
	"fmt"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/trace"
)

func TestCalls(t *testing.T) {
	s := load(t, "log-tracer")
	text := captureText(t, "log-tracer")
	for _, hook := range []string{"push_buffer", "push_event", "pad_query", "element_query", "post_message", "element_change_state", "pad_link", "pad_unlink", "bin_add"} {
		want := strings.Count(string(text), ":do_"+hook+"_pre:")
		got := spansBelow(s, hook)
		testkit.That(t, got == want && want != 0, "%d calls of %s, want %d", got, hook, want)
	}
	open := 0
	for id := range s.NumTracks() {
		tid := model.TrackID(id)
		lanes := map[uint16][]spans.Bar{}
		for _, b := range spansOf(s, tid) {
			lanes[b.Ref.Lane] = append(lanes[b.Ref.Lane], b)
			if b.Flags != 0 {
				open++
			}
			depth := s.Paths().Depth(b.Path)
			testkit.MustThat(t, depth == int(b.Ref.Lane), "a call of depth %d in lane %d", depth, b.Ref.Lane)
		}
		for lane := uint16(1); lanes[lane] != nil; lane++ { // every call lies within one of the lane above, which made it
			k := 0
			for _, b := range lanes[lane] {
				for lanes[lane-1][k].End < b.End {
					k++
				}
				testkit.MustThat(t, lanes[lane-1][k].Begin <= b.Begin && parentOf(s, b.Path) == lanes[lane-1][k].Path,
					"call %+v is not in %+v", b, lanes[lane-1][k])
			}
		}
	}
	testkit.That(t, open == 0, "%d open calls", open)
	var names []string
	for id := range s.Collectors().Len() {
		names = append(names, s.Collector(model.CollectorID(id)).Name)
	}
	testkit.That(t, has(names, "push_buffer fakesrc0:src") && has(names, "element_change_state pipeline0"),
		"names %q", names)
	colors := map[string]model.RGB{} // of elements, whatever is done at them
	for id := int(trace.Other) + 1; id < s.Collectors().Len(); id++ {
		k := s.Collector(model.CollectorID(id))
		_, at, member := strings.Cut(k.Name, " ")
		element, _, _ := strings.Cut(at, ":")
		if was, known := colors[element]; member && (!k.Color.Set || known && was != k.Color) {
			t.Errorf("%s has the colour %v, another call at %s %v", k.Name, k.Color, element, was)
		}
		if member {
			colors[element] = k.Color
		}
	}
	n := len(colors)
	testkit.That(t, n >= 3 && colors["fakesrc0"] != colors["fakesink0"], "colours of %d elements: %v", n, colors)
	n = len(messages(s, "GST_PADS"))
	testkit.That(t, n != 0, "no ordinary lines")
}

func parentOf(s *store.Session, p model.PathID) model.PathID {
	parent, _ := s.Path(p)
	return parent
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
	d := &direct{session: store.NewSession()}
	dec := NewDecoder(d, Options{})
	dec.Write([]byte(pushLine(1e9, true, "a:src") + pushLine(1.001e9, true, "b:src")))
	dec.Write([]byte(line(1.5e9, "0x2000", "GST_PADS", "somebody", "x", "else speaks")))
	dec.Idle()
	dec.Idle()
	open := spansOf(d.session, 0)
	if len(open) != 2 || open[0].Flags&model.SpanOpenEnd == 0 || open[0].Begin != 1e9 || open[0].End < 1.4e9 {
		t.Fatalf("open calls %+v", open)
	}
	text := pushLine(2e9, false, "b:src") + pushLine(2.001e9, false, "a:src") + pushLine(2.002e9, true, "a:src") + pushLine(2.003e9, false, "a:src")
	dec.Write([]byte(text))
	dec.Close("end")
	var ends []int64
	for _, b := range spansOf(d.session, 0) {
		testkit.That(t, b.Flags == 0, "still open: %+v", b)
		ends = append(ends, b.End)
	}
	testkit.That(t, fmt.Sprint(ends) == fmt.Sprint([]int64{2.001e9, 2.003e9, 2e9}), "ends %v", ends)
}
