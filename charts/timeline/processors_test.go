package timeline

import (
	"testing"

	"framescope/assets"
	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/model/store"
)

func TestProcessorPictures(t *testing.T) {
	for _, c := range []struct {
		name       string
		s          *store.Session
		begin, end int64
		light      bool
	}{
		{"processors_near", chartstest.NewLockSession(t), 150_000_000, 190_000_000, false},
		{"processors_all_light", chartstest.NewLockSession(t), 0, 400_000_000, true},
		{"processors_empty", chartstest.NewSession(t), 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := chartstest.NewEnv(c.s, 1)
			if c.light {
				th := assets.Light()
				env.Theme = &th
			}
			env.View.Tick(1, false)
			var p Chart
			r := draw.Rect{X1: 1000, Y1: 340}
			if c.end == 0 {
				r.Y1 = 120
			} else {
				chartstest.Settle(env, &p, r)
				env.View.Steer().PlaceTime(c.begin, c.end)
			}
			chartstest.Settle(env, &p, r)
			golden.Check(t, "../testdata/golden/"+c.name+".png", chartstest.Picture(int(r.X1), int(r.Y1), p.List()))
			t.Logf("%d quads, %s", p.List().Quads(), p.Mode(env))
		})
	}
}

// The pieces of a thread on all processors together are its outermost spans, as far as it is known
// where it was.
func TestProcessorPiecesAreTheSpans(t *testing.T) {
	s := chartstest.NewLockSession(t)
	env := chartstest.NewEnv(s, 1)
	env.View.Tick(1, false)
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
		if ns < want*0.97 || ns > want*1.03 {
			t.Errorf("in %d ms, pieces of %g ms of spans of %g ms", width/1e6, ns/1e6, want/1e6)
		}
	}
	// A click selects the span.
	p := c.rows.pieces[0]
	x, y := (max(p.r.X0, c.pane.Plot().X0)+p.r.X1)/2, (p.r.Y0+p.r.Y1)/2
	chartstest.Click(env, &c, r, x, y)
	if !env.View.HasSpan() || env.View.Span().Ref != p.bar.Ref || env.View.Span().Ref.Track != p.track {
		t.Errorf("selected %v %+v", env.View.HasSpan(), env.View.Span())
	}
	if hit := c.HitTest(env, x, y); hit.Kind != panel.HitSpan || len(hit.Lines) < 4 {
		t.Errorf("hit %v, %q", hit.Kind, hit.Lines)
	}
}
