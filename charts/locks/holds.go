package locks

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/model"
	"framescope/model/locks"
)

// drawHolds draws the holds of a lock: long ones separately, the rest in columns, recursive holds
// inside.
func (u *useLane) drawHolds(p *timepane.Pane, env *panel.Env, row draw.Rect) {
	u.column = column{from: len(u.shares)}
	first, inner := len(u.px), false
	for i := range u.bars {
		b := &u.bars[i]
		if b.Kind != locks.Holding {
			continue
		}
		if b.Depth > 0 {
			inner = true
			continue
		}
		if b.End-b.Begin >= u.minNs {
			u.flush(p, env, row)
			u.drawHold(p, env, row, b)
			continue
		}
		if part := b.Begin &^ (u.minNs - 1); u.column.entries == 0 || part != u.column.part {
			u.flush(p, env, row)
			u.column.part, u.column.lone = part, b
		}
		u.column.entries++
		u.share(b)
	}
	u.flush(p, env, row)
	last := len(u.px)
	for i := 0; inner && i < len(u.bars); i++ {
		if b := &u.bars[i]; b.Kind == locks.Holding && b.Depth > 0 {
			u.drawInner(p, env, row, b)
		}
	}
	for i := first; i < last; i++ {
		u.holdLabel(p, env, &u.px[i])
	}
}

// drawInner draws a recursive hold.
func (u *useLane) drawInner(p *timepane.Pane, env *panel.Env, row draw.Rect, b *locks.Bar) {
	var seen bool
	row.Y0 = min(row.Y0+env.Px(holdInset)*float32(b.Depth), row.Y1-env.Px(holdInset))
	if row.X0, row.X1, seen = u.scale.PxRange(b.Begin, b.End); !seen {
		return
	}
	p.List().Fill(row, u.holdInk(draw.Mix(u.user(env, b.Track).fill, draw.RGB(0, 0, 0), 58), b))
	u.px = append(u.px, drawnUse{bar: b, r: row})
}

// share adds a bar to the column under construction.
func (u *useLane) share(b *locks.Bar) {
	for i := u.column.from; i < len(u.shares); i++ {
		if s := &u.shares[i]; s.track == b.Track {
			s.busyNs += b.BusyNs
			s.count += b.Count
			return
		}
	}
	u.shares = append(u.shares, share{b.Track, b.BusyNs, b.Count})
}

// flush draws the column under construction.
func (u *useLane) flush(p *timepane.Pane, env *panel.Env, row draw.Rect) {
	k := u.column
	u.column = column{from: len(u.shares)}
	if k.entries == 0 {
		return
	}
	if k.entries == 1 && k.lone.Count == 1 {
		u.shares, u.column.from = u.shares[:k.from], k.from
		u.drawHold(p, env, row, k.lone)
		return
	}
	x0, x1, seen := u.scale.PxRange(k.part, k.part+u.minNs)
	if !seen {
		u.shares, u.column.from = u.shares[:k.from], k.from
		return
	}
	u.columns = append(u.columns, locks.Bar{Use: locks.Use{
		Lock: k.lone.Lock, Track: model.NoTrack, Kind: locks.Holding, Begin: k.part, End: k.part + u.minNs,
	}})
	bar := &u.columns[len(u.columns)-1]
	shares := u.shares[k.from:]
	for i := range shares {
		bar.BusyNs += shares[i].busyNs
		bar.Count += shares[i].count
	}
	row.X0, row.X1 = x0, x1
	full := float64(bar.BusyNs) / float64(u.minNs)
	y, sum, perNs := row.Y0, int64(0), float64(row.H())/float64(max(bar.BusyNs, 1))
	for i := range shares {
		sum += shares[i].busyNs
		y1 := row.Y0 + draw.WholePx(float64(sum)*perNs)
		ink := u.shades.Mixed(u.user(env, shares[i].track).fill, timepane.MergedShare(full))
		p.List().Fill(draw.Rect{X0: x0, Y0: y, X1: x1, Y1: y1}, ink)
		y = y1
	}
	u.px = append(u.px, drawnUse{bar: bar, r: row, from: k.from, to: len(u.shares)})
}

