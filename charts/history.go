package charts

import "framescope/charts/draw"

// History is the strip below the tool bar: the frames of the view's track, or the overview of a session without frames.
type History struct {
	Frames   FrameStrip
	Overview Overview
	overview bool
}

// Update implements Chart.
func (h *History) Update(env *Env, rect draw.Rect, in *Input) Action {
	if h.overview = env.View.Unframed(); h.overview {
		return h.Overview.Update(env, rect, in)
	}
	return h.Frames.Update(env, rect, in)
}

// now returns the chart that is shown.
func (h *History) now() Chart {
	if h.overview {
		return &h.Overview
	}
	return &h.Frames
}

// List implements Chart.
func (h *History) List() *draw.List { return h.now().List() }

// HitTest implements Chart.
func (h *History) HitTest(env *Env, pxX, pxY float32) Hit { return h.now().HitTest(env, pxX, pxY) }

// Title implements Chart.
func (h *History) Title(env *Env) string { return h.now().Title(env) }

// Mode implements Chart.
func (h *History) Mode(env *Env) string { return h.now().Mode(env) }
