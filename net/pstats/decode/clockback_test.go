package decode

import (
	"math"
	"testing"

	"framescope/model"
	"framescope/model/paths"
	"framescope/net/pstats"
)

// A client's clock is set back within a frame, as PStatClient::resume_after_pause does, and between
// two: what was sent as 3 ms takes 3 ms in the call tree of its frame, as it does in the figures of
// the frame; nothing lies over the frames after it or pushes their rows, and a mark tells where it
// was.
func TestClockThatIsSetBack(t *testing.T) {
	const frames, paused = 40, 15
	var list []*pstats.Frame
	at := 10.0
	for n := range frames {
		f := &pstats.Frame{Number: uint32(n)}
		event := func(word uint16) { f.Events = append(f.Events, pstats.Event{Word: word, Time: float32(at)}) }
		event(0)
		event(1)
		switch n {
		case paused: // 300 ms pass in a call, and are taken back after it
			event(3)
			at += 0.300
			event(3 | pstats.StopBit)
			at -= 0.300
			event(2)
		case 2 * paused: // the clock is elsewhere from this frame on
			at -= 0.200
			f.Events = nil
			event(0)
			event(1)
			event(2)
		default:
			event(2)
		}
		at += 0.003
		event(2 | pstats.StopBit)
		at += 0.001
		event(1 | pstats.StopBit)
		event(pstats.StopBit)
		at += 0.001
		list = append(list, f)
	}
	s, losses := sessionOfFrames(t, list)
	if losses != [model.NumLossReasons]int64{} {
		t.Errorf("losses %v", losses)
	}
	tr := s.Track(0)
	if tr.NumFrames() != frames || tr.Lanes() != 3 {
		t.Fatalf("%d frames in %d rows", tr.NumFrames(), tr.Lanes())
	}
	near := func(ns int64, ms float64) bool { return math.Abs(float64(ns)-ms*1e6) < 20e3 }
	var tree paths.Tree
	for i := range frames {
		f := tr.Frame(i)
		if i > 0 && f.Begin < tr.Frame(i-1).End {
			t.Errorf("frame %d begins at %d, the one before it ends at %d", i, f.Begin, tr.Frame(i-1).End)
		}
		seen := false
		for _, in := range s.FrameTotals(0, i, i, &tree, nil) {
			seen = seen || in.Collector == 2
			alone := int64(-1)
			for _, a := range s.Frames().Alone(0, i, nil) {
				if a.Collector == in.Collector {
					alone = a.Ns
				}
			}
			if in.Collector == 2 && (!near(in.Total, 3) || alone != in.Total) {
				t.Errorf("frame %d: %d ns in the call tree, %d in the figures, 3 ms were sent", i, in.Total, alone)
			}
		}
		if !seen {
			t.Errorf("frame %d: the call is not in the call tree", i)
		}
		for _, b := range s.Spans().Visible(0, 2, f.Begin, f.End-1, 0, nil) {
			if b.Collector == 2 && (b.Begin < f.Begin || b.End > f.End || !near(b.End-b.Begin, 3)) {
				t.Errorf("frame %d of [%d, %d]: a bar from %d to %d", i, f.Begin, f.End, b.Begin, b.End)
			}
		}
	}
	marks := s.Messages().Of(0, math.MinInt64, math.MaxInt64, nil)
	if len(marks) != 2 || marks[0].Category != "clock" || marks[0].Severity != model.SeverityWarning {
		t.Fatalf("marks %+v", marks)
	}
	for k, n := range []int{paused, 2 * paused} {
		if f := tr.Frame(n); marks[k].Time < f.Begin || marks[k].Time > f.End {
			t.Errorf("mark %d is at %d, its frame is [%d, %d]", k, marks[k].Time, f.Begin, f.End)
		}
	}
}
