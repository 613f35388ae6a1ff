package timeline

import (
	"slices"
	"strings"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/locks"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/flare"
	"framescope/net/profilelib"
)

type shot = chartstest.Shot[*Timeline]

func TestTimelinePictures(t *testing.T) {
	game, locked, sampled := chartstest.NewSession(t), chartstest.NewLockSession(t), chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "recorded-60s"))
	main := game.Track(chartstest.TMain)
	place := func(begin, end int64) func(*panel.Env, *Timeline) {
		return func(env *panel.Env, _ *Timeline) { env.View.Steer().PlaceTime(begin, end) }
	}
	frames := func(env *panel.Env, a, b int) {
		env.View.Steer().PlaceTime(main.Frame(a).Begin-2_000_000, main.Frame(b).End)
	}
	selected := func(env *panel.Env, _ *Timeline) { frames(env, 104, 108); env.View.SelectFrames(106, 106) }
	all := func(env *panel.Env, _ *Timeline) { env.View.Steer().FitAll() }
	pool := func(env *panel.Env, tl *Timeline) {
		env.View.Steer().PlaceTime(110_000_000, 142_000_000)
		env.View.SelectCollector(chartstest.LkPool)
	}
	near := main.Frame(150).Begin
	chartstest.Shoot(t, func() *Timeline { return &Timeline{} },
		shot{Name: "timeline_frames", S: game, W: 1060, H: 420, Set: selected},
		shot{Name: "timeline_frames_2x", S: game, W: 1060, H: 420, Scale: 2, Set: selected},
		shot{Name: "timeline_far", S: game, W: 1060, H: 420, Set: all},
		shot{Name: "timeline_50_frames", S: game, W: 1060, H: 420, Set: func(env *panel.Env, _ *Timeline) { frames(env, 130, 180) }},
		shot{Name: "timeline_near", S: game, W: 1060, H: 420, Set: place(near+4_000_000, near+7_000_000)},
		shot{Name: "timeline_folded", S: game, W: 1060, H: 420, Set: func(env *panel.Env, _ *Timeline) {
			frames(env, 158, 163)
			env.View.Look().SetTrackFolded(chartstest.TCull, true)
			env.View.Look().SetTrackFolded(chartstest.TGPU, true)
			env.View.Look().SetTrackHidden(chartstest.TLoader, true)
		}},
		shot{Name: "timeline_tooltip", S: game, W: 1060, H: 420, Set: func(env *panel.Env, _ *Timeline) { frames(env, 150, 150) },
			Then: func(env *panel.Env, tl *Timeline, r draw.Rect) *draw.List {
				y0, y1 := laneY(env, tl, 0, 2)
				chartstest.Click(env, tl, r, 500, (y0+y1)/2)
				env.NowNs += 1e9
				return chartstest.TipAt(env, tl, r, 500, (y0+y1)/2)
			}},
		shot{Name: "timeline_counters", S: game, W: 1060, H: 420, Set: func(env *panel.Env, _ *Timeline) {
			frames(env, 140, 170)
			n, _ := env.View.Look().Counters()
			for i := range n {
				env.View.Look().MarkCounter(view.CounterPinned, env.View.Look().CounterAt(i), true)
			}
			for id := range model.TrackID(game.NumTracks()) {
				env.View.Look().SetTrackLanes(id, 3)
			}
			env.View.SelectFrames(150, 150)
		}},
		shot{Name: "timeline_hit", S: game, W: 1060, H: 420, Set: func(env *panel.Env, tl *Timeline) {
			const physics = 9
			all(env, tl) // which of many, each narrower than a pixel
			env.View.Look().SetFound(true, []model.CollectorID{physics})
			for range 40 {
				env.View.StepFound([]model.CollectorID{physics}, 1)
			}
		}},
		shot{Name: "timeline_range", S: game, W: 1060, H: 420, Set: func(env *panel.Env, _ *Timeline) { frames(env, 104, 108) },
			Then: func(env *panel.Env, tl *Timeline, r draw.Rect) *draw.List {
				down := chartstest.MouseAt(300, 200)
				down.Shift, down.Left = true, panel.Button{Down: true, Pressed: true, DownX: 300, DownY: 200}
				tl.Update(env, r, down)
				drag := chartstest.MouseAt(640, 220)
				drag.Shift, drag.Left = true, panel.Button{Down: true, Dragging: true, DownX: 300, DownY: 200}
				tl.Update(env, r, drag)
				return nil
			}},
		shot{Name: "timeline_empty", S: store.NewSession(), W: 700, H: 160},
		// Processors under the lanes and messages above them, at three zooms, in both themes.
		shot{Name: "timeline_cores_all", S: locked, W: 1000, H: 420, Set: place(0, 400_000_000)},
		shot{Name: "timeline_cores_frames", S: locked, W: 1000, H: 420, Set: place(150_000_000, 240_000_000)},
		shot{Name: "timeline_cores_near", S: locked, W: 1000, H: 420, Set: place(230_000_000, 239_000_000)},
		shot{Name: "timeline_cores_light", S: locked, W: 1000, H: 420, Light: true, Set: place(100_000_000, 190_000_000)},
		// What the tracks did with the selected lock, and arrows from signals to the waits that they ended.
		shot{Name: "timeline_locks", S: locked, W: 1000, H: 330, Set: pool},
		shot{Name: "timeline_locks_light", S: locked, W: 1000, H: 330, Light: true, Set: pool},
		// Flows that are out of sight are led to: the edge of the plot, the row of what is hidden, a folded track.
		shot{Name: "timeline_flows_away", S: chartstest.NewFlowSession(), W: 900, H: 240, Set: func(env *panel.Env, _ *Timeline) {
			env.View.Steer().PlaceTime(5*flowMs, 40*flowMs)
			env.View.Look().SetTrackHidden(1, true)
			env.View.Look().SetTrackFolded(2, true)
			b, _ := env.View.Session().Spans().At(0, 1, 5*flowMs, 0)
			env.View.SelectSpanAt(b, b.Begin)
		}},
		// Of sampled spans only the part in which each of them ended is hatched.
		shot{Name: "timeline_sampled", S: sampled, W: 1000, H: 260, Set: place(30_000_000_000, 31_200_000_000)},
		shot{Name: "timeline_sampled_light", S: sampled, W: 1000, H: 260, Light: true, Set: place(30_000_000_000, 31_200_000_000)},
	)
}

