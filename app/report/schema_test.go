package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/app/load"
	"framescope/internal/docs"
	"framescope/internal/escape"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/find"
	"framescope/model/measure"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/gsttrace"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

type object = docs.Object

// schema is the schema of all that `report --json` prints.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	defs := object{}
	stats, found := docs.Of(reflect.TypeFor[summary](), defs), docs.Of(reflect.TypeFor[foundSummary](), defs)
	trace := docs.Of(reflect.TypeFor[gsttrace.Summary](), defs)
	docs.Described(t, defs)
	text := object{"type": "string"}
	one := object{"oneOf": []any{stats, found, trace}}
	defs["one"] = one
	defs["element"] = object{"type": "object", "required": []string{"file"}, "properties": object{
		"file": text, "report": object{"$ref": "#/$defs/one"}, "error": text,
	}, "additionalProperties": false, "oneOf": []any{object{"required": []string{"report"}}, object{"required": []string{"error"}}}}
	shape := object{"anyOf": []any{
		object{"$ref": "#/$defs/one"}, object{"type": "array", "items": object{"$ref": "#/$defs/element"}},
		object{"description": "of report --live --stats", "type": "array", "items": stats},
	}}
	return docs.Document(t, "report.schema.json", "framescope report --json", "What report --json prints: statistics, "+
		"what --where finds, or the summary of a GStreamer trace; of several files a list of these. "+
		"Numbers have base units (ns, bytes, counts, parts of 1); measures.md says what each is.", shape, defs)
}

// words are fields that say what a report is about; they are no measures.
var words = []string{
	"session", "ledger", "missing", "notes", "key", "reason", "program", "host", "pid", "version", "from", "ended", "begun", "begun_by", "name", "index", "thread_id", "threads", "times",
	"levels", "calls", "series", "locks", "messages", "all", "methods", "longest_wait", "longest_hold", "longest_condition_wait", "severities", "severity", "categories", "outside_frames", "in_sum",
	"weights", "where", "found", "path", "paths", "collectors", "bookmarks", "place", "note", "pace", "work", "process", "open_frame", "number", "stops", "between",
	"file", "line", "diagnostics", "example", "text", "arguments", "argument",
}

// A report has no field but what the vocabulary names, and no number with another unit than the
// base's.
func TestFieldsAreInTheVocabulary(t *testing.T) {
	defs := object{}
	docs.Of(reflect.TypeFor[summary](), defs)
	docs.Of(reflect.TypeFor[foundSummary](), defs)
	for name, def := range defs {
		for field := range def.(object)["properties"].(object) {
			_, ok := docs.Entry(field)
			testkit.That(t, ok || slices.Contains(words, field), "%s: %s is not in the vocabulary", name, field)
			for _, end := range []string{"_ms", "_us", "_s", "_mb", "_percent"} {
				testkit.That(t, !strings.HasSuffix(field, end), "%s: %s is no base unit", name, field)
			}
		}
	}
}

// seldom are fields that no report on a capture has, with the reason.
var seldom = map[string]string{
	"threadSummary.clock_shift_ns":  "of a GPU with a clock of its own: see TestClockOfAGPU in net/pstats/decode",
	"threadSummary.clock_spread_ns": "likewise",
	"Latency.Estimated":             "where there are more latencies than are kept: see the tests of gststats",
	"Overall.LoadCut":               "where times of processors are not in the log: see the tests of gststats",
	"Thread.LoadCut":                "likewise",
}

