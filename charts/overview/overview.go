// Package overview draws the strip below the tool bar, the whole of a session at a glance: a bar
// for each frame, or the activity of a session without frames.
package overview

import (
	"cmp"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Overview is the history of a session without frames at a glance: how busy its threads were,
// stacked, over all of its time. The timeline's window lies in it as a frame that can be moved and
// resized; it also shows the selection, the playhead and data that left memory. A layout walks
// pixels and the columns of overviewData, never spans.
type Overview struct {
	panel.Layers[overviewKey, overviewTopKey]

	rect  draw.Rect
	data  overviewData
	stack []int     // rows of data that have a color of their own, from the bottom up
	part  []float64 // of the column under the mouse, by row
	order []int     // rows, those that are worth most there first
	told  overviewTold
	load  subject.ThreadLoad
	tree  spans.Tree
	top   float64     // value at the upper edge
	most  float64     // the greatest value that is drawn
	view  format.Axis // all of the session
	ticks []int64

	nextNs int64 // when the columns are brought up to date next, while the session grows

	hand
	anchor       int64   // time where a range began
	downB, downE float64 // the window where a drag began

	tip   panel.TipLines
	mode  panel.CachedText
	flags subject.Flags // of bookmarks
}

// overviewOwn is how many tracks have a color of their own; the others share one.
const overviewOwn = 10

type overviewKey struct {
	changes    uint64
	marked     uint64 // of the bookmarks
	begin, end float64
}

type overviewTopKey struct {
	cursor     uint64
	begin, end float64
	hover      int
	zone       drag
}

// Update handles a tick's input, brings the columns up to date and draws changes.
func (o *Overview) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	o.Ready(env)
	v := env.View
	o.rect = rect
	if rect.W() < 4 || rect.H() < 4 {
		return panel.Action{}
	}
	_, ended := v.Session().Ended()
	growing := !ended && env.Paced
	if o.data.session != v.Session() || !growing || env.NowNs >= o.nextNs || o.data.pending {
		o.nextNs = env.NowNs + overviewLiveNs
		o.data.update(v, env.Paced)
	}
	if o.data.n == 0 {
		return panel.Action{}
	}
	o.span(!ended)
	act := o.input(env, in)
	o.drawIfChanged(env, in)
	return act
}

// span sets the range of time that is shown. While the session grows some room is left at the
// right, so that the picture grows into it and does not shrink with every column.
func (o *Overview) span(growing bool) {
	d := &o.data
	begin, end := d.begin, max(d.end, d.begin+1)
	if growing {
		const block = overviewColumns / 32
		n := (d.n/block + 1) * block
		end = max(end, d.timeOf(n))
	}
	o.view.Fit(begin, end)
}

// Title names the chart.
func (o *Overview) Title(*panel.Env) string { return "Overview" }

// Mode returns the length of the session.
func (o *Overview) Mode(*panel.Env) string {
	return o.mode.Set(format.AppendDuration(o.mode.New(), o.data.end-o.data.begin))
}

// overviewPx is the width of one stretch of time, at scale 1.
const overviewPx = 2

// columnsOf returns the columns of the data that a stretch of the picture stands for; at least one.
func (o *Overview) columnsOf(x0, x1 float32) (from, to int) {
	d := &o.data
	from = d.columnAt(o.view.ToTime(o.rect, float64(x0)))
	to = d.columnAt(o.view.ToTime(o.rect, float64(x1))-1) + 1
	if x0 > o.rect.X0 && d.timeOf(from) < o.view.ToTime(o.rect, float64(x0)) && to > from+1 {
		from++ // it is that of its left neighbour
	}
	return min(max(from, 0), d.n), min(max(to, from+1, 0), d.n)
}

// value returns the value of a row in columns [from, to): busy share, or events per column.
func (o *Overview) value(row, from, to int) float64 {
	w := o.data.rows[row].weight
	sum := 0.0
	for i := from; i < min(to, len(w)); i++ {
		sum += w[i]
	}
	if to <= from {
		return 0
	}
	sum /= float64(to - from)
	if o.data.kind != overviewEvents {
		sum /= float64(o.data.columnNs())
	}
	return sum
}

