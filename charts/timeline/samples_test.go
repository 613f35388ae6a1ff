package timeline

import (
	"fmt"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/pstats/gen"
)

// sampledSession returns ten seconds of a sampled program: main, whose stack is three deep but for
// twenty for a moment at 5 s; a worker that did much until 4 s; and thirty threads that lived for a
// tenth of a second each, the last of them until the end.
func sampledSession() *store.Session {
	const second, shorts = 1_000_000_000, 30
	s := store.NewSession()
	s.Apply(model.Info{Source: "flare", File: true, Clock: model.Clock{StepNs: 10_000_000}})
	s.Apply(model.SeriesDef{
		ID: 0, Name: "main", Role: model.RoleStack, Kind: model.SeriesEvent, Object: model.NoObject, Peer: model.NoObject,
	})
	for c := range model.CollectorID(21) {
		s.Apply(model.CollectorDef{ID: c, Name: fmt.Sprint("m", c)})
		if c > 0 {
			s.Apply(model.PathDef{ID: model.PathID(c), Parent: model.PathID(c - 1), Collector: c})
		}
	}
	names := []string{"main", "worker"}
	for i := range shorts {
		names = append(names, fmt.Sprint("short-", i))
	}
	var b model.Batch
	for id, name := range names {
		track := model.TrackID(id)
		s.Apply(model.TrackDef{ID: track, Name: name, Index: id})
		b = model.Batch{Track: track}
		add := func(begin, end int64, lane int) {
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: end, Path: model.PathID(lane + 1), Lane: uint16(lane)})
		}
		switch id {
		case 0:
			b.Samples = append(b.Samples, model.Sample{Series: 0, Time: 0, Value: 1})
			for lane := range 3 {
				add(0, 10*second, lane)
			}
			for lane := 3; lane < 20; lane++ {
				add(5*second, 5*second+100_000_000, lane)
			}
		case 1:
			for i := range int64(40) {
				add(i*second/10, (i+1)*second/10, 0)
			}
		default:
			at := int64(id-2) * 10 * second / shorts
			add(at, at+second/10, 0)
		}
		b.Begin, b.End = b.Spans[0].Begin, 10*second
		s.Append(&b)
	}
	s.Apply(model.End{})
	return s
}

// Threads of a sampled program that are gone lie in one row, and blocks are as high as what is in
// view; one of them gets a row of its own when it is chosen, all of them by a click.
func TestSampledBlocks(t *testing.T) {
	const second = 1_000_000_000
	s := sampledSession()
	env := chartstest.NewEnv(s, 1)
	tl := timelineOn(env, 0, 10*second)
	env.View.SetTrack(0)
	look := func() (words string) {
		for _, b := range tl.stack.Groups() {
			words += fmt.Sprintf("%s:%d:%d ", s.Track(b.track).Title(), b.lanes, len(b.many))
		}
		return words
	}
	see := func(what, want string) {
		t.Helper()
		chartstest.Settle(env, tl, testRect)
		got := look()
		testkit.MustThat(t, strings.HasPrefix(got, want), "%s: %s, want %s", what, got, want)
	}
	// Of 30 threads the last 3 were heard of in the last second.
	see("all", "worker:1:0 main:20:0 short-27:1:0 short-28:1:0 short-29:1:0 short-0:3:27 ")
	env.View.Steer().PlaceTime(6*second, 7*second)
	see("where the worker is gone", "main:3:0 worker:3:31 ")
	env.View.Steer().PlaceTime(5*second, 5*second+50_000_000)
	see("where main is deep", "main:20:0 worker:3:31 ")
	env.View.Steer().PlaceTime(0, 10*second)
	env.View.SetTrack(7)
	see("one is chosen", "worker:1:0 main:20:0 short-5:1:0 short-27:1:0 short-28:1:0 short-29:1:0 short-0:3:26 ")

	// What lies in the row is the thread's that it is of.
	groups := tl.stack.Groups()
	y := topOf(tl, len(groups)-1)
	found := map[model.TrackID]bool{}
	for row := range tl.spans.rows {
		r := &tl.spans.rows[row]
		if r.y0 < y {
			continue
		}
		d := tl.spans.bars[r.from]
		if hit := tl.HitTest(env, d.x0+1, (r.y0+r.y1)/2); hit.Kind == panel.HitSpan {
			testkit.MustThat(t, hit.Track == hit.Bar.Ref.Track,
				"a span of thread %d is said to be of %d", hit.Bar.Ref.Track, hit.Track)
			found[hit.Track] = true
		}
	}
	testkit.That(t, len(found) == 26, "%d threads are met in their row, want 26", len(found))
	label := tl.HitTest(env, testRect.X0+30, y+5)
	testkit.That(t, strings.HasPrefix(strings.Join(label.Lines, "|"), "26 threads that ended, ") &&
		label.Track == model.NoTrack, "label %+v", label)
	chartstest.Click(env, tl, testRect, testRect.X0+30, y+5)
	testkit.That(t, env.View.Look().GoneShown() && len(tl.stack.Groups()) == 32,
		"a click leaves %d rows", len(tl.stack.Groups()))
}

