package calls

import (
	"math"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/measured"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/find"
	"framescope/model/spans"
	"framescope/model/store"
)

// Slow lists the longest calls of a method: of the collector selected in the view, or of all with names that contain
// a text; or those that the view's search for calls finds. Calls with the same longest callees are one group. A click
// on a call goes there in the timeline and selects its time, which the flame graph then shows; a double click opens a
// separate flame graph.
//
// The search continues a little in every tick, and shows its progress.
type Slow struct {
	// Text is a part of names, in any case; empty: the calls are those of the view's collector.
	Text string
	// InRange searches only the selected range (while live the new data), else all stored data.
	InRange bool
	// Flat lists the calls one by one, without groups; By is the shared property of a group.
	Flat bool
	By   Grouping
	// AllTracks searches all visible tracks; otherwise Track, or the view's track where that is
	// NoTrack.
	AllTracks bool
	Track     model.TrackID

	headed[slowDrawKey]
	source   slowSource
	searched []model.TrackID
	buf      []byte
	mode     panel.CachedText

	search  slowSearch
	lengths lengths
	below   panel.Input // the mouse input of the table
}

// slowSearch is the state of the search.
type slowSearch struct {
	key         slowKey
	run         [2]spans.CallSearch
	shown       int  // of run: the one with the listed calls
	again       bool // the other one is searching newer data
	done, valid bool
	wanted      []bool
	atNs        int64
	steps       uint64 // changes with the list

	// A call that was gone to is the selected range: the search stays in the one before.
	pinned                     bool
	ownA, ownB, rangeA, rangeB int64
}

// slowKey is the inputs of a search.
type slowKey struct {
	expr       *find.Expr // of a search for calls, nil: it is for names
	session    *store.Session
	revision   uint64
	collectors int
	text       string
	collector  model.CollectorID
	t0, t1     int64
	tracks     uint64
}

// slowDrawKey is the inputs of the picture, besides its table.
type slowDrawKey struct {
	state     [4]bool
	drag      [3]float32
	steps     uint64
	text      string
	collector model.CollectorID
	defs      uint64
}

const (
	slowWork    = 50_000        // spans and list entries that a tick looks at
	slowAgainNs = 1_000_000_000 // how often newer data is searched while live
)

// NewSlow returns the slowest calls of all visible tracks, at any time.
func NewSlow() *Slow {
	c := &Slow{AllTracks: true, Track: model.NoTrack}
	c.source.owner = c
	c.source.open = map[uint64]bool{}
	groups, flat := c.source.columns()
	c.source.groupColumns, c.source.flatColumns = measured.With(groups, c.source.measured),
		measured.With(flat, c.source.measured)
	c.table = table.New("", &c.source)
	c.table.SortBy("longest", true)
	c.table.RowHeight = 20
	return c
}

// Title returns the panel's title.
func (c *Slow) Title(env *panel.Env) string { return c.callWords(env).Longest }

// callWords returns the names of the session's spans.
func (c *Slow) callWords(env *panel.Env) *subject.CallWords {
	return subject.CallWordsIn(env.View.Session())
}

// Mode returns the progress of the search and its results: "searching 63 % · 41 calls in 3 groups".
func (c *Slow) Mode(env *panel.Env) string {
	b := c.mode.New()
	if of := c.subject(env); of != "" {
		b = append(append(b, of...), " · "...)
	}
	if q := &c.search; q.valid {
		run := &q.run[q.shown]
		if !q.done && !q.again {
			b = format.AppendSearching(b, run.Progress())
		}
		words := c.callWords(env)
		if q.key.expr != nil && run.More {
			b = append(format.AppendPlural(b, run.Sums.Count, words.One, words.Many), ", listed "...)
		}
		if run.More {
			b = append(b, "the longest "...)
		}
		b = format.AppendPlural(b, int64(len(run.Calls())), words.One, words.Many)
		if g := c.source.numGroups(); !c.Flat && g > 1 {
			b = append(format.AppendCount(append(b, " in "...), int64(g)), " groups"...)
		}
	}
	return c.mode.Set(appendStops(b, env, c.search.key.t0, c.search.key.t1))
}

