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
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

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
	session *store.Session
	defs    uint64
	group   string
	filter  string
	theme   assets.Color
	chosen  bool
	weight  bool
}

// seriesPick is the list of series that a chart shows, in order.
type seriesPick struct {
	key        seriesPickKey
	ids        []model.SeriesID // a copy of the requested ones
	items      []seriesItem
	order      Order
	orderRev   uint64 // of the session
	orderAxis  format.Window
	orderAtNs  int64
	gatheredNs int64
	edition    uint64 // changes with the items and their order
	kind       model.SeriesKind
	same       bool // all have one kind and unit
	states     []string
	colors     subject.SeriesColors
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
