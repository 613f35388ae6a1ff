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
	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
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
