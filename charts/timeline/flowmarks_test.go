package timeline

import (
	"slices"
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/model"
)

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

// What is out of sight is led to: the edge of the plot, the row of what is hidden, a folded track.
func TestTimelineFlowsAwayPicture(t *testing.T) {
	s := chartstest.NewFlowSession()
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
	var tl Timeline
	r := draw.Rect{X1: 900, Y1: 240}
	chartstest.Settle(env, &tl, r)
	env.View.Steer().PlaceTime(5*flowMs, 40*flowMs)
	env.View.Look().SetTrackHidden(1, true)
	env.View.Look().SetTrackFolded(2, true)
	b, _ := s.Spans().At(0, 1, 5*flowMs, 0)
	env.View.SelectSpanAt(b, b.Begin)
	chartstest.Settle(env, &tl, r)
	golden.Check(t, "../testdata/golden/timeline_flows_away.png", chartstest.Picture(900, 240, tl.List()))
}

// Asked for, all flows of the visible time are shown, and where these are too many that is said.
func TestTimelineAllFlowsPicture(t *testing.T) {
	s := chartstest.NewFlowSession()
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
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
	if got := tl.Mode(env); got != "too many flows to show · 125 ms / screen" {
		t.Errorf("%q", got)
	}
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
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
	var tl Timeline
	r := draw.Rect{X1: 900, Y1: 300}
	chartstest.Settle(env, &tl, r)
	env.View.Steer().PlaceTime(60*flowMs, 92*flowMs)
	b, _ := s.Spans().At(0, 1, 72*flowMs, 0)
	env.View.SelectSpanAt(b, b.Begin)
	chartstest.Settle(env, &tl, r)
	says := func(x draw.WatchedText) bool { return x.Text == "and 121 more" }
	if !slices.ContainsFunc(tl.List().Texts(), says) {
		t.Error("it does not say how many there are more")
	}
	x := tl.pane.PxOf(env, 80*flowMs)
	at := []*panel.Input{chartstest.MouseAt(x, 40), chartstest.MouseAt(x+1, 40)}
	for i := range 4 {
		tl.Update(env, r, at[i%2])
	}
	looked := s.Flows().Visited()
	i := 0
	if n := testing.AllocsPerRun(50, func() { i++; tl.Update(env, r, at[i%2]) }); n > 0 {
		t.Errorf("%v allocations a tick while the mouse moves", n)
	}
	if n := s.Flows().Visited() - looked; n != 0 {
		t.Errorf("%d arrows looked at while the mouse moves", n)
	}
}
