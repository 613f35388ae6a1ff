package panel

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
)

var gestureRect = draw.Rect{X0: 100, Y0: 50, X1: 1100, Y1: 550}

// steppedAxis is an axis that remembers its steps.
type steppedAxis struct {
	format.Axis
	steps []format.Window
}

func (a *steppedAxis) Push() { a.steps = append(a.steps, a.Window) }

// gesturer plays inputs to gestures over an axis of one second.
type gesturer struct {
	g    Gestures
	axis steppedAxis
	env  *Env
}

func newGesturer() *gesturer {
	p := &gesturer{env: &Env{Scale: 1, NowNs: 1e9}}
	p.axis.SetLimits(0, 10e9)
	p.axis.Fit(4e9, 5e9)
	return p
}

func (p *gesturer) do(x, y float32, set func(in *Input)) GestureResult {
	in := &Input{X: x, Y: y, Over: true, DtNs: 16_000_000}
	if set != nil {
		set(in)
	}
	p.env.NowNs += 16_000_000
	return p.g.Update(p.env, &p.axis, gestureRect, in)
}

func TestWheelZoom(t *testing.T) {
	for _, c := range []struct {
		name  string
		set   func(in *Input)
		width float64
	}{
		{"a notch", func(in *Input) { in.WheelY = 1 }, 1e9 / 1.25},
		{"three notches at once", func(in *Input) { in.WheelY = 3 }, 1e9 / 1.25 / 1.25 / 1.25},
		{"out", func(in *Input) { in.WheelY = -1 }, 1e9 * 1.25},
		{"fine", func(in *Input) { in.WheelY, in.Ctrl = 1, true }, 1e9 / 1.05},
		{"shift pans", func(in *Input) { in.WheelY, in.Shift = 1, true }, 1e9},
		{"alt scrolls rows", func(in *Input) { in.WheelY, in.Alt = 1, true }, 1e9},
	} {
		p := newGesturer()
		at := p.axis.ToTimeF(gestureRect, 300)
		res := p.do(300, 300, c.set)
		testkit.That(t, math.Abs(p.axis.Width()-c.width) <= 1, "%s: width %g, want %g", c.name, p.axis.Width(), c.width)
		testkit.That(t, c.width == 1e9 || math.Abs(p.axis.ToTimeF(gestureRect, 300)-at) <= 1e-3,
			"%s: the time under the cursor moved", c.name)
		testkit.That(t, c.name != "shift pans" || p.axis.BeginNs == 4e9-60e6, "shift + wheel: begin %g", p.axis.BeginNs)
		testkit.That(t, c.name != "alt scrolls rows" || res.ScrollPx < 0 && p.axis.BeginNs == 4e9,
			"alt + wheel: rows by %g, begin %g", res.ScrollPx, p.axis.BeginNs)
	}
}

func TestWheelLocksItsAxis(t *testing.T) {
	p := newGesturer()
	p.do(300, 300, func(in *Input) { in.WheelX, in.WheelY = 3, 1 })
	testkit.MustThat(t, p.axis.Width() == 1e9 && p.axis.BeginNs != 4e9,
		"a mostly horizontal move: [%g, %g]", p.axis.BeginNs, p.axis.EndNs)
	p.do(300, 300, func(in *Input) { in.WheelY = 5 }) // the same gesture: still a pan, of nothing
	testkit.That(t, p.axis.Width() == 1e9, "the gesture changed its axis on the way")
	p.env.NowNs += axisLockNs
	p.do(300, 300, func(in *Input) { in.WheelY = 1 })
	testkit.That(t, p.axis.Width() != 1e9, "after a pause the wheel does not zoom")
}

func left(down, pressed, released, dragging bool) Button {
	return Button{Down: down, Pressed: pressed, Released: released, Dragging: dragging}
}

func TestDragPansBothWays(t *testing.T) {
	p := newGesturer()
	p.do(500, 300, func(in *Input) { in.Left = left(true, true, false, false) })
	testkit.That(t, !p.do(503, 300, func(in *Input) { in.Left = left(true, false, false, false) }).Moved,
		"three pixels are no drag")
	r := p.do(450, 280, func(in *Input) { in.Left = left(true, false, false, true) })
	testkit.That(t, (p.axis.BeginNs == 4e9+53e6 || p.axis.BeginNs == 4e9+50e6) && r.ScrollPx > 0 && r.Panned && r.Busy,
		"begin %g, rows by %g", p.axis.BeginNs, r.ScrollPx)
	r = p.do(450, 280, func(in *Input) { in.Left = left(false, false, true, true) })
	testkit.That(t, !r.Click && !r.Menu, "a drag ended as a click")
	testkit.That(t, len(p.axis.steps) == 1, "a drag leaves no step in the history")
}

