package flame

import (
	"slices"
	"strconv"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/model/store"
)

// input handles a tick's mouse and keys.
func (f *Graph) input(env *panel.Env, in *panel.Input) panel.Action {
	v := env.View
	f.hover.Begin()
	if i := f.crumbs.Input(in); i >= 0 {
		f.ZoomTo(env, f.zoom[:min(f.crumbs.Items[i].Key, len(f.zoom))])
		return panel.Action{}
	}
	f.hoverAt = -1
	if f.total <= 0 || !f.axis.Valid() {
		return panel.Action{}
	}
	g := f.gestures.Update(env, &f.axis, f.regions.plot, in)
	if g.Moved {
		f.free = true
		if f.Locked {
			b, e := f.axis.Target()
			f.LockedNs = e - b
		}
	}
	if g.ScrollPx != 0 {
		if f.Flip {
			g.ScrollPx = -g.ScrollPx
		}
		f.scrollY += g.ScrollPx // as far as there are rows, see place
	}
	if !in.Over || g.Busy || !f.regions.plot.Contains(in.X, in.Y) {
		return panel.Action{}
	}
	// The bars are those of the picture that the user sees: of the tick before.
	i := f.barAt(in.X, in.Y)
	if i >= 0 && int(f.bars[i].node) >= len(f.nodes) {
		i = -1
	}
	f.hoverAt = i
	if i >= 0 && f.bars[i].merged == 1 {
		f.hover.AtCollector(f.nodes[f.bars[i].node].Collector)
	} else if k := f.typicalAt(in.X, in.Y); i < 0 && k >= 0 && f.typical.bars[k].merged == 1 {
		f.hover.AtCollector(f.typical.nodes[f.typical.bars[k].node].Collector)
	}
	switch {
	case g.DoubleClick:
		switch {
		case i < 0:
			f.ZoomTo(env, nil)
		case f.bars[i].merged == 1:
			f.ZoomTo(env, f.chainOf(f.bars[i].node))
		}
		f.again.Doubled(v, in)
	case g.Click && f.again.Single(v):
		if i < 0 {
			break
		}
		b := &f.bars[i]
		if b.merged > 1 {
			// Joined bars are separated by zooming in.
			f.free = true
			pad := b.total / 8
			f.axis.Set(b.start-pad, b.start+b.total+pad, env.Animate, env.NowNs)
			break
		}
		v.SelectPath(f.track(env), f.path(env, f.chainOf(b.node)))
	case g.Menu:
		hit := f.HitTest(env, in.X, in.Y)
		if hit.Kind == panel.HitNode {
			hit.Path = f.path(env, f.chainOf(f.bars[i].node))
		}
		return panel.MenuOf(hit, in.X, in.Y)
	}
	return panel.Action{}
}

// HitTest returns the bar under a point.
func (f *Graph) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	h := panel.Hit{Collector: model.NoCollector, Frame: -1, Track: f.track(env)}
	if f.source.kind == subject.SourceMissing && f.regions.plot.Contains(pxX, pxY) {
		h.Kind = panel.HitGap
		h.Gap = frames.Gap{FirstNumber: f.source.first, LastNumber: f.source.last}
		h.Rect = f.regions.plot
		f.hit.Begin()
		f.hit.With(subject.AppendMissingFrames(f.hit.Buf, f.source.first, f.source.last)).End()
		h.Lines = f.hit.All()
		return h
	}
	i := f.barAt(pxX, pxY)
	if i < 0 || int(f.bars[i].node) >= len(f.nodes) {
		if i < 0 {
			f.hitTypical(env, pxX, pxY, &h)
		}
		return h
	}
	b := &f.bars[i]
	h.Kind, h.Rect = panel.HitNode, b.rect
	if b.merged > 1 {
		h.Kind = panel.HitMerged
		f.describeMerged(b)
	} else {
		h.Collector = f.nodes[b.node].Collector
		f.describe(env, b.node)
	}
	h.Lines = f.hit.All()
	return h
}