// What report --json prints of a capture of every kind has the documented schema, with --stats, of
// frames, and of ranges; and whatever the text has for a header is in the vocabulary.
func TestSchema(t *testing.T) {
	s := schema(t)
	root := recordings.Root(t)
	var paths []string
	for _, pattern := range []string{"testdata/pstats/*.pstats", "testdata/gsttrace/*.log*", "testdata/profilelib/*.prof", "testdata/folded/*.folded", "testdata/pprof/game*.pprof", "testdata/chrometrace/engine-object.json.gz",
		"testdata/spall/broken-event-type.spall", "testdata/spall/stops-v1.spall",
	} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		testkit.MustThat(t, err == nil && len(found) != 0, "%v %v", pattern, err)
		paths = append(paths, found...)
	}
	captures := flaretest.Captures(t)
	paths = append(recordings.Few(paths), flaretest.Find(t, captures, "constructed-60s/127*"), flaretest.Find(t, captures, "recorded-60s/127*"))
	seen := map[string]bool{}
	e := testkit.Must(find.Parse(">5ms"))(t)
	for at, path := range paths {
		rec, err := load.File(t.Context(), path, load.Options{})
		testkit.MustThat(t, rec != nil, "%v %v", path, err)
		name := filepath.Base(path)
		for i, o := range []Options{
			{JSON: true}, {JSON: true, Stats: true}, {JSON: true, Stats: true, Range: rng(t, "0.1s:0.4s")},
			{JSON: true, Where: e}, {JSON: true, Where: e, Stats: true}, {JSON: true, Where: e, Range: rng(t, "0.1s:0.4s")},
		} {
			o.Bookmarks = []place.Mark{{Place: place.Place{Kind: place.Moment}, Number: 1, Note: "see here"}}
			if o.Where != nil && rec.Session.Info().Sampling.Timeless {
				err := Write(io.Discard, rec.Session, o)
				testkit.That(t, errors.Is(err, ErrFindTimeless), "%s: calls are looked for where there are no times: %v", name, err)
				continue
			}
			var out bytes.Buffer
			if err := Write(&out, rec.Session, o); err != nil {
				if !o.Range.All() { // nothing is there
					continue
				}
				t.Fatal(name, err)
			}
			docs.Fits(t, s, fmt.Sprintf("%s, %d", name, i), out.Bytes())
			docs.Surprised(t, s, fmt.Sprintf("%s, %d", name, i), out.Bytes(), seen)
			if i == 1 && at == 0 {
				docs.Fits(t, s, "list", fmt.Appendf(nil, `[{"file": "a", "report": %s}, {"file": "b", "error": "no"}]`, out.Bytes()))
				docs.Fits(t, s, "live", fmt.Appendf(nil, `[%s]`, out.Bytes()))
			}
		}
		text := textOf(t, rec.Session, Options{Stats: true})
		headers(t, rec.Session, name, text)
		if strings.Contains(path, "gsttrace") {
			f := recordings.Read(t, recordings.GStreamer, strings.TrimSuffix(name, ".gz"))
			sum, err := gsttrace.Read(bytes.NewReader(f))
			testkit.MustThat(t, sum != nil, "%v %v", name, err)
			data := testkit.Must(json.Marshal(sum))(t, name)
			docs.Fits(t, s, name+", summary", data)
			docs.Surprised(t, s, name+", summary", data, seen)
		}
	}
	defs := object{}
	docs.Of(reflect.TypeFor[summary](), defs)
	docs.Of(reflect.TypeFor[foundSummary](), defs)
	docs.Of(reflect.TypeFor[gsttrace.Summary](), defs)
	for name, def := range defs {
		for field := range def.(object)["properties"].(object) {
			there := slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(at string) bool { return strings.HasSuffix(at, "."+field) })
			why := seldom[name+"."+field]
			testkit.That(t, there != (why != ""), "%s of %s is in a report: %v; why not: %q", field, name, there, why)
		}
	}
}

// headers demands that the header of each table of a text is made of words of the vocabulary. A
// table begins below a blank line, and its columns are two spaces apart.
func headers(t *testing.T, s *store.Session, name, text string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i == 0 || lines[i-1] != "" || !strings.HasPrefix(line, "  ") {
			continue
		}
		for _, word := range strings.Split(strings.TrimSpace(line), "  ") {
			title, _, _ := strings.Cut(strings.TrimSpace(word), " (")
			if title = strings.TrimSuffix(title, " ≈"); title == "" {
				continue
			}
			weight := slices.ContainsFunc(s.Spans().Weights(), func(w spans.Weight) bool { return w.Name == strings.TrimPrefix(title, "self ") })
			if _, ok := measure.Of(title); !ok && !weight { // those are the source's own words
				t.Errorf("%s: %q is not in the vocabulary: %s", name, title, line)
			}
		}
	}
}

// evil is a name that would write into a terminal, and over the lines around it.
const evil = "a\x1b]0;title\x07\x1b[2J\x00\r\nThread Main frame 9\t\u202egnp.exe\u009b"