// tickSession is a thread that was looked at every 10 ms for ten seconds: first in m1, from 5 s on
// waiting.
func tickSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "flare", File: true, Clock: model.Clock{StepNs: 10_000_000}})
	s.Apply(model.SeriesDef{
		ID: 0, Name: "main", Role: model.RoleStack, Kind: model.SeriesEvent, Object: model.NoObject, Peer: model.NoObject,
	})
	for c, name := range []string{"All", "m1", "Object.wait()"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(c), Name: name})
		if c > 0 {
			s.Apply(model.PathDef{ID: model.PathID(c), Collector: model.CollectorID(c)})
		}
	}
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	b := model.Batch{Track: 0, Begin: 0, End: 10e9, Spans: []model.Span{{Begin: 0, End: 5e9, Path: 1}, {Begin: 5e9, End: 10e9, Path: 2}}}
	for i := range int64(1000) {
		path := 1.0
		if i >= 500 {
			path = 2
		}
		b.Samples = append(b.Samples, model.Sample{Series: 0, Time: i * 10e6, Value: path})
	}
	s.Append(&b)
	s.Apply(model.End{})
	return s
}

// A sampled thread has a tick a sample above its stack, in the color of what it did, as long as these
// can be told apart; a tick tells when it was, and what was innermost.
func TestTicksOfSamples(t *testing.T) {
	rig := chartstest.NewRig(tickSession(), 1, 1000, 200)
	v, x := rig.Env.View, &Timeline{}
	look := func(from, to int64) *tickRow {
		v.Steer().PlaceTime(from, to)
		rig.Ticks(x, 3)
		if len(x.samples.rows) == 0 {
			return nil
		}
		return &x.samples.rows[0]
	}
	if row := look(0, 10e9); row != nil {
		t.Errorf("at a pixel a sample there are %d ticks", row.to-row.from)
	}
	height := x.stack.Height()
	row := look(4.5e9, 5.5e9)
	testkit.MustThat(t, row != nil && x.stack.Height() == height+ticksH,
		"%d rows of ticks, %g high instead of %g", len(x.samples.rows), x.stack.Height(), height+ticksH)
	n := row.to - row.from
	testkit.That(t, n == 101, "%d ticks of 101", n)
	colors := map[[4]float32]int{}
	for _, k := range x.List().Vertices {
		if k.Y > row.y0 && k.Y < row.y1-1 && k.X > x.Plot().X0 && k.X < x.Plot().X1-2 {
			colors[[4]float32{k.R, k.G, k.B, k.A}]++
		}
	}
	testkit.That(t, len(colors) == 2, "ticks of code and of waits have %d colors: %v", len(colors), colors)
	px := x.samples.px[row.from+70]
	hit := x.HitTest(rig.Env, px+1, (row.y0+row.y1)/2)
	text := strings.Join(hit.Lines, "|")
	testkit.That(t, hit.Kind == panel.HitSample && hit.TimeNs == 5.2e9 && strings.Contains(text, "wait") &&
		strings.Contains(text, "10.0 ms"), "a tick is %v at %d: %q", hit.Kind, hit.TimeNs, text)
	chartstest.AllocatesNothing(t, "samples", func() { rig.Tick(x) })
}

