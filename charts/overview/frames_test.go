package overview

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

var stripRect = draw.Rect{X0: 0, Y0: 0, X1: 1000, Y1: 60}

func stripOn(env *panel.Env) *FrameStrip {
	var fs FrameStrip
	chartstest.Settle(env, &fs, stripRect)
	return &fs
}

// tick runs a tick with an input.
func (s *FrameStrip) tick(env *panel.Env, in *panel.Input) panel.Action {
	env.NowNs += 16_000_000
	env.View.Tick(env.NowNs, env.Animate)
	return s.Update(env, stripRect, in)
}

func TestFrameStripHit(t *testing.T) {
	env := chartstest.NewEnv(chartstest.SessionOf(400), 1)
	fs := stripOn(env)
	tr := env.View.Shown()
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float32Range(0, 999).Draw(t, "x")
		hit := fs.HitTest(env, x, 30)
		switch hit.Kind {
		case panel.HitFrame:
			f := tr.Frame(hit.Frame)
			testkit.MustThat(t, hit.TimeNs >= f.Begin && hit.TimeNs <= f.End,
				"time %d is not in frame %d [%d, %d]", hit.TimeNs, f.Number, f.Begin, f.End)
			want := "Frame " + string(format.AppendCount(nil, f.Number))
			testkit.MustThat(t, hit.Lines[0] == want, "title %q, want %q", hit.Lines[0], want)
			x0, x1, ok := fs.xOfFrame(hit.Frame)
			testkit.MustThat(t, ok && x >= x0 && x < x1,
				"frame %d hit at %g lies at [%g, %g] %v", hit.Frame, x, x0, x1, ok)
		case panel.HitGap:
			testkit.MustThat(t, hit.Gap.Count() == chartstest.TestGapFrames &&
				tr.Frame(fs.frameAt(x)+1).Missing == chartstest.TestGapFrames, "gap %+v", hit.Gap)
			testkit.MustThat(t, hit.TimeNs >= hit.Gap.Begin && hit.TimeNs < hit.Gap.End,
				"time %d is not in the gap %+v", hit.TimeNs, hit.Gap)
		}
	})
}

func TestFrameStripScrub(t *testing.T) {
	s := chartstest.SessionOf(300)
	env := chartstest.NewEnv(s, 1)
	v := env.View
	v.Follow(true)
	fs := stripOn(env)
	testkit.MustThat(t, v.FrameA() == 299, "live: frame %d is selected, want the newest", v.FrameA())
	var lastX float32
	for i, x := range []float32{300, 420, 700} {
		in := chartstest.MouseAt(x, 30)
		in.Left = panel.Button{Down: true, Pressed: i == 0, Dragging: i > 0, DownX: 300, DownY: 30}
		want := fs.timeAt(v.Shown(), x)
		fs.tick(env, in)
		testkit.MustThat(t, !v.Live() && v.Playhead() == want,
			"dragged to %g: live %v, playhead %d, want %d", x, v.Live(), v.Playhead(), want)
		if b, e := v.Steer().Target(); float64(v.Playhead()) < b || float64(v.Playhead()) > e {
			t.Fatalf("the time panels show [%g, %g], the playhead is at %d", b, e, v.Playhead())
		}
		lastX = x
	}
	in := chartstest.MouseAt(lastX, 30)
	in.Left = panel.Button{Released: true}
	fs.tick(env, in)
	v.Follow(true)
	fs.tick(env, &panel.Input{X: -1})
	testkit.That(t, v.FrameA() == v.Shown().NumFrames()-1,
		"live again: frame %d of %d", v.FrameA(), v.Shown().NumFrames())
}

func TestFrameStripRunAndZoom(t *testing.T) {
	env := chartstest.NewEnv(chartstest.SessionOf(150), 1)
	v := env.View
	fs := stripOn(env)
	v.SelectFrames(20, 20)
	fs.tick(env, &panel.Input{X: -1})
	x0, _, _ := fs.xOfFrame(30)
	in := chartstest.MouseAt(x0+1, 20)
	in.Shift, in.Left = true, panel.Button{Down: true, Pressed: true}
	fs.tick(env, in)
	testkit.That(t, v.FrameA() == 20 && v.FrameB() == 30,
		"shift + press selected [%d, %d], want [20, 30]", v.FrameA(), v.FrameB())
	in.Left = panel.Button{Released: true}
	fs.tick(env, in)
	in = chartstest.MouseAt(x0+1, 20)
	in.DoubleClick = true
	fs.tick(env, in)
	f := v.Shown().Frame(30)
	b, e := v.Time().Visible()
	testkit.That(t, b <= f.Begin && e >= f.End && e-b <= (f.End-f.Begin)*12/10,
		"a double click shows [%d, %d], the frame is [%d, %d]", b, e, f.Begin, f.End)
	v.Follow(true)
	fs.tick(env, &panel.Input{X: -1})
	x0, _, _ = fs.xOfFrame(30)
	in = chartstest.MouseAt(x0+1, 20)
	in.Shift, in.Left = true, panel.Button{Down: true, Pressed: true}
	fs.tick(env, in)
	testkit.That(t, v.FrameA() == 30 && v.FrameB() == 30 && !v.Live(),
		"shift + press while live selected [%d, %d], want 30 alone", v.FrameA(), v.FrameB())
}

