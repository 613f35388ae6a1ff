package timeline

import (
	"strings"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// input handles a tick's mouse and held keys: the pane handles the axis; clicks select, in the
// gutter a thread, and on its arrow they fold it.
func (t *Timeline) input(env *panel.Env, in *panel.Input) panel.Action {
	v := env.View
	switch g := t.pane.Input(env, in, &t.spans); {
	case g.Menu:
		return g.MenuOf(t.HitTest(env, g.X, g.Y))
	case g.DoubleClick:
		return t.doubleClick(env, g.X, g.Y)
	case g.MiddleClick:
		if _, d := t.spans.barAt(g.X, g.Y); d != nil {
			v.Steer().ZoomAround(d.bar.Begin, d.bar.End)
		}
	case g.Click && g.Label:
		switch b := t.stack.Find(&t.pane, g.Y); {
		case b == nil:
		case t.counters.choose(v, g.Y):
		case b.head.why != view.NotHidden:
			v.Look().ShowTracks(b.head.why)
		case b.head.key != "":
			v.Look().SetGroupClosed(b.head.key, b.many == nil)
		case b.many != nil:
			v.Look().SetGoneShown(true)
		case g.X < t.pane.Gutter().X0+env.Px(foldArrowW):
			v.Look().SetTrackFolded(b.track, !v.Look().TrackFolded(b.track))
		default:
			v.SetTrack(b.track)
		}
	case g.Click:
		t.click(env, g.X, g.Y)
	}
	return panel.Action{}
}

// doubleClick opens the counter at a point, or zooms to the item there.
func (t *Timeline) doubleClick(env *panel.Env, pxX, pxY float32) panel.Action {
	v := env.View
	if d := t.counters.at(pxY); d != nil && d.row.of.Series == model.NoSeries {
		return panel.Action{
			Kind: panel.ActionOpenLevels, Track: d.row.of.Track, Collector: d.row.of.Level, Frame: -1, X: pxX, Y: pxY,
		}
	}
	if d := t.flags.at(pxX, pxY); d != nil && d.n > 1 {
		v.Steer().ZoomAround(d.first, d.last)
	} else if _, d := t.spans.barAt(pxX, pxY); d != nil {
		v.Steer().ZoomAround(d.bar.Begin, d.bar.End)
	} else {
		t.pane.ZoomToFrame(env, pxX)
	}
	return panel.Action{}
}

// click selects the span at a point, or nothing, and puts the playhead there.
func (t *Timeline) click(env *panel.Env, pxX, pxY float32) {
	v := env.View
	if b := t.stack.Find(&t.pane, pxY); b != nil && b.head.why != view.NotHidden {
		v.Look().ShowTracks(b.head.why)
		return
	}
	if d := t.flags.at(pxX, pxY); d != nil {
		v.SelectAt(view.Message(d.track, d.message), d.message.Time+d.offset)
		return
	}
	at := t.pane.TimeAt(env, pxX)
	row, d := t.spans.barAt(pxX, pxY)
	switch {
	case d == nil:
		v.PlacePlayhead(at)
		v.ClearThing()
		if track, c := t.loadAt(env, pxX, pxY); c != model.NoCollector {
			v.SelectCollectorOf(track, c)
		}
		t.counters.choose(v, pxY)
	case d.bar.Count == 1:
		v.SelectSpanAt(*d.bar, at)
	default: // several in one bar
		v.PlacePlayhead(at)
		v.SelectCollectorOf(row.track, d.bar.Collector)
	}
}

// Thing implements timepane.Content.
func (t *Timeline) Thing(env *panel.Env, in *panel.Input) model.CollectorID {
	if !t.pane.Plot().Contains(in.X, in.Y) {
		return model.NoCollector
	}
	if _, d := t.spans.barAt(in.X, in.Y); d != nil {
		return d.bar.Collector
	}
	if d := t.counters.at(in.Y); d != nil {
		return d.row.of.Level
	}
	_, c := t.loadAt(env, in.X, in.Y)
	return c
}

// loadAt returns the track and the collector of a curve of load at a point, NoCollector where there is none.
func (t *Timeline) loadAt(env *panel.Env, pxX, pxY float32) (model.TrackID, model.CollectorID) {
	d, col := t.spans.load.at(pxY, t.pane.TimeAt(env, pxX))
	if d == nil {
		return model.NoTrack, model.NoCollector
	}
	if col == nil {
		return d.track, model.NoCollector
	}
	return d.track, d.collectorAt(col, pxY)
}

// HitTest returns the item drawn at a point, with its tooltip.
func (t *Timeline) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	p := &t.pane
	hit, b, label := t.stack.HitTest(p, env, pxX, pxY)
	if b == nil {
		return *hit
	}
	if b.counter != nil {
		if f := env.View.Session().Track(b.counter.of.Track); f != nil && !label {
			hit.Frame = f.FrameCovering(hit.TimeNs - b.offset)
		}
		t.counters.Hit(p, env, b, timepane.Spot{PxX: pxX, PxY: pxY}, hit)
		hit.Lines = p.Tip().All()
		return *hit
	}
	tr := env.View.Session().Track(b.track)
	hit.Track = b.track
	if !label && b.head.why == view.NotHidden {
		hit.Frame = tr.FrameCovering(hit.TimeNs - b.offset)
		t.stack.Describe(p, env, pxX, pxY, hit)
		return *hit
	}
	hit.Kind = panel.HitLabel
	if !b.alone() {
		if hit.Track, hit.Group = model.NoTrack, b.head.key; b.head.key != "" {
			tipHead(p.Tip(), b)
		} else {
			tipGone(env, p.Tip(), b.many)
		}
		hit.Lines = p.Tip().All()
		return *hit
	}
	labelTip(p.Tip(), tr, b)
	if f, ok := t.times.of[b.track]; ok { // as it stands below the name
		f.tip(p.Tip())
	}
	hit.Lines = p.Tip().All()
	return *hit
}

