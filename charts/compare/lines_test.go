package compare_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	panels "framescope/charts/compare"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/store"
)

func newLines() *panels.Lines {
	return panels.NewLines(func() panels.Timeline { return &timeline.Timeline{} })
}

// linesOf are the timelines of what a window compares.
func linesOf(rig *chartstest.Rig) *panels.Lines {
	l := newLines()
	rig.Ticks(l, 2)
	return l
}

func TestGoldenLines(t *testing.T) {
	chartstest.AtScales(t, "compare_lines", func(t *testing.T, scale float32, name string) {
		chartstest.NewComparedRig(scale, 900, 320).Check(t, newLines(), name)
	})
	t.Run("light", func(t *testing.T) {
		rig := chartstest.ComparedFrames(1, 900, 320)
		chartstest.Light(rig.Env, true)
		l := newLines()
		rig.Tick(l)
		x, y := middleOf(l, rig, view.SideB)
		rig.Below()
		rig.Move(l, x, y)
		rig.Check(t, l, "compare_lines_light")
	})
	t.Run("empty", func(t *testing.T) {
		rig := chartstest.NewComparedRig(1, 720, 160)
		rig.Env.Comparing = new(view.Comparing)
		rig.Check(t, newLines(), "compare_lines_empty")
	})
}

// middleOf returns a point in the timeline of a side where a bar is.
func middleOf(l *panels.Lines, rig *chartstest.Rig, side int) (x, y float32) {
	x = rig.R.X0 + rig.R.W()*0.3
	from, until := rig.R.Y0, (rig.R.Y0+rig.R.Y1)/2
	if side == view.SideB {
		from, until = until, rig.R.Y1
	}
	for y = from + 60; y < until; y++ {
		if h := l.HitTest(rig.Env, x, y); len(h.Lines) > 1 && strings.Contains(strings.Join(h.Lines, "\n"), "duration") {
			return x, y + 4
		}
	}
	return x, (from + until) / 2
}

// facts returns what the panel states, by side and measure.
func facts(l *panels.Lines, rig *chartstest.Rig) (of [2]map[string]float64) {
	of = [2]map[string]float64{{}, {}}
	for _, f := range l.Facts(rig.Env, nil) {
		of[f.Row][f.Measure] = f.Value
	}
	return of
}

// together tells whether both sides show the same time, counted from what they are aligned at, in plots
// that are equally wide.
func together(t *testing.T, l *panels.Lines, rig *chartstest.Rig, what string) {
	t.Helper()
	f := facts(l, rig)
	for _, measure := range []string{"begin", "width", "plot"} {
		a, b := f[0][measure], f[1][measure]
		testkit.That(t, math.Abs(a-b) <= 1e-3 && a != 0, "%s: %s is %v in A and %v in B", what, measure, a, b)
	}
}

// Both timelines are on one scale whichever of them is moved or zoomed, in whichever way, and the window
// that shows one of them moves both.
func TestBothMoveTogether(t *testing.T) {
	for name, make := range rigs(t) {
		t.Run(name, func(t *testing.T) {
			rig := make()
			l := linesOf(rig)
			together(t, l, rig, "at first")
			for side := range 2 {
				x, y := middleOf(l, rig, side)
				rig.Move(l, x, y)
				before := facts(l, rig)
				rig.In.WheelY = 3
				rig.Tick(l)
				together(t, l, rig, "zoomed in a side")
				testkit.That(t, facts(l, rig)[side]["width"] < before[side]["width"],
					"the wheel over side %d zooms nothing", side)
				rig.Drag(l, x, y, x-120, y)
				together(t, l, rig, "dragged in a side")
			}
			v := rig.Env.View
			b, e := v.Steer().Target()
			v.Steer().Set(b+2e6, e+9e6, false, rig.Env.NowNs)
			rig.Tick(l)
			together(t, l, rig, "moved by the window")
			got := facts(l, rig)
			testkit.That(t, got[1]["width"] == e-b+7e6, "it shows %v, the window %v", got[1]["width"], e-b+7e6)
		})
	}
}