// scaleSession makes a session with the structure of a game's: four threads of ten rows.
func scaleSession(spans int64) *store.Session {
	g, err := gen.New(gen.Options{Spans: spans, Tracks: 4, Depth: 10, Seed: 1})
	if err != nil {
		panic(err)
	}
	s := store.NewSession()
	g.Fill(s)
	return s
}

// A list of ten times as many spans has no more quads, give or take: what is drawn depends on the
// pixels.
func TestTimelineQuadsDoNotGrow(t *testing.T) {
	sizes := []int64{100_000, 1_000_000}
	if testing.Short() {
		sizes = []int64{80_000, 400_000}
	}
	var quads [2]int
	for i, spans := range sizes {
		s := scaleSession(spans)
		env := chartstest.NewEnv(s, 1)
		var tl Timeline
		env.View.Tick(1, false)
		env.View.Steer().FitAll()
		r := draw.Rect{X1: 500, Y1: 900}
		chartstest.Settle(env, &tl, r)
		quads[i] = tl.List().Quads()
	}
	testkit.That(t, quads[1] <= 2*quads[0],
		"%d spans: %d quads, %d spans: %d quads", sizes[0], quads[0], sizes[1], quads[1])
}

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
		n := len(tl.spans.longest.kept)
		testkit.MustThat(t, n >= 100, "%d bars of merged frames", n)
		for _, k := range tl.spans.longest.kept {
			tr := s.Track(k.track)
			from := max(tr.FrameAt(k.begin), 0)
			want := tr.LongestFrame(from, from+int(k.count)-1)
			testkit.MustThat(t, k.longestNs == want,
				"tick %d: longest of %d frames at %d: %d, want %d", tick, k.count, k.begin, k.longestNs, want)
		}
		if tick > 0 {
			most = max(most, tl.spans.longest.asked-asked)
		}
		asked = tl.spans.longest.asked
	}
	testkit.That(t, most <= 4, "up to %d bars were asked for in a tick", most)
}

// timelineOf returns a timeline of all of a session, as a picture has it.
func timelineOf(s *store.Session, paced bool) (*Timeline, func()) {
	env := chartstest.NewEnv(s, 1)
	env.Paced = paced
	env.View.Tick(1, false)
	env.View.Steer().FitAll()
	tl := new(Timeline)
	return tl, func() { chartstest.Settle(env, tl, draw.Rect{X1: 900, Y1: 900}) }
}

// A tick of the window makes as many columns as its budget of work allows, and later ticks the rest; then
// nothing is drawn again.
func TestLoadColumnsAreMadeByAndBy(t *testing.T) {
	s := scaleSession(1_000_000)
	tl, settle := timelineOf(s, true)
	ticks := 0
	for settle(); tl.spans.load.pending; settle() {
		const column = 1 << 14 // at most, in spans looked at
		testkit.MustThat(t, tl.spans.load.work <= loadWork+8*column, "a tick looked at %d spans", tl.spans.load.work)
		ticks++
		testkit.MustThat(t, ticks < 1000, "it does not end")
	}
	testkit.That(t, ticks > 1 && len(tl.spans.load.drawn) == 4, "%d ticks, %d curves", ticks, len(tl.spans.load.drawn))
	turns := tl.spans.load.turns
	settle()
	testkit.That(t, tl.spans.load.turns == turns, "it is drawn again")
	whole, settleWhole := timelineOf(s, false)
	settleWhole()
	for i, d := range whole.spans.load.drawn {
		testkit.That(t, d.columns.ring == tl.spans.load.drawn[i].columns.ring, "track %d differs", d.track)
	}
}
