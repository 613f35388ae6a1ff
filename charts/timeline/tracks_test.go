package timeline

import (
	"slices"
	"strings"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/chartstest"
	"framescope/internal/testkit/flaretest"
	"framescope/model"
	"framescope/model/store"
	"framescope/net/flare"
	"framescope/net/gsttrace"
)

// workers is a session of a main thread and two pools, the later ones busier; each thread has three
// lanes.
func workers() *store.Session {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "Work"})
	s.Apply(model.CollectorDef{ID: 2, Name: "Wait"})
	for i := range model.CollectorID(2) {
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: i + 1})
	}
	for i, name := range []string{"Main", "Job 1", "Job 2", "IO 1", "IO 2"} {
		id := model.TrackID(i)
		s.Apply(model.TrackDef{ID: id, Name: name, Main: i == 0})
		for at := range int64(400) {
			b := model.Batch{Track: id}
			for lane := range 3 {
				begin := at * 10_000_000
				b.Spans = append(b.Spans, model.Span{Begin: begin, End: begin + int64(i+1)*1_000_000, Path: 1, Lane: uint16(lane)})
			}
			if i == 1 { // the longest of all, but it only waits
				b.Spans = []model.Span{{Begin: at * 10_000_000, End: at*10_000_000 + 9_000_000, Path: 2}}
			}
			s.Append(&b)
		}
	}
	return s
}

type tracksRig struct {
	*chartstest.Rig
	t  *testing.T
	tl Timeline
}

func newTracksRig(t *testing.T) *tracksRig {
	r := &tracksRig{Rig: chartstest.NewRig(workers(), 1, 900, 700), t: t}
	r.Env.View.Steer().PlaceTime(0, 100_000_000)
	r.Tick(&r.tl)
	return r
}

// titles are the blocks from the top; groups in brackets, those that are folded with how many.
func (r *tracksRig) titles() (out []string) {
	for i := range r.tl.stack.Groups() {
		switch b := &r.tl.stack.Groups()[i]; {
		case b.many != nil:
			out = append(out, "["+b.head.title+" +]")
		case b.head.key != "":
			out = append(out, "["+b.head.title+"]")
		default:
			out = append(out, r.Env.View.Session().Track(b.track).Title())
		}
	}
	return out
}

func (r *tracksRig) see(what string, want ...string) {
	r.t.Helper()
	r.Tick(&r.tl)
	got := r.titles()
	testkit.That(r.t, slices.Equal(got, want), "%s: %q, want %q", what, got, want)
}

// at returns a point on the label of a block.
func (r *tracksRig) at(i int) (x, y float32) {
	return r.tl.pane.Gutter().X0 + 40, topOf(&r.tl, i) + 8
}

// drag drags with the left button.
func (r *tracksRig) drag(x0, y0, x1, y1 float32) {
	r.Rig.Drag(&r.tl, x0, y0, x1, y1)
}

func TestTracksAreSorted(t *testing.T) {
	r := newTracksRig(t)
	look := r.Env.View.Look()
	r.see("as sent", "Main", "Job 1", "Job 2", "IO 1", "IO 2")
	look.SetTrackOrder(view.TracksByBusy)
	r.see("by busy time: waiting is none", "IO 2", "IO 1", "Job 2", "Main", "Job 1")
	look.SetTrackOrder(view.TracksByName)
	r.see("by name", "IO 1", "IO 2", "Job 1", "Job 2", "Main")
}

// A label that is dragged moves its track to where it is let go of, and that is the order from then
// on.
func TestLabelsAreDragged(t *testing.T) {
	r := newTracksRig(t)
	x0, y0 := r.at(4)
	_, y1 := r.at(1)
	r.drag(x0, y0, x0, y1-6)
	r.see("dragged up", "Main", "IO 2", "Job 1", "Job 2", "IO 1")
	x0, y0 = r.at(0)
	r.drag(x0, y0, x0, r.tl.pane.Plot().Y1-60)
	r.see("dragged to the end", "IO 2", "Job 1", "Job 2", "IO 1", "Main")
	look := r.Env.View.Look()
	testkit.That(t, look.TrackOrder() == view.TracksByHand, "the order is %q", look.TrackOrder())
	kept := look.Tracks()
	look.SetTracks(view.TrackLook{})
	r.see("as sent", "Main", "Job 1", "Job 2", "IO 1", "IO 2")
	look.SetTracks(kept)
	r.see("as it was kept", "IO 2", "Job 1", "Job 2", "IO 1", "Main")
	look.SetTrackPinned(2, true)
	x0, y0 = r.at(3)
	_, y1 = r.at(0)
	r.drag(x0, y0, x0, y1-6)
	r.see("nothing passes what is pinned", "Job 2", "IO 1", "IO 2", "Job 1", "Main")
	look.MoveTrackBy(4, 1)
	r.see("moved down by the menu", "Job 2", "IO 1", "Job 1", "IO 2", "Main")
	x0, y0 = r.at(2)
	chartstest.Click(r.Env, &r.tl, r.R, x0, y0)
	testkit.That(t, r.Env.View.Track() == 1, "a click on a label does not choose its thread any more")
}

