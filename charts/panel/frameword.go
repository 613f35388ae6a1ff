package panel

import "framescope/charts/view"

// OneFrame is what the one frame is called that figures are of.
func OneFrame(v *view.View) string {
	if t := v.Shown(); t != nil && t.NumFrames() == 1 && t.Evicted() == 0 {
		return "the only frame"
	}
	return "this frame"
}
