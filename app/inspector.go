package app

import (
	"framescope/app/workspace"
	"framescope/charts/view"
	"framescope/model/spans"
	"framescope/model/store"
)

// inspected is what the inspector is about, but for where in time: who steps through frames or calls of
// one kind reads on where they were.
type inspected struct {
	session *store.Session
	choice  view.Choice
}

// inspect shows the inspector from its begin when it is about another thing than before. Where that was
// chosen in the inspector, the row that was clicked stays under the mouse.
func (g *Game) inspect() {
	v := g.View()
	now := inspected{v.Session(), v.Choice()}
	now.choice.Frame, now.choice.Span = 0, spans.Ref{}
	if now != g.about {
		g.desk.ToTop(workspace.Right, now.session == g.about.session)
		g.about = now
	}
}