// hostile is a session in which everything that has a name is called so.
func hostile() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "test", Program: evil, Host: evil, PID: 42, Version: evil, Peer: evil})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: evil})
	s.Apply(model.CollectorDef{ID: 2, Name: strings.Repeat("x", 1000) + "end", Parent: 1})
	s.Apply(model.CollectorDef{ID: 3, Name: evil + "2", Unit: evil})
	s.Apply(model.TrackDef{ID: 0, Name: evil})
	s.Apply(model.TrackDef{ID: 1, Name: evil + "other"})
	s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 0})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 1})
	s.Apply(model.PathDef{ID: 3, Parent: 2, Collector: 2})
	s.Apply(model.SeriesDef{ID: 0, Name: evil, Group: evil, Unit: evil})
	s.Append(&model.Batch{
		Track: 0, HasFrame: true, Number: 1, Begin: 0, End: ms(10),
		Spans: []model.Span{{Begin: 0, End: ms(10), Path: 1}, {Begin: 0, End: ms(5), Path: 2, Lane: 1}, {Begin: 0, End: ms(2), Path: 3, Lane: 2}},
		Self: []model.CollectorTime{
			{Collector: 0, Ns: ms(5), Count: 1}, {Collector: 1, Ns: ms(3), Count: 1}, {Collector: 2, Ns: ms(2), Count: 1},
		},
		Levels: []model.Level{{Collector: 3, Value: 7}},
	})
	s.Append(&model.Batch{Track: 1, Spans: []model.Span{{Begin: 0, End: ms(5), Path: 2}}})
	return s
}

// Names stay on their lines, and are of a length that can be read; JSON has them whole.
func TestHostileNames(t *testing.T) {
	for _, o := range []Options{{}, {Stats: true}} {
		out := textOf(t, hostile(), o)
		testkit.Contains(t, out, "a\uFFFD]0;title")
		for _, line := range strings.Split(out, "\n") {
			got := escape.Line(line)
			testkit.That(t, got == line && !strings.HasPrefix(line, "Thread Main frame 9"), "%+v: %q", o, line)
			n := utf8.RuneCountInString(line)
			testkit.That(t, n <= 3*escape.MaxName, "%+v: a line of %d characters", o, n)
		}
	}
	out := textOf(t, hostile(), Options{Stats: true, JSON: true})
	var got struct {
		Session struct{ Program string }
		Threads []struct {
			Name  string
			Times []struct{ Collector string }
		}
	}
	testkit.OK(t, json.Unmarshal([]byte(out), &got))
	long := false
	for _, l := range got.Threads[0].Times {
		long = long || strings.HasSuffix(l.Collector, strings.Repeat("x", 1000)+"end")
	}
	testkit.That(t, got.Session.Program == evil && got.Threads[0].Name == evil && long, "JSON: %+v", got)
}

