package timeline

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/model/spans"
	"framescope/model/why"
)

// drawWaits draws who waited for whom in the hitch whose cause is selected: an arrow at the end of each wait of
// the chain, from the thread that ended it, with a label.
func (t *Timeline) drawWaits(env *panel.Env) {
	v := env.View
	track, frame, ok := v.Hitch()
	if !ok {
		return
	}
	a, _ := v.Causes().Frame(subject.Baseline(env), track, frame, v.Session().Revision())
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
