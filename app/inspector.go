package app

import (
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// inspected is the subject of the inspector.
type inspected struct {
	session *store.Session
	choice  view.Choice
}

// like reports whether it is of the same kind: a user stepping through frames, calls or elements, or
// comparing collectors, keeps the reading position.
func (a *inspected) like(b *inspected) bool {
	x, y := &a.choice, &b.choice
	return a.session == b.session && x.HasSpan == y.HasSpan && x.Thing.Like(y.Thing) &&
		(x.Collector == model.NoCollector) == (y.Collector == model.NoCollector)
}
