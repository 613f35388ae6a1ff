package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/locks"
	"framescope/model/spans"
	"framescope/model/why"
)

const (
	lockStripH  = 3
	arrowRoom   = 14 // least width for an arrow, on average; else only those of the selected lock are shown
	arrowBeside = 4  // of arrows between the same tracks nearer than this one is drawn
)

// lockMarks is the marks of locks in the timeline: an arrow from each signal to the end of the wait
// that it ended, on another track, while there are not too many; and, when a lock is selected, a
// thin strip above the lanes of each track that waited for it (amber) or held it (bright).
type lockMarks struct {
	signals timepane.Signals
	px      []timepane.Signal
	bars    []locks.Bar
}

func (k *lockMarks) reset() { k.px = k.px[:0] }

// drawLocks draws strips and arrows over the blocks.
func (t *Timeline) drawLocks(env *panel.Env) {
	k, v, p := &t.locks, env.View, &t.pane
	if v.Collector() != model.NoCollector {
		t.drawLockStrips(env)
	}
	found := k.signals.Visible(env)
	all := float32(len(found))*env.Px(arrowRoom) <= p.Plot().W()
	near := env.Px(arrowBeside)
	for i := range found {
		a := timepane.Signal{Arrow: found[i]}
		chosen := v.Lights(view.Lock(a.Lock))
		if !all && !chosen || !t.placeArrow(env, &a) {
			continue
		}
		beside := false
		for j := len(k.px) - 1; j >= 0 && !beside && a.X0-k.px[j].X0 < near; j-- {
			o := &k.px[j]
			beside = o.FromTrack == a.FromTrack && o.ToTrack == a.ToTrack && a.X1-o.X1 < near
		}
		if beside {
			continue
		}
		k.px = append(k.px, a)
		alpha := uint8(130)
		if chosen {
			alpha = 230
		}
		a.Draw(p.List(), env, a.Style(env, alpha))
	}
}

// placeArrow finds the ends of an arrow; ok is false where a track is not shown or the arrow stays
// in its track.
func (t *Timeline) placeArrow(env *panel.Env, a *timepane.Signal) (ok bool) {
	from, to := t.indexOf(a.FromTrack), t.indexOf(a.ToTrack)
	if from < 0 || to < 0 || from == to {
		return false
	}
	blocks := t.stack.Groups()
	a.Down = true
	a.X0 = t.pane.PxOf(env, a.FromTime+blocks[from].offset)
	a.X1 = t.pane.PxOf(env, a.ToTime+blocks[to].offset)
	if from < to {
		_, a.Y0 = t.spansY(env, from)
		a.Y1, _ = t.spansY(env, to)
	} else {
		a.Y0, _ = t.spansY(env, from)
		_, a.Y1 = t.spansY(env, to)
	}
	return true
}

// indexOf returns the index of the block of a track, -1 where it is not shown.
func (t *Timeline) indexOf(id model.TrackID) int {
	if id < 0 || int(id) >= len(t.places) {
		return -1
	}
	return t.places[id] - 1
}

// spansY returns where the spans of a block begin and end in the window.
func (t *Timeline) spansY(env *panel.Env, block int) (y0, y1 float32) {
	b := &t.stack.Groups()[block]
	top, h := t.stack.Band(block)
	if b.folded {
		return t.pane.ScreenY(top) + env.Px(2), t.pane.ScreenY(top+h) - env.Px(2)
	}
	return t.pane.ScreenY(top) + b.spansY0, t.pane.ScreenY(top) + b.spansY1
}

