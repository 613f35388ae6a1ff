// Package strip draws the strip chart, the collectors of a level stacked, frame after frame, of times or of levels; and
// the piano roll, the runs of each collector in one frame.
package strip

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/timepane"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
)

// stripFollowNs is the width of a chart's own time window (VIEWER.md section 9.4).
const stripFollowNs = 20_000_000_000

// Chart stacks the times of the children of one collector, frame by frame, over time (VIEWER.md
// section 9); or the values of counters.
//
// If several frames fall on one pixel column, the longest is shown unless the user chose otherwise,
// so that no spike hides; columns are anchored to multiples of their width, so that scrolling does
// not change which frames share one. All heights are whole pixels: equal neighbours become one
// rectangle, and HitTest agrees with the picture, because both use the same edges.
type Chart struct {
	// Track is the thread shown, NoTrack for the view's.
	Track model.TrackID
	// Focus is the collector with the stacked children.
	Focus model.CollectorID
	// Levels: counter values instead of times.
	Levels bool
	// Columns is how frames share a column; the zero value of the chart holds, New takes the longest.
	Columns frames.StripMode
	// Hz: values of times are shown as rates.
	Hz bool
	// FollowNs is how much time is shown.
	FollowNs int64
	// FixedTop is the value at the upper edge of a linear scale, in seconds or units. 0: the scale
	// fits the visible values.
	FixedTop float64
	// Linear: the automatic scale of times has no knee. It ends at one and a half times the median of
	// the visible frames (VIEWER.md section 9.5), or more, up to twice the median, if the greatest
	// value needs it; higher stacks are cut, and torn at the upper edge.
	Linear bool
	// Guides are the user's guide bars, in seconds or units.
	Guides []float64

	panel.Layers[stripDrawKey, struct{}]
	time  timepane.Curves
	own   format.Axis
	ownOf *store.Session // its session
	asked int64          // view.Asked in the tick before

	opened   opened
	track    model.TrackID // resolved
	regions  stripRegions
	queryKey stripQueryKey
	strip    frames.Strip
	t0       float64 // time of the left edge of column 0
	nsPerCol float64
	peaks    []float32 // greatest value of each band in the visible columns
	nets     []float32 // scratch for the median
	gaps     []frames.Gap
	stops    []frames.Stop // of all the session; of times alone
	folds    []model.Fold  // scratch
	open     frames.Open   // the frame that is open, while isOpen
	isOpen   bool
	guides   []float64 // the automatic ones

	scale, target, from scale // now, and of the way to another
	began               int64
	scaleFor            stripScaleKey

	edgeKey stripEdgeKey
	laid    int       // how often edges were laid
	edges   []float32 // [column*(bands+1)+k]: px of the lower edge of band k; the last is the top
	xs      []float32 // left edge of each column, one more than columns

	ref    stripReference
	legend []legendItem
	hidden int // bands that are not named for want of room

	crumbs panel.CrumbRow
	tools  panel.Toolbox

	rescaling  bool
	pressValue float64
	guideDrag  int // index of the guide bar being dragged, -1 none
	again      panel.DoubleGuard
	hover      panel.HoverReport

	hit         panel.TipLines
	mode, title panel.CachedText
	buf         []byte
	names       draw.Names // of the legend
	bandBuf     []frames.Band
	stats       []frames.Stats
	limited     []*view.Limit
}

// stripRegions are the parts of the panel.
type stripRegions struct{ all, head, legend, plot, values, ruler draw.Rect }

type stripQueryKey struct {
	q        frames.StripQuery
	session  *store.Session
	revision uint64
}

// stripScaleKey is the inputs that restart the automatic scale when they change.
type stripScaleKey struct {
	session        *store.Session
	track          model.TrackID
	focus          model.CollectorID
	levels, linear bool
}

