package convert_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/charts/subject"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// speedscopeSchema is what speedscope says that its files are.
var speedscopeSchema = jsonschema.NewCompiler().MustCompile("testdata/file-format-schema.json")

func fits(t *testing.T, path string) {
	t.Helper()
	text := testkit.Must(os.ReadFile(path))(t)
	doc := testkit.Must(jsonschema.UnmarshalJSON(bytes.NewReader(text)))(t)
	testkit.OK(t, speedscopeSchema.Validate(doc))
}

// stacks returns the samples of a part that found something, each as its thread and the names of its
// frames.
func stacks(p *convert.Part) (out []string) {
	for _, id := range p.Tracks {
		stack := p.Session.Spans().Stack(id)
		if stack == nil {
			continue
		}
		p.Samples(stack, func(s model.Sample) error {
			text := ""
			for path := model.PathID(s.Value); path != model.PathRoot; {
				up, c := p.Session.Path(path)
				text += ";" + p.Name(c)
				path = up
			}
			if text != "" {
				out = append(out, p.Session.Track(id).Title()+text)
			}
			return nil
		})
	}
	slices.Sort(out)
	return out
}

// What was sampled comes back: the samples with a stack, and the runs that they are shown as.
func TestSamplesComeBack(t *testing.T) {
	seen := 0
	for _, folder := range []string{"perfscript", "cpuprofile", "speedscope", "firefox", "flare"} {
		files, err := os.ReadDir(filepath.Join(recordings.Root(t), "testdata", folder))
		if err != nil {
			continue
		}
		for _, f := range files {
			name := folder + "/" + f.Name()
			rec, err := load.File(t.Context(), filepath.Join(recordings.Root(t), "testdata", name), load.Options{})
			if err != nil || rec.Session.Info().Sampling.Timeless {
				continue
			}
			want := sampledOf(rec.Session)
			if len(want) == 0 {
				continue
			}
			seen++
			p := testPart(t, rec.Session, "")
			again, _ := reopened(t, &convert.SpeedscopeFormat, p)
			testkit.EqualSlices(t, sampledOf(again), want, "%s", name)
			a, b := stacks(p), stacks(testPart(t, again, ""))
			testkit.That(t, slices.Equal(a, b), "%s: %d samples instead of %d", name, len(b), len(a))
		}
	}
	testkit.That(t, seen >= 6, "%d recordings were sampled", seen)
}

// sampledOf is how many runs of samples each thread has.
func sampledOf(s *store.Session) (out []string) {
	for id := range model.TrackID(s.NumTracks()) {
		if stack := s.Spans().Stack(id); stack != nil && stack.Len() > 0 && s.Track(id).Def.Kind.Calls() {
			out = append(out, fmt.Sprint(s.Track(id).Title(), ": ", s.Track(id).NumSpans(), " runs"))
		}
	}
	slices.Sort(out)
	return out
}

// What overlaps is beside, in a profile of its own, and the times are those of the part.
func TestOverlap(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Object: model.NoObject, Peer: model.NoObject})
	s.Apply(model.CollectorDef{ID: 1, Name: "a \"b\""})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Append(&model.Batch{Spans: []model.Span{{Begin: 1 << 60, End: 1<<60 + 10, Path: 1}, {Begin: 1<<60 + 5, End: 1<<60 + 15, Path: 1, Lane: 1}}})
	var out bytes.Buffer
	testkit.OK(t, convert.SpeedscopeFormat.Write(t.Context(), testPart(t, s, ""), &out))
	const want = `{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"Framescope","name":"session","profiles":[
{"type":"evented","name":"Main","unit":"nanoseconds","events":[
{"type":"O","frame":0,"at":0},
{"type":"C","frame":0,"at":10}],"startValue":0,"endValue":10},
{"type":"evented","name":"Main (overlapping 1)","unit":"nanoseconds","events":[
{"type":"O","frame":0,"at":5},
{"type":"C","frame":0,"at":15}],"startValue":0,"endValue":15}],"shared":{"frames":[
{"name":"a \"b\""}
]},"activeProfileIndex":0}
`
	testkit.That(t, out.String() == want, "%v", out.String())
}

// part is a range of a recording, all of it where the text is empty.
func part(t *testing.T, name, text string) *convert.Part {
	t.Helper()
	return testPart(t, opened(t, name), text)
}

// sums returns the own figures of all call paths of a part in a measure, by what stands in a line: names from the
// outermost on.
func sums(p *convert.Part, m spans.Measure) (out []string) {
	for _, id := range p.Tracks {
		out = append(out, sumsOf(p, m, id, func(c model.CollectorID) string {
			return strings.ReplaceAll(p.Name(c), "\t", " ") // a control character
		})...)
	}
	slices.Sort(out)
	return out
}

// sumsOf returns the own figures of the call paths of a thread in a measure.
func sumsOf(p *convert.Part, m spans.Measure, id model.TrackID, name func(c model.CollectorID) string) (out []string) {
	var tree spans.Tree
	p.Tree(m, id, &tree)
	var names []string
	for k := range tree.Nodes {
		n := &tree.Nodes[k]
		if names = append(names[:n.Depth], name(n.Collector)); n.Self > 0 {
			out = append(out, fmt.Sprintf("%q %d", names, n.Self))
		}
	}
	return out
}

// What is written comes back with the same figures by call path.
func TestFoldedRoundTrip(t *testing.T) {
	for _, name := range []string{
		"pstats/nested.pstats", "chrometrace/engine-object.json.gz", "cpuprofile/main.cpuprofile",
		"pprof/game-heap.pprof", "folded/game-threads.folded", "spall/game-v3.spall",
	} {
		t.Run(name, func(t *testing.T) {
			p := part(t, name, "")
			s := p.Session
			calls := p.Tracks[:0:0]
			for _, id := range p.Tracks {
				if s.Track(id).Def.Kind.Calls() {
					calls = append(calls, id)
				}
			}
			p.Tracks = calls[:1] // one thread: no root is written
			read, _ := reopened(t, &convert.FoldedFormat, p)
			again := testPart(t, read, "")
			was, _ := p.Measure()
			m, _ := again.Measure()
			if samples := was == spans.MeasureSamples; samples != (m == spans.MeasureSamples) || p.MeasureUnit(was) != again.MeasureUnit(m) {
				t.Errorf("measure %d in %q of what came back, of %d in %q", m, again.MeasureUnit(m), was, p.MeasureUnit(was))
			}
			if want, got := sums(p, was), sums(again, m); !slices.Equal(got, want) {
				t.Errorf("%d call paths instead of %d: %.600q instead of %.600q", len(got), len(want), got, want)
			}
		})
	}
}

// What was read of folded stacks is written as it was: threads become no functions on the way.
func TestAgain(t *testing.T) {
	s := opened(t, "spall/game-v3.spall")
	var texts []string
	for range 3 {
		var out strings.Builder
		testkit.OK(t, convert.FoldedFormat.Give(t.Context(), testPart(t, s, ""), &out))
		lines := strings.Split(out.String(), "\n")
		slices.Sort(lines)
		texts = append(texts, strings.Join(lines, "\n"))
		s, _ = reopened(t, &convert.FoldedFormat, testPart(t, s, ""))
	}
	testkit.That(t, texts[0] == texts[1] && texts[1] == texts[2] && strings.Contains(texts[0], "thread ("),
		"%.300s\nthen\n%.300s\nthen\n%.300s", texts[0], texts[1], texts[2])
}

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