// drawLockStrips draws each track's uses of the selected lock.
func (t *Timeline) drawLockStrips(env *panel.Env) {
	k, v, th, p := &t.locks, env.View, env.Theme, &t.pane
	begin, end := v.Time().Visible()
	k.bars = v.Session().Locks().Bars(v.Collector(), begin, end, t.spans.minNs, k.bars[:0])
	for i := range k.bars {
		bar := &k.bars[i]
		at := t.indexOf(bar.Track)
		if at < 0 || bar.Kind == locks.Signalling || bar.Depth > 0 {
			continue
		}
		offset := t.stack.Groups()[at].offset
		y, _ := t.spansY(env, at)
		x0, x1, _ := p.PxRange(env, bar.Begin+offset, bar.End+offset)
		r := draw.Rect{X0: x0, Y0: y - env.Px(lockStripH) - 1, X1: x1, Y1: y - 1}
		col := draw.Color(th.Over)
		switch bar.Kind {
		case locks.Holding:
			col = draw.Color(th.Text)
		case locks.Failed:
			r.X1 = max(r.X1, r.X0+env.Px(2))
			p.List().Rect(r, draw.Color(th.Bad))
			continue
		case locks.Condition:
			p.List().Outline(r, env.Scale, draw.Color(th.Text2))
			continue
		}
		if full := min(float64(bar.BusyNs)/max(float64(r.W())*p.NsPerPx(), 1), 1); full < 1 {
			col = draw.Mix(draw.Color(th.Panel), col, uint8(60+195*full))
		}
		p.List().Rect(r, col)
		if bar.Count == 1 && v.Thing() == view.Use(bar.Use) {
			p.List().Outline(r.Inset(-timepane.One(env)), timepane.One(env), draw.Color(th.Accent))
		}
	}
}

// drawWaits draws who waited for whom in the hitch whose cause is selected: an arrow at the end of each wait of
// the chain, from the thread that ended it, with a label.
func (t *Timeline) drawWaits(env *panel.Env) {
	v := env.View
	track, frame, ok := v.Hitch()
	if !ok {
		return
	}
	a, _ := v.Causes().Frame(subject.Baseline(env), track, frame)
	if a == nil {
		return
	}
	for i := 0; i+1 < len(a.Chain); i++ {
		if l, by := &a.Chain[i], &a.Chain[i+1]; l.How == why.Waiting && l.Track != by.Track && l.EndNs > l.BeginNs {
			t.drawWait(env, l, by)
		}
	}
}

// drawWait draws one of them.
func (t *Timeline) drawWait(env *panel.Env, l, by *why.Link) {
	to, from := t.indexOf(l.Track), t.indexOf(by.Track)
	if to < 0 || from < 0 {
		return
	}
	list, th, blocks := t.pane.List(), env.Theme, t.stack.Groups()
	x := t.pane.PxOf(env, l.EndNs+blocks[to].offset)
	fromY0, fromY1 := t.spansY(env, from)
	toY0, toY1 := t.spansY(env, to)
	var one [1]spans.Bar
	for _, wait := range env.View.Session().Spans().Longest(l.Track, l.Collector, -1, l.BeginNs, l.EndNs, 1, one[:0]) {
		if lane := int(wait.Ref.Lane); !blocks[to].folded && lane < blocks[to].lanes {
			toY0, toY1 = toY0+t.spans.laneY(env, &blocks[to], lane), toY0+t.spans.laneY(env, &blocks[to], lane+1)
		}
	}
	tail, tip, head := fromY0, toY1, env.Px(7) // the thread that waited is above
	if from < to {
		tail, tip, head = fromY1, toY0, -head
	}
	color, half, line := draw.Color(th.Accent), env.Px(4), timepane.One(env)
	list.VLine(x, min(tail, tip), max(tail, tip), line, color)
	mid := x + line/2
	list.Triangle(mid, tip, mid+half, tip+head, mid-half, tip+head, color)
	s := env.View.Session()
	text := subject.ThreadName(s, l.Track) + " waits for " + subject.ThreadName(s, by.Track)
	w, h := env.Atlas.Measure(draw.Small, text)+env.Px(14), env.Px(18)
	r := draw.Rect{X0: x - env.Px(8) - w, Y0: (tail+tip)/2 - h/2, X1: x - env.Px(8)}
	if r.Y1 = r.Y0 + h; r.X0 < t.pane.Plot().X0 {
		r.X0, r.X1 = x+env.Px(8), x+env.Px(8)+w
	}
	list.Rect(r, draw.Color(th.AccentGround))
	list.TextIn(draw.Small, r, draw.Center, text, color)
}
