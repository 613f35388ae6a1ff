package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/app/load"
	"framescope/internal/recordings"
	"framescope/model/find"
	"framescope/model/measure"
	"framescope/net/flare/flaretest"
	"framescope/net/gsttrace"
	"framescope/net/gsttrace/gststats"
)

var update = flag.Bool("update", false, "write the schemas in docs anew")

type object = map[string]any

// schemaOf makes the schema of a type as JSON has it: all fields are known, and those that are not
// left out are there. What a field is comes from the vocabulary.
func schemaOf(t reflect.Type, defs object) any {
	switch t.Kind() {
	case reflect.Pointer:
		return object{"anyOf": []any{schemaOf(t.Elem(), defs), object{"type": "null"}}}
	case reflect.Slice:
		return object{"type": []string{"array", "null"}, "items": schemaOf(t.Elem(), defs)}
	case reflect.Array:
		return object{"type": "array", "items": schemaOf(t.Elem(), defs)}
	case reflect.Map:
		return object{"type": []string{"object", "null"}, "additionalProperties": schemaOf(t.Elem(), defs)}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		if t.Implements(reflect.TypeFor[json.Marshaler]()) { // null where it is not known
			return object{"type": []string{"number", "null"}}
		}
		return object{"type": "number"}
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return object{"type": "integer"}
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return object{"type": "integer", "minimum": 0}
	case reflect.Struct:
		if _, known := defs[t.Name()]; !known {
			defs[t.Name()] = nil
			props, required := object{}, []string{}
			fieldsOf(t, defs, props, &required)
			defs[t.Name()] = object{"type": "object", "properties": props, "required": required, "additionalProperties": false}
		}
		return object{"$ref": "#/$defs/" + t.Name()}
	}
	panic(t)
}

// entry returns what the vocabulary says of a field: an ID, with or without the name of its unit.
func entry(field string) (measure.Measure, bool) {
	for _, end := range [...]string{"", "_ns", "_bytes", "_per_second"} {
		id, ok := strings.CutSuffix(field, end)
		for i := range measure.All {
			if ok && measure.All[i].ID == id {
				return measure.All[i], true
			}
		}
	}
	return measure.Measure{}, false
}

// whatIs describes a field: as the vocabulary has it, else by the comment in the code.
func whatIs(t reflect.Type, goName, name string) string {
	if m, ok := entry(name); ok && t.PkgPath() == reflect.TypeFor[summary]().PkgPath() {
		if m.Unit != measure.Word && m.Unit != measure.Derived {
			return m.What + " [" + string(m.Unit) + "]"
		}
		return m.What
	}
	return strings.Join(strings.Fields(comments(t.PkgPath())[t.Name()+"."+goName]), " ")
}

// commentsOf are the comments on fields, by package.
var commentsOf = map[string]map[string]string{}

// comments returns the comments on the fields of a package's types, by "Type.Field".
func comments(pkg string) map[string]string {
	if out := commentsOf[pkg]; out != nil {
		return out
	}
	out := map[string]string{}
	commentsOf[pkg] = out
	files, _ := filepath.Glob(filepath.Join("..", "..", strings.TrimPrefix(pkg, "framescope/"), "*.go"))
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			panic(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			def, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			fields, ok := def.Type.(*ast.StructType)
			if !ok {
				return true
			}
			for _, f := range fields.Fields.List {
				for _, name := range f.Names {
					out[def.Name.Name+"."+name.Name] = f.Doc.Text() + f.Comment.Text()
				}
			}
			return true
		})
	}
	return out
}

func fieldsOf(t reflect.Type, defs, props object, required *[]string) {
	for f := range t.Fields() {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported() || name == "-":
			continue
		case f.Anonymous && name == "":
			fieldsOf(f.Type, defs, props, required)
			continue
		case name == "":
			name = f.Name
		}
		s := schemaOf(f.Type, defs)
		if rest == "omitempty" { // never null
			if f.Type.Kind() == reflect.Pointer {
				s = schemaOf(f.Type.Elem(), defs)
			}
		} else {
			*required = append(*required, name)
		}
		if what := whatIs(t, f.Name, name); what != "" {
			s = object{"description": what, "allOf": []any{s}}
		}
		props[name] = s
	}
}

// schema is the schema of all that `report --json` prints.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	defs := object{}
	stats, found := schemaOf(reflect.TypeFor[summary](), defs), schemaOf(reflect.TypeFor[foundSummary](), defs)
	trace := schemaOf(reflect.TypeFor[gststats.Summary](), defs)
	described(t, defs)
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
	return document(t, "report.schema.json", "framescope report --json", "What report --json prints: statistics, frames as events, "+
		"what --where finds, or the summary of a GStreamer trace; of several files a list of these. "+
		"Numbers have base units (ns, bytes, counts, parts of 1); measures.md says what each is.", shape, defs)
}