// The theme for bright rooms, at a scale between whole numbers.
func TestTimelineLightPicture(t *testing.T) {
	s := chartstest.NewSession(t)
	env := chartstest.NewEnv(s, 1.5)
	chartstest.Light(env, true)
	env.View.Tick(1, false)
	m := s.Track(chartstest.TMain)
	env.View.Steer().PlaceTime(m.Frame(159).Begin, m.Frame(162).End)
	env.View.SelectFrames(159, 159)
	env.View.Steer().PlaceTime(m.Frame(159).Begin, m.Frame(162).End)
	env.View.Pointer().Set(nil, chartstest.CTravers, 0, false)
	var tl Timeline
	var fs overview.FrameStrip
	r := draw.Rect{X1: 1500, Y0: 93, Y1: 700}
	chartstest.Settle(env, &tl, r)
	chartstest.Settle(env, &fs, draw.Rect{X1: 1500, Y1: 93})
	golden.Check(t, "../testdata/golden/timeline_light.png", chartstest.Picture(1500, 700, tl.List(), fs.List()))
}

// Spans of which one end or both were not received, and some whose ends are only known to a
// sampling interval.
func TestTimelineOpenEndsPicture(t *testing.T) {
	w := chartstest.NewWriter(6)
	w.Track(0, "Main", model.TrackThread)
	const at = 3_000_000_000
	for i := range int64(3) {
		b := at + i*20_000_000
		w.Begin(0, i, b, b+16_000_000)
		w.Flags = []model.SpanFlags{model.SpanOpenEnd, model.SpanOpenBegin, 0}[i]
		p := w.Span(0, 0, chartstest.CApp, 0, b+1_000_000, b+9_000_000)
		w.Flags = []model.SpanFlags{model.SpanOpenBegin | model.SpanOpenEnd, model.SpanUncertain, model.SpanOpenEnd}[i]
		w.Span(p, chartstest.CApp, 5, 1, b+2_000_000, b+8_000_000)
		w.Span(0, 0, chartstest.CCull, 0, b+10_000_000, b+15_000_000)
		w.End()
	}
	env := chartstest.ReadyEnv(w.S, 1)
	var tl Timeline
	r := draw.Rect{X1: 900, Y1: 100}
	env.View.Steer().PlaceTime(at-1_000_000, at+60_000_000)
	chartstest.Settle(env, &tl, r)
	golden.Check(t, "../testdata/golden/timeline_open_ends.png", chartstest.Picture(900, 100, tl.List()))
}

