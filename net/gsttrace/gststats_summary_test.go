package gsttrace

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
)

func summary(t testing.TB, log []byte) *Summary {
	t.Helper()
	return testkit.Must(Read(bytes.NewReader(log)))(t)
}

// In odd-names the official program prints what was left in its memory for one element: its name
// ends at a semicolon, so the record has no is-bin.
func TestOddNamesOfficially(t *testing.T) {
	var differing []string
	want, got := strings.Split(string(file(t, "odd-names.stats.txt")), "\n"), strings.Split(compatText(t, file(t, "odd-names.log")), "\n")
	testkit.MustThat(t, len(want) == len(got), "%d lines, the official program has %d", len(got), len(want))
	for i := range want {
		if want[i] != got[i] {
			differing = append(differing, want[i]+" | "+got[i])
		}
	}
	expected := []string{"Number of Elements: 0 | Number of Elements: 1", "Number of Bins: 2 | Number of Bins: 1"}
	testkit.NoDiff(t, cmp.Diff(expected, differing), "lines that differ (-expected +found)")
}

// TestSummaries compares our own figures with testdata/summaries.
func TestSummaries(t *testing.T) {
	for _, name := range []string{
		"odd-names.log", "all-audio-chain.log.gz", "leaks-found.log", "leaks-refs-traces.log.gz", "leaks-signals.log",
		"leaks-no-leak.log", "color-leaks-debug.log",
	} {
		s := summary(t, file(t, name))
		s.Compatible = nil // which the official program tells
		text := testkit.Must(json.MarshalIndent(s, "", " "))(t)
		testkit.SameText(t, filepath.Join("testdata", "summaries", captureOf(name)+".json"), string(text)+"\n")
	}
}

// The first entry that can't be read is told, but not that the log ends inside one, which the counts of it tell.
func TestUnread(t *testing.T) {
	for log, want := range map[string]bool{"": false, anEvent[:100]: false, "0:00:00.000000001 1 0x1 NOLEVEL x a.c:1:f: m\n": true} {
		s := summary(t, []byte(anEvent+log))
		testkit.That(t, (s.Unread != "") == want && s.Log.CutLast == (len(log) == 100), "%q: %q, %+v", log, s.Unread, s.Log)
	}
}

// The official program crashes on this log; what it printed until then is a part of ours.
func TestTwoInstancesUntilTheCrash(t *testing.T) {
	ours := strings.Split(compatText(t, file(t, "two-instances.log.gz")), "\n")
	for _, line := range strings.Split(strings.TrimSpace(string(file(t, "two-instances.stats.txt"))), "\n") {
		testkit.That(t, slices.Contains(ours, line), "not in ours: %s", line)
	}
	s := summary(t, file(t, "two-instances.log.gz"))
	testkit.That(t, s.Overall.Elements == 3 && s.Overall.Bins == 1 && s.Overall.Pads == 4 && s.Overall.Buffers == 40,
		"elements announced by two tracers count once, their buffers twice: %+v", s.Overall)
}

func TestMessagesThatTheOfficialProgramCannotRead(t *testing.T) {
	s := summary(t, file(t, "all-audio-chain.log.gz"))
	testkit.That(t, s.Overall.Messages == 116 && s.Compatible.Overall.Messages == 89 && s.Overall.Threads == 2,
		"messages %d and %d, threads %d", s.Overall.Messages, s.Compatible.Overall.Messages, s.Overall.Threads)
	var out strings.Builder
	testkit.OK(t, s.WriteText(&out, false))
	for _, want := range []string{"\nmessage records gst-stats cannot read: 27\n", "\nNumber of Message sent: 116\n", "\nNumber of Element Queries, which gst-stats ignores: 5\n", "\nNumber of unreadable Entries: 0\n"} {
		testkit.That(t, strings.Contains(out.String(), want), "no %q in\n%s", want, out.String())
	}
}

// Where gst-stats has no gaps, ours must give the same figures of buffers, elements and latencies.
func TestOursEqualsTheCompatibleWhereNothingIsMissed(t *testing.T) {
	s := summary(t, file(t, "medium-av.log.gz"))
	own, compat := s.Figures, *s.Compatible
	if own.Overall.Buffers != compat.Overall.Buffers || own.Overall.Events != compat.Overall.Events || own.Overall.TimeNs != compat.Overall.TimeNs || math.Floor(own.Overall.Load*1000) != compat.Overall.Load*1000 {
		t.Errorf("overall: %+v and %+v", own.Overall, compat.Overall)
	}
	for i := range own.Latencies {
		a, b := own.Latencies[i], compat.Latencies[i]
		testkit.That(t, a.P50Ns >= a.MinNs && a.P50Ns <= a.P90Ns && a.P90Ns <= a.P99Ns && a.P99Ns <= a.MaxNs,
			"percentiles out of order: %+v", a)
		a.P50Ns, a.P90Ns, a.P99Ns = 0, 0, 0
		if a.MeanNs == b.MeanNs+1 { // which is cut
			a.MeanNs--
		}
		testkit.That(t, a == b, "latency %+v, compatible %+v", a, b)
	}
	bytesOf := func(f Figures) map[string][2]uint64 {
		m := map[string][2]uint64{}
		for _, e := range f.Elements {
			m[e.Type+e.Name] = [2]uint64{e.RecvBytes, e.SentBytes}
		}
		return m
	}
	testkit.NoDiff(t, cmp.Diff(bytesOf(compat), bytesOf(own)), "bytes of elements (-compatible +ours)")
}

