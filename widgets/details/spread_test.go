package details

import (
	"testing"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

// runSession has two threads whose stacks were sampled every 10 ms: in a method m for i samples, then in
// another one for ten, and so on, i from 1 to 9.
func runSession() *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "flare", File: true, Clock: model.Clock{StepNs: 10_000_000}})
	for c, name := range []string{"All", "m", "other"} {
		s.Apply(model.CollectorDef{ID: model.CollectorID(c), Name: name})
		if c > 0 {
			s.Apply(model.PathDef{ID: model.PathID(c), Collector: model.CollectorID(c)})
		}
	}
	for id, name := range []string{"first", "second"} {
		track := model.TrackID(id)
		s.Apply(model.TrackDef{ID: track, Name: name, Index: id})
		s.Apply(model.SeriesDef{
			ID: model.SeriesID(id), Name: name, Role: model.RoleStack, Kind: model.SeriesEvent, Track: track,
			Object: model.NoObject, Peer: model.NoObject,
		})
		b, at := model.Batch{Track: track}, int64(0)
		run := func(path model.PathID, n int) {
			begin := at
			for range n {
				b.Samples = append(b.Samples, model.Sample{Series: model.SeriesID(id), Time: at, Value: float64(path)})
				at += 10e6
			}
			b.Spans = append(b.Spans, model.Span{Begin: begin, End: at, Path: path})
		}
		for i := 1; i <= 9-5*id; i++ {
			run(1, i)
			run(2, 10)
		}
		b.End = at
		s.Append(&b)
	}
	s.Apply(model.End{})
	return s
}

// Of a method of a sampled thread the details tell how long its runs are, as a histogram of runs, and on
// which threads it was sampled; a bar leads to a run of its length.
func TestRunsOfAMethod(t *testing.T) {
	env, rect := testEnv(runSession()), draw.Rect{X1: 320, Y1: 700}
	v := env.View
	v.SetTrack(0)
	v.SelectCollector(1)
	p := &Panel{}
	for range 3 {
		p.Update(env, rect, &panel.Input{})
	}
	n := int64(0)
	for _, k := range p.counts {
		n += int64(k)
	}
	if n != 9 || p.all != 9 || p.many != "runs" || p.most != 1 {
		t.Errorf("the bars have %d %s of %d, at most %d", n, p.many, p.all, p.most)
	}
	told, heads := map[string]string{}, map[string]bool{}
	for _, f := range p.Facts(env, nil) {
		told[f.Measure], heads[f.Header] = f.Text, true
	}
	if !heads["called from, samples on first"] || !heads["samples on all threads"] {
		t.Errorf("the heads %v do not say of which threads", heads)
	}
	if told["on first"] != "45 · 81.8 %" || told["on second"] != "10 · 18.2 %" {
		t.Errorf("on threads: %q, %q", told["on first"], told["on second"])
	}
	bin := p.bin(0.07)
	p.Update(env, rect, click(p.bins.X0+p.bins.W()*(float32(bin)+0.5)/histogramBins, p.bins.Y1-1))
	if b, ok := v.Session().Spans().At(0, 0, v.Playhead(), 0); !ok || b.End-b.Begin != 70e6 {
		t.Errorf("a click on the bar of 70 ms goes to %+v", b)
	}
	env.Paced = true // a few threads a tick
	v.SelectCollector(2)
	for range 5 {
		p.Update(env, rect, &panel.Input{})
	}
	if list := p.calls.threads.List; len(list) != 2 || list[0].N != 90 || list[1].N != 40 {
		t.Errorf("on threads: %+v", list)
	}
	if n := testing.AllocsPerRun(20, func() { p.Update(env, rect, &panel.Input{}) }); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

// Of very many calls as many of each part of the range are looked at, and it says of how many.
func TestLengthsOfManyCalls(t *testing.T) {
	s := store.NewSession()
	s.Apply(model.CollectorDef{ID: 1, Name: "m"})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	s.Apply(model.TrackDef{ID: 0, Name: "main"})
	b := model.Batch{Track: 0}
	for i := range int64(10_000) {
		b.Spans = append(b.Spans, model.Span{Begin: i * 1e6, End: i*1e6 + 1000 + i%100*1000, Path: 1})
	}
	s.Append(&b)
	s.Apply(model.End{})
	env := testEnv(s)
	env.View.SetTrack(0)
	env.View.SelectCollector(1)
	p := &Panel{}
	p.Update(env, draw.Rect{X1: 320, Y1: 700}, &panel.Input{})
	if p.all != 10_000 || p.looked != mostLengths || len(p.calls.lengths) != mostLengths {
		t.Fatalf("%d calls are looked at of %d", p.looked, p.all)
	}
	begin, end := p.calls.lengths[0].Begin, p.calls.lengths[mostLengths-1].Begin
	if begin > 1e9 || end < 9e9 {
		t.Errorf("they lie between %d and %d", begin, end)
	}
	bin := p.bin(50e3 / 1e9)
	if text := p.counted(bin); p.counts[bin] > 0 && text[len(text)-len("2048 looked at"):] != "2048 looked at" {
		t.Errorf("a bar says %q", text)
	}
}

// Of a thread that waits through all of a range the headline says so, and of one that was not sampled that.
func TestHeadlineWhereNothingBurns(t *testing.T) {
	s := runSession()
	s.Apply(model.CollectorDef{ID: 2, Name: "Wait"})
	r := newWhyRig(s)
	for _, c := range []struct {
		track  model.TrackID
		t0, t1 int64
		words  string
	}{
		{0, 20e6, 60e6, "None of 4 samples of first is of code: it waits, or reads or writes."},
		{1, 800e6, 900e6, "No stack of second was sampled here."},
	} {
		r.env.View.SetTrack(c.track)
		r.env.View.SelectRange(c.t0, c.t1)
		r.tick(&panel.Input{})
		if h, rows := r.why.head, r.why.chain.rows; len(rows) != 1 || rows[0].words != c.words || h.value != string(format.AppendDuration(nil, c.t1-c.t0)) {
			t.Errorf("%d to %d: %+v, %+v, want %q", c.t0, c.t1, h, rows, c.words)
		}
	}
}
