package subject

import (
	"testing"

	"framescope/model"
	"framescope/model/store"
)

// Collectors that are called alike are named with as much of what they lie in as tells them apart,
// others by their name alone.
func TestNamesApart(t *testing.T) {
	s := store.NewSession()
	for id, d := range []struct {
		name   string
		parent model.CollectorID
	}{
		{"Frame", model.NoCollector}, {"Cull", 0}, {"Draw", 0}, {"Scene", 1}, {"Scene", 2}, {"Flip", 2},
		{"Shadow", 0}, {"Draw", 6}, {"Scene", 7}, {"Scene", 0}, {"dScene", 2},
	} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: d.name, Parent: d.parent})
	}
	for id, want := range map[model.CollectorID]string{
		1: "Cull", 2: "Draw", 3: "Cull:Scene", 4: "Draw:Scene", 5: "Flip", 7: "Shadow:Draw", 8: "Shadow:Draw:Scene",
		9: "Scene", 10: "dScene",
	} {
		if got := NameApart(s, id); got != want {
			t.Errorf("%d is called %q, not %q", id, got, want)
		}
	}
}