// arrange chooses which rows have a color of their own, the busiest, in the order of the session.
func (o *Overview) arrange() {
	rows := o.data.rows
	o.stack = o.stack[:0]
	for i := range rows {
		if rows[i].total > 0 {
			o.stack = append(o.stack, i)
		}
	}
	slices.SortStableFunc(o.stack, func(a, b int) int { return cmp.Compare(rows[b].total, rows[a].total) })
	o.stack = o.stack[:min(len(o.stack), overviewOwn)]
	slices.Sort(o.stack)
}

// color returns the color of a row.
func (o *Overview) color(env *panel.Env, row int) draw.Color {
	switch r := &o.data.rows[row]; r.track {
	case messagesRow:
		return draw.Color(env.Theme.Over)
	case samplesRow:
		return draw.Color(env.Theme.FrameBar)
	default:
		fill, _ := subject.ThreadColor(env, r.track)
		return fill
	}
}

// HitTest returns the time under a point and the busiest thread then, as of the last Update.
func (o *Overview) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	v := env.View
	hit := panel.Hit{Track: v.Track(), Collector: model.NoCollector, Frame: -1}
	if o.data.n == 0 || o.data.session != v.Session() || !o.rect.Contains(pxX, pxY) {
		return hit
	}
	if flag, ok := o.flags.Hit(env, pxX, pxY); ok {
		return flag
	}
	hit.Kind, hit.TimeNs = panel.HitAxis, o.view.ToTime(o.rect, float64(pxX))
	x0 := o.rect.X0 + float32(int((pxX-o.rect.X0)/env.Px(overviewPx)))*env.Px(overviewPx)
	hit.Rect = draw.Rect{X0: x0, Y0: o.rect.Y0, X1: x0 + env.Px(overviewPx), Y1: o.rect.Y1}
	tip := &o.tip
	tip.Begin()
	tip.With(format.AppendClock(tip.Buf, hit.TimeNs, o.data.columnNs())).End()
	if hit.TimeNs < o.data.from {
		tip.Add("left memory: the limit was reached, the oldest data leave first")
		tip.Add(subject.LeftAdvice(env))
		hit.Lines = tip.All()
		return hit
	}
	from, to := o.columnsOf(hit.Rect.X0, hit.Rect.X1)
	if from < to {
		hit.From, hit.Until = o.data.timeOf(from), o.data.timeOf(to)
		o.measure(v.Session(), from, to)
		o.tipRows(v.Session())
	} else {
		tip.Add("no data of this time yet")
	}
	switch o.zone(env, pxX, pxY) {
	case dragMove:
		tip.Add("drag: move what the timeline shows")
	case dragLeft, dragRight:
		tip.Add("drag: change how much the timeline shows")
	}
	hit.Lines = tip.All()
	return hit
}

// overviewTold is the inputs of the figures in a tooltip.
type overviewTold struct {
	from, to int
	changes  uint64
}

// measure computes the exact value of each row in columns [from, to): the columns' own values of
// joined spans are good only for a picture.
func (o *Overview) measure(s *store.Session, from, to int) {
	d, told := &o.data, overviewTold{from, to, o.data.changes}
	if told == o.told && len(o.part) == len(d.rows) {
		return
	}
	o.told = told
	o.part, o.order = panel.Zeros(o.part, len(d.rows)), o.order[:0]
	t0, t1 := d.timeOf(from), d.timeOf(to)
	for i := range d.rows {
		switch r := &d.rows[i]; d.kind {
		case overviewEvents:
			o.part[i] = o.value(i, from, to) * 1e9 / float64(d.columnNs())
		case overviewLoad:
			o.part[i], _ = o.load.Share(s, r.track, t0, t1)
		case overviewSpans:
			o.part[i] = o.load.Covered(s, r.track, t0, t1)
		default:
			s.Spans().Tree([]model.TrackID{r.track}, t0, t1, &o.tree)
			o.part[i] = float64(o.tree.Total) / float64(t1-t0)
		}
		o.order = append(o.order, i)
	}
	slices.SortStableFunc(o.order, func(a, b int) int { return cmp.Compare(o.part[b], o.part[a]) })
}

// overviewNamed is how many rows a tooltip names.
const overviewNamed = 5