func TestSummaryAsJSON(t *testing.T) {
	s := summary(t, file(t, "mixed-debug.log.gz"))
	s.Threads[0].Pads[0].BytesPerSecond = Rate(float64(s.Overall.Buffers)) / Rate(float64(s.NotKept)) // infinite
	data := testkit.Must(json.Marshal(s))(t)
	var back struct {
		Overall    Overall
		Compatible struct{ Overall Overall }
		Threads    []struct {
			Pads []struct{ BytesPerSecond *float64 }
		}
	}
	testkit.OK(t, json.Unmarshal(data, &back))
	testkit.That(t, back.Overall == s.Overall && back.Compatible.Overall == s.Compatible.Overall &&
		back.Threads[0].Pads[0].BytesPerSecond == nil && back.Threads[1].Pads[0].BytesPerSecond != nil, "%+v", back)
}

// Parents in a circle, elements that are their own parents, numbers without objects: the sum ends.
func TestHostileParents(t *testing.T) {
	var log strings.Builder
	for _, m := range []string{
		"new-element, thread-id=(guint64)1, ts=(guint64)1, ix=(uint)0, parent-ix=(uint)1, name=(string)a, type=(string)GstBin, is-bin=(boolean)1;",
		"new-element, thread-id=(guint64)1, ts=(guint64)1, ix=(uint)1, parent-ix=(uint)0, name=(string)b, type=(string)GstBin, is-bin=(boolean)1;",
		"new-element, thread-id=(guint64)1, ts=(guint64)1, ix=(uint)2, parent-ix=(uint)2, name=(string)c, type=(string)GstX, is-bin=(boolean)0;",
		"new-element, thread-id=(guint64)1, ts=(guint64)1, ix=(uint)3, parent-ix=(uint)1, name=(string)d, type=(string)GstX, is-bin=(boolean)0;",
		"new-pad, thread-id=(guint64)1, ix=(uint)4000000000, parent-ix=(uint)3, name=(string)src, type=(string)GstPad, is-ghostpad=(boolean)0, pad-direction=(GstPadDirection)1;",
		"buffer, thread-id=(guint64)1, ts=(guint64)5, pad-ix=(uint)4000000000, element-ix=(uint)3, peer-pad-ix=(uint)7, peer-element-ix=(uint)9, buffer-size=(uint)4294967295, have-buffer-pts=(boolean)0, buffer-pts=(guint64)0, have-buffer-dts=(boolean)0, buffer-dts=(guint64)0, have-buffer-duration=(boolean)0, buffer-duration=(guint64)0, buffer-flags=(GstBufferFlags)-1;",
	} {
		log.WriteString("0:00:00.000000001  1 0x1 TRACE             GST_TRACER :0:: " + m + "\n")
	}
	s := summary(t, []byte(log.String()))
	testkit.That(t, s.Overall.Buffers == 1 && s.Compatible.Overall.Buffers == 1 && len(s.Elements) == 2 &&
		s.Elements[1].Name == "element 9", "%+v", s.Elements)
	testkit.That(t, len(s.Compatible.Threads) == 0,
		"a buffer of an unknown element was listed: %+v", s.Compatible.Threads)
}

func FuzzSummary(f *testing.F) {
	for _, name := range []string{"odd-names.log", "leaks-found.log", "factories.log", "latency-pipeline-only.log", "color-leaks-debug.log"} {
		var seed []byte
		for i, line := range bytes.SplitAfter(file(f, name), []byte("\n")) { // few lines, or each try takes long
			if i%7 == 0 && len(line) < 500 && len(seed) < 2000 {
				seed = append(seed, line...)
			}
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		text := func(s *Summary) string {
			var out strings.Builder
			for _, compat := range []bool{false, true} {
				testkit.OK(t, s.WriteText(&out, compat))
			}
			return out.String()
		}
		whole := text(summary(t, log))
		middle := len(log) / 2
		two := io.MultiReader(bytes.NewReader(log[:middle]), bytes.NewReader(log[middle:]))
		halves := testkit.Must(Read(two))(t)
		testkit.NoDiff(t, cmp.Diff(whole, text(halves)), "in halves (-whole +halves)")
	})
}

// file reads a file of a recording, unzipped. Tests of larger ones are skipped where those are
// absent.
func file(t testing.TB, name string) []byte {
	t.Helper()
	return recordings.Read(t, recordings.GStreamer, name)
}

func compatText(t testing.TB, log []byte) string {
	t.Helper()
	s := testkit.Must(Read(bytes.NewReader(log)))(t)
	var out strings.Builder
	testkit.OK(t, s.WriteText(&out, true))
	return out.String()
}

func sortedLines(text string) []string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return lines
}