// rigs are windows that compare: two sessions, frames of two, and ranges of one.
func rigs(t *testing.T) map[string]func() *chartstest.Rig {
	return map[string]func() *chartstest.Rig{
		"two sessions": func() *chartstest.Rig { return chartstest.NewComparedRig(1, 900, 400) },
		"two frames":   func() *chartstest.Rig { return chartstest.ComparedFrames(1, 900, 400) },
		"one session":  func() *chartstest.Rig { return oneSession(t, 100, 102, 300, 302) },
	}
}

// oneSession is a window that compares frames of one session.
func oneSession(t *testing.T, firstA, lastA, firstB, lastB int) *chartstest.Rig {
	t.Helper()
	rig := chartstest.NewComparedRig(1, 900, 400)
	s := rig.Env.View.Session()
	state := new(view.Comparing)
	for side, of := range [][2]int{{firstA, lastA}, {firstB, lastB}} {
		state.Set(side, view.Mark{Side: compare.FramesOf(s, chartstest.TMain, of[0], of[1]), Name: "it", What: "frames"}, 0)
	}
	for state.Result() == nil {
		state.Tick(1 << 20)
	}
	rig.Env.Comparing = state
	return rig
}

// Time 0 is where the frames that are compared begin, or the first call of the selected collector in
// them, or the frame of median length; where a side has no such call that is said, and both begins are.
func TestWhatLiesAtZero(t *testing.T) {
	rig := oneSession(t, 100, 140, 300, 340)
	l := linesOf(rig)
	s, state := rig.Env.View.Session(), rig.Env.Comparing
	main := s.Track(chartstest.TMain)
	first := [2]int{100, 300}
	for side, f := range facts(l, rig) {
		testkit.That(t, f["zero"] == float64(main.Frame(first[side]).Begin), "side %d counts from %v", side, f["zero"])
	}
	draw := model.CollectorID(chartstest.CDraw)
	rig.Env.View.SelectCollector(draw)
	l.AlignCall(rig.Env)
	rig.Ticks(l, 2)
	for side, f := range facts(l, rig) {
		begin := main.Frame(first[side]).Begin
		want := int64(math.MaxInt64)
		for id := range model.TrackID(s.NumTracks()) {
			if b, some := s.Spans().Next(id, draw, begin-1, 1); some {
				want = min(want, b.Begin)
			}
		}
		testkit.That(t, f["zero"] == float64(want),
			"side %d counts from %v, want the call at %d", side, f["zero"], want)
	}
	together(t, l, rig, "at a call")
	l.AlignMedian(rig.Env)
	for range 50 {
		state.Tick(4)
		rig.Tick(l)
	}
	for side := range 2 {
		z, _ := state.Zero(side)
		got := math.Inf(1)
		best := math.Inf(1)
		median := state.Result().Frames.Sides[side].Median
		for i := first[side]; i <= first[side]+40; i++ {
			f := main.Frame(i)
			by := math.Abs(float64(f.End-f.Begin) - median)
			best = min(best, by)
			if f.Begin == z.AtNs {
				got = by
			}
		}
		testkit.That(t, got == best,
			"side %d: frame %d is %v from the median, the nearest %v", side, z.Frame, got, best)
	}
	state.Align(view.AlignCall, "nothing of this name", "")
	rig.Tick(l)
	if z, _ := state.Zero(view.SideB); z.AtNs != main.Frame(300).Begin || !state.Lacks(view.SideA) {
		t.Errorf("without the call B counts from %d", z.AtNs)
	}
	m := l.Mode(rig.Env)
	testkit.That(t, strings.HasPrefix(m, "not aligned: no nothing of this name in A and B"), "%v", m)
}

