package details

import (
	"slices"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// testEnv is a window at scale 1 that shows a session.
func testEnv(s *store.Session) *panel.Env { return chartstest.ReadyEnv(s, 1) }

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
			Self:  []model.CollectorTime{{Collector: 0, Ns: d - 4*ms, Count: 1}, {Collector: 1, Ns: 4 * ms, Count: 1}},
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

func TestDetailsOfACollector(t *testing.T) {
	s := testSession(40)
	env := testEnv(s)
	env.View.SelectCollector(1)
	env.View.SelectFrames(3, 3)
	pane := shown(env, draw.Rect{X1: 250, Y1: 400})
	testkit.That(t, pane.Title(env) == "App", "the title is %q", pane.Title(env))
	if pane.stats.Frames != 40 || pane.here.Frames != 1 || pane.here.Count != 1 || pane.inside != 4_000_000 {
		t.Errorf("%d frames in all, %d here with %d calls, %d ns from start to stop", pane.stats.Frames, pane.here.Frames, pane.here.Count, pane.inside)
	}
	// Of the frame itself there is a histogram: 36 short ones and 4 long ones.
	env.View.SelectCollector(0)
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, &panel.Input{})
	testkit.Equal(t, pane.Title(env), "Whole frame", "the title")
	var sum int32
	for _, n := range pane.counts {
		sum += n
	}
	testkit.That(t, sum == 40 && pane.counts[0] == 36 && pane.counts[histogramBins-1] == 4 && pane.at == 0,
		"the histogram is %v, this frame in bin %d", pane.counts, pane.at)
	// The longest frame is a click away.
	pane.Update(env, draw.Rect{X1: 250, Y1: 400}, click((pane.links[0].rect.X0+pane.links[0].rect.X1)/2, (pane.links[0].rect.Y0+pane.links[0].rect.Y1)/2))
	f := s.Track(0).Frame(env.View.FrameA())
	testkit.That(t, f.End-f.Begin == 30_000_000, "the click went to frame %d", f.Number)
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
	want := "Frame " + string(format.AppendCount(nil, s.Track(0).Frame(4).Number))
	testkit.That(t, p.Title(env) == want, "shows %q, want %q", p.Title(env), want)
}

// What stands of a span and its frame: total and self side by side, each below what it is of.
func TestDetailsOfASpanPicture(t *testing.T) {
	s := chartstest.NewSession(t)
	env, rect := testEnv(s), draw.Rect{X1: 280, Y1: 460}
	picture := func(name string) {
		pane := shown(env, rect)
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
		testkit.MustEqual(t, env.View.FrameA(), want, "frame")
	}
}

// Of a collector that runs in few frames only the percentiles that lie in those are shown.
func TestDetailsOfWhatRunsSeldom(t *testing.T) {
	s := testSession(40)
	s.Apply(model.CollectorDef{ID: 2, Name: "Load", Parent: 0})
	begin := s.Track(0).Frame(39).End
	s.Append(&model.Batch{
		Track: 0, HasFrame: true, Number: 140, Begin: begin, End: begin + 10_000_000,
		Self: []model.CollectorTime{{Collector: 2, Ns: 5_000_000, Count: 1}},
	})
	env := testEnv(s)
	env.View.SelectCollector(2)
	pane := shown(env, draw.Rect{X1: 250, Y1: 400})
	got := told(pane, env)
	for name, want := range map[string]string{"frames with": "1 of 41", "median": "", "p95": "", "p99": "5.00 ms", "max": "5.00 ms  #140"} {
		testkit.That(t, got[name] == want, "%s is %q, want %q", name, got[name], want)
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
			alone = append(alone, model.CollectorTime{Collector: model.CollectorID(id), Ns: int64(id-3) * 4e5, Count: 1})
		}
	}
	begin := s.Track(0).Frame(2).End
	s.Append(&model.Batch{Track: 0, HasFrame: true, Number: 103, Begin: begin, End: begin + 30_000_000, Self: alone})
	env := testEnv(s)
	env.View.SelectFrames(3, 3)
	pane := shown(env, draw.Rect{X1: 250, Y1: 600})
	var shown []string
	for _, x := range pane.List().Texts() {
		shown = append(shown, x.Text)
	}
	for _, want := range []string{"Cull:Scene", "Draw:Scene", "Flip", "0.40 ms", "1.20 ms"} {
		testkit.That(t, slices.Contains(shown, want), "%q is not shown: %q", want, shown)
	}
}

