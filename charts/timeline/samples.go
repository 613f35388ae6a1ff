package timeline

import (
	"math/bits"
	"slices"
	"sort"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

const (
	ticksH   = 8 // height of the row of ticks, in scale-1 pixels
	tickH    = 6 // of a tick
	tickLess = 4 // ticks that are nearer to each other than so many pixels would be a line: there are none
)

// sampleLane is a row above the stacks of each sampled thread: a tick for each time at which its stack
// was looked at, in the color of the state that it was in. It is there as long as the zoom leaves room
// for single ticks.
type sampleLane struct {
	rows    []tickRow
	px      []float32 // of the ticks
	samples []model.Sample
}

// tickRow is a drawn row: px[from:to].
type tickRow struct {
	series   *spans.Series
	track    model.TrackID
	offset   int64
	y0, y1   float32
	from, to int
}

func (t *sampleLane) reset() { t.rows, t.px = t.rows[:0], t.px[:0] }

// ticksOf returns the samples of a thread's stack, nil where it has none or where ticks would be nearer
// to each other than leastNs.
func ticksOf(v *view.View, id model.TrackID, leastNs int64) *spans.Series {
	x := v.Session().Spans().Stack(id)
	if x == nil || leastNs == 0 {
		return nil
	}
	begin, end, ok := x.Bounds()
	if n := x.Len(); !ok || n < 2 || (end-begin)/(n-1) < leastNs {
		return nil
	}
	return x
}

// Layout implements timepane.Lane.
func (t *sampleLane) Layout(env *panel.Env, b *block, _ float32) float32 {
	if b.ticks == nil || b.folded {
		return 0
	}
	return env.Px(ticksH)
}

// Label implements timepane.Lane.
func (t *sampleLane) Label(*timepane.Pane, *panel.Env, *block, timepane.Place) {}

// Draw implements timepane.Lane.
func (t *sampleLane) Draw(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	if b.ticks == nil || b.folded {
		return
	}
	plot, y := p.Plot(), at.Y+env.Px((ticksH-tickH)/2)
	r := draw.Rect{Y0: y, Y1: y + env.Px(tickH)}
	if r.Y0 < plot.Y0 || r.Y1 > plot.Y1 {
		return
	}
	begin, end := env.View.Time().Visible()
	row := tickRow{series: b.ticks, track: b.track, offset: b.offset, y0: at.Y, y1: at.Y + env.Px(ticksH), from: len(t.px)}
	t.samples = b.ticks.Samples(begin-b.offset, end-b.offset+1, 2*int(plot.W()), t.samples[:0])
	all, w := env.View.Session().Spans(), panel.Snap(env.Px(2))
	for i := range t.samples {
		x := &t.samples[i]
		r.X0 = p.PxOf(env, x.Time+b.offset)
		r.X1 = r.X0 + w
		t.px = append(t.px, r.X0)
		c := draw.Color(env.Theme.TextDim)
		if state := all.StateOf(pathOf(x)); state < spans.StateWaiting {
			c = subject.StateColor(env.Theme, state).WithAlpha(255)
		}
		if r.X0 >= plot.X0 && r.X1 <= plot.X1 {
			p.List().Rect(r, c)
		}
	}
	row.to = len(t.px)
	t.rows = append(t.rows, row)
}

// pathOf returns the call path that a sample of a stack is.
func pathOf(x *model.Sample) model.PathID { return model.PathID(x.Value) }

// Hit implements timepane.Lane: the nearest tick.
func (t *sampleLane) Hit(p *timepane.Pane, env *panel.Env, b *block, at timepane.Spot, hit *panel.Hit) bool {
	for i := range t.rows {
		row := &t.rows[i]
		if row.track != b.track || at.PxY < row.y0 || at.PxY >= row.y1 || row.to == row.from {
			continue
		}
		px := t.px[row.from:row.to]
		k := sort.Search(len(px), func(k int) bool { return px[k] >= at.PxX })
		if k == len(px) || k > 0 && at.PxX-px[k-1] < px[k]-at.PxX {
			k--
		}
		if d := px[k] - at.PxX; d > env.Px(tickLess) || d < -env.Px(tickLess) {
			return false
		}
		begin, end := env.View.Time().Visible()
		t.samples = row.series.Samples(begin-row.offset, end-row.offset+1, 2*int(p.Plot().W()), t.samples[:0])
		if k >= len(t.samples) {
			return false
		}
		t.describe(p, env, row, &t.samples[k], hit)
		hit.Rect = draw.Rect{X0: px[k], Y0: row.y0, X1: px[k] + 1, Y1: row.y1}
		return true
	}
	return false
}

// describe adds a sample to the tooltip.
func (t *sampleLane) describe(p *timepane.Pane, env *panel.Env, row *tickRow, x *model.Sample, hit *panel.Hit) {
	s, tip := env.View.Session(), p.Tip()
	hit.Kind, hit.Track, hit.TimeNs = panel.HitSample, row.track, x.Time+row.offset
	tip.Text("sample\t").Clock(hit.TimeNs).End()
	state := s.Spans().StateOf(pathOf(x))
	if state == spans.StateReady {
		tip.Text("state\t").Text("running, ready or at a monitor").End()
	} else {
		tip.Text("state\t").Text(state.String()).End()
	}
	if _, c := s.Paths().ByID(pathOf(x)); pathOf(x) != model.PathRoot && s.Collector(c) != nil {
		tip.Text("innermost\t").Text(s.Collector(c).Title()).End()
	}
	if before, ok := row.series.At(x.Time - 1); ok {
		tip.Text("after the one before\t").Duration(x.Time - before.Time).End()
	}
}

// Stacks are deep at times and flat at others, so blocks are as high as the visible stacks. A
// sampled program starts and ends threads by the hundred: ended ones lie in one row, unless they
// did something in view, or the user unfolds them. So do threads with little work and none in view.

const (
	goneNs    = 1_000_000_000 // a thread last seen this long before the end of the data is gone
	leastGone = 2             // a row for one thread would save nothing
	// sparseSpans is how many spans a thread has that does little.
	sparseSpans = 256
)

// depthKey is the range of time with a known depth: the visible range, in steps of a quarter, so
// that blocks change their height only now and then.
type depthKey struct{ t0, t1 int64 }

// timeInView returns it; the zero value where nothing is in view.
func timeInView(v *view.View) (key depthKey) {
	if !v.Time().Valid() {
		return key
	}
	begin, end := v.Time().Visible()
	step := int64(1) << bits.Len64(uint64(max(end-begin, 4)/4))
	key.t0 = begin / step * step
	if key.t0 > begin {
		key.t0 -= step
	}
	key.t1 = (end/step + 1) * step
	return key
}

// depthInView is how many lanes of a track have something in a part of time.
type depthInView struct {
	key   depthKey
	spans int64 // that the track had then
	lanes int
	wide  int   // the first of them, until none has a span as long as a share of the time
	at    int64 // the end of the time in which they were so many last

	constant int // so many of the first have one call for as long as there are samples
	bars     []spans.Bar
}

const (
	wideShare  = 1.0 / 128 // of the time in view, for a span that has a name: its lane is high
	wideStands = 8         // as many times the time in view a lane stays high in a live view without one
)

// lanesFor returns the depth in view. Of a thread that is silent it does not become less, and in a live view a lane
// becomes low only by and by.
// left is how many tracks may still be looked at: one beyond that keeps what it had, below 0.
func (d *depthInView) lanesFor(v *view.View, tr *store.Track, key depthKey, left *int) int {
	if d.key == key && d.spans == tr.NumSpans() {
		return d.lanes
	}
	if *left--; *left < 0 {
		return format.Pick(d.key == depthKey{}, tr.Lanes(), d.lanes)
	}
	all, was := v.Session().Spans(), *d
	*d = depthInView{key: key, spans: tr.NumSpans(), bars: was.bars}
	d.lanes = all.Depth(tr.Def.ID, tr.Lanes(), key.t0, key.t1)
	if silent(v, tr) {
		d.lanes = max(d.lanes, was.lanes)
	}
	least := int64(float64(key.t1-key.t0) * wideShare)
	d.wide = sort.Search(d.lanes, func(lane int) bool {
		d.bars = all.Visible(tr.Def.ID, lane, key.t0, key.t1, least, d.bars[:0])
		return !slices.ContainsFunc(d.bars, func(b spans.Bar) bool { return b.Count == 1 && b.End-b.Begin >= least })
	})
	d.constant = constantLanes(all, tr, d.wide)
	d.at = key.t1
	if span := key.t1 - key.t0; v.Live() && d.wide < was.wide && key.t1-was.at < wideStands*span {
		d.wide, d.at = min(was.wide, d.lanes), was.at
	}
	return d.lanes
}

// constantLanes returns how many lanes, of the first few, have the same sampled call for as long as there are samples,
// as a runtime's entry points do: they tell nothing of the time in view.
func constantLanes(all *spans.Table, tr *store.Track, few int) int {
	x := all.Stack(tr.Def.ID)
	if x == nil {
		return 0
	}
	first, last, _ := x.Bounds()
	return sort.Search(min(few, tr.Lanes()-1), func(lane int) bool {
		call, ok := all.At(tr.Def.ID, lane, first, 0)
		return !ok || call.Begin > first || call.End < last
	})
}

// silent reports whether a thread has sent nothing for a while in a live view: its new spans are not
// known yet, and it keeps its height.
func silent(v *view.View, tr *store.Track) bool {
	const share = 4 // of the window
	begin, end := v.Time().Visible()
	_, last, ok := tr.Bounds()
	return ok && v.Live() && !tr.Def.OwnClock && last < end-(end-begin)/share
}

// findGone finds the threads that are no more, and lie in one row.
func (t *Timeline) findGone(v *view.View) {
	t.gone = t.gone[:0]
	clear(t.inGoneRow)
	if v.Look().GoneShown() || t.laid.inView == (depthKey{}) {
		return
	}
	_, end, _ := v.Session().Bounds()
	sampled := v.Session().Spans().AnySampled()
	isGone := func(id model.TrackID) bool {
		tr := v.Session().Track(id)
		first, last, ok := tr.Bounds()
		if !ok || tr.NumSpans() == 0 || !tr.Def.Kind.Calls() || id == v.Track() || v.Look().TrackPinned(id) {
			return false
		}
		inView := last >= t.laid.inView.t0 && first < t.laid.inView.t1
		gone := end-last >= goneNs && (sampled && tr.NumFrames() == 0 || !tr.Alive)
		little := view.TrackRank(tr) > 3 || tr.NumSpans() < sparseSpans
		return gone && (!inView || view.TrackRank(tr) > 3) || little && tr.NumMessages() == 0 && !t.does(v, tr)
	}
	for _, id := range v.Look().VisibleTracks() {
		if isGone(id) {
			t.gone = append(t.gone, id)
		}
	}
	if len(t.gone) < leastGone {
		t.gone = t.gone[:0]
	}
	for _, id := range t.gone {
		if t.inGoneRow == nil {
			t.inGoneRow = map[model.TrackID]bool{}
		}
		t.inGoneRow[id] = true
	}
}

// does reports whether a thread does something that is in view.
func (t *Timeline) does(v *view.View, tr *store.Track) bool {
	if begin, end, _ := tr.Bounds(); begin >= t.laid.inView.t0 && end < t.laid.inView.t1 && tr.NumSpans() > 0 {
		return true
	}
	return v.Session().Spans().Depth(tr.Def.ID, 1, t.laid.inView.t0, t.laid.inView.t1) > 0
}

// drawMany draws the outermost spans of the tracks of a row.
func (s *spanLane) drawMany(p *timepane.Pane, env *panel.Env, b *block, at timepane.Place) {
	begin, end := env.View.Time().Visible()
	drawn := len(s.bars)
	for i, id := range b.many {
		tr := env.View.Session().Track(id)
		from, to, ok := tr.Bounds()
		if !ok || to < begin || from > end {
			continue
		}
		y := at.Y + s.laneY(env, b, i%foldedLanes)
		row := spanRow{track: id, y0: y, y1: y + env.Px(foldedLaneH) - 1, from: len(s.bars), thin: true}
		if tr.Lanes() > 1 && hasFrameLane(env.View.Session(), id, tr) {
			row.lane = 1 // the spans in the frames
		}
		s.drawRow(p, env, &row)
		row.to = len(s.bars)
		s.rows = append(s.rows, row)
	}
	if r := (draw.Rect{X0: p.Plot().X0 + env.Px(6), Y0: at.Y0, X1: p.Plot().X1, Y1: at.Y1}); len(s.bars) == drawn {
		p.List().TextFit(draw.Small, r, draw.Left, "did nothing here", draw.Color(env.Theme.Text2))
	}
}

// labelGone writes how many threads a row stands for.
func (s *spanLane) labelGone(l *draw.List, row draw.Rect, n int, col draw.Color) {
	s.buf = format.AppendPlural(s.buf[:0], int64(n), "thread", "threads")
	l.TextIn(draw.Medium, row, draw.Left, panel.ScratchText(s.buf), col)
}

// tipGone describes the label of such a row.
func tipGone(env *panel.Env, tip *panel.TipLines, tracks []model.TrackID) {
	const few = 8
	tip.Plural(int64(len(tracks)), "thread", "threads").Text(" that ended, or did little and nothing here").End()
	for _, id := range tracks[:min(len(tracks), few)] {
		tip.Add(env.View.Session().Track(id).Title())
	}
	if more := len(tracks) - few; more > 0 {
		tip.Text("and ").Count(int64(more)).Text(" more").End()
	}
	tip.Add("Click: a row for each")
}