// Swapping the sides is a step of whoever does it, also where what lies at time 0 is found later: the
// timelines follow without one of their own. Another alignment is one.
func TestOtherSidesAreNoStepOfTheTimelines(t *testing.T) {
	for name, rig := range rigs(t) {
		for _, by := range []view.Alignment{view.AlignBegin, view.AlignMedian} {
			rig := rig()
			l, state, v := newLines(), rig.Env.Comparing, rig.Env.View
			rig.Tick(l)
			ticks := func() {
				for range 60 {
					state.Tick(4)
					rig.Tick(l)
				}
			}
			state.Align(by, "", "")
			ticks()
			steps := v.CanBack()
			testkit.That(t, steps == (by != view.AlignBegin), "%s, aligned by %d: a step was made: %v", name, by, steps)
			for v.CanBack() {
				v.Back()
			}
			ticks()
			state.Swap()
			ticks()
			testkit.That(t, !v.CanBack(),
				"%s, aligned by %d: the timelines made a step when the sides were swapped", name, by)
		}
	}
}

// Of two single frames both timelines scroll to the thread that explains the difference, once.
func TestLinesShowWhatExplains(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 900, 160)
	s := rig.Env.View.Session()
	state := rig.Env.Comparing
	single := func(i int) *compare.Result {
		for side := range 2 {
			state.Set(side, view.Mark{Side: compare.FramesOf(s, chartstest.TMain, i+side, i+side)}, 0)
		}
		state.Tick(1 << 30)
		return state.Result()
	}
	seen := 0
	for i := range s.Track(chartstest.TMain).NumFrames() - 1 {
		r := single(i)
		if r.Explains < 0 {
			continue
		}
		track := r.Threads[r.Collectors[r.Explains].Thread].Tracks[0]
		if track == chartstest.TMain {
			continue
		}
		seen++
		l := linesOf(rig)
		var of [2]bool
		for y := rig.R.Y0; y < rig.R.Y1; y++ {
			if h := l.HitTest(rig.Env, rig.R.X0+20, y); h.Track == track {
				of[int((y-rig.R.Y0)/(rig.R.H()/2))] = true
			}
		}
		testkit.That(t, of[0] && of[1], "frames %d and %d: track %d is in view in A, B: %v", i, i+1, track, of)
		if seen == 3 {
			break
		}
	}
	testkit.That(t, seen > 0, "no two frames differ by a thread that is not theirs")
}

// What is pointed at in one side is in the other: a line at the time that is as far from time 0, and the
// collector of the same name.
func TestPointingShowsInTheOther(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 900, 400)
	m, _ := rig.Env.Comparing.Marked(view.SideA)
	va := view.New(m.Side.Session)
	va.Follow(false)
	rig.Env.ViewOf = func(s *store.Session) *view.View {
		if s == m.Side.Session {
			return va
		}
		return nil
	}
	l := linesOf(rig)
	for side, views := range [2][2]*view.View{{va, rig.Env.View}, {rig.Env.View, va}} {
		x, y := middleOf(l, rig, side)
		rig.Move(l, x, y)
		from, to := views[0].Pointer(), views[1].Pointer()
		testkit.MustThat(t, from.Collector() != model.NoCollector && from.HasTime() && to.HasTime(),
			"side %d: nothing is pointed at", side)
		za, _ := rig.Env.Comparing.Zero(side)
		zb, _ := rig.Env.Comparing.Zero(1 - side)
		testkit.That(t, from.Time()-za.AtNs == to.Time()-zb.AtNs,
			"side %d: %d and %d after time 0", side, from.Time()-za.AtNs, to.Time()-zb.AtNs)
		name := views[0].Session().Collector(from.Collector()).Title()
		got := views[1].Session().Collector(to.Collector())
		testkit.That(t, got != nil && got.Title() == name, "side %d: %s does not light in the other", side, name)
	}
	rig.In.Over = false
	rig.Tick(l)
	testkit.That(t, !va.Pointer().HasTime() && !rig.Env.View.Pointer().HasTime(),
		"something is pointed at without a mouse")
}

