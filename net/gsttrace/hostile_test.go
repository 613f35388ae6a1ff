package gsttrace

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/trace"
)

// TestLimits lets everything grow that a log can make grow.
func TestLimits(t *testing.T) {
	var text bytes.Buffer
	text.WriteString(class("m", "element="+scopeElement, "word="+value("gchararray", ""), "n="+value("guint", "")))
	const latencies = 3 * MaxLanes / 2
	for i := range latencies {
		fmt.Fprint(&text, record(200_000, fmt.Sprintf("element-latency, element-id=(string)0x9, element=(string)q, src=(string)src, time=(guint64)%d, ts=(guint64)190000", 1000+i)))
	}
	for i := range MaxObjects + 100 {
		ns := int64(1000 + i)
		if i%3 == 0 {
			fmt.Fprint(&text, record(ns, fmt.Sprintf("m, element=(string)e%d, word=(string)w%d, n=(uint)%d", i, i, i)))
		}
		fmt.Fprint(&text, record(ns, fmt.Sprintf("new-element, thread-id=(guint64)%d, ts=(guint64)%d, ix=(uint)%d, parent-ix=(uint)%d, name=(string)x%d, type=(string)T%d, is-bin=(boolean)1", 4096+i, ns, i, i-1, i, i)))
		if i%6 != 0 {
			continue
		}
		fmt.Fprintf(&text, "0:00:00.%09d %d 0x%x TRACE GST_BUFFER :0:do_push_buffer_pre:<e%d:src> %s, pad=<e%d:src>\n", ns, 7000+i/3000, 0x1000+i/2, i, clock(ns), i)
	}
	s := decode(text.Bytes())
	testkit.That(t, lossOf(s, model.LossLimit) != 0, "nothing was limited")
	if s.NumTracks() > MaxTracks || s.Series().Len() > MaxSeries || len(s.Topology().Objects()) > MaxObjects {
		t.Errorf("%d tracks, %d series, %d objects, %d collectors, %d paths", s.NumTracks(), s.Series().Len(), len(s.Topology().Objects()), s.Collectors().Len(), s.Paths().Len())
	}
	kinds := diagnosed(s)
	testkit.That(t, kinds["many-tracks"] != 0 && kinds["many-counters"] != 0 && kinds["many-rows"] == latencies-MaxLanes,
		"%v", kinds)
}

// diagnosed is how often there is what, by kind.
func diagnosed(s *store.Session) map[string]int64 {
	kinds := map[string]int64{}
	for _, l := range s.Diagnostics() {
		kinds[l.Kind] = l.N
	}
	return kinds
}

// TestLateStart begins in the middle: numbers that were never announced stand for objects all the
// same.
func TestLateStart(t *testing.T) {
	text := captureText(t, "stats-mux")
	cut := bytes.Index(text, []byte(" buffer, thread-id=(guint64)9"))
	cut += bytes.Index(text[cut:], []byte("\n")) + 1
	s := decode(text[cut+10:])
	whole := text[cut+10:]
	whole = whole[bytes.IndexByte(whole, '\n'):] // behind the line that was cut
	n, want := samples(s, "buffers", nil), int64(bytes.Count(whole, []byte(" buffer, thread-id=")))
	testkit.That(t, n == want && want >= 600, "%d buffers, want %d", n, want)
	named := 0
	for _, o := range s.Topology().Objects() {
		if strings.HasPrefix(o.Name, "element ") || strings.HasPrefix(o.Name, "pad ") {
			named++
		}
	}
	testkit.That(t, named >= 20 && len(s.Topology().Links()) >= 9,
		"%d objects with stand-in names, %d links", named, len(s.Topology().Links()))
}

// TestProcessesInOneLog are kept apart: the same numbers and addresses mean different things.
func TestProcessesInOneLog(t *testing.T) {
	a := string(captureText(t, "latency-pipeline-only"))
	pid := strings.Fields(a)[1]
	b := strings.ReplaceAll(a, " "+pid+" ", " 65001 ")
	la, lb := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	var mixed strings.Builder
	for i := range la {
		mixed.WriteString(la[i] + lb[i])
	}
	s := decode([]byte(mixed.String()))
	for _, p := range []string{pid, "65001"} {
		testkit.Equal(t, trackNamed(t, s, "main ("+p+")").Def.Kind, model.TrackThread, "kind")
	}
	testkit.Equal(t, spansBelow(s, "latency"), 120, "latencies")
	n := seriesNamed(t, s, "latency", "audiotestsrc0.src → fakesink0.sink (65001)").Len()
	testkit.That(t, n == 60, "%d of the second process", n)
}