// stripEdgeKey is the inputs of the edges of the bands.
type stripEdgeKey struct {
	plot         draw.Rect
	window       format.Window
	t0, nsPerCol float64
	query        stripQueryKey
	scale        scale
	stamp        uint64 // hidden items, and whether interpolated ones are shown
}

// New returns a chart of a collector on a track (NoTrack: the view's) with a time window of its
// own, which shows spikes.
func New(track model.TrackID, focus model.CollectorID, levels bool) *Chart {
	return &Chart{Track: track, Focus: focus, Levels: levels, Columns: frames.StripMax, FollowNs: stripFollowNs,
		guideDrag: -1}
}

// Show shows a range of time, until the view's playhead moves or it follows live data.
func (c *Chart) Show(v *view.View, beginNs, endNs int64) {
	c.own, c.ownOf, c.asked, c.FollowNs = format.Axis{}, v.Session(), v.Asked(), endNs-beginNs
	c.own.Fit(beginNs, endNs)
}

// resolve returns the session and the track to show, nil where there is none.
func (c *Chart) resolve(env *panel.Env) (*store.Session, *store.Track) {
	s := env.View.Session()
	c.track = c.Track
	if c.track == model.NoTrack {
		c.track = env.View.Track()
	}
	return s, s.Track(c.track)
}

// Update handles the input of a tick and brings the picture up to date.
func (c *Chart) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	s, track := c.resolve(env)
	c.layOut(env, rect)
	if track == nil || track.NumFrames() == 0 {
		env.View.Pointer().Clear(c)
		c.drawEmpty(env, rect)
		return panel.Action{}
	}
	c.crumbs.Follow(s, c.Focus, c.Levels)
	c.layOut(env, rect)
	act := c.input(env, s, track, in)
	c.hover.Report(env.View, c)
	c.follow(env, track)
	c.query(env, s)
	c.rescale(env)
	c.layEdges(env)
	c.refer(env, s, track)
	c.placeLegend(env, s)
	if c.BeginBase(env, rect, c.drawKey(env)) {
		c.draw(env, s)
	}
	return act
}

// layOut divides the panel. Small panels go without ruler, legend, values.
func (c *Chart) layOut(env *panel.Env, rect draw.Rect) {
	r := stripRegions{all: rect}
	r.head = draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X1, Y1: rect.Y0}
	if len(c.crumbs.Items) > 1 { // there is somewhere to go back to
		r.head.Y1 = min(rect.Y0+env.Px(24), rect.Y1)
	}
	plot := draw.Rect{X0: rect.X0 + env.Px(8), Y0: r.head.Y1 + env.Px(4), X1: rect.X1 - env.Px(6), Y1: rect.Y1 - env.Px(4)}
	if rect.H() >= env.Px(84) {
		r.legend = draw.Rect{X0: plot.X0, Y0: plot.Y0, X1: rect.X1 - env.Px(8), Y1: plot.Y0 + env.Px(18)}
		plot.Y0 = r.legend.Y1 + env.Px(2)
	}
	if rect.W() >= env.Px(200) {
		r.values = draw.Rect{X0: plot.X1 - env.Px(52), Y0: plot.Y0, X1: rect.X1, Y1: plot.Y1}
		plot.X1 = r.values.X0
	}
	if rect.H() >= env.Px(130) {
		r.ruler = draw.Rect{X0: plot.X0, Y0: plot.Y1 - env.Px(16), X1: plot.X1, Y1: plot.Y1}
		plot.Y1 = r.ruler.Y0
		r.values.Y1 = plot.Y1
	}
	plot.X1, plot.Y1 = max(plot.X1, plot.X0), max(plot.Y1, plot.Y0)
	r.plot = plot
	c.regions = r
	c.time.Place(r.plot, r.ruler)
}

