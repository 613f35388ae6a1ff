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
	"framescope/model/store"
)

// SeriesGroup is a group of series of a session that may share a chart.
type SeriesGroup struct {
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
	rev     uint64
}

// SeriesGroups returns the groups of a session, made anew only when definitions changed. The slice
// is the list's own and valid until the next call.
func (l *SeriesGroupList) Groups(s *store.Session) []SeriesGroup {
	if s == nil {
		return nil
	}
	if l.session == s && l.defs == s.DefsRevision() {
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
	slices.SortStableFunc(l.list, func(a, b SeriesGroup) int { return cmp.Compare(groupRank(a.Role), groupRank(b.Role)) })
	l.rev++
	return l.list
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

// SeriesIsDefined tells whether a series was defined: ids may have holes.
func SeriesIsDefined(d *model.SeriesDef) bool { return d.Name != "" || d.Group != "" }

// DistinctColors is how many colours are kept apart; the rest repeat.
const DistinctColors = 12

// DistinctColor returns the colour of a name, moved on where it would look like one of the colours
// given so far, whose hues are in taken; it returns taken with its own.
// Only the first dozen are kept apart: nobody tells more colours from each other.
func DistinctColor(name string, taken []float64, th *assets.Theme) (draw.Color, []float64) {
	if len(taken) >= DistinctColors {
		return onGround(draw.RGB(assets.NameColor(name)), th), taken
	}
	// Six hues tell apart at one lightness; the next six have another one.
	const half = DistinctColors / 2
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

func NamedStateColor(env *panel.Env, name string) draw.Color {
	switch name {
	case "false", "off", "no", "idle", "null", "stopped", "inactive", "closed":
		return draw.Mix(draw.Color(env.Theme.Text2), draw.Color(env.Theme.Panel), 100)
	case "", "none", "void-pending", "unknown":
		return draw.Mix(draw.Color(env.Theme.Text2), draw.Color(env.Theme.Panel), 180)
	case "true", "on", "yes", "playing", "running", "active":
		return onGround(draw.RGB(assets.NameColor("playing'")), env.Theme)
	}
	return onGround(draw.RGB(assets.NameColor(name)), env.Theme)
}

// AppendState appends the name of a state; states without a name are numbers.
func AppendState(dst []byte, d *model.SeriesDef, value float64) []byte {
	if i := int(value); value == math.Trunc(value) && i >= 0 && i < len(d.States) && d.States[i] != "" {
		return append(dst, d.States[i]...)
	}
	if value == math.Trunc(value) && math.Abs(value) < 1e15 {
		return strconv.AppendInt(dst, int64(value), 10)
	}
	return format.AppendValue(dst, value, "")
}
