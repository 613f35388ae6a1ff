package folded

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/tracetest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/net/feed"
	"framescope/net/trace"
)

// TestCases reads texts: which are taken for stacks, what becomes of them, and of damaged ones. An option is the name of a
// file.
func TestCases(t *testing.T) {
	feedtest.Cases(t, func(name string) (feed.Source, string) { return Source{}, cmp.Or(name, "x.folded") })
	testkit.That(t, Source{}.Sniff([]byte("\xfe\xff\x00a\x00;\x00b\x00 \x001"), "x.txt"), "UTF-16 is not recognised")
}

// TestDamage reads texts with one line that is too long or too heavy: the samples of the rest, and the diagnostic.
func TestDamage(t *testing.T) {
	long := strings.Repeat("f;", trace.MostLine/2)
	for text, want := range map[string]string{
		"a;b 1\na;c 1" + strings.Repeat("0", 400) + "\n":          "1 samples; 1 large-weight at line 2",
		strings.Repeat("a;b 9007199254740991\n", 600) + "a;c 1\n": fmt.Sprint(512*(1<<53-1)+1, " samples; 88 large-weight at line 513"),
		"a;b 1\n" + long + "g 5\n":                                "1 samples; 1 long-line at line 2",
		strings.Repeat("f;", trace.MaxWeighed) + "g 3\n":          "3 samples; 1 deep-stack at line 1",
	} {
		s := feedtest.Made(t, Source{}, "x.folded", text)
		got := fmt.Sprint(feedtest.Tree(s, spans.MeasureSamples).Total, " samples; ", tracetest.Faults(s))
		testkit.Equal(t, got, want, "%.40q", text)
	}
	_, err := feedtest.Load(t, Source{}, feedtest.File(t, "x.folded", long+"g 1\nnone\n"))
	testkit.Fails(t, err, "none of its 2 lines is a stack with a count")
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
