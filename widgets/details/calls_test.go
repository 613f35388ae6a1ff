package details

import (
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

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
	if !ok {
		t.Fatal("no span")
	}
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
			pane := &Panel{}
			pane.Update(env, rect, &panel.Input{})
			if got := pane.Title(env); got != c.title {
				t.Errorf("%s: the title is %q", c.name, got)
			}
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
	pane := &Panel{}
	rect := draw.Rect{X1: 250, Y1: 300}
	pane.Update(env, rect, &panel.Input{})
	if !pane.calls.rowCalls || len(pane.calls.stats) != 2 || pane.calls.calls != 101 {
		t.Fatalf("%+v", pane.calls)
	}
	y := (pane.calls.row.Y0 + pane.calls.row.Y1) / 2
	if hit := pane.HitTest(env, 100, y); len(hit.Lines) != 1 {
		t.Errorf("tooltip %q", hit.Lines)
	}
	pane.Update(env, rect, click(100, y))
	if v := env.View; !v.HasSpan() || v.Span().Ref.Index != 50 || v.Span().Ref.Lane != 1 {
		t.Fatalf("the click went to %+v", v.Span())
	}
	pane.Update(env, rect, &panel.Input{})
	if c := &pane.calls; c.self != 45_000_000 || !c.called || c.caller.Collector != 2 {
		t.Errorf("self %d, caller %+v", c.self, c.caller)
	}
	rev := pane.List().Revision()
	if n := testing.AllocsPerRun(50, func() { pane.Update(env, rect, &panel.Input{}) }); n != 0 || pane.List().Revision() != rev {
		t.Errorf("a tick in which nothing changes allocates %v times", n)
	}
}
