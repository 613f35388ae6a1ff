package convert_test

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"pgregory.net/rapid"

	"framescope/app/convert"
	"framescope/app/load"
	"framescope/charts/subject"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
)

// The material of random sessions: messages have names that formats might mistake for something else,
// spans have no names of frames.
var (
	spanNames    = []string{"Update", "Draw", "say \"hi\"\\", "ü;1", "Update", "wait\x01\n"}
	messageTexts = []string{"loaded", "frame 7", "Frame", "thread frame 3", "frames", "late, \"very\"", "ö\t\x7f"}
)

// randomSession makes a session of up to four threads in up to two processes, each with spans inside each other, and with
// frames that may leave gaps, miss numbers, or be those of another thread; and of messages, counters and flows.
func randomSession(t *rapid.T) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{
		Program: "game", PID: 7, Version: "made up", Detail: rapid.SampledFrom([]string{"", "it began at 2026-01-02"}).Draw(t, "detail"),
		Clock: model.Clock{StepNs: rapid.Int64Range(0, 1000).Draw(t, "step"), Float32Seconds: rapid.Bool().Draw(t, "floats")},
	})
	n := len(spanNames)
	s.Apply(model.CollectorDef{ID: model.CollectorID(n + 1), Name: "src"})
	s.Apply(model.CollectorDef{ID: model.CollectorID(n + 2), Name: "a:b.c", Parent: model.CollectorID(n + 1)})
	for i, name := range spanNames {
		in := 0 // nothing, a group, or another
		switch {
		case slices.Contains(spanNames[:i], name): // formats distinguish those by their parents
			in = rapid.SampledFrom([]int{n + 1, n + 2, i}).Draw(t, "in")
		case i > 0:
			in = rapid.SampledFrom([]int{0, 0, n + 1, n + 2, i}).Draw(t, "in")
		}
		s.Apply(model.CollectorDef{ID: model.CollectorID(i + 1), Name: name, Parent: model.CollectorID(in)})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i + 1)})
	}
	for i := range n * n {
		s.Apply(model.PathDef{ID: model.PathID(n + 1 + i), Parent: model.PathID(i/n + 1), Collector: model.CollectorID(i%n + 1)})
	}
	processes := rapid.SampledFrom([][]string{{""}, {"game", "editor"}, {"editor", ""}}).Draw(t, "processes")
	var others [][]model.Batch // frames of the threads before
	for i := range rapid.IntRange(1, 4).Draw(t, "threads") {
		s.Apply(model.TrackDef{
			ID: model.TrackID(i), Name: fmt.Sprint("T", i), Index: i + 1, Object: model.NoObject, Peer: model.NoObject,
			Process: rapid.SampledFrom(processes).Draw(t, "process"), Skips: rapid.IntRange(0, 3).Draw(t, "skips") == 0,
		})
		list := randomFrames(t)
		if len(others) > 0 && rapid.Bool().Draw(t, "alike") { // all or some frames of another thread
			list = rapid.SampledFrom(others).Draw(t, "frames of")
			list = list[rapid.IntRange(0, len(list)).Draw(t, "from"):]
		}
		others = append(others, list)
		thread{t, s, model.TrackID(i), n}.append(list)
	}
	randomTasks(t, s, processes)
	randomSeries(t, s)
	randomFlows(t, s)
	return s
}