// callSession has one sampled thread without frames: run calls work a hundred times, the fiftieth
// takes the longest.
func callSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Program: "shop", File: true, Clock: model.Clock{StepNs: 20_000_000}})
	for id, name := range []string{"All", "Shop", "Worker.run()", "Worker.order()"} {
		parent := model.CollectorID(0)
		if id > 1 {
			parent = 1
		}
		s.Apply(model.CollectorDef{ID: model.CollectorID(id), Name: name, Parent: parent})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "order-worker-1"})
	s.Apply(model.PathDef{ID: 1, Collector: 2})
	s.Apply(model.PathDef{ID: 2, Parent: 1, Collector: 3})
	const ms = 1_000_000
	b := model.Batch{Spans: []model.Span{{Begin: 0, End: 100 * 50 * ms, Path: 1, Flags: model.SpanOpenEnd}}}
	for i := range int64(100) {
		d := 20*ms + i*ms/10
		if i == 50 {
			d = 45 * ms
		}
		b.Spans = append(b.Spans, model.Span{Begin: i * 50 * ms, End: i*50*ms + d, Path: 2, Lane: 1, Flags: model.SpanUncertain})
	}
	s.Append(&b)
	s.Apply(model.End{})
	return s
}

func TestDetailsWithoutFrames(t *testing.T) {
	s := callSession()
	rect := draw.Rect{X1: 250, Y1: 300}
	span, ok := s.Spans().ByRef(spans.Ref{Track: 0, Lane: 1, Index: 50})
	testkit.MustThat(t, ok, "no span")
	for _, c := range []struct {
		name, title string
		set         func(v *view.View)
	}{
		{"session", "Whole session", func(*view.View) {}},
		{"range", "Selected range", func(v *view.View) { v.SelectRange(1e9, 2e9) }},
		{"collector", "Worker.order()", func(v *view.View) { v.SelectCollector(3) }},
		{"span", "Worker.order()", func(v *view.View) { v.SelectSpan(span) }},
		{"open_span", "Worker.run()", func(v *view.View) {
			b, _ := s.Spans().ByRef(spans.Ref{Track: 0})
			v.SelectSpan(b)
		}},
		{"not_here", "Shop", func(v *view.View) { v.SelectCollector(1) }},
	} {
		for _, light := range []bool{false, true} {
			env := testEnv(s)
			name := "details_" + c.name
			if light {
				theme := assets.Light()
				env.Theme, name = &theme, name+"_light"
			}
			c.set(env.View)
			pane := shown(env, rect)
			testkit.Equal(t, pane.Title(env), c.title, "%s: the title", c.name)
			golden.Check(t, "testdata/golden/"+name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
		}
	}
}

// The figures of a span and of a collector are those of the session, and a click on the longest
// call goes there.
func TestDetailsFiguresWithoutFrames(t *testing.T) {
	s := callSession()
	env := testEnv(s)
	env.View.SelectCollector(3)
	rect := draw.Rect{X1: 250, Y1: 300}
	pane := shown(env, rect)
	testkit.MustThat(t, len(pane.links) == 1 && len(pane.calls.stats) == 2 && pane.calls.calls == 101, "%+v", pane.calls)
	y := (pane.links[0].rect.Y0 + pane.links[0].rect.Y1) / 2
	hit := pane.HitTest(env, 100, y)
	testkit.That(t, len(hit.Lines) == 1, "tooltip %q", hit.Lines)
	pane.Update(env, rect, click(100, y))
	v := env.View
	testkit.MustThat(t, v.HasSpan() && v.Span().Ref.Index == 50 && v.Span().Ref.Lane == 1,
		"the click went to %+v", v.Span())
	pane.Update(env, rect, &panel.Input{})
	c := &pane.calls
	testkit.That(t, c.self == 45_000_000 && c.called && c.caller.Collector == 2,
		"self %d, caller %+v", c.self, c.caller)
}

// runSession has two threads whose stacks were sampled every 10 ms: in a method m for i samples, then in
// another one for ten, and so on, i from 1 to 9.
func runSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "flare", File: true, Clock: model.Clock{StepNs: 10_000_000}})
	for c, name := range []string{"All", "m", "other"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(c), Name: name})
		if c > 0 {
			s.Apply(model.PathDef{ID: model.PathID(c), Collector: model.CollectorID(c)})
		}
	}
	for id, name := range []string{"first", "second"} {
		track := model.TrackID(id)
		s.Apply(model.TrackDef{ID: track, Name: name, Index: id})
		s.Apply(model.SeriesDef{
			ID: model.SeriesID(id), Name: name, Role: model.RoleStack, Kind: model.SeriesEvent, Track: track,
			Object: model.NoObject, Peer: model.NoObject,
		})
		b, at := model.Batch{Track: track}, int64(0)
		run := func(path model.PathID, n int) {
			begin := at
			for range n {
				b.Samples = append(b.Samples, model.Sample{Series: model.SeriesID(id), Time: at, Value: float64(path)})
				at += 10e6
			}
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: at, Path: path})
		}
		for i := 1; i <= 9-5*id; i++ {
			run(1, i)
			run(2, 10)
		}
		b.End = at
		s.Append(&b)
	}
	s.Apply(model.End{})
	return s
}

