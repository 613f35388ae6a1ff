package timeline

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
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
	if got := r.titles(); !slices.Equal(got, want) {
		r.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// at returns a point on the label of a block.
func (r *tracksRig) at(i int) (x, y float32) {
	top, _ := r.tl.stack.Band(i)
	return r.tl.pane.Gutter().X0 + 40, r.tl.pane.ScreenY(top) + 8
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
	if look.TrackOrder() != view.TracksByHand {
		t.Errorf("the order is %q", look.TrackOrder())
	}
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
	if r.Env.View.Track() != 1 {
		t.Error("a click on a label does not choose its thread any more")
	}
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
	if !r.tl.Resizes(r.Env, x, was-1) || r.tl.Resizes(r.Env, x, was-12) {
		t.Error("the edge is not where it is drawn")
	}
	r.drag(x, was-1, x, was-1-2*laneH)
	b := &r.tl.stack.Groups()[4]
	if b.lanes != 1 || b.deeper != 2 || edge() != was-2*laneH {
		t.Errorf("%d lanes, %d left out, the edge went from %v to %v", b.lanes, b.deeper, was, edge())
	}
	if n := r.Env.View.Look().Tracks().Lanes["IO 2"]; n != 1 {
		t.Errorf("%d lanes are kept", n)
	}
	at := edge()
	r.drag(x, at-1, x, at-1+6*laneH)
	if b = &r.tl.stack.Groups()[4]; b.lanes != 3 || edge() != at+6*laneH {
		t.Errorf("%d lanes, the edge went from %v to %v", b.lanes, at, edge())
	}
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
	place := func(i int) float32 { top, _ := r.tl.stack.Band(i); return r.tl.pane.ScreenY(top) }
	was := place(0)
	chartstest.Click(r.Env, &r.tl, r.R, x, y)
	r.see("folded", "[Job +]", "[IO]", "IO 1", "IO 2", "[other threads]", "Main")
	if place(0) != was {
		t.Errorf("the row that was clicked moved from %v to %v", was, place(0))
	}
	if i := r.tl.indexOf(2); i != 0 {
		t.Errorf("a thread of a folded group is in block %d", i)
	}
	drawn := 0
	for i := range r.tl.spans.rows {
		if row := &r.tl.spans.rows[i]; row.track == 2 && row.to > row.from {
			drawn++
		}
	}
	if drawn == 0 {
		t.Error("what a folded group did is not to be seen")
	}
	hit := r.tl.HitTest(r.Env, x, y)
	if hit.Group == "" || hit.Track != model.NoTrack || len(hit.Lines) == 0 {
		t.Errorf("the label of a group is %+v", hit)
	}
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
	place := func() float32 { top, _ := r.tl.stack.Band(4); return r.tl.pane.ScreenY(top) }
	x, y := r.tl.pane.Gutter().X0+10, place()+8
	if y < r.tl.pane.Plot().Y0 {
		t.Fatal("the last block is not in view")
	}
	r.Move(&r.tl, x, y)
	was := place()
	chartstest.Click(r.Env, &r.tl, r.R, x, y)
	r.Move(&r.tl, x, y)
	if !r.tl.stack.Groups()[4].folded || place() != was {
		t.Errorf("the row moved from %v to %v", was, place())
	}
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
	if HiddenGroup(hit.Group) != view.HiddenIdle || hit.Track != model.NoTrack {
		t.Errorf("the row is %+v", hit)
	}
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