func TestSniff(t *testing.T) {
	const line = "0:00:00.000000001 1 0x1 LOG x a.c:1:f: m"
	heads := []string{"Setting pipeline\n" + line + "\n", line}
	for name := range truth {
		if recordings.Here(t, recordings.GStreamer, name) {
			text := captureText(t, name)
			heads = append(heads, string(text[:min(len(text), 4096)]))
		}
	}
	for _, head := range heads {
		testkit.That(t, (Source{}).Sniff([]byte(head), "x.log"), "%.100q is not recognised", head)
	}
	for _, text := range []string{"", line[:27], "0:00:01.2 / 0:00:03.4\n", "hello\n", "0:00:01 something\n", "\x00\x01\x02\x03", "{\"traceEvents\":[]}", "PSTATS"} {
		testkit.That(t, !(Source{}).Sniff([]byte(text), "x.log"), "%q is taken for a log", text)
	}
}

// TestLongRecord leaves out a record that is too long, and counts it.
func TestLongRecord(t *testing.T) {
	good := record(5000, "latency, src=(string)a_src, sink=(string)b_sink, time=(guint64)10, ts=(guint64)4000")
	s := decode([]byte(good + record(6000, "message "+strings.Repeat("y", 5<<20)) + good))
	testkit.Equal(t, samples(s, "latency", nil), 2, "good records")
	testkit.Equal(t, fmt.Sprint(diagnosed(s)), "map[long-line:1]", "diagnostics")
}

// TestNamesThatNeverRepeat reads 40,000 latencies, once of two elements, once each of another:
// that must not cost more memory than is allowed, and every latency is there.
func TestNamesThatNeverRepeat(t *testing.T) {
	const records = 40_000
	for _, names := range []int{2, records} {
		for _, key := range []string{"src-element-id", "src-elem1ent-id"} {
			v := feedtest.New(t, 16<<20)
			s := v.Run(func(sink feed.Sink) {
				d := NewDecoder(sink, Options{})
				for i := range records {
					d.Write([]byte(record(int64(1000*i), fmt.Sprintf("latency, %s=(string)0x%x, src-element=(string)elem%d, "+
						"src=(string)src, sink-element-id=(string)0x2, sink-element=(string)b, sink=(string)sink, "+
						"time=(guint64)10, ts=(guint64)%d", key, i%names+3, i%names, 1000*i+100))))
				}
				d.Close("")
			})
			v.Check(t)
			lost, lines := s.Losses()
			if names == 2 {
				testkit.That(t, lost[model.LossLimit] == 0, "%d beyond a limit: %q", lost[model.LossLimit], lines)
				continue
			}
			v.CheckMore(t, s)
			testkit.That(t, lost[model.LossLimit] >= records/2,
				"only %d of %d are counted as beyond a limit", lost[model.LossLimit], records)
		}
	}
}

// FuzzDecoder decodes anything: it ends, stays within its limits, hands over valid text, and never
// makes the store mend lanes or paths.
func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"latency-pipeline-only", "leaks-refs", "factories", "log-tracer", "stats-bins-ghostpads", "color-leaks-debug", "all-audio-chain"} {
		text := captureText(f, name)
		f.Add(text[:min(len(text), 24<<10)], uint64(1))
		f.Add(text[max(len(text)-24<<10, 0):], uint64(2))
	}
	f.Add([]byte(class("x", "element="+scopeElement, "n="+value("guint64", ""))+record(5, "x, element=(string)a, n=(guint64)7")), uint64(3))
	f.Add([]byte(pushLine(1000, false, "a:src")+pushLine(2000, true, "b:src")), uint64(4))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 3))
		d := &feedtest.Into{Session: store.NewSession()}
		dec := NewDecoder(d, Options{Peer: "fuzz"})
		for at := 0; at < len(text); {
			n := min(1+r.IntN(8192), len(text)-at)
			dec.Write(text[at : at+n])
			at += n
			if r.IntN(2) == 0 {
				dec.Idle()
			}
		}
		dec.Close("end")
		s := d.Session
		_, ended := s.Ended()
		testkit.MustThat(t, ended && d.Ends == 1, "no end, or more than one")
		_, lines := s.Losses()
		for _, l := range lines {
			switch l {
			case "spans that overlapped in a lane were cut", "spans of undefined call paths", "spans that ended before they began", "samples of a series that was not defined", "batch of a track out of bounds",
				"reference event out of bounds", "call path out of bounds, with a wrong parent, or defined twice":
				t.Fatalf("the store had to mend: %s", l)
			}
		}
		for _, x := range allSeries(s) {
			testkit.MustThat(t, utf8.ValidString(x.Def.Name+x.Def.Group+x.Def.Description) && x.Def.Group != "",
				"series %+v", x.Def)
		}
	})
}

// Lines and classes that are too long are counted by kind; what is around them is read.
func TestLongLines(t *testing.T) {
	many := ""
	for i := range 300 {
		many += fmt.Sprintf(`, f%d=(structure)"value\,\ type\=\(type\)guint\;"`, i)
	}
	for log, want := range map[string]trace.Kind{
		columns + "event, name=(string)" + strings.Repeat("x", trace.MostLine) + ";\n":                      trace.LongLine,
		"0:00:00.000000001 1 0x1 LOG x a.c:1:f: m\n" + strings.Repeat(strings.Repeat("y", 1<<20-2)+"\n", 9): trace.LongLine,
		place + "x.class" + many + ";\n":                                      trace.BadEvent,
		place + "x.class, a=(structure)" + strings.Repeat("<", 1<<16) + ";\n": trace.BadEvent,
	} {
		s, c := table(log + anEvent)
		testkit.That(t, maps.Equal(s.bad, map[trace.Kind]int64{want: 1}) && c.Unreadable == 1 && s.kinds["event"] >= 1,
			"%.200q: %v; %v", log, s.bad, s.kinds)
	}
}