// The lower edge of a block gives it room for more or fewer lanes; a double click as many as there
// are in view.
func TestEdgesAreDragged(t *testing.T) {
	r := newTracksRig(t)
	x, _ := r.at(4)
	edge := func() float32 {
		top, h := r.tl.stack.Band(4)
		return r.tl.pane.ScreenY(top + h)
	}
	was := edge()
	testkit.That(t, r.tl.Resizes(r.Env, x, was-1) && !r.tl.Resizes(r.Env, x, was-12),
		"the edge is not where it is drawn")
	r.drag(x, was-1, x, was-1-2*laneH)
	b := &r.tl.stack.Groups()[4]
	testkit.That(t, b.lanes == 1 && b.deeper == 2 && edge() == was-2*laneH,
		"%d lanes, %d left out, the edge went from %v to %v", b.lanes, b.deeper, was, edge())
	n := r.Env.View.Look().Tracks().Lanes["IO 2"]
	testkit.That(t, n == 1, "%d lanes are kept", n)
	at := edge()
	r.drag(x, at-1, x, at-1+6*laneH)
	b = &r.tl.stack.Groups()[4]
	testkit.That(t, b.lanes == 3 && edge() == at+6*laneH, "%d lanes, the edge went from %v to %v", b.lanes, at, edge())
	r.DoubleClick(&r.tl, x, edge()-1)
	if r.Tick(&r.tl); r.Env.View.Look().TrackLanes(4) != 0 || edge() != was {
		t.Errorf("room for %d lanes after a double click, the edge is at %v, was %v", r.Env.View.Look().TrackLanes(4), edge(), was)
	}
}

func TestTracksAreGrouped(t *testing.T) {
	r := newTracksRig(t)
	look := r.Env.View.Look()
	look.SetTrackGrouping(view.TracksByPool)
	r.see("by name", "[Job]", "Job 1", "Job 2", "[IO]", "IO 1", "IO 2", "[other threads]", "Main")
	x, y := r.at(0)
	r.Move(&r.tl, x, y)
	place := func(i int) float32 { return topOf(&r.tl, i) }
	was := place(0)
	chartstest.Click(r.Env, &r.tl, r.R, x, y)
	r.see("folded", "[Job +]", "[IO]", "IO 1", "IO 2", "[other threads]", "Main")
	testkit.That(t, place(0) == was, "the row that was clicked moved from %v to %v", was, place(0))
	testkit.Equal(t, r.tl.indexOf(2), 0, "a thread of a folded group is in block")
	drawn := 0
	for i := range r.tl.spans.rows {
		if row := &r.tl.spans.rows[i]; row.track == 2 && row.to > row.from {
			drawn++
		}
	}
	testkit.That(t, drawn != 0, "what a folded group did is not to be seen")
	hit := r.tl.HitTest(r.Env, x, y)
	testkit.That(t, hit.Group != "" && hit.Track == model.NoTrack && len(hit.Lines) != 0,
		"the label of a group is %+v", hit)
	x0, y0 := r.at(3)
	r.drag(x0, y0, x0, r.tl.pane.Plot().Y1-40)
	r.see("a track stays in its group", "[Job +]", "[IO]", "IO 1", "IO 2", "[other threads]", "Main")
	_, y1 := r.at(2)
	r.drag(x0, y0, x0, y1-6)
	r.see("moved within its group", "[Job +]", "[IO]", "IO 2", "IO 1", "[other threads]", "Main")
	chartstest.Click(r.Env, &r.tl, r.R, x, y)
	look.SetTrackPinned(3, true)
	r.see("pinned out of its group", "IO 1", "[Job]", "Job 1", "Job 2", "[IO]", "IO 2", "[other threads]", "Main")
	look.SetTrackPinned(3, false)
	look.SetTrackGrouping(view.TracksByKind)
	r.see("all are of one kind", "[threads]", "Job 1", "Job 2", "IO 2", "IO 1", "Main")
}

