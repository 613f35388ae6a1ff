package timeline

import (
	"math"
	"testing"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/overview"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"

	"pgregory.net/rapid"
)

// hostileTime draws a time as a broken or hostile sender may send it.
func hostileTime(t *rapid.T, label string) int64 {
	switch rapid.IntRange(0, 9).Draw(t, label+" kind") {
	case 0:
		return rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0, -1, 1, 1 << 62, -1 << 62, 1 << 53}).Draw(t, label)
	case 1:
		return rapid.Int64().Draw(t, label)
	}
	return rapid.Int64Range(0, 2_000_000_000).Draw(t, label)
}

// hostileSession draws a session whose frames and spans are wherever they like, within what the
// model demands of a decoder.
func hostileSession(t *rapid.T) *store.Session {
	s := store.NewSession()
	s.Apply(model.Info{Source: "pstats", Clock: model.Clock{Float32Seconds: rapid.Bool().Draw(t, "float32")}})
	for id := range model.CollectorID(4) {
		s.Apply(model.CollectorDef{ID: id, Name: rapid.SampledFrom([]string{"Frame", "", "a\x00\xff", "Name"}).Draw(t, "name"), Parent: id - 1})
	}
	for p := model.PathID(1); p < 4; p++ {
		s.Apply(model.PathDef{ID: p, Parent: p - 1, Collector: model.CollectorID(p - 1)})
	}
	tracks := rapid.IntRange(1, 4).Draw(t, "tracks")
	for id := range model.TrackID(tracks) {
		s.Apply(model.TrackDef{ID: id, Name: "t", Index: int(id), OwnClock: rapid.IntRange(0, 4).Draw(t, "own clock") == 0})
	}
	for id := range model.TrackID(tracks) {
		number := rapid.Int64Range(-5, 5).Draw(t, "number")
		var ends [3]int64
		for i := range ends {
			ends[i] = math.MinInt64
		}
		for range rapid.IntRange(0, 6).Draw(t, "frames") {
			begin, end := hostileTime(t, "begin"), hostileTime(t, "end")
			if end < begin {
				begin, end = end, begin
			}
			b := model.Batch{Track: id, HasFrame: true, Number: number, Begin: begin, End: end}
			for lane := range 3 {
				sb, se := hostileTime(t, "span begin"), hostileTime(t, "span end")
				if se < sb {
					sb, se = se, sb
				}
				if sb < ends[lane] {
					continue
				}
				ends[lane] = se
				b.Spans = append(b.Spans, model.Span{Begin: sb, End: se, Path: model.PathID(lane + 1), Lane: uint16(lane), Flags: model.SpanFlags(rapid.IntRange(0, 15).Draw(t, "flags")) &^ model.SpanContinues})
			}
			if rapid.Bool().Draw(t, "levels") {
				v := rapid.SampledFrom([]float64{0, 1, -5, 1e300, math.NaN(), math.Inf(1), 5e-324}).Draw(t, "level")
				b.Levels = append(b.Levels, model.Level{Collector: model.CollectorID(rapid.IntRange(0, 3).Draw(t, "counter")), Time: begin, Value: v})
			}
			s.Append(&b)
			number += rapid.SampledFrom([]int64{1, 1, 2, 1 << 40}).Draw(t, "number step")
		}
	}
	return s
}

// hostileInput draws a tick's input.
func hostileInput(t *rapid.T, r draw.Rect) *panel.Input {
	in := &panel.Input{
		X: rapid.Float32Range(r.X0-20, r.X1+20).Draw(t, "x"), Y: rapid.Float32Range(r.Y0-20, r.Y1+20).Draw(t, "y"), Over: rapid.Bool().Draw(t, "over"),
		Shift: rapid.Bool().Draw(t, "shift"), Ctrl: rapid.Bool().Draw(t, "ctrl"), Alt: rapid.IntRange(0, 5).Draw(t, "alt") == 0,
		DoubleClick: rapid.IntRange(0, 9).Draw(t, "double") == 0, ZoomIn: rapid.IntRange(0, 9).Draw(t, "W") == 0, PanLeft: rapid.IntRange(0, 9).Draw(t, "A") == 0,
		DtNs: rapid.SampledFrom([]int64{0, 16_000_000, 5_000_000_000}).Draw(t, "dt"),
	}
	if rapid.Bool().Draw(t, "wheel") {
		in.WheelX, in.WheelY = rapid.Float32Range(-5, 5).Draw(t, "wx"), rapid.Float32Range(-300, 300).Draw(t, "wy")
	}
	for _, b := range []*panel.Button{&in.Left, &in.Right, &in.Middle} {
		switch rapid.IntRange(0, 5).Draw(t, "button") {
		case 0:
			*b = panel.Button{Down: true, Pressed: true, DownX: in.X, DownY: in.Y}
		case 1:
			*b = panel.Button{Down: true, Dragging: true}
		case 2:
			*b = panel.Button{Released: true, Dragging: rapid.Bool().Draw(t, "dragging")}
		}
	}
	return in
}

