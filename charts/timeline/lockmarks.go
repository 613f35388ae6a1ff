package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// What the timeline shows of locks: an arrow from each signal to the end of the wait that it ended, on another track, while there are not too many; and, when a lock is selected, a thin strip above the lanes of
// each track that says when it waited for that lock (amber) and held it (bright).
const (
	lockStripH  = 3
	arrowRoom   = 14 // least width for an arrow, on average; else only those of the selected lock are shown
	arrowBeside = 4  // of arrows between the same tracks nearer than this one is drawn
)

// lockMarks is what the timeline keeps for locks.
type lockMarks struct {
	stats  []model.LockStats
	arrows []model.SignalArrow
	px     []drawnArrow
	bars   []model.LockBar
}

// drawLocks draws strips and arrows over the blocks.
func (t *Timeline) drawLocks(env *panel.Env, begin, end int64) {
	k := &t.locks
	k.px = k.px[:0]
	if t.Options.HideLocks {
		return
	}
	v := env.View
	if v.Collector() != model.NoCollector {
		t.drawLockStrips(env, begin, end)
	}
	if k.arrows = visibleArrows(v.Session(), begin, end, &k.stats, k.arrows[:0]); len(k.arrows) == 0 {
		return
	}
	all := float32(len(k.arrows))*env.Px(arrowRoom) <= t.plot.W()
	near := env.Px(arrowBeside)
	for i := range k.arrows {
		a := &k.arrows[i]
		chosen := a.Lock == v.Collector()
		if !all && !chosen {
			continue
		}
		d, ok := t.placeArrow(env, a)
		if !ok {
			continue
		}
		beside := false
		for j := len(k.px) - 1; j >= 0 && !beside && d.x0-k.px[j].x0 < near; j-- {
			p := &k.px[j]
			beside = p.arrow.FromTrack == a.FromTrack && p.arrow.ToTrack == a.ToTrack && d.x1-p.x1 < near
		}
		if beside {
			continue
		}
		k.px = append(k.px, d)
		col := draw.Color(env.Theme.Text).WithAlpha(130)
		if chosen {
			col.A = 230
		}
		drawArrow(t.list, env, &d, col)
	}
}

// placeArrow finds the ends of an arrow; ok is false where a track is not shown or the arrow stays in its track.
func (t *Timeline) placeArrow(env *panel.Env, a *model.SignalArrow) (d drawnArrow, ok bool) {
	from, to := t.blockOf(a.FromTrack), t.blockOf(a.ToTrack)
	if from == nil || to == nil || from == to {
		return d, false
	}
	d = drawnArrow{arrow: *a, x0: t.pxOf(a.FromTime+from.offset, env), x1: t.pxOf(a.ToTime+to.offset, env)}
	top0, end0 := t.lanesY(env, from)
	top1, end1 := t.lanesY(env, to)
	if from.y < to.y {
		d.y0, d.y1 = end0, top1
	} else {
		d.y0, d.y1 = top0, end1
	}
	return d, true
}

// blockOf returns the block of a track, nil where it is not shown.
func (t *Timeline) blockOf(id model.TrackID) *timelineBlock {
	for i := range t.blocks {
		if t.blocks[i].track == id {
			return &t.blocks[i]
		}
	}
	return nil
}

// lanesY returns where the lanes of a block begin and end in the window.
func (t *Timeline) lanesY(env *panel.Env, b *timelineBlock) (y0, y1 float32) {
	if b.folded {
		return t.screenY(b.y) + env.Px(2), t.screenY(b.y+b.h) - env.Px(2)
	}
	return t.screenY(b.y) + t.laneOffset(env, b, 0), t.screenY(b.y) + t.laneOffset(env, b, max(b.lanes, 1))
}

// drawLockStrips draws what each track did with the selected lock.
func (t *Timeline) drawLockStrips(env *panel.Env, begin, end int64) {
	k, v, th := &t.locks, env.View, env.Theme
	k.bars = v.Session().LockBars(v.Collector(), begin, end, t.minNs, k.bars[:0])
	for i := range k.bars {
		bar := &k.bars[i]
		b := t.blockOf(bar.Track)
		if b == nil || bar.Kind == model.LockSignalling || bar.Depth > 0 {
			continue
		}
		y, _ := t.lanesY(env, b)
		x0, x1 := t.pxOf(bar.Begin+b.offset, env), t.pxOf(bar.End+b.offset, env)
		r := draw.Rect{X0: x0, Y0: y - env.Px(lockStripH) - 1, X1: max(x1, x0+1), Y1: y - 1}
		col := draw.Color(th.Over)
		switch bar.Kind {
		case model.LockHolding:
			col = draw.Color(th.Text)
		case model.LockFailed:
			col = draw.Color(th.Bad)
			r.X1 = max(r.X1, r.X0+env.Px(2))
		case model.LockCondition:
			t.list.Outline(r, env.Scale, draw.Color(th.Text2))
			continue
		}
		if full := min(float64(bar.BusyNs)/max(float64(r.W())*t.nsPerPx, 1), 1); bar.Kind != model.LockFailed && full < 1 {
			col = draw.Mix(draw.Color(th.Panel), col, uint8(60+195*full))
		}
		t.list.Rect(r, col)
	}
}
