package details

import (
	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
	"slices"
	"testing"
)

// testEnv is a window at scale 1 that shows a session.
func testEnv(s *store.Session) *panel.Env {
	theme := assets.Dark()
	env := &panel.Env{View: view.New(s), Theme: &theme, Atlas: draw.NewAtlas(1), Scale: 1}
	env.View.Tick(0, false)
	return env
}

// testSession has one thread with n frames of 10 ms, every tenth of them 30 ms, in each of which
// App runs for 4 ms.
func testSession(n int) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Program: "game", Host: "here", PID: 7, Version: "PStats 3.2", File: true})
	s.Apply(model.CollectorDef{ID: 0, Name: "Frame", Parent: model.NoCollector})
	s.Apply(model.CollectorDef{ID: 1, Name: "App", Parent: 0})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	s.Apply(model.PathDef{ID: 1, Parent: model.PathRoot, Collector: 0})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 1})
	const ms = 1_000_000
	t := int64(0)
	for i := range n {
		d := int64(10 * ms)
		if i%10 == 5 {
			d = 30 * ms
		}
		s.Append(&model.Batch{
			Track: 0, HasFrame: true, Number: int64(100 + i), Begin: t, End: t + d,
			Spans: []model.Span{{Begin: t, End: t + d, Path: 1}, {Begin: t + ms, End: t + 5*ms, Path: 2, Lane: 1}},
			Alone: []model.CollectorTime{{Collector: 0, Ns: d - 4*ms, Count: 1}, {Collector: 1, Ns: 4 * ms, Count: 1}},
		})
		t += d
	}
	s.Apply(model.End{})
	return s
}

// panelRect is where the panel lies.
var panelRect = draw.Rect{X0: 100, Y0: 50, X1: 350, Y1: 250}

func click(x, y float32) *panel.Input {
	return &panel.Input{X: x, Y: y, Over: true, Left: panel.Button{Released: true, DownX: x, DownY: y}}
}

// While nothing changes a panel is not drawn again; at a growing session its numbers change a few
// times a second.
func TestPanelsAreDrawnOnlyWhenTheyChange(t *testing.T) {
	env := testEnv(testSession(40))
	env.View.SelectCollector(1)
	pane := &Panel{}
	idle := &panel.Input{}
	pane.Update(env, panelRect, idle)
	first := pane.List().Revision()
	for range 20 {
		env.NowNs += 16_000_000
		pane.Update(env, panelRect, idle)
	}
	if pane.List().Revision() != first {
		t.Error("the details of an ended session were drawn again though nothing changed")
	}
	env.View.StepFrame(1)
	pane.Update(env, panelRect, idle)
	if pane.List().Revision() == first {
		t.Error("the details were not drawn again for another frame")
	}
	if n := testing.AllocsPerRun(50, func() { pane.Update(env, panelRect, idle) }); n != 0 {
		t.Errorf("a tick of a panel in which nothing changes allocates %v times", n)
	}
}

func TestDetailsOfACollector(t *testing.T) {
	s := testSession(40)
	env := testEnv(s)
	env.View.SelectCollector(1)
	env.View.SelectFrames(3, 3)
	pane := &Panel{}
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{})
	if pane.Title(env) != "App" {
		t.Errorf("the title is %q", pane.Title(env))
	}
	if pane.stats.Frames != 40 || pane.here.Frames != 1 || pane.here.Count != 1 || pane.inside != 4_000_000 {
		t.Errorf("%d frames in all, %d here with %d calls, %d ns from start to stop", pane.stats.Frames, pane.here.Frames, pane.here.Count, pane.inside)
	}
	// Of the frame itself there is a histogram: 36 short ones and 4 long ones.
	env.View.SelectCollector(0)
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{})
	var sum int32
	for _, n := range pane.counts {
		sum += n
	}
	if sum != 40 || pane.counts[0] != 36 || pane.counts[histogramBins-1] != 4 || pane.at != 0 {
		t.Errorf("the histogram is %v, this frame in bin %d", pane.counts, pane.at)
	}
	// The longest frame is a click away.
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, click((pane.maxRow.X0+pane.maxRow.X1)/2, (pane.maxRow.Y0+pane.maxRow.Y1)/2))
	if f := s.Track(0).Frame(env.View.FrameA()); f.End-f.Begin != 30_000_000 {
		t.Errorf("the click went to frame %d", f.Number)
	}
}