const flowMs = chartstest.Ms

// The flows of the selected span, with all of their chains, and fainter those of the one under the mouse.
func TestTimelineFlowsPicture(t *testing.T) {
	s := chartstest.NewFlowSession()
	r := draw.Rect{X1: 900, Y1: 300}
	for _, kind := range assets.ThemeNames() {
		env := chartstest.NewEnv(s, 1)
		th, _ := assets.ThemeNamed(kind)
		env.Theme = &th
		env.View.Tick(1, false)
		var tl Timeline
		chartstest.Settle(env, &tl, r)
		env.View.Steer().PlaceTime(-2*flowMs, 90*flowMs)
		b, _ := s.Spans().At(0, 1, 5*flowMs, 0)
		env.View.SelectSpanAt(b, b.Begin)
		chartstest.Settle(env, &tl, r)
		for range 2 {
			x := tl.pane.PxOf(env, 80*flowMs)
			y0, y1 := laneY(env, &tl, 1, 0)
			tl.Update(env, r, chartstest.MouseAt(x, (y0+y1)/2))
		}
		golden.Check(t, "../testdata/golden/timeline_flows_"+kind+".png", chartstest.Picture(900, 300, tl.List()))
		if o := &tl.flows.chosen; len(o.Out) != 4 || len(o.In) != 0 || len(o.Far()) != 2 {
			t.Errorf("%d out, %d in, %d further", len(o.Out), len(o.In), len(o.Far()))
		}
	}
}

// Asked for, all flows of the visible time are shown, and where these are too many that is said.
func TestTimelineAllFlowsPicture(t *testing.T) {
	s := chartstest.NewFlowSession()
	env := chartstest.ReadyEnv(s, 1)
	var tl Timeline
	r := draw.Rect{X1: 900, Y1: 300}
	chartstest.Settle(env, &tl, r)
	env.View.Look().SetShowFlows(true)
	env.View.Steer().PlaceTime(0, 125*flowMs)
	chartstest.Settle(env, &tl, r)
	golden.Check(t, "../testdata/golden/timeline_flows_all.png", chartstest.Picture(900, 300, tl.List()))
	many := &model.Batch{Track: 1}
	for i := range int64(mostFlows) {
		many.Flows = append(many.Flows, model.Flow{FromTrack: 0, From: 91*flowMs + i, To: 92*flowMs + i})
	}
	s.Append(many)
	chartstest.Settle(env, &tl, r)
	got := tl.Mode(env)
	testkit.That(t, got == "too many flows to show · 125 ms / screen", "%q", got)
}

// One span with more flows than are shown says how many there are more. Nothing is allocated in a tick
// in which nothing changes, nor while the mouse moves.
func TestTimelineFlowsBeyond(t *testing.T) {
	s := chartstest.NewFlowSession()
	many := &model.Batch{Track: 1}
	for i := range int64(184) {
		many.Flows = append(many.Flows, model.Flow{FromTrack: 0, From: 71*flowMs + i, To: 74*flowMs + i*5000, FromLane: 1})
	}
	s.Append(many)
	env, tl, r := placed(s, 900, 300, 60*flowMs, 92*flowMs)
	b, _ := s.Spans().At(0, 1, 72*flowMs, 0)
	env.View.SelectSpanAt(b, b.Begin)
	chartstest.Settle(env, tl, r)
	says := func(x draw.WatchedText) bool { return x.Text == "and 121 more" }
	testkit.That(t, slices.ContainsFunc(tl.List().Texts(), says), "it does not say how many there are more")
	in := chartstest.MouseAt(tl.pane.PxOf(env, 80*flowMs), 40)
	tick := func() { in.X = 2*tl.pane.PxOf(env, 80*flowMs) + 1 - in.X; tl.Update(env, r, in) }
	tick()
	looked := s.Flows().Visited()
	chartstest.AllocatesNothing(t, "flows", tick)
	n := s.Flows().Visited() - looked
	testkit.That(t, n == 0, "%d arrows looked at while the mouse moves", n)
}

