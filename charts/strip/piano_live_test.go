package strip

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
)

// TestLivePianoFollows runs a game and a piano roll together: it shows the newest frame, four times a
// second another one, as the figures of all panels are.
func TestLivePianoFollows(t *testing.T) {
	g := chartstest.NewLiveGame(20)
	for range 200 {
		g.Frame()
	}
	rig := chartstest.NewRig(g.S, 1, 900, 400)
	rig.Env.Animate, rig.Env.Paced = true, true
	rig.Env.View.Follow(true)
	piano := NewPiano(model.NoTrack)
	number, atNs, times := int64(0), int64(-panel.LiveValuesNs), 0
	for range 120 {
		g.Frame()
		rig.Move(piano, 500, 200)
		newest := g.S.Track(0).Frame(g.S.Track(0).NumFrames() - 1)
		if made := !panel.Stands(rig.Env, atNs); made {
			number, atNs, times = newest.Number, rig.Env.NowNs, times+1
		}
		if piano.source.number != number || piano.source.durNs != newest.End-newest.Begin && number == newest.Number {
			t.Fatalf("the roll shows frame %d, of the moment is %d", piano.source.number, number)
		}
	}
	if times < 4 || times > 12 {
		t.Errorf("%d frames of 2 s were shown", times)
	}
}
