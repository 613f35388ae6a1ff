package folded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

// truth is what another program reads in a capture.
type truth struct {
	Invalid []int64 `json:"invalid_lines"`
	Total   int64
	Stacks  int `json:"distinct_stacks"`
	ByName  []struct {
		Name            string
		Self, Inclusive int64
	} `json:"by_name"`
}

// TestCaptures compares each capture with its truth: the sum, what is invalid, and how many samples
// each name has alone and with what it called.
func TestCaptures(t *testing.T) {
	for _, name := range []string{
		"game-threads.folded", "procs.folded", "recursion.txt", "simple-crlf.txt", "simple-utf16-le.txt", "simple-with-invalids.txt",
	} {
		t.Run(name, func(t *testing.T) {
			path := recordings.File(t, recordings.Folded, name)
			var want truth
			base := strings.TrimSuffix(name, filepath.Ext(name))
			testkit.OK(t, json.Unmarshal(recordings.Read(t, recordings.Folded, base+".truth.json"), &want))
			testkit.That(t, Source{}.Sniff(feedtest.Head(t, path), path), "not recognised")
			s := feedtest.Open(t, Source{}, path)
			tree := feedtest.Tree(s, spans.MeasureSamples)
			testkit.That(t, tree.Total == want.Total, "%d samples, want %d", tree.Total, want.Total)
			text := bytes.Split(recordings.Read(t, recordings.Folded, name), []byte("\n"))
			invalid := slices.DeleteFunc(want.Invalid, func(n int64) bool { return bytes.HasPrefix(text[n-1], []byte("#")) })
			if n, lines := s.Losses(); n[model.LossMalformed] != int64(len(invalid)) {
				t.Errorf("%d invalid lines, want %d: %q", n[model.LossMalformed], invalid, lines)
			}
			inside := tree.Inside(nil)
			testkit.That(t, len(inside) == len(want.ByName), "%d names, want %d", len(inside), len(want.ByName))
			for _, w := range want.ByName {
				for _, x := range inside {
					if s.Collector(x.Collector).Name == w.Name && (x.Total != w.Inclusive || x.Self != w.Self) {
						t.Errorf("%q has %d, %d alone, want %d, %d", w.Name, x.Total, x.Self, w.Inclusive, w.Self)
					}
				}
			}
		})
	}
}

// TestSniff checks what is taken for folded stacks, and what is not.
func TestSniff(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"x.txt", "a;b 1\na;c d 2\n", true},
		{"x.txt", "a 1\nb 2\n", false},
		{"x.folded", "a 1\nb 2\n", true},
		{"x.txt", "\n# words\na;b 1\na;b 2\na;b 3\na;b 4\nno count\n", true},
		{"x.txt", "a;b 1\nno count\n", false},
		{"x.txt", "a;b 1\na;c 1\nno count\n", true},
		{"x.txt", "a;b 1\na;c 99999999999999999999\na;d 4\n", true},
		{"x.csv", "time;frame\n1;2\n3;4\n", false},
		{"x.txt", "a;b -4\n", false},
		{"x.txt", "", false},
		{"x.txt", "\xfe\xff\x00a\x00;\x00b\x00 \x001", true},
	} {
		if got := (Source{}).Sniff([]byte(c.text), c.name); got != c.want {
			t.Errorf("%q in %s: %t", c.text, c.name, got)
		}
	}
}

// TestEmptyNames: frames may have no name, also the only one of a stack.
func TestEmptyNames(t *testing.T) {
	s := feedtest.Made(t, Source{}, "x.folded", "a;;b 1\n 5\n; 2\n(empty);b 1\n")
	got := ""
	for _, x := range feedtest.Tree(s, spans.MeasureSamples).Inside(nil) {
		got += fmt.Sprintf("%s %d %d, ", s.Collector(x.Collector).Name, x.Total, x.Self)
	}
	if _, lines := s.Losses(); !strings.Contains(got, "(empty) 8 7, ") || !strings.Contains(got, "(empty) 1 0, ") || len(lines) > 0 {
		t.Errorf("%s, %q", got, lines)
	}
}

