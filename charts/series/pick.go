package series

import (
	"cmp"
	"math"
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
)

// Group is a group of series of a session that may share a chart.
type Group struct {
	Name string // model.SeriesDef.Group
	// Kind, Unit and Role are those of the group's first series.
	Kind model.SeriesKind
	Unit string
	Role model.SeriesRole
	// Mixed tells that the series differ in kind or unit: they are shown in rows.
	Mixed bool
	// Count is the number of series.
	Count int
	First model.SeriesID
}

// Groups returns the groups of series that a session has, those that one looks at first in front, else in the order of their first series. Cost: O(series); GroupList keeps the answer.
func Groups(s *model.Session) []Group {
	var l GroupList
	return l.Groups(s)
}

// GroupList keeps the groups of a session. The zero value is ready.
type GroupList struct {
	session *model.Session
	defs    uint64
	groups  []Group
	index   map[string]int
	rev     uint64
}

// Groups returns the groups of a session, made anew only when definitions changed. The slice is the list's own and valid until the next call.
func (l *GroupList) Groups(s *model.Session) []Group {
	if s == nil {
		return nil
	}
	if l.session == s && l.defs == s.DefsRevision() {
		return l.groups
	}
	l.session, l.defs = s, s.DefsRevision()
	l.groups = l.groups[:0]
	if l.index == nil {
		l.index = map[string]int{}
	}
	clear(l.index)
	for id := range model.SeriesID(s.NumSeries()) {
		d := &s.Series(id).Def
		if !definedSeries(d) {
			continue
		}
		i, ok := l.index[d.Group]
		if !ok {
			i = len(l.groups)
			l.index[d.Group] = i
			l.groups = append(l.groups, Group{Name: d.Group, Kind: d.Kind, Unit: d.Unit, Role: d.Role, First: id})
		}
		g := &l.groups[i]
		g.Count++
		g.Mixed = g.Mixed || g.Kind != d.Kind || g.Unit != d.Unit
	}
	slices.SortStableFunc(l.groups, func(a, b Group) int { return cmp.Compare(groupRank(a.Role), groupRank(b.Role)) })
	l.rev++
	return l.groups
}

// groupRank orders groups by what one looks at first.
func groupRank(r model.SeriesRole) int {
	switch r {
	case model.RoleLatency:
		return 0
	case model.RoleCPULoad:
		return 1
	case model.RoleFlow, model.RoleRefCount:
		return 2
	case model.RoleState:
		return 3
	case model.RoleCPUTime, model.RoleActivity:
		return 5
	case model.RoleReported:
		return 6
	case model.RoleStack, model.RoleProcessor:
		return 7
	}
	return 4
}

// definedSeries tells whether a series was defined: ids may have holes.
func definedSeries(d *model.SeriesDef) bool { return d.Name != "" || d.Group != "" }

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
	curve format.Unit // of what is drawn
	sort  float64
	empty bool // has no samples
}

// seriesPickKey is what the choice and the colours of series depend on.
type seriesPickKey struct {
	session *model.Session
	defs    uint64
	group   string
	filter  string
	theme   assets.Color
	chosen  bool
	weight  bool
	valid   bool
}

// seriesPick is the list of series that a chart shows, in order.
type seriesPick struct {
	key        seriesPickKey
	ids        []model.SeriesID // a copy of those that were asked for
	items      []seriesItem
	order      Order
	orderRev   uint64 // of the session
	orderAxis  view.Window
	orderAtNs  int64
	gatheredNs int64
	edition    uint64 // changes with the items and their order
	kind       model.SeriesKind
	same       bool // all are of one kind and unit
	states     []string
	// begin and end are the times of the earliest and the latest sample; begin > end: none.
	begin, end int64
}

// manySeries is the number of series from which new ones are not looked for every tick.
const manySeries = 1000

