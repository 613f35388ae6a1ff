package strip

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// Where several gaps are under one pixel a tip names the one between whose neighbours the column is
// interpolated.
func TestTipNamesTheGapOfItsColumn(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: -1, Sort: -1})
	s.Apply(model.TrackDef{ID: 0, Name: "thread"})
	at, took := int64(0), map[int64]float64{} // seconds, by number
	for i := range int64(120) {
		length := 100 + 10*i // none like another
		took[3*i] = float64(length) * 1e-9
		s.Append(&model.Batch{
			Track: 0, HasFrame: true, Number: 3 * i, Begin: at, End: at + length, Alone: []model.CollectorTime{{Collector: 0, Ns: length, Count: 1}},
		})
		at += length + 1000 // two are missing
	}
	rig := chartstest.NewRig(s, 1, 200, 160)
	c := New(model.NoTrack, 0, false)
	c.Columns = frames.StripHold
	rig.Env.View.SelectFrames(0, 0)
	rig.Env.View.Steer().PlaceTime(0, at)
	for range 3 {
		rig.Tick(c)
	}
	seen := 0
	for x := rig.R.X0 + 0.5; x < rig.R.X1; x++ {
		for _, y := range []float32{0.6, 0.85} {
			h := c.HitTest(rig.Env, x, rig.R.Y0+rig.R.H()*y)
			if h.Gap.Count() != 2 || h.Kind != panel.HitBand {
				continue
			}
			column, band := c.bandAt(x, rig.R.Y0+rig.R.H()*y)
			v := float64(c.row(column)[band])
			if a, b := took[h.Gap.FirstNumber-1], took[h.Gap.LastNumber+1]; a == 0 || v < a*0.9999 || v > b*1.0001 {
				t.Errorf("%v at %v, frames %d to %d are missing: between %v and %v", v, x, h.Gap.FirstNumber, h.Gap.LastNumber, a, b)
			}
			seen++
		}
	}
	if seen < 10 {
		t.Errorf("only %d gaps were met", seen)
	}
}
