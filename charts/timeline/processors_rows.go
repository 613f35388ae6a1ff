package timeline

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/panel"
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
