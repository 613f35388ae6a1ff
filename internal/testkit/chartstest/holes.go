package chartstest

import (
	"framescope/model"
	"framescope/model/store"
)

// HolesSession has spans on call paths without a definition.
func HolesSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "All"})
	s.Apply(model.PathDef{ID: 3, Parent: 1, Collector: 0})
	s.Apply(model.PathDef{ID: 4, Parent: 3, Collector: 5})
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	s.Append(&model.Batch{Begin: 0, End: 100, Spans: []model.Span{
		{Begin: 0, End: 100, Path: 1}, {Begin: 1, End: 90, Path: 3, Lane: 1}, {Begin: 2, End: 50, Path: 4, Lane: 2},
		{Begin: 60, End: 70, Path: 2, Lane: 2},
	}})
	s.Apply(model.Info{File: true})
	return s
}