func TestFrameStripWheel(t *testing.T) {
	env := chartstest.NewEnv(chartstest.SessionOf(3000), 1)
	fs := stripOn(env)
	in := chartstest.MouseAt(500, 30)
	in.WheelY = 1
	for range 8 {
		before := fs.frameAt(500)
		_, merge := stripLevel(env, fs.level)
		fs.tick(env, in)
		if fs.endAbs == fs.numTotal {
			continue // nothing lies right of the newest frame: the picture is pressed against the edge
		}
		d := int64(fs.frameAt(500) - before)
		testkit.MustThat(t, d <= 5*merge && d >= -5*merge,
			"zoom moved the frame under the mouse by %d frames at %d a column", d, merge)
	}
	_, merge := stripLevel(env, fs.level)
	testkit.That(t, merge == 1, "zoomed in, %d frames are still merged", merge)
	in.WheelY = -1
	for range 40 {
		fs.tick(env, in)
	}
	testkit.That(t, fs.firstFrame() == 0 && fs.endAbs == fs.numTotal,
		"zoomed out, frames %d to %d are shown", fs.firstFrame(), fs.endAbs)
	testkit.That(t, strings.HasPrefix(fs.Mode(env), "median and worst of "), "mode %q", fs.Mode(env))
}

func TestFrameStripOfAYoungSession(t *testing.T) {
	w, v, _, _ := liveView()
	env := chartstest.NewEnv(w.S, 1)
	env.View = v
	fs := stripOn(env)
	first := fs.columns[0]
	testkit.MustThat(t, fs.columns[len(fs.columns)-1].x1 < stripRect.X1 && first.x0 == fs.plot.X0,
		"live columns from %g to %g", first.x0, fs.columns[len(fs.columns)-1].x1)
	tr := v.Shown()
	x := fs.xOfTime(tr, 0)
	testkit.That(t, x == first.x0, "a time before the first frame is at %g, the first column begins at %g", x, first.x0)
	for i, want := range map[int]float32{0: first.x0, tr.NumFrames() - 1: fs.columns[len(fs.columns)-1].x0} {
		x := fs.xOfTime(tr, tr.Frame(i).Begin)
		testkit.That(t, x == want, "frame %d begins at %g, want %g", i, x, want)
	}
}

