package gsttrace

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
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
			t.Errorf("%s has the color %v, another call at %s %v", k.Name, k.Color, element, was)
		}
		if member {
			colors[element] = k.Color
		}
	}
	n := len(colors)
	testkit.That(t, n >= 3 && colors["fakesrc0"] != colors["fakesink0"], "colors of %d elements: %v", n, colors)
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
	d := &feedtest.Into{Session: store.NewSession()}
	dec := NewDecoder(d, Options{})
	dec.Write([]byte(pushLine(1e9, true, "a:src") + pushLine(1.001e9, true, "b:src")))
	dec.Write([]byte(line(1.5e9, "0x2000", "GST_PADS", "somebody", "x", "else speaks")))
	dec.Idle()
	dec.Idle()
	open := spansOf(d.Session, 0)
	if len(open) != 2 || open[0].Flags&model.SpanOpenEnd == 0 || open[0].Begin != 1e9 || open[0].End < 1.4e9 {
		t.Fatalf("open calls %+v", open)
	}
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

func TestLoads(t *testing.T) {
	s := load(t, "rusage-threads")
	var threads, process float64
	for _, x := range allSeries(s) {
		if x.Def.Role != model.RoleCPULoad {
			continue
		}
		st := x.Stats(-1<<60, 1<<60)
		testkit.That(t, st.N >= 2 && st.Min >= 0 && st.Max <= 2.1, "%s: %+v", x.Def.Name, st)
		before := model.Sample{Value: math.NaN()}
		sum := 0.0
		for _, v := range x.Samples(-1<<60, 1<<60, 0, nil) {
			if !math.IsNaN(before.Value) { // a load holds until the next, the last one until a gap
				testkit.That(t, v.Time-before.Time >= cpuStepNs,
					"%s: a load over %d ns", x.Def.Name, v.Time-before.Time)
				sum += before.Value * float64(v.Time-before.Time)
			}
			before = v
		}
		testkit.That(t, math.IsNaN(before.Value), "%s: nothing tells where the last load ends", x.Def.Name)
		if b := x.Bins(-1<<60, 1<<60, 1, nil)[0]; math.Abs(b.Mean*float64(b.HeldNs)-sum) > 1e-6*sum || b.Mean != st.Mean {
			t.Errorf("%s: a mean of %v over %d ns is not the %v ns that it took", x.Def.Name, b.Mean, b.HeldNs, sum)
		}
		if x.Def.Track == model.NoTrack {
			process += sum
		} else {
			threads += sum
		}
	}
	// Threads and process are measured apart; what the curves hold in CPU time agrees roughly.
	testkit.That(t, threads != 0 && process != 0 && threads/process >= 0.5 && threads/process <= 1.5,
		"threads used %v ns, the process %v ns", threads, process)
}