// randomTasks makes up to two asynchronous tracks, with names unique in the process: their spans
// overlap.
func randomTasks(t *rapid.T, s *store.Session, processes []string) {
	for i := range rapid.IntRange(0, 2).Draw(t, "tasks") {
		id := model.TrackID(s.NumTracks())
		s.Apply(model.TrackDef{
			ID: id, Name: fmt.Sprint("Loads ", i), Kind: model.TrackAsync, Object: model.NoObject, Peer: model.NoObject,
			Process: rapid.SampledFrom(processes).Draw(t, "process"),
		})
		b, at := model.Batch{Track: id}, int64(0)
		for lane := range uint16(rapid.IntRange(0, 3).Draw(t, "under way")) {
			at += rapid.Int64Range(1, 300_000).Draw(t, "begin")
			path := model.PathID(rapid.IntRange(1, len(spanNames)).Draw(t, "path"))
			b.Spans = append(b.Spans, model.Span{
				Begin: at, End: at + rapid.Int64Range(400_000, 900_000).Draw(t, "ns"), Path: path, Lane: lane,
				Flags: rapid.SampledFrom([]model.SpanFlags{0, model.SpanOpenBegin, model.SpanOpenEnd}).Draw(t, "open"),
			})
		}
		randomArgs(t, &b)
		s.Append(&b)
	}
}

// randomSeries makes series of all kinds, of threads, of processes by their names, and without an
// owner.
func randomSeries(t *rapid.T, s *store.Session) {
	for i := range model.SeriesID(rapid.IntRange(0, 4).Draw(t, "series")) {
		def := model.SeriesDef{
			ID: i, Name: rapid.SampledFrom([]string{"", "used", "game used", "editor", "a: \"b\"\n"}).Draw(t, "name"),
			Group: rapid.SampledFrom([]string{"memory", "load", "ü"}).Draw(t, "group"),
			Unit:  rapid.SampledFrom([]string{"", "ns", "B", "%", "°C"}).Draw(t, "unit"),
			Kind:  model.SeriesKind(rapid.IntRange(0, int(model.SeriesEvent)).Draw(t, "kind")),
			Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject,
		}
		if rapid.Bool().Draw(t, "of a track") {
			def.Track = model.TrackID(rapid.IntRange(0, s.NumTracks()-1).Draw(t, "track"))
		}
		value := func() float64 { return float64(rapid.IntRange(-1e6, 1e6).Draw(t, "value")) / 8 }
		if def.Kind == model.SeriesState {
			def.States = []string{"off", "on", "\x01"}
			value = func() float64 { return float64(rapid.IntRange(0, 2).Draw(t, "state")) }
		}
		s.Apply(def)
		b := model.Batch{Track: model.NoTrack}
		for at := range int64(rapid.IntRange(1, 5).Draw(t, "samples")) {
			v := value()
			if at > 0 && rapid.IntRange(0, 3).Draw(t, "gap") == 0 {
				v = math.NaN() // no value from here on
			}
			b.Samples = append(b.Samples, model.Sample{Series: i, Time: 100 + at*1_234_567, Value: v})
		}
		s.Append(&b)
	}
}

// randomArgs gives some spans of a batch arguments, of names that are other things elsewhere.
func randomArgs(t *rapid.T, b *model.Batch) {
	for i := range b.Spans {
		for range rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "arguments") {
			b.Args = append(b.Args, model.Arg{
				Span: int32(i), Key: rapid.SampledFrom([]string{"n", "a.b[0]", "message", "frame_ns", "ü \"\x01"}).Draw(t, "key"),
				Value: rapid.SampledFrom([]model.ArgValue{
					model.IntArg(math.MinInt64), model.IntArg(7), model.FloatArg(1e300), model.FloatArg(-0.1), model.TextArg(""),
					model.TextArg("null"), model.TextArg("[1,\"\\\n"),
				}).Draw(t, "value"),
			})
		}
	}
}

// randomFrames makes frames without content.
func randomFrames(t *rapid.T) (list []model.Batch) {
	at, number := rapid.Int64Range(0, 1e6).Draw(t, "first"), rapid.Int64Range(0, 5).Draw(t, "number")
	for range rapid.IntRange(0, 8).Draw(t, "frames") {
		end := at + rapid.Int64Range(1, 2_000_000).Draw(t, "length")
		list = append(list, model.Batch{HasFrame: true, Number: number, Begin: at, End: end})
		number += rapid.SampledFrom([]int64{1, 1, 1, 2, 40}).Draw(t, "step")
		at = end + rapid.SampledFrom([]int64{0, 0, 0, 1, 300_000}).Draw(t, "gap")
	}
	return list
}