func labelTip(tip *panel.TipLines, tr *store.Track, b *block) {
	tip.Text(tr.Title())
	if name := tr.Title(); tr.Def.Kind == model.TrackGPU && !strings.Contains(name, "GPU") {
		tip.Text(" (GPU)")
	}
	tip.End()
	tip.If(tr.Def.Process != "").Text("process\t").Text(tr.Def.Process).End()
	if n := tr.NumFrames(); n > 0 {
		tip.Text("frames\t").Count(int64(n)).End()
		if m := tr.Missing(); m > 0 {
			tip.Text("missing\t").Count(m).End()
		}
		if tip.FrameRate("rate\t", tr) {
			tip.End()
		}
	}
	tip.Text("spans\t").Count(tr.NumSpans()).End()
	tip.If(!tr.Alive).Add("The thread is gone.")
	tip.If(b.offset != 0).Add("It has a clock of its own: its place in time is approximate.")
}

// shown is the choice that was brought into view last.
type shown struct {
	session *store.Session
	choice  view.Choice
}

// reveal scrolls to the selected span, or to the thread, when it was chosen elsewhere and is out of
// view.
func (t *Timeline) reveal(env *panel.Env) {
	v := env.View
	choice := v.Choice()
	if v.Session() != t.shown.session { // how far down one was in another is nothing for this one
		t.shown = shown{v.Session(), choice}
		t.pane.ScrollTo(0)
		t.anchor.valid = false
	}
	if was := t.shown.choice; choice.HasSpan && (!was.HasSpan || choice.Span != was.Span) || choice.Track != was.Track {
		t.Reveal(env, choice)
	}
}