// appendStops appends how long the program stood still in a range: " · stopped 14.1 s".
func appendStops(b []byte, env *panel.Env, t0, t1 int64) []byte {
	if ns := env.View.Session().StoppedNs(t0, t1); ns > 0 {
		b = panel.AppendStopped(append(b, " · "...), ns)
	}
	return b
}

// Update handles the input of a tick, goes on with the search, and brings the picture up to date.
func (c *Slow) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	c.goOn(env)
	rest, e := c.lengths.place(env, rect, c.found() != nil), c.found()
	c.below = *in
	act := panel.Action{}
	if e != nil {
		q := &c.search
		act = c.lengths.update(env, in, &q.run[q.shown].Sums, q.steps, e)
		c.below.Over = in.Over && !c.lengths.rect.Contains(in.X, in.Y) && !c.lengths.drag
	}
	if of := c.table.Place(env, rest, &c.below); act.Kind == panel.ActionNone {
		act = of
	}
	key := slowDrawKey{
		state: [4]bool{c.AllTracks, c.InRange, c.Flat, c.lengths.linear},
		drag:  [3]float32{c.lengths.rect.Y1, c.lengths.x0, c.lengths.x1}, steps: c.search.steps, text: c.Text,
		collector: env.View.Collector(), defs: env.View.Session().DefsRevision(),
	}
	if c.draw(env, rect, key) {
		c.lengths.draw(env, c.List())
	}
	return act
}

// grouping returns the grouping of calls: without an expression, by their stacks.
func (c *Slow) grouping() Grouping {
	if c.found() == nil {
		return ByStack
	}
	return c.By
}

// found returns the expression that found the listed calls, nil if they are of a collector or of
// names.
func (c *Slow) found() *find.Expr {
	if !c.search.valid {
		return nil
	}
	return c.search.key.expr
}

// subject describes the listed calls; valid until the next call.
func (c *Slow) subject(env *panel.Env) string {
	b := c.buf[:0]
	switch h := env.View.Look().FoundCalls(); {
	case h != nil && h.Expr() != nil:
		b = append(append(append(b, "found by “"...), format.ClipName(h.Expr().Text())...), "”"...)
	case c.Text != "":
		b = append(append(append(b, "names with “"...), c.Text...), "”"...)
	case env.View.Collector() != model.NoCollector:
		b = append(b, env.View.Session().Collector(env.View.Collector()).Name...)
	}
	c.buf = b
	return panel.ScratchText(b)
}

// The tools of the list.
const (
	toolFlat = iota
	toolRange
	toolAllThreads
	toolLinear
	toolGroup
)

// Tools implements panel.Tooled.
func (c *Slow) Tools(*panel.Env) []panel.Tool {
	b := &c.tools
	b.Begin()
	b.Toggle(toolAllThreads, c.AllTracks, "All threads", "Of all visible threads")
	b.Toggle(toolRange, c.InRange, "In the range", "Only calls that begin in the selected range")
	b.Toggle(toolFlat, c.Flat, "One by one", "Not in groups of the same stack")
	if c.found() != nil {
		b.Toggle(toolLinear, c.lengths.linear, "Linear",
			"Linear instead of logarithmic scale for the durations above the list")
		b.Choice(toolGroup, int(c.By), groupNames[:], "", "What the calls of a group have in common")
	}
	return b.All()
}

// Use implements panel.Tooled.
func (c *Slow) Use(_ *panel.Env, id, option int) {
	switch id {
	case toolAllThreads:
		c.AllTracks = !c.AllTracks
	case toolRange:
		c.InRange = !c.InRange
	case toolFlat:
		c.Flat = !c.Flat
	case toolLinear:
		c.lengths.linear = !c.lengths.linear
	case toolGroup:
		c.By = Grouping(option)
	}
}

// HitTest returns the row under a point.
func (c *Slow) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if !c.search.valid || c.search.key.session != env.View.Session() {
		return panel.NoHit()
	}
	return c.table.HitTest(env, pxX, pxY)
}

// SetFilter implements Filterer: it searches for the calls of methods with the text in their name.
func (c *Slow) SetFilter(text string) {
	c.Text = text
	c.table.SetFilter(text)
}