// thread makes the content of a random thread.
type thread struct {
	t     *rapid.T
	s     *store.Session
	id    model.TrackID
	names int
}

// append appends frames with random spans and messages.
func (x thread) append(list []model.Batch) {
	spans := x.spans()
	take := func(b *model.Batch, before int64) bool {
		for len(spans) > 0 && spans[0].Begin < before {
			b.Spans, spans = append(b.Spans, spans[0]), spans[1:]
		}
		return len(b.Spans) > 0
	}
	loose := func(before int64) {
		if b := (model.Batch{Track: x.id}); take(&b, before) {
			randomArgs(x.t, &b)
			x.s.Append(&b)
		}
	}
	for _, b := range list {
		loose(b.Begin)
		b.Track = x.id
		take(&b, b.End)
		randomArgs(x.t, &b)
		x.s.Append(&b)
	}
	loose(math.MaxInt64)
	b := model.Batch{Track: x.id}
	for at := range int64(rapid.IntRange(0, 3).Draw(x.t, "messages")) {
		b.Messages = append(b.Messages, model.Message{
			Time: at * 777_777, Text: rapid.SampledFrom(messageTexts).Draw(x.t, "text"), Severity: model.SeverityInfo,
		})
	}
	x.s.Append(&b)
}

// spans makes calls, and calls in them.
func (x thread) spans() (out []model.Span) {
	at := rapid.Int64Range(0, 2e6).Draw(x.t, "begin")
	for range rapid.IntRange(0, 12).Draw(x.t, "spans") {
		path := rapid.IntRange(1, x.names).Draw(x.t, "path")
		end := at + rapid.Int64Range(1, 1_500_000).Draw(x.t, "ns")
		out = append(out, model.Span{Begin: at, End: end, Path: model.PathID(path)})
		for in := at; in < end && rapid.Bool().Draw(x.t, "calls"); {
			to := rapid.Int64Range(in, end).Draw(x.t, "to")
			callee := x.names + 1 + (path-1)*x.names + rapid.IntRange(0, x.names-1).Draw(x.t, "callee")
			out = append(out, model.Span{Begin: in, End: to, Path: model.PathID(callee), Lane: 1})
			in = to
		}
		at = end + rapid.SampledFrom([]int64{0, 0, 1, 300_000}).Draw(x.t, "pause")
	}
	return out
}

// randomFlows makes arrows between spans: from any moment of the one to any of a later one, some of them in chains.
func randomFlows(t *rapid.T, s *store.Session) {
	p, err := convert.Of(s, place.TimeRange{}, nil)
	if err != nil {
		return // there is nothing
	}
	var all []convert.Span
	for _, id := range p.Tracks {
		if s.Track(id).Def.Kind.Calls() {
			p.Spans(id, func(x *convert.Span) error { all = append(all, *x); return nil })
		}
	}
	type place struct {
		track model.TrackID
		begin int64
	}
	begins := map[place]int{} // a row and a time do not identify spans that begin together
	for i := range all {
		begins[place{all[i].Ref.Track, all[i].Begin}]++
	}
	all = slices.DeleteFunc(all, func(x convert.Span) bool { return begins[place{x.Ref.Track, x.Begin}] > 1 || x.End < x.Begin+3 })
	if len(all) < 2 {
		return
	}
	slices.SortStableFunc(all, func(a, b convert.Span) int { return int(a.Begin - b.Begin) })
	for i, name := range []string{"wakes", "ü: \"x\""} {
		s.Apply(model.FlowDef{ID: model.FlowID(i), Name: name})
	}
	for chain := range uint32(rapid.IntRange(0, 3).Draw(t, "chains")) {
		within := func(x *convert.Span) int64 { return rapid.Int64Range(x.Begin+1, x.End-2).Draw(t, "at") }
		at := rapid.IntRange(0, len(all)-2).Draw(t, "span")
		name, from := model.FlowID(rapid.IntRange(0, 1).Draw(t, "flow")), within(&all[at])
		for at < len(all)-1 && rapid.IntRange(0, 3).Draw(t, "on") > 0 {
			next := rapid.IntRange(at+1, len(all)-1).Draw(t, "to")
			to := max(within(&all[next]), from)
			if all[next].Begin == all[at].Begin || to > all[next].End-2 {
				break // not all formats say which is the first
			}
			f := model.Flow{
				From: from, To: to, FromTrack: all[at].Ref.Track, Name: name, Chain: chain + 1,
				FromLane: all[at].Lane, ToLane: all[next].Lane,
			}
			s.Append(&model.Batch{Track: all[next].Ref.Track, Flows: []model.Flow{f}})
			at, from = next, f.To
		}
	}
}