// In a comparison as markdown names are code, whatever they are: of recordings, programs, threads, collectors and
// units, and what is searched for.
func TestHostileNamesInMarkdown(t *testing.T) {
	for _, name := range testkit.HostileNames {
		side := func(faster int64) *store.Session {
			s := store.NewSession()
			s.Apply(model.Info{Source: "test", Program: name})
			s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
			s.Apply(model.CollectorDef{ID: 1, Name: name})
			s.Apply(model.CollectorDef{ID: 2, Name: name + "2", Parent: 1})
			s.Apply(model.TrackDef{ID: 0, Name: name})
			s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 1})
			s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 2})
			s.Apply(model.PathDef{ID: 3, Parent: model.PathRoot, Collector: 2})
			for i := range int64(40) {
				at := 20e6 * i
				s.Append(&model.Batch{
					Track: 0, HasFrame: true, Number: i, Begin: at, End: at + ms(10) - i%3,
					Spans: []model.Span{
						{Begin: at, End: at + ms(5) - faster - i%5, Path: 1}, {Begin: at, End: at + ms(2), Path: 2, Lane: 1},
						{Begin: at + ms(6), End: at + ms(7), Path: 3},
					},
				})
			}
			return s
		}
		sums := func(weight float64) *store.Session {
			s := store.NewSession()
			s.Apply(model.Info{Source: "pprof", Program: name, Sampling: model.Sampling{Timeless: true}})
			s.Apply(model.TrackDef{ID: 0, Name: name})
			s.Apply(model.CollectorDef{ID: 0, Name: "All"})
			s.Apply(model.CollectorDef{ID: 1, Name: name})
			s.Apply(model.PathDef{ID: 1, Collector: 1})
			def := model.SeriesDef{Kind: model.SeriesEvent, Role: model.RoleStack, Object: model.NoObject, Peer: model.NoObject}
			s.Apply(def)
			def.ID, def.Role, def.Name, def.Unit = 1, model.RoleWeight, name, name
			s.Apply(def)
			s.Append(&model.Batch{Samples: []model.Sample{{Series: 0, Value: 1}, {Series: 1, Value: weight}}})
			return s
		}
		o := DiffOptions{Files: [2]string{name, name}, Markdown: true, All: true}
		var b bytes.Buffer
		var sides [2]compare.Side
		for _, both := range [][2]*store.Session{{sums(1), sums(2)}, {side(0), side(ms(1))}} {
			for i, s := range both {
				sides[i] = testkit.Must(place.Side(s, place.TimeRange{}, nil))(t)
			}
			testkit.OK(t, WriteDiff(&b, compare.Of(sides[0], sides[1], compare.Options{}), sides, o))
		}
		testkit.MustThat(t, strings.Contains(b.String(), "These are sums of recordings") && strings.Contains(b.String(), "Frame time"),
			"%v", b.String())
		testkit.OK(t, WriteFoundDiff(&b, sides, find.Plain(name), o), name)
		cells, rows := 0, 0
		for line := range strings.SplitSeq(b.String(), "\n") {
			testkit.NoDiff(t, testkit.MarkdownFault(line), "%q: %q", name, line)
			n := max(0, testkit.MarkdownCells(line))
			if !strings.HasPrefix(line, "|") {
				n = 0
			} else if rows++; cells > 0 && n != cells {
				t.Errorf("%q: %q has %d cells, not %d", name, line, n, cells)
			}
			cells = n
		}
		testkit.That(t, rows >= 10, "%q: %s", name, b.String())
	}
}

func ms(n float64) int64 { return int64(n * 1e6) }

// small is a session of one thread: frames 1 to 4 and 7, of 10 ms, in which App runs for as many ms
// as the frame's number says, and something in it for one.
func small() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "test", Program: "small", Host: "here", PID: 42, Version: "Test 1", Peer: "small.test"})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.CollectorDef{ID: 1, Name: "App"})
	s.Apply(model.CollectorDef{ID: 2, Name: "In \"quotes\"", Parent: 1})
	s.Apply(model.CollectorDef{ID: 3, Name: "Memory", Unit: "MB"})
	s.Apply(model.CollectorDef{ID: 4, Name: "Heap", Parent: 3, Unit: "MB"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 0})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 1})
	s.Apply(model.PathDef{ID: 3, Parent: 2, Collector: 2})
	for _, n := range []int64{1, 2, 3, 4, 7} {
		at := (n - 1) * ms(10)
		s.Append(&model.Batch{
			Track: 0, HasFrame: true, Number: n, Begin: at, End: at + ms(10),
			Spans: []model.Span{
				{Begin: at, End: at + ms(10), Path: 1}, {Begin: at + ms(1), End: at + ms(1+float64(n)), Path: 2, Lane: 1}, {Begin: at + ms(1), End: at + ms(2), Path: 3, Lane: 2},
			},
			Self: []model.CollectorTime{
				{Collector: 0, Ns: ms(10 - float64(n)), Count: 1}, {Collector: 1, Ns: ms(float64(n) - 1), Count: 1}, {Collector: 2, Ns: ms(1), Count: 1},
			},
			Levels: []model.Level{{Collector: 3, Time: at, Value: 10 * float64(n)}, {Collector: 4, Time: at, Value: float64(n)}},
		})
	}
	return s
}

func write(t *testing.T, o Options) string {
	t.Helper()
	return textOf(t, small(), o)
}

func rng(t *testing.T, text string) place.TimeRange {
	t.Helper()
	return testkit.Must(place.ParseRange(text))(t)
}

func TestFrames(t *testing.T) {
	want := testkit.Must(os.ReadFile("testdata/frames.txt"))(t)
	testkit.NoDiff(t, cmp.Diff(string(want), write(t, Options{Range: rng(t, "4:7")})), "frames.txt")
}

