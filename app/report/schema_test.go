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

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/app/load"
	"framescope/internal/docs"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
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
	"session", "ledger", "missing", "notes", "key", "reason", "program", "host", "pid", "version", "from", "ended", "name", "index", "thread_id", "threads", "times",
	"levels", "calls", "series", "locks", "messages", "all", "methods", "longest_wait", "longest_hold", "longest_condition_wait", "severities", "severity", "categories", "outside_frames", "in_sum",
	"weights", "where", "found", "path", "paths", "collectors", "bookmarks", "place", "note", "pace", "work", "process", "open_frame", "number", "stops", "between",
	"diagnostics", "example", "text", "arguments", "argument",
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
	"threadSummary.clock_shift_ns":  "of a GPU with a clock of its own: see TestTruthOfPanda3D in net/pstats/compat",
	"threadSummary.clock_spread_ns": "likewise",
	"threadSummary.process":         "of recordings with several processes: see TestThreadsNameTheirProcess",
	"Latency.Estimated":             "where there are more latencies than are kept: see the tests of gststats",
	"Overall.LoadCut":               "where times of processors are not in the log: see the tests of gststats",
	"threadSummary.stops":           "no recording here stands still",
	"stop.between":                  "likewise",
	"Thread.LoadCut":                "likewise",
}

// What report --json prints of a capture of every kind has the documented schema, with --stats, of
// frames, and of ranges; and whatever the text has for a header is in the vocabulary.
func TestSchema(t *testing.T) {
	s := schema(t)
	root := recordings.Root(t)
	var paths []string
	for _, pattern := range []string{"testdata/pstats/*.pstats", "testdata/gsttrace/*.log*", "testdata/profilelib/*.prof", "testdata/folded/*.folded", "testdata/pprof/game*.pprof", "testdata/chrometrace/engine-object.json.gz",
		"testdata/spall/broken-event-type.spall",
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
