package timeline

import (
	"slices"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
)

// Below the name of a thread stands the duration of a frame of its own, and which it is: a thread
// that is cut by the frames of another has none.
func TestFrameTimesAreOfTheirThread(t *testing.T) {
	rig := chartstest.NewRig(chartstest.LoadProfile(t, "small-clean.prof"), 1, 1000, 500)
	rig.Env.View.SelectFrames(0, 0)
	tl := &Timeline{}
	rig.Tick(tl)
	rig.Tick(tl)
	var below []string
	for _, x := range tl.pane.List().Texts() {
		if strings.HasSuffix(x.Text, " ms") && x.Box.X1 <= tl.pane.Gutter().X1 {
			below = append(below, x.Text)
		}
	}
	if !slices.Equal(below, []string{"#0 6.91 ms"}) {
		t.Errorf("below the names stands %q", below)
	}
}

// Of a thread that runs several frames in the selected one, the timeline says the mean that the list of
// threads says, and of how many, below its name and in its tooltip.
func TestFrameTimesAreThoseOfTheList(t *testing.T) {
	several := 0
	rig := chartstest.NewRig(chartstest.LoadCapture(t, "threads"), 1, 1000, 700)
	v, s := rig.Env.View, rig.Env.View.Session()
	i, _ := v.Shown().FrameByNumber(200)
	v.SelectFrames(i, i)
	tl := &Timeline{}
	rig.Tick(tl)
	rig.Tick(tl)
	for id := range model.TrackID(s.NumTracks()) {
		first, last := panel.FramesOf(v, id)
		x, ok := tl.times.of[id]
		if !ok || last < first {
			continue
		}
		sum := int64(0)
		for i := first; i <= last; i++ {
			f := s.Track(id).Frame(i)
			sum += f.End - f.Begin
		}
		n := int64(last - first + 1)
		if x.count() != n || x.meanNs < sum/n || x.meanNs > sum/n+1 {
			t.Errorf("%s: %d frames of %d ns, and not %d of %d", s.Track(id).Title(), x.count(), x.meanNs, n, sum/n)
		}
		var tip panel.TipLines
		tip.Begin()
		x.tip(&tip, 0)
		said := string(x.append(nil, 0, frameTimeNames)) + tip.All()[0]
		if strings.Count(said, "mean of ") != 2*int(min(n-1, 1)) {
			t.Errorf("%s: %d frames are %q", s.Track(id).Title(), n, said)
		}
		several += int(min(n-1, 1))
	}
	if several == 0 {
		t.Error("no thread runs several frames in the selected one")
	}
}