func TestClickMenuAndRanges(t *testing.T) {
	p := newGesturer()
	p.do(500, 300, func(in *Input) { in.Left = left(true, true, false, false) })
	testkit.That(t, p.do(501, 301, func(in *Input) { in.Left = left(false, false, true, false) }).Click, "no click")
	p.do(500, 300, func(in *Input) { in.Right = left(true, true, false, false) })
	testkit.That(t, p.do(500, 300, func(in *Input) { in.Right = left(false, false, true, false) }).Menu, "no menu")
	p.do(700, 300, func(in *Input) { in.Shift, in.Left = true, left(true, true, false, false) })
	r := p.do(300, 300, func(in *Input) { in.Shift, in.Left = true, left(true, false, false, true) })
	testkit.That(t, r.Ranging && !r.Zooming && r.RangeA == 4_200_000_000 && r.RangeB == 4_600_000_000,
		"range under construction: %+v", r)
	r = p.do(300, 300, func(in *Input) { in.Left = left(false, false, true, true) }) // shift is let go first
	testkit.That(t, r.RangeDone && !r.Ranging && r.RangeA == 4_200_000_000, "range done: %+v", r)
	testkit.That(t, p.axis.BeginNs == 4e9, "selecting a range moved the axis")
	p.do(300, 300, func(in *Input) { in.Middle = left(true, true, false, false) })
	p.do(400, 300, func(in *Input) { in.Middle = left(true, false, false, true) })
	p.do(400, 300, func(in *Input) { in.Middle = left(false, false, true, true) })
	testkit.That(t, p.axis.BeginNs == 4.2e9 && p.axis.EndNs == 4.3e9,
		"middle drag zoomed to [%g, %g]", p.axis.BeginNs, p.axis.EndNs)
	n := len(p.axis.steps)
	testkit.That(t, n == 1 && p.axis.steps[0].BeginNs == 4e9, "%d steps, want the window before the zoom", n)
}

func TestHeldKeysAccelerate(t *testing.T) {
	p := newGesturer()
	at := p.axis.ToTimeF(gestureRect, 700)
	var factors []float64
	for range 20 {
		w := p.axis.Width()
		p.do(700, 300, func(in *Input) { in.ZoomIn = true })
		factors = append(factors, w/p.axis.Width())
	}
	testkit.That(t, factors[0] > 1 && factors[19] > factors[0], "zoom factors %v", factors)
	testkit.That(t, math.Abs(p.axis.ToTimeF(gestureRect, 700)-at) <= 1e-3, "the time under the cursor moved")
	p.do(700, 300, nil)
	testkit.That(t, p.g.keyZoom == 0, "the key was let go")
	b := p.axis.BeginNs
	p.do(700, 300, func(in *Input) { in.PanLeft = true })
	p.do(700, 300, func(in *Input) { in.PanLeft = true })
	testkit.That(t, p.axis.BeginNs < b, "A does not pan left")
	w := p.axis.Width()
	p.do(700, 300, func(in *Input) { in.Over, in.ZoomIn = false, true })
	testkit.That(t, p.axis.Width() == w, "keys worked without the mouse over the chart")
}

func TestThrowGlidesAndStops(t *testing.T) {
	p := newGesturer()
	p.env.Animate = true
	p.do(800, 300, func(in *Input) { in.Left = left(true, true, false, false) })
	for x := float32(780); x >= 600; x -= 20 {
		p.do(x, 300, func(in *Input) { in.Left = left(true, false, false, true) })
	}
	p.do(600, 300, func(in *Input) { in.Left = left(false, false, true, true) })
	b := p.axis.BeginNs
	n := 0
	for p.g.throw != 0 && n < 1000 {
		p.do(600, 300, nil)
		n++
	}
	testkit.That(t, p.axis.BeginNs > b && n != 0 && n <= 200, "thrown from %g to %g in %d ticks", b, p.axis.BeginNs, n)
}

// Numbers that change with every tick are shown four times a second while live, else at once.
func TestPaced(t *testing.T) {
	env := &Env{View: view.New(nil), Paced: true}
	var p Paced[int]
	changes := func(live bool) (n int) {
		env.View.Follow(live)
		last := p.Of(env, -1)
		for tick := range 60 {
			env.NowNs += 16_666_667
			if v := p.Of(env, tick); v != last {
				last, n = v, n+1
			}
		}
		return n
	}
	n := changes(true)
	testkit.That(t, n >= 3 && n <= 5, "%d numbers in a second", n)
	testkit.Equal(t, changes(false), 60, "of 60 numbers while nothing is followed")
	env.Paced = false
	testkit.Equal(t, changes(true), 60, "of 60 numbers in pictures")
}