// holdInk returns the color of a bar: of merged ones as strong as they are full.
func (u *useLane) holdInk(fill draw.Color, b *locks.Bar) *draw.Ink {
	if b.Count <= 1 {
		return u.shades.Plain(fill)
	}
	return u.shades.Mixed(fill, timepane.MergedShare(float64(b.BusyNs)/float64(max(b.End-b.Begin, 1))))
}

// drawHold draws one hold.
func (u *useLane) drawHold(p *timepane.Pane, env *panel.Env, row draw.Rect, b *locks.Bar) {
	var seen bool
	if row.X0, row.X1, seen = u.scale.PxRange(b.Begin, b.End); !seen {
		return
	}
	u.px = append(u.px, drawnUse{bar: b, r: row})
	if space := timepane.One(env); row.W() > 2*space {
		row.X1 -= space
	}
	l, w, ground := p.List(), min(env.Px(9), row.W()/2), draw.Color(env.Theme.Panel)
	l.Fill(row, u.holdInk(u.user(env, b.Track).fill, b))
	if b.OpenBegin { // the part that was not received is hatched
		l.Hatch(draw.Rect{X0: row.X0, Y0: row.Y0, X1: row.X0 + w, Y1: row.Y1}, ground)
	}
	if b.OpenEnd {
		l.Hatch(draw.Rect{X0: row.X1 - w, Y0: row.Y0, X1: row.X1, Y1: row.Y1}, ground)
	}
}

// holdLabel writes the name of the thread into a hold, cut where it is too long, and the duration
// behind it where there is room for all of it.
func (u *useLane) holdLabel(p *timepane.Pane, env *panel.Env, d *drawnUse) {
	l, b, in := p.List(), d.bar, p.Inside(d.r, env.Px(5), env.Px(4))
	if in.W() < env.Px(12) || b.Count > 1 {
		return
	}
	_, text := subject.ThreadColor(env, b.Track)
	name := env.View.Session().Track(b.Track).Title()
	if !l.NameIn(draw.Small, in, draw.Left, name, text) {
		return
	}
	in.X0 += env.Atlas.Measure(draw.Small, name) + env.Px(7)
	if in.W() >= env.Px(20) {
		l.TextFit(draw.Small, in, draw.Left, u.duration(b), text.WithAlpha(170))
	}
}

// duration returns how long a use took, or at least did. It is valid until the next call.
func (u *useLane) duration(b *locks.Bar) string {
	u.buf = u.buf[:0]
	if b.OpenBegin || b.OpenEnd {
		u.buf = append(u.buf, "≥ "...)
	}
	u.buf = format.AppendDuration(u.buf, b.End-b.Begin)
	return panel.ScratchText(u.buf)
}

// drawWaits draws the signals of a lock, and the waits and vain tries of each thread. y is the top
// of the group.
func (u *useLane) drawWaits(p *timepane.Pane, env *panel.Env, g *group, y float32) {
	plot := p.Plot()
	for i := g.from; i < g.to; i++ {
		r := &u.rows[i]
		r.place = u.rowRect(plot, i, y)
		r.line, r.seen = p.List().Row(r.place.Y0, r.place.Y1), r.place.Y1 > plot.Y0 && r.place.Y0 < plot.Y1
		if r.waits {
			u.user(env, r.track).row = i
		}
	}
	for i := range u.bars {
		b := &u.bars[i]
		at := -1
		switch b.Kind {
		case locks.Holding:
			continue
		case locks.Signalling:
			at = g.signals
		default:
			at = u.user(env, b.Track).row
		}
		if at < g.from || at >= g.to || !u.rows[at].seen {
			continue
		}
		r, seen := u.rows[at].place, false
		if r.X0, r.X1, seen = u.scale.PxRange(b.Begin, b.End); !seen {
			continue
		}
		switch b.Kind {
		case locks.Waiting, locks.Condition:
			u.drawWait(p, env, &u.rows[at].line, r, b)
		case locks.Failed:
			r = drawFailed(p.List(), env, r)
		case locks.Signalling:
			r = drawSignal(p.List(), env, r, b)
		}
		u.px = append(u.px, drawnUse{bar: b, r: r})
	}
}

