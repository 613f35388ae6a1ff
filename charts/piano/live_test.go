package piano

import (
	"framescope/charts/chartstest"
	"framescope/model"
	"testing"
)

// TestLivePianoFollows runs a game and a piano roll together: it shows the newest frame.
func TestLivePianoFollows(t *testing.T) {
	g := chartstest.NewLiveGame(20)
	for range 200 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	piano := New(model.NoTrack)
	for range 120 {
		g.Frame()
		rig.Move(piano, 500, 200)
		newest := g.S.Track(0).Frame(g.S.Track(0).NumFrames() - 1)
		if piano.source.number != newest.Number {
			t.Fatalf("the roll shows frame %d, the newest is %d", piano.source.number, newest.Number)
		}
	}
}
