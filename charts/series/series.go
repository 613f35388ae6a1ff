// Package series draws measurements over time: curves, states and events.
package series

import (
	"cmp"
	"math"
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/timepane"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Bounds of a series chart.
const (
	maxOverlay      = subject.DistinctColors // series drawn over one another; the rest are counted in words
	autoOverlay     = 8                      // up to so many are drawn over one another unless the user chose otherwise
	maxSeriesCells  = 8_000                  // columns × series, and with them the rectangles; above it columns are wider
	maxLegendStates = 64                     // names in the legend of states
	maxThinGaps     = 24                     // gaps of a pixel that are drawn as dashes
	eventColumnPx   = 4                      // least width of a column of events
)

// Layout is how several series share a chart.
type Layout uint8

// The layouts.
const (
	LayoutAuto    Layout = iota // few values and counters: overlay; states, gauges, events, many: rows
	LayoutOverlay               // in one plot, where kind and unit allow it
	LayoutRows                  // one below the other
)

// Settings are the user's settings of the look of a chart.
type Settings struct {
	Layout Layout
	Order  Order
	// Log: logarithmic scale, of values.
	Log bool
	// Weight: events are shown by the sum of their values a second, not by their number.
	Weight bool
	// SameScale: rows share one vertical scale. A range that a series states is used in any case.
	SameScale bool
	// FixedScale keeps the vertical scales as they are.
	FixedScale bool
}

// Chart shows series of samples on the session's time axis, each by its kind (see
// model.SeriesKind): values as points, or, if many fall on a pixel column, as a band from the least
// to the greatest with a line at the mean; gauges as a figure with a faint history; counters by
// their rate; events as columns of events (or of their weights) per second; states as colored
// bands with names. Before the first and after the last sample, and in gaps, nothing is drawn as if
// it were known.
//
// Drawing. Each tick the list of series is brought up to date, the plots are laid
// out (draw.go), and the series on screen are queried for summaries of one or two pixels
// each (query.go); never for samples, so that the cost goes by pixels, whatever the number
// of samples is. The columns are kept beside the list. The tooltip uses the summary of the very
// column that is drawn, so that it agrees with the picture. Parts that move with the mouse lie
// behind a mark of the list and are drawn anew over the rest.
type Chart struct {
	// Group is the group shown (model.SeriesDef.Group) while IDs is empty. Set it with Show.
	Group string
	// IDs are the series shown; empty: those of Group. Set it with ShowSeries.
	IDs []model.SeriesID
	// Filter keeps only series with the text in their name, in any case.
	panel.NameFilter
	Settings

	chosen  bool // Show or ShowSeries was called
	session *store.Session
	follow  model.SeriesID // the selected series as of the last Update
	focusAt int            // where it was found last
	panel.Layers[seriesBaseKey, seriesTopKey]
	baseN      int // how often the base was drawn, for tests
	time       timepane.Curves
	hover      panel.HoverReport
	over       model.SeriesID // under the mouse, NoSeries none
	again      panel.DoubleGuard
	tools      panel.Toolbox
	groupNames []string // in the choice of groups
	groups     subject.SeriesGroupList
	pick       seriesPick

	regions   seriesRegions
	scrollY   float32 // of the rows, px
	rowH      float32
	plots     []seriesPlot
	lines     []seriesLine
	columns   []seriesCol
	fine      seriesGrid
	coarse    seriesGrid // of events
	query     seriesQueryKey
	bins, one []spans.SeriesBin
	sample    []model.Sample
	scales    map[model.SeriesID]*format.Scale // NoSeries: the one that all share
	scaleOf   seriesScaleKey

	stats, tipStats seriesStats

	ticks       []float64
	tip         panel.TipLines
	buf         []byte
	names       draw.Names // of labels
	mode, title panel.CachedText
}

// NewChart returns a chart of the session's first group, until Show or ShowSeries is called.
func NewChart() *Chart {
	return &Chart{follow: model.NoSeries, scales: map[model.SeriesID]*format.Scale{}}
}

// Show shows a group.
func (c *Chart) Show(group string) {
	c.Group, c.IDs, c.chosen, c.scrollY = group, c.IDs[:0], true, 0
}

// ShowSeries shows series by their ids.
func (c *Chart) ShowSeries(ids ...model.SeriesID) {
	c.IDs, c.chosen, c.scrollY = append(c.IDs[:0], ids...), true, 0
}

// NextGroup shows the group n after the present one (n < 0: before), in the order of Groups.
func (c *Chart) NextGroup(env *panel.Env, n int) {
	groups := c.groups.Groups(env.View.Session())
	if len(groups) == 0 {
		return
	}
	at := slices.IndexFunc(groups, func(g subject.SeriesGroup) bool { return g.Name == c.Group })
	c.Show(groups[(max(at, 0)+n+len(groups))%len(groups)].Name)
}

// ToggleLayout changes between one plot for all series and one each.
func (c *Chart) ToggleLayout() {
	c.Layout = format.Pick(c.overlaid(), LayoutRows, LayoutOverlay)
}

// Update handles the input of a tick and brings the picture up to date.
func (c *Chart) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	v, s := env.View, env.View.Session()
	c.changeSession(s)
	if groups := c.groups.Groups(s); !c.chosen && len(groups) > 0 {
		c.Group = groups[0].Name
	}
	c.pick.update(env, c)
	c.followSelection(env)
	c.pick.update(env, c)
	if len(c.pick.items) == 0 {
		c.plots, c.lines, c.pick.key = c.plots[:0], c.lines[:0], seriesPickKey{}
		v.Pointer().Clear(c)
		c.drawEmpty(env, rect)
		return c.emptyInput(s, rect, in)
	}
	c.layOut(env, rect)
	c.hover.Begin()
	act := c.input(env, in)
	c.hover.Report(v, c)
	if c.pick.update(env, c); len(c.pick.items) == 0 {
		c.drawEmpty(env, rect)
		return act
	}
	c.layOut(env, rect)
	c.ask(env)
	c.stats.update(env, c.focused(env), c.statsRange(env))
	c.drawIfChanged(env)
	return act
}