// TestNamedAsStacks: of a file whose name says what it is, lines that are no stacks are counted, however many.
func TestNamedAsStacks(t *testing.T) {
	text := []byte(strings.Repeat("what is this?\n", 9) + "main 5\n")
	for name, want := range map[string]bool{"x.folded": true, "x.collapsed.gz": true, "x.stacks": true, "x.txt": false} {
		if (Source{}).Sniff(text, name) != want {
			t.Errorf("%s: recognised %t", name, !want)
		}
	}
	testkit.That(t, !(Source{}).Sniff(text[:20], "x.folded"), "recognised without any stack")
}

// TestThreads checks which stacks are whose.
func TestThreads(t *testing.T) {
	s := feedtest.Made(t, Source{}, "x.folded", "thread (7): main;a 2\nprocess 5:\"x y\";thread (8);b 3\nplain;c 1.5\n;d 4\nthread (7): main;a 1\n"+
		"thread (0x104D2C580): Main;a 7\nprocess 5:\"x\";thread (0xA);a 9\n")
	want := map[string]int{"/main": 3, "process 5/Thread 8": 3, "/all stacks": 6, "/Main": 7, "process 5/Thread 10": 9}
	for _, tr := range feedtest.Tracks(s) {
		if n, _ := s.Spans().NumSamples(tr.Def.ID, 0, 1); want[tr.Def.Process+"/"+tr.Title()] != int(n) {
			t.Errorf("%s of %q has %d samples", tr.Title(), tr.Def.Process, n)
		}
	}
	testkit.That(t, s.NumTracks() == len(want), "%d threads", s.NumTracks())
}

// TestErrors checks what can't be read at all.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"no stack\nnone\n":                                   "none of its 2 lines is a stack with a count",
		"a;b 99999999999999999999\nnone\n":                   "none of its 2 lines is a stack with a count below 2^53",
		strings.Repeat("f;", trace.MostLine) + "g 1\nnone\n": "none of its 2 lines is a stack with a count of at most 1048576 bytes",
	} {
		path := feedtest.File(t, "x.folded", text)
		if _, err := feedtest.Load(t, Source{}, path); err == nil || err.Error() != path+": "+want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestTooMuch checks that a count that can't be costs its own line, which is named, and that so do those
// with which all would be more than can be summed up.
func TestTooMuch(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		total int64
		lost  int64
		lines string
	}{
		"one":      {"a;b 1\na;c 99999999999999999999\na;d 4\n", 5, 1, "line 2: "},
		"infinite": {"a;b 1\na;c 1" + strings.Repeat("0", 400) + "\n", 1, 1, "line 2: "},
		"all":      {strings.Repeat("a;b 9007199254740991\n", 600) + "a;c 1\n", 512*(1<<53-1) + 1, 88, "lines 513 514 "},
		"least":    {"a;b 9007199254740992\na;b 2\n", 1<<53 + 2, 0, ""},
	} {
		s, err := feedtest.Load(t, Source{}, feedtest.File(t, "x.folded", c.text))
		testkit.MustThat(t, err == nil, "%s: %v", name, err)
		n, lines := s.Losses()
		if total := feedtest.Tree(s, spans.MeasureSamples).Total; total != c.total || n[model.LossMalformed] != c.lost || !strings.Contains(fmt.Sprint(lines), c.lines) {
			t.Errorf("%s: %d samples, want %d; %d lost: %q", name, total, c.total, n[model.LossMalformed], lines)
		}
	}
}

// TestDifferential checks that of two counts, of before and after a change, the second is taken, and
// that it is told.
func TestDifferential(t *testing.T) {
	s := feedtest.Made(t, Source{}, "x.folded", "a;b 10 12\na;c 1 0\n")
	if tree := feedtest.Tree(s, spans.MeasureSamples); tree.Total != 12 || !strings.Contains(s.Info().Detail, "after") {
		t.Errorf("%d samples, %q", tree.Total, s.Info().Detail)
	}
	s = feedtest.Made(t, Source{}, "x.folded", "a;b 10 12\na;c 1\n")
	if tree := feedtest.Tree(s, spans.MeasureSamples); tree.Total != 13 || len(tree.Inside(nil)) != 3 || s.Collector(tree.Inside(nil)[1].Collector).Name != "b 10" {
		t.Errorf("%d samples of %d names", tree.Total, len(tree.Inside(nil)))
	}
}

