package convert_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/app/load"
	"framescope/internal/testkit"
	"framescope/model/paths"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

func open(t *testing.T, path string) *store.Session {
	t.Helper()
	rec := testkit.Must(load.File(t.Context(), path, load.Options{}))(t)
	return rec.Session
}

// sums returns the own figures of all call paths of a part, by what stands in a line: names from the
// outermost on.
func sums(t *testing.T, p *convert.Part) (out []string) {
	t.Helper()
	m := testkit.Must(p.Measure())(t)
	for _, id := range p.Tracks {
		var tree paths.Tree
		p.Tree(m, id, &tree)
		var name []string
		for k := range tree.Nodes {
			n := &tree.Nodes[k]
			name = append(name[:n.Depth], strings.ReplaceAll(p.Name(n.Collector), "\t", " ")) // a control character
			if n.Self > 0 {
				out = append(out, fmt.Sprintf("%q %d", name, n.Self))
			}
		}
	}
	slices.Sort(out)
	return out
}

// What is written comes back with the same figures by call path.
func TestFoldedRoundTrip(t *testing.T) {
	for _, name := range []string{
		"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "cpuprofile/main.cpuprofile",
		"pprof/game-heap.pprof", "folded/game-threads.folded", "spall/game-v3.spall",
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, filepath.Join("../../testdata", name))
			p := testkit.Must(convert.Of(s, place.TimeRange{}, nil))(t)
			calls := p.Tracks[:0:0]
			for _, id := range p.Tracks {
				if s.Track(id).Def.Kind.Calls() {
					calls = append(calls, id)
				}
			}
			p.Tracks = calls[:1] // one thread: no root is written
			want := sums(t, p)
			var out bytes.Buffer
			testkit.OK(t, convert.FoldedFormat.Write(t.Context(), p, &out))
			path := filepath.Join(t.TempDir(), "again.folded")
			testkit.OK(t, os.WriteFile(path, out.Bytes(), 0o600))
			again := testkit.Must(convert.Of(open(t, path), place.TimeRange{}, nil))(t)
			was, _ := p.Measure()
			m, _ := again.Measure()
			if samples := was == spans.MeasureSamples; samples != (m == spans.MeasureSamples) || p.MeasureUnit(was) != again.MeasureUnit(m) {
				t.Errorf("measure %d in %q of what came back, of %d in %q", m, again.MeasureUnit(m), was, p.MeasureUnit(was))
			}
			if got := sums(t, again); !slices.Equal(got, want) {
				t.Errorf("%d call paths instead of %d: %.600q instead of %.600q", len(got), len(want), got, want)
			}
		})
	}
}

// What was read of folded stacks is written as it was: threads become no functions on the way.
func TestAgain(t *testing.T) {
	s := converttest.Open(t, "spall/game-v3.spall")
	var texts []string
	for range 3 {
		var out strings.Builder
		testkit.OK(t, convert.FoldedFormat.Give(t.Context(), converttest.Part(t, s, ""), &out))
		lines := strings.Split(out.String(), "\n")
		slices.Sort(lines)
		texts = append(texts, strings.Join(lines, "\n"))
		s, _ = converttest.Again(t, &convert.FoldedFormat, converttest.Part(t, s, ""))
	}
	if texts[0] != texts[1] || texts[1] != texts[2] || !strings.Contains(texts[0], "thread (") {
		t.Errorf("%.300s\nthen\n%.300s\nthen\n%.300s", texts[0], texts[1], texts[2])
	}
}
