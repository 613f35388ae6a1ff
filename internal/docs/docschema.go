// Tests compare the JSON schemas in docs with the types that commands print. This code depends on
// package testing and on no command.

package docs

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/model/measure"
)

// Object is one of JSON.
type Object = map[string]any

// vocabularyOf are the packages with field names from the vocabulary. Comments in the code describe the
// fields of other packages.
var vocabularyOf = []string{"framescope/app/report"}

// Of makes the schema of a type as in JSON: all fields are known, and those without omitempty are
// present. The vocabulary describes the fields.
func Of(t reflect.Type, defs Object) any {
	switch t.Kind() {
	case reflect.Pointer:
		return Object{"anyOf": []any{Of(t.Elem(), defs), Object{"type": "null"}}}
	case reflect.Slice:
		return Object{"type": []string{"array", "null"}, "items": Of(t.Elem(), defs)}
	case reflect.Array:
		return Object{"type": "array", "items": Of(t.Elem(), defs)}
	case reflect.Map:
		return Object{"type": []string{"object", "null"}, "additionalProperties": Of(t.Elem(), defs)}
	case reflect.String:
		return Object{"type": "string"}
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Float64:
		if t.Implements(reflect.TypeFor[json.Marshaler]()) { // null where it is not known
			return Object{"type": []string{"number", "null"}}
		}
		return Object{"type": "number"}
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return Object{"type": "integer"}
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return Object{"type": "integer", "minimum": 0}
	case reflect.Struct:
		if _, known := defs[t.Name()]; !known {
			defs[t.Name()] = nil
			props, required := Object{}, []string{}
			fieldsOf(t, defs, props, &required)
			defs[t.Name()] = Object{"type": "object", "properties": props, "required": required, "additionalProperties": false}
		}
		return Object{"$ref": "#/$defs/" + t.Name()}
	}
	panic(t)
}

// Entry returns the vocabulary's entry for a field: an ID, with or without the name of its unit.
func Entry(field string) (measure.Measure, bool) {
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

// whatIs describes a field: from the vocabulary, else from the comment in the code.
func whatIs(t reflect.Type, goName, name string) string {
	if m, ok := Entry(name); ok && slices.Contains(vocabularyOf, t.PkgPath()) {
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
	top, err := recordings.Top()
	if err != nil {
		panic(err)
	}
	files, _ := filepath.Glob(filepath.Join(top, strings.TrimPrefix(pkg, "framescope/"), "*.go"))
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

func fieldsOf(t reflect.Type, defs, props Object, required *[]string) {
	for f := range t.Fields() {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
			continue
		case f.Anonymous && name == "": // exported or not
			fieldsOf(f.Type, defs, props, required)
			continue
		case !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		s := Of(f.Type, defs)
		if rest == "omitempty" { // never null
			if f.Type.Kind() == reflect.Pointer {
				s = Of(f.Type.Elem(), defs)
			}
		} else {
			*required = append(*required, name)
		}
		if what := whatIs(t, f.Name, name); what != "" {
			s = Object{"description": what, "allOf": []any{s}}
		}
		props[name] = s
	}
}

// Document returns the schema in a file of docs, which is the one that is made of the types: of a title
// (the command that prints it), a description, the shape of the whole, and the types in that. With
// -update the file is written anew.
func Document(t *testing.T, file, title, description string, shape, defs Object) *jsonschema.Schema {
	t.Helper()
	all := Object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "description": description, "$defs": defs,
	}
	maps.Copy(all, shape)
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(all); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(recordings.Root(t), "docs", file)
	if *testkit.Update {
		if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("docs/%s is not that of the types: run the test with -update", file)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	// as a file's name it would be one in the folder of the test, with whatever that is called
	const at = "schema://framescope/"
	if err := c.AddResource(at+file, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(at + file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Described requires that the schema describes every field of the types.
func Described(t *testing.T, defs Object) {
	t.Helper()
	for name, def := range defs {
		for field, s := range def.(Object)["properties"].(Object) {
			if what, ok := s.(Object)["description"].(string); !ok || what == "" {
				t.Errorf("nothing says what %s of %s is: give the field a comment", field, name)
			}
		}
	}
}

// Fits requires that printed data fits the schema.
func Fits(t *testing.T, s *jsonschema.Schema, what string, data []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v\n%.300s", what, err, data)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// Surprised demands that a report with a field that the schema does not know, in any of its
// objects, does not have the schema. Objects at places that were looked at before are left out.
func Surprised(t *testing.T, s *jsonschema.Schema, what string, data []byte, seen map[string]bool) {
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