// TestFractions keeps counts below 1: they are told in parts of one where they would vanish else.
func TestFractions(t *testing.T) {
	s := feedtest.Made(t, Source{}, "x.folded", "a;b 0.25\na;c 0.002\na;b 0.25\n")
	w := s.Spans().Weights()
	tree := feedtest.TreeOf(s, spans.MeasureWeight, 0)
	testkit.That(t, len(w) == 1 && w[0].Name == "samples, in 1/1000" && tree.Total == 502, "%v, %d", w, tree.Total)
}

// TestLimits names the limits of lines and stacks, and which lines are beyond them.
func TestLimits(t *testing.T) {
	long, deep := strings.Repeat("f;", trace.MostLine/2)+"g 5\n", strings.Repeat("f;", maxDepth)+"g 3\n"
	s := feedtest.Made(t, Source{}, "x.folded", "a;b 1\n\n"+long+strings.Repeat("n", trace.MostLine)+" 7\n"+deep)
	n, told := s.Losses()
	if total := feedtest.Tree(s, spans.MeasureSamples).Total; total != 4 || n[model.LossLimit] != 3 || n[model.LossMalformed] != 0 {
		t.Errorf("%d samples, %d beyond limits, %d damaged", total, n[model.LossLimit], n[model.LossMalformed])
	}
	for _, want := range []string{"lines 3 4: lines of more than 1048576 bytes", "line 5: stacks of more than 16384 frames"} {
		testkit.That(t, strings.Contains(strings.Join(told, "\n"), want), "%q; want %s", told, want)
	}
}

// FuzzSource reads anything: nothing breaks, and no sample is lost.
func FuzzSource(f *testing.F) {
	for _, name := range []string{"simple-crlf.txt", "simple-utf16-le.txt", "recursion.txt", "game-threads.folded"} {
		f.Add(recordings.Read(f, recordings.Folded, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k := &feedtest.Into{Session: store.NewSession()}
		m := newMapper(k, nil, "x")
		sum := int64(0)
		for i, line := range trace.Head(data, true, math.MaxInt) {
			m.line(int64(i+1), []byte(line), false)
		}
		if err := m.finish(); err != nil || m.parts != 1 {
			return
		}
		for _, n := range m.counts {
			sum += n.in(1)
		}
		if got := feedtest.Tree(k.Session, spans.MeasureSamples).Total; got != sum {
			t.Fatalf("%d samples, want %d", got, sum)
		}
	})
}

// A last line that is cut off is told as that, with its number, and lines that are no stacks with theirs.
func TestLinesAreTold(t *testing.T) {
	for text, want := range map[string]string{
		"a;b 1\nnone\na;c 2\na;d":        "line 4: the file ends inside a stack, which is left out|line 2: no stack with a count",
		"a;b 1\nnone\na;c 2\nnone\n":     "lines 2 4: no stack with a count",
		"a;b 1\na;\x00\x00\x00b 2\n":     "byte 8: NULs in place of data, 3 bytes",
		"a;b 1\na;c 99999999999999999\n": "line 2: a count of more than 2^53, or with which all are more than 2^62, is left out",
	} {
		path := feedtest.File(t, "x.folded", text)
		_, lines := feedtest.Open(t, Source{}, path).Losses()
		slices.Sort(lines)
		all := strings.Split(want, "|")
		slices.Sort(all)
		testkit.That(t, slices.Equal(lines, all), "%q: %q, want %q", text, lines, all)
	}
}

func TestCompressed(t *testing.T) {
	s := feedtest.Made(t, Source{}, "x.folded.gz", feedtest.Gzip([]byte("a;b 3\n")))
	if total := feedtest.Tree(s, spans.MeasureSamples).Total; total != 3 {
		t.Error(total)
	}
}
