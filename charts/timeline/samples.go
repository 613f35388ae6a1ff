package timeline

import (
	"sort"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
)

const (
	ticksH   = 8 // height of the row of ticks, in scale-1 pixels
	tickH    = 6 // of a tick
	tickLess = 4 // ticks that are nearer to each other than so many pixels would be a line: there are none
)

// sampleLane is a row above the stacks of each sampled thread: a tick for each time at which its stack
// was looked at, in the color of the state that it was in. It is there as long as the zoom leaves room
// for single ticks.
type sampleLane struct {
	rows    []tickRow
	px      []float32 // of the ticks
	samples []model.Sample
}

// tickRow is a drawn row: px[from:to].
type tickRow struct {
	series   *spans.Series
	track    model.TrackID
	offset   int64
	y0, y1   float32
	from, to int
}

func (t *sampleLane) reset() { t.rows, t.px = t.rows[:0], t.px[:0] }

// ticksOf returns the samples of a thread's stack, nil where it has none or where ticks would be nearer
// to each other than leastNs.
func ticksOf(v *view.View, id model.TrackID, leastNs int64) *spans.Series {
	x := v.Session().Spans().Stack(id)
	if x == nil || leastNs == 0 {
		return nil
	}
	begin, end, ok := x.Bounds()
	if n := x.Len(); !ok || n < 2 || (end-begin)/(n-1) < leastNs {
		return nil
	}
	return x
}

// Layout implements timepane.Lane.
func (t *sampleLane) Layout(env *panel.Env, b *block, _ float32) float32 {
	if b.ticks == nil || b.folded {
		return 0
	}
	return env.Px(ticksH)
}

// Label implements timepane.Lane.
func (t *sampleLane) Label(*timepane.Pane, *panel.Env, *block, timepane.Place) {}

// Draw implements timepane.Lane.
func (t *sampleLane) Draw(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	if b.ticks == nil || b.folded {
		return
	}
	plot, y := p.Plot(), at.Y+env.Px((ticksH-tickH)/2)
	r := draw.Rect{Y0: y, Y1: y + env.Px(tickH)}
	if r.Y0 < plot.Y0 || r.Y1 > plot.Y1 {
		return
	}
	begin, end := env.View.Time().Visible()
	row := tickRow{series: b.ticks, track: b.track, offset: b.offset, y0: at.Y, y1: at.Y + env.Px(ticksH), from: len(t.px)}
	t.samples = b.ticks.Samples(begin-b.offset, end-b.offset+1, 2*int(plot.W()), t.samples[:0])
	all, w := env.View.Session().Spans(), panel.Snap(env.Px(2))
	for i := range t.samples {
		x := &t.samples[i]
		r.X0 = p.PxOf(env, x.Time+b.offset)
		r.X1 = r.X0 + w
		t.px = append(t.px, r.X0)
		c := draw.Color(env.Theme.TextDim)
		if state := all.StateOf(pathOf(x)); state < spans.StateWaiting {
			c = subject.StateColor(env.Theme, state).WithAlpha(255)
		}
		if r.X0 >= plot.X0 && r.X1 <= plot.X1 {
			p.List().Rect(r, c)
		}
	}
	row.to = len(t.px)
	t.rows = append(t.rows, row)
}

// pathOf returns the call path that a sample of a stack is.
func pathOf(x *model.Sample) model.PathID { return model.PathID(x.Value) }

// Hit implements timepane.Lane: the nearest tick.
func (t *sampleLane) Hit(p *timepane.Pane, env *panel.Env, b *block, at timepane.Spot, hit *panel.Hit) bool {
	for i := range t.rows {
		row := &t.rows[i]
		if row.track != b.track || at.PxY < row.y0 || at.PxY >= row.y1 || row.to == row.from {
			continue
		}
		px := t.px[row.from:row.to]
		k := sort.Search(len(px), func(k int) bool { return px[k] >= at.PxX })
		if k == len(px) || k > 0 && at.PxX-px[k-1] < px[k]-at.PxX {
			k--
		}
		if d := px[k] - at.PxX; d > env.Px(tickLess) || d < -env.Px(tickLess) {
			return false
		}
		begin, end := env.View.Time().Visible()
		t.samples = row.series.Samples(begin-row.offset, end-row.offset+1, 2*int(p.Plot().W()), t.samples[:0])
		if k >= len(t.samples) {
			return false
		}
		t.describe(p, env, row, &t.samples[k], hit)
		hit.Rect = draw.Rect{X0: px[k], Y0: row.y0, X1: px[k] + 1, Y1: row.y1}
		return true
	}
	return false
}

// describe adds a sample to the tooltip.
func (t *sampleLane) describe(p *timepane.Pane, env *panel.Env, row *tickRow, x *model.Sample, hit *panel.Hit) {
	s, tip := env.View.Session(), p.Tip()
	hit.Kind, hit.Track, hit.TimeNs = panel.HitSample, row.track, x.Time+row.offset
	tip.Text("sample\t").Clock(hit.TimeNs).End()
	state := s.Spans().StateOf(pathOf(x))
	if state == spans.StateReady {
		tip.Text("state\t").Text("running, ready or at a monitor").End()
	} else {
		tip.Text("state\t").Text(state.String()).End()
	}
	if _, c := s.Paths().ByID(pathOf(x)); pathOf(x) != model.PathRoot && s.Collector(c) != nil {
		tip.Text("innermost\t").Text(s.Collector(c).Title()).End()
	}
	if before, ok := row.series.At(x.Time - 1); ok {
		tip.Text("after the one before\t").Duration(x.Time - before.Time).End()
	}
}