// Of a method of a sampled thread the details tell how long its runs are, as a histogram of runs, and on
// which threads it was sampled; a bar leads to a run of its length.
func TestRunsOfAMethod(t *testing.T) {
	env, rect := testEnv(runSession()), draw.Rect{X1: 320, Y1: 700}
	v := env.View
	v.SetTrack(0)
	v.SelectCollector(1)
	p := &Panel{}
	for range 3 {
		p.Update(env, rect, &panel.Input{})
	}
	n := int64(0)
	for _, k := range p.counts {
		n += int64(k)
	}
	testkit.That(t, n == 9 && p.all == 9 && p.many == "runs" && p.most == 1,
		"the bars have %d %s of %d, at most %d", n, p.many, p.all, p.most)
	told, heads := map[string]string{}, map[string]bool{}
	for _, f := range p.Facts(env, nil) {
		told[f.Measure], heads[f.Header] = f.Text, true
	}
	testkit.That(t, heads["called from, samples on first"] && heads["samples on all threads"],
		"the heads %v do not say of which threads", heads)
	testkit.That(t, told["on first"] == "45 · 81.8 %" && told["on second"] == "10 · 18.2 %",
		"on threads: %q, %q", told["on first"], told["on second"])
	bin := p.bin(0.07)
	p.Update(env, rect, click(p.bins.X0+p.bins.W()*(float32(bin)+0.5)/histogramBins, p.bins.Y1-1))
	b, ok := v.Session().Spans().At(0, 0, v.Playhead(), 0)
	testkit.That(t, ok && b.End-b.Begin == 70e6, "a click on the bar of 70 ms goes to %+v", b)
	env.Paced = true // a few threads a tick
	v.SelectCollector(2)
	for range 5 {
		p.Update(env, rect, &panel.Input{})
	}
	list := p.calls.threads.List
	testkit.That(t, len(list) == 2 && list[0].N == 90 && list[1].N == 40, "on threads: %+v", list)
}

