package perfscript

import (
	"fmt"
	"reflect"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
	"framescope/net/trace/tracetest"
)

// streamed reads a text in pieces.
func streamed(t testing.TB, text []byte, size func(i int) int) *tracetest.Sink {
	k := tracetest.New(t)
	testkit.OK(t, feedtest.Stream(Source{}, k, text, size, false))
	if !k.Info.Sampling.Timeless {
		k.PartWeights()
	}
	return k
}

// TestHeaders reads first lines of samples in all their forms.
func TestHeaders(t *testing.T) {
	for line, want := range map[string]string{
		"game 29061  4635.285040:    1001001 cpu-clock: ":                      "game|-1|29061|-1|4635285040000|1001001|cpu-clock|",
		"Audio Thread 1 29072/29073 [003] 5.000001: cycles:u: ":                "Audio Thread 1|29072|29073|3|5000001000|0|cycles:u|",
		"io:loader/2 7 1.123456789:      1 page-faults:":                       "io:loader/2|-1|7|-1|1123456789|1|page-faults|",
		"   swapper     0 [001] 12.000000: 10 cpu-clock:ppp:  ffff abc (x)":    "swapper|-1|0|1|12000000000|10|cpu-clock:ppp|ffff abc (x)",
		"x 12 13.5: y 14 [002] 2.500000: sched:sched_switch: prev_comm=a b: c": "x 12 13.5: y|-1|14|2|2500000000|0|sched:sched_switch|prev_comm=a b: c",
		" 4711/4712 9.000000:":                     "|4711|4712|-1|9000000000|0||",
		"a -1 9.000000: cpu-clock:":                "a|-1|0|-1|9000000000|0|cpu-clock|",
		":-1 -1/-1 [000] 9.000000: 5 cpu-clock:":   ":-1|0|0|0|9000000000|5|cpu-clock|",
		"-1/7 9.000000: cpu-clock:":                "|0|7|-1|9000000000|0|cpu-clock|",
		"a 7 1732229999.123456: cpu-clock:":        "a|-1|7|-1|1732229999123456000|0|cpu-clock|",
		"a b\t7 [002] 3.8374:\t\t10 task-clock:u:": "a b|-1|7|2|3008374000|10|task-clock:u|", // of simpleperf
		"a 7 3.000000:    1001001 ":                "a|-1|7|-1|3000000000|1001001||",
		"a 7 3.000000: 77 ffff81ab f+0x1 (x)":      "a|-1|7|-1|3000000000|77||ffff81ab f+0x1 (x)",
		"a 7 3.000000: 401000 main+0x1 (x)":        "a|-1|7|-1|3000000000|0||401000 main+0x1 (x)",
	} {
		var h header
		if !h.parse([]byte(line)) {
			t.Errorf("%q is no header", line)
			continue
		}
		got := fmt.Sprintf("%s|%d|%d|%d|%d|%d|%s|%s", h.comm, h.pid, h.tid, h.cpu, h.ns, h.period, h.event, h.rest)
		testkit.That(t, got == want, "%q: %s, want %s", line, got, want)
	}
	for _, line := range []string{"", "game 1 2.5: x:", "game 1 9732229999.123456: x:", "game -1/-1/-1 2.500000: x:", "game 4635.285040: x:", "\t 1f main+0x2 (a:1)", "game x 4635.285040:", "game 1 [2 4635.285040:"} {
		var h header
		testkit.That(t, !h.parse([]byte(line)), "%q is a header", line)
	}
}

// TestFrames reads lines of stacks.
func TestFrames(t *testing.T) {
	for line, want := range map[string]string{
		"\t           702db __sin_fma+0x1b (/usr/lib/libm.so.6)":     "__sin_fma|/usr/lib/libm.so.6",
		"\t  3f JS:~burn /home/dev/app.js:2:14 (/tmp/perf-123.map)":  "JS:~burn /home/dev/app.js:2:14|/tmp/perf-123.map",
		"\t  3f core::ops::FnOnce<()>::call_once+0x8 (/a (deleted))": "core::ops::FnOnce<()>::call_once|/a (deleted)",
		"  3f operator()(int) const+0x8 ([kernel.kallsyms])":         "operator()(int) const|[kernel.kallsyms]",
		"\t3f f(int)+0x8":    "f(int)|",
		"\tffffffff821f30a8": "|",
		"\t 12 libc_feholdsetround_sse_ctx+0x1b (inlined)": "libc_feholdsetround_sse_ctx|inlined",
	} {
		var f frame
		testkit.That(t, f.parse([]byte(line)) && string(f.symbol)+"|"+string(f.dso) == want,
			"%q: %s|%s, want %s", line, f.symbol, f.dso, want)
	}
	for _, line := range []string{"\tmain (x)", "\t0x12 main", "\t12345678123456781 f (x)", "\t", "  file.c:13"} {
		var f frame
		testkit.That(t, !f.parse([]byte(line)), "%q is a frame", line)
	}
	got := shownSymbol([]byte("alloc::vec::push::h0123456789abcdef"))
	testkit.That(t, got == "alloc::vec::push", "%v", got)
}

// TestCases reads texts of what perf script writes, damaged ones, and what is no such text.
func TestCases(t *testing.T) { feedtest.CasesOf(t, Source{}, "x.txt") }

// TestIdle shows what came when nothing more comes, though it might still be put in order.
func TestIdle(t *testing.T) {
	k := tracetest.New(t)
	s := Source{}.NewStream(k, feed.StreamOptions{Name: "pipe"})
	s.Write([]byte("g 7  10.000000: 1000000 cpu-clock: \n\t 1 f (x)\n\ng 7  10.001000: 1000000 cpu-clock: \n\t 1 f (x)\n\n"))
	for range quiet - 1 {
		s.Idle()
	}
	testkit.That(t, len(k.Samples[0]) == 0, "shown while it might be put in order")
	s.Idle()
	k.PartWeights()
	testkit.That(t, len(k.Samples[0]) == 2, "%d samples", len(k.Samples[0]))
	s.Close("gone")
	testkit.That(t, k.Ended == "gone", "%v", k.Ended)
}

// FuzzStream reads anything: nothing breaks, and pieces make no difference.
func FuzzStream(f *testing.F) {
	for _, name := range []string{"game-events", "game-flat", "simple-with-pid"} {
		data := recordings.Read(f, recordings.PerfScript, name+".txt")
		f.Add(uint8(5), data[:min(len(data), 4000)])
	}
	for i, text := range feedtest.CaseTexts(f) {
		f.Add(uint8(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, step uint8, data []byte) {
		want := streamed(t, data, feedtest.Steps(len(data)))
		got := streamed(t, data, feedtest.Steps(int(step)))
		if !reflect.DeepEqual(got.Spans, want.Spans) || !reflect.DeepEqual(got.Samples, want.Samples) && len(want.Others) == 0 {
			t.Fatal("pieces make a difference")
		}
		Source{}.Sniff(data, "x")
		feedtest.Unrefused(t, want.Session)
	})
}