// A filter hides flags in the timeline, too, and a selected message stands out in it.
func TestTimelineMessagesPicture(t *testing.T) {
	s := chartstest.NewLockSession(t)
	env, tl, r := placed(s, 1000, 330, 100_000_000, 250_000_000)
	env.View.Look().SetMessageFilter(view.MessageFilter{Least: model.SeverityInfo, HasLeast: true})
	m := s.Messages().Of(chartstest.LtMain, 170_000_000, 180_000_000, nil)[0]
	env.View.Select(view.Message(chartstest.LtMain, m))
	chartstest.Settle(env, tl, r)
	golden.Check(t, "../testdata/golden/timeline_messages_filtered.png", chartstest.Picture(1000, 330, tl.List()))
	for _, f := range tl.flags.px {
		testkit.That(t, f.message.Severity >= model.SeverityInfo, "a flag for %q", f.message.Text)
	}
	env.View.Look().SetMessageFilter(view.MessageFilter{})
	env.View.Steer().FitAll()
	chartstest.Settle(env, tl, r)
	var x, y float32
	for _, f := range tl.flags.px {
		if f.n > 1 {
			x, y = f.r.X0+2, f.r.Y0+4
		}
	}
	tl.Update(env, r, chartstest.MouseAt(x, y))
	tl.Update(env, r, chartstest.MouseAt(x, y))
	hit := tl.HitTest(env, x, y)
	testkit.MustThat(t, hit.Kind == panel.HitMessage && len(hit.Lines) >= 3,
		"at a flag of several: %v, %q", hit.Kind, hit.Lines)
	var tip panel.Tooltip
	golden.Check(t, "../testdata/golden/timeline_messages_merged.png", chartstest.Picture(1000, 330, tl.List(), tip.Draw(env, &hit, x, y, r)))
}

func TestLocksPictures(t *testing.T) {
	s := chartstest.Load(t, profilelib.Source{}, recordings.ProfileLib, "locks-waits-logs.prof")
	env := chartstest.ReadyEnv(s, 1)
	env.View.Steer().FitAll()
	begin, end, _ := s.Bounds()
	var lc locks.Chart
	var tl Timeline
	m := tables.NewMessages()
	r := draw.Rect{X1: 1100, Y1: 300}
	rt := draw.Rect{X1: 1100, Y0: 300, Y1: 720}
	r2 := draw.Rect{X1: 1100, Y0: 720, Y1: 900}
	show := func(name string) {
		chartstest.Settle(env, &lc, r)
		chartstest.Settle(env, &tl, rt)
		chartstest.Settle(env, m, r2)
		golden.Check(t, "../testdata/golden/"+name+".png", chartstest.Picture(1100, 900, lc.List(), tl.List(), m.List()))
	}
	show("locks_real_all")
	st := s.Locks().Stats(begin, end, nil)
	testkit.MustThat(t, len(st) != 0, "no locks")
	u := st[0].LongestWait
	env.View.Steer().PlaceTime(u.Begin-3_000_000, u.End+3_000_000)
	env.View.PlacePlayhead(u.Begin)
	env.View.ClearSelection()
	env.View.SelectCollector(st[0].Lock)
	show("locks_real_near")
}