// What is paced in several places of the window is of the same moment in all of them, whenever each
// began and whatever it showed when nothing was followed.
func TestPacedTogether(t *testing.T) {
	env := &Env{View: view.New(nil), Paced: true, NowNs: 1e9}
	var list [5]Paced[int]
	for tick := range 200 {
		env.NowNs += 16_666_667
		env.View.Follow(tick%70 > 10)
		began := tick / 7
		for i := range list[:min(began, len(list))] {
			list[i].Of(env, tick)
		}
		if !env.View.Live() || tick < 70 || tick%70 < 30 {
			continue
		}
		for i := range list {
			got, want := list[i].Of(env, tick), list[0].Of(env, tick)
			testkit.MustThat(t, got == want,
				"tick %d: place %d shows what was in tick %d, another what was in %d", tick, i, got, want)
		}
	}
}

// plainEnv is an environment with an empty session.
func plainEnv() *Env {
	th := assets.Dark()
	return &Env{View: view.New(store.NewSession()), Theme: &th, Atlas: draw.NewAtlas(1), Scale: 1, NowNs: 1}
}

func TestTooltipWaitsAndFollows(t *testing.T) {
	env := plainEnv()
	env.View.Stamp()
	env.Animate, env.Paced = true, true
	bounds := draw.Rect{X1: 800, Y1: 600}
	hit := &Hit{Kind: HitSpan, Collector: 1, Lines: []string{"App", "duration\t4.21 ms"}}
	var tip Tooltip
	testkit.That(t, tip.Draw(env, hit, 100, 100, bounds) == nil, "it is there at once")
	env.NowNs += tipDelayNs
	l := tip.Draw(env, hit, 100, 100, bounds)
	testkit.MustThat(t, l != nil && l.Quads() != 0, "it does not come")
	testkit.That(t, tip.Draw(env, &Hit{Kind: HitSpan, Collector: 2, Lines: []string{"Cull"}}, 300, 100, bounds) != nil,
		"it does not follow to the next thing")
	testkit.That(t, tip.Draw(env, &Hit{}, 300, 100, bounds) == nil, "it stays where nothing is")
	testkit.That(t, tip.Draw(env, hit, 100, 100, bounds) == nil, "it does not wait again")
}

// A tooltip stays inside the window and, where there is room at any side, off the thing that it
// describes.
func TestTooltipPlace(t *testing.T) {
	env := plainEnv()
	bounds := draw.Rect{X1: 1000, Y1: 700}
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.Float32Range(20, 500).Draw(t, "w"), rapid.Float32Range(20, 200).Draw(t, "h")
		x, y := rapid.Float32Range(0, 999).Draw(t, "x"), rapid.Float32Range(0, 699).Draw(t, "y")
		wide, high := rapid.Float32Range(10, 300).Draw(t, "wide"), rapid.Float32Range(10, 300).Draw(t, "high")
		thing := draw.Rect{X0: x - 5, Y0: y - 9, X1: x - 5 + wide, Y1: y - 9 + high}
		r := placeTip(env, w, h, x, y, thing, bounds)
		testkit.MustThat(t, r.X0 >= 0 && r.Y0 >= 0 && r.X1 <= 1001 && r.Y1 <= 701,
			"%g x %g at %g, %g: %+v", w, h, x, y, r)
		const off = 8
		room := thing.Y1+h+off < 700 || thing.Y0-h-off > 0 || thing.X1+w+off < 1000 && x+14+w < 1000 || thing.X0-w-off > 0
		o := r.Intersect(thing)
		testkit.MustThat(t, o.Empty() || !room, "%g x %g at %g, %g covers the thing: %+v", w, h, x, y, r)
	})
	// Beside a pane it lies on the side where the mouse is, not far away at another.
	pane := draw.Rect{X0: 100, Y0: 200, X1: 700, Y1: 600}
	r := placeTip(env, 200, 40, 150, 215, pane, bounds)
	testkit.That(t, r.Y1 <= pane.Y0 && r.Y1 >= pane.Y0-20, "a tooltip of a title row lies at %v", r)
	r = placeTip(env, 200, 40, 690, 400, pane, bounds)
	testkit.That(t, r.X0 >= pane.X1 && r.X0 <= pane.X1+20, "a tooltip at the right edge lies at %v", r)
	// Of a row it lies beside its list, or of a wide list away from the row and those next to it.
	for _, list := range []draw.Rect{{X0: 740, Y0: 100, X1: 1000, Y1: 690}, {X0: 0, Y0: 100, X1: 240, Y1: 690}, {X0: 0, Y0: 100, X1: 1000, Y1: 690}} {
		for _, y := range []float32{121, 301, 681} {
			row := draw.Rect{X0: list.X0, Y0: y - 5, X1: list.X1, Y1: y + 15}
			r := placeAmong(env, 220, 90, list.X0+100, y, &Hit{Rect: row, Among: list}, bounds)
			if row.Y0, row.Y1 = row.Y0-20, row.Y1+20; list.W() < 500 {
				row = list
			}
			o := r.Intersect(row)
			testkit.That(t, o.Empty() && r.X0 >= 0 && r.X1 <= 1000 && r.Y0 >= 0 && r.Y1 <= 700,
				"the tooltip of the row at %g of %v lies at %v", y, list, r)
		}
	}
	l := draw.NewList(env.Atlas)
	l.Reset(bounds)
	DrawTooltip(l, env, &Hit{Kind: HitSpan, Lines: []string{strings.Repeat("long name:", 200), strings.Repeat("n", 300) + "\t12 ms"}}, 500, 300, bounds)
	for _, v := range l.Vertices {
		testkit.MustThat(t, v.X >= 0 && v.X <= 1000, "a vertex at %g", v.X)
	}
}

