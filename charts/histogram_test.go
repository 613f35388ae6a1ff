package charts

import (
	"framescope/model"
	"testing"
)

func TestGoldenHistogram(t *testing.T) {
	s := newTestSession(t)
	rig := newPanelRig(s, 1, 232, 150)
	rig.env.View.SelectFrames(100, 100)
	rig.env.View.SelectCollector(cDraw)
	rig.check(t, NewHistogram(), "histogram")
	rig.env.View.SelectCollector(model.NoCollector)
	rig.check(t, NewHistogram(), "histogram_empty")
}

func TestHistogramCountsEveryFrame(t *testing.T) {
	s := newTestSession(t)
	rig := newPanelRig(s, 1, 300, 160)
	rig.env.View.SelectFrames(150, 150)
	rig.env.View.SelectCollector(0)
	h := NewHistogram()
	rig.tick(h)
	sum := int32(0)
	for _, n := range h.bins {
		sum += n
	}
	if sum != testFrames || h.mark != len(h.bins)-1 {
		t.Errorf("%d frames in bins, the hitch in bin %d of %d", sum, h.mark, len(h.bins))
	}
	// a click on a bin goes to a frame of it
	bin := h.binOf(float32(h.median))
	r := h.binRect(bin)
	rig.click(h, (r.X0+r.X1)/2, r.Y1-3)
	rig.tick(h)
	if h.mark != bin {
		t.Errorf("the frame selected is in bin %d, the click was on %d", h.mark, bin)
	}
	if hit := h.HitTest(rig.env, (r.X0+r.X1)/2, r.Y1-3); len(hit.Lines) != 2 {
		t.Errorf("tooltip %q", hit.Lines)
	}
	i := 0
	tick := func() {
		i++
		rig.env.View.SelectFrames(i%100, i%100)
		rig.move(h, 20+float32(i%200), 100)
		h.HitTest(rig.env, rig.in.X, rig.in.Y)
	}
	for range 200 {
		tick()
	}
	if n := testing.AllocsPerRun(100, tick); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}
