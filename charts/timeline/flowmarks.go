package timeline

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
)

// flowMarks are the arrows of flows: those of the selected span, with all of their chains, those of the
// span under the mouse, and on request all that begin or end in the visible time, as long as these are
// not too many.
type flowMarks struct {
	chosen, hovered timepane.OfSpan
	span            spans.Bar // of the last query
	found           []spans.Arrow
	tracks          []model.TrackID
	tooMany         bool // to be shown all
	labels          []draw.Rect
	named           []model.FlowID // those named at an arrow
	buf             []byte
}

const (
	mostFlows  = 200 // that are shown all at once
	mostLabels = 12  // at arrows of the selected span
)

// flowEnd is where an arrow begins or ends in the window.
type flowEnd struct {
	x, y0, y1 float32 // of the bar there
	side      int     // -1 before the visible time, 1 behind it
	away      bool    // its row is not in sight, or stands for several tracks
}

func (e *flowEnd) mid() float32 { return (e.y0 + e.y1) / 2 }

// placeEnd finds where an end of an arrow is: at the edge of the plot where it is out of sight, in the row
// that stands for its track where that has none. ok is false where there is no such row.
func (t *Timeline) placeEnd(env *panel.Env, of *timepane.End) (e flowEnd, ok bool) {
	i, blocks := t.indexOf(of.Track), t.stack.Groups()
	if i < 0 {
		why := env.View.Look().WhyHidden(of.Track)
		for k := range blocks {
			if blocks[k].head.why == why && why != view.NotHidden {
				i = k
			}
		}
		if i < 0 {
			return e, false
		}
	}
	b, plot := &blocks[i], t.pane.Plot()
	top, h := t.stack.Band(i)
	y := t.pane.ScreenY(top)
	e.y0, e.y1, e.away = y, y+h, true
	if b.many == nil && b.head.why == view.NotHidden {
		last := b.lanes - 1
		if b.folded {
			last = min(last, foldedLanes-1)
		}
		lane := max(0, min(int(of.Bar.Ref.Lane), last))
		e.y0 = y + b.spansY0 + t.spans.laneY(env, b, lane)
		e.y1 = max(y+b.spansY0+t.spans.laneY(env, b, lane+1)-1, e.y0+1)
		e.away = int(of.Bar.Ref.Lane) > last
	}
	edge := env.Px(4)
	if mid := e.mid(); mid < plot.Y0+edge {
		e.y0, e.y1, e.away = plot.Y0+edge, plot.Y0+edge, true
	} else if mid > plot.Y1-edge {
		e.y0, e.y1, e.away = plot.Y1-edge, plot.Y1-edge, true
	}
	x := env.View.Time().ToPx(plot, of.Time+b.offset)
	e.x = float32(min(max(x, float64(plot.X0)+1), float64(plot.X1)-1))
	if x < float64(plot.X0)-0.5 {
		e.side = -1
	} else if x > float64(plot.X1)+0.5 {
		e.side = 1
	}
	return e, true
}

// placeFlow finds where an arrow lies; ok is false where it is out of sight.
func (t *Timeline) placeFlow(env *panel.Env, f *timepane.Flow) (from, to flowEnd, shape timepane.ArrowShape, ok bool) {
	from, ok = t.placeEnd(env, &f.Begin)
	if ok {
		to, ok = t.placeEnd(env, &f.End)
	}
	if !ok || from.side != 0 && to.side != 0 || from.y1 == to.y1 && from.y0 == from.y1 {
		return from, to, shape, false
	}
	shape = timepane.ArrowShape{X0: from.x, X1: to.x}
	switch {
	case from.y0 == to.y0: // in one lane: over it
		shape.Y0, shape.Y1 = from.y0, to.y0
		return from, to, shape, to.x-from.x > env.Px(3) || from.x-to.x > env.Px(3)
	case from.y0 < to.y0:
		shape.Y0, shape.Y1 = min(from.y1, to.y0), to.y0
	default:
		shape.Y0, shape.Y1 = max(from.y0, to.y1), to.y1
	}
	inside := f.End.Known && float64(f.To-f.End.Bar.Begin) > float64(env.Px(3))*t.pane.NsPerPx()
	if shape.Down = inside && to.side == 0 || timepane.Steep(env, to.x-from.x); !shape.Down {
		shape.Y1 = to.mid()
	}
	return from, to, shape, true
}