// update brings the list up to date.
func (p *seriesPick) update(env *panel.Env, c *Chart) {
	s, v := env.View.Session(), env.View
	key := seriesPickKey{session: s, defs: s.DefsRevision(), group: c.Group, filter: c.Filter, theme: env.Theme.Panel, chosen: c.chosen, weight: c.Weight, valid: true}
	fresh := key != p.key || !slices.Equal(p.ids, c.IDs)
	if fresh && len(p.items) > manySeries && env.Animate && env.NowNs-p.gatheredNs < panel.LiveValuesNs {
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
	axis := view.Window{}
	if c.Order == OrderMean {
		axis = v.Time()
	}
	switch {
	case fresh, c.Order != p.order:
	case p.orderRev == s.Revision() && p.orderAxis == axis:
		return
	case env.Animate && env.NowNs-p.orderAtNs < orderLiveNs:
		return
	}
	p.order, p.orderRev, p.orderAxis, p.orderAtNs = c.Order, s.Revision(), axis, env.NowNs
	if p.sort(env, s, c) || fresh {
		p.edition++
	}
}

// gather collects the series that are asked for and gives them colours.
func (p *seriesPick) gather(env *panel.Env, s *model.Session, c *Chart) {
	p.items, p.same, p.states = p.items[:0], true, nil
	add := func(id model.SeriesID) {
		x := s.Series(id)
		if x == nil || !definedSeries(&x.Def) || c.Filter != "" && !format.ContainsFold(x.Def.Name, c.Filter) {
			return
		}
		p.items = append(p.items, seriesItem{id: id, value: format.UnitOfValues(&x.Def), curve: format.UnitOfCurve(&x.Def, c.Weight)})
	}
	if len(c.IDs) > 0 {
		for _, id := range c.IDs {
			add(id)
		}
	} else {
		for id := range model.SeriesID(s.NumSeries()) {
			if s.Series(id).Def.Group == c.Group {
				add(id)
			}
		}
	}
	for i := range p.items {
		d := &s.Series(p.items[i].id).Def
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
	// Colours go by the order of names, which is that of overlays: those that are seen together differ.
	slices.SortFunc(p.items, func(a, b seriesItem) int {
		x, y := s.Series(a.id), s.Series(b.id)
		if e, f := x.Len() == 0, y.Len() == 0; e != f {
			if e {
				return 1
			}
			return -1
		}
		return cmp.Or(format.CompareNatural(x.Def.Name, y.Def.Name), cmp.Compare(a.id, b.id))
	})
	var hues []float64
	for i := range p.items {
		p.items[i].color, hues = distinctColor(s.Series(p.items[i].id).Def.Name, hues, env.Theme)
	}
}

// distinctColor returns the colour of a name, moved on where it would look like one of the colours given so far, whose hues are in taken; it returns taken with its own.
// Only the first dozen are kept apart: nobody tells more colours from each other.
func distinctColor(name string, taken []float64, th *assets.Theme) (draw.Color, []float64) {
	if len(taken) >= maxOverlay {
		return onGround(draw.RGB(assets.NameColor(name)), th), taken
	}
	// Six hues tell apart at one lightness; the next six have another one.
	const half = maxOverlay / 2
	second := len(taken) >= half
	others := taken
	if second {
		others = taken[half:]
	}
	const apart = 60
	best, bestName, bestFar := assets.NameHue(name), name, -1.0
	candidate := name
	for range 24 {
		hue, far := assets.NameHue(candidate), 360.0
		for _, t := range others {
			d := math.Abs(hue - t)
			far = min(far, d, 360-d)
		}
		if far > bestFar {
			best, bestName, bestFar = hue, candidate, far
		}
		if bestFar >= apart {
			break
		}
		candidate += "'"
	}
	color := onGround(draw.RGB(assets.NameColor(bestName)), th)
	if second {
		color = draw.Mix(color, draw.Color(th.Text), 110)
	}
	return color, append(taken, best)
}

// onGround returns a colour as thin lines need it: darker on a light ground.
func onGround(c draw.Color, th *assets.Theme) draw.Color {
	if th.Panel.G > 128 {
		return draw.Mix(c, draw.RGB(0, 0, 0), 44)
	}
	return c
}

// sort orders the items and tells whether their order changed.
func (p *seriesPick) sort(env *panel.Env, s *model.Session, c *Chart) (changed bool) {
	order := c.Order
	begin, end := env.View.Time().Visible()
	var one [1]model.SeriesBin
	p.begin, p.end = math.MaxInt64, math.MinInt64
	for i := range p.items {
		it := &p.items[i]
		x := s.Series(it.id)
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
	less := func(a, b seriesItem) int {
		if a.empty != b.empty {
			if a.empty {
				return 1
			}
			return -1
		}
		if order != OrderName {
			if d := cmp.Compare(b.sort, a.sort); d != 0 {
				return d
			}
		}
		if d := format.CompareNatural(s.Series(a.id).Def.Name, s.Series(b.id).Def.Name); d != 0 {
			return d
		}
		return cmp.Compare(a.id, b.id)
	}
	if slices.IsSortedFunc(p.items, less) {
		return false
	}
	slices.SortFunc(p.items, less)
	return true
}

// sortMean returns what OrderMean goes by: the mean of values, the growth of counters, the number or the weight of events.
func sortMean(kind model.SeriesKind, b *model.SeriesBin, weight bool) float64 {
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
	return b.Sum / float64(b.N)
}