// Of very many calls as many of each part of the range are looked at, and it says of how many.
func TestLengthsOfManyCalls(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "m"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	b := model.Batch{Track: 0}
	for i := range int64(10_000) {
		b.Spans = append(b.Spans, model.Span{Begin: i * 1e6, End: i*1e6 + 1000 + i%100*1000, Path: 1})
	}
	s.Append(&b)
	s.Apply(model.End{})
	env := testEnv(s)
	env.View.SetTrack(0)
	env.View.SelectCollector(1)
	p := shown(env, draw.Rect{X1: 320, Y1: 700})
	testkit.MustThat(t, p.all == 10_000 && p.looked == mostLengths && len(p.calls.lengths) == mostLengths,
		"%d calls are looked at of %d", p.looked, p.all)
	begin, end := p.calls.lengths[0].Begin, p.calls.lengths[mostLengths-1].Begin
	testkit.That(t, begin <= 1e9 && end >= 9e9, "they lie between %d and %d", begin, end)
	bin := p.bin(50e3 / 1e9)
	text := p.counted(bin)
	testkit.That(t, p.counts[bin] <= 0 || text[len(text)-len("2048 looked at"):] == "2048 looked at",
		"a bar says %q", text)
}

// Of a thread that waits through all of a range the headline says so, and of one that was not sampled that.
func TestHeadlineWhereNothingBurns(t *testing.T) {
	s := runSession()
	s.Apply(model.CollectorDef{ID: 2, Name: "Wait"})
	r := newWhyRig(s)
	for _, c := range []struct {
		track  model.TrackID
		t0, t1 int64
		words  string
	}{
		{0, 20e6, 60e6, "None of 4 samples of first is of code: it waits, or reads or writes."},
		{1, 800e6, 900e6, "No stack of second was sampled here."},
	} {
		r.env.View.SetTrack(c.track)
		r.env.View.SelectRange(c.t0, c.t1)
		r.tick(&panel.Input{})
		if h, rows := r.why.head, r.why.chain.rows; len(rows) != 1 || rows[0].words != c.words || h.value != string(format.AppendDuration(nil, c.t1-c.t0)) {
			t.Errorf("%d to %d: %+v, %+v, want %q", c.t0, c.t1, h, rows, c.words)
		}
	}
}

// argSession has a call with arguments of every kind, with frames around it or without.
func argSession(framed bool) *store.Session {
	s := chartstest.Named("Frame", "LoadTexture")
	s.Apply(model.Info{Program: "game", File: true})
	s.Apply(model.TrackDef{ID: 0, Name: "Streaming"})
	arg := func(key string, v model.ArgValue) model.Arg { return model.Arg{Span: 0, Key: key, Value: v} }
	b := model.Batch{
		HasFrame: framed, Number: 7, End: 16_000_000, Spans: []model.Span{{Begin: 2_000_000, End: 9_000_000, Path: 2}},
		Args: []model.Arg{
			arg("texture", model.TextArg("rock.dds")), arg("size", model.IntArg(-4096)), arg("data.scale", model.FloatArg(0.5)),
			arg("url", model.TextArg("https://assets.example/levels/canyon/textures/rock_albedo_4k.dds?version=20261120&quality=high")),
			arg("lines", model.TextArg("one\ntwo\tthree")), arg("empty", model.TextArg("")),
			arg("a key that is as long as the panel is wide, and longer", model.IntArg(1)),
		},
	}
	if framed {
		b.Self = []model.CollectorTime{{Collector: 1, Ns: 7_000_000, Count: 1}}
	}
	s.Append(&b)
	s.Apply(model.End{})
	return s
}

