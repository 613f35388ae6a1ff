package store_test

import (
	"math"
	"slices"
	"testing"

	"framescope/model"
	"framescope/model/store"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestObjectsNeverLieInThemselves(t *testing.T) {
	s := store.NewSession()
	for _, d := range []model.ObjectDef{{ID: 0, Parent: 2}, {ID: 1, Parent: 0}, {ID: 2, Parent: 1}, {ID: 3, Parent: 3}, {ID: 4, Parent: -7}, {ID: 5, Parent: math.MaxInt32}, {ID: 6, Parent: 2}} {
		s.Apply(d)
	}
	want := map[model.ObjectID][]model.ObjectID{model.NoObject: {2, 3, 4, 5}, 2: {0, 6}, 0: {1}, 1: nil}
	for id, list := range want {
		if diff := gocmp.Diff(list, s.ObjectChildren(id)); diff != "" {
			t.Errorf("in %d: %s", id, diff)
		}
	}
	// A chain of a thousand is cut, but has all of them.
	for i := range model.ObjectID(1000) {
		s.Apply(model.ObjectDef{ID: 10 + i, Parent: 9 + i})
	}
	longest := 0
	for id := range model.ObjectID(len(s.Objects())) {
		n := 0
		for at := id; at != model.NoObject; n++ {
			o, _ := s.Object(at)
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

func TestIndexesLikePlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := store.NewSession()
		for range rapid.IntRange(0, 60).Draw(t, "definitions") {
			if rapid.Bool().Draw(t, "object") {
				s.Apply(model.ObjectDef{ID: model.ObjectID(rapid.IntRange(0, 12).Draw(t, "id")), Parent: model.ObjectID(rapid.IntRange(-1, 12).Draw(t, "parent"))})
				continue
			}
			s.Apply(model.SeriesDef{
				ID: model.SeriesID(rapid.IntRange(0, 12).Draw(t, "id")), Role: model.SeriesRole(rapid.IntRange(0, 3).Draw(t, "role")), Group: rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "group"),
				Object: model.ObjectID(rapid.IntRange(-1, 3).Draw(t, "of")), Track: model.TrackID(rapid.IntRange(-1, 2).Draw(t, "track")), Name: "x",
			})
		}
		seen := 0
		for parent := model.NoObject; parent <= 12; parent++ { // defined or not
			for _, id := range s.ObjectChildren(parent) {
				if o, _ := s.Object(id); o.Parent != parent {
					t.Fatalf("object %d is not in %d", id, parent)
				}
				seen++
			}
		}
		var defined int
		for id, o := range s.Objects() {
			if slices.Contains(s.ObjectChildren(o.Parent), model.ObjectID(id)) {
				defined++
			}
		}
		if seen != defined {
			t.Fatalf("%d children, %d objects", seen, defined)
		}
		roles, groups := 0, 0
		for id := range model.SeriesID(s.NumSeries()) {
			d := s.Series(id).Def
			if d.Name == "" {
				continue // fills a hole
			}
			roles++
			if !slices.Contains(s.SeriesByRole(d.Role), id) || d.Object >= 0 && !slices.Contains(s.SeriesOf(d.Object), id) || d.Track >= 0 && !slices.Contains(s.SeriesOfTrack(d.Track), id) {
				t.Fatalf("series %d is missing in an index", id)
			}
		}
		var names []string
		for _, g := range s.SeriesByGroup() {
			names = append(names, g.Name)
			groups += len(g.Series)
			if len(g.Series) == 0 || !slices.IsSorted(g.Series) {
				t.Fatalf("group %+v", g)
			}
			for _, id := range g.Series {
				if s.Series(id).Def.Group != g.Name {
					t.Fatalf("series %d is not of group %q", id, g.Name)
				}
			}
		}
		slices.Sort(names)
		if len(slices.Compact(names)) != len(names) || groups != roles {
			t.Fatalf("groups %q of %d series, %d are defined", names, groups, roles)
		}
	})
}
