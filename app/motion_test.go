package app

import (
	"testing"

	"framescope/app/sessions"
	"framescope/app/settings"
	"framescope/internal/testkit"
)

// Jumps are animated as the settings say; numbers are shown at a readable pace either way.
func TestMotion(t *testing.T) {
	g := newTestGame(t, sessions.Options{})
	for motion, want := range map[string]bool{settings.MotionOn: true, settings.MotionOff: false} {
		g.settings.Motion = motion
		g.stage.begin()
		e := &g.stage.env
		testkit.That(t, e.Animate == want && e.Paced, "motion %s: animated %v, paced %v", motion, e.Animate, e.Paced)
	}
}