// The inspector tells the arguments of a call, those that are long in several lines, and gives each
// whole to be copied.
func TestArguments(t *testing.T) {
	for name, framed := range map[string]bool{"details_arguments": false, "details_arguments_framed": true} {
		s := argSession(framed)
		env := testEnv(s)
		b, _ := s.Spans().ByRef(spans.Ref{})
		env.View.SelectSpan(b)
		rect := draw.Rect{X1: 250, Y1: 560}
		pane := shown(env, rect)
		told := map[string]string{}
		for _, f := range pane.Facts(env, nil) {
			if f.Header == "7 arguments" {
				told[f.Measure] = f.Text
			}
		}
		testkit.That(t, len(told) == 7 && told["size"] == "−4096" && told["data.scale"] == "0.5" &&
			told["lines"] == "one�two three", "%s: told is %q", name, told)
		seen := map[string]bool{}
		for y := rect.Y0; y < rect.Y1; y++ {
			if hit := pane.HitTest(env, 100, y); hit.Kind == panel.HitLabel && len(hit.Lines) == 2 {
				seen[strings.Join(hit.Lines, "=")] = true
			}
		}
		if len(seen) != 7 || !seen["url=https://assets.example/levels/canyon/textures/rock_albedo_4k.dds?version=20261120&quality=high"] {
			t.Errorf("%s: under the mouse are %v", name, seen)
		}
		golden.Check(t, "testdata/golden/"+name+".png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
	}
}

// Where there is no room for all arguments, it says how many are left out.
func TestArgumentsWithoutRoom(t *testing.T) {
	s := argSession(false)
	env := testEnv(s)
	b, _ := s.Spans().ByRef(spans.Ref{})
	env.View.SelectSpan(b)
	pane := shown(env, draw.Rect{X1: 250, Y1: 200})
	for _, x := range pane.List().Texts() {
		if strings.HasSuffix(x.Text, "arguments more") {
			return
		}
	}
	t.Errorf("nothing says that there are more: %v", pane.List().Texts())
}

// The inspector tells where the flows of a span come from and lead to, and a click goes there; Back
// returns.
func TestFlows(t *testing.T) {
	s := chartstest.NewFlowSession()
	env := testEnv(s)
	b, _ := s.Spans().At(0, 1, 5*chartstest.Ms, 0)
	env.View.SelectSpan(b)
	rect := draw.Rect{X1: 250, Y1: 360}
	pane := shown(env, rect)
	var told []string
	for _, f := range pane.Facts(env, nil) {
		if f.Header == "flows: 4 from it" {
			told = append(told, f.Measure+", "+f.Text)
		}
	}
	if want := []string{
		"to cull on Worker 1 · job, 8.00 ms after", "to upload on Loader · job, 90.0 ms after",
		"to animate on Worker 2 · job, 1.00 ms after", "to no span that is known on Worker 2 · job, 25.0 ms after",
	}; !slices.Equal(told, want) {
		t.Errorf("told is %q", told)
	}
	golden.Check(t, "testdata/golden/details_flows.png", &draw.Picture{Seen: rect, Ground: draw.Color(env.Theme.Panel), Lists: []*draw.List{pane.List()}})
	at := draw.Rect{}
	for y := rect.Y0; y < rect.Y1 && at.Empty(); y++ {
		if hit := pane.HitTest(env, 100, y); len(hit.Lines) == 3 && hit.Lines[0] == "to cull on Worker 1 · job" {
			at = hit.Rect
		}
	}
	env.NowNs += 2e9
	env.View.Tick(env.NowNs, false)
	click := &panel.Input{Over: true, X: at.X0 + 20, Y: at.Y0 + 5, Left: panel.Button{Released: true}}
	pane.Update(env, rect, click)
	got := env.View.Span()
	testkit.That(t, got.Ref.Track == 1 && got.Begin == 14*chartstest.Ms, "a click selects %+v", got)
	pane.Update(env, rect, &panel.Input{})
	for _, f := range pane.Facts(env, nil) {
		if f.Header == "flows: 1 to it, 1 from it" && f.Measure == "from spawn jobs on Main · job" && f.Text == "8.00 ms before" {
			told = nil
		}
	}
	testkit.That(t, told == nil, "it does not tell where it comes from")
	env.View.Back()
	testkit.That(t, env.View.Span().Ref == b.Ref, "back goes to %+v", env.View.Span())
}

// Details of an element are of the time that its figures in the pipeline are of: at the playhead the
// state that it has then, also where nothing changed in the last second.
func TestDetailsOfAnElementAreOfThePlayhead(t *testing.T) {
	w := chartstest.NewTopoWriter()
	e, _ := w.Element(model.NoObject, "queue2", "GstQueue", "sink", "src")
	w.States(e, 100_000_000, 4) // null, ready, paused, playing at 0.1 to 0.4 s
	s := w.Session()
	s.Apply(model.End{})
	env := testEnv(s)
	for _, c := range []struct {
		at          int64
		head, state string
	}{
		{250_000_000, "in the last second at 0:00.250", "ready since 0:00.200"},
		{2_500_000_000, "in the last second at 0:02.500", "playing since 0:00.400"},
		{3_000_000_000, "in all of the recording", "playing, the highest"},
	} {
		env.View.SetPlayhead(c.at)
		env.View.Select(view.Element(e))
		p := shown(env, draw.Rect{X1: 320, Y1: 400})
		found := false
		for _, f := range p.Facts(env, nil) {
			if f.Measure != "state" {
				continue
			}
			if found = true; f.Text != c.state || f.Header != c.head {
				t.Errorf("at %d: %q, %q, want %q, %q", c.at, f.Header, f.Text, c.head, c.state)
			}
		}
		testkit.That(t, found, "at %d: no state", c.at)
	}
}

// Details of a span in a frame name its thread, its begin and its frame, and whose the figures of
// the frame are.
func TestDetailsOfASpanSayWhereItIs(t *testing.T) {
	s := testSession(5)
	env := testEnv(s)
	f := s.Track(0).Frame(2)
	env.View.SelectSpan(s.Spans().Visible(0, 1, f.Begin, f.End, 0, nil)[0])
	p := shown(env, draw.Rect{X1: 320, Y1: 400})
	got := map[string]string{}
	for _, f := range p.Facts(env, nil) {
		if strings.HasPrefix(f.Header, "this span") {
			got["head"], got[f.Measure] = f.Header, f.Text
		}
	}
	for name, want := range map[string]string{
		"head": "this span, in frame 102", "took": "4.00 ms", "thread": "Main", "begins": "0:00.021",
	} {
		testkit.That(t, strings.HasPrefix(got[name], want), "%s is %q, want %q", name, got[name], want)
	}
}

// Details of a collector say where in the source it is. A path without room loses its begin.
func TestDetailsOfPlaces(t *testing.T) {
	s := testSession(5)
	const path = "/builds/nightly/engine-4/modules/render/backends/vulkan/private/shader.cpp"
	s.Apply(model.CollectorDef{ID: 1, Name: "App", Place: model.Place{File: path, Line: 212}})
	env := testEnv(s)
	env.View.SelectCollector(1)
	p := shown(env, draw.Rect{X1: 320, Y1: 400})
	testkit.Equal(t, told(p, env)["source"], path+":212", "source")
	testkit.That(t, slices.ContainsFunc(p.List().Texts(), func(x draw.WatchedText) bool {
		return strings.HasPrefix(x.Text, "…") && strings.HasSuffix(x.Text, "/shader.cpp:212")
	}), "shown as %v", p.List().Texts())
}

// shown are the details of what is selected.
func shown(env *panel.Env, rect draw.Rect) *Panel {
	p := &Panel{}
	p.Update(env, rect, &panel.Input{})
	return p
}

// told returns what the details state, by measure.
func told(p *Panel, env *panel.Env) map[string]string {
	of := map[string]string{}
	for _, f := range p.Facts(env, nil) {
		of[f.Measure] = f.Text
	}
	return of
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
			testkit.MustThat(t, tick() == before, "painted without news (live: %v)", live)
		}
		s.Apply(model.CollectorDef{ID: 1, Name: "x"})
		testkit.That(t, tick() != before, "news are not shown (live: %v)", live)
	}
}