// opened reads a recording of the tree's testdata.
func opened(t testing.TB, name string) *store.Session {
	t.Helper()
	rec := testkit.Must(load.File(t.Context(), filepath.Join("../../testdata", name), load.Options{}))(t)
	return rec.Session
}

// testPart is a range of a session, all of it where the text is empty.
func testPart(t testing.TB, s *store.Session, text string) *convert.Part {
	t.Helper()
	r := testkit.Must(place.ParseRange(text))(t)
	p := testkit.Must(convert.Of(s, r, nil))(t)
	return p
}

// reopened writes a part and reads the file.
func reopened(t testing.TB, f *convert.Format, p *convert.Part) (s *store.Session, path string) {
	t.Helper()
	testkit.OK(t, f.Check(p))
	path = filepath.Join(t.TempDir(), "again"+f.Ext)
	file := testkit.Must(os.Create(path))(t)
	testkit.OK(t, f.Give(t.Context(), p, file))
	testkit.OK(t, file.Close())
	rec := testkit.Must(load.File(t.Context(), path, load.Options{}))(t)
	return rec.Session, path
}

// complainer is a test of any kind.
type complainer interface {
	Helper()
	Errorf(format string, args ...any)
}

// A folder of tables has none without a row, of whatever is written: all of a recording, the middle of it, a thread.
func TestNoEmptyTables(t *testing.T) {
	written := 0
	for _, name := range []string{
		"gotrace/game-122.trace.gz", "gsttrace/latency-tee-queues.log.gz", "cpuprofile/main.cpuprofile", "pprof/game-heap.pprof",
		"frametimes/presentmon-v1-case5.csv.gz", "perfetto/sdk-us.pftrace.gz", "pstats/levels.pstats", "profilelib/small-clean.prof",
	} {
		s := opened(t, name)
		begin, end, _ := s.Bounds()
		parts := []*convert.Part{convert.Between(s, begin+(end-begin)/3, begin+(end-begin)*2/3), convert.Between(s, begin, begin+1)}
		for id := range s.NumTracks() {
			p := testPart(t, s, "")
			p.Tracks, p.Some = p.Tracks[id:id+1], true
			parts = append(parts, p)
		}
		for _, p := range parts {
			dir := t.TempDir()
			testkit.OK(t, convert.CSVFormat.Folder(t.Context(), p, dir))
			fs.WalkDir(os.DirFS(dir), ".", func(path string, e fs.DirEntry, err error) error {
				text, _ := os.ReadFile(filepath.Join(dir, path))
				if written++; err == nil && !e.IsDir() && strings.Count(string(text), "\n") < 2 {
					t.Errorf("%s, tracks %v from %d: %s is empty", name, p.Tracks, p.Begin, path)
				}
				return err
			})
		}
	}
	testkit.That(t, written >= 100, "only %d files", written)
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
func TestRealGoTool(t *testing.T) {
	testkit.Program(t, "go")
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
