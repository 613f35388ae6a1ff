package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/app/load"
	"framescope/internal/docs"
	"framescope/internal/escape"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/find"
	"framescope/model/measure"
	"framescope/model/place"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/flare/flaretest"
	"framescope/net/gsttrace"
)

type object = docs.Object

// schema is the schema of all that `report --json` prints.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	defs := object{}
	stats, found := docs.Of(reflect.TypeFor[summary](), defs), docs.Of(reflect.TypeFor[foundSummary](), defs)
	trace := docs.Of(reflect.TypeFor[gsttrace.Summary](), defs)
	docs.Described(t, defs)
	text, whole := object{"type": "string"}, object{"type": "integer"}
	defs["event"] = object{"oneOf": []any{
		object{
			"type": "object", "required": []string{"name", "ph", "pid", "tid", "args"}, "additionalProperties": false,
			"properties": object{
				"name": object{"const": "thread_name"}, "ph": object{"const": "M"}, "pid": whole, "tid": whole,
				"args": object{"type": "object", "required": []string{"name"}, "properties": object{"name": text}, "additionalProperties": false},
			},
		},
		object{
			"type": "object", "required": []string{"name", "ph", "pid", "tid", "ts"}, "additionalProperties": false,
			"properties": object{
				"name": text, "ph": object{"enum": []string{"B", "E"}}, "pid": whole, "tid": whole,
				"ts": object{"type": "integer", "description": "microseconds, as text-stats and trace viewers have them"},
			},
		},
	}}
	events := object{"description": "frames, as text-stats writes them", "type": "array", "items": object{"$ref": "#/$defs/event"}}
	one := object{"oneOf": []any{stats, events, found, trace}}
	defs["one"] = one
	defs["element"] = object{"type": "object", "required": []string{"file"}, "properties": object{
		"file": text, "report": object{"$ref": "#/$defs/one"}, "error": text,
	}, "additionalProperties": false, "oneOf": []any{object{"required": []string{"report"}}, object{"required": []string{"error"}}}}
	shape := object{"anyOf": []any{
		object{"$ref": "#/$defs/one"}, object{"type": "array", "items": object{"$ref": "#/$defs/element"}},
		object{"description": "of report --live --stats", "type": "array", "items": stats},
	}}
	return docs.Document(t, "report.schema.json", "framescope report --json", "What report --json prints: statistics, frames as events, "+
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
		rec, err := load.File(t.Context(), path, load.Options{Events: true})
		testkit.MustThat(t, rec != nil, "%v %v", path, err)
		name := filepath.Base(path)
		for i, o := range []Options{
			{JSON: true}, {JSON: true, Stats: true}, {JSON: true, Stats: true, Range: rng(t, "0.1s:0.4s")}, {JSON: true, Compat: true, Events: rec.Events},
			{JSON: true, Where: e}, {JSON: true, Where: e, Stats: true}, {JSON: true, Where: e, Range: rng(t, "0.1s:0.4s")},
		} {
			o.Bookmarks = []place.Mark{{Place: place.Place{Kind: place.Moment}, Number: 1, Note: "see here"}}
			if o.Where != nil && rec.Session.Info().Sampling.Timeless {
				err := Write(io.Discard, rec.Session, o)
				testkit.That(t, errors.Is(err, ErrFindTimeless), "%s: calls are looked for where there are no times: %v", name, err)
				continue
			}
			if o.Compat && rec.Events == nil {
				continue
			}
			if o.Events = rec.Events; o.Stats {
				o.Events = nil
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