// changeSession forgets the data of the session before, as ids of series differ. A group of the
// same name stays.
func (c *Chart) changeSession(s *store.Session) {
	if c.session == s {
		return
	}
	before := c.session
	c.session = s
	if before == nil {
		return
	}
	c.IDs, c.scrollY, c.FixedScale = c.IDs[:0], 0, false
	c.chosen = slices.ContainsFunc(c.groups.Groups(s), func(g subject.SeriesGroup) bool { return g.Name == c.Group })
}

// followSelection shows the group of a series that was selected elsewhere.
func (c *Chart) followSelection(env *panel.Env) {
	id := env.View.Thing().Series()
	if id == c.follow {
		return
	}
	c.follow = id
	if x := env.View.Session().Series().ByID(id); x != nil && !c.has(id) {
		c.Show(x.Def.Group)
	}
}

// has reports whether a series is in the chart.
func (c *Chart) has(id model.SeriesID) bool {
	return slices.ContainsFunc(c.pick.items, func(it seriesItem) bool { return it.id == id })
}

// focused returns the series with the shown statistics: the selected one, else the first.
func (c *Chart) focused(env *panel.Env) *seriesItem {
	items, id := c.pick.items, env.View.Thing().Series()
	if id == model.NoSeries {
		return &items[0]
	}
	if c.focusAt >= len(items) || items[c.focusAt].id != id {
		c.focusAt = max(0, slices.IndexFunc(items, func(it seriesItem) bool { return it.id == id }))
	}
	return &items[c.focusAt]
}

// overlaid reports whether all series share one plot.
func (c *Chart) overlaid() bool {
	p := &c.pick
	if !p.same || p.kind == model.SeriesState || len(p.items) == 0 {
		return false
	}
	switch c.Layout {
	case LayoutOverlay:
		return true
	case LayoutRows:
		return false
	}
	switch p.kind {
	case model.SeriesValue, model.SeriesCounter:
		return len(p.items) <= autoOverlay
	case model.SeriesEvent:
		return len(p.items) == 1
	}
	return false
}

// statsRange returns the range of the statistics: the selected one, else the visible one.
func (c *Chart) statsRange(env *panel.Env) (r statsSpan) {
	v := env.View
	if v.RangeB() > v.RangeA() && !v.Live() {
		return statsSpan{v.RangeA(), v.RangeB(), true}
	}
	r.a, r.b = v.Time().Visible()
	r.b = subject.UpTo(v.Session(), r.b)
	return r
}

// Order is the order of the series of a chart.
type Order uint8

// The orders. Series without samples always come last.
const (
	OrderName Order = iota // by name, numbers in names by their size
	OrderLast              // the greatest newest value first, of events the most frequent
	OrderMean              // the greatest mean of the visible range first, of counters and events the greatest rate
)

// seriesItem is one series of a chart.
type seriesItem struct {
	id    model.SeriesID
	color draw.Color
	value format.Unit // of its values
	curve format.Unit // of the curve
	sort  float64
	empty bool // has no samples
}

// seriesPickKey is the inputs of the choice and the colors of series.
type seriesPickKey struct {
	session        *store.Session
	defs           uint64
	group, filter  string
	theme          assets.Color
	chosen, weight bool
}

// seriesPick is the list of series that a chart shows, in order.
type seriesPick struct {
	key                   seriesPickKey
	ids                   []model.SeriesID // a copy of the requested ones
	items                 []seriesItem
	order                 Order
	orderRev              uint64 // of the session
	orderAxis             format.Window
	orderAtNs, gatheredNs int64
	edition               uint64 // changes with the items and their order
	kind                  model.SeriesKind
	same                  bool // all have one kind and unit
	states                []string
	colors                subject.SeriesColors
	// begin and end are the times of the earliest and the latest sample; begin > end: none.
	begin, end int64
}

// manySeries is the number of series from which new ones are not looked for every tick.
const manySeries = 1000

