package folded

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/net/feed/feedtest"
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
