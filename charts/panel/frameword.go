package panel

import "framescope/charts/view"

// OneFrame is the name of the one frame of some figures.
func OneFrame(v *view.View) string {
	if t := v.Shown(); t != nil && t.NumFrames() == 1 && t.Evicted() == 0 {
		return "the only frame"
	}
	return "this frame"
}