func TestEqualsTheOfficialProgram(t *testing.T) {
	for _, log := range truths {
		name := log[0]
		if name == "odd-names.log" || name == "two-instances.log.gz" {
			continue // the program gets these wrong: see the tests of their own
		}
		t.Run(name, func(t *testing.T) {
			got := sortedLines(compatText(t, file(t, name)))
			want := sortedLines(string(file(t, captureOf(name)+".stats.txt")))
			testkit.NoDiff(t, cmp.Diff(want, got), "lines, sorted (-official +ours)")
		})
	}
}

func TestRealGstStats(t *testing.T) {
	program := testkit.Program(t, "gst-stats-1.0")
	for _, name := range []string{"all-audio-chain.log.gz", "stats-bins-ghostpads.log.gz", "color-all.log.gz", "truncated.log.gz", "factories.log"} {
		t.Run(name, func(t *testing.T) {
			log := file(t, name)
			path := filepath.Join(t.TempDir(), "trace.log")
			testkit.OK(t, os.WriteFile(path, log, 0o600))
			out := testkit.Must(exec.Command(program, path).Output())(t)
			diff := cmp.Diff(sortedLines(string(out)), sortedLines(compatText(t, log)))
			testkit.That(t, diff == "", "lines, sorted (-official +ours):\n%s", diff)
		})
	}
}

// Percentiles are exact as long as there is room for the values, and then of an even part of them, which is said.
func TestPercentiles(t *testing.T) {
	for _, c := range []struct{ n, room int }{{1, 1000}, {2, 1000}, {99, 1000}, {100, 1000}, {20000, 1 << 20}, {20000, 5000}, {1, 0}} {
		r := rand.New(rand.NewPCG(1, uint64(c.n)))
		var d durations
		room := c.room
		for range c.n {
			d.add(r.Uint64N(1e6), &room)
		}
		l, kept := d.figures("", false), min(c.n, max(c.room, leastValues))
		testkit.That(t, l.Estimated == (c.n > kept) && kept == len(d.values), "%+v: estimated %v, %d kept", c, l.Estimated, len(d.values))
		for i, got := range []uint64{l.P50Ns, l.P90Ns, l.P99Ns} {
			want := []float64{0.5e6, 0.9e6, 0.99e6}[i]
			testkit.That(t, c.n < 20000 || math.Abs(float64(got)-want) < 0.02e6, "%+v: %d, want about %v", c, got, want)
		}
	}
}

// The mean is to the nearest nanosecond, also where the total is too great for 64 bits; in the
// compatible figures it is what the official program prints.
func TestMean(t *testing.T) {
	for _, c := range []struct {
		values       []uint64
		mean, compat uint64
	}{
		{[]uint64{1, 2}, 2, 1}, {[]uint64{1, 1, 2}, 1, 1}, {[]uint64{7}, 7, 7},
		{[]uint64{1 << 63, 1 << 63, 1 << 63}, 1 << 63, 1 << 63 / 3},
	} {
		var d durations
		room := 10
		for _, v := range c.values {
			d.add(v, &room)
		}
		if own, compat := d.figures("", false).MeanNs, d.figures("", true).MeanNs; own != c.mean || compat != c.compat {
			t.Errorf("%v: %d and %d, want %d and %d", c.values, own, compat, c.mean, c.compat)
		}
	}
}

// The load of a process is known exactly as soon as one number of processors alone leads to what
// records tell.
func TestLoadOfAProcess(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128} {
		r := rand.New(rand.NewPCG(2, n))
		var p processors
		var cpuNs, ns, told uint64
		for range 2000 {
			step := 1e5 + r.Uint64N(1e6)
			ns += step
			cpuNs += uint64(float64(step) * float64(n) * (0.3 + 0.4*r.Float64()))
			told = cpuNs * 1000 / ns / n
			p.addRecord(told, cpuNs, ns)
		}
		load, ok := p.load(told, cpuNs, ns)
		if want := float64(cpuNs) / float64(ns) / float64(n); !ok || math.Abs(load-want) > 1e-12 {
			t.Errorf("%d processors: %v, %v, want %v; between %+v", n, load, ok, want, p)
		}
	}
	var p processors
	p.addRecord(3, 3_500_000, 1e9) // one processor, nearly idle
	p.addRecord(1, 400e6, 1e9)     // a record of which the parts do not belong together
	p.addRecord(400, 400_900_000, 1e9)
	if load, ok := p.load(400, 400_900_000, 1e9); !ok || load != 0.4009 {
		t.Errorf("after a record that contradicts the others: %v, %v", load, ok)
	}
	if load, ok := p.load(500, 400_900_000, 1e9); ok {
		t.Errorf("a record that contradicts itself: %v", load)
	}
	p = processors{}
	p.addRecord(0, 1, 1e9)
	p.addRecord(1000, 1<<63, 1e9)
	p.addRecord(5, 1<<63, 0)
	p.addRecord(5, math.MaxUint64, 1e9)
	_, ok := p.load(1, 1, 1)
	testkit.That(t, !ok, "nothing is known, and yet the load is")
}