// Reveal brings the lane of a choice into the middle of the plot, where it was not in view after the last Update.
func (t *Timeline) Reveal(env *panel.Env, c view.Choice) {
	i := t.indexOf(c.Track)
	if i < 0 {
		return
	}
	b := &t.stack.Groups()[i]
	y, h := t.stack.Band(i)
	plot := t.pane.Plot().H()
	if c.HasSpan && !b.folded {
		lane := min(int(c.Span.Lane), max(b.lanes-1, 0))
		top := t.spans.laneY(env, b, lane)
		y, h = y+b.spansY0+top, t.spans.laneY(env, b, lane+1)-top
	}
	if top := t.pane.Scroll(); y < top || y+min(h, plot) > top+plot {
		t.pane.ScrollTo(y + min(h, plot)/2 - plot/2)
		t.anchor.valid = false // one scrolled
	}
}

const (
	edgeGrabPx = 4  // how near the mouse takes the lower edge of a block
	dragEdgePx = 24 // how near to the plot's edge a label that is dragged scrolls
	dragStepPx = 7  // and by how much in a tick
)

// trackDrag is a drag of a block in the gutter: a label that is dragged moves its track, the lower
// edge of a block gives it room for more or fewer lanes.
type trackDrag struct {
	kind  dragKind
	track model.TrackID
	fromY float32 // where the edge was taken
	lanes int     // for how many there was room then
	drop  dropPlace
}

type dragKind uint8

const (
	dragNothing dragKind = iota
	dragMoves
	dragSizes
)

// dropPlace is the target of a dragged track.
type dropPlace struct {
	ok    bool
	other model.TrackID
	below bool
	y     float32 // in the content
}

// inputTracks moves and sizes blocks. done means that the mouse is taken.
func (t *Timeline) inputTracks(env *panel.Env, in *panel.Input) (done bool) {
	d := &t.drag
	if d.kind == dragNothing && !t.beginDrag(env, in) {
		return false
	}
	switch d.kind {
	case dragSizes:
		pitch := t.spans.pitch
		n := d.lanes + int((in.Y-d.fromY)/pitch+1000.5) - 1000
		if in.Y != d.fromY {
			env.View.Look().SetTrackLanes(d.track, max(n, 1))
		}
	case dragMoves:
		plot := t.pane.Plot()
		if edge := env.Px(dragEdgePx); in.Y < plot.Y0+edge {
			t.pane.ScrollTo(t.pane.Scroll() - env.Px(dragStepPx))
		} else if in.Y > plot.Y1-edge {
			t.pane.ScrollTo(t.pane.Scroll() + env.Px(dragStepPx))
		}
		d.drop = t.dropAt(env.View.Look(), in.Y)
	}
	if in.Left.Released || !in.Left.Down {
		if d.kind == dragMoves && d.drop.ok {
			env.View.Look().MoveTrack(d.track, d.drop.other, d.drop.below)
		}
		d.kind, d.drop = dragNothing, dropPlace{}
	}
	t.anchor.valid = false // the mouse leads
	return true
}

// beginDrag takes an edge that is pressed, or a label that is dragged; a double click on an edge
// resets the block to the height of its visible content.
func (t *Timeline) beginDrag(env *panel.Env, in *panel.Input) bool {
	d := &t.drag
	if !in.Over {
		return false
	}
	if i := t.edgeAt(env, in.X, in.Y); in.Left.Pressed && i >= 0 {
		b := &t.stack.Groups()[i]
		if *d = (trackDrag{kind: dragSizes, track: b.track, fromY: in.Y, lanes: b.roomLanes()}); in.DoubleClick {
			env.View.Look().SetTrackLanes(b.track, 0)
			*d = trackDrag{}
		}
		return true
	}
	g := t.pane.Gutter()
	if !in.Left.Dragging || !g.Contains(in.Left.DownX, in.Left.DownY) {
		return false
	}
	if b, r := t.labelAt(env, in.Left.DownY); b != nil && r.Contains(in.Left.DownX, in.Left.DownY) {
		*d = trackDrag{kind: dragMoves, track: b.track}
		return true
	}
	return false
}

