package gsttrace

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

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

// TestClassNeverHeardOf maps a class by its announcement alone.
func TestClassNeverHeardOf(t *testing.T) {
	const optional = "flags=(GstTracerValueFlags)GST_TRACER_VALUE_FLAGS_OPTIONAL"
	const aggregated = "flags=(GstTracerValueFlags)GST_TRACER_VALUE_FLAGS_AGGREGATED"
	text := class("gpu-load", "element="+scopeElement, "pad="+scopePad, "ts="+valueTs,
		"busy="+value("gboolean", ""),
		"load="+value("guint", `description=(string)"load in ‰", min=(uint)0, max=(uint)1000`),
		"average="+value("guint", `description=(string)"average load", `+aggregated+`, min=(uint)0, max=(uint)100`),
		"bytes="+value("guint64", `description=(string)"uploaded in bytes", `+aggregated+`, min=(guint64)0, max=(guint64)18446744073709551615`),
		"wait="+value("guint64", `description=(string)"waited in ms", `+optional),
		"mode="+value("gchararray", ""),
		"ratio="+value("gdouble", ""),
		"kind="+value("GstFancyKind", ""),
	)
	for i := range 4 {
		have := (i + 1) % 2
		text += record(int64(2000+1000*i), fmt.Sprintf("gpu-load, element=(string)glup, pad=(string)src, ts=(guint64)%d, busy=(boolean)%d, load=(uint)%d, average=(uint)%d, bytes=(guint64)%d, have-wait=(boolean)%d, wait=(guint64)%d, mode=(string)%s, ratio=(double)%g, kind=(GstFancyKind)%d",
			1000+1000*i, i/2, 100*i, 10*i, 1000*i, have, 7*i, []string{"idle", "fast, or", "fast, or", "idle"}[i], float64(i)/4, 7-i/3))
	}
	s := decode([]byte(text))
	group := func(field string) *spans.Series { return seriesNamed(t, s, "gpu-load "+field, "glup.src") }
	for field, want := range map[string]struct {
		kind   model.SeriesKind
		unit   string
		values []float64
		states []string
		max    float64
	}{
		"busy":    {model.SeriesState, "", []float64{0, 1}, []string{"no", "yes"}, 0},
		"load":    {model.SeriesValue, "%", []float64{0, 10, 20, 30}, nil, 100},
		"average": {model.SeriesGauge, "", []float64{0, 10, 20, 30}, nil, 100},
		"bytes":   {model.SeriesCounter, "B", []float64{0, 1000, 2000, 3000}, nil, 0},
		"wait":    {model.SeriesValue, "ns", []float64{0, math.NaN(), 14e6, math.NaN()}, nil, 0},
		"mode":    {model.SeriesState, "", []float64{0, 1, 0}, []string{"idle", "fast, or"}, 0},
		"ratio":   {model.SeriesValue, "", []float64{0, 0.25, 0.5, 0.75}, nil, 0},
		"kind":    {model.SeriesState, "", []float64{0, 1}, []string{"7", "6"}, 0},
	} {
		x := group(field)
		if x.Def.Kind != want.kind || x.Def.Unit != want.unit || !slices.Equal(x.Def.States, want.states) || x.Def.HasRange != (want.max != 0) || x.Def.Max != want.max {
			t.Errorf("%s: %+v, want %+v", field, x.Def, want)
		}
		if got := values(x); fmt.Sprint(got) != fmt.Sprint(want.values) {
			t.Errorf("%s: values %v, want %v", field, got, want.values)
		}
		if pad, _ := s.Topology().Object(x.Def.Object); pad.Name != "src" || pad.Kind != model.ObjectPad {
			t.Errorf("%s: belongs to %+v", field, pad)
		}
	}
	if b, _, _ := group("load").Bounds(); b != 1000 {
		t.Errorf("samples begin at %d, not at ts", b)
	}
}