// Pausing a live session moves nothing: neither what is there nor, later, by what comes in. That is
// added at the right as long as there is room.
func TestFrameStripStaysWhilePaused(t *testing.T) {
	w, v, number, at := liveView()
	env := chartstest.NewEnv(w.S, 1)
	env.View = v
	fs := stripOn(env)
	before := append([]stripColumn(nil), fs.columns...)
	v.StepFrame(-3)
	fs.tick(env, &panel.Input{X: -1})
	number, at = feedFrames(w, number, at, 25)
	fs.tick(env, &panel.Input{X: -1})
	testkit.MustThat(t, len(fs.columns) == len(before)+25,
		"%d columns became %d, want 25 more", len(before), len(fs.columns))
	for i, c := range fs.columns[:len(before)] {
		testkit.MustThat(t, c == before[i], "column %d moved from %+v to %+v", i, before[i], c)
	}
	// There is no room for more: they stay out of view, and the selection is brought into it.
	for range 20 {
		number, at = feedFrames(w, number, at, 25)
		fs.tick(env, &panel.Input{X: -1})
		for i, c := range fs.columns[:len(before)] {
			testkit.MustThat(t, c == before[i], "column %d moved from %+v to %+v", i, before[i], c)
		}
	}
	n := v.Shown().NumFrames()
	if last := fs.columns[len(fs.columns)-1]; last.x1 > stripRect.X1 || last.x1 < stripRect.X1-30*(last.x1-last.x0) {
		t.Errorf("the last column of a full strip is %+v", last)
	}
	v.SelectFrames(n-1, n-1)
	fs.tick(env, &panel.Input{X: -1})
	_, _, ok := fs.xOfFrame(n - 1)
	testkit.That(t, ok, "the selected frame is out of view")
	// Back at the first frame the strip is as full, and what comes in moves nothing.
	v.GoFirst()
	fs.tick(env, &panel.Input{X: -1})
	home := append([]stripColumn(nil), fs.columns...)
	if last := home[len(home)-1]; home[0].bar.First != 0 || last.x1 < stripRect.X1-2*(last.x1-last.x0) {
		t.Errorf("at the first frame the columns go from %+v to %+v", home[0], last)
	}
	number, at = feedFrames(w, number, at, 25)
	fs.tick(env, &panel.Input{X: -1})
	testkit.That(t, slices.Equal(fs.columns, home), "what came in moved the columns from the first frame on")
	v.Follow(true)
	feedFrames(w, number, at, 1)
	fs.tick(env, &panel.Input{X: -1})
	if last := fs.columns[len(fs.columns)-1]; last.x1 != stripRect.X1 || int(last.bar.First) != v.Shown().NumFrames()-1 {
		t.Errorf("live again, the last column is %+v", last)
	}
}

func TestFrameStripMenuAndEmpty(t *testing.T) {
	env := chartstest.NewEnv(chartstest.SessionOf(50), 1)
	fs := stripOn(env)
	in := chartstest.MouseAt(60, 30)
	in.Right = panel.Button{Down: true, Pressed: true}
	fs.tick(env, in)
	in.Right = panel.Button{Released: true}
	act := fs.tick(env, in)
	testkit.That(t, act.Kind == panel.ActionMenu && act.Frame == fs.frameAt(60), "right click: %+v", act)
	env = chartstest.NewEnv(store.NewSession(), 1)
	fs = stripOn(env)
	fs.tick(env, chartstest.MouseAt(60, 30))
	hit := fs.HitTest(env, 60, 30)
	testkit.That(t, hit.Kind == panel.HitNothing && fs.List().Quads() != 0,
		"an empty session: %+v, %d quads", hit, fs.List().Quads())
}

// The oldest frames left memory: the first column is the oldest that is kept.
func TestWhatLeftMemoryHasNoColumns(t *testing.T) {
	st := &store.Store{MemoryLimit: 2 << 20}
	s := chartstest.Fill(st.NewSession(), 2000)
	st.EnforceLimit(time.Time{})
	left := s.Track(chartstest.TMain).Evicted()
	testkit.MustThat(t, left != 0 && s.Track(chartstest.TMain).NumFrames() != 0,
		"%d frames left memory, %d are kept", left, s.Track(chartstest.TMain).NumFrames())
	env := chartstest.ReadyEnv(s, 1)
	m := s.Track(chartstest.TMain)
	var fs FrameStrip
	env.View.Steer().PlaceTime(m.Frame(0).Begin-60_000_000, m.Frame(0).Begin+40_000_000)
	chartstest.Settle(env, &fs, draw.Rect{X1: 1000, Y1: 60})
	strip := fs.HitTest(env, fs.columns[0].x0+1, 30)
	testkit.That(t, strip.Kind == panel.HitFrame && m.Frame(strip.Frame).Number == m.Frame(0).Number,
		"the first column: %+v", strip)
	quads := fs.List().Quads()
	n := len(fs.columns)
	testkit.That(t, quads >= n, "%d quads for %d columns", quads, n)
}