// Where the last block becomes lower, what is under the mouse stays, though there is less to
// scroll.
func TestRowStaysWhereThereIsLessToScroll(t *testing.T) {
	r := newTracksRig(t)
	r.R.Y1 = r.R.Y0 + 160
	r.tl.pane.ScrollTo(1000)
	r.Tick(&r.tl)
	r.tl.pane.ScrollTo(1000)
	r.Tick(&r.tl)
	place := func() float32 { return topOf(&r.tl, 4) }
	x, y := r.tl.pane.Gutter().X0+10, place()+8
	testkit.MustThat(t, y >= r.tl.pane.Plot().Y0, "the last block is not in view")
	r.Move(&r.tl, x, y)
	was := place()
	chartstest.Click(r.Env, &r.tl, r.R, x, y)
	r.Move(&r.tl, x, y)
	testkit.That(t, r.tl.stack.Groups()[4].folded && place() == was, "the row moved from %v to %v", was, place())
}

// A row says how many tracks are hidden, of each reason; a click on it shows them, in the gutter as
// in the plot.
func TestHiddenTracksHaveARow(t *testing.T) {
	s := workers()
	for i, name := range []string{"Spare 1", "Spare 2"} {
		s.Apply(model.TrackDef{ID: model.TrackID(5 + i), Name: name})
	}
	r := &tracksRig{Rig: chartstest.NewRig(s, 1, 900, 900), t: t}
	r.Env.View.Steer().PlaceTime(0, 100_000_000)
	look := r.Env.View.Look()
	all := []string{"Main", "Job 1", "Job 2", "IO 1", "IO 2", "Spare 1", "Spare 2"}
	r.see("all", all...)
	look.HideIdle(true)
	look.SetTrackHidden(1, true)
	r.see("hidden", "Main", "Job 2", "IO 1", "IO 2", "[1 track hidden]", "[2 idle tracks hidden]")
	x, y := r.at(5)
	hit := r.tl.HitTest(r.Env, x, y)
	testkit.That(t, HiddenGroup(hit.Group) == view.HiddenIdle && hit.Track == model.NoTrack, "the row is %+v", hit)
	r.Click(&r.tl, r.tl.pane.Plot().X0+40, y)
	r.see("idle ones are shown by a click in the plot", "Main", "Job 2", "IO 1", "IO 2", "Spare 1", "Spare 2", "[1 track hidden]")
	x, y = r.at(6)
	r.Click(&r.tl, x, y)
	r.see("all again", all...)
	for range 2 {
		r.Env.View.Back()
	}
	r.see("undone", "Main", "Job 2", "IO 1", "IO 2", "[1 track hidden]", "[2 idle tracks hidden]")
	for _, id := range []model.TrackID{0, 2, 3, 4} {
		look.SetTrackHidden(id, true)
	}
	r.see("where nothing else is shown the panel says so")
}

// deepLater is a session of two threads: the first has one lane at first and twelve later.
func deepLater() *store.Session {
	s := store.NewSession()
	for id := range model.TrackID(2) {
		s.Apply(model.TrackDef{ID: id, Name: "Thread"})
	}
	for i := range int64(200) {
		at := i * 10_000_000
		depth := 1
		if i >= 100 {
			depth = 12
		}
		for id := range model.TrackID(2) {
			b := model.Batch{Track: id}
			for lane := range depth {
				b.Spans = append(b.Spans, model.Span{Begin: at, End: at + 9_000_000 - int64(lane)*1000, Lane: uint16(lane)})
				if id == 1 {
					break
				}
			}
			s.Append(&b)
		}
	}
	return s
}

// deepRig is a timeline of it at a time.
func deepRig(h float32, beginNs int64) (*chartstest.Rig, *Timeline) {
	rig, tl := chartstest.NewRig(deepLater(), 1, 900, h), &Timeline{}
	rig.Env.View.Steer().PlaceTime(beginNs, beginNs+100_000_000)
	rig.Tick(tl)
	return rig, tl
}

