package histogram

import (
	"framescope/charts/chartstest"
	"framescope/model"
	"testing"
)

func TestGoldenHistogram(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 232, 150)
	rig.Env.View.SelectFrames(100, 100)
	rig.Env.View.SelectCollector(chartstest.CDraw)
	rig.Check(t, New(), "histogram")
	rig.Env.View.SelectCollector(model.NoCollector)
	rig.Check(t, New(), "histogram_empty")
}

func TestHistogramCountsEveryFrame(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 300, 160)
	rig.Env.View.SelectFrames(150, 150)
	rig.Env.View.SelectCollector(0)
	h := New()
	rig.Tick(h)
	sum := int32(0)
	for _, n := range h.Bins {
		sum += n
	}
	if sum != chartstest.TestFrames || h.mark != len(h.Bins)-1 {
		t.Errorf("%d frames in bins, the hitch in bin %d of %d", sum, h.mark, len(h.Bins))
	}
	// a click on a bin goes to a frame of it
	bin := h.BinOf(float32(h.median))
	r := h.BinRect(bin)
	rig.Click(h, (r.X0+r.X1)/2, r.Y1-3)
	rig.Tick(h)
	if h.mark != bin {
		t.Errorf("the frame selected is in bin %d, the click was on %d", h.mark, bin)
	}
	if hit := h.HitTest(rig.Env, (r.X0+r.X1)/2, r.Y1-3); len(hit.Lines) != 2 {
		t.Errorf("tooltip %q", hit.Lines)
	}
	i := 0
	tick := func() {
		i++
		rig.Env.View.SelectFrames(i%100, i%100)
		rig.Move(h, 20+float32(i%200), 100)
		h.HitTest(rig.Env, rig.In.X, rig.In.Y)
	}
	for range 200 {
		tick()
	}
	if n := testing.AllocsPerRun(100, tick); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}