// drawAllFlows draws the flows that begin or end in the visible time, where they are not too many.
func (t *Timeline) drawAllFlows(env *panel.Env) {
	k, s := &t.flows, env.View.Session()
	k.tooMany = false
	if !env.View.Look().ShowFlows() || !s.Flows().Any() {
		return
	}
	k.found = k.found[:0]
	begin, end := env.View.Time().Visible()
	k.tracks = s.Flows().Tracks(k.tracks[:0])
	for _, id := range k.tracks {
		var more bool
		offset := int64(0)
		if i := t.indexOf(id); i >= 0 {
			offset = t.stack.Groups()[i].offset
		}
		k.found, more = s.Flows().Touching(id, begin-offset, end-offset, mostFlows-len(k.found), k.found)
		if k.tooMany = more; more {
			return
		}
	}
	st := timepane.ArrowStyle{Color: draw.Color(env.Theme.Text).WithAlpha(130), Width: env.Scale}
	for _, a := range k.found {
		if t.indexOf(a.FromTrack) < 0 && t.indexOf(a.ToTrack) < 0 { // both are hidden
			continue
		}
		f := timepane.FlowOf(s, a)
		if _, _, shape, ok := t.placeFlow(env, &f); ok {
			shape.Draw(t.pane.List(), env, st)
		}
	}
}

// drawFlows draws the flows of the selected span and of the one under the mouse, over everything.
func (t *Timeline) drawFlows(env *panel.Env, hovered *spans.Bar) {
	k, v := &t.flows, env.View
	if !v.Session().Flows().Any() {
		return
	}
	t.pane.List().PushClip(t.pane.Plot())
	defer t.pane.List().PopClip()
	th := env.Theme
	strong := timepane.ArrowStyle{Color: draw.Color(th.Accent), Width: env.Px(1.5)}
	faint := timepane.ArrowStyle{Color: draw.Mix(draw.Color(th.Panel), draw.Color(th.Text), 150), Width: env.Scale}
	if selected := v.HasSpan(); hovered != nil && hovered.Count == 1 && !(selected && v.Span().Ref == hovered.Ref) {
		if b, ok := v.Session().Spans().ByRef(hovered.Ref); ok { // the picture may have moved it in time
			k.span = b
			k.hovered.Ask(v.Session(), &k.span)
		}
		t.drawChains(env, &k.hovered, faint, faint)
	}
	if k.labels = k.labels[:0]; !v.HasSpan() {
		return
	}
	k.span = v.Span()
	k.chosen.Ask(v.Session(), &k.span)
	further := strong
	further.Color, further.Width = draw.Mix(draw.Color(th.Panel), draw.Color(th.Accent), 150), env.Scale
	left := k.chosen.Count() - t.drawChains(env, &k.chosen, strong, further)
	t.labelFlows(env, &k.chosen, left)
}

// drawChains draws the flows of a span, and below them the rest of their chains. It returns how many of
// its own are shown as far as they are visible.
func (t *Timeline) drawChains(env *panel.Env, o *timepane.OfSpan, own, far timepane.ArrowStyle) (near int) {
	shown, l := t.shownOf(env, o), t.pane.List()
	styles := [...]timepane.ArrowStyle{far, own, own}
	for i := range 2 * len(shown) {
		list, st := shown[i%3], styles[i%3]
		for k := range list {
			switch _, _, shape, ok := t.placeFlow(env, &list[k]); {
			case !ok:
			case i < len(shown):
				shape.Seam(l, env, st)
			default:
				shape.Draw(l, env, st)
			}
		}
	}
	return len(shown[1]) + len(shown[2])
}