// lengths is the histogram over the list: how long the calls are that a search found, all of them. A
// drag over it narrows the search down to these lengths, a double click takes that back.
type lengths struct {
	rect, plot   draw.Rect
	lo, hi       int64     // the lengths at its edges, ns; lo == hi: it is not shown
	columns      []float64 // calls in each; a bin of lengths may be spread over several
	most         float64
	key          lengthsKey
	linear, drag bool
	x0, x1       float32 // where the drag began, and is
	buf          []byte
}

// lengthsKey is the inputs of the columns.
type lengthsKey struct {
	plot   draw.Rect
	steps  uint64
	linear bool
}

const (
	lengthsPx      = 74 // its height where there is room
	lengthsLeastPx = 38 // it gives way to two rows of the list down to that, and then no further
	lengthsListPx  = 44 // room left for the list: the head and a row
	lengthRow      = 20
	lengthColumn   = 5 // the least width of a column, px
)

// place takes the room of the histogram from the top of the panel, and returns the rest.
func (h *lengths) place(env *panel.Env, rect draw.Rect, shown bool) (rest draw.Rect) {
	h.rect = draw.Rect{}
	if !shown || rect.H() < env.Px(lengthsLeastPx+lengthsListPx) || rect.W() < env.Px(160) {
		h.drag = false
		return rect
	}
	h.rect, rest = rect, rect
	rest.Y0 += min(max(rect.H()-env.Px(lengthsListPx+lengthRow), env.Px(lengthsLeastPx)), env.Px(lengthsPx))
	h.rect.Y1 = rest.Y0
	h.plot = draw.Rect{
		X0: rect.X0 + env.Px(12), Y0: rect.Y0 + env.Px(4), X1: rect.X1 - env.Px(12), Y1: h.rect.Y1 - env.Px(18),
	}
	return rest
}

// update counts, and handles the mouse.
func (h *lengths) update(
	env *panel.Env, in *panel.Input, sums *spans.CallSums, steps uint64, e *find.Expr,
) panel.Action {
	if h.rect.Empty() {
		return panel.Action{}
	}
	if key := (lengthsKey{h.plot, steps, h.linear}); key != h.key {
		h.key = key
		h.count(env, sums)
	}
	if h.lo == h.hi {
		h.drag = false
		return panel.Action{}
	}
	inside := in.Over && h.rect.Contains(in.X, in.Y)
	switch {
	case inside && in.DoubleClick:
		h.drag = false
		return panel.Action{Kind: panel.ActionFind, Text: e.WithLengths(0, 0)}
	case inside && in.Left.Pressed:
		h.drag, h.x0, h.x1 = true, in.X, in.X
	case h.drag && in.Left.Down:
		h.x1 = in.X
	case h.drag && in.Left.Released:
		h.drag = false
		if lo, hi := h.chosen(); in.Left.Dragging && lo < hi {
			return panel.Action{Kind: panel.ActionFind, Text: e.WithLengths(lo, hi)}
		}
	case h.drag:
		h.drag = false
	}
	return panel.Action{}
}

// count sorts the calls into columns.
func (h *lengths) count(env *panel.Env, sums *spans.CallSums) {
	h.lo, h.hi, h.most = math.MaxInt64, 0, 0
	sums.Each(func(x *spans.CallSum) { h.lo, h.hi = min(h.lo, x.MinNs), max(h.hi, x.MaxNs+1) })
	if h.hi == 0 {
		h.lo = 0
		return
	}
	first, last := spans.CallBin(h.lo), spans.CallBin(h.hi-1)
	h.columns = panel.Zeros(h.columns, min(max(int(h.plot.W()/env.Px(lengthColumn)), 1), columnsFor(sums.Count)))
	for i := first; i <= last; i++ {
		n := float64(sums.Bins[i])
		if n == 0 {
			continue
		}
		end := h.hi
		if i < last {
			end = spans.CallBinFrom(i + 1)
		}
		a, b := h.at(spans.CallBinFrom(i)), h.at(end)
		for k := int(a); k < len(h.columns) && (float64(k) < b || k == int(a)); k++ {
			part := 1.0
			if b > a {
				part = (min(b, float64(k+1)) - max(a, float64(k))) / (b - a)
			}
			h.columns[k] += n * part
		}
	}
	for _, n := range h.columns {
		h.most = max(h.most, n)
	}
}