// Whatever is in the session and whatever the mouse does, the charts do not panic, draw nothing
// outside their rectangle, and not without bound.
func TestTimeChartsSurviveAnything(t *testing.T) {
	atlas := draw.NewAtlas(1)
	th := assets.Dark()
	rapid.Check(t, func(t *rapid.T) {
		s := hostileSession(t)
		env := &panel.Env{View: view.New(s), Theme: &th, Atlas: atlas, Scale: 1, Animate: rapid.Bool().Draw(t, "animate"), NowNs: 1}
		var tl Timeline
		var fs overview.FrameStrip
		x, y := float32(rapid.IntRange(0, 50).Draw(t, "left")), float32(rapid.IntRange(0, 50).Draw(t, "top"))
		r := draw.Rect{X0: x, Y0: y, X1: x + float32(rapid.IntRange(0, 700).Draw(t, "width")), Y1: y + float32(rapid.IntRange(0, 300).Draw(t, "height"))}
		var lastX, lastY float32
		for range rapid.IntRange(1, 16).Draw(t, "ticks") {
			env.NowNs += 16_000_000
			env.View.Tick(env.NowNs, env.Animate)
			in := hostileInput(t, r)
			if rapid.Bool().Draw(t, "still") {
				in.X, in.Y, in.Over = lastX, lastY, true
			}
			lastX, lastY = in.X, in.Y
			v := env.View
			rapid.SampledFrom([]func(){func() {}, func() {}, func() { v.StepFrame(1) }, func() { v.StepFrame(-3) }, func() { v.Follow(true) }, v.Steer().FitAll, v.Steer().FitSelection, v.Back, v.Forward,
				v.ClearSelection, func() { v.SetTrack(1) }, func() { v.Look().SetTrackFolded(0, true) }, func() { v.Look().SetTrackHidden(0, true) }, func() { v.Look().SetTrackHidden(0, false) },
				func() { v.Look().SetHidden(1, true) }, func() { v.Look().SetShowCounters(true) }, v.Look().CycleDepth, func() { v.SetPlayhead(hostileTime(t, "playhead")) }, func() { v.SelectRange(hostileTime(t, "a"), hostileTime(t, "b")) },
				func() { v.SelectFrames(-3, 1<<40) }}).Draw(t, "command")()
			if rapid.Bool().Draw(t, "which") {
				tl.Update(env, r, in)
			} else {
				fs.Update(env, r, in)
			}
			tl.HitTest(env, in.X, in.Y)
			fs.HitTest(env, in.X, in.Y)
			if tl.List() != nil {
				checkList(t, tl.List(), r)
				tl.Mode(env)
			}
			if fs.List() != nil {
				checkList(t, fs.List(), r)
			}
			if b, e := env.View.Steer().Target(); math.IsNaN(b) || math.IsNaN(e) || e < b {
				t.Fatalf("the axis shows [%g, %g]", b, e)
			}
		}
	})
}

func checkList(t *rapid.T, l *draw.List, r draw.Rect) {
	if l.Quads() > 20_000 {
		t.Fatalf("%d quads in a panel of %g x %g", l.Quads(), r.W(), r.H())
	}
	for _, v := range l.Vertices {
		if !(v.X >= r.X0-1 && v.X <= r.X1+1 && v.Y >= r.Y0-1 && v.Y <= r.Y1+1) {
			t.Fatalf("a vertex at %g, %g outside %+v", v.X, v.Y, r)
		}
	}
}