// shownOf returns the flows of a span that are shown: of its chains, to it, from it.
func (t *Timeline) shownOf(env *panel.Env, o *timepane.OfSpan) [3][]timepane.Flow {
	begin, _ := env.View.Time().Visible()
	return [...][]timepane.Flow{o.Far(), o.Near(false, begin), o.Near(true, begin)}
}

// labelFlows labels the arrows of a span that lead out of sight with their target, their name, and
// the number of further ones, as far as there is room.
func (t *Timeline) labelFlows(env *panel.Env, o *timepane.OfSpan, left int) {
	k, s := &t.flows, env.View.Session()
	own := t.shownOf(env, o)
	for out, list := range own[1:] {
		for i := range list {
			from, to, _, ok := t.placeFlow(env, &list[i])
			other, at := &list[i].Begin, &from
			if out == 1 {
				other, at = &list[i].End, &to
			}
			if ok && (at.side != 0 || at.away) {
				k.buf = timepane.AppendEnd(k.buf[:0], s, other)
				t.flowLabel(env, at.x, at.mid(), true)
			}
		}
	}
	if b := env.View.Span(); left > 0 {
		if r, ok := t.spans.selectedAt(&t.pane, env.View); ok && b.Count == 1 {
			k.buf = append(format.AppendCount(append(k.buf[:0], "and "...), int64(left)), " more"...)
			if o.More {
				k.buf = append(k.buf, " or more"...)
			}
			t.flowLabel(env, (max(r.X0, t.pane.Plot().X0)+min(r.X1, t.pane.Plot().X1))/2, r.Y1+env.Px(12), false)
		}
	}
	k.named = k.named[:0]
	for _, list := range own[1:] {
		for i := range list {
			from, to, shape, ok := t.placeFlow(env, &list[i])
			if !ok || from.x-to.x > 0 || slices.Contains(k.named, list[i].Name) {
				continue
			}
			k.buf = append(k.buf[:0], format.ClipName(s.Flows().Name(list[i].Name))...)
			if w := env.Atlas.Measure(draw.Small, panel.ScratchText(k.buf)); to.x-from.x > w+env.Px(40) {
				if mid := shape.Mid(env); t.flowLabel(env, mid.X, mid.Y, false) {
					k.named = append(k.named, list[i].Name)
				}
			}
		}
	}
}

// flowLabel writes the text of the buffer around a point, or beside it if there is room, unless it would
// lie over another. It reports whether it did.
func (t *Timeline) flowLabel(env *panel.Env, x, y float32, beside bool) bool {
	k, plot, l := &t.flows, t.pane.Plot(), t.pane.List()
	text := panel.ScratchText(k.buf)
	w, h, gap := env.Atlas.Measure(draw.Small, text)+env.Px(8), env.Px(15), env.Px(2)
	r := draw.Rect{X0: x - w/2, Y0: y - h/2}
	if beside {
		gap = env.Px(10)
		if r.X0 = x + gap; r.X0+w > plot.X1-env.Px(8) {
			r.X0 = x - gap - w
		}
	}
	r.X0 = panel.Snap(max(plot.X0+env.Px(2), min(r.X0, plot.X1-env.Px(8)-w)))
	r.Y0 = panel.Snap(max(plot.Y0+1, min(r.Y0, plot.Y1-1-h)))
	r.X1, r.Y1 = r.X0+w, r.Y0+h
	if len(k.labels) == mostLabels {
		return false
	}
	for _, o := range k.labels {
		if !o.Intersect(r).Empty() {
			return false
		}
	}
	k.labels = append(k.labels, r)
	l.Rect(r, draw.Color(env.Theme.Tooltip))
	return l.TextIn(draw.Small, r, draw.Center, text, draw.Color(env.Theme.Text))
}
