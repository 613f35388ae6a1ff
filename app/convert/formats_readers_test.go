package convert_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/internal/testkit"

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
		var tree spans.Tree
		p.Tree(m, id, &tree)
		for k := range tree.Nodes {
			if n := &tree.Nodes[k]; n.Self > 0 {
				sums[strings.ReplaceAll(p.Name(n.Collector), "\t", " ")] += n.Self
			}
		}
	}
	return sums
}

// read returns what speedscope's importer makes of files: the own figures of functions, by name.
func read(t *testing.T, folder string, files []string) []map[string]float64 {
	t.Helper()
	cmd := exec.Command("node", append([]string{"testdata/speedscope.mjs", folder}, files...)...)
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	out := testkit.Must(cmd.Output())(t, &wrong)
	sums := make([]map[string]float64, len(files))
	for i := range sums {
		sums[i] = map[string]float64{}
	}
	for line := range bytes.Lines(out) {
		var f struct {
			Number int
			Frame  string
			Self   float64
		}
		testkit.OK(t, json.Unmarshal(line, &f), string(line))
		name, _, _ := strings.Cut(f.Frame, " {") // arguments of an event of a Chrome trace
		sums[f.Number][strings.ReplaceAll(name, "\t", " ")] += f.Self
	}
	return sums
}

// TestSpeedscopeReads: speedscope's own importer finds the figures of reports in what is written for it, and in
// other formats that it opens.
func TestSpeedscopeReads(t *testing.T) {
	folder := testkit.Speedscope(t)
	cases := []struct {
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
	}
	var files []string
	var parts []*convert.Part
	for _, c := range cases {
		p := part(t, c.recording, c.rng)
		_, path := converttest.Again(t, testkit.Must(convert.FindFormat(c.format, ""))(t), p)
		files, parts = append(files, path), append(parts, p)
	}
	for i, got := range read(t, folder, files) {
		c := &cases[i]
		want := own(t, parts[i])
		if c.format == "folded" {
			threads(parts[i], got)
		}
		for name, v := range got {
			if ns := int64(math.Round(v * c.scale)); ns != want[name] {
				t.Errorf("%v: %s: %d, not %d", *c, name, ns, want[name])
			}
			delete(want, name)
		}
		if len(want) > 0 || len(got) == 0 {
			t.Errorf("%v: missing: %v", *c, want)
		}
	}
}

// threads takes the threads away with which folded stacks begin, which have no time by themselves.
func threads(p *convert.Part, sums map[string]float64) {
	for _, id := range p.Tracks {
		delete(sums, "thread "+p.Session.Track(id).Title())
	}
}

// TestDuckDBReads: DuckDB adds the tables up to the figures of reports, as CSV and as Parquet, for each kind of
// session.
func TestDuckDBReads(t *testing.T) {
	python := testkit.Python(t, "duckdb", "duckdb")
	var want, files []string
	for _, name := range []string{
		"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "gotrace/game-122.trace.gz", "gsttrace/latency-tee-queues.log.gz",
		"profilelib/small-clean.prof", "perfetto/sdk-us.pftrace.gz", "spall/game-v3.spall", "cpuprofile/main.cpuprofile",
	} {
		p := part(t, name, "")
		sums := map[string][3]int64{}
		for _, id := range p.Tracks {
			if !p.Session.Track(id).Def.Kind.Calls() {
				continue
			}
			var tree spans.Tree
			p.Tree(spans.MeasureDuration, id, &tree)
			for k := range tree.Nodes {
				n := &tree.Nodes[k]
				key := p.Session.Track(id).Title() + "|" + p.Session.Collector(n.Collector).Title()
				s := sums[key]
				sums[key] = [3]int64{s[0] + n.Count, s[1] + n.Total, s[2] + n.Self}
			}
		}
		for _, f := range []*convert.Format{&convert.CSVFormat, &convert.ParquetFormat} {
			dir := t.TempDir()
			testkit.OK(t, f.Folder(t.Context(), p, dir))
			for key, s := range sums {
				want = append(want, fmt.Sprintln(len(files), key, s))
			}
			files = append(files, filepath.Join(dir, "spans"+f.Ext))
		}
	}
	out, err := exec.Command(python, append([]string{"testdata/sums.py"}, files...)...).CombinedOutput()
	testkit.OK(t, err, string(out))
	for _, line := range want {
		if !strings.Contains("\n"+string(out), "\n"+line) {
			t.Errorf("%q: no %q", files, line)
		}
	}
}
