package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"framescope/internal/recordings"
)

// document returns the schema in a file of docs, which is the one that is made of the types: of a title
// (the command that prints it), a description, the shape of the whole, and the types in that. With
// -update the file is written anew.
func document(t *testing.T, file, title, description string, shape, defs object) *jsonschema.Schema {
	t.Helper()
	all := object{
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
	if *update {
		if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("docs/%s is not that of the types: go test ./app/report -update", file)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(file, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// described demands that the schema says of every field of the types what it is.
func described(t *testing.T, defs object) {
	t.Helper()
	for name, def := range defs {
		for field, s := range def.(object)["properties"].(object) {
			if what, ok := s.(object)["description"].(string); !ok || what == "" {
				t.Errorf("nothing says what %s of %s is: give the field a comment", field, name)
			}
		}
	}
}
