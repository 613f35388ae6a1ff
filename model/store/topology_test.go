package store_test

import (
	"math"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"framescope/model"
	"framescope/model/store"
)

func TestObjectsNeverLieInThemselves(t *testing.T) {
	s := store.NewSession()
	for _, d := range []model.ObjectDef{{ID: 0, Parent: 2}, {ID: 1, Parent: 0}, {ID: 2, Parent: 1}, {ID: 3, Parent: 3}, {ID: 4, Parent: -7}, {ID: 5, Parent: math.MaxInt32}, {ID: 6, Parent: 2}} {
		s.Apply(d)
	}
	want := map[model.ObjectID][]model.ObjectID{model.NoObject: {2, 3, 4, 5}, 2: {0, 6}, 0: {1}, 1: nil}
	for id, list := range want {
		if diff := gocmp.Diff(list, s.Topology().Children(id)); diff != "" {
			t.Errorf("in %d: %s", id, diff)
		}
	}
	// A chain of a thousand is cut, but has all of them.
	for i := range model.ObjectID(1000) {
		s.Apply(model.ObjectDef{ID: 10 + i, Parent: 9 + i})
	}
	longest := 0
	for id := range model.ObjectID(len(s.Topology().Objects())) {
		n := 0
		for at := id; at != model.NoObject; n++ {
			o, _ := s.Topology().Object(at)
			at = o.Parent
			if n > 1000 {
				t.Fatalf("object %d lies in itself", id)
			}
		}
		longest = max(longest, n)
	}
	if longest > 258 {
		t.Errorf("%d objects deep", longest)
	}
}
