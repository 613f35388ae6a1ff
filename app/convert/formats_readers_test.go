package convert_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/internal/testkit"
	"framescope/model/paths"
	"framescope/model/spans"
)

// own returns by name what the tracks of calls of a part spent by themselves, in its measure.
func own(t *testing.T, p *convert.Part) map[string]int64 {
	t.Helper()
	m := testkit.Must(p.Measure())(t)
	return ownOf(p, m)
}

// ownOf is own in a measure. What is no character of a line is a space.
func ownOf(p *convert.Part, m spans.Measure) map[string]int64 {
	sums := map[string]int64{}
	for _, id := range p.Tracks {
		if !p.Session.Track(id).Def.Kind.Calls() {
			continue
		}
		var tree paths.Tree
		p.Tree(m, id, &tree)
		for k := range tree.Nodes {
			if n := &tree.Nodes[k]; n.Self > 0 {
				sums[strings.ReplaceAll(p.Name(n.Collector), "\t", " ")] += n.Self
			}
		}
	}
	return sums
}

// read returns what speedscope's importer makes of a file: the own figures of functions, in units of so many of
// its own.
func read(t *testing.T, folder, path string, scale float64) map[string]int64 {
	t.Helper()
	cmd := exec.Command("node", "testdata/speedscope.mjs", folder, path)
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, wrong.String())
	}
	sums := map[string]int64{}
	for line := range bytes.Lines(out) {
		var f struct {
			Frame string
			Self  float64
		}
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		name, _, _ := strings.Cut(f.Frame, " {") // arguments of an event of a Chrome trace
		if ns := int64(math.Round(f.Self * scale)); ns > 0 {
			sums[strings.ReplaceAll(name, "\t", " ")] += ns
		}
	}
	return sums
}

// TestSpeedscopeReads: speedscope's own importer finds the figures of reports in what is written for it, and in
// other formats that it opens.
func TestSpeedscopeReads(t *testing.T) {
	folder := testkit.Speedscope(t)
	for _, c := range []struct {
		recording, rng, format string
		scale                  float64 // nanoseconds, or counts, of its unit
	}{
		{"pstats/nested.pstats", "", "speedscope", 1},
		{"pstats/nested.pstats", "20:50", "speedscope", 1},
		{"pstats/nested.pstats", "", "chrome", 1000},
		{"chrometrace/engine-object.json.gz", "100ms:200ms", "speedscope", 1},
		{"gotrace/game-122.trace.gz", "", "speedscope", 1},
		{"profilelib/small-clean.prof", "", "chrome", 1000},
		{"spall/game-v3.spall", "", "folded", 1},
		{"puffin/pfd1.puffin", "", "speedscope", 1},
		{"perfetto/sdk-us.pftrace.gz", "", "speedscope", 1},
		{"cpuprofile/main.cpuprofile", "", "folded", 1},
		{"perfscript/game-events.txt.gz", "", "folded", 1},
		{"pprof/game-heap.pprof", "", "speedscope", 1},
		{"pprof/game-cpu.pprof", "", "folded", 1},
		{"folded/game-threads.folded", "", "speedscope", 1},
	} {
		t.Run(strings.Join([]string{c.recording, c.rng, c.format}, " "), func(t *testing.T) {
			f := testkit.Must(convert.FindFormat(c.format, ""))(t)
			p := converttest.Part(t, converttest.Open(t, c.recording), c.rng)
			want := own(t, p)
			_, path := converttest.Again(t, f, p)
			got := read(t, folder, path, c.scale)
			if c.format == "folded" {
				threads(p, got)
			}
			for _, name := range slices.Sorted(maps.Keys(want)) {
				if got[name] != want[name] {
					t.Errorf("%s: %d, not %d", name, got[name], want[name])
				}
				delete(got, name)
			}
			if len(got) > 0 || len(want) == 0 {
				t.Errorf("from nowhere: %v", got)
			}
		})
	}
}

// threads takes the threads away with which folded stacks begin, which have no time by themselves.
func threads(p *convert.Part, sums map[string]int64) {
	for _, id := range p.Tracks {
		delete(sums, "thread "+p.Session.Track(id).Title())
	}
}

// TestDuckDBReads: DuckDB adds the tables up to the figures of reports, as CSV and as Parquet, for each kind of
// session.
func TestDuckDBReads(t *testing.T) {
	python := testkit.Python(t, "duckdb", "duckdb")
	for _, name := range []string{
		"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "gotrace/game-122.trace.gz", "gsttrace/latency-tee-queues.log.gz",
		"profilelib/small-clean.prof", "perfetto/sdk-us.pftrace.gz", "spall/game-v3.spall", "cpuprofile/main.cpuprofile",
	} {
		p := converttest.Part(t, converttest.Open(t, name), "")
		var want strings.Builder
		sums := map[string][3]int64{}
		for _, id := range p.Tracks {
			if !p.Session.Track(id).Def.Kind.Calls() {
				continue
			}
			var tree paths.Tree
			p.Tree(spans.MeasureDuration, id, &tree)
			for k := range tree.Nodes {
				n := &tree.Nodes[k]
				key := p.Session.Track(id).Title() + "|" + p.Session.Collector(n.Collector).Title()
				s := sums[key]
				sums[key] = [3]int64{s[0] + n.Count, s[1] + n.Total, s[2] + n.Self}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(sums)) {
			fmt.Fprintln(&want, key, sums[key])
		}
		for _, id := range []string{"csv", "parquet"} {
			f, _ := convert.FindFormat(id, "")
			dir := t.TempDir()
			testkit.OK(t, f.Folder(t.Context(), p, dir))
			out, err := exec.Command(python, "testdata/sums.py", filepath.Join(dir, "spans"+f.Ext)).CombinedOutput()
			if err != nil {
				t.Fatalf("%s as %s: %v: %s", name, id, err, out)
			}
			for line := range strings.Lines(want.String()) {
				if !strings.Contains("\n"+string(out), "\n"+line) {
					t.Errorf("%s as %s: no %q in %.900s", name, id, line, out)
					break
				}
			}
		}
	}
}
