package gsttrace

import (
	"fmt"
	"math"
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