// The tooltip of a low panel is a row below it, and lines where these are too long for one.
func TestTooltipsInARow(t *testing.T) {
	env, bounds := plainEnv(), draw.Rect{X1: 1000, Y1: 700}
	l := draw.NewList(env.Atlas)
	for _, c := range []struct{ words, high int }{{1, 25 + 3}, {60, 19 + 2*16 + 12 + 3}} {
		l.Reset(bounds)
		strip := draw.Rect{Y0: 36, X1: 1000, Y1: 100}
		hit := Hit{InRow: true, Among: strip, Rect: draw.Rect{X0: 500, Y0: 36, X1: 502, Y1: 100},
			Lines: []string{"Frame 251", "thread\tMain", "why\t" + strings.TrimSpace(strings.Repeat("words ", c.words))}}
		DrawTooltip(l, env, &hit, 501, 60, bounds)
		top, end := float32(700), float32(0)
		for _, v := range l.Vertices {
			top, end = min(top, v.Y), max(end, v.Y)
		}
		testkit.That(t, top >= strip.Y1 && int(end-top) >= c.high-3 && (c.words > 1 || int(end-top) <= c.high+1),
			"%d words: from %g to %g", c.words, top, end)
	}
}

// Long lines are broken, between words or after signs that part names; nothing of them is lost.
func TestTooltipsWrap(t *testing.T) {
	env := plainEnv()
	const most = 500
	name := "org.example.shop." + strings.Repeat("checkout.pricing.", 8) + "PriceRules.match"
	rows, w := tipRows(env, []string{name, "called by\t" + name, strings.Repeat("some words ", 30), "took\t1 ms"}, 0, 14, most)
	testkit.That(t, w <= most, "%g wide", w)
	var title, value, words string
	for i, r := range rows {
		for f, s := range map[draw.Face]string{draw.Medium: r.name, draw.Regular: r.value} {
			testkit.That(t, f != draw.Regular && !r.title || env.Atlas.Measure(f, s) <= most,
				"row %d is too wide: %q", i, s)
		}
		switch {
		case r.title:
			title += r.name
		case strings.HasPrefix(r.name, "some") || strings.HasPrefix(r.name, "words"):
			words += r.name + " "
		case r.name != "took":
			value += r.value
		}
	}
	testkit.That(t, title == name && value == name && words == strings.Repeat("some words ", 30),
		"the title is %q, the value %q, the words %q", title, value, words)
	testkit.Equal(t, rows[len(rows)-1], (tipRow{name: "took", value: "1 ms"}), "the last row")
	text := "over typical by 120 ms"
	parts := WrapWords(env.Atlas, draw.Regular, text, env.Atlas.Measure(draw.Regular, text)-1)
	testkit.That(t, slices.Equal(parts, []string{"over typical by", "120 ms"}), "a unit stays with its number: %q", parts)
}

