package app

import (
	"framescope/app/workspace"
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

// inspect shows the inspector from its begin when it is about another kind of thing than before. Where
// that was chosen in the inspector, the row that was clicked stays under the mouse.
func (g *Game) inspect() {
	v := g.View()
	now := inspected{v.Session(), v.Choice()}
	if !now.like(&g.about) {
		g.desk.ToTop(workspace.Right, now.session == g.about.session)
	}
	g.about = now
}