// A press in the timeline of the session that is not shown asks for that, and what is pressed is selected
// there; in one session the window goes to where it was pressed.
func TestPressingSelectsThere(t *testing.T) {
	rig := chartstest.NewComparedRig(1, 900, 400)
	l := linesOf(rig)
	m, _ := rig.Env.Comparing.Marked(view.SideA)
	x, y := middleOf(l, rig, view.SideA)
	act := rig.Click(l, x, y)
	testkit.That(t, act.Kind == panel.ActionShow && act.Session == m.Side.Session, "%+v", act)
	testkit.That(t, !rig.Env.View.HasSpan(), "something of B is selected")
	x, y = middleOf(l, rig, view.SideB)
	if act := rig.Click(l, x, y); act.Kind != panel.ActionNone || !rig.Env.View.HasSpan() {
		t.Errorf("%+v", act)
	}

	rig = oneSession(t, 100, 140, 300, 340)
	l = linesOf(rig)
	v := rig.Env.View
	for side, first := range [2]int{100, 300} {
		x, y = middleOf(l, rig, side)
		rig.Click(l, x, y)
		begin, end, _ := v.Shown().FrameTimes(first, first+3)
		at := v.Span().Begin
		testkit.That(t, v.HasSpan() && at >= begin && at <= end,
			"side %d: the span at %d is selected, not one from %d to %d", side, at, begin, end)
		b, e := v.Time().Visible()
		testkit.That(t, b <= begin && e >= begin, "the window shows %d to %d, and not where side %d is", b, e, side)
		together(t, l, rig, "pressed")
	}
}

// While nothing changes nothing is drawn, and nothing is allocated.
func TestRestIsFree(t *testing.T) {
	for name, make := range rigs(t) {
		rig := make()
		l := newLines()
		rig.Ticks(l, 4)
		revision := l.List().Revision()
		chartstest.AllocatesNothing(t, name, func() { rig.Tick(l); l.Tools(rig.Env) })
		testkit.That(t, l.List().Revision() == revision, "%s: it is drawn anew", name)
	}
}

// A time is in the side whose stretch has it, or whose session it is of; in both or in neither it is in none.
func TestSideOfATime(t *testing.T) {
	rig := oneSession(t, 100, 140, 300, 340)
	s, state := rig.Env.View.Session(), rig.Env.Comparing
	main := s.Track(chartstest.TMain)
	for frame, want := range map[int]int{99: -1, 100: view.SideA, 140: view.SideA, 200: -1, 320: view.SideB, 341: -1} {
		got := state.SideOf(s, main.Frame(frame).Begin)
		testkit.That(t, got == want, "frame %d is in side %d, want %d", frame, got, want)
	}
	testkit.Equal(t, oneSession(t, 100, 140, 120, 160).Env.Comparing.SideOf(s, 0), -1, "another session is in side")
	two := chartstest.NewComparedRig(1, 400, 200)
	for side := range 2 {
		m, _ := two.Env.Comparing.Marked(side)
		got := two.Env.Comparing.SideOf(m.Side.Session, 5e6)
		testkit.That(t, got == side, "the session of side %d is in %d", side, got)
	}
}

// Under a name stands how long the frame of that side took, also where both sides are of one session and
// the frame of one of them is selected.
func TestFigureBesideANameIsOfItsSide(t *testing.T) {
	rig := chartstest.ComparedFrames(1, 900, 320)
	state, s := rig.Env.Comparing, rig.Env.View.Session()
	frames := [2]int{20, 22}
	for side, i := range frames {
		m, _ := state.Marked(side)
		m.Side = compare.FramesOf(s, chartstest.TMain, i, i)
		state.Set(side, m, 0)
	}
	rig.Env.View.SelectFrames(frames[view.SideB], frames[view.SideB])
	l := linesOf(rig)
	for side, i := range frames {
		f := s.Track(chartstest.TMain).Frame(i)
		want := string(format.AppendDuration(nil, f.End-f.Begin))
		half := (rig.R.Y0 + rig.R.Y1) / 2
		said := slices.ContainsFunc(l.List().Texts(), func(x draw.WatchedText) bool {
			return strings.Contains(x.Text, want) && (x.Box.Y0 > half) == (side == view.SideB)
		})
		testkit.That(t, said, "side %d does not say %q", side, want)
	}
}