// tipRows adds a line for all rows together and one for each of the busiest.
func (o *Overview) tipRows(s *store.Session) {
	tip, sum := &o.tip, 0.0
	for _, x := range o.part {
		sum += x
	}
	switch o.data.kind {
	case overviewEvents:
		for i, x := range o.part {
			name := format.Pick(o.data.rows[i].track == messagesRow, "messages\t", "samples\t")
			tip.Text(name).PerSecond(x).End()
		}
		return
	case overviewLoad:
		tip.Text("CPU load of all threads\t").Percent(sum).End()
	case overviewSpans:
		tip.With(format.AppendValue(append(tip.Buf, "threads busy\t"...), sum, "")).End()
	default:
		tip.With(format.AppendValue(append(tip.Buf, "at a time, mean\t"...), sum, "")).End()
	}
	for _, i := range o.order[:min(len(o.order), overviewNamed)] {
		if o.part[i] < 0.0005 {
			return
		}
		tip.Text(s.Track(o.data.rows[i].track).Title()).Text("\t")
		if o.data.kind == overviewPassages {
			tip.With(format.AppendValue(tip.Buf, o.part[i], "")).End()
		} else {
			tip.Percent(o.part[i]).End()
		}
	}
}

// History is the strip below the tool bar: the frames of the leading thread, or the overview of a session
// without frames. Of a live session with more frames than it has room for it shows all at the left, and the
// newest beside them.
type History struct {
	Frames   FrameStrip
	Overview Overview
	whole    FrameStrip
	divided  bool
	rect     draw.Rect
	list     *draw.List // of both strips
	made     [2]uint64  // their revisions in it
	shown    panel.Panel
}

// wholeShare is the share of the width that all frames have beside the newest.
const wholeShare = 0.64

// Update implements Chart.
func (h *History) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	charts := view.PerUnit[panel.Panel]{Frames: &h.Frames, Spans: &h.Overview}
	h.shown, h.rect = charts.Of(env.View), rect
	if h.divided = h.shown == panel.Panel(&h.Frames) && h.divides(env, rect); !h.divided {
		return h.shown.Update(env, rect, in)
	}
	left, right := rect, rect
	left.X1 = rect.X0 + panel.Snap(rect.W()*wholeShare)
	right.X0 = left.X1 + env.Px(1)
	h.whole.All = true
	var none panel.Input
	ofWhole, ofNewest := &none, in
	if h.whole.drag != dragNone || h.Frames.drag == dragNone && in.X < left.X1 {
		ofWhole, ofNewest = in, &none
	}
	act := h.whole.Update(env, left, ofWhole)
	if of := h.Frames.Update(env, right, ofNewest); of.Kind != panel.ActionNone {
		act = of
	}
	h.join(env)
	return act
}

// divides reports whether the frames are to be shown in two strips.
func (h *History) divides(env *panel.Env, rect draw.Rect) bool {
	v := env.View
	t := v.Lead()
	if t == nil || rect.W() < env.Px(480) || !v.Live() && !(h.Frames.live && h.Frames.session == v.Session()) {
		return false
	}
	pitch, _ := stripLevel(env, stripDefaultLevel)
	return float32(t.NumFrames())*pitch > rect.W()
}

// join makes one list of those of both strips, if one of them changed.
func (h *History) join(env *panel.Env) {
	lists := [...]*draw.List{h.whole.List(), h.Frames.List()}
	made := [...]uint64{lists[0].Revision(), lists[1].Revision()}
	if !panel.ListFor(&h.list, env) && made == h.made {
		return
	}
	h.made = made
	h.list.Reset(h.rect)
	h.list.Rect(h.rect, draw.Color(env.Theme.Ground))
	for _, l := range lists {
		h.list.Add(l)
	}
}

// now returns the chart that is shown.
func (h *History) now() panel.Panel {
	if h.shown == nil {
		return &h.Frames
	}
	return h.shown
}

// List implements Chart.
func (h *History) List() *draw.List {
	if h.divided {
		return h.list
	}
	return h.now().List()
}

// HitTest implements Chart.
func (h *History) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	shown := h.now()
	if h.divided && pxX < h.whole.rect.X1 {
		shown = &h.whole
	}
	hit := shown.HitTest(env, pxX, pxY)
	hit.Among, hit.InRow = h.rect, true
	return hit
}

// Title implements Chart.
func (h *History) Title(env *panel.Env) string { return h.now().Title(env) }

// Mode implements Chart.
func (h *History) Mode(env *panel.Env) string { return h.now().Mode(env) }
