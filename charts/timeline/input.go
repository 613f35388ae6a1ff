package timeline

import "framescope/charts/panel"

// input handles a tick's mouse and held keys: in the plot by the common gestures, in the gutter folding and scrolling, in the ruler scrubbing.
func (t *Timeline) input(env *panel.Env, in *panel.Input) panel.Action {
	v := env.View
	if !v.Time().Valid() || len(t.blocks) == 0 {
		return panel.Action{}
	}
	if act, done := t.inputGutter(env, in); done {
		return act
	}
	res, done := t.gesture(env, in)
	if done {
		return panel.Action{}
	}
	switch {
	case res.Menu:
		return panel.MenuOf(t.HitTest(env, res.X, res.Y), res.X, res.Y)
	case res.DoubleClick:
		if d := t.counterAt(res.X, res.Y); d != nil {
			return panel.Action{Kind: panel.ActionOpenLevels, Track: d.trackOf(t), Collector: d.row.collector, Frame: -1, X: res.X, Y: res.Y}
		}
		if d := t.flagAt(res.X, res.Y); d != nil && d.n > 1 {
			v.ZoomAround(d.first, d.last)
			return panel.Action{}
		}
		t.zoomTo(env, res.X, res.Y)
	case res.MiddleClick:
		if _, d := t.barAt(res.X, res.Y); d != nil {
			v.ZoomAround(d.bar.Begin, d.bar.End)
		}
	case res.Click && t.plot.Contains(res.X, res.Y):
		t.click(env, res.X, res.Y)
	}
	return panel.Action{}
}

// pullRange selects a range as it is drawn, so that all panels show it while the mouse moves. Both its ends snap to what is near them, unless alt is held or it is to be zoomed to.
func (t *Timeline) pullRange(env *panel.Env, in *panel.Input, res *panel.GestureResult) {
	if t.gestures.Drag == panel.DragRange && in.Left.Pressed {
		t.rangeFrom = t.snapTime(env, in.X, in.Y, in.Alt)
	}
	t.ranging, t.zooming = res.Ranging, res.Zooming
	t.rangeA, t.rangeB = res.RangeA, res.RangeB
	if res.Zooming || !res.Ranging && !res.RangeDone {
		return
	}
	to := t.snapTime(env, min(max(in.X, t.plot.X0), t.plot.X1), in.Y, in.Alt)
	t.rangeA, t.rangeB = min(t.rangeFrom, to), max(t.rangeFrom, to)
	env.View.Brush(t.rangeA, t.rangeB)
}

// click selects the span at a point, or nothing, and puts the playhead there.
func (t *Timeline) click(env *panel.Env, pxX, pxY float32) {
	v := env.View
	if f := t.flagAt(pxX, pxY); f != nil {
		v.SelectMessage(t.blocks[f.block].track, f.message, f.message.Time+t.blocks[f.block].offset)
		return
	}
	at := v.Time().ToTime(t.plot, float64(pxX))
	row, d := t.barAt(pxX, pxY)
	switch {
	case d == nil:
		v.PlacePlayhead(at)
		v.ClearThing()
		if c := t.counterAt(pxX, pxY); c != nil {
			v.SelectCollector(c.row.collector)
		}
	case d.bar.Count == 1:
		v.SelectSpanAt(d.bar, at)
	default: // several in one bar
		v.PlacePlayhead(at)
		v.SelectCollectorOf(row.track, d.bar.Collector)
	}
}

// zoomTo jumps to the span at a point, or to the frame there.
func (t *Timeline) zoomTo(env *panel.Env, pxX, pxY float32) {
	v := env.View
	if _, d := t.barAt(pxX, pxY); d != nil {
		v.ZoomAround(d.bar.Begin, d.bar.End)
		return
	}
	tr := v.Shown()
	if tr == nil || tr.NumFrames() == 0 {
		v.FitAll()
		return
	}
	at := v.Time().ToTime(t.plot, float64(pxX))
	if i := tr.FrameCovering(at); i >= 0 {
		f := tr.Frame(i)
		v.ZoomTo(f.Begin, f.End)
	}
}

// inputGutter folds a track by a click on its label, scrolls by the wheel and by a drag. done tells that the gutter has the mouse.
func (t *Timeline) inputGutter(env *panel.Env, in *panel.Input) (act panel.Action, done bool) {
	v := env.View
	clicked, menu, done := t.gutterGesture(env, in)
	if i := t.blockAt(in.Y); i >= 0 && clicked {
		v.SetTrackFolded(t.blocks[i].track, !v.TrackFolded(t.blocks[i].track))
	} else if i >= 0 && menu {
		return panel.MenuOf(t.HitTest(env, in.X, in.Y), in.X, in.Y), true
	}
	return panel.Action{}, done
}

// inputRuler moves the playhead while the left button is held on the ruler. It returns true while it does.
func (t *Timeline) inputRuler(env *panel.Env, in *panel.Input) bool {
	v := env.View
	if in.Over && in.Left.Pressed && t.ruler.Contains(in.X, in.Y) && !in.Shift && !in.Ctrl && t.gestures.Drag == panel.DragNone {
		t.rulerDrag = true
	}
	if !t.rulerDrag {
		return false
	}
	x := min(max(in.X, t.plot.X0), t.plot.X1-1)
	if in.Left.Pressed || x != t.lastX {
		t.lastX = x
		v.PlacePlayhead(v.Time().ToTime(t.plot, float64(x)))
	}
	if in.Left.Released || !in.Left.Down {
		t.rulerDrag = false
	}
	return true
}