// columnsFor returns the number of columns of a histogram of so many calls: their square root. More
// would show single calls rather than the distribution.
func columnsFor(calls int64) int { return int(math.Ceil(math.Sqrt(float64(calls)))) }

// at returns where a length lies, in columns.
func (h *lengths) at(ns int64) float64 {
	v, lo, hi := float64(ns), float64(h.lo), float64(h.hi)
	if !h.linear {
		v, lo, hi = math.Log(max(v, 1)), math.Log(max(lo, 1)), math.Log(max(hi, 1))
	}
	if hi <= lo {
		return 0
	}
	return min(max((v-lo)/(hi-lo), 0), 1) * float64(len(h.columns))
}

// lengthAt returns the length at a point, ns, of three digits.
func (h *lengths) lengthAt(x float32) int64 {
	share := float64(min(max((x-h.plot.X0)/h.plot.W(), 0), 1))
	lo, hi := float64(h.lo), float64(h.hi)
	v := lo + share*(hi-lo)
	if !h.linear {
		a, b := math.Log(max(lo, 1)), math.Log(max(hi, 1))
		v = math.Exp(a + share*(b-a))
	}
	if v < 100 {
		return int64(math.Round(v))
	}
	step := math.Pow10(int(math.Log10(v)) - 2)
	return int64(math.Round(v/step) * step)
}

// chosen returns the lengths that are dragged over; 0 is beyond the edge.
func (h *lengths) chosen() (lo, hi int64) {
	x0, x1 := min(h.x0, h.x1), max(h.x0, h.x1)
	lo, hi = h.lengthAt(x0), h.lengthAt(x1)
	if x1 >= h.plot.X1 {
		hi = h.hi // all that are longer, too
	}
	return lo, hi
}

// draw draws the columns, the lengths at both ends and in the middle, and the range being dragged.
func (h *lengths) draw(env *panel.Env, l *draw.List) {
	if h.rect.Empty() {
		return
	}
	th := env.Theme
	l.Rect(h.rect, draw.Color(th.Well))
	l.HLine(h.rect.X0, h.rect.X1, h.rect.Y1-1, 1, draw.Color(th.Separator))
	if h.lo == h.hi {
		l.TextIn(draw.Regular, h.rect, draw.Center, "The durations of the calls found appear here.", draw.Color(th.TextDim))
		return
	}
	w := h.plot.W() / float32(len(h.columns))
	for i, n := range h.columns {
		if n <= 0 {
			continue
		}
		r := draw.Rect{X0: panel.Snap(h.plot.X0 + float32(i)*w), X1: panel.Snap(h.plot.X0+float32(i+1)*w) - env.Px(1),
			Y1: h.plot.Y1}
		r.Y0 = r.Y1 - max(env.Px(1), panel.Snap(h.plot.H()*float32(n/h.most)))
		l.Rect(r, draw.Color(th.FrameBar))
	}
	labels := draw.Rect{X0: h.plot.X0, Y0: h.plot.Y1 + env.Px(2), X1: h.plot.X1, Y1: h.rect.Y1 - env.Px(2)}
	for _, x := range [...]struct {
		at    float32
		align draw.Align
	}{{h.plot.X0, draw.Left}, {(h.plot.X0 + h.plot.X1) / 2, draw.Center}, {h.plot.X1, draw.Right}} {
		h.buf = format.AppendDuration(h.buf[:0], h.lengthAt(x.at))
		l.TextIn(draw.Small, labels, x.align, panel.ScratchText(h.buf), draw.Color(th.Text2))
	}
	if h.drag && h.x0 != h.x1 {
		lo, hi := h.chosen()
		r := draw.Rect{
			X0: max(min(h.x0, h.x1), h.plot.X0), Y0: h.rect.Y0, X1: min(max(h.x0, h.x1), h.plot.X1), Y1: h.plot.Y1,
		}
		l.Rect(r, draw.Color(th.Accent).WithAlpha(58))
		l.Outline(r, max(1, float32(int(env.Scale))), draw.Color(th.Accent))
		h.buf = format.AppendDuration(append(format.AppendDuration(h.buf[:0], lo), " – "...), hi)
		l.TextIn(draw.Small, h.plot, draw.Center, panel.ScratchText(h.buf), draw.Color(th.Text))
	}
}
