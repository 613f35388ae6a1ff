package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/internal/recordings"
)

// whySchemaFile is the schema of what `why --json` prints.
const whySchemaFile = "docs/why.schema.json"

// whySchema returns the schema in the docs, which is the one of the types.
func whySchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	defs := object{}
	all := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "framescope why --json",
		"description": "What why --json prints, and with --by-cause. Numbers have base units (ns, counts); why.md says what each is.",
		"anyOf":       []any{schemaOf(reflect.TypeFor[[]whyFrame](), defs), schemaOf(reflect.TypeFor[[]whyGroup](), defs)},
		"$defs":       defs,
	}
	for name, def := range defs {
		for field, s := range def.(object)["properties"].(object) {
			if what, ok := s.(object)["description"].(string); !ok || what == "" {
				t.Errorf("nothing says what %s of %s is: give the field a comment", field, name)
			}
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(all); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(recordings.Root(t), whySchemaFile)
	if *update {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, b.Bytes()) {
		t.Fatal("docs/why.schema.json is not that of the answers: go test ./app/report -update")
	}
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("why.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("why.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What why prints of recordings of real programs has the schema, and says in words what it says in
// figures.
func TestWhyOfRealSessions(t *testing.T) {
	schema := whySchema(t)
	hitches := 0
	for _, of := range [][2]string{
		{"pstats", "late.pstats"}, {"pstats", "nested.pstats"}, {"pstats", "killed.pstats"},
		{"gsttrace", "latency-tee-queues.log.gz"}, {"gsttrace", "all-audio-chain.log.gz"},
	} {
		name := of[1]
		s := openCapture(t, of[0], name)
		for _, o := range []WhyOptions{{}, {Every: true, Range: rng(t, "1:20")}, {ByCause: true}} {
			var text, data bytes.Buffer
			if err := WriteWhy(&text, s, o); err != nil {
				t.Fatal(name, err)
			}
			o.JSON = true
			if err := WriteWhy(&data, s, o); err != nil {
				t.Fatal(name, err)
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data.Bytes()))
			if err != nil {
				t.Fatal(name, err)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			list := v.([]any)
			if lines := strings.Count(text.String(), "\n"); lines != max(len(list), 1) {
				t.Errorf("%s: %d lines of %d answers", name, lines, len(list))
			}
			if !o.Every && !o.ByCause {
				hitches += len(list)
			}
		}
	}
	if hitches < 5 {
		t.Errorf("%d hitches", hitches)
	}
}