// A session that has ended does not wait for anything.
func TestWordsOfSessionsThatHaveEnded(t *testing.T) {
	s := store.NewSession()
	v := view.New(s)
	sources := []string{"Collectors with their times.\n" + NoData, "Who ran inside whom.\n" + NoFrame}
	for _, words := range sources {
		testkit.Equal(t, finalWords(&Env{View: v}, words), words, "while it runs: %q became", words)
	}
	s.Apply(model.End{Reason: "closed"})
	for _, words := range sources {
		got := finalWords(&Env{View: v}, words)
		testkit.That(t, !strings.Contains(got, "yet") && !strings.Contains(got, "Waiting") &&
			strings.HasPrefix(got, words[:strings.IndexByte(words, '\n')+1]), "after the end: %q became %q", words, got)
	}
}

// A thread of which there were frames waits for none: not before its oldest, nor beside a gap.
func TestWordsOfThreadsWithFrames(t *testing.T) {
	st := &store.Store{MemoryLimit: 1}
	s := st.NewSession()
	for k := range int64(4000) {
		s.Append(&model.Batch{Track: 0, HasFrame: true, Number: k, Begin: k * 100, End: k*100 + 100})
	}
	v := view.New(s)
	const words = "Who ran inside whom.\n" + NoFrame
	got := finalWords(&Env{View: v}, words)
	testkit.That(t, strings.HasSuffix(got, noFrameNow), "while all is there: %q", got)
	s.Apply(model.TrackDef{ID: 1, Name: "other"})
	s.Apply(model.Loss{Reason: model.LossLimit, Track: model.NoTrack, N: 1, Frames: 1})
	other := view.New(s)
	other.SetTrack(1)
	got = finalWords(&Env{View: other}, words)
	testkit.That(t, strings.HasSuffix(got, noFrameKept), "of a thread whose frames were dropped: %q", got)
	v.PlacePlayhead(5)
	st.EnforceLimit(time.Time{})
	testkit.MustThat(t, s.Track(0).Evicted() != 0, "nothing left")
	if got := finalWords(&Env{View: v}, words); !strings.HasSuffix(got, noFrameHere+"\n"+NotKept) {
		t.Errorf("before the oldest, at %d, of %d: %q", v.Playhead(), s.Track(0).Frame(0).Begin, got)
	}
}

// Where all that came has left memory every panel says so, and how to get it back: no panel says that
// nothing came, or that it waits.
func TestWordsWhereAllHasLeft(t *testing.T) {
	st := &store.Store{MemoryLimit: 1}
	s := st.NewSession()
	for k := range int64(100) {
		s.Append(&model.Batch{Track: model.TrackID(k % 2), HasFrame: true, Number: k, Begin: k * 100, End: k*100 + 100})
	}
	s.Apply(model.TrackDef{ID: 2, Name: "never sent"})
	s.Apply(model.End{Reason: "closed"})
	st.EnforceLimit(time.Time{})
	for _, kept := range []bool{false, true} {
		for track := range model.TrackID(3) {
			v := view.New(s)
			v.SetTrack(track)
			env := &Env{View: v, Kept: kept}
			advice := NotKept
			if kept {
				advice = "It is on disk: " + KeyOfLeft + " opens it."
			}
			why := noFrameHere
			if track == 2 {
				why = noDataHere
			}
			for _, words := range []string{"The slowest frames.\n" + NoData, "Who ran inside whom.\n" + NoFrame} {
				head, _, _ := strings.Cut(words, "\n")
				got, want := finalWords(env, words), head+"\n"+why+"\n"+advice
				testkit.That(t, got == want, "kept %v, thread %d: %q, want %q", kept, track, got, want)
			}
			got, want := NothingLine(env, "Frames will be here."), why+" "+advice
			testkit.That(t, got == want, "kept %v, thread %d, in a line: %q, want %q", kept, track, got, want)
		}
	}
	got := NothingLine(&Env{View: view.New(store.NewSession())}, "Frames will be here.")
	testkit.That(t, got == "Frames will be here.", "before anything came: %q", got)
}

// A color as dark as the panel needs an edge, but not where it is dark because a search found something else.
func TestSunken(t *testing.T) {
	theme := assets.Dark()
	v := view.New(store.NewSession())
	env := &Env{Theme: &theme, View: v, Scale: 1}
	dark := draw.Color(theme.Panel)
	testkit.That(t, Sunken(env, dark, false) && !Sunken(env, draw.Color(theme.Text), false), "without a search")
	v.Look().SetFound(true, nil)
	testkit.That(t, !Sunken(env, dark, false) && Sunken(env, dark, true), "with one")
}
