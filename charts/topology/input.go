package topology

import (
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// input handles a tick's mouse and keys, by the rules of all panels.
func (t *Chart) input(env *panel.Env, in *panel.Input) (act panel.Action) {
	t.hover = topologyThing{}
	if t.layout == nil || len(t.graph.nodes) == 0 {
		return act
	}
	t.camera.mouseY = in.Y
	g := t.gestures.Update(env, &t.camera, t.regions.plot, in)
	t.camera.pan(0, -g.ScrollPx)
	switch {
	case g.DoubleClick:
		t.doubleClick(env, in)
	case g.Click:
		t.choose(env, t.objectOf(t.at(in.X, in.Y)))
	case g.Menu:
		act = panel.MenuOf(t.HitTest(env, in.X, in.Y), in.X, in.Y)
	}
	if in.Over && !g.Busy {
		t.hover = t.at(in.X, in.Y)
	}
	return act
}

// choose makes an object the selected one, where it was clicked.
func (t *Chart) choose(env *panel.Env, id model.ObjectID) {
	env.View.Select(view.Element(id))
	t.selected = env.View.Element()
}

// doubleClick zooms to the hovered item; on the ground it shows everything.
func (t *Chart) doubleClick(env *panel.Env, in *panel.Input) {
	x := t.at(in.X, in.Y)
	if x.kind == topologyNode || x.kind == topologyPort {
		t.camera.near(env, t.layout.Boxes[x.node])
		return
	}
	t.Fit(env)
}