// drawWait draws waiting for a lock, hatched, since nothing gets done; or for a condition, an
// outline, since that is the thread's purpose. Merged short waits are as strong as their pixels are
// full of waiting: a try for a free lock leaves hardly a trace.
func (u *useLane) drawWait(p *timepane.Pane, env *panel.Env, line *draw.Row, r draw.Rect, b *locks.Bar) {
	l, ground := p.List(), draw.Color(env.Theme.Panel)
	fill := u.user(env, b.Track).fill
	if b.Count > 1 || r.W() < env.Px(4) {
		full := min(float64(b.BusyNs)/max(float64(r.W())*p.NsPerPx(), 1), 1)
		share := uint8(48 + 207*full)
		if b.Kind == locks.Condition {
			line.Bar(r.X0, r.X1, u.shades.Mixed(draw.Mix(ground, fill, share), 150))
		} else {
			line.Bar(r.X0, r.X1, u.shades.Mixed(fill, share))
		}
		return
	}
	if b.Kind == locks.Waiting {
		l.Rect(r, fill.WithAlpha(54))
		l.Hatch(r, fill)
		l.Outline(r, env.Scale, fill)
	} else {
		l.Rect(r, fill.WithAlpha(20))
		l.Outline(r, env.Scale, fill.WithAlpha(190))
	}
	in := p.Inside(r, env.Px(3), env.Px(3))
	if in.W() < env.Px(26) {
		return
	}
	text := u.duration(b)
	wide := env.Atlas.Measure(draw.Small, text) + env.Px(4)
	back := draw.Rect{X0: in.X0, Y0: r.Y0 + 1, X1: in.X0 + wide, Y1: r.Y1 - 1}
	if back.X1 > in.X1 {
		return
	}
	if b.Kind == locks.Waiting { // legible over the hatching
		l.Rect(back, ground)
	}
	in.X0 += env.Px(2)
	l.TextFit(draw.Small, in, draw.Left, text, draw.Color(env.Theme.Text2))
}

// drawFailed draws a try in vain: a tick with a foot. It returns its place.
func drawFailed(l *draw.List, env *panel.Env, r draw.Rect) draw.Rect {
	w, foot, col := env.Px(2), env.Px(2), draw.Color(env.Theme.Bad)
	l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0, X1: r.X0 + w, Y1: r.Y1}, col)
	l.Rect(draw.Rect{X0: r.X0 - foot, Y0: r.Y1 - w, X1: r.X0 + w + foot, Y1: r.Y1}, col)
	return draw.Rect{X0: r.X0 - foot, Y0: r.Y0, X1: r.X0 - foot + w + env.Px(4), Y1: r.Y1}
}

// drawSignal draws a signal: a triangle in the color of the thread that gave it. It returns its
// place.
func drawSignal(l *draw.List, env *panel.Env, r draw.Rect, b *locks.Bar) draw.Rect {
	fill, _ := subject.ThreadColor(env, b.Track)
	if b.Count > 1 {
		l.Rect(draw.Rect{X0: r.X0, Y0: r.Y0 + env.Px(2), X1: max(r.X1, r.X0+env.Px(2)), Y1: r.Y1}, fill)
		return r
	}
	w := env.Px(4)
	l.Triangle(r.X0-w, r.Y0+env.Px(1), r.X0+w, r.Y0+env.Px(1), r.X0, r.Y1, fill)
	return draw.Rect{X0: r.X0 - w, Y0: r.Y0, X1: r.X0 + w, Y1: r.Y1}
}
