package details

import (
	"slices"
	"testing"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
	"framescope/model/why"
)

// waitingSession has two threads in step, Main which waits for Draw: frames of 10 ms, but in frame 40
// Draw compiles a shader for 20 ms more, and Main waits for it.
func waitingSession() *store.Session {
	s := store.NewSession()
	const app, wait, drawing, shader = 1, 2, 3, 4
	names := []string{"Frame", "App", "Wait", "Draw", "Compile shader"}
	for i, name := range names {
		parent := model.CollectorID(0)
		if i == 0 {
			parent = model.NoCollector
		}
		s.Apply(model.CollectorDef{ID: model.CollectorID(i), Name: name, Parent: parent})
		s.Apply(model.PathDef{ID: model.PathID(i + 1), Collector: model.CollectorID(i)})
	}
	s.Apply(model.TrackDef{ID: 0, Name: "Main", Main: true})
	s.Apply(model.TrackDef{ID: 1, Name: "Draw"})
	const ms = 1_000_000
	at := int64(0)
	frame := func(track model.TrackID, i int, begin int64, calls ...model.CollectorTime) int64 {
		b := &model.Batch{Track: track, HasFrame: true, Number: int64(100 + i), Begin: begin, Alone: calls}
		for _, c := range calls {
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: begin + c.Ns, Path: model.PathID(c.Collector + 1)})
			begin += c.Ns
		}
		b.End = begin
		s.Append(b)
		return begin
	}
	for i := range 120 {
		work, more := int64(4*ms)+int64(i%7)*10_000, int64(0)
		calls := []model.CollectorTime{{Collector: drawing, Ns: 10 * ms, Count: 1}}
		if i == 40 {
			more = 20 * ms
			calls = append(calls, model.CollectorTime{Collector: shader, Ns: more, Count: 1})
		}
		frame(1, i, at, calls...)
		at = frame(0, i, at, model.CollectorTime{Collector: app, Ns: work, Count: 1},
			model.CollectorTime{Collector: wait, Ns: 10*ms - work + more, Count: 1})
	}
	s.Apply(model.End{})
	return s
}

// whyRig is the headline with the details that it is about.
type whyRig struct {
	env  *panel.Env
	why  *Why
	pane *Panel
}

func newWhyRig(s *store.Session) *whyRig {
	r := &whyRig{env: testEnv(s), why: &Why{}, pane: &Panel{}}
	r.why.Meet(func(string) panel.Panel { return r.pane })
	return r
}

// tick updates both, the headline with an input.
func (r *whyRig) tick(in *panel.Input) {
	for range 2 {
		r.env.View.Tick(0, false)
		r.pane.Update(r.env, panelRect, &panel.Input{})
		r.why.Update(r.env, draw.Rect{X1: 300, Y1: 400}, in)
		in = &panel.Input{}
	}
}

// hows are in what ways the links of the chain took longer.
func (r *whyRig) hows() (out []string) {
	for _, f := range r.why.Facts(r.env, nil) {
		if f.Measure == "excess" {
			l := &r.why.chain.rows[f.Row].link
			out = append(out, l.How.String())
		}
	}
	return out
}

// Of a hitch the headline tells the chain of causes. A click on a link selects its span on its thread,
// and the frame with its chain stays; what is no hitch is as usual.
func TestTheHeadlineTellsWhy(t *testing.T) {
	r := newWhyRig(waitingSession())
	r.env.View.SelectFrames(40, 40)
	r.tick(&panel.Input{})
	head := r.why.head
	if got := r.hows(); !slices.Equal(got, []string{"waiting", "new"}) || head.usual || head.usualNs != 10_000_000 {
		t.Fatalf("%v of %+v", got, head)
	}
	if h := r.why.Extent(r.env, 300); h < whyHeight+whyUsual+2*chainName || h > 200 {
		t.Errorf("%v px high", h)
	}
	row := &r.why.chain.rows[1]
	at := click(40, r.why.rect.Y0+(row.y0+row.y1)/2)
	if hit := r.why.HitTest(r.env, at.X, at.Y); hit.Collector != 4 || hit.Track != 1 || len(hit.Lines) != 2 || hit.Among != r.why.rect {
		t.Errorf("under the mouse is %+v", hit)
	}
	r.tick(at)
	v := r.env.View
	if !v.HasSpan() || v.Span().Collector != 4 || v.Track() != 1 || v.Span().End-v.Span().Begin != 20_000_000 {
		t.Errorf("the click selected %+v of thread %d", v.Span(), v.Track())
	}
	if got := r.hows(); len(got) != 2 || r.why.head.name != head.name || r.why.Title(r.env) != "Compile shader" {
		t.Errorf("then the headline is %q, the chain %v, the title %q", r.why.head.name, got, r.why.Title(r.env))
	}
	r.tick(click(40, r.why.rect.Y0+r.why.chain.rows[0].y0+4))
	if v.Span().Collector != 2 || v.Track() != 0 {
		t.Errorf("the click on the wait selected %+v", v.Span())
	}
	v.SelectFrames(60, 60)
	v.ClearThing()
	r.tick(&panel.Input{})
	if got := r.hows(); got != nil || !r.why.head.usual || r.why.head.usualNs != 10_000_000 {
		t.Errorf("of a usual frame it tells %v, %+v", got, r.why.head)
	}
}

// Of several frames the headline tells how many of them are hitches, and why; a click goes to the worst
// of a cause.
func TestTheHeadlineOfARange(t *testing.T) {
	r := newWhyRig(waitingSession())
	v := r.env.View
	v.SelectFrames(20, 60)
	r.tick(&panel.Input{})
	facts := r.why.Facts(r.env, nil)
	if len(facts) != 3 || facts[0].Text != "1 hitch among them, over typical by 20.0 ms" || facts[1].Value != 1 ||
		facts[2].Value != 30_000_000 || facts[1].Of.Collector != 4 {
		t.Fatalf("%+v", facts)
	}
	row := &r.why.chain.rows[1]
	r.tick(click(40, r.why.rect.Y0+(row.y0+row.y1)/2))
	if v.FrameA() != 40 || v.FrameB() != 40 || len(r.hows()) != 2 {
		t.Errorf("the click went to frames %d to %d, whose chain is %v", v.FrameA(), v.FrameB(), r.hows())
	}
	v.SelectFrames(60, 90)
	r.tick(&panel.Input{})
	if facts := r.why.Facts(r.env, nil); len(facts) != 1 || facts[0].Value == facts[0].Value {
		t.Errorf("of usual ones it tells %+v", facts)
	}
}

// A span that is in no chain has a headline of its own.
func TestTheHeadlineOfAnotherSpan(t *testing.T) {
	r := newWhyRig(waitingSession())
	r.env.View.SelectFrames(40, 40)
	r.tick(&panel.Input{})
	r.env.View.SelectCause(&why.Link{Track: 0, Collector: 1, BeginNs: 400_000_000, EndNs: 404_000_000})
	r.tick(&panel.Input{})
	if r.why.head.name != "App" || r.hows() != nil {
		t.Errorf("the headline is %q, the chain %v", r.why.head.name, r.hows())
	}
}

// A tick in which nothing changes takes no memory.
func TestTheChainTakesNoMemory(t *testing.T) {
	r := newWhyRig(waitingSession())
	r.env.View.SelectFrames(40, 40)
	in := &panel.Input{}
	r.tick(in)
	rect := draw.Rect{X1: 300, Y1: 400}
	if n := testing.AllocsPerRun(20, func() { r.why.Extent(r.env, 300); r.why.Update(r.env, rect, in) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