// fits demands that a report has the schema, and that every name of a statistics field is in the
// vocabulary.
func fits(t *testing.T, s *jsonschema.Schema, what string, data []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v\n%.300s", what, err, data)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// words are fields that say what a report is about; they are no measures.
var words = []string{
	"session", "ledger", "missing", "notes", "key", "reason", "program", "host", "pid", "version", "from", "ended", "name", "index", "threads", "times",
	"levels", "calls", "series", "locks", "messages", "all", "methods", "longest_wait", "longest_hold", "longest_condition_wait", "severities", "severity", "categories", "outside_frames", "in_sum",
	"where", "found", "path", "paths", "collectors",
}

// A report has no field but what the vocabulary names, and no number with another unit than the
// base's.
func TestFieldsAreInTheVocabulary(t *testing.T) {
	defs := object{}
	schemaOf(reflect.TypeFor[summary](), defs)
	schemaOf(reflect.TypeFor[foundSummary](), defs)
	for name, def := range defs {
		for field := range def.(object)["properties"].(object) {
			if _, ok := entry(field); !ok && !slices.Contains(words, field) {
				t.Errorf("%s: %s is not in the vocabulary", name, field)
			}
			for _, end := range []string{"_ms", "_us", "_s", "_mb", "_percent"} {
				if strings.HasSuffix(field, end) {
					t.Errorf("%s: %s is no base unit", name, field)
				}
			}
		}
	}
}

// seldom are fields that no report on a capture has, with the reason.
var seldom = map[string]string{
	"threadSummary.clock_shift_ns":  "of a GPU with a clock of its own: see TestTruthOfPanda3D in net/pstats/compat",
	"threadSummary.clock_spread_ns": "likewise",
	"Latency.Estimated":             "where there are more latencies than are kept: see the tests of gststats",
	"Overall.LoadCut":               "where times of processors are not in the log: see the tests of gststats",
	"Thread.LoadCut":                "likewise",
}

// surprised demands that a report with a field that the schema does not know, in any of its
// objects, does not have the schema. Objects at places that were looked at before are left out.
func surprised(t *testing.T, s *jsonschema.Schema, what string, data []byte, seen map[string]bool) {
	t.Helper()
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(what, err)
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(at, x)
			}
		case map[string]any:
			for name, x := range v {
				walk(at+"."+name, x)
				seen[at+"."+name] = true
			}
			if seen[at+"{}"] {
				return
			}
			seen[at+"{}"] = true
			v["surprise"] = []any{1}
			if s.Validate(whole) == nil {
				t.Errorf("%s: an unknown field in %q has the schema", what, at)
			}
			delete(v, "surprise")
		}
	}
	walk("", whole)
}

// What report --json prints of a capture of every kind has the documented schema, with --stats, of
// frames, and of ranges; and whatever the text has for a header is in the vocabulary.
func TestSchema(t *testing.T) {
	s := schema(t)
	root := recordings.Root(t)
	var paths []string
	for _, pattern := range []string{"testdata/pstats/*.pstats", "testdata/gsttrace/*.log*", "testdata/profilelib/*.prof"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		paths = append(paths, found...)
	}
	captures := flaretest.Captures(t)
	paths = append(paths, flaretest.Find(t, captures, "constructed-60s/127*"), flaretest.Find(t, captures, "recorded-60s/127*"))
	seen := map[string]bool{}
	e, err := find.Parse(">5ms")
	if err != nil {
		t.Fatal(err)
	}
	for at, path := range paths {
		rec, err := load.File(t.Context(), path, load.Options{Events: true})
		if rec == nil {
			t.Fatal(path, err)
		}
		name := filepath.Base(path)
		for i, o := range []Options{
			{JSON: true}, {JSON: true, Stats: true}, {JSON: true, Stats: true, Range: rng(t, "0.1s:0.4s")}, {JSON: true, Compat: true, Events: rec.Events},
			{JSON: true, Where: e}, {JSON: true, Where: e, Stats: true}, {JSON: true, Where: e, Range: rng(t, "0.1s:0.4s")},
		} {
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
			fits(t, s, fmt.Sprintf("%s, %d", name, i), out.Bytes())
			surprised(t, s, fmt.Sprintf("%s, %d", name, i), out.Bytes(), seen)
			if i == 1 && at == 0 {
				fits(t, s, "list", fmt.Appendf(nil, `[{"file": "a", "report": %s}, {"file": "b", "error": "no"}]`, out.Bytes()))
				fits(t, s, "live", fmt.Appendf(nil, `[%s]`, out.Bytes()))
			}
		}
		var text bytes.Buffer
		if err := Write(&text, rec.Session, Options{Stats: true}); err != nil {
			t.Fatal(name, err)
		}
		headers(t, name, text.String())
		if strings.Contains(path, "gsttrace") {
			f := recordings.Read(t, recordings.GStreamer, strings.TrimSuffix(name, ".gz"))
			sum, err := gststats.Read(bytes.NewReader(f), gsttrace.NewThreads())
			if sum == nil {
				t.Fatal(name, err)
			}
			data, err := json.Marshal(sum)
			if err != nil {
				t.Fatal(name, err)
			}
			fits(t, s, name+", summary", data)
			surprised(t, s, name+", summary", data, seen)
		}
	}
	defs := object{}
	schemaOf(reflect.TypeFor[summary](), defs)
	schemaOf(reflect.TypeFor[foundSummary](), defs)
	schemaOf(reflect.TypeFor[gststats.Summary](), defs)
	for name, def := range defs {
		for field := range def.(object)["properties"].(object) {
			there := slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(at string) bool { return strings.HasSuffix(at, "."+field) })
			if why := seldom[name+"."+field]; there == (why != "") {
				t.Errorf("%s of %s is in a report: %v; why not: %q", field, name, there, why)
			}
		}
	}
}

// headers demands that the header of each table of a text is made of words of the vocabulary. A
// table begins below a blank line, and its columns are two spaces apart.
func headers(t *testing.T, name, text string) {
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
			if _, ok := measure.Of(title); !ok {
				t.Errorf("%s: %q is not in the vocabulary: %s", name, title, line)
			}
		}
	}
}