// follow moves a chart's own time window with the data.
func (c *Chart) follow(env *panel.Env, track *store.Track) {
	v := env.View
	begin, end, ok := track.Bounds()
	if !ok {
		return
	}
	if c.ownOf != v.Session() { // the window of another session means nothing here
		c.own, c.ownOf = format.Axis{}, v.Session()
	}
	c.fold(track)
	short := c.own.Folds.Short
	begin, end = short(begin), short(end)
	c.own.SetLimits(begin-c.FollowNs/2, end)
	newest := short(newestFrame(v.Session(), track))
	switch {
	case v.Live():
		c.own.Set(float64(newest-c.FollowNs), float64(newest), false, env.NowNs)
	case !c.own.Valid():
		// A recording: a window of full width around the playhead, or all of it where that is less.
		width := min(c.FollowNs, end-begin)
		a := min(max(short(v.Playhead())-width/2, begin), end-width)
		c.own.Set(float64(a), float64(a+width), false, env.NowNs)
	case v.Asked() != c.asked:
		first, last := short(min(v.Playhead(), v.RangeA())), short(max(v.Playhead(), v.RangeB()))
		c.own.Show(min(first, newest), min(last, newest), env.Animate, env.NowNs) // of the newest frame its begin is enough
	}
	c.asked = v.Asked()
	c.own.Step(env.NowNs)
}

// fold lets the stops of a thread take no more room than a torn gap. What is in view stays there.
func (c *Chart) fold(track *store.Track) {
	c.folds, c.stops = c.folds[:0], c.stops[:0]
	if !c.Levels {
		c.stops = track.Stops(0, track.NumFrames()-1, c.stops)
	}
	for _, x := range c.stops {
		if len(c.folds) == 0 || x.Begin >= c.folds[len(c.folds)-1].End {
			c.folds = append(c.folds, model.Fold{Begin: x.Begin, End: x.End})
		}
	}
	if slices.Equal(c.own.Folds.All(), c.folds) {
		return
	}
	begin, _ := c.own.Visible()
	w := format.Window{Folds: &model.Folds{List: slices.Clone(c.folds)}}
	w.BeginNs = float64(w.Folds.Short(begin))
	w.EndNs = w.BeginNs + c.own.Width()
	c.own.Place(w)
}

// newestFrame returns where a live chart of a track ends: at the begin of the newest frame
// (VIEWER.md section 9.4), as its own time is not over yet. It is that of all threads, so that
// charts of each show the same time; only a track with a clock of its own has its own.
func newestFrame(s *store.Session, track *store.Track) int64 {
	newest := track.Frame(track.NumFrames() - 1).Begin
	if !track.Def.OwnClock {
		all, _ := s.NewestFrame()
		newest = max(newest, all)
	}
	return newest
}

// query gets the visible columns from the model if anything about them changed.
func (c *Chart) query(env *panel.Env, s *store.Session) {
	a, plot := c.own.Window, c.regions.plot
	if !a.Valid() || plot.W() < 1 {
		c.strip.Columns, c.strip.Bands, c.strip.Values = c.strip.Columns[:0], c.strip.Bands[:0], c.strip.Values[:0]
		c.queryKey = stripQueryKey{}
		return
	}
	colPx := env.Px(1)
	for float32(len(c.strip.Bands))*plot.W()/colPx > maxStripCells && colPx < 8 {
		colPx++
	}
	nsPerCol := a.NsPerPx(plot) * float64(colPx)
	t0 := math.Floor(a.BeginNs/nsPerCol) * nsPerCol
	n := int(math.Ceil((a.EndNs - t0) / nsPerCol))
	q := frames.StripQuery{Track: c.track, Focus: c.Focus, Open: c.dominant(s), Levels: c.Levels, T0: int64(t0),
		T1: int64(t0 + float64(n)*nsPerCol), Columns: n, Mode: c.Columns, Folds: a.Folds}
	key := stripQueryKey{q, s, s.Revision()}
	if key == c.queryKey {
		c.t0, c.nsPerCol = t0, nsPerCol
		return
	}
	c.queryKey, c.t0, c.nsPerCol = key, t0, nsPerCol
	s.Frames().Strip(q, &c.strip)
	c.gaps = s.Track(c.track).Gaps(q.ColumnTime(0), q.ColumnTime(n), c.gaps[:0])
	c.open, c.isOpen = s.Track(c.track).OpenFrame()
	c.peaks = panel.Zeros(c.peaks, len(c.strip.Bands))
	for i := range c.strip.Columns {
		for k, v := range c.row(i) {
			c.peaks[k] = max(c.peaks[k], v)
		}
	}
}

