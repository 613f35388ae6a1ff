package timeline

import (
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"testing"
)

// A filter hides flags in the timeline, too, and a selected message stands out in it.
func TestTimelineMessagesPicture(t *testing.T) {
	s := chartstest.NewLockSession(t)
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
	var tl Timeline
	r := draw.Rect{X1: 1000, Y1: 330}
	chartstest.Settle(env, &tl, r)
	env.View.Steer().PlaceTime(100_000_000, 250_000_000)
	env.View.Look().SetMessageFilter(view.MessageFilter{Least: model.SeverityInfo, HasLeast: true})
	m := s.Messages().Of(chartstest.LtMain, 170_000_000, 180_000_000, nil)[0]
	env.View.Select(view.Message(chartstest.LtMain, m))
	chartstest.Settle(env, &tl, r)
	golden.Check(t, "../testdata/golden/timeline_messages_filtered.png", chartstest.Picture(1000, 330, tl.List()))
	for _, f := range tl.flags.px {
		if f.message.Severity < model.SeverityInfo {
			t.Errorf("a flag for %q", f.message.Text)
		}
	}
	env.View.Look().SetMessageFilter(view.MessageFilter{})
	env.View.Steer().FitAll()
	chartstest.Settle(env, &tl, r)
	var x, y float32
	for _, f := range tl.flags.px {
		if f.n > 1 {
			x, y = f.r.X0+2, f.r.Y0+4
		}
	}
	tl.Update(env, r, chartstest.MouseAt(x, y))
	tl.Update(env, r, chartstest.MouseAt(x, y))
	hit := tl.HitTest(env, x, y)
	if hit.Kind != panel.HitMessage || len(hit.Lines) < 3 {
		t.Fatalf("at a flag of several: %v, %q", hit.Kind, hit.Lines)
	}
	var tip panel.Tooltip
	golden.Check(t, "../testdata/golden/timeline_messages_merged.png", chartstest.Picture(1000, 330, tl.List(), tip.Draw(env, &hit, x, y, r)))
}
