package perfscript

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
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

// spansOf writes the runs of a track, times in µs.
func spansOf(k *tracetest.Sink, track model.TrackID) string { return k.Runs(track, 1000) }

func whole(t testing.TB, text string) *tracetest.Sink {
	return streamed(t, []byte(text), feedtest.Steps(len(text)))
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

// TestGaps: samples that follow each other closely are one run, others are not; the last lasts as long
// as samples are apart. What comes late within a second is put in order.
func TestGaps(t *testing.T) {
	at := func(us int, f string) string {
		return fmt.Sprintf("g 7  10.%06d: 1000000 cpu-clock: \n\t 1 %s (x)\n\t 2 main (x)\n\n", us, f)
	}
	want := "main 0-4000, a 0-2000, b 2000-4000, main 20000-22000, a 20000-22000"
	want = strings.NewReplacer("a ", "main;a ", "b ", "main;b ").Replace(want)
	in := whole(t, at(0, "a")+at(1000, "a")+at(2000, "b")+at(3000, "b")+at(20000, "a")+at(21000, "a"))
	got := spansOf(in, 0)
	testkit.That(t, got == want && len(in.Losses) <= 0, "%s, want %s; %v", got, want, in.Losses)
	mixed := whole(t, at(0, "a")+at(1000, "a")+at(3000, "b")+at(2000, "b")+at(20000, "a")+at(21000, "a"))
	got = spansOf(mixed, 0)
	testkit.That(t, got == want && len(mixed.Losses) <= 0, "%s, want %s; %v", got, want, mixed.Losses)
	// Where a thread sleeps between most samples of a clock, they are runs of the clock's period each; of
	// other events nobody knows how long.
	seldom := ""
	for i := range 5 {
		seldom += at(8000*i, "a")
	}
	got = spansOf(whole(t, seldom), 0)
	testkit.That(t, strings.HasPrefix(got, "main 0-1000, main;a 0-1000, main 8000-9000"), "%v", got)
	got = spansOf(whole(t, strings.ReplaceAll(seldom, "cpu-clock", "cycles")), 0)
	testkit.That(t, got == "main 0-40000, main;a 0-40000", "%v", got)
	late := whole(t, at(0, "a")+strings.Replace(at(0, "a"), "10.", "14.", 1)+strings.Replace(at(0, "b"), "10.", "18.", 1)+
		strings.Replace(at(5, "b"), "10.", "11.", 1)+strings.Replace(at(5, "b"), "10.", "12.", 1))
	n := late.Lost("times go back")
	testkit.That(t, n != 0 && len(late.Samples[0]) == 5, "%d late, %d samples", n, len(late.Samples[0]))
	testkit.That(t, in.Info.Sampling.AskedNs == 1e6 && in.Info.Sampling.MedianNs == 1e6 && in.Info.Program == "g",
		"%+v", in.Info)
}

// TestWithoutFrames reads samples without stacks: by the names of threads, and what tracepoints say.
func TestWithoutFrames(t *testing.T) {
	line := func(who string, us int, rest string) string {
		return fmt.Sprintf("%s [001] 10.%06d: %s\n", who, us, rest)
	}
	text := line("game 7", 0, "1000000 cpu-clock:u:") + line("game 7", 1000, "1000000 cpu-clock:u:") + line("load 8", 1500, "1000000 cpu-clock:u:") +
		line("game 7", 9000, "1000000 cpu-clock:u:") + line("game 7", 9500, "sched:sched_switch: prev_comm=game ==> next_comm=load")
	testkit.That(t, Source{}.Sniff([]byte(text), ""), "is not recognised")
	k := whole(t, text)
	testkit.Equal(t, spansOf(k, 0)+"; "+spansOf(k, 1), "game 0-2000, game 9000-10000; load 1500-2500", "runs")
	testkit.That(t, len(k.Notes[0]) == 1 && k.Notes[0][0].Text == "prev_comm=game ==> next_comm=load" &&
		k.Notes[0][0].Category == "sched:sched_switch" && len(k.Warnings)+len(k.Losses) == 0, "%+v %v %v", k.Notes, k.Warnings, k.Losses)

	text = line("game 7", 0, "sched:sched_wakeup: comm=load pid=8") + line("game 7", 10, "1 page-faults:") + line("load 8", 20, "sched:sched_wakeup: comm=game pid=7")
	testkit.That(t, Source{}.Sniff([]byte(text), ""), "tracepoints are not recognised")
	k = whole(t, text)
	testkit.That(t, spansOf(k, 0)+spansOf(k, 1) == "" && k.Notes[0][0].Text == "comm=load pid=8" && k.Notes[1][0].Time == 20_000 &&
		len(k.Samples[0]) == 1 && len(k.Warnings)+len(k.Losses) == 0, "%+v %v %v", k.Notes, k.Warnings, k.Losses)
	for _, other := range []string{"a 7 10.000000: cpu-clock:\n", strings.Repeat("10.000000: warning: x\n", 9), strings.Repeat("game 7 10.000000: loaded x\n", 9)} {
		testkit.That(t, !Source{}.Sniff([]byte(other), ""), "%q is recognised", other)
	}
}

// TestKinds reads what is beside samples of a clock.
func TestKinds(t *testing.T) {
	k := whole(t, "# hostname : box\r\n#\r\nperf-exec 7/7 [001] 10.000000: 1 page-faults: \r\n\t 1 f (x)\r\n\r\n"+
		"game 7/7 [001] 10.000000: 1000000 cpu-clock: \n\t 1 f (x)\n  f.c:13\n\t0 [unknown] ([unknown])\n\n"+
		"game 7/7 [002] 10.001000: 1000000 cpu-clock: \n\t 1 f (x)\n\n"+
		"game 7/7 [002] 10.000500: sched:sched_switch: prev_comm=game next_comm=x\n\t 1 g (x)\n\n"+
		"game 7/8 10.000500: PERF_RECORD_COMM: worker:7/8\n"+
		"x 9/9 10.002000: 1000000 cpu-clock: \n\nLOST 12 events!\nwhat is this?\n")
	testkit.That(t, k.Info.Host == "box" && k.Info.Program == "game" && k.Info.PID == 7, "%+v", k.Info)
	names := fmt.Sprint(k.Tracks[0].Name, "|", k.Tracks[0].Process, "|", k.Tracks[1].Name, "|", k.Tracks[1].Process)
	testkit.That(t, names == "game 7|game 7|x 9|x 9" && len(k.Tracks) == 2, "%v", names)
	got := spansOf(k, 0)
	testkit.That(t, got == "f 0-2000", "%v", got)
	notes := k.Notes[0]
	if len(notes) != 1 || notes[0].Text != "prev_comm=game next_comm=x" || notes[0].Category != "sched:sched_switch" || notes[0].Time != 500_000 {
		t.Errorf("%+v", notes)
	}
	testkit.That(t, kindsOf(k) == "bad-line 1 line 21, lost-by-source 12 line 20" && k.Others[0] == 4,
		"%+v, %d", k.Losses, k.Others[0])
	testkit.That(t, len(k.Warnings) == 1 && strings.Contains(k.Warnings[0], "2 samples of other events than cpu-clock"),
		"%q", k.Warnings)
	bare := whole(t, "game 7 cpu-clock: \n\t 1 f (x)\n\t 2 main (x)\n\ngame 7 cpu-clock: \n\t 2 main (x)\n\n")
	if c := bare.Weights(0, tracetest.Same); !bare.Info.Sampling.Timeless || c["main"] != (tracetest.Sum{Self: 1, Inclusive: 2}) || len(bare.Losses) > 0 {
		t.Errorf("%+v, %v, %v", c, bare.Info, bare.Losses)
	}
	mixed := whole(t, "game 7 cpu-clock: \n\t 1 f (x)\n\ngame 7 page-faults: \n\t 2 main (x)\n\n")
	if c := mixed.Weights(0, tracetest.Same); c["f"].Self != 1 || len(c) != 1 || !strings.Contains(strings.Join(mixed.Warnings, ""), "1 samples of other events") {
		t.Errorf("events without times: %+v, %q", c, mixed.Warnings)
	}
	err := (Source{}).OpenFile(t.Context(), feedtest.File(t, "x.txt", "hello\n"), tracetest.New(t))
	testkit.That(t, err != nil && strings.Contains(err.Error(), "none of its lines"), "%v", err)
}

// TestEnds: frames of the address 0 are where a stack ends, if nothing is behind them, else frames of which nothing
// is known.
func TestEnds(t *testing.T) {
	const zero, f, main = "\t 0 [unknown] ([unknown])\n", "\t 1 f (x)\n", "\t 2 main (x)\n"
	for stack, want := range map[string]string{
		f + main + zero: "main;f", f + main + zero + zero: "main;f", zero + f + main: "main;f;[unknown]",
		f + zero + main + zero: "main;[unknown];f", f + zero + zero + main: "main;[unknown];[unknown];f", zero: "",
	} {
		k := whole(t, "g 7  10.000000: 1000000 cpu-clock: \n"+stack+"\n")
		testkit.Equal(t, k.Stack(model.PathID(k.Samples[0][0].Value)), want, "%q", stack)
	}
}

// TestNotes leaves out, and counts nowhere, what perf says besides samples, with times and without, and takes places
// of frames that perf does not know.
func TestNotes(t *testing.T) {
	for _, head := range []string{"g 7  10.000000: ", "g 7 "} {
		sample := head + "5 cpu-clock: \n\t 1 f (x)\n  f.c:13\n\t 2 main (x)\n  game[4f0]\n\t 3 start (x)\n  game+0x4f0\n\n"
		k := whole(t, "Warning: one\ng 7 PERF_RECORD_COMM: g:7/7\n"+sample+"Warning:\n"+head+"PERF_RECORD_MMAP2 7/7: [0x1(0x2) @ 0 08:02 1 1]: r-xp /x\n"+
			sample+head+"PERF_RECORD_LOST lost 3\n"+sample)
		if n := len(k.Samples[0]); k.Lost("recorded lost") != 3 || len(k.Losses) != 1 || head != "g 7 " && n != 3 {
			t.Errorf("%q: %d samples, %+v", head, n, k.Losses)
		}
		text := "Warning:\nProcessed 9 events and lost 1 chunks!\n\nCheck IO/CPU overload!\n\n" + sample + sample
		testkit.That(t, (Source{}).Sniff([]byte(text), "x"), "%q is not recognised", text)
	}
}

// Tables of counts and names, such as pprof's text, are no output of perf.
func TestTablesAreNotRecognised(t *testing.T) {
	for _, text := range []string{
		"Showing nodes accounting for 150, 100% of 150 total\n      flat  flat%   sum%        cum   cum%\n" +
			"       120 80.00% 80.00%        150   100%  operator new (inline)\n         0     0%   100%         30 20.00%  line1000\n",
		"2098 solutions found\n\n0 0 0 0 1 \n 2 2 2 0 1 \n2 6 6 1 1 \n 2 6 1 5 5 \n",
	} {
		testkit.That(t, !Source{}.Sniff([]byte(text), "x"), "%q is recognised", text)
	}
}

// TestPeriods: samples stand for their period, of a clock in ns; what has but an address is a frame.
func TestPeriods(t *testing.T) {
	const rest = "g 7 1.000000: %s1 f (x)\ng 7 1.001000: %s1 f (x)\n"
	for event, unit := range map[string]string{"cpu-clock:": "ns", "cycles:": ""} {
		k := whole(t, "g 7 1.000000: 5 "+event+" 1 f (x)\ng 7 1.001000: "+event+" 1 f (x)\ng 7 1.002000: 9 "+event+" ffff81ab\n")
		var got []float64
		for _, s := range k.Weighed[0] {
			got = append(got, s.Value)
		}
		w := k.Session.Spans().Weights()
		n, _ := k.Session.Spans().NumSamples(0, 0, model.MaxTime)
		testkit.That(t, n == 3, "%s %d samples", event, n)
		if m := k.Session.Spans().Measures([]model.TrackID{0}, nil); !slices.Contains(m, spans.MeasureSamples) || !slices.Contains(m, spans.MeasureWeight) {
			t.Errorf("%s measures %v", event, m)
		}
		if fmt.Sprint(got) != "[1 5 1 1 1 9]" || len(w) != 1 || w[0].Name != "period" || w[0].Unit != unit || len(k.Warnings) > 0 || len(k.Losses) > 0 {
			t.Errorf("%s %v, %+v, %q, %+v", event, got, w, k.Warnings, k.Losses)
		}
		c := k.Counts(0, tracetest.Same)
		testkit.That(t, c["[unknown]"].Self == 1 && c["f"].Self == 2, "%s %+v", event, c)
	}
	bare := whole(t, "g 7 5 cycles: \n\t 1 f (x)\n\ng 7 8 cycles: \n\t 1 f (x)\n\n")
	if w := bare.Session.Spans().Weights(); len(w) != 1 || w[0].Name != "period" || len(bare.Losses)+len(bare.Warnings) > 0 {
		t.Errorf("%+v, %+v, %q", w, bare.Losses, bare.Warnings)
	}
	var sums []float64
	for _, s := range bare.Samples[0] {
		sums = append(sums, s.Value)
	}
	testkit.That(t, fmt.Sprint(sums[len(sums)-2:]) == "[2 13]", "%v", sums)
	k := whole(t, fmt.Sprintf(rest, "", ""))
	testkit.That(t, len(k.Weighed[0]) == 0, "%+v", k.Weighed)
	k = whole(t, fmt.Sprintf(rest, "", "5 cpu-clock: "))
	testkit.That(t, len(k.Warnings) == 1, "%q", k.Warnings)
}

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
	f.Add(uint8(1), []byte("game 7 cpu-clock: \n\t 1 f (x)\n\nLOST 3\n\nx 1 2.000000:\r\n 1 f\n"))
	f.Add(uint8(9), []byte(someSamples(0, 5)+"g 7  910.000001: 1 cpu-clock:\n\t1 b\x00 (x)\n????\n\t2?f c (x)\n\n"+someSamples(6, 2)))
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

// TestCutLine: a text that ends inside a line of a stack names no function that is not there.
func TestCutLine(t *testing.T) {
	k := whole(t, "game  100 [001] 1.000001:  1000000 cpu-clock: \n\t1409 physics+0x11 (/bin/game)\n\t14e1 ren")
	testkit.That(t, len(k.Losses) == 1 && k.Losses[0].Reason == model.LossTruncated, "%+v", k.Losses)
	if lines := fmt.Sprint(k.Session.Collector(1), k.Session.Collector(2), k.Session.Collector(3)); strings.Contains(lines, "ren") ||
		!strings.Contains(lines, "physics") {
		t.Error(lines)
	}
}
