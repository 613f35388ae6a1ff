package gsttrace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/feed"
	"framescope/net/feed/feedtest"
)

// TestLimits lets everything grow that a log can make grow.
func TestLimits(t *testing.T) {
	var text bytes.Buffer
	text.WriteString(class("m", "element="+scopeElement, "word="+value("gchararray", ""), "n="+value("guint", "")))
	for i := range 3000 {
		fmt.Fprint(&text, record(200_000, fmt.Sprintf("element-latency, element-id=(string)0x9, element=(string)q, src=(string)src, time=(guint64)%d, ts=(guint64)190000", 1000+i)))
	}
	for i := range 70_000 {
		ns := int64(1000 + i)
		if i%2 == 0 {
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
	testkit.That(t, kinds["many-tracks"] != 0 && kinds["many-counters"] != 0 && kinds["many-rows"] == 3000-MaxLanes,
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
	if named < 20 || len(s.Topology().Links()) < 9 {
		t.Errorf("%d objects with stand-in names, %d links", named, len(s.Topology().Links()))
	}
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

// TestDamagedRecords leaves out records with a number that is none, or that doesn't fit, and lines whose
// time is damaged, and counts each: none of them makes a second path.
func TestDamagedRecords(t *testing.T) {
	const head = "latency, src-element-id=(string)0x1, src-element=(string)a, src=(string)src, sink-element-id=(string)0x2, " +
		"sink-element=(string)b, sink=(string)sink, "
	good := record(5000, head+"time=(guint64)10, ts=(guint64)4000")
	for bad, kind := range map[string]string{
		record(6000, head+"time=(guint64)null, ts=(guint64)4000"):                                            "bad-event",
		record(6000, head+"time=(guint64)-5, ts=(guint64)4000"):                                              "bad-event",
		record(6000, head+"time=(guint64)10, ts=(guint64)4x00"):                                              "bad-event",
		record(6000, "load, n=(gint64)99999999999999999999"):                                                 "bad-event",
		"0:99999999999999999999:00.000006000" + good[17:]:                                                    "bad-time",
		"0:00:0x.000006000" + strings.Replace(record(6000, "text"), "GST_TRACER :0::", "x a.c:1:f:", 1)[17:]: "bad-time",
		"9999999:00:00.000006000" + good[17:]:                                                                "bad-time",
		"0:00:00.000006000  7000 0x10\n":                                                                     "bad-line",
		record(6000, "message "+strings.Repeat("y", 5<<20)):                                                  "long-line",
	} {
		s := decode([]byte(good + bad + good))
		l := s.Diagnostics()
		if n := samples(s, "latency", nil); n != 2 || len(messages(s, "unreadable")) != 1 {
			t.Errorf("%.100s: %d good records of 2, %d shown", bad, n, len(messages(s, "unreadable")))
		}
		testkit.That(t, len(l) == 1 && l[0].Kind == kind && l[0].N == 1 && l[0].Place == "line 2",
			"%.100s: %+v", bad, l)
	}
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
			t.Logf("%d names, %s: accounts %d KiB, heap %d KiB", names, key, v.Account>>10, v.Heap>>10)
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
		d := &direct{session: store.NewSession()}
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
		s := d.session
		_, ended := s.Ended()
		testkit.MustThat(t, ended && d.endings == 1, "no end, or more than one")
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
