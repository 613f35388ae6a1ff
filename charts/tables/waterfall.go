// The panel on the path of one thing through a program, part after part: a buffer in the elements
// of a pipeline.

package tables

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/flow"
	"framescope/model/spans"
	"framescope/model/store"
)

// Waterfall shows the paths through a program, with a buffer on each, and below them the elements that
// had the one on the shown path, and for how long; if all fit, the elements of each path stand below it.
// On the path of the selected span that is the selected buffer; on the others the one nearest to the
// median of the selected range, else of the whole session. A mark shows the median of each element, as
// this buffer need not be usual there. A click on a path shows it, one on a row selects that stop in all
// panels.
type Waterfall struct {
	panel.Layers[baseKey, overKey]
	rect    draw.Rect
	ways    []flow.Way
	search  flow.Ways
	spread  [][]flow.Figures // of the stops of each path, in the range
	shown   int              // of ways, -1 none
	fresh   panel.Refresher
	rev     uint64
	scrollY float32
	height  float32        // of the rows
	rows    []waterfallRow // as drawn
	mode    panel.CachedText
	buf     []byte
	tip     panel.TipLines
}

// waterfallRow is a line of the picture: a path, or where the buffer of the shown path was.
type waterfallRow struct {
	r, bar draw.Rect
	way    int
	stop   int // -1: the path
}

type baseKey struct {
	view, rev uint64
	scrollY   float32
}

type overKey struct {
	x, y float32
	over bool
}

// NewWaterfall returns the panel.
func NewWaterfall() *Waterfall { return &Waterfall{shown: -1} }

// Title implements panel.Panel.
func (w *Waterfall) Title(*panel.Env) string { return "Latency waterfall" }

// Mode implements panel.Panel: which buffer it is.
func (w *Waterfall) Mode(env *panel.Env) string {
	b := w.buf[:0]
	if w.shown >= 0 && w.shown < len(w.ways) {
		b = appendWhich(b, &w.ways[w.shown])
	}
	w.buf = b
	return w.mode.Set(b)
}

// appendWhich names the shown buffer of a path, which is one of them, not a mean of all.
func appendWhich(b []byte, x *flow.Way) []byte {
	if x.N == 0 {
		return format.AppendCount(append(b, "the selected buffer, number "...), x.Passage.Number)
	}
	b = format.AppendCount(append(b, "buffer "...), x.Passage.Number)
	b = format.AppendPlural(append(b, ", nearest to the median of "...), x.N, "buffer", "buffers")
	if x.Cut {
		b = append(b, " in the middle"...)
	}
	return b
}

// Update implements panel.Panel.
func (w *Waterfall) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	w.rect = rect
	w.find(env)
	act := w.input(env, in)
	w.find(env)
	if w.BeginBase(env, rect, baseKey{env.View.Stamp(), w.rev, w.scrollY}) {
		w.draw(env)
	}
	over := overKey{}
	if in.Over {
		over = overKey{in.X, in.Y, true}
	}
	if w.BeginOver(over) && in.Over {
		if r := w.at(in.X, in.Y); r != nil {
			w.List().Outline(r.r, max(1, env.Scale), draw.Color(env.Theme.Text).WithAlpha(60))
		}
	}
	return act
}

// find brings the paths and their buffers up to date.
func (w *Waterfall) find(env *panel.Env) {
	v := env.View
	s := v.Session()
	ref := uint64(0)
	if v.HasSpan() {
		r := v.Span().Ref
		ref = uint64(r.Track)<<48 ^ uint64(r.Lane)<<40 ^ uint64(r.Index) + 1
	}
	key := panel.RangeKey{
		Session: s, Revision: s.Revision(), Track: v.Track(), Live: v.Live(), T0: v.RangeA(), T1: v.RangeB(), Calls: true, Extra: ref,
	}
	if !w.fresh.Due(env, key) {
		return
	}
	w.rev++
	t0, t1 := v.RangeA(), v.RangeB()
	if t1 <= t0 {
		t0, t1, _ = s.Bounds()
		t1++
	}
	was := model.NoTrack
	if w.shown >= 0 && w.shown < len(w.ways) {
		was = w.ways[w.shown].Track
	}
	w.collect(s, v, t0, t1)
	w.shown = slices.IndexFunc(w.ways, func(x flow.Way) bool { return x.N == 0 })
	for _, id := range [...]model.TrackID{v.Track(), was} {
		if w.shown < 0 {
			w.shown = slices.IndexFunc(w.ways, func(x flow.Way) bool { return x.Track == id })
		}
	}
	if w.shown < 0 && len(w.ways) > 0 {
		w.shown = 0
	}
	index := v.Causes().Flow()
	for len(w.spread) < len(w.ways) {
		w.spread = append(w.spread, nil)
	}
	for k := range w.ways {
		w.spread[k] = w.spread[k][:0]
		for i := range w.ways[k].Passage.Stops {
			b := &w.ways[k].Passage.Stops[i]
			w.spread[k] = append(w.spread[k], index.Passed(s.Track(b.Ref.Track).Def.Object, s.Collector(b.Collector).Name, t0, t1))
		}
	}
}