func TestMigrationPicture(t *testing.T) {
	s := chartstest.Load(t, profilelib.Source{}, recordings.ProfileLib, "migrating.prof")
	env := chartstest.ReadyEnv(s, 1)
	env.View.Steer().FitAll()
	var tl, tl2 Timeline
	chartstest.Settle(env, &tl, draw.Rect{X1: 1100, Y1: 420})
	b, _, _ := s.Bounds()
	env.View.Steer().PlaceTime(b+100_000_000, b+140_000_000)
	chartstest.Settle(env, &tl2, draw.Rect{X1: 1100, Y0: 420, Y1: 840})
	golden.Check(t, "../testdata/golden/timeline_real_migrating.png", chartstest.Picture(1100, 840, tl.List(), tl2.List()))
}

// coreTestSession holds a thread with a span all along that moves to another of four processors
// every stepNs.
func coreTestSession(n int, stepNs int64) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{File: true})
	s.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.SeriesDef{ID: 0, Name: "main", Kind: model.SeriesState, Role: model.RoleProcessor, Track: 0, Object: model.NoObject, Peer: model.NoObject})
	b := model.Batch{Track: 0, Spans: []model.Span{{Begin: 0, End: int64(n) * stepNs, Path: 1}}}
	for i := range int64(n) {
		b.Samples = append(b.Samples, model.Sample{Series: 0, Time: i * stepNs, Value: float64([]int{0, 1, 0, 2, 0, 3, 0, 1}[i%8])})
	}
	s.Append(&b)
	return s
}

func TestCoreTooltip(t *testing.T) {
	env, tl, r := placed(coreTestSession(80, 1_000_000), 1000, 200, 10_500_000, 20_500_000)
	chartstest.Settle(env, tl, r)
	d := tl.cores.px[0]
	x := float32(env.View.Time().ToPx(tl.pane.Plot(), 13_500_000))
	hit := tl.HitTest(env, x, d.r.Y0+3)
	testkit.MustThat(t, hit.Kind == panel.HitCore && len(hit.Lines) == 3, "hit %v, %q", hit.Kind, hit.Lines)
	for i, want := range []string{"CPU 3", "since\t0:00.013", "for\t"} {
		testkit.That(t, strings.HasPrefix(hit.Lines[i], want), "line %d is %q, not %q", i, hit.Lines[i], want)
	}
}

// A column in which a thread moved often shows the share of each processor; shares stay as they are
// while the picture pans, and the cost follows the pixels.
func TestCoreColumnsAreFairAndStill(t *testing.T) {
	s := coreTestSession(400_000, 1000)
	env, tl, r := placed(s, 1000, 200, 0, 400_000_000)
	type column struct {
		begin, end int64
		share0     float64
	}
	columns := func() (out []column) {
		for _, run := range tl.cores.found.Runs() {
			testkit.MustThat(t, run.Changes != 0,
				"a stretch on processor %d from %d to %d", run.Core, run.Begin, run.End)
			c := column{begin: run.Begin, end: run.End}
			sum := 0.0
			for _, x := range tl.cores.found.Shares(&run) {
				sum += x.Share
				if x.Core == 0 {
					c.share0 = x.Share
				}
			}
			testkit.MustThat(t, sum >= 0.99 && sum <= 1.01 && c.share0 >= 0.3 && c.share0 <= 0.7,
				"shares of %v: %v", c, tl.cores.found.Shares(&run))
			out = append(out, c)
		}
		return out
	}
	env.View.Steer().Set(100_000_000, 300_000_000, false, 0)
	chartstest.Settle(env, tl, r)
	before := columns()
	quads := tl.List().Quads()
	env.View.Steer().Set(100_000_000+777_777, 300_000_000+777_777, false, 0)
	chartstest.Settle(env, tl, r)
	after := columns()
	found := 0
	for _, c := range after {
		if slices.Contains(before, c) {
			found++
		}
	}
	testkit.That(t, found >= len(after)-8, "%d of %d columns stay as they are", found, len(after))
	testkit.That(t, quads <= 5000, "%d quads", quads)
}

