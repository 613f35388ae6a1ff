package registry

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model/store"
	"framescope/net/pstats/gen"
)

// While a range is being dragged, no panel allocates anything in a tick.
func TestBrushingAllocatesNothing(t *testing.T) {
	made, err := gen.New(gen.Options{Spans: 200_000, Tracks: 4, Depth: 10, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := store.NewSession()
	made.Fill(s)
	begin, end, _ := s.Bounds()
	for _, d := range All() {
		if d.Has != nil && !d.Has(s.Contents()) {
			continue
		}
		t.Run(d.ID, func(t *testing.T) {
			env, p, in := chartstest.NewEnv(s, 1), d.New(), panel.Input{}
			at := int64(0)
			tick := func() {
				at++
				to := begin + (end-begin)/4 + at%200*(end-begin)/400
				env.View.SelectRange(begin+(end-begin)/5, to)
				env.NowNs += 16_666_667
				env.View.Tick(env.NowNs, false)
				in = panel.Input{X: -1, Y: -1, DtNs: 16_666_667}
				p.Update(env, draw.Rect{X1: 900, Y1: 400}, &in)
			}
			for range 400 { // lists have grown to what is needed
				tick()
			}
			if n := testing.AllocsPerRun(200, tick); n > 0 {
				t.Errorf("%g allocations a tick", n)
			}
		})
	}
}