// Of several frames it tells what took longest in them, as the mean of a frame, and of as many as
// before when the range changes.
func TestDetailsOfARange(t *testing.T) {
	env := testEnv(testSession(40))
	pane := &Panel{}
	for _, c := range []struct {
		a, b         int
		frame, calls int64
	}{{0, 9, 12 - 4, 4}, {5, 6, 20 - 4, 4}, {0, 39, 12 - 4, 4}} {
		env.View.SelectFrames(c.a, c.b)
		pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{})
		n := int64(c.b - c.a + 1)
		if len(pane.totals) != 2 || pane.totals[0].Self/n != c.frame*1_000_000 || pane.totals[1].Self/n != c.calls*1_000_000 {
			t.Errorf("frames %d to %d: %+v", c.a, c.b, pane.totals)
		}
		few := pane.List().Quads()
		env.View.SelectFrames(c.a, c.a)
		if pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{}); few*2 < pane.List().Quads() {
			t.Errorf("%d quads of several frames, %d of one", few, pane.List().Quads())
		}
	}
}

// The details of a session that runs, but sends nothing, stay as they are.
func TestDetailsAreStillWithoutNews(t *testing.T) {
	s := testSession(5)
	for _, live := range []bool{true, false} {
		env := testEnv(s)
		env.View.Follow(live)
		p := &Panel{}
		tick := func() uint64 {
			env.NowNs += 16_666_667
			env.View.Tick(env.NowNs, false)
			p.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
			return p.List().Revision()
		}
		for range 20 {
			tick()
		}
		before := tick()
		for range 60 {
			if tick() != before {
				t.Fatalf("painted without news (live: %v)", live)
			}
		}
		s.Apply(model.CollectorDef{ID: 1, Name: "x"})
		if tick() == before {
			t.Errorf("news are not shown (live: %v)", live)
		}
	}
}

// A view that is made live again shows its newest frame, also when nothing new comes.
func TestDetailsOfAViewThatIsLiveAgain(t *testing.T) {
	s := testSession(5)
	env := testEnv(s)
	p := &Panel{}
	tick := func() {
		env.NowNs += 16_666_667
		env.View.Tick(env.NowNs, false)
		p.Update(env, panelRect, &panel.Input{X: -1, Y: -1})
	}
	env.View.SelectFrames(1, 1)
	tick()
	env.View.Follow(true)
	p.Update(env, panelRect, &panel.Input{X: -1, Y: -1}) // by a key, after the view's tick
	tick()
	if want := "Frame " + string(format.AppendCount(nil, s.Track(0).Frame(4).Number)); p.Title(env) != want {
		t.Errorf("shows %q, want %q", p.Title(env), want)
	}
}

// What stands of a span and its frame: total and self side by side, each below what it is of.
func TestDetailsOfASpanPicture(t *testing.T) {
	s := chartstest.NewSession(t)
	env, rect := testEnv(s), draw.Rect{X1: 280, Y1: 460}
	picture := func(name string) {
		pane := &Panel{}
		pane.Update(env, rect, &panel.Input{})
		golden.Check(t, "testdata/golden/"+name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
	}
	env.View.Follow(false)
	env.View.SelectFrames(100, 104)
	env.View.SelectCollector(chartstest.CCull)
	picture("details_frames")
	f := s.Track(chartstest.TMain).Frame(100)
	env.View.SelectSpan(s.Spans().Visible(chartstest.TMain, 1, f.Begin, f.End, 0, nil)[0])
	picture("details_span_in_frame")
}

// A click on a bar of the histogram goes to the next frame of it, after the last to the first.
func TestHistogramBarsSelectFrames(t *testing.T) {
	env := testEnv(testSession(40))
	env.View.SelectFrames(0, 0)
	env.View.SelectCollector(0)
	var pane Panel
	for _, want := range []int{5, 15, 25, 35, 5} {
		pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{})
		pane.Update(env, draw.Rect{X1: 250, Y1: 400}, click(pane.bins.X1-1, pane.bins.Y0+1))
		if got := env.View.FrameA(); got != want {
			t.Fatalf("frame %d, want %d", got, want)
		}
	}
}