// With a filter, flags of all tracks are found part by part; where there are too many messages to
// look at each, a flag says that it stands for more.
func TestFilteredFlagsOfMany(t *testing.T) {
	s := chartstest.MessageSession(300_000)
	env := chartstest.ReadyEnv(s, 1)
	env.View.Steer().FitAll()
	var tl Timeline
	r := draw.Rect{X1: 1000, Y1: 300}
	env.View.Look().SetMessageFilter(view.MessageFilter{Least: model.SeverityWarning, HasLeast: true})
	chartstest.Settle(env, &tl, r)
	testkit.MustThat(t, len(tl.flags.px) != 0 && tl.List().Quads() <= 8000,
		"%d flags, %d quads", len(tl.flags.px), tl.List().Quads())
	more := 0
	for i := range tl.flags.px {
		f := &tl.flags.px[i]
		testkit.MustThat(t, f.message.Severity >= model.SeverityWarning, "a flag for %q", f.message.Text)
		if f.more {
			more++
		}
	}
	testkit.That(t, more != 0, "no flag says that it stands for more than was looked at")
	env.View.Look().SetMessageFilter(view.MessageFilter{OnlyTrack: true, Track: 2})
	chartstest.Settle(env, &tl, r)
	n := int64(0)
	for i := range tl.flags.px {
		f := &tl.flags.px[i]
		testkit.MustThat(t, f.track == 2, "a flag of track %d", f.track)
		n += f.n
	}
	testkit.That(t, n == 100_000, "flags stand for %d messages", n)
}

func TestProcessorPictures(t *testing.T) {
	s := chartstest.NewLockSession(t)
	type shot = chartstest.Shot[*Chart]
	place := func(begin, end int64) func(*panel.Env, *Chart) {
		return func(env *panel.Env, _ *Chart) { env.View.Steer().PlaceTime(begin, end) }
	}
	chartstest.Shoot(t, func() *Chart { return &Chart{} },
		shot{Name: "processors_near", S: s, W: 1000, H: 340, Set: place(150_000_000, 190_000_000)},
		shot{Name: "processors_all_light", S: s, W: 1000, H: 340, Light: true, Set: place(0, 400_000_000)},
		shot{Name: "processors_empty", S: chartstest.NewSession(t), W: 1000, H: 120})
}

// The pieces of a thread on all processors together are its outermost spans, as far as it is known
// where it was.
func TestProcessorPiecesAreTheSpans(t *testing.T) {
	s := chartstest.NewLockSession(t)
	env := chartstest.ReadyEnv(s, 1)
	var c Chart
	r := draw.Rect{X1: 1000, Y1: 400}
	chartstest.Settle(env, &c, r)
	for _, width := range []int64{400_000_000, 60_000_000, 9_000_000} {
		env.View.Steer().Set(0, float64(width), false, 0)
		chartstest.Settle(env, &c, r)
		ns := 0.0
		for i := range c.rows.pieces {
			if p := &c.rows.pieces[i]; p.track == chartstest.LtWorkerA {
				share := float64(p.share)
				if p.bar.Count > 1 {
					share *= float64(p.bar.Busy)
				}
				ns += share * float64(p.end-p.begin)
			}
		}
		want := 0.0
		for _, b := range s.Spans().Visible(chartstest.LtWorkerA, 0, 0, width, 1, nil) {
			want += float64(b.End - b.Begin)
		}
		testkit.That(t, ns >= want*0.97 && ns <= want*1.03,
			"in %d ms, pieces of %g ms of spans of %g ms", width/1e6, ns/1e6, want/1e6)
	}
	// A click selects the span.
	p := c.rows.pieces[0]
	x, y := (max(p.r.X0, c.pane.Plot().X0)+p.r.X1)/2, (p.r.Y0+p.r.Y1)/2
	chartstest.Click(env, &c, r, x, y)
	testkit.That(t, env.View.HasSpan() && env.View.Span().Ref == p.bar.Ref && env.View.Span().Ref.Track == p.track,
		"selected %v %+v", env.View.HasSpan(), env.View.Span())
	hit := c.HitTest(env, x, y)
	testkit.That(t, hit.Kind == panel.HitSpan && len(hit.Lines) >= 4, "hit %v, %q", hit.Kind, hit.Lines)
}