// The header of a frame gives its time, its rate as --stats does, and its accounted time if that is less.
func TestRateOfAFrame(t *testing.T) {
	s := small()
	s.Append(&model.Batch{
		Track: 0, HasFrame: true, Number: 8, Begin: ms(70), End: ms(136.6),
		Self: []model.CollectorTime{{Collector: 1, Ns: ms(3), Count: 1}},
	})
	out := textOf(t, s, Options{Range: rng(t, "8")})
	testkit.Contains(t, out, "Thread Main frame 8, 66.6 ms (15.015 Hz), accounted for: 3 ms:\n  App = 3 ms\n")
	stats := textOf(t, s, Options{Range: rng(t, "8"), Stats: true})
	testkit.Contains(t, stats, ", mean rate 15.0 Hz; 1 received")
}

func TestWhatCannotBeWritten(t *testing.T) {
	for _, o := range []Options{{Raw: true}, {Compat: true}} {
		err := Write(io.Discard, small(), o)
		testkit.That(t, errors.Is(err, ErrNoEvents), "%+v: %v", o, err)
		o.JSON, o.Events = true, sessionfile.NewRaw()
		err = Write(io.Discard, small(), o)
		testkit.That(t, errors.Is(err, ErrFramesAreText), "%+v: %v", o, err)
	}
	testkit.Fails(t, Write(io.Discard, small(), Options{Threads: []string{"Draw"}}), "Main")
	testkit.Fails(t, Write(io.Discard, small(), Options{Range: rng(t, "100:")}), "1 to 7")
	testkit.OK(t, Write(io.Discard, store.NewSession(), Options{}), "empty session")
}

func TestBrokenPipe(t *testing.T) {
	testkit.That(t, Write(brokenPipe{}, small(), Options{Stats: true}) != nil, "no error")
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A range in which no frame begins is an error, be it one of numbers or one of times, for each kind
// of report; statistics are there where anything else is in it.
func TestRangesInGaps(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.SeriesDef{ID: 0, Name: "heap", Track: model.NoTrack, Object: model.NoObject, Peer: model.NoObject})
	for n := int64(0); n < 10; n++ {
		if n != 4 && n != 5 {
			s.Append(&model.Batch{Track: 0, HasFrame: true, Number: n, Begin: n * 10e6, End: (n + 1) * 10e6})
		}
	}
	s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Time: 55e6, Value: 3}}})
	for text, wrong := range map[string]bool{
		"4:5": true, "41ms:49ms": true, "40ms:60ms": true, "20:": true, "1h:2h": true, "3:5": false, "40ms:61ms": false,
		"20ms:30ms": false,
	} {
		for _, o := range []Options{{}, {JSON: true}, {Stats: true}, {Stats: true, JSON: true}} {
			o.Range = rng(t, text)
			err := Write(io.Discard, s, o)
			want := wrong && !((o.Stats || o.JSON) && text == "40ms:60ms") // there is a sample in it
			testkit.That(t, (err != nil) == want && (!want || strings.Contains(err.Error(), "in this range")),
				"%s, %+v: %v", text, o, err)
		}
	}
	// Ranges beside each other share nothing, and leave nothing out.
	sum := 0
	for _, text := range []string{":20ms", "20ms:70ms", "70ms:"} {
		sum += summaryOf(t, s, Options{Stats: true, Range: rng(t, text)}).Threads[0].Frames
	}
	testkit.That(t, sum == 8, "%d frames in the parts, 8 in all", sum)
}

func TestFlowsAreTold(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.TrackDef{ID: 1, Name: "Worker"})
	s.Apply(model.FlowDef{Name: "job"})
	s.Append(&model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: 50e6, Path: 0}}})
	flow := func(from, to int64) model.Flow {
		return model.Flow{From: from, To: to, FromLane: model.NoLane, ToLane: model.NoLane}
	}
	s.Append(&model.Batch{
		Track: 1, Spans: []model.Span{{Begin: 0, End: 20e6}}, Flows: []model.Flow{flow(1e6, 2e6), flow(1e6, 4e6), flow(60e6, 61e6)},
	})
	out := textOf(t, s, Options{Stats: true})
	testkit.Contains(t, out, "         3      1.667      3.000  job (worst from Main to Worker); 1 begin and 1 end where no span is")
}

