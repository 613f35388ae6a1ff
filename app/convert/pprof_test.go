package convert_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"framescope/app/convert"
	"framescope/charts/subject"
	"framescope/internal/testkit"
	"framescope/model"

	"framescope/model/spans"
)

// pprofRecordings are of every kind that has call paths.
var pprofRecordings = []string{
	"pstats/nested.pstats", "pstats/recursion.pstats", "chrometrace/engine-object.json.gz", "cpuprofile/main.cpuprofile",
	"pprof/game-heap.pprof", "pprof/game-cpu.pprof", "folded/game-threads.folded", "spall/game-v3.spall",
	"gotrace/game-122.trace.gz", "perfscript/game-dwarf-inline.txt.gz", "speedscope/game-threads.speedscope.json",
}

// pprofSums returns the own figures of the call paths of a part in each measure, by names, without those of
// spans that are no calls. Time becomes one of the weights of what has no times.
func pprofSums(p *convert.Part) map[string][]string {
	all := map[string][]string{}
	for _, m := range p.Session.Spans().Measures(p.Tracks, nil) {
		name := subject.MeasureName(p.Session, m)
		switch m {
		case spans.MeasureDuration:
			name = "time"
		case spans.MeasureCPU:
			name = "cpu"
		case spans.MeasureSamples:
			name = "samples"
		}
		var out []string
		for _, id := range p.Tracks {
			if t := p.Session.Track(id); t.Def.Kind.Calls() {
				for _, line := range sumsOf(p, m, id, func(c model.CollectorID) string {
					return strings.ReplaceAll(p.Session.Collector(c).Title(), "\t", "\ufffd") // as it is shown
				}) {
					out = append(out, t.Title()+" "+line)
				}
			}
		}
		slices.Sort(out)
		all[name] = out
	}
	return all
}

// What is written comes back with the same figures by thread and call path, in every measure.
func TestPprofRoundTrip(t *testing.T) {
	for _, name := range pprofRecordings {
		t.Run(name, func(t *testing.T) {
			p := part(t, name, "")
			again, _ := reopened(t, &convert.PprofFormat, p)
			want, got := pprofSums(p), pprofSums(testPart(t, again, ""))
			any := false
			for m, list := range want {
				any = any || len(list) > 0
				testkit.That(t, slices.Equal(got[m], list),
					"%s: %d call paths instead of %d: %.600q instead of %.600q", m, len(got[m]), len(list), got[m], list)
			}
			testkit.That(t, any, "nothing to compare")
		})
	}
}

// top is a line of pprof's list: flat, flat%, sum%, cum, cum%, name.
var top = regexp.MustCompile(`(?m)^ *(\d+)(?:ns|B)? +\S+ +\S+ +(\d+)(?:ns|B)? +\S+ +(.+)$`)

// Go's pprof shows the own figures and totals that reports and tables have, also of a range.
func TestGoTool(t *testing.T) {
	exec.Command("go", "tool", "pprof", "-h").Run() // builds it, where it is not
	out, err := exec.Command("go", "tool", "-n", "pprof").Output()
	if err != nil {
		t.Skipf("there is no go tool pprof: %v: %.200s", err, out)
	}
	pprof := strings.TrimSpace(string(out))
	for name, text := range map[string]string{
		"pstats/nested.pstats": "10:20", "pstats/recursion.pstats": "", "pprof/game-heap.pprof": "",
		"chrometrace/engine-object.json.gz": "100ms:200ms", "perfscript/game-dwarf-inline.txt.gz": "",
	} {
		t.Run(name, func(t *testing.T) {
			p := part(t, name, text)
			_, path := reopened(t, &convert.PprofFormat, p)
			for _, m := range p.Session.Spans().Measures(p.Tracks, nil) {
				testTop(t, p, m, pprof, path)
			}
		})
	}
}

func testTop(t *testing.T, p *convert.Part, m spans.Measure, pprof, path string) {
	t.Helper()
	data := testkit.Must(os.ReadFile(path))(t)
	prof := testkit.Must(profile.ParseData(data))(t)
	index := slices.Index(p.Session.Spans().Measures(p.Tracks, nil), m)
	args := []string{"-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0", "-sample_index=" + strconv.Itoa(index)}
	switch prof.SampleType[index].Unit {
	case "nanoseconds":
		args = append(args, "-unit=ns")
	case "bytes":
		args = append(args, "-unit=B")
	}
	cmd := exec.Command(pprof, append(args, path)...)
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir(), "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	testkit.MustThat(t, err == nil, "%v: %s", err, out)
	type figures struct{ flat, cum int64 }
	got, want := map[string]figures{}, map[string]figures{}
	for _, line := range top.FindAllStringSubmatch(string(out), -1) {
		flat, _ := strconv.ParseInt(line[1], 10, 64)
		cum, _ := strconv.ParseInt(line[2], 10, 64)
		got[line[3]] = figures{flat, cum}
	}
	names := map[string]int{}
	for _, id := range p.Tracks {
		if !p.Session.Track(id).Def.Kind.Calls() {
			continue
		}
		var tree spans.Tree
		p.Tree(m, id, &tree)
		for _, x := range tree.Inside(nil) {
			f, title := want[p.Session.Collector(x.Collector).Title()], p.Session.Collector(x.Collector).Title()
			want[title] = figures{f.flat + x.Self, f.cum + x.Total}
			names[title]++
		}
	}
	compared := 0
	for name, w := range want {
		if w == (figures{}) || strings.Contains(name, "(inline)") {
			continue
		}
		compared++
		testkit.Equal(t, got[name], w, "measure %d: %s", m, name)
	}
	testkit.That(t, compared != 0, "nothing to compare in %s", out)
}