// Of a collector that did not run in half of the frames and more the median is 0.
func TestDetailsOfWhatRunsSeldom(t *testing.T) {
	s := testSession(40)
	s.Apply(model.CollectorDef{ID: 2, Name: "Load", Parent: 0})
	begin := s.Track(0).Frame(39).End
	s.Append(&model.Batch{
		Track: 0, HasFrame: true, Number: 140, Begin: begin, End: begin + 10_000_000,
		Alone: []model.CollectorTime{{Collector: 2, Ns: 5_000_000, Count: 1}},
	})
	env := testEnv(s)
	env.View.SelectCollector(2)
	pane := &Panel{}
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{})
	got := map[string]string{}
	for _, f := range pane.Facts(env, nil) {
		got[f.Measure] = f.Text
	}
	for name, want := range map[string]string{"frames with": "1 of 41", "median": "0 ns", "p95": "0 ns", "p99": "5.00 ms", "max": "5.00 ms  #140"} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

// Collectors that are called alike are listed with what they lie in, others by their name alone.
func TestLongestOwnTimesAreToldApart(t *testing.T) {
	s := testSession(3)
	alone := []model.CollectorTime{}
	for id, d := range []struct {
		name   string
		parent model.CollectorID
	}{2: {"Cull", 0}, 3: {"Draw", 0}, 4: {"Scene", 2}, 5: {"Scene", 3}, 6: {"Flip", 3}} {
		if d.name == "" {
			continue
		}
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: d.name, Parent: d.parent})
		if id > 3 {
			alone = append(alone, model.CollectorTime{Collector: model.CollectorID(id), Ns: int64(id) * 1e6, Count: 1})
		}
	}
	begin := s.Track(0).Frame(2).End
	s.Append(&model.Batch{Track: 0, HasFrame: true, Number: 103, Begin: begin, End: begin + 30_000_000, Alone: alone})
	env := testEnv(s)
	env.View.SelectFrames(3, 3)
	pane := &Panel{}
	pane.Update(env, draw.Rect{X1: 250, Y1: 600}, &panel.Input{})
	var shown []string
	for _, x := range pane.List().Texts() {
		shown = append(shown, x.Text)
	}
	for _, want := range []string{"Cull:Scene", "Draw:Scene", "Flip"} {
		if !slices.Contains(shown, want) {
			t.Errorf("%q is not shown: %q", want, shown)
		}
	}
}

// Of a collector whose time is all that of what runs in it under other names the inspector says so, and no
// percentiles of nothing.
func TestDetailsWithoutOwnTime(t *testing.T) {
	const ms = 1_000_000
	s := testSession(4)
	s.Apply(model.CollectorDef{ID: 2, Name: "Shadows", Parent: 0})
	s.Apply(model.PathDef{ID: 3, Parent: 1, Collector: 2})
	s.Apply(model.PathDef{ID: 4, Parent: 3, Collector: 1})
	begin := s.Track(0).Frame(3).End
	s.Append(&model.Batch{
		Track: 0, HasFrame: true, Number: 104, Begin: begin, End: begin + 10*ms,
		Spans: []model.Span{
			{Begin: begin, End: begin + 10*ms, Path: 1}, {Begin: begin + ms, End: begin + 5*ms, Path: 3, Lane: 1},
			{Begin: begin + ms, End: begin + 5*ms, Path: 4, Lane: 2},
		},
		Alone: []model.CollectorTime{{Collector: 0, Ns: 6 * ms, Count: 1}, {Collector: 1, Ns: 4 * ms, Count: 1}, {Collector: 2, Count: 1}},
	})
	env := testEnv(s)
	env.View.GoToFrame(4)
	env.View.SelectCollector(2)
	pane := &Panel{}
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{})
	got := map[string]string{}
	for _, f := range pane.Facts(env, nil) {
		got[f.Measure] = f.Text
	}
	if _, ranked := got["median"]; ranked || got["total"] != "4.00 ms" || got["net"] != "0 ns" || !pane.bins.Empty() {
		t.Errorf("%v, histogram at %v", got, pane.bins)
	}
}