// maxStripCells bounds columns × bands, and with them the rectangles: above it, columns are two or
// more pixels wide.
const maxStripCells = 12_000

// row returns the values of a column, one for each band.
func (c *Chart) row(column int) []float32 {
	n := len(c.strip.Bands)
	return c.strip.Values[column*n : (column+1)*n]
}

// drawn reports whether the values of a column are shown.
func (c *Chart) drawn(env *panel.Env, column int) bool {
	switch c.strip.Columns[column].State {
	case frames.ColumnData:
		return true
	case frames.ColumnMissing:
		return env.View.Look().ShowInterpolated()
	}
	return false
}

// layEdges computes where the bands of each column lie, in whole pixels, if anything about it changed.
func (c *Chart) layEdges(env *panel.Env) {
	plot, bands, a := c.regions.plot, len(c.strip.Bands), c.own.Window
	key := stripEdgeKey{
		plot: plot, window: a, t0: c.t0, nsPerCol: c.nsPerCol, query: c.queryKey, scale: c.scale, stamp: env.View.Stamp(),
	}
	if key == c.edgeKey {
		return
	}
	c.laid++
	c.edgeKey = key
	c.edges, c.xs = c.edges[:0], c.xs[:0]
	if !a.Valid() || c.scale.top <= 0 {
		return
	}
	perPx := a.NsPerPx(plot)
	for i := range len(c.strip.Columns) + 1 {
		x := float64(plot.X0) + (c.t0+float64(i)*c.nsPerCol-a.BeginNs)/perPx
		c.xs = append(c.xs, min(max(panel.Snap(float32(x)), plot.X0), plot.X1))
	}
	for i := range c.strip.Columns {
		sum := 0.0
		y := plot.Y1
		c.edges = append(c.edges, y)
		show := c.drawn(env, i)
		for k := range bands {
			if v := c.strip.Values[i*bands+k]; show && v != 0 && !env.View.Look().Hidden(c.strip.Bands[k]) {
				sum += float64(v)
				y = c.valueY(sum)
			}
			c.edges = append(c.edges, y)
		}
	}
}

// bandAt returns the column and the band under a point of the plot, -1 for none. Bands drawn later
// cover earlier ones (only negative values make them overlap).
func (c *Chart) bandAt(pxX, pxY float32) (column, band int) {
	column, band = -1, -1
	if len(c.xs) < 2 || !c.regions.plot.Contains(pxX, pxY) {
		return
	}
	column = min(max(panel.LastUpTo(c.xs, pxX), 0), len(c.xs)-2)
	n := len(c.strip.Bands)
	for k := n - 1; k >= 0; k-- {
		if e := c.edges[column*(n+1)+k:]; pxY < e[0] && pxY >= e[1] {
			return column, k
		}
	}
	return
}

// Descend makes a child of the focus the focus, if it has anything below it or is not the focus
// already; false if nothing changed.
func (c *Chart) Descend(child model.CollectorID) bool {
	if child == c.Focus || child == model.NoCollector {
		return false
	}
	c.Focus = child
	return true
}

// Ascend makes the focus' parent the focus. Time charts end at the root, level charts at their
// top-level collector (VIEWER.md section 9.8).
func (c *Chart) Ascend(env *panel.Env) bool {
	s := env.View.Session()
	if c.Focus == 0 {
		return false
	}
	parent := s.Collector(c.Focus).Parent
	if parent == c.Focus || parent < 0 || c.Levels && parent == 0 {
		return false
	}
	c.Focus = parent
	return true
}