// A timeline that was out of sight comes back as it was scrolled, however high its rows are by then.
func TestTimelineComesBackAsItWasScrolled(t *testing.T) {
	for _, away := range []int64{0, awayNs} {
		rig, tl := deepRig(76, 100_000_000)
		tl.pane.ScrollTo(3)
		rig.Move(tl, 500, topOf(tl, 1)+8)
		rig.Move(tl, 501, topOf(tl, 1)+8)
		rig.Env.View.Steer().PlaceTime(1_500_000_000, 1_600_000_000)
		rig.Env.NowNs += away
		rig.Tick(tl)
		held := tl.pane.Scroll() != 3
		testkit.That(t, held == (away == 0), "after %d ns it is scrolled by %v", away, tl.pane.Scroll())
	}
}

// A timeline at its top stays there, wherever the mouse is: however its rows grow as one goes
// elsewhere in time, and however high its window is.
func TestTopStaysAtTheTop(t *testing.T) {
	rig := chartstest.NewRig(deepLater(), 1, 900, 200)
	var tl Timeline
	see := func(timeNs int64, h float32, compact bool) {
		t.Helper()
		rig.Env.View.Steer().PlaceTime(timeNs, timeNs+100_000_000)
		rig.R.Y1, rig.Env.Compact = rig.R.Y0+h, compact
		rig.Ticks(&tl, 2)
		testkit.MustThat(t, tl.pane.Scroll() == 0,
			"at %d ns in %v px, compact %v: the top is %v px above", timeNs, h, compact, tl.pane.Scroll())
	}
	see(100_000_000, 200, false)
	rig.Move(&tl, 500, topOf(&tl, 1)+8)
	rig.Move(&tl, 501, topOf(&tl, 1)+8)
	see(1_500_000_000, 200, false)
	see(1_500_000_000, 120, true)
	see(1_500_000_000, 200, false)
	see(100_000_000, 90, true)
	see(1_500_000_000, 90, false)
	if h := tl.stack.Height(); h <= tl.pane.Plot().H() {
		t.Fatalf("%v px of rows in %v px: nothing could have scrolled", h, tl.pane.Plot().H())
	}
}

// Of lanes that are cut by an edge nothing is drawn.
func TestHalfLanesAreNotDrawn(t *testing.T) {
	for h := float32(80); h < 220; h += 7 {
		rig, tl := deepRig(h, 1_500_000_000)
		for _, scroll := range []float32{0, 7, 33} {
			tl.pane.ScrollTo(scroll)
			tl.Update(rig.Env, rig.R, &panel.Input{X: -1})
			plot := tl.pane.Plot()
			for _, row := range tl.spans.rows {
				testkit.MustThat(t, row.y0 >= plot.Y0 && row.y1 <= plot.Y1,
					"height %v, scrolled %v: lane from %v to %v in %v", h, scroll, row.y0, row.y1, plot)
			}
			testkit.That(t, len(tl.spans.rows) != 0, "height %v, scrolled %v: no lanes", h, scroll)
		}
	}
}

// The depth of a part of time is how many lanes have a span in it.
func TestDepthInView(t *testing.T) {
	s := chartstest.NewSession(t)
	begin, end, _ := s.Bounds()
	for _, id := range []model.TrackID{chartstest.TMain, chartstest.TCull, chartstest.TGPU} {
		tr := s.Track(id)
		for i := range int64(60) {
			t0 := begin + (end-begin)*i/60
			t1 := t0 + (i+1)*300_000
			want := 0
			for want < tr.Lanes() {
				b, ok := s.Spans().At(id, want, (t0+t1)/2, (t1-t0+1)/2)
				if !ok || b.Begin > t1 || b.End < t0 {
					break
				}
				want++
			}
			got := s.Spans().Depth(id, tr.Lanes(), t0, t1)
			testkit.MustThat(t, got == want, "track %d from %d to %d: %d lanes, want %d", id, t0, t1, got, want)
		}
	}
}

// A thread of a live view that is silent for a moment keeps its height, and has another one when it is
// heard of again.
func TestSilentThreadKeepsItsHeight(t *testing.T) {
	s := deepLater()
	rig := chartstest.NewRig(s, 1, 900, 700)
	var tl Timeline
	v := rig.Env.View
	v.Steer().PlaceTime(1_800_000_000, 2_000_000_000)
	v.Follow(true)
	rig.Tick(&tl)
	at := int64(2_000_000_000)
	send := func(id model.TrackID, n int) {
		for range n {
			s.Append(&model.Batch{Track: id, Spans: []model.Span{{Begin: at, End: at + 9_000_000}}})
			at += 10_000_000
			rig.Tick(&tl)
		}
	}
	lanes := func(when string, want int) {
		t.Helper()
		n := tl.stack.Groups()[0].lanes
		testkit.That(t, n == want && v.Live(), "%s: %d lanes, want %d; live %v", when, n, want, v.Live())
	}
	lanes("at first", 12)
	send(1, 200)
	b, _ := v.Time().Visible()
	testkit.MustThat(t, b >= 2_100_000_000, "the window begins at %d: the thread is still in it", b)
	lanes("while it is silent", 12)
	send(0, 30)
	lanes("when it does less", 1)
}

