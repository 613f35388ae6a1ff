package spans

import (
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// Indexes over series. They change with the definitions, not with the samples, so that no walk over
// all series is needed in every frame.

// indexEntryBytes is about the size of an id in a list, with its share of list and map.
const indexEntryBytes = 32

// SeriesGroup is the series that have Group in common, ascending by id.
type SeriesGroup struct {
	Name   string
	Series []model.SeriesID
}

// seriesIndex finds series by the thing that they belong to. All lists are ascending.
type seriesIndex struct {
	byObject map[model.ObjectID][]model.SeriesID
	byTrack  map[model.TrackID][]model.SeriesID
	byRole   map[model.SeriesRole][]model.SeriesID
	groups   []SeriesGroup
	groupOf  map[string]int
	entries  int64
}

func (x *seriesIndex) init() {
	if x.byObject == nil {
		*x = seriesIndex{
			byObject: map[model.ObjectID][]model.SeriesID{}, byTrack: map[model.TrackID][]model.SeriesID{},
			byRole: map[model.SeriesRole][]model.SeriesID{}, groupOf: map[string]int{},
		}
	}
}

// addSeries takes a series that was not defined before.
func (x *seriesIndex) addSeries(d *model.SeriesDef) {
	x.init()
	if d.Object != model.NoObject {
		x.byObject[d.Object] = columns.InsertID(x.byObject[d.Object], d.ID)
	}
	if d.Track != model.NoTrack {
		x.byTrack[d.Track] = columns.InsertID(x.byTrack[d.Track], d.ID)
	}
	x.byRole[d.Role] = columns.InsertID(x.byRole[d.Role], d.ID)
	k, ok := x.groupOf[d.Group]
	if !ok {
		k = len(x.groups)
		x.groupOf[d.Group] = k
		x.groups = append(x.groups, SeriesGroup{Name: d.Group})
	}
	x.groups[k].Series = columns.InsertID(x.groups[k].Series, d.ID)
	x.entries += 4
}

// removeSeries forgets a definition that another one replaces.
func (x *seriesIndex) removeSeries(d *model.SeriesDef) {
	columns.RemoveFrom(x.byObject, d.Object, d.ID)
	columns.RemoveFrom(x.byTrack, d.Track, d.ID)
	columns.RemoveFrom(x.byRole, d.Role, d.ID)
	k := x.groupOf[d.Group]
	if x.groups[k].Series = columns.RemoveID(x.groups[k].Series, d.ID); len(x.groups[k].Series) == 0 {
		x.groups = slices.Delete(x.groups, k, k+1)
		delete(x.groupOf, d.Group)
		for i := k; i < len(x.groups); i++ {
			x.groupOf[x.groups[i].Name] = i
		}
	}
	x.entries -= 4
}
