package overview

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// After a step of a program's clock, forwards for a frame or back, a time stands in the column of a
// frame that runs then, and the playhead in that of the selected one.
func TestFrameStripWhereClocksWentBack(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	for k, begin := range []int64{0, 10, 20, 1_000_000, 30, 40, 50, 60, 20, 30, 40, 50, 60, 70} {
		s.Append(&model.Batch{HasFrame: true, Number: int64(k), Begin: begin * 1e6, End: (begin + 10) * 1e6})
	}
	env := chartstest.NewEnv(s, 1)
	env.View = view.New(s)
	env.View.Tick(1e9, false)
	fs := stripOn(env)
	tr := env.View.Shown()
	for at, frame := range map[int64]int{5: 0, 15: 1, 1_000_005: 3, 25: 8, 35: 9, 75: 13} {
		x0, x1, ok := fs.xOfFrame(frame)
		if x := fs.xOfTime(tr, at*1e6); !ok || x < x0 || x > x1 {
			t.Errorf("%d ms stands at %g, frame %d from %g to %g", at, x, frame, x0, x1)
		}
	}
	for _, frame := range []int{2, 3, 6, 10} {
		env.View.SelectFrames(frame, frame)
		if x0, x1, _ := fs.xOfFrame(frame); fs.xOfPlayhead(env.View, tr) < x0 || fs.xOfPlayhead(env.View, tr) >= x1 {
			t.Errorf("the playhead of frame %d stands at %g, the frame from %g to %g", frame, fs.xOfPlayhead(env.View, tr), x0, x1)
		}
	}
}