// collect finds the paths, those that take longest first, and a buffer on each.
func (w *Waterfall) collect(s *store.Session, v *view.View, t0, t1 int64) {
	var chosen spans.Passage
	if v.HasSpan() && !s.Track(v.Span().Ref.Track).Def.Kind.Calls() {
		s.Spans().Passage(v.Span().Ref, &chosen)
	}
	w.ways = w.search.Find(s, t0, t1, &chosen, w.ways[:0])
}

// input scrolls, and handles clicks.
func (w *Waterfall) input(env *panel.Env, in *panel.Input) panel.Action {
	if !in.Over {
		return panel.Action{}
	}
	if in.WheelY != 0 {
		w.scrollY -= in.WheelY * panel.WheelRowPx * env.Scale
	}
	w.scrollY = float32(int(min(max(w.scrollY, 0), max(w.height-w.rect.H(), 0))))
	r := w.at(in.X, in.Y)
	switch {
	case r == nil:
	case in.Right.Released && !in.Right.Dragging:
		return panel.MenuOf(w.HitTest(env, in.X, in.Y), in.X, in.Y)
	case !in.Left.Released || in.Left.Dragging:
	case r.stop >= 0:
		env.View.SelectSpan(w.ways[r.way].Passage.Stops[r.stop])
	case w.ways[r.way].N == 0:
	default:
		env.View.ClearThing()
		env.View.SetTrack(w.ways[r.way].Track)
	}
	return panel.Action{}
}

// at returns the row drawn at a point, or nil.
func (w *Waterfall) at(pxX, pxY float32) *waterfallRow {
	for i := range w.rows {
		if r := &w.rows[i]; r.r.Contains(pxX, pxY) && w.rect.Contains(pxX, pxY) {
			return r
		}
	}
	return nil
}

// HitTest implements panel.Panel.
func (w *Waterfall) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	hit := panel.NoHit()
	r := w.at(pxX, pxY)
	if r == nil {
		return hit
	}
	x := &w.ways[r.way]
	p := &x.Passage
	b := p.Way
	if r.stop >= 0 {
		b = p.Stops[r.stop]
	}
	hit.Kind, hit.Track, hit.Rect, hit.Bar = panel.HitLabel, b.Ref.Track, r.r, b
	w.tip.Begin()
	w.tip.Add(env.View.Session().Track(b.Ref.Track).Title())
	w.tip.Text("duration\t").Duration(b.End - b.Begin).End()
	if r.stop >= 0 {
		hit.Kind, hit.Collector, hit.TimeNs = panel.HitSpan, b.Collector, b.Begin
		w.tip.Text("begins\t").Text("+").Duration(b.Begin - p.Way.Begin).End()
		if n := x.Length(); n > 0 {
			w.tip.Text("of the way\t").Percent(float64(b.End-b.Begin) / float64(n)).End()
		}
		if f := &w.spread[r.way][r.stop]; f.N > 1 {
			w.tip.Text("median in it\t").Duration(int64(f.MedianNs)).Text(" of ").Count(f.N).End()
			w.tip.Text("p99 in it\t").Duration(int64(f.P99Ns)).End()
		}
		w.tip.Add("Click: select it in all panels")
	} else {
		w.tip.Text("number\t").Count(p.Number).Text(" of ").Count(p.Of).End()
		w.tip.If(x.N > 0).Text("nearest to the median of\t").Count(x.N).Text(" buffers").End()
		w.tip.If(!p.Whole).Add("Its path after the last stop was not traced.")
		w.tip.Add("Click: show this path")
	}
	hit.Lines = w.tip.All()
	return hit
}
