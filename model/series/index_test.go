package series_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

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
			for _, id := range s.Topology().Children(parent) {
				o, _ := s.Topology().Object(id)
				testkit.MustThat(t, o.Parent == parent, "object %d is not in %d", id, parent)
				seen++
			}
		}
		var defined int
		for id, o := range s.Topology().Objects() {
			if slices.Contains(s.Topology().Children(o.Parent), model.ObjectID(id)) {
				defined++
			}
		}
		testkit.MustEqual(t, seen, defined, "%d children, %d objects", seen, defined)
		roles, groups := 0, 0
		for id := range model.SeriesID(s.Series().Len()) {
			d := s.Series().ByID(id).Def
			if d.Name == "" {
				continue // fills a hole
			}
			roles++
			if !slices.Contains(s.Series().ByRole(d.Role), id) || d.Object >= 0 && !slices.Contains(s.Series().ByObject(d.Object), id) || d.Track >= 0 && !slices.Contains(s.Series().ByTrack(d.Track), id) {
				t.Fatalf("series %d is missing in an index", id)
			}
		}
		var names []string
		for _, g := range s.Series().ByGroup() {
			names = append(names, g.Name)
			groups += len(g.Series)
			testkit.MustThat(t, len(g.Series) != 0 && slices.IsSorted(g.Series), "group %+v", g)
			for _, id := range g.Series {
				testkit.MustEqual(t, s.Series().ByID(id).Def.Group, g.Name, "series %d is not of group %q", id, g.Name)
			}
		}
		slices.Sort(names)
		testkit.MustThat(t, len(slices.Compact(names)) == len(names) && groups == roles,
			"groups %q of %d series, %d are defined", names, groups, roles)
	})
}
