// Package subject has the looks and names of the things of a session, the same in every panel:
// names, colors, lines of tooltips, measures, budgets, loads. It draws nothing.
package subject

import (
	"framescope/model"

	"framescope/model/store"
)

// UnitOf returns the unit of a counter: its own, or the nearest ancestor's ("inherit").
func UnitOf(s *store.Session, id model.CollectorID) string {
	if id <= 0 {
		return ""
	}
	return s.Collector(id).UnitHere
}