// Ambiguous texts must not make the matcher exponential or quadratic: these took minutes by a
// regular expression with backtracking.
func TestAmbiguousTexts(t *testing.T) {
	fields, record := "", "hostile"
	for i := range 40 {
		fields += fmt.Sprintf(`, f%d=(structure)"value\,\ type\=\(type\)gchararray\;"`, i)
	}
	for i := range 39 {
		record += fmt.Sprintf(", f%d=(string)", i)
		for j := range 40 {
			record += fmt.Sprintf(", f%d=(string)x", j)
		}
	}
	log := place + "hostile.class" + fields + ";\n" + columns + record + strings.Repeat(", f38=(string)", 50000) + ";\n"
	_, c := table(log)
	testkit.That(t, c.Records+c.Unreadable == 1, "%+v", c)
	// One text before a number that never fits.
	log = columns + "new-element, thread-id=(guint64)1, ts=(guint64)1, ix=(uint)0, parent-ix=(uint)0, name=(string)" + strings.Repeat(", type=(string), is-bin=(boolean)", 50000) + "2;\n"
	if _, c := table(log); c.Unreadable != 1 {
		t.Errorf("%+v", c)
	}
	// A record that seems to end with every line.
	log = columns + "object-alive, type-name=(string)" + strings.Repeat("\n;", 200000) + "\n" + columns + "x;\n"
	if _, c := table(log); c.Unreadable != 1 || c.Records != 1 {
		t.Errorf("%+v", c)
	}
}

// Layouts are kept for so many classes only; what is beyond is unreadable, what was known before
// goes on.
func TestTooManyClasses(t *testing.T) {
	var log bytes.Buffer
	log.WriteString(columns + "first, a=(int)1;\n")
	for i := range 3000 {
		fmt.Fprintf(&log, "%sclass-%d, a=(int)1;\n", columns, i)
		fmt.Fprintf(&log, "%sone-name, a%d=(int)1;\n", columns, i)
	}
	log.WriteString(columns + "first, a=(int)2;\n")
	s, c := table(log.String())
	testkit.That(t, s.kinds["first"] == 2 && c.Records >= 900 && c.Records <= 1100 && c.Unreadable == 6002-c.Records,
		"%d records, %d unreadable", c.Records, c.Unreadable)
}

// seeds are some short lines of each log.
func seeds(f *testing.F) (all [][]byte) {
	for _, name := range []string{"odd-names.log", "leaks-found.log", "leaks-traces-none.log", "stderr-and-stdout.log", "color-leaks-debug.log", "factories.log", "mixed-debug.log.gz", "constructed-windows.log.gz", "log-tracer.log.gz"} {
		var seed []byte
		for i, line := range bytes.SplitAfter(file(f, name), []byte("\n")) {
			if i%5 == 0 && len(line) < 900 && len(seed) < 2500 {
				seed = append(seed, line...)
			}
		}
		all = append(all, seed)
	}
	return all
}

func FuzzReader(f *testing.F) {
	for i, seed := range seeds(f) {
		f.Add(seed, uint16(i*7+1))
	}
	f.Fuzz(func(t *testing.T, log []byte, size uint16) {
		whole, a := table(string(log))
		pieces, b := tableOf(string(log), int(size)%(len(log)+1)+1)
		testkit.That(t, whole.text.String() == pieces.text.String() && a == b,
			"pieces of %d bytes make a difference: %+v and %+v\n%s\n%s", size, a, b, &whole.text, &pieces.text)
		if a.Bytes != int64(len(log)) || a.Records != int64(len(whole.all)) || a.Entries != a.Records+a.Messages || a.Foreign > a.Untimed || a.Generic > a.Records {
			t.Errorf("counts do not add up: %+v", a)
		}
		testkit.That(t, a.Entries+a.Foreign+a.Unreadable <= a.Lines+a.Overlong, "more came out than went in: %+v", a)
	})
}

func FuzzStructure(f *testing.F) {
	for _, seed := range seeds(f) {
		for line := range bytes.Lines(seed) {
			if _, m, ok := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(" :0:: ")); ok {
				f.Add(m)
			} else if _, m, ok := bytes.Cut(line, []byte("build_format: ")); ok {
				f.Add(m)
			}
		}
	}
	f.Add([]byte(`a, b=(structure)"c\,\ d\=\(int\){\ 1\,\ <\ 2\ >\ }", e=[ 1, 2, 3 ];`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, _ := ParseStructure(text)
		size := len(s.Name)
		for _, field := range s.Fields {
			size += len(field.Name) + len(field.Text)
		}
		testkit.That(t, size <= 2*len(text), "%d bytes of %d", size, len(text))
	})
}
