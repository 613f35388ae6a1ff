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
	"framescope/model"
	"framescope/model/spans"
)

// rowLane is the rows of the threads of all processors.
type rowLane struct {
	cores  timepane.Cores
	bars   []spans.Bar
	pieces []piece // by processor, as they were drawn
	minNs  int64
	tips   timepane.SpanTips
}

// piece is a part of a span that a thread spent on one processor.
type piece struct {
	bar        spans.Bar
	track      model.TrackID
	core       int32
	row        int // of the group
	begin, end int64
	share      float32 // of that time
	r          draw.Rect
}

// busy returns the share of the time of a piece in which the thread was in a span on the processor.
func (d *piece) busy() float32 {
	if d.bar.Count > 1 {
		return d.share * d.bar.Busy
	}
	return d.share
}

func (l *rowLane) reset() { l.pieces = l.pieces[:0] }

// cut finds the pieces of the outermost spans of all threads in the visible range.
func (l *rowLane) cut(p *timepane.Pane, env *panel.Env, groups []group) {
	v, s := env.View, env.View.Session()
	l.minNs = p.PowerOf(2)
	for id := range model.TrackID(s.NumTracks()) {
		if d := timepane.CoreSeries(s, id); d != nil && !v.Look().TrackHidden(id) {
			l.cores.Reset()
			l.cores.Find(p, env, id, d, 0)
			l.cutThread(p, env, groups, id)
		}
	}
	slices.SortStableFunc(l.pieces, func(a, b piece) int { return int(a.core) - int(b.core) })
	at := 0
	for i := range groups {
		g := &groups[i]
		g.from = at
		for at < len(l.pieces) && l.pieces[at].core == g.core {
			at++
		}
		g.to = at
	}
}

// cutThread cuts the outermost spans of a thread where it moved to another processor.
func (l *rowLane) cutThread(p *timepane.Pane, env *panel.Env, groups []group, id model.TrackID) {
	v, runs := env.View, l.cores.Runs()
	begin, end := v.Time().Visible()
	l.bars = v.Session().Spans().Visible(id, 0, begin, end, l.minNs, l.bars[:0])
	r := 0
	for i := range l.bars {
		bar := &l.bars[i]
		if v.Look().Hidden(bar.Collector) {
			continue
		}
		for r < len(runs) && runs[r].End <= bar.Begin {
			r++
		}
		for j := r; j < len(runs) && runs[j].Begin < max(bar.End, bar.Begin+1); j++ {
			run := &runs[j]
			d := piece{bar: *bar, track: id, begin: max(bar.Begin, run.Begin), end: min(bar.End, run.End)}
			if run.Changes == 0 {
				d.core, d.share = run.Core, 1
				l.add(p, env, groups, &d)
				continue
			}
			for _, s := range l.cores.Shares(run) {
				d.core, d.share = s.Core, float32(s.Share)
				l.add(p, env, groups, &d)
			}
		}
	}
}

// add adds a piece where its thread has a row.
func (l *rowLane) add(p *timepane.Pane, env *panel.Env, groups []group, d *piece) {
	i, ok := slices.BinarySearchFunc(groups, d.core, func(g group, n int32) int { return int(g.core) - int(n) })
	if !ok {
		return
	}
	if d.row = slices.Index(groups[i].threads, ran{d.core, d.track}); d.row < 0 {
		return
	}
	x0, x1 := p.PxOf(env, d.begin), p.PxOf(env, d.end)
	if x1 <= p.Plot().X0 && d.begin != d.end || x0 >= p.Plot().X1 {
		return
	}
	d.r = draw.Rect{X0: x0, X1: max(x1, x0+1)}
	l.pieces = append(l.pieces, *d)
}

// Layout implements timepane.Lane.
func (l *rowLane) Layout(env *panel.Env, g *group, _ float32) float32 {
	return float32(len(g.threads))*env.Px(rowH) + env.Px(groupPad)
}

// Draw implements timepane.Lane.
func (l *rowLane) Draw(p *timepane.Pane, env *panel.Env, g *group, at timepane.Place) {
	for i := g.from; i < g.to; i++ {
		d := &l.pieces[i]
		d.r.Y0 = at.Y + float32(d.row)*env.Px(rowH)
		d.r.Y1 = d.r.Y0 + env.Px(rowH) - 2
		if d.r.Y1 > p.Plot().Y0 && d.r.Y0 < p.Plot().Y1 {
			l.drawPiece(p, env, d)
		}
	}
}

// drawPiece draws a piece with the name of its span.
func (l *rowLane) drawPiece(p *timepane.Pane, env *panel.Env, d *piece) {
	pal, selected := env.Palette(), timepane.SelectedTime(env)
	fill, text := pal.DrawnBar(&d.bar, selected.Leaves(d.bar.Begin, d.bar.End)).Both()
	r := d.r
	if space := timepane.One(env); r.W() > 2*space {
		r.X1 -= space
	}
	if busy := d.busy(); busy < 1 {
		fill = timepane.Merged(env, fill, busy)
	}
	p.List().Rect(r, fill)
	if pal.FoundBar(&d.bar) {
		p.List().Outline(r, timepane.One(env), draw.Color(env.Theme.Accent))
	}
	if r = p.Inside(r, env.Px(4), env.Px(2)); r.W() < env.Px(20) || d.bar.Count > 1 {
		return
	}
	if col := env.View.Session().Collector(d.bar.Collector); col != nil {
		p.List().NameIn(draw.Small, r, draw.Left, col.Name, text)
	}
}

// Label implements timepane.Lane: the names of the threads.
func (l *rowLane) Label(p *timepane.Pane, env *panel.Env, g *group, at timepane.Place) {
	for i, on := range g.threads {
		y := at.Y + float32(i)*env.Px(rowH)
		timepane.ThreadLabel(p, env, y, y+env.Px(rowH)-2, on.track)
	}
}

// at returns the piece that was drawn at a point, nil where none was.
func (l *rowLane) at(p *timepane.Pane, pxX, pxY float32) *piece {
	return timepane.Nearest(p, l.pieces, func(d *piece) draw.Rect { return d.r }, pxX, pxY)
}

// Hit implements timepane.Lane.
func (l *rowLane) Hit(p *timepane.Pane, env *panel.Env, _ *group, at timepane.Spot, hit *panel.Hit) bool {
	d := l.at(p, at.PxX, at.PxY)
	if d == nil {
		return false
	}
	tr, tip := env.View.Session().Track(d.track), p.Tip()
	hit.Track, hit.Collector, hit.Bar, hit.Rect = d.track, d.bar.Collector, d.bar, d.r
	hit.Frame = tr.FrameCovering(d.bar.Begin)
	if d.bar.Count > 1 {
		hit.Kind = panel.HitMerged
		timepane.MergedTip(env, tip, &d.bar, l.minNs)
	} else {
		hit.Kind = panel.HitSpan
		l.tips.Span(env, tip, d.track, &d.bar, 0)
	}
	onNs := int64(float64(d.end-d.begin) * float64(d.share))
	tip.Text("thread\t").Text(tr.Title()).End()
	tip.Text("on CPU ").Count(int64(d.core)).Text("\t").Duration(onNs).End()
	return true
}

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