// A session with very many threads costs nothing while nothing comes and nothing is folded.
func TestBlocksAreMadeWhenTheyChange(t *testing.T) {
	s := store.NewSession()
	for id := range model.TrackID(3000) {
		s.Append(&model.Batch{Track: id, HasFrame: true, Number: 1, Begin: 0, End: 1000, Spans: []model.Span{{Begin: 0, End: 900}}})
	}
	env := chartstest.NewEnv(s, 1)
	var tl Timeline
	r := draw.Rect{X1: 1000, Y1: 600}
	tick := func() {
		env.NowNs += 16_000_000
		env.View.Tick(env.NowNs, false)
		tl.Update(env, r, &panel.Input{X: 300, Y: 200, Over: true})
	}
	tick()
	env.View.Steer().PlaceTime(0, 500)
	tick()
	made := tl.lays
	for i := range int64(10) {
		env.View.Steer().PlaceTime(i, i+500)
		tick()
	}
	testkit.That(t, tl.lays == made, "blocks were made %d times in 10 ticks in which nothing came", tl.lays-made)
	env.View.Look().SetTrackFolded(5, true)
	tick()
	testkit.That(t, tl.lays == made+1, "blocks were made %d times for a thread that was folded", tl.lays-made)
	s.Append(&model.Batch{Track: 3000, HasFrame: true, Number: 1, Begin: 0, End: 1000})
	if tick(); tl.lays != made+2 || len(tl.stack.Groups()) != 3001 {
		t.Errorf("%d blocks after another thread came, made %d times", len(tl.stack.Groups()), tl.lays-made)
	}
	env.Paced = true
	env.View.Follow(true)
	made = tl.lays
	for i := range int64(60) {
		s.Append(&model.Batch{Track: model.TrackID(i), HasFrame: true, Number: 2, Begin: 1000 + i, End: 2000 + i})
		tick()
	}
	testkit.That(t, tl.lays-made >= 4 && tl.lays-made <= 6, "blocks were made %d times in a live second", tl.lays-made)
}

// With very many threads a layout looks into so many at most; later ones look into the others.
func TestLayoutsLookIntoSomeThreads(t *testing.T) {
	const threads = 2*mostLooks + mostLooks/2
	s := store.NewSession()
	send := func(at int64) {
		for id := range model.TrackID(threads) {
			s.Append(&model.Batch{Track: id, Spans: []model.Span{{Begin: at, End: at + 900}, {Lane: 1, Begin: at, End: at + 800}}})
		}
	}
	send(0)
	env := chartstest.NewEnv(s, 1)
	env.Paced = true
	var tl Timeline
	looked := func(spans int64) (n int) {
		env.NowNs += panel.LiveValuesNs
		env.View.Tick(env.NowNs, false)
		tl.Update(env, draw.Rect{X1: 1000, Y1: 600}, &panel.Input{})
		for i := range tl.looks.of {
			if d := &tl.looks.of[i].depth; d.spans == spans && d.key == tl.laid.inView {
				n++
			}
		}
		return n
	}
	looked(0)
	env.View.Steer().PlaceTime(0, 500)
	for _, want := range []int{mostLooks, 2 * mostLooks, threads, threads} {
		testkit.Equal(t, looked(2), want, "threads were looked into")
	}
	send(1000)
	testkit.Equal(t, looked(4), mostLooks, "threads were looked into when all got more")
	testkit.Equal(t, len(tl.stack.Groups()), threads, "blocks")
}