// hitTypical fills in the typical frame, if a point is over it.
func (f *Graph) hitTypical(env *panel.Env, pxX, pxY float32, h *panel.Hit) {
	i, t := f.typicalAt(pxX, pxY), env.View.Session().Track(f.track(env))
	if i < 0 || t == nil || f.typical.frame >= t.NumFrames() {
		return
	}
	h.Kind, h.Rect, h.Frame = panel.HitFrame, f.typical.bars[i].rect, f.typical.frame
	fr := t.Frame(h.Frame)
	f.hit.Begin()
	f.hit.Text("Frame ").Count(fr.Number).Text(", nearest to the typical ").Duration(f.typical.ns).End()
	subject.FrameTip(&f.hit, fr, env.View.Look().FrameBudgetNs())
	h.TimeNs, h.Lines = fr.Begin, f.hit.All()
}

// describe writes the tooltip of a bar: of the mean frame where there are several.
func (f *Graph) describe(env *panel.Env, node int32) {
	t, n, s := &f.hit, f.node(node), env.View.Session()
	words := subject.CallWordsIn(s)
	t.Begin()
	t.Add(s.Collector(n.collector).Title())
	f.measured(t.Text("total\t"), n.total).End()
	if !s.Collector(n.collector).Async {
		f.measured(t.Text("self\t"), n.self)
		if n.total > 0 {
			t.Text(" · ").Percent(n.self / n.total).Text(" of it")
		}
		t.End()
	}
	if f.against.base != nil {
		m := f.measuredBy(node)
		m.Tip(t)
	}
	if f.measure == spans.MeasureDuration {
		t.Text(words.Many).Text("\t")
		t.With(format.AppendValue(t.Buf, float64(n.count)/float64(max(1, f.source.frames)), "")).End()
	}
	f.whole(env, t.Text("of "), s).Text("\t").Percent(n.total / f.total).End()
	if n.parent >= 0 && f.nodes[n.parent].Total > 0 {
		up := f.node(n.parent)
		t.Text("of ").Text(s.Collector(up.collector).Name).Text("\t").Percent(n.total / up.total).End()
	}
	f.describePath(env, node)
	if f.measure == spans.MeasureCPU {
		t.Text("samples\t").Count(n.count).End()
		subject.EstimateTip(t, s, n.collector)
	}
	if f.source.frames > 1 {
		f.measured(t.Text("in ").Count(f.source.frames).Text(" frames\t"), n.total*float64(f.source.frames))
		t.Text(" · ").Plural(n.count, words.One, words.Many).End()
	}
}

// measured adds a figure of the graph's measure.
func (f *Graph) measured(t *panel.TipLines, v float64) *panel.TipLines {
	return t.With(f.append(t.Buf, v))
}

// wholes describe the whole graph of a range, by measure: for weights it is everything.
var wholes = [...]string{
	spans.MeasureDuration: "the time of ", spans.MeasureCPU: "the CPU time of ", spans.MeasureSamples: "the samples of ",
	spans.MeasureWeight: "",
}

// whole describes the whole graph.
func (f *Graph) whole(env *panel.Env, t *panel.TipLines, s *store.Session) *panel.TipLines {
	switch {
	case f.Focus != model.NoCollector:
		return t.Text(s.Collector(f.Focus).Name)
	case f.source.frames > 1:
		return t.Text("the mean of ").Count(f.source.frames).Text(" frames")
	case f.source.partial && f.all(env):
		return t.Text(wholes[min(f.measure, spans.MeasureWeight)]).Text(subject.AllThreads(env.View))
	case f.source.partial:
		return t.Text(wholes[min(f.measure, spans.MeasureWeight)]).Text(subject.ThreadName(s, f.track(env)))
	}
	return t.Text("the frame")
}

// describePath writes the callers, the last few.
func (f *Graph) describePath(env *panel.Env, node int32) {
	t, s := &f.hit, env.View.Session()
	var chain [6]int32
	n := 0
	at := f.nodes[node].Parent
	for ; at >= 0 && n < len(chain); at = f.nodes[at].Parent {
		chain[n] = at
		n++
	}
	if n == 0 {
		return
	}
	t.Text("in ")
	if at >= 0 {
		t.Text("… › ")
	}
	for i := n - 1; i >= 0; i-- {
		if t.Text(s.Collector(f.nodes[chain[i]].Collector).Name); i > 0 {
			t.Text(" › ")
		}
	}
	t.End()
}

