// Package overview draws the strip below the tool bar, the whole of a session at a glance: a bar
// for each frame, or the activity of a session without frames.
package overview

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
)

// History is the strip below the tool bar: the frames of the leading thread, or the overview of a session
// without frames. Of a live session with more frames than it has room for it shows all at the left, and the
// newest beside them.
type History struct {
	Frames   FrameStrip
	Overview Overview
	whole    FrameStrip
	divided  bool
	rect     draw.Rect
	list     *draw.List // of both strips
	made     [2]uint64  // their revisions in it
	shown    panel.Panel
}

// wholeShare is the share of the width that all frames have beside the newest.
const wholeShare = 0.64

// Update implements Chart.
func (h *History) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	charts := view.PerUnit[panel.Panel]{Frames: &h.Frames, Spans: &h.Overview}
	h.shown, h.rect = charts.Of(env.View), rect
	if h.divided = h.shown == panel.Panel(&h.Frames) && h.divides(env, rect); !h.divided {
		return h.shown.Update(env, rect, in)
	}
	left, right := rect, rect
	left.X1 = rect.X0 + panel.Snap(rect.W()*wholeShare)
	right.X0 = left.X1 + env.Px(1)
	h.whole.All = true
	var none panel.Input
	ofWhole, ofNewest := &none, in
	if h.whole.drag != dragNone || h.Frames.drag == dragNone && in.X < left.X1 {
		ofWhole, ofNewest = in, &none
	}
	act := h.whole.Update(env, left, ofWhole)
	if of := h.Frames.Update(env, right, ofNewest); of.Kind != panel.ActionNone {
		act = of
	}
	h.join(env)
	return act
}

// divides reports whether the frames are to be shown in two strips.
func (h *History) divides(env *panel.Env, rect draw.Rect) bool {
	v := env.View
	t := v.Lead()
	if t == nil || rect.W() < env.Px(480) || !v.Live() && !(h.Frames.live && h.Frames.session == v.Session()) {
		return false
	}
	pitch, _ := stripLevel(env, stripDefaultLevel)
	return float32(t.NumFrames())*pitch > rect.W()
}

// join makes one list of those of both strips, if one of them changed.
func (h *History) join(env *panel.Env) {
	lists := [...]*draw.List{h.whole.List(), h.Frames.List()}
	made := [...]uint64{lists[0].Revision(), lists[1].Revision()}
	if !panel.ListFor(&h.list, env) && made == h.made {
		return
	}
	h.made = made
	h.list.Reset(h.rect)
	h.list.Rect(h.rect, draw.Color(env.Theme.Ground))
	for _, l := range lists {
		h.list.Add(l)
	}
}

// now returns the chart that is shown.
func (h *History) now() panel.Panel {
	if h.shown == nil {
		return &h.Frames
	}
	return h.shown
}

// List implements Chart.
func (h *History) List() *draw.List {
	if h.divided {
		return h.list
	}
	return h.now().List()
}

// HitTest implements Chart.
func (h *History) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if h.divided && pxX < h.whole.rect.X1 {
		return h.whole.HitTest(env, pxX, pxY)
	}
	return h.now().HitTest(env, pxX, pxY)
}

// Title implements Chart.
func (h *History) Title(env *panel.Env) string { return h.now().Title(env) }

// Mode implements Chart.
func (h *History) Mode(env *panel.Env) string { return h.now().Mode(env) }
