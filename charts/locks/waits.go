package locks

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/model/locks"
)

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
