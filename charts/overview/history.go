// Package overview draws the strip below the tool bar, the whole of a session at a glance: a bar
// for each frame, or the activity of a session without frames.
package overview

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
)

// History is the strip below the tool bar: the frames of the view's track, or the overview of a
// session without frames.
type History struct {
	Frames   FrameStrip
	Overview Overview
	shown    panel.Panel // of the two, as of the last Update
}

// Update implements Chart.
func (h *History) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	charts := view.PerUnit[panel.Panel]{Frames: &h.Frames, Spans: &h.Overview}
	h.shown = charts.Of(env.View)
	return h.shown.Update(env, rect, in)
}

// now returns the chart that is shown.
func (h *History) now() panel.Panel {
	if h.shown == nil {
		return &h.Frames
	}
	return h.shown
}

// List implements Chart.
func (h *History) List() *draw.List { return h.now().List() }

// HitTest implements Chart.
func (h *History) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	return h.now().HitTest(env, pxX, pxY)
}

// Title implements Chart.
func (h *History) Title(env *panel.Env) string { return h.now().Title(env) }

// Mode implements Chart.
func (h *History) Mode(env *panel.Env) string { return h.now().Mode(env) }