func TestEventsNeverHeardOf(t *testing.T) {
	text := class("vsync", "thread-id="+scopeThread, "ts="+valueTs) + class("note", "element="+scopeElement, "what="+value("gchararray", ""), "more="+value("gchararray", ""))
	for i := range 5 {
		text += record(int64(2000+i), fmt.Sprintf("vsync, thread-id=(guint64)4096, ts=(guint64)%d", 1000*i))
		text += record(int64(2000+i), fmt.Sprintf("note, element=(string)e, what=(string)w%d, more=(string)text %d, and more", i%2, i))
	}
	s := decode([]byte(text))
	x := seriesNamed(t, s, "vsync", "main")
	testkit.That(t, x.Def.Kind == model.SeriesEvent && x.Len() == 5 && x.Def.Track == 0,
		"%+v with %d samples", x.Def, x.Len())
	if n := seriesNamed(t, s, "note", "e: w0").Len(); n != 3 {
		t.Errorf("%d notes of one kind", n)
	}
	notes := messages(s, "note")
	testkit.That(t, len(notes) == 5 && notes[1].Text == "w1, more=text 1, and more" && notes[1].Object == "e",
		"notes %+v", notes)
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
	if v := values(x); !math.IsNaN(v[len(v)-1]) {
		t.Errorf("the band goes on: %v", v)
	}
	if n := len(messages(s, "mood")); n != 10 {
		t.Errorf("%d messages", n)
	}
	if n := seriesNamed(t, s, "mood level", "e").Len(); n != MaxStates+10 {
		t.Errorf("%d levels", n)
	}
}

