package store_test

import (
	"math"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
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
		testkit.NoDiff(t, gocmp.Diff(list, s.Topology().Children(id)), "in %d", id)
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
			testkit.MustThat(t, n <= 1000, "object %d lies in itself", id)
		}
		longest = max(longest, n)
	}
	testkit.That(t, longest <= 258, "%d objects deep", longest)
}
