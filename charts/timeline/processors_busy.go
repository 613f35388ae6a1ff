package timeline

import (
	"math"
	"slices"
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
)

// busyLane shows how busy processors were: columns, divided among the threads that were on them. If
// their spans together take longer than there was time, a processor was full.
type busyLane struct {
	pieces []piece
	busy   []float32 // of the columns of one processor, by thread
	buf    []byte
}

// Layout implements timepane.Lane.
func (l *busyLane) Layout(env *panel.Env, _ *group, _ float32) float32 {
	return env.Px(groupPad) + env.Px(busyH) + env.Px(2)
}

// Draw implements timepane.Lane.
func (l *busyLane) Draw(p *timepane.Pane, env *panel.Env, g *group, at timepane.Place) {
	w, threads := p.PowerOf(2), len(g.threads)
	begin, end := env.View.Time().Visible()
	t0 := format.FloorDiv(begin, w) * w
	n := int((end-t0)/w) + 1
	if n <= 0 || threads == 0 || n*threads > 1<<20 {
		return
	}
	l.sum(g, t0, w, n)
	y := at.Y + env.Px(groupPad)
	r := draw.Rect{X0: p.Plot().X0, Y0: y, X1: p.Plot().X1, Y1: y + env.Px(busyH)}
	p.List().Rect(r, draw.Color(env.Theme.Well))
	column := func(k int) []float32 { return l.busy[k*threads : (k+1)*threads] }
	for k := 0; k < n; {
		same := k + 1
		for same < n && slices.Equal(column(k), column(same)) {
			same++
		}
		x0, x1 := p.PxOf(env, t0+int64(k)*w), p.PxOf(env, t0+int64(same)*w)
		sum, below := float32(0), float32(0)
		for _, b := range column(k) {
			sum += b
		}
		for i, b := range column(k) {
			if b <= 0 {
				continue
			}
			fill, _ := subject.ThreadColor(env, g.threads[i].track)
			lo, hi := below/max(sum, 1), (below+b)/max(sum, 1)
			below += b
			y0, y1 := math.Round(float64(hi*r.H())), math.Round(float64(lo*r.H()))
			p.List().Rect(draw.Rect{X0: x0, Y0: r.Y1 - float32(y0), X1: x1, Y1: r.Y1 - float32(y1)}, fill)
		}
		k = same
	}
}

// sum finds the share of n columns of w ns from t0 on that each thread of a processor takes.
func (l *busyLane) sum(g *group, t0, w int64, n int) {
	threads := len(g.threads)
	l.busy = slices.Grow(l.busy[:0], n*threads)[:n*threads]
	clear(l.busy)
	for i := range l.pieces[g.from:g.to] {
		d := &l.pieces[g.from+i]
		busy := d.busy()
		for k := max((d.begin-t0)/w, 0); k < int64(n); k++ {
			from, to := t0+k*w, t0+(k+1)*w
			if from >= d.end {
				break
			}
			part := float64(min(to, d.end)-max(from, d.begin)) / float64(w)
			l.busy[int(k)*threads+d.row] += busy * float32(part)
		}
	}
}

// Label implements timepane.Lane: the processor's number.
func (l *busyLane) Label(p *timepane.Pane, env *panel.Env, g *group, at timepane.Place) {
	y := at.Y + env.Px(groupPad)
	r := p.Beside(y, y+env.Px(busyH), env.Px(10), env.Px(6))
	l.buf = strconv.AppendInt(append(l.buf[:0], "CPU "...), int64(g.core), 10)
	p.List().TextIn(draw.Medium, r, draw.Left, panel.ScratchText(l.buf), draw.Color(env.Theme.Text))
}

// Hit implements timepane.Lane.
func (l *busyLane) Hit(p *timepane.Pane, env *panel.Env, g *group, at timepane.Spot, hit *panel.Hit) bool {
	y := at.Y + env.Px(groupPad)
	if at.PxY < y || at.PxY >= y+env.Px(busyH) {
		return false
	}
	l.tip(p, env, g, at.Y, hit)
	return true
}

// tip describes how busy a processor is in view, and with which threads: about, since merged spans
// have a busy share, but no processor. y is the top of the lane.
func (l *busyLane) tip(p *timepane.Pane, env *panel.Env, g *group, y float32, hit *panel.Hit) {
	tip := p.Tip()
	y += env.Px(groupPad)
	hit.Kind = panel.HitCore
	hit.Rect = draw.Rect{X0: p.Gutter().X0, Y0: y, X1: p.Plot().X1, Y1: y + env.Px(busyH)}
	begin, end := env.View.Time().Visible()
	tip.Text("CPU ").Count(int64(g.core)).Text(" in view").End()
	for row, on := range g.threads {
		ns := 0.0
		for i := range l.pieces[g.from:g.to] {
			if d := &l.pieces[g.from+i]; d.row == row {
				ns += float64(d.busy()) * float64(max(min(d.end, end)-max(d.begin, begin), 0))
			}
		}
		tip.Text(env.View.Session().Track(on.track).Title()).Text("\t≈ ").Percent(ns / max(float64(end-begin), 1)).End()
	}
	tip.Add("Time in outermost spans, as exact as it is drawn; a thread may wait in one")
}
