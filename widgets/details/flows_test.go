package details

import (
	"slices"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
)

// The inspector tells where the flows of a span come from and lead to, and a click goes there; Back
// returns.
func TestFlows(t *testing.T) {
	s := chartstest.NewFlowSession()
	env := testEnv(s)
	b, _ := s.Spans().At(0, 1, 5*chartstest.Ms, 0)
	env.View.SelectSpan(b)
	pane, rect := &Panel{}, draw.Rect{X1: 250, Y1: 360}
	pane.Update(env, rect, &panel.Input{})
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
	if n := testing.AllocsPerRun(20, func() { pane.Update(env, rect, &panel.Input{}) }); n != 0 {
		t.Errorf("a tick in which nothing changes allocates %v times", n)
	}
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
	if got := env.View.Span(); got.Ref.Track != 1 || got.Begin != 14*chartstest.Ms {
		t.Errorf("a click selects %+v", got)
	}
	pane.Update(env, rect, &panel.Input{})
	for _, f := range pane.Facts(env, nil) {
		if f.Header == "flows: 1 to it, 1 from it" && f.Measure == "from spawn jobs on Main · job" && f.Text == "8.00 ms before" {
			told = nil
		}
	}
	if told != nil {
		t.Error("it does not tell where it comes from")
	}
	if env.View.Back(); env.View.Span().Ref != b.Ref {
		t.Errorf("back goes to %+v", env.View.Span())
	}
}
