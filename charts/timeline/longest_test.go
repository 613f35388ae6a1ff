package timeline

import (
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/model"
)

// While frames come in, and all of the session is seen, the longest frame is asked for of the bars
// that are new, not of those that stay.
func TestLongestFramesStay(t *testing.T) {
	s := scaleSession(1_000_000)
	begin, end, _ := s.Bounds()
	env := chartstest.NewEnv(s, 1)
	var tl Timeline
	asked, most := 0, 0
	for tick := range 40 {
		if tick > 0 {
			tr := s.Track(0)
			b := model.Batch{HasFrame: true, Number: tr.FrameNumber(tr.NumFrames()-1) + 1, Begin: end, End: end + 16_000_000}
			b.Spans = append(b.Spans, model.Span{Path: 1, Begin: end, End: end + 16_000_000})
			s.Append(&b)
			end = b.End
		}
		env.View.Tick(int64(tick+1), false)
		env.View.Steer().Set(float64(begin), float64(end), false, 0)
		chartstest.Settle(env, &tl, draw.Rect{X1: 1000, Y1: 640})
		if n := len(tl.spans.longest.kept); n < 100 {
			t.Fatalf("%d bars of merged frames", n)
		}
		for _, k := range tl.spans.longest.kept {
			tr := s.Track(k.track)
			from := max(tr.FrameAt(k.begin), 0)
			if want := tr.LongestFrame(from, from+int(k.count)-1); k.longestNs != want {
				t.Fatalf("tick %d: longest of %d frames at %d: %d, want %d", tick, k.count, k.begin, k.longestNs, want)
			}
		}
		if tick > 0 {
			most = max(most, tl.spans.longest.asked-asked)
		}
		asked = tl.spans.longest.asked
	}
	if most > 4 {
		t.Errorf("up to %d bars were asked for in a tick", most)
	}
}
