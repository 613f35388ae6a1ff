// Package series draws measurements over time: curves, states, events, their table, and their
// distribution.
package series

import (
	"slices"

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
	// Distribution shows how the values of one series are spread, instead of curves.
	Distribution bool
}

// Chart shows series of samples on the session's time axis, each by its kind (see
// model.SeriesKind): values as points, or, if many fall on a pixel column, as a band from the least
// to the greatest with a line at the mean; gauges as a figure with a faint history; counters by
// their rate; events as columns of events (or of their weights) per second; states as colored
// bands with names. Before the first and after the last sample, and in gaps, nothing is drawn as if
// it were known.
//
// Drawing. Each tick the list of series is brought up to date (pick.go), the plots are laid
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

	regions seriesRegions
	scrollY float32 // of the rows, px
	rowH    float32
	plots   []seriesPlot
	lines   []seriesLine
	columns []seriesCol
	fine    seriesGrid
	coarse  seriesGrid // of events
	query   seriesQueryKey
	bins    []spans.SeriesBin
	one     []spans.SeriesBin
	sample  []model.Sample
	scales  map[model.SeriesID]*format.Scale // NoSeries: the one that all share
	scaleOf seriesScaleKey

	stats    seriesStats
	tipStats seriesStats
	dist     seriesDistribution

	ticks []float64
	tip   panel.TipLines
	buf   []byte
	names draw.Names // of labels
	mode  panel.CachedText
	title panel.CachedText
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

// ToggleSeries adds a series to those shown by ShowSeries, or takes it away.
func (c *Chart) ToggleSeries(id model.SeriesID) {
	if i := slices.Index(c.IDs, id); i >= 0 {
		c.IDs = slices.Delete(c.IDs, i, i+1)
		return
	}
	c.IDs, c.chosen = append(c.IDs, id), true
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
	c.hover.Tell(v, c)
	if c.pick.update(env, c); len(c.pick.items) == 0 {
		c.drawEmpty(env, rect)
		return act
	}
	c.layOut(env, rect)
	c.ask(env)
	c.stats.update(env, c.focused(env), c.statsRange(env))
	if c.Distribution {
		c.dist.update(env, c, in)
	}
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
