package timeline

import (
	"fmt"
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
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
		if got := look(); !strings.HasPrefix(got, want) {
			t.Fatalf("%s: %s, want %s", what, got, want)
		}
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
			if hit.Track != hit.Bar.Ref.Track {
				t.Fatalf("a span of thread %d is said to be of %d", hit.Bar.Ref.Track, hit.Track)
			}
			found[hit.Track] = true
		}
	}
	if len(found) != 26 {
		t.Errorf("%d threads are met in their row, want 26", len(found))
	}
	label := tl.HitTest(env, testRect.X0+30, y+5)
	if !strings.HasPrefix(strings.Join(label.Lines, "|"), "26 threads that ended, ") || label.Track != model.NoTrack {
		t.Errorf("label %+v", label)
	}
	chartstest.Click(env, tl, testRect, testRect.X0+30, y+5)
	if !env.View.Look().GoneShown() || len(tl.stack.Groups()) != 32 {
		t.Errorf("a click leaves %d rows", len(tl.stack.Groups()))
	}
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

// A sampled thread has a tick a sample above its stack, in the colour of what it did, as long as these
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
	if row == nil || x.stack.Height() != height+ticksH {
		t.Fatalf("%d rows of ticks, %g high instead of %g", len(x.samples.rows), x.stack.Height(), height+ticksH)
	}
	if n := row.to - row.from; n != 101 {
		t.Errorf("%d ticks of 101", n)
	}
	colors := map[[4]float32]int{}
	for _, k := range x.List().Vertices {
		if k.Y > row.y0 && k.Y < row.y1-1 && k.X > x.Plot().X0 && k.X < x.Plot().X1-2 {
			colors[[4]float32{k.R, k.G, k.B, k.A}]++
		}
	}
	if len(colors) != 2 {
		t.Errorf("ticks of code and of waits have %d colours: %v", len(colors), colors)
	}
	px := x.samples.px[row.from+70]
	hit := x.HitTest(rig.Env, px+1, (row.y0+row.y1)/2)
	text := strings.Join(hit.Lines, "|")
	if hit.Kind != panel.HitSample || hit.TimeNs != 5.2e9 || !strings.Contains(text, "wait") || !strings.Contains(text, "10.0 ms") {
		t.Errorf("a tick is %v at %d: %q", hit.Kind, hit.TimeNs, text)
	}
	chartstest.AllocatesNothing(t, "samples", func() { rig.Tick(x) })
}