// labelAt returns the block at a height, and the part of its gutter by which it is dragged; nil
// where there is none that can be.
func (t *Timeline) labelAt(env *panel.Env, pxY float32) (*block, draw.Rect) {
	i := t.stack.At(&t.pane, pxY)
	if i < 0 || !t.stack.Groups()[i].alone() {
		return nil, draw.Rect{}
	}
	b := &t.stack.Groups()[i]
	y, h := t.stack.Band(i)
	r := t.spans.nameRow(&t.pane, env, b, t.pane.ScreenY(y), t.pane.ScreenY(y+h))
	r.Y1 = min(r.Y1+env.Px(timeH), t.pane.ScreenY(y+h))
	r.X1 = t.pane.Gutter().X1
	return b, r
}

// edgeAt returns the index of the block with its lower edge at a point of the gutter, -1 none.
func (t *Timeline) edgeAt(env *panel.Env, pxX, pxY float32) int {
	g, near := t.pane.Gutter(), env.Px(edgeGrabPx)
	if t.pane.Empty() || pxX < g.X0 || pxX >= g.X1 || pxY < g.Y0 || pxY >= g.Y1 {
		return -1
	}
	for i := range t.stack.Groups() {
		b := &t.stack.Groups()[i]
		y, h := t.stack.Band(i)
		if edge := t.pane.ScreenY(y + h); b.alone() && !b.folded && pxY > edge-near && pxY <= edge+near/2 {
			return i
		}
	}
	return -1
}

// dropAt returns where a track that is dragged goes: beside the nearest block that it can stand
// beside.
func (t *Timeline) dropAt(look *view.Look, pxY float32) (best dropPlace) {
	y := pxY - t.pane.Plot().Y0 + t.pane.Scroll()
	far := float32(0)
	for i := range t.stack.Groups() {
		b := &t.stack.Groups()[i]
		if !b.alone() || !look.SameSection(b.track, t.drag.track) {
			continue
		}
		top, h := t.stack.Band(i)
		for _, p := range [...]dropPlace{{true, b.track, false, top}, {true, b.track, true, top + h}} {
			if d := max(p.y-y, y-p.y); !best.ok || d < far {
				best, far = p, d
			}
		}
	}
	return best
}

// Resizes implements panel.Resizer.
func (t *Timeline) Resizes(env *panel.Env, pxX, pxY float32) bool {
	return t.drag.kind == dragSizes || t.drag.kind == dragNothing && t.edgeAt(env, pxX, pxY) >= 0
}

// drawDrag draws the edge that can be taken, and where a track goes that is dragged.
func (t *Timeline) drawDrag(env *panel.Env, in *panel.Input) {
	p, accent := &t.pane, draw.Color(env.Theme.Accent)
	l, g := p.List(), p.Gutter()
	line := func(x1, pxY float32) {
		l.Rect(draw.Rect{X0: g.X0, Y0: pxY - timepane.One(env), X1: x1, Y1: pxY + timepane.One(env)}, accent)
	}
	switch t.drag.kind {
	case dragNothing:
		if i := t.edgeAt(env, in.X, in.Y); i >= 0 && in.Over && !in.Left.Down {
			y, h := t.stack.Band(i)
			line(g.X1, p.ScreenY(y+h))
		}
	case dragSizes:
		for i := range t.stack.Groups() {
			if b := &t.stack.Groups()[i]; b.alone() && b.track == t.drag.track {
				y, h := t.stack.Band(i)
				line(p.Plot().X1, p.ScreenY(y+h))
			}
		}
	case dragMoves:
		if t.drag.drop.ok {
			line(p.Plot().X1, p.ScreenY(t.drag.drop.y))
		}
		title := env.View.Session().Track(t.drag.track).Title()
		h := env.Px(laneH)
		r := draw.Rect{X0: in.X + env.Px(10), Y0: in.Y - h/2, X1: in.X + env.Px(26), Y1: in.Y + h/2}
		r.X1 += min(env.Atlas.Measure(draw.Medium, title), env.Px(gutterMost))
		l.Rect(r, draw.Color(env.Theme.Tooltip))
		l.Outline(r, timepane.One(env), accent)
		l.NameIn(draw.Medium, r.Inset(env.Px(2)), draw.Center, title, draw.Color(env.Theme.Text))
	}
}
