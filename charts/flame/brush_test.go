package flame

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timeline"
	"framescope/model"
)

// A range is selected while it is drawn, so that the flame graph of what the mouse has passed is on
// the screen at every tick.
func TestARangeIsSelectedWhileItIsDrawn(t *testing.T) {
	s := chartstest.NewSession(t)
	env := chartstest.NewEnv(s, 1)
	tr := s.Track(env.View.Track())
	env.View.Steer().Set(float64(tr.Frame(100).Begin), float64(tr.Frame(110).End), false, 0)
	rect := draw.Rect{X1: 1000, Y1: 400}
	var tl timeline.Timeline
	flame := New(model.NoCollector)
	in := chartstest.MouseAt(300, 200)
	chartstest.Settle(env, &tl, rect)
	in.Shift, in.Left = true, panel.Button{Down: true, Pressed: true, DownX: 300, DownY: 200}
	tl.Update(env, rect, in)
	last := int64(0)
	for _, x := range []float32{340, 420, 560, 700} {
		in := chartstest.MouseAt(x, 200)
		in.Shift, in.Alt, in.Left = true, true, panel.Button{Down: true, Dragging: true, DownX: 300, DownY: 200}
		tl.Update(env, rect, in)
		flame.Update(env, rect, &panel.Input{})
		if width := env.View.RangeB() - env.View.RangeA(); width <= last {
			t.Fatalf("with the mouse at %v the selected range is %d ns long, not more than the %d ns before", x, width, last)
		} else {
			last = width
		}
		if got := int64(flame.total); got <= 0 || got > last {
			t.Errorf("the flame graph shows %d ns of a range of %d ns", got, last)
		}
	}
}