// Figures are to be read: no powers of ten where digits do, and of what happens once in a long time
// that it does.
func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.000", 0.0004: "0.0004000", 0.00001234: "0.00001234", -0.00001234: "-0.00001234", 0.25: "0.250",
		99999.4: "99999.400", 123456.7: "123457", -1e12: "-1000000000000", 2e15: "2e+15",
	} {
		testkit.Equal(t, Number(v), want, "%v", v)
	}
	for v, want := range map[float64]string{0: "0.000", 1.735e-9: "<0.001", -1.735e-9: ">-0.001", 0.0006: "0.001", 25: "25.000"} {
		testkit.Equal(t, Rate(v), want, "%v a second", v)
	}
}

// A report on a pipeline tells its threads, its elements and the ways through it apart.
func TestKindsOfTracks(t *testing.T) {
	s := opened(t, recordings.File(t, recordings.GStreamer, "all-audio-chain.log.gz"))
	text := textOf(t, s, Options{Stats: true})
	testkit.Contains(t, text,
		"\nAll 2 threads, 4 elements, 1 path\n", "\nThread main: ", "\nElement volume0: ", "\nPath audiotestsrc0.src → fakesink0.sink: ",
	)
}

// What is a state is said in words, with its share of the time, and no number stands for it; a time that
// rounds to 0 has no sign. A thread is named by a part of its name.
func TestStatesInWords(t *testing.T) {
	s := opened(t, recordings.File(t, recordings.FrameTimes, "presentmon-v1-case5.csv"))
	text := textOf(t, s, Options{Stats: true, Threads: []string{"*2CAC00"}})
	testkit.Contains(t, text, "Present mode: PresentBench.exe 0x2A70D2CAC00 = Composed: Flip\n",
		"Runtime: PresentBench.exe 0x2A70D2CAC00 = DXGI\n")
	testkit.That(t, !strings.Contains(text, "steamwebhelper") && !strings.Contains(text, "-0.000"), "%v", text)
	testkit.Equal(t, fromTo(-400_000, 1_500_000_000), "0.000 s to 1.500 s", "fromTo(-400_000, 1_500_000_000)")
	two := seriesSummary{States: []stateShare{{"playing", 9, 0.9}, {"idle", 1, 0.1}}}
	testkit.Equal(t, two.inStates(), " = playing 90.0 %, idle 10.0 %", "two.inStates()")
	err := Write(io.Discard, s, Options{Stats: true, Threads: []string{"PresentBench.exe"}})
	testkit.That(t, err != nil && strings.Contains(err.Error(), "PresentBench.exe 0x2A70D2CAC00 GPU"), "%v", err)
}

// TestCompatAsSent reports a session with what is odd in it: a frame of levels alone, whose time is
// 0 officially and whose rate is so below zero, and names that are longer than the session keeps.
func TestCompatAsSent(t *testing.T) {
	long := strings.Repeat("long ", 1000) + "end"
	raw := sessionfile.NewRaw()
	raw.Collectors([]pstats.CollectorDef{{Index: 0, Name: "Frame"}, {Index: 1, Name: long}, {Index: 2, Name: "Child", Parent: 1}})
	raw.Threads(0, []string{"Main"})
	for n := range 3 {
		f := &pstats.Frame{Number: uint32(n), Levels: []pstats.Level{{Collector: 2, Value: 1}}}
		if at := float32(13 + n); n < 2 {
			f.Events = []pstats.Event{{Word: 0, Time: at}, {Word: 2, Time: at}, {Word: 2 | pstats.StopBit, Time: at + 0.5}, {Word: pstats.StopBit, Time: at + 1}}
		}
		raw.Frame(f, 0)
	}
	path := filepath.Join(t.TempDir(), "odd.pstats")
	file := testkit.Must(os.Create(path))(t)
	testkit.OK(t, errors.Join(raw.WriteSession(file), file.Close()))
	rec := testkit.Must(load.File(t.Context(), path, load.Options{Events: true}))(t)
	out := textOf(t, rec.Session, Options{Events: rec.Events, Compat: true})
	testkit.Contains(t, out, "frame 1, 1000 ms (1 Hz)", "frame 2, 0 ms (-0.230769 Hz):\n", "\n  "+long+" = 500 ms\n")
}

