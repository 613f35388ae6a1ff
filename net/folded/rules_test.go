package folded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/net/feed/feedtest"
	"framescope/net/trace"
)

// TestSniff checks what is taken for folded stacks, and what is not.
func TestSniff(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"x.txt", "a;b 1\na;c d 2\n", true},
		{"x.txt", "a 1\nb 2\n", false},
		{"x.folded", "a 1\nb 2\n", true},
		{"x.collapsed.gz", "what?\nis?\nthis?\nmain 5\n", true},
		{"x.stacks", "what is this?\n", false},
		{"x.txt", "\n# words\na;b 1\na;b 2\na;b 3\na;b 4\nno count\n", true},
		{"x.txt", "a;b 1\nno count\n", false},
		{"x.csv", "time;frame\n1;2\n3;4\n", false},
		{"x.txt", "a;b -4\n", false},
		{"x.txt", "", false},
		{"x.txt", "\xfe\xff\x00a\x00;\x00b\x00 \x001", true},
	} {
		testkit.Equal(t, (Source{}).Sniff([]byte(c.text), c.name), c.want, "%q in %s", c.text, c.name)
	}
}

// TestRules reads lines: each name with its samples, and those of it alone.
func TestRules(t *testing.T) {
	for text, want := range map[string]string{
		"a;b 1\na;b 2\n":                                   "a 3 0, b 3 3",
		"a;;b 1\n 5\n; 2\n":                                "a 1 0, (empty) 8 7, b 1 1",
		"a;b 10 12\na;c 1 0\n":                             "a 12 0, b 12 12",
		"a;b 10 12\na;c 1\n":                               "a 13 0, b 10 12 12, c 1 1",
		"a;b 1.5\na;b 1.5\n":                               "a 3 0, b 3 3",
		"a;b c d (x.py:12) 7\r\n":                          "a 7 0, b c d (x.py:12) 7 7",
		"# stacks begin with threads\nthread (7): m;a 3\n": "a 3 3",
	} {
		s := feedtest.Made(t, Source{}, "x.folded", text)
		var got []string
		for _, x := range feedtest.Tree(s, spans.MeasureSamples).Inside(nil) {
			got = append(got, fmt.Sprintf("%s %d %d", s.Collector(x.Collector).Name, x.Total, x.Self))
		}
		testkit.That(t, strings.Join(got, ", ") == want, "%q: %q, want %s", text, got, want)
		testkit.That(t, len(s.Diagnostics()) == 0, "%q: %+v", text, s.Diagnostics())
	}
}

// TestWeights reads what the counts are, and shows fractions in parts of one where they would vanish else.
func TestWeights(t *testing.T) {
	for text, want := range map[string]string{
		"a;b 0.25\na;c 0.002\na;b 0.25\n":      "samples, in 1/1000  502",
		"# weights: self time, ns\na;b 7\n":    "self time ns 7",
		"# weights: time, s\na 0.25\nb 0.75\n": "time, in 1/10 s  11",
	} {
		s := feedtest.Made(t, Source{}, "x.folded", text)
		w := s.Spans().Weights()[0]
		got := fmt.Sprintln(w.Name, w.Unit, feedtest.TreeOf(s, spans.MeasureWeight, 0).Total)
		testkit.That(t, strings.TrimSpace(got) == want, "%q: %s", text, got)
	}
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

// TestDamage reads files with one thing that can't be: the samples of the rest, and the diagnostic.
func TestDamage(t *testing.T) {
	long := strings.Repeat("f;", trace.MostLine/2)
	for text, want := range map[string]string{
		"a;b 1\nnone\na;c 2\nnone\n":                              "3 samples; 2 bad-line at line 2",
		"a;b 1\na;c 2\na;d":                                       "3 samples; 1 cut at line 3",
		"a;b 1\na;\x00\x00\x00b 2\n":                              "1 samples; 1 nul-bytes at line 2",
		"a;b 1\na;c 99999999999999999\n":                          "1 samples; 1 large-weight at line 2",
		"a;b 1\na;c 1" + strings.Repeat("0", 400) + "\n":          "1 samples; 1 large-weight at line 2",
		strings.Repeat("a;b 9007199254740991\n", 600) + "a;c 1\n": fmt.Sprint(512*(1<<53-1)+1, " samples; 88 large-weight at line 513"),
		"a;b 1\n" + long + "g 5\n":                                "1 samples; 1 long-line at line 2",
		strings.Repeat("f;", trace.MaxWeighed) + "g 3\n":          "3 samples; 1 deep-stack at line 1",
		"none\nnone\n":                                            "none of its 2 lines is a stack with a count",
		"a;b 99999999999999999999\nnone\n":                        "none of its 2 lines is a stack with a count",
		long + "g 1\nnone\n":                                      "none of its 2 lines is a stack with a count",
	} {
		path := feedtest.File(t, "x.folded", text)
		s, err := feedtest.Load(t, Source{}, path)
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), path+": ")
		} else {
			got = fmt.Sprint(feedtest.Tree(s, spans.MeasureSamples).Total, " samples")
			for _, d := range s.Diagnostics() {
				got += fmt.Sprintf("; %d %s at %s", d.N, d.Kind, d.Place)
			}
		}
		testkit.That(t, got == want, "%.40q: %s, want %s", text, got, want)
	}
}

// FuzzSource reads anything: nothing breaks, and no sample is lost.
func FuzzSource(f *testing.F) {
	for _, name := range []string{"simple-crlf.txt", "simple-utf16-le.txt", "recursion.txt", "game-threads.folded"} {
		f.Add(recordings.Read(f, recordings.Folded, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := feedtest.Load(t, Source{}, feedtest.File(t, "x.folded", data))
		if err == nil {
			feedtest.Unrefused(t, s)
		}
	})
}

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