// What is selected lies over the columns: these are drawn anew only when they changed.
func TestFrameStripIsDrawnOnceForManySelections(t *testing.T) {
	env := chartstest.NewEnv(chartstest.SessionOf(2000), 1)
	fs, in := stripOn(env), &panel.Input{X: -1}
	env.View.SelectFrames(100, 103)
	fs.tick(env, in)
	quads := fs.List().Quads()
	for i := range fs.columns {
		fs.columns[i].yMedian, fs.columns[i].yWorst = fs.plot.Y1, fs.plot.Y1 // if they are drawn again one sees nothing
	}
	for i := range 20 {
		env.View.SelectFrames(100+i, 103+i)
		env.View.Pointer().Set(env, model.CollectorID(i), 0, false)
		fs.tick(env, in)
	}
	testkit.Equal(t, fs.List().Quads(), quads, "quads after the selection moved, %d before", quads)
	env.View.Look().SetFrameBudget(env.View.Look().FrameBudgetNs() * 2)
	fs.tick(env, in)
	testkit.That(t, fs.columns[10].yMedian != fs.plot.Y1, "the columns are not laid out anew for another budget")
}

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
		x := fs.xOfTime(tr, at*1e6)
		testkit.That(t, ok && x >= x0 && x <= x1, "%d ms stands at %g, frame %d from %g to %g", at, x, frame, x0, x1)
	}
	for _, frame := range []int{2, 3, 6, 10} {
		env.View.SelectFrames(frame, frame)
		if x0, x1, _ := fs.xOfFrame(frame); fs.xOfPlayhead(env.View, tr) < x0 || fs.xOfPlayhead(env.View, tr) >= x1 {
			t.Errorf("the playhead of frame %d stands at %g, the frame from %g to %g", frame, fs.xOfPlayhead(env.View, tr), x0, x1)
		}
	}
}

func TestFrameStripPictures(t *testing.T) {
	type shot = chartstest.Shot[*FrameStrip]
	select4 := func(first int) func(*panel.Env, *FrameStrip) {
		return func(env *panel.Env, _ *FrameStrip) { env.View.SelectFrames(first, first+4) }
	}
	game, long := chartstest.NewSession(t), chartstest.SessionOf(3000)
	chartstest.Shoot(t, func() *FrameStrip { return &FrameStrip{} },
		shot{Name: "frames", S: game, W: 1400, H: 62, Set: select4(104)},
		shot{Name: "frames_2x", S: game, W: 1400, H: 62, Scale: 2, Set: select4(104)},
		shot{Name: "frames_long", S: long, W: 1400, H: 62, Set: select4(1204)},
		shot{Name: "frames_live", S: long, W: 1400, H: 62, Set: func(env *panel.Env, _ *FrameStrip) { env.View.Follow(true) }},
		shot{Name: "frames_near", S: chartstest.SessionOf(600), W: 1400, H: 62, Set: func(env *panel.Env, fs *FrameStrip) {
			env.View.SelectFrames(555, 555)
			in, r := chartstest.MouseAt(900, 30), draw.Rect{X1: 1400, Y1: 62}
			in.WheelY = 6
			fs.Update(env, r, in)
			fs.Update(env, r, chartstest.MouseAt(700, 30))
		}})
}

// The axis is one for games, unless all that is shown lies elsewhere; a hitch is never cut off.
func TestFrameStripAxis(t *testing.T) {
	usual := format.LogNs{Lo: axisLoNs, Hi: axisHiNs}
	for name, c := range map[string]struct {
		lengths []int64
		want    format.LogNs
	}{
		"60 Hz":             {[]int64{16e6, 16e6, 16e6, 17e6}, usual},
		"60 Hz and a hitch": {[]int64{16e6, 16e6, 16e6, 75e6}, usual},
		"a second's stall":  {[]int64{16e6, 16e6, 16e6, 1e9}, format.LogNs{Lo: axisLoNs, Hi: 16 * axisHiNs}},
		"1000 Hz":           {[]int64{1e6, 1e6, 1.1e6, 1e6}, format.LogNs{Lo: axisLoNs / 16, Hi: axisHiNs / 16}},
		"one a second":      {[]int64{1e9, 1e9, 1e9}, format.LogNs{Lo: 32 * axisLoNs, Hi: 256 * axisLoNs}},
	} {
		env := chartstest.ReadyEnv(chartstest.FramesOf(c.lengths...), 1)
		fs := stripOn(env)
		testkit.That(t, fs.axis == c.want, "%s: %+v, want %+v", name, fs.axis, c.want)
		ends := fs.axis.Lo > 16_666_667 || fs.axis.Hi < 16_666_667
		low := draw.Rect{X1: 900, Y1: 64}
		fs.Update(env, low, &panel.Input{X: -1})
		target := slices.ContainsFunc(fs.List().Texts(), func(x draw.WatchedText) bool { return x.Text == "16.7" })
		testkit.That(t, target || ends, "%s: the target has no label", name)
		for i := range fs.columns {
			ns := fs.columns[i].bar.WorstNs
			testkit.That(t, ns <= fs.axis.Hi, "%s: %d ns is beyond the axis", name, ns)
		}
	}
}