// The bookmarks of a range are those that touch it, of its threads, in the order of time.
func TestOfARange(t *testing.T) {
	at := func(text string, begin, end int64, note string) place.Mark {
		p := testkit.Must(place.Parse(text))(t)
		return place.Mark{Place: p, Number: len(note) % 10, Note: note, BeginNs: begin, EndNs: end}
	}
	list := []place.Mark{
		at("frame=7&thread=Draw", 70e6, 80e6, "late"), at("frame=1&thread=Main", 10e6, 20e6, ""),
		at("time=0.02s", 20e6, 20e6, "two\nlines"),
	}
	for _, x := range []struct {
		begin, end int64
		threads    []string
		want       string
	}{
		{0, 1e9, nil, "frame=1&thread=Main time=0.02s frame=7&thread=Draw"},
		{20e6, 70e6, nil, "time=0.02s"},
		{19e6, 71e6, nil, "frame=1&thread=Main time=0.02s frame=7&thread=Draw"},
		{0, 1e9, []string{"Draw"}, "time=0.02s frame=7&thread=Draw"},
		{80e6, 1e9, nil, ""},
	} {
		var got []string
		for _, b := range BookmarksOf(list, x.begin, x.end, x.threads) {
			got = append(got, b.Place)
		}
		testkit.That(t, strings.Join(got, " ") == x.want, "[%d, %d) of %v: %v", x.begin, x.end, x.threads, got)
	}
	var text strings.Builder
	out := bufio.NewWriter(&text)
	WriteBookmarks(out, BookmarksOf(list, 0, 1e9, nil))
	out.Flush()
	if want := `
Bookmarks
          frame=1&thread=Main, 10ms from 10ms on
  Ctrl+9  time=0.02s
          two
          lines
  Ctrl+4  frame=7&thread=Draw, 10ms from 70ms on
          late
`; text.String() != want {
		t.Errorf("%s", text.String())
	}
}

// Of a recording with several processes the report says whose each thread is.
func TestThreadsNameTheirProcess(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "work", Parent: model.NoCollector})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for id, name := range []string{"Game", "Server"} {
		s.Apply(model.TrackDef{ID: model.TrackID(id), Name: "Thread 1", Process: name})
		s.Append(&model.Batch{Track: model.TrackID(id), HasFrame: true, Number: 1, Begin: 0, End: 100})
		s.Apply(model.TrackDef{ID: model.TrackID(id) + 2, Name: "Audio", Process: name})
		s.Append(&model.Batch{Track: model.TrackID(id) + 2, Spans: []model.Span{{Path: 1, Begin: 0, End: 50}}})
	}
	e := testkit.Must(find.Parse("work"))(t)
	text := textOf(t, s, Options{Stats: true}) + textOf(t, s, Options{Where: e}) + textOf(t, s, Options{Where: e, Stats: true})
	for want, n := range map[string]int{"\nThread 1 of Game: frames": 1, "\nThread 1 of Server: frames": 1, "Audio of Game": 3, "Audio of Server": 3} {
		testkit.Equal(t, strings.Count(text, want), n, "%q is in\n%s", want, text)
	}
}

// The time of day at time 0 is the one that the recording gives: its meta.startTime (Firefox), time_nanos (pprof),
// the first row (MSI Afterburner), or its clocks put together (Go, Perfetto).
func TestBegun(t *testing.T) {
	for file, want := range map[string][2]string{
		"firefox/game.json":                   {"2026-11-21T22:29:47.7667617Z", "UTC"},
		"pprof/game-cpu.pprof":                {"2026-11-21T22:25:05.565077431Z", "UTC"},
		"pprof/byhand-edges.pprof":            {"2026-11-21T22:26:40.123456789Z", "UTC"},
		"frametimes/field-afterburner.csv.gz": {"2025-10-24T16:56:05Z", "local"},
		"gotrace/flight-126.trace.gz":         {"2026-11-21T22:24:17.619226915Z", "UTC"},
		"perfetto/py-multi.pftrace.gz":        {"2026-11-21T22:35:49.070735681Z", "UTC"},
		"pstats/levels.pstats":                {"", ""},
		"chrometrace/engine-object.json.gz":   {"", ""},
	} {
		s := testkit.Must(load.File(t.Context(), filepath.Join("../../testdata", file), load.Options{}))(t).Session
		var got summary
		testkit.OK(t, json.Unmarshal([]byte(textOf(t, s, Options{Stats: true, JSON: true})), &got))
		testkit.Equal(t, [2]string{got.Session.Begun, got.Session.BegunBy}, want, "%s", file)
	}
}
