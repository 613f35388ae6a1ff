// Package waterfall shows where one thing that went through a program spent its time, part after
// part: a buffer in the elements of a pipeline.
package waterfall

import (
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Waterfall shows the paths through a program, with a buffer on each, and below them who had the
// one on the shown path, and for how long. On the path of the selected span that is the selected
// buffer; on the others the median one of the selected range, else of the whole session. A click on
// a path shows it, one on a row selects that stop in all panels.
type Waterfall struct {
	panel.Layers[baseKey, overKey]
	rect    draw.Rect
	ways    []way
	shown   int // of ways, -1 none
	fresh   panel.Refresher
	rev     uint64
	scrollY float32
	height  float32 // of the rows
	rows    []row   // as drawn
	gather  []spans.Bar
	mode    panel.CachedText
	buf     []byte
	tip     panel.TipLines
}

// way is a path through the program, and a buffer on it.
type way struct {
	track   model.TrackID
	buffers int64 // of which it is the median, 0: it is the selected one
	cut     bool  // there are more, and those are in the middle
	passage spans.Passage
}

// row is a line of the picture: a path, or where the buffer of the shown path was.
type row struct {
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

// mostGathered is of how many buffers the median one is looked for.
const mostGathered = 8192

// New returns the panel.
func New() *Waterfall { return &Waterfall{shown: -1} }

// Title implements panel.Panel.
func (w *Waterfall) Title(*panel.Env) string { return "Latency waterfall" }

// Mode implements panel.Panel: which buffer it is.
func (w *Waterfall) Mode(env *panel.Env) string {
	b := w.buf[:0]
	if w.shown >= 0 && w.shown < len(w.ways) {
		x := &w.ways[w.shown]
		switch {
		case x.buffers == 0:
			b = format.AppendCount(append(b, "the selected buffer, number "...), x.passage.Number)
		case x.cut:
			b = append(format.AppendCount(append(b, "the median of "...), x.buffers), " buffers in the middle"...)
		default:
			b = format.AppendPlural(append(b, "the median of "...), x.buffers, "buffer", "buffers")
		}
	}
	w.buf = b
	return w.mode.Set(b)
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
	if s == nil {
		w.ways, w.shown, w.fresh.Done = nil, -1, false
		return
	}
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
		was = w.ways[w.shown].track
	}
	w.collect(s, v, t0, t1)
	w.shown = slices.IndexFunc(w.ways, func(x way) bool { return x.buffers == 0 })
	for _, id := range [...]model.TrackID{v.Track(), was} {
		if w.shown < 0 {
			w.shown = slices.IndexFunc(w.ways, func(x way) bool { return x.track == id })
		}
	}
	if w.shown < 0 && len(w.ways) > 0 {
		w.shown = 0
	}
}

// collect finds the paths, those that take longest first, and a buffer on each.
func (w *Waterfall) collect(s *store.Session, v *view.View, t0, t1 int64) {
	w.ways = w.ways[:0]
	var chosen spans.Passage
	if v.HasSpan() && !s.Track(v.Span().Ref.Track).Def.Kind.Calls() {
		s.Spans().Passage(v.Span().Ref, &chosen)
	}
	for id := range model.TrackID(s.NumTracks()) {
		t := s.Track(id)
		if t.Def.Kind != model.TrackStream || t.NumSpans() == 0 {
			continue
		}
		x := way{track: id}
		if chosen.Way.Count > 0 && chosen.Way.Ref.Track == id {
			x.passage = chosen
		} else if !w.median(s, t, t0, t1, &x) {
			continue
		}
		w.ways = append(w.ways, x)
	}
	slices.SortStableFunc(w.ways, func(a, b way) int { return int(min(max(b.length()-a.length(), -1), 1)) })
}

// median finds the buffer that took the median time of those that were on a path in a range.
func (w *Waterfall) median(s *store.Session, t *store.Track, t0, t1 int64, x *way) bool {
	first, last, ok := t.Bounds()
	if t0, t1 = max(t0, first), min(t1, last+1); !ok || t1 <= t0 {
		return false
	}
	if share := mostGathered / (float64(t.NumSpans()) * float64(t1-t0) / float64(last+1-first)); share < 1 {
		mid, half := t0+(t1-t0)/2, int64(float64(t1-t0)*share/2)
		t0, t1, x.cut = mid-half, mid+half+1, true
	}
	w.gather = w.gather[:0]
	for lane := range t.Lanes() {
		w.gather = s.Spans().Visible(t.Def.ID, lane, t0, t1, 1, w.gather)
	}
	w.gather = slices.DeleteFunc(w.gather, func(b spans.Bar) bool {
		return b.Count != 1 || b.Begin < t0 || b.Begin >= t1 || b.Flags&(model.SpanOpenBegin|model.SpanOpenEnd) != 0
	})
	if len(w.gather) == 0 {
		return false
	}
	slices.SortFunc(w.gather, func(a, b spans.Bar) int {
		return int(min(max((a.End-a.Begin)-(b.End-b.Begin), -1), 1))
	})
	x.buffers = int64(len(w.gather))
	return s.Spans().Passage(w.gather[(len(w.gather)-1)/2].Ref, &x.passage)
}

// length returns how long the buffer was on its way, ns.
func (x *way) length() int64 { return x.passage.Way.End - x.passage.Way.Begin }

// input scrolls, and chooses what is clicked.
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
		env.View.SelectSpan(w.ways[r.way].passage.Stops[r.stop])
	case w.ways[r.way].buffers == 0:
	default:
		env.View.ClearThing()
		env.View.SetTrack(w.ways[r.way].track)
	}
	return panel.Action{}
}

// at returns what was drawn at a point, nil where nothing was.
func (w *Waterfall) at(pxX, pxY float32) *row {
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
	if r == nil || env.View.Session() == nil {
		return hit
	}
	x := &w.ways[r.way]
	p := &x.passage
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
		if n := x.length(); n > 0 {
			w.tip.Text("of the way\t").Percent(float64(b.End-b.Begin) / float64(n)).End()
		}
		w.tip.Add("Click: select it in all panels")
	} else {
		w.tip.Text("number\t").Count(p.Number).Text(" of ").Count(p.Of).End()
		if !p.Whole {
			w.tip.Add("Who had it after the last stop was not traced.")
		}
		w.tip.Add("Click: show this path")
	}
	hit.Lines = w.tip.All()
	return hit
}