func TestUnlimitedLatencyIsAGap(t *testing.T) {
	s := load(t, "latency-tee-queues")
	for _, x := range allSeries(s) {
		if x.Def.Group == "element-reported-latency max" && strings.HasPrefix(x.Def.Name, "videotestsrc0") {
			t.Errorf("an unlimited latency has samples: %v", values(x))
		}
		if x.Def.Group == "element-reported-latency min" && x.Def.Name == "videotestsrc0" && (values(x)[0] != 20e6 || x.Def.Unit != "ns" || x.Def.Role != model.RoleReported) {
			t.Errorf("%+v %v", x.Def, values(x))
		}
	}
	if v := values(seriesNamed(t, s, "element-reported-latency live", "q1")); !slices.Equal(v, []float64{1}) {
		t.Errorf("live: %v", v)
	}
	// Buffers in the queue of a synchronised sink overlap: that is its fill level.
	if n := trackNamed(t, s, "q2").Lanes(); n < 2 {
		t.Errorf("%d lanes for a queue that holds several buffers", n)
	}
	if n := trackNamed(t, s, "videoconvert0").Lanes(); n != 1 {
		t.Errorf("%d lanes for an element that holds one buffer", n)
	}
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

// rusages is a log in which a thread's clock is read every 20 ms.
func rusages(used ...int64) []byte {
	text := class("thread-rusage", "thread-id="+scopeThread, "ts="+valueTs,
		"average-cpuload="+value("guint", `description=(string)"average in ‰", flags=(GstTracerValueFlags)GST_TRACER_VALUE_FLAGS_AGGREGATED, min=(uint)0, max=(uint)1000`),
		"current-cpuload="+value("guint", `description=(string)"current in ‰", min=(uint)0, max=(uint)1000`),
		"time="+value("guint64", `description=(string)"time in ns", flags=(GstTracerValueFlags)GST_TRACER_VALUE_FLAGS_AGGREGATED, min=(guint64)0, max=(guint64)18446744073709551615`))
	for i, u := range used {
		ns := int64(20e6 * (i + 1))
		text += record(ns, fmt.Sprintf("thread-rusage, thread-id=(guint64)4096, ts=(guint64)%d, average-cpuload=(uint)100, current-cpuload=(uint)250, time=(guint64)%d", ns, u))
	}
	return []byte(text)
}

// A thread number that the system gives to another thread has the time of both: what the one took
// before it ended is not lost, nor taken off what the other takes.
func TestThreadNumberThatIsUsedAgain(t *testing.T) {
	s := decode(rusages(10e6, 25e6, 40e6, 1e6, 11e6, 31e6))
	x := seriesNamed(t, s, "thread-rusage time", "main")
	if v, want := values(x), []float64{10e6, 25e6, 40e6, 41e6, 51e6, 71e6}; !slices.Equal(v, want) {
		t.Errorf("its time is %v, want %v", v, want)
	}
	if ns, ok := s.Spans().CPUTime(x.Def.Track, 0, 1e9); !ok || ns != 61e6 {
		t.Errorf("it took %v ns (%v), want 61 ms", ns, ok)
	}
	s = decode(rusages(50e6, 60e6, 59e6, 70e6)) // not of another thread: it would have taken more than there was
	if v, want := values(seriesNamed(t, s, "thread-rusage time", "main")), []float64{50e6, 60e6, 59e6, 70e6}; !slices.Equal(v, want) {
		t.Errorf("its time is %v, want %v", v, want)
	}
	s = decode(rusages(10e6, 25e6, 40e6, 1e6, 11e6, 31e6))
	for _, v := range values(seriesNamed(t, s, "cpu load", "main")) {
		testkit.That(t, math.IsNaN(v) || v >= 0 && v <= 1, "a load of %v", v) // NaN: not known
	}
}

func TestJumpAtTheStart(t *testing.T) {
	// the first record is short of what was used before the clock began
	s := decode(rusages(5e6, 905e6, 910e6, 915e6))
	load := seriesNamed(t, s, "cpu load", "main")
	if v := values(load); len(v) != 3 || !slices.Equal(v[:2], []float64{0.25, 0.25}) || !math.IsNaN(v[2]) || load.Row(0).Time != 40e6 || load.Row(2).Time != 80e6 {
		t.Errorf("loads %v", v)
	}
	if v := values(seriesNamed(t, s, "thread-rusage current-cpuload", "main")); !slices.Equal(v, []float64{25, 25, 25, 25}) {
		t.Errorf("current load %v", v)
	}
	if x := seriesNamed(t, s, "thread-rusage time", "main"); x.Def.Kind != model.SeriesCounter || x.Def.Role != model.RoleCPUTime || x.Len() != 3 {
		t.Errorf("%+v", x.Def)
	}
}

// TestMarkersApart: the latency tracer's own events are in a group of their own, whichever comes
// first.
func TestMarkersApart(t *testing.T) {
	s := load(t, "medium-av")
	if n := samples(s, "latency markers", nil); n != 8500 {
		t.Errorf("%d marks, want 8500", n)
	}
	if n := samples(s, "events", nil); n != 101 {
		t.Errorf("%d other events, want 101", n)
	}
	s = load(t, "stats-mux") // without latencies such an event is an application's
	if n := samples(s, "latency markers", nil); n != 0 {
		t.Errorf("%d marks without a latency tracer", n)
	}
}

func TestFiguresInMessages(t *testing.T) {
	message := func(ns int, name, structure string) string {
		return record(int64(ns), fmt.Sprintf(`message, thread-id=(guint64)4096, ts=(guint64)%d, element-ix=(uint)0, name=(string)%s, structure=(structure)"%s"`, ns, name, quote(structure)))
	}
	s := decode([]byte(record(1, "new-element, thread-id=(guint64)4096, ts=(guint64)1, ix=(uint)0, parent-ix=(uint)4294967295, name=(string)sink, type=(string)S, is-bin=(boolean)0") +
		message(1000, "buffering", "GstMessageBuffering, buffer-percent=(int)40, buffering-mode=(GstBufferingMode)stream;") +
		message(2000, "qos", "GstMessageQOS, live=(boolean)false, jitter=(gint64)-5000, processed=(guint64)7, dropped=(guint64)18446744073709551615;") +
		message(3000, "qos", "GstMessageQOS, live=(boolean)false, jitter=(gint64)9000, processed=(guint64)8, dropped=(guint64)3;") +
		message(4000, "error", `GstMessageError, debug=(string)"no such file";`)))
	for group, want := range map[string][]float64{"buffering": {40}, "qos jitter": {-5000, 9000}, "qos dropped": {3}} {
		if x := seriesNamed(t, s, group, "sink"); !slices.Equal(values(x), want) || x.Def.Object != 0 {
			t.Errorf("%+v: %v", x.Def, values(x))
		}
	}
	var grave []string
	for _, m := range messages(s, "message") {
		if m.Severity == model.SeverityError {
			grave = append(grave, m.Text)
		}
	}
	testkit.That(t, len(grave) == 1 && grave[0] == `error, GstMessageError, debug=(string)"no such file"`,
		"errors %q", grave)
}

// TestLinksEnd: a message tells that an element was unlinked; where it has one source pad, its link
// ends.
func TestLinksEnd(t *testing.T) {
	s := load(t, "all-audio-chain")
	for _, l := range s.Topology().Links() {
		_, last, _ := s.Series().ByID(l.Flow).Bounds()
		testkit.That(t, l.Until > last, "link %+v, its last buffer came at %d", l, last)
	}
	if len(s.Topology().Links()) != 5 {
		t.Errorf("%d links", len(s.Topology().Links()))
	}
}
