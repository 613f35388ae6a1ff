package timepane

import (
	"testing"

	"framescope/charts/chartstest"
)

// The readout of a range counts the frames that are selected when the mouse is released, and their
// rate is theirs, not that of the part of them that the range is.
func TestReadoutCountsWhatIsSelected(t *testing.T) {
	s := chartstest.NewSession(t)
	env := chartstest.NewEnv(s, 1)
	v := env.View
	tr := v.Shown()
	f := tr.Frame(20)
	long := tr.Frame(21).End - f.Begin
	for _, c := range []struct{ a, b int64 }{
		{f.Begin, f.End}, {f.Begin + 1000, f.End - 1000}, {f.Begin + 1000, f.End + 1000}, {f.Begin, tr.Frame(21).End},
		{f.End - 1000, tr.Frame(23).Begin + 1000}, {f.Begin - 1, f.Begin + 1},
	} {
		v.SelectRange(c.a, c.b)
		var o rangeReadout
		o.update(env, nil, c.a, c.b)
		if want := int64(v.FrameB() - v.FrameA() + 1); o.frames != want || v.FrameA() < 0 {
			t.Errorf("[%d, %d]: the readout says %d frames, %d are selected", c.a, c.b, o.frames, want)
		}
		if o.frames == 2 && v.FrameA() == 20 && o.rate != 2e9/float64(long) {
			t.Errorf("two frames of %d ns together are said to come at %v Hz", long, o.rate)
		}
	}
}