// Every frame that stands out has a mark on it, or one near it on a worse one; among many, those of the worst ones do,
// and bars show what the others lost.
func TestFrameStripMarks(t *testing.T) {
	env := chartstest.NewEnv(chartstest.SessionOf(3000), 1)
	fs := stripOn(env)
	testkit.MustThat(t, len(fs.marks) != 0, "no marks")
	c := &fs.columns[fs.marks[0].column]
	unseen, _ := subject.GroupMark(env, nil)
	shape, _, _ := fs.markOf(env, env.View.Lead(), c)
	testkit.That(t, unseen == "○" && shape != unseen, "a hitch that was not looked at has the mark %q, one that was %q", unseen, shape)
	hit := fs.HitTest(env, (c.x0+c.x1)/2, fs.rect.Y0+4)
	testkit.That(t, slices.Contains(hit.Lines, "thread\t"+env.View.Shown().Title()),
		"a mark does not say of which thread it is: %q", hit.Lines)
	v := env.View
	v.SelectCollector(2)
	in := chartstest.MouseAt((c.x0+c.x1)/2+3, fs.rect.Y0+4) // beside its column, which is narrower
	in.Left = panel.Button{Down: true, Pressed: true, DownX: in.X, DownY: in.Y}
	if want := int(c.bar.Worst); fs.HitTest(env, in.X, in.Y).Frame != want {
		t.Errorf("the mark of frame %d is over %d", want, fs.HitTest(env, in.X, in.Y).Frame)
	} else if fs.tick(env, in); v.FrameA() != want || v.FrameB() != want || v.Collector() != model.NoCollector {
		t.Errorf("a press on it selects frames %d to %d and collector %d", v.FrameA(), v.FrameB(), v.Collector())
	}
	fs = stripOn(env)
	testkit.That(t, len(fs.lost) > 0 && len(fs.marks) <= mostMarks, "%d marks, dense: %v", len(fs.marks), len(fs.lost) > 0)
	for i := range fs.columns {
		c := &fs.columns[i]
		near := slices.ContainsFunc(fs.lost, func(p lost) bool { return p.x0 <= c.x0 && c.x1 <= p.x1 && p.ns >= c.lostNs }) || slices.ContainsFunc(fs.marks, func(m stripMark) bool {
			at := &fs.columns[m.column]
			return at.bar.WorstNs >= c.bar.WorstNs && at.x0-c.x0 < markPx && c.x0-at.x0 < 2*markPx
		})
		marked := slices.ContainsFunc(fs.marks, func(m stripMark) bool { return m.column == i })
		if hitch := c.lostNs > 0; hitch && !near || marked && !hitch {
			t.Errorf("column %d of %d ns: marked %v, one near it %v", i, c.bar.WorstNs, marked, near)
		}
	}
}

// The body of a column is what is typical of its frames: a hitch among them does not lift it.
func TestFrameStripMedians(t *testing.T) {
	s := chartstest.SessionOf(3000)
	tr := s.Track(chartstest.TMain)
	for _, merge := range []int{1, 2, 7, 16, 31} {
		var bars []frames.Bar
		for _, b := range s.Frames().Bars(chartstest.TMain, 0, merge, 4000, bars) {
			var d []int64
			for i := b.First; i < b.First+b.Count; i++ {
				f := tr.Frame(int(i))
				d = append(d, f.End-f.Begin)
			}
			slices.Sort(d)
			want := d[(len(d)-1)/2]
			testkit.MustThat(t, b.MedianNs == want && !b.Sampled(),
				"the median of %d frames is %d, want %d", b.Count, b.MedianNs, want)
		}
	}
	for _, b := range s.Frames().Bars(chartstest.TMain, 0, 500, 10, nil) {
		testkit.That(t, b.Sampled() && b.MedianNs > 0 && b.MedianNs < b.WorstNs,
			"of %d frames: median %d, worst %d", b.Count, b.MedianNs, b.WorstNs)
	}
}

// gappy returns a strip of many frames, merged into columns, of which some are missing before frames
// that are nowhere at the edge of a column: between 1 and 40, more and more.
func gappy(t *testing.T, scale float64) (env *panel.Env, fs *FrameStrip, missing int64) {
	t.Helper()
	w, number, at := chartstest.NewWriter(5), int64(0), int64(0)
	for i := range int64(4000) {
		if i%97 == 45 {
			n := i / 97
			number, at, missing = number+n, at+n*16_000_000, missing+n
		}
		w.Begin(chartstest.TMain, number, at, at+15_000_000)
		w.End()
		number, at = number+1, at+16_000_000
	}
	env = chartstest.NewEnv(w.S, scale)
	fs = stripOn(env)
	_, merge := stripLevel(env, fs.level)
	testkit.MustThat(t, merge >= 4, "%d frames a column: nothing is merged", merge)
	return env, fs, missing
}