// update brings the list up to date.
func (p *seriesPick) update(env *panel.Env, c *Chart) {
	s, v := env.View.Session(), env.View
	key := seriesPickKey{s, s.DefsRevision(), c.Group, c.Filter, env.Theme.Panel, c.chosen, c.Weight}
	fresh := key != p.key || !slices.Equal(p.ids, c.IDs)
	if fresh && len(p.items) > manySeries && env.Paced && env.NowNs-p.gatheredNs < panel.LiveValuesNs {
		// While a session with very many series loads, new ones come every tick.
		calm := key
		calm.defs = p.key.defs
		fresh = calm != p.key
	}
	if fresh {
		p.key, p.gatheredNs = key, env.NowNs
		p.ids = append(p.ids[:0], c.IDs...)
		p.gather(env, s, c)
	}
	const orderLiveNs = 1_000_000_000 // rows that change places faster cannot be read
	axis := format.Window{}
	if c.Order == OrderMean {
		axis = v.Time()
	}
	switch {
	case fresh, c.Order != p.order:
	case p.orderRev == s.Revision() && p.orderAxis == axis:
		return
	case env.Paced && env.NowNs-p.orderAtNs < orderLiveNs:
		return
	}
	p.order, p.orderRev, p.orderAxis, p.orderAtNs = c.Order, s.Revision(), axis, env.NowNs
	if p.sort(env, s, c) || fresh {
		p.edition++
	}
}

// gather collects the requested series and gives them colors.
func (p *seriesPick) gather(env *panel.Env, s *store.Session, c *Chart) {
	p.items, p.same, p.states = p.items[:0], true, nil
	add := func(id model.SeriesID) {
		x := s.Series().ByID(id)
		if x == nil || !subject.SeriesIsDefined(&x.Def) || c.Filter != "" && !format.ContainsFold(x.Def.Name, c.Filter) {
			return
		}
		p.items = append(p.items, seriesItem{
			id: id, value: format.UnitOfValues(&x.Def), curve: format.UnitOfCurve(&x.Def, c.Weight), empty: x.Len() == 0,
		})
	}
	for _, id := range c.IDs {
		add(id)
	}
	for id := range model.SeriesID(s.Series().Len()) {
		if len(c.IDs) == 0 && s.Series().ByID(id).Def.Group == c.Group {
			add(id)
		}
	}
	for i := range p.items {
		d := &s.Series().ByID(p.items[i].id).Def
		if i == 0 {
			p.kind = d.Kind
		}
		p.same = p.same && d.Kind == p.kind && p.items[i].curve == p.items[0].curve
		if d.Kind == model.SeriesState {
			for _, name := range d.States {
				if len(p.states) < maxLegendStates && !slices.Contains(p.states, name) {
					p.states = append(p.states, name)
				}
			}
		}
	}
	slices.SortFunc(p.items, func(a, b seriesItem) int { return compareItems(s, &a, &b) })
	for i := range p.items {
		p.items[i].color = p.colors.Of(env, p.items[i].id)
	}
}

// sort orders the items and reports whether their order changed.
func (p *seriesPick) sort(env *panel.Env, s *store.Session, c *Chart) (changed bool) {
	order := c.Order
	begin, end := env.View.Time().Visible()
	var one [1]spans.SeriesBin
	p.begin, p.end = math.MaxInt64, math.MinInt64
	for i := range p.items {
		it := &p.items[i]
		x := s.Series().ByID(it.id)
		b, e, ok := x.Bounds()
		it.empty, it.sort = !ok, math.Inf(-1)
		if ok {
			p.begin, p.end = min(p.begin, b), max(p.end, e)
		}
		switch {
		case it.empty:
		case order == OrderName:
		case order == OrderLast && x.Def.Kind != model.SeriesEvent:
			if last, ok := x.At(math.MaxInt64); ok {
				it.sort = last.Value
			}
		default:
			if b := x.Bins(begin, end, 1, one[:0]); len(b) > 0 && b[0].N > 0 {
				it.sort = sortMean(x.Def.Kind, &b[0], c.Weight)
			}
		}
	}
	less := func(a, b seriesItem) int { return compareItems(s, &a, &b) }
	if slices.IsSortedFunc(p.items, less) {
		return false
	}
	slices.SortFunc(p.items, less)
	return true
}

// compareItems orders two series: those with samples first, then the greatest, then by name.
func compareItems(s *store.Session, a, b *seriesItem) int {
	switch {
	case a.empty && !b.empty:
		return 1
	case b.empty && !a.empty:
		return -1
	}
	return cmp.Or(cmp.Compare(b.sort, a.sort), compareNames(&s.Series().ByID(a.id).Def, &s.Series().ByID(b.id).Def))
}

// sortMean returns the key of OrderMean: the mean of values, the growth of counters, the number or
// the weight of events.
func sortMean(kind model.SeriesKind, b *spans.SeriesBin, weight bool) float64 {
	switch {
	case kind == model.SeriesCounter && b.HasBefore:
		return b.Last - b.Before
	case kind == model.SeriesCounter:
		return b.Last - b.First
	case kind == model.SeriesEvent && weight:
		return b.Sum
	case kind == model.SeriesEvent:
		return float64(b.N)
	}
	return b.Mean
}

// compareNames orders series by name.
func compareNames(a, b *model.SeriesDef) int {
	return cmp.Or(format.CompareNatural(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
}