// describeMerged writes the tooltip of a joined bar.
func (f *Graph) describeMerged(b *flameBar) {
	t := &f.hit
	t.Begin()
	t.Count(int64(b.merged)).Text(" collectors, each under a pixel (")
	f.measured(t, b.total).Text(" together)").End()
	t.Add("Click to zoom in")
}

// Title returns the panel's title.
func (f *Graph) Title(env *panel.Env) string {
	b := append(f.title.New(), "Flame graph"...)
	if f.Focus != model.NoCollector {
		b = append(append(b, ": "...), env.View.Session().Collector(f.Focus).Title()...)
	}
	return f.title.Set(b)
}

// Mode describes the content, and its total: "frame 12 407 · 16.9 ms", "range of 60 frames · total
// 15.2 ms a frame". A frame's duration needs no word; else it is called total.
func (f *Graph) Mode(env *panel.Env) string {
	b := f.mode.New()
	switch t := shownTrack(env, f); {
	case f.all(env):
		b = append(append(b, subject.AllThreads(env.View)...), " · "...)
	case t != nil:
		b = append(append(b, t.Title()...), " · "...)
	}
	b = f.source.appendWords(b)
	if f.source.kind == subject.SourceShown && f.total > 0 {
		b = append(b, " · "...)
		if f.measure == spans.MeasureCPU {
			b = append(f.append(b, f.total), " of CPU, estimated"...)
		} else {
			if !f.source.whole(f.total) {
				b = append(b, "total "...)
			}
			b = f.append(b, f.total)
		}
		if f.source.perFrame() {
			b = append(b, " a frame"...)
		}
		if !f.source.live && f.shared.Waits() && f.asked.revision != f.treeKey.revision { // more was read since
			b = append(b, " so far"...)
		}
	}
	return f.mode.Set(b)
}

// The tools of the flame graph.
const (
	toolMean = iota
	toolMeasure
	toolTracks
	toolFlip
	toolLock
)

// means are the numbers of frames that a live graph may be the mean of, and how they are called.
var (
	means     = [...]int{1, panel.LiveFrames, 300}
	meanNames = []string{"Newest frame", "Mean of " + strconv.Itoa(panel.LiveFrames), "Mean of 300"}
)

// Tools implements panel.Tooled.
func (f *Graph) Tools(env *panel.Env) []panel.Tool {
	b := &f.tools
	b.Begin()
	if len(f.measures.List) > 1 {
		b.Choice(toolMeasure, f.measures.At(f.measure), f.measures.Names(), "", "The measure of the widths (M)")
	}
	b.Toggle(toolTracks, f.all(env), "All threads", "Sum over all visible threads")
	b.Toggle(toolFlip, f.Flip, "Upwards", "Draw callees above their callers")
	b.Toggle(toolLock, f.Locked, "Lock scale", "Keep the scale from frame to frame (K)")
	if _, ended := env.View.Session().Ended(); !ended { // the last one: the others stay in place when it goes
		at := slices.IndexFunc(means[:], func(n int) bool { return f.MeanFrames <= n })
		b.Choice(toolMean, at, meanNames, "", "Range while the view follows the newest frames")
	}
	return b.All()
}

// Use implements panel.Tooled.
func (f *Graph) Use(env *panel.Env, id, option int) {
	switch id {
	case toolMean:
		f.MeanFrames = means[option]
	case toolMeasure:
		env.View.Look().SetMeasure(f.measures.List[option])
	case toolTracks:
		f.AllTracks, f.chosen = !f.all(env), true
	case toolFlip:
		f.Flip, f.scrollY = !f.Flip, 0
	case toolLock:
		f.ToggleLock(env)
	}
}

// shownTrack returns the thread that is shown, nil where there is none.
func shownTrack(env *panel.Env, f *Graph) *store.Track {
	return env.View.Session().Track(f.track(env))
}
