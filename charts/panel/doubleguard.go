package panel

import "framescope/charts/view"

// DoubleGuard keeps the clicks of a double click from acting as single clicks: it takes back the
// first one's effect on following live data, and swallows the second.
type DoubleGuard struct {
	live    bool // the view was live before the last single click
	swallow bool
}

// Single notes a single click and reports whether it counts. Call it before the click has an effect.
func (d *DoubleGuard) Single(v *view.View) bool {
	if d.swallow {
		d.swallow = false
		return false
	}
	d.live = v.Live()
	return true
}

// Doubled notes a double click.
func (d *DoubleGuard) Doubled(v *view.View, in *Input) {
	if d.live && !v.Live() {
		v.Follow(true)
	}
	d.live = false
	d.swallow = in.Left.Down // its release is still to come
}
