package e2e

import "testing"

// A recording is closed by the cross in its row; after the last one the window says again what to
// do.
func TestClose(t *testing.T) {
	v := startViewer(t, start{w: 1600, h: 900, scale: 1, files: []string{recording("nested"), recording("late")}})
	v.rest()
	v.click(v.at("sessions", 60, 78)) // whichever was there first
	v.rest()
	v.move(v.at("sessions", -14, 40))
	v.ticks(3)
	v.see("two-recordings")
	v.click(v.at("sessions", -14, 40)) // the first
	v.rest()
	v.see("one-closed")
	v.click(v.at("sessions", -14, 40)) // the other
	v.rest()
	v.see("all-closed")
}