// TestMissingFramesOfAPixelAreHatched checks that all gaps that have a pixel are hatched between the
// frames that they are between, wherever columns begin, and that all others make a mark.
func TestMissingFramesOfAPixelAreHatched(t *testing.T) {
	for _, scale := range []float64{1, 2} {
		env, fs, missing := gappy(t, scale)
		tr, hatched, marked := env.View.Shown(), int64(0), int64(0)
		pitch, merge := stripLevel(env, fs.level)
		for i := range fs.columns {
			switch c := &fs.columns[i]; {
			case c.gap && (c.x1-c.x0 < 1 || i == 0 || fs.columns[i-1].gap || tr.Frame(int(c.bar.First)).Missing != c.bar.Missing):
				t.Fatalf("scale %v: gap %+v", scale, c)
			case c.gap:
				hatched += c.bar.Missing
			default:
				for k := c.bar.First + 1; k < c.bar.First+c.bar.Count; k++ {
					if n := tr.Frame(int(k)).Missing; float32(n)*pitch/float32(merge) >= env.Px(1) {
						t.Errorf("scale %v: %d frames are missing within column %+v", scale, n, c)
					}
				}
				marked += c.narrow
			}
		}
		testkit.That(t, hatched != 0 && marked != 0 && hatched+marked == missing,
			"scale %v: %d of %d missing frames are hatched, %d make marks", scale, hatched, missing, marked)
	}
}

// TestMarksOfMissingFramesHaveTips checks that a column has a mark exactly where its tooltip says that
// frames are missing, and that times in a gap lie in its hatching.
func TestMarksOfMissingFramesHaveTips(t *testing.T) {
	env, fs, _ := gappy(t, 1)
	tr := env.View.Shown()
	marks := map[float32]bool{} // by where they begin: 3 px high, at the top
	for q := fs.List().Vertices; len(q) >= 4; q = q[4:] {
		if q[0].Y == fs.plot.Y0 && q[2].Y == fs.plot.Y0+3 {
			marks[min(q[0].X, q[2].X)] = true
		}
	}
	for i := range fs.columns {
		c := &fs.columns[i]
		if c.gap {
			begin, end := tr.Frame(int(c.bar.First)-1).End, tr.Frame(int(c.bar.First)).Begin
			x := fs.xOfTime(tr, begin/2+end/2)
			testkit.That(t, x >= c.x0 && x <= c.x1, "the middle of %+v lies at %v", c, x)
			continue
		}
		hit, said := fs.HitTest(env, (c.x0+c.x1)/2, 40), false
		for _, line := range hit.Lines {
			said = said || len(line) > 7 && line[:7] == "missing"
		}
		testkit.That(t, said == (c.narrow > 0) && marks[c.x0] == said,
			"%+v: marked %v, the tooltip says so: %v", c, marks[c.x0], said)
	}
}

// TestPausesBetweenFrames: a stop between two frames is a column between theirs, torn, with its length below and in its
// tooltip, wherever frames are merged.
func TestPausesBetweenFrames(t *testing.T) {
	for _, frames := range []int64{150, 4000} {
		w, at := chartstest.NewWriter(5), int64(0)
		for i := range frames {
			if i == 101 {
				at += 5_000_000_000
			}
			w.Begin(chartstest.TMain, i, at, at+15_000_000)
			w.End()
			at += 16_000_000
		}
		env := chartstest.NewEnv(w.S, 1)
		fs := stripOn(env)
		i := slices.IndexFunc(fs.columns, func(c stripColumn) bool { return c.pause > 0 })
		testkit.MustThat(t, i > 0 && fs.columns[i].pause/1e6 == 5001 && fs.columns[i].bar.First == 101 &&
			fs.columns[i+1].bar.First == 101 && fs.columns[i+1].x0 == fs.columns[i].x1, "of %d: column %d of %+v", frames, i, fs.columns[max(i-1, 0):i+2])
		c := fs.columns[i]
		hit := fs.HitTest(env, (c.x0+c.x1)/2, 40)
		testkit.Equal(t, hit.Lines[0], "stopped\t5.00 s", "tooltip")
		testkit.That(t, len(fs.taken) == 2 && fs.taken[0] == c.x0, "its length stands at %v", fs.taken)
	}
}
