package timeline

import (
	"strings"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/store"
)

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
		for range 3 {
			rig.Tick(x)
		}
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
	if n := testing.AllocsPerRun(20, func() { rig.Tick(x) }); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}
