package view

import (
	"math"
	"testing"

	"framescope/model"
)

// opened returns what is seen of a session whose frames came in pieces of so many, in a panel of
// 725 pixels.
func opened(file bool, frames int, pieces ...int) *View {
	s := define("pstats")
	s.Apply(model.Info{Source: "pstats", File: file})
	v := New(s)
	v.Tick(1, false)
	n := 0
	for i := 0; n < frames; i++ {
		k := min(pieces[i%len(pieces)], frames-n)
		appendFrames(s, int64(n+1), 1000*ms+10*ms*int64(n), k)
		n += k
		v.Tick(int64(i+2), false)
		v.Steer().SetWidthPx(725)
	}
	for i := range int64(3) {
		v.Tick(1000+i, false)
	}
	return v
}

// How many frames a poll happens to bring makes no difference to what is seen, nor to where in a
// pixel it lies.
func TestOpeningDoesNotDependOnPolls(t *testing.T) {
	for _, file := range []bool{false, true} {
		for _, frames := range []int{1, 2, 5, 40} {
			want := opened(file, frames, frames)
			for _, pieces := range [][]int{{1}, {2, 1}, {1, 7}, {4}} {
				got := opened(file, frames, pieces...)
				w, g := want.Time(), got.Time()
				if math.Abs(w.BeginNs-g.BeginNs) > 1 || math.Abs(w.EndNs-g.EndNs) > 1 {
					t.Errorf("file %v, %d frames in pieces of %v: [%.0f, %.0f], at once [%.0f, %.0f]", file, frames, pieces,
						g.BeginNs, g.EndNs, w.BeginNs, w.EndNs)
				}
				if got.FrameA() != want.FrameA() || got.Playhead() != want.Playhead() {
					t.Errorf("file %v, %d frames in pieces of %v: frame %d, at once %d", file, frames, pieces, got.FrameA(), want.FrameA())
				}
			}
		}
	}
}

// The width follows what is typical until the user zooms, pauses or selects.
func TestLiveWidthFollowsWhatIsTypical(t *testing.T) {
	for what, leave := range map[string]func(v *View){
		"nothing": nil,
		"zoom":    func(v *View) { v.Steer().ZoomBy(v.Time().EndNs, 1.2, false, 3) },
		"pause":   func(v *View) { v.Follow(false) },
		"select":  func(v *View) { v.StepFrame(-1) },
	} {
		v := opened(false, 50, 50)
		if w := v.Time().Width(); math.Abs(w-6*DefaultBudgetNs) > 1 {
			t.Fatalf("%.0f ns are seen of frames within the budget", w)
		}
		if leave != nil {
			leave(v)
		}
		width := v.Time().Width()
		for i := range int64(100) {
			b := model.Batch{Track: tMain, HasFrame: true, Number: 51 + i, Begin: 1500*ms + i*50*ms, End: 1550*ms + i*50*ms}
			v.Session().Append(&b)
		}
		v.Tick(2000, false)
		v.Tick(2001, false)
		if leave == nil {
			width = 6 * 4 * DefaultBudgetNs
		}
		if w := v.Time().Width(); math.Abs(w-width) > 1 {
			t.Errorf("after %s: %.0f ns are seen of frames of 50 ms, want %.0f", what, w, width)
		}
	}
}

// A file shows its longest spike once all of it is read, in its surroundings; not where somebody has looked
// at something else by then, or where no frame stands out. Nobody chose the frame.
func TestAFileOpensOnItsWorstFrame(t *testing.T) {
	const long = 30
	for what, c := range map[string]struct {
		slow  int64 // ms that the long frame takes
		leave func(v *View)
		want  int
	}{
		"one stands out":    {60, nil, long},
		"far too long":      {900, nil, long},
		"none stands out":   {10, nil, 0},
		"another is chosen": {60, func(v *View) { v.StepFrame(1) }, 1},
		"it was panned":     {60, func(v *View) { v.Steer().PanPx(-20, 725) }, 0},
	} {
		s := define("pstats")
		s.Apply(model.Info{Source: "pstats", File: true})
		v := New(s)
		appendFrames(s, 1, 1000*ms, long)
		v.Tick(1, false)
		v.Steer().SetWidthPx(725)
		at := 1000*ms + 10*ms*int64(long)
		s.Append(&model.Batch{Track: tMain, HasFrame: true, Number: long + 1, Begin: at, End: at + c.slow*ms})
		appendFrames(s, long+2, at+c.slow*ms, long)
		if v.Tick(2, false); v.FrameA() != 0 {
			t.Fatalf("%s: frame %d while it is read", what, v.FrameA())
		}
		if c.leave != nil {
			c.leave(v)
			v.Tick(3, false)
		}
		s.Apply(model.End{Reason: "end of file"})
		v.Tick(4, false)
		v.Tick(5, false)
		if v.FrameA() != c.want || v.FrameB() != c.want {
			t.Errorf("%s: frames %d to %d, not %d", what, v.FrameA(), v.FrameB(), c.want)
		}
		if chose := v.ChoseRange(); chose != (c.want == 1) {
			t.Errorf("%s: a range was chosen: %v", what, chose)
		}
		f, w := v.Shown().Frame(v.FrameA()), v.Time()
		if c.want == long && (w.BeginNs > float64(f.Begin)-1e6 || w.EndNs < float64(f.End)+1e6) {
			t.Errorf("%s: %v is seen of the frame %v", what, w, f)
		}
	}
}

// A recording whose main thread is known only later opens on a frame of that one all the same.
func TestAFileOpensOnItsMainThread(t *testing.T) {
	s := define("pstats")
	s.Apply(model.Info{Source: "pstats", File: true})
	v := New(s)
	appendFrames(s, 1, 1000*ms, 20)
	if v.Tick(1, false); v.Track() != tMain || v.FrameA() != 0 {
		t.Fatalf("frame %d of track %d", v.FrameA(), v.Track())
	}
	s.Apply(model.TrackDef{ID: tDraw, Name: "Draw", Main: true, Object: model.NoObject, Peer: model.NoObject})
	s.Append(&model.Batch{Track: tDraw, HasFrame: true, Number: 21, Begin: 1210 * ms, End: 1300 * ms})
	s.Apply(model.End{Reason: "end of file"})
	v.Tick(2, false)
	v.Tick(3, false)
	if v.Track() != tDraw || v.FrameA() != 20 || v.ChoseRange() {
		t.Errorf("frame %d of track %d, chosen: %v", v.FrameA(), v.Track(), v.ChoseRange())
	}
}
