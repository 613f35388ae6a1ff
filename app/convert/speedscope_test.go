package convert_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/app/convert"
	"framescope/app/convert/converttest"
	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/store"
)

// timed are recordings of each kind that has times.
var timed = []string{
	"pstats/nested.pstats", "pstats/recursion.pstats", "profilelib/exhausted.prof", "chrometrace/engine-object.json.gz",
	"gotrace/game-122.trace.gz", "perfetto/sdk-us.pftrace.gz", "cpuprofile/main.cpuprofile",
	"speedscope/game-threads.speedscope.json", "speedscope/game-evented.speedscope.json", "perfscript/game-events.txt.gz",
	"puffin/pfd1.puffin", "spall/game-v3.spall",
}

// speedscopeSums are recordings without times.
var speedscopeSums = []string{"pprof/game-heap.pprof", "pprof/game-cpu.pprof", "folded/game-threads.folded"}

// fits tells of a file that it is not what speedscope says that its files are.
func fits(t *testing.T, path string) {
	t.Helper()
	schema := testkit.Must(jsonschema.NewCompiler().Compile("testdata/file-format-schema.json"))(t)
	text := testkit.Must(os.ReadFile(path))(t)
	doc := testkit.Must(jsonschema.UnmarshalJSON(bytes.NewReader(text)))(t)
	if err := schema.Validate(doc); err != nil {
		t.Error(err)
	}
}

// What is written comes back with the same threads and spans, and is what speedscope calls its format.
func TestSpeedscopeRoundTrip(t *testing.T) {
	for _, name := range timed {
		t.Run(name, func(t *testing.T) {
			p := converttest.Part(t, converttest.Open(t, name), "")
			want := converttest.Of(p)
			s, path := converttest.Again(t, &convert.SpeedscopeFormat, p)
			fits(t, path)
			got := converttest.Of(converttest.Part(t, s, ""))
			converttest.Differ(t, want.Calls(), got.Calls())
		})
	}
}

// Samples come back as samples.
func TestSamples(t *testing.T) {
	for _, name := range []string{"cpuprofile/main.cpuprofile", "perfscript/game-events.txt.gz", "speedscope/game-threads.speedscope.json"} {
		p := converttest.Part(t, converttest.Open(t, name), "")
		s, _ := converttest.Again(t, &convert.SpeedscopeFormat, p)
		want, got := stacks(p), stacks(converttest.Part(t, s, ""))
		if !slices.Equal(want, got) {
			t.Errorf("%s: %d samples instead of %d", name, len(got), len(want))
		}
	}
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

// What was sampled comes back with the samples and runs that it has, and where nobody sampled with none.
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
			again, _ := converttest.Again(t, &convert.SpeedscopeFormat, converttest.Part(t, rec.Session, ""))
			if got := sampledOf(again); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
	if seen < 6 {
		t.Errorf("%d recordings were sampled", seen)
	}
}

// sampledOf is how many samples and runs each thread has.
func sampledOf(s *store.Session) (out []string) {
	for id := range model.TrackID(s.NumTracks()) {
		if stack := s.Spans().Stack(id); stack != nil && stack.Len() > 0 && s.Track(id).Def.Kind.Calls() {
			out = append(out, fmt.Sprint(s.Track(id).Title(), ": ", stack.Len(), " samples, ", s.Track(id).NumSpans(), " runs"))
		}
	}
	slices.Sort(out)
	return out
}

// Sums without times come back with what each call path had by itself.
func TestSums(t *testing.T) {
	for _, name := range speedscopeSums {
		p := converttest.Part(t, converttest.Open(t, name), "")
		s, path := converttest.Again(t, &convert.SpeedscopeFormat, p)
		fits(t, path)
		want, got := speedscopeOwn(t, p), speedscopeOwn(t, converttest.Part(t, s, ""))
		if len(want) == 0 || !slices.Equal(want, got) {
			t.Errorf("%s: %d call paths instead of %d: %.300q instead of %.300q", name, len(got), len(want), got, want)
		}
	}
}

// speedscopeOwn returns the own sums of all call paths.
func speedscopeOwn(t *testing.T, p *convert.Part) (out []string) {
	m := testkit.Must(p.Measure())(t)
	for _, id := range p.Tracks {
		var tree paths.Tree
		p.Tree(m, id, &tree)
		var way []string
		for k := range tree.Nodes {
			n := &tree.Nodes[k]
			if way = append(way[:n.Depth], p.Name(n.Collector)); n.Self > 0 {
				out = append(out, fmt.Sprintf("%q %d", way, n.Self))
			}
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
	testkit.OK(t, convert.SpeedscopeFormat.Write(t.Context(), converttest.Part(t, s, ""), &out))
	const want = `{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"Framescope","session_zero":-1152921504606846976,"name":"session","profiles":[
{"type":"evented","name":"Main","unit":"nanoseconds","events":[
{"type":"O","frame":0,"at":0},
{"type":"C","frame":0,"at":10}],"startValue":0,"endValue":10},
{"type":"evented","name":"Main (overlapping 1)","unit":"nanoseconds","events":[
{"type":"O","frame":0,"at":5},
{"type":"C","frame":0,"at":15}],"startValue":0,"endValue":15}],"shared":{"frames":[
{"name":"a \"b\""}
]},"activeProfileIndex":0}
`
	if out.String() != want {
		t.Error(out.String())
	}
}

func BenchmarkSpeedscopeWrite(b *testing.B) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Object: model.NoObject, Peer: model.NoObject})
	for i, name := range []string{"Update", "Draw"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Parent: model.PathID(i), Collector: model.CollectorID(i + 1)})
	}
	list := make([]model.Span, 0, 1<<20)
	for i := range int64(cap(list) / 2) {
		list = append(list, model.Span{Begin: i * 20_011, End: i*20_011 + 15_003, Path: 1})
		list = append(list, model.Span{Begin: i*20_011 + 1000, End: i*20_011 + 9_517, Path: 2, Lane: 1})
	}
	s.Append(&model.Batch{Spans: list})
	p := converttest.Part(b, s, "")
	for b.Loop() {
		var out bytes.Buffer
		testkit.OK(b, convert.SpeedscopeFormat.Write(b.Context(), p, &out))
		b.SetBytes(int64(out.Len()))
	}
	b.ReportMetric(float64(len(list))*float64(b.N)/b.Elapsed().Seconds(), "spans/s")
}
