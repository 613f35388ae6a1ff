package charts

import (
	"framescope/model"
	"testing"
)

// TestLivePianoFollows runs a game and a piano roll together: it shows the newest frame.
func TestLivePianoFollows(t *testing.T) {
	g := newLiveGame(20)
	for range 200 {
		g.frame()
	}
	rig := newPanelRig(g.s, 1, 900, 400)
	rig.env.Animate = true
	rig.env.View.Follow(true)
	piano := NewPianoRoll(model.NoTrack)
	for range 120 {
		g.frame()
		rig.move(piano, 500, 200)
		newest := g.s.Track(0).Frame(g.s.Track(0).NumFrames() - 1)
		if piano.source.number != newest.Number {
			t.Fatalf("the roll shows frame %d, the newest is %d", piano.source.number, newest.Number)
		}
	}
}