// Heads of tracks and groups have their names at every width of the gutter: whole, or cut with a mark
// and then without a number beside them that takes the room.
func TestHeadsHaveNamesAtEveryWidth(t *testing.T) {
	sessions := map[string]*store.Session{
		"frames": chartstest.NewSession(t), "samples": chartstest.Open(t, flare.Source{}, flaretest.Recording(t, "recorded-60s")),
		"pipeline": chartstest.Load(t, gsttrace.Source{}, recordings.GStreamer, "latency-tee-queues.log.gz"),
	}
	cut := 0
	for name, s := range sessions {
		env := chartstest.NewEnv(s, 1)
		var tl Timeline
		begin, end, _ := s.Bounds()
		env.View.Steer().PlaceTime(begin, end+1)
		checked := 0
		for w := float32(200); w < 900; w += 13 {
			chartstest.Settle(env, &tl, draw.Rect{X1: w, Y1: 700})
			g := tl.pane.Gutter()
			texts := tl.List().Texts()
			for i := range tl.stack.Groups() {
				b := &tl.stack.Groups()[i]
				top, h := tl.stack.Band(i)
				row := tl.spans.nameRow(&tl.pane, env, b, tl.pane.ScreenY(top), tl.pane.ScreenY(top+h))
				if row.Y0 < g.Y0 || row.Y1 > g.Y1 || b.many != nil && b.head.key == "" {
					continue
				}
				title := s.Track(b.track).Title()
				switch {
				case b.counter != nil:
					title = b.counter.name
				case b.head.key != "":
					title = b.head.title
				}
				checked++
				found, beside := "", false
				for _, x := range texts {
					if x.Box.X1 > g.X1 || x.Box.Y1 > row.Y1 || x.Box.Y0 < row.Y0 {
						continue
					}
					if found == "" && isOf(x.Text, title) {
						found = x.Text
					} else {
						beside = true
					}
				}
				switch whole := found == title; {
				case len([]rune(strings.ReplaceAll(found, "…", ""))) < min(3, len([]rune(title))):
					t.Errorf("%s, %v wide: %q is %q", name, w, title, found)
				case !whole && beside && !panel.RoomBeside(env, draw.Medium, title, row.W(), 0):
					t.Errorf("%s, %v wide: %q is cut to %q for a number", name, w, title, found)
				case !whole:
					cut++
				}
			}
		}
		testkit.That(t, checked != 0, "%s has no heads", name)
	}
	testkit.That(t, cut != 0, "no name was cut")
}

// isOf tells whether a text is a name, or what is left of one that was cut.
func isOf(text, name string) bool {
	for _, part := range strings.Split(text, "…") {
		if _, after, ok := strings.Cut(name, part); ok {
			name = after
			continue
		}
		return false
	}
	return true
}

// A span that is selected elsewhere is scrolled into view; one that is in view, or is selected here,
// leaves the timeline where it is.
func TestSelectedElsewhereIsScrolledTo(t *testing.T) {
	s := chartstest.NewSession(t)
	rig := chartstest.NewRig(s, 1, 700, 130)
	var tl Timeline
	rig.Tick(&tl)
	last := model.NoTrack
	groups := tl.stack.Groups()
	last = groups[len(groups)-1].track
	b, ok := s.Spans().At(last, 0, 0, 1<<62)
	testkit.MustThat(t, ok, "the last thread has no spans")
	rig.Env.View.SelectSpan(b)
	rig.Ticks(&tl, 2)
	row, _ := tl.spans.drawn(b.Ref)
	testkit.MustThat(t, row != nil && row.y0 >= tl.pane.Plot().Y0 && row.y1 <= tl.pane.Plot().Y1,
		"the span is not in view: %+v, scrolled to %v", row, tl.pane.Scroll())
	at := tl.pane.Scroll()
	testkit.MustThat(t, at != 0, "the session is too low for the test")
	rig.Tick(&tl)
	tl.pane.ScrollTo(0)
	rig.Tick(&tl)
	testkit.That(t, tl.pane.Scroll() == 0, "it scrolls again though nothing else was selected")
	rig.Env.View.Back()
	rig.Tick(&tl)
	rig.Env.View.Forward()
	rig.Tick(&tl)
	testkit.That(t, tl.pane.Scroll() == at, "brought back, scrolled to %v, want %v", tl.pane.Scroll(), at)
}

// Another session begins at its top, however far one had scrolled down in the one before.
func TestAnotherSessionBeginsAtItsTop(t *testing.T) {
	rig := chartstest.NewRig(chartstest.NewSession(t), 1, 700, 130)
	var tl Timeline
	rig.Tick(&tl)
	tl.pane.ScrollTo(60)
	rig.Tick(&tl)
	testkit.MustThat(t, tl.pane.Scroll() != 0, "the session is too low for the test")
	rig.Env.View = view.New(chartstest.NewSession(t))
	rig.Ticks(&tl, 2)
	at := tl.pane.Scroll()
	testkit.That(t, at == 0, "it is scrolled to %v", at)
}
