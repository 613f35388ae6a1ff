package subject

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// SeriesGroup is a group of series of a session that may share a chart.
type SeriesGroup struct {
	Name string // model.SeriesDef.Group
	// Kind, Unit and Role are those of the group's first series.
	Kind model.SeriesKind
	Unit string
	Role model.SeriesRole
	// Mixed means that the series differ in kind or unit: they are shown in rows.
	Mixed bool
	// Count is the number of series, and Order the place of that of them which comes first.
	Count int
	First model.SeriesID
	Order spans.SeriesOrder
}

// SeriesGroups returns the groups of series that a session has, those that one looks at first in
// front, else in the order of their first series. Cost: O(series); SeriesGroupList keeps the
// answer.
func SeriesGroups(s *store.Session) []SeriesGroup {
	var l SeriesGroupList
	return l.Groups(s)
}

// SeriesGroupList keeps the groups of a session. The zero value is ready.
type SeriesGroupList struct {
	session *store.Session
	defs    uint64
	list    []SeriesGroup
	index   map[string]int
	ordered uint64 // the session's revision when it was put in order
	ended   bool   // the session's then
}

// Groups returns the groups of a session, made anew only when definitions changed, and put in order again
// when there is twice as much as before, and when all is there. The slice is the list's own and valid until the next
// call.
func (l *SeriesGroupList) Groups(s *store.Session) []SeriesGroup {
	if l.session == s && l.defs == s.DefsRevision() {
		if _, ended := s.Ended(); ended != l.ended || s.Revision() >= 2*l.ordered {
			l.order(s)
		}
		return l.list
	}
	l.session, l.defs = s, s.DefsRevision()
	l.list = l.list[:0]
	if l.index == nil {
		l.index = map[string]int{}
	}
	clear(l.index)
	for id := range model.SeriesID(s.Series().Len()) {
		d := &s.Series().ByID(id).Def
		if !SeriesIsDefined(d) {
			continue
		}
		i, ok := l.index[d.Group]
		if !ok {
			i = len(l.list)
			l.index[d.Group] = i
			l.list = append(l.list, SeriesGroup{Name: d.Group, Kind: d.Kind, Unit: d.Unit, Role: d.Role, First: id})
		}
		g := &l.list[i]
		g.Count++
		g.Mixed = g.Mixed || g.Kind != d.Kind || g.Unit != d.Unit
	}
	l.order(s)
	return l.list
}

// order sorts the groups by interest, equals by definition. Cost: O(series · log samples).
func (l *SeriesGroupList) order(s *store.Session) {
	l.ordered = max(s.Revision(), 1)
	_, l.ended = s.Ended()
	for i := range l.list {
		l.list[i].Order = spans.Constant
	}
	for id := range model.SeriesID(s.Series().Len()) {
		x := s.Series().ByID(id)
		if i, ok := l.index[x.Def.Group]; ok && SeriesIsDefined(&x.Def) && l.list[i].Order > spans.ChangingNumber {
			l.list[i].Order = min(l.list[i].Order, x.Order())
		}
	}
	slices.SortFunc(l.list, func(a, b SeriesGroup) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.First, b.First))
	})
	for i := range l.list {
		l.index[l.list[i].Name] = i
	}
}

// rank orders groups by interest: numbers that change, by their role, then states, then constants.
func (g *SeriesGroup) rank() int {
	switch g.Role {
	case model.RoleStack, model.RoleWeight, model.RoleProcessor:
		return 8
	case model.RoleReported:
		return 7
	}
	switch {
	case g.Order == spans.Constant:
		return 6
	case g.Order == spans.ChangingState:
		return 5
	}
	switch g.Role {
	case model.RoleLatency:
		return 0
	case model.RoleCPULoad:
		return 1
	case model.RoleFlow, model.RoleRefCount:
		return 2
	case model.RoleCPUTime, model.RoleActivity:
		return 4
	}
	return 3
}

// SeriesIsDefined reports whether a series was defined: ids may have holes.
func SeriesIsDefined(d *model.SeriesDef) bool { return d.Name != "" || d.Group != "" }

// DistinctColors is how many colors are kept apart; the rest repeat.
const DistinctColors = assets.NumFamilies

// distinctColor returns the color of a name, moved on if it would look like one of the colors
// given so far, with their hues in taken; it returns taken with its own. Only the first dozen are
// kept apart: people cannot distinguish more.
func distinctColor(name string, taken []float64, th *assets.Theme) (draw.Color, []float64) {
	if len(taken) >= DistinctColors {
		return onGround(draw.Color(th.NameColor(name)), th), taken
	}
	const stride = 5 // leads to all
	slot := assets.FamilySlot(name)
	best, bestFar := slot, -1.0
	for range DistinctColors {
		hue, far := assets.Hue(assets.FamilyPos(slot)), 360.0
		for _, t := range taken {
			far = min(far, assets.HueDistance(hue, t))
		}
		const enough = 60
		if far = min(far, enough); far > bestFar {
			best, bestFar = slot, far
		}
		slot = (slot + stride) % DistinctColors
	}
	hue := assets.Hue(assets.FamilyPos(best))
	return onGround(draw.Color(th.Data.Color(hue, assets.Level(best%2))), th), append(taken, hue)
}

// onGround returns a color as thin lines need it: darker on a light ground.
func onGround(c draw.Color, th *assets.Theme) draw.Color {
	if th.Kind == assets.LightTheme {
		return draw.Mix(c, draw.RGB(0, 0, 0), 44)
	}
	return c
}

// NamedStateColor returns the color of a state of that name, the same wherever it is one.
func NamedStateColor(env *panel.Env, name string) draw.Color {
	th := env.Theme
	switch name {
	case "false", "off", "no", "idle", "null", "stopped", "inactive", "closed", "waiting", "parked", "sleeping":
		return draw.Color(th.Even)
	case "", "none", "void-pending", "unknown":
		return draw.Mix(draw.Color(th.Even), draw.Color(th.Panel), 128)
	case "true", "on", "yes", "playing", "running", "active":
		return draw.Color(th.Live)
	}
	return onGround(draw.Color(th.NameColor(name)), th)
}

// AppendState appends the name of a state; states without a name are numbers.
func AppendState(dst []byte, d *model.SeriesDef, value float64) []byte {
	if name := d.State(value); name != "" {
		return append(dst, name...)
	}
	if value == math.Trunc(value) && math.Abs(value) < 1e15 {
		return strconv.AppendInt(dst, int64(value), 10)
	}
	return format.AppendValue(dst, value, "")
}
