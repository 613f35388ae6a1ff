package recordings

import (
	"encoding/json"
	"testing"
)

// JSON returns what a JSON file of a recording says, such as what another program found in it. It is Read that
// also decodes.
func JSON[T any](t testing.TB, kind Kind, name string) *T {
	t.Helper()
	v := new(T)
	if err := json.Unmarshal(Read(t, kind, name), v); err != nil {
		t.Fatal(name, err)
	}
	return v
}
