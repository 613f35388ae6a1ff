package tables

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// collectorRow returns the highlight of a collector's row, and its item.
func collectorRow(v *view.View, c model.CollectorID) table.RowInfo {
	return table.RowInfo{
		Selected: c == v.Collector(), Lit: c == v.Pointer().Collector(), Dim: v.Look().Hidden(c),
		Hit: panel.Hit{Kind: panel.HitCollector, Collector: c, Track: v.Track(), Frame: -1},
	}
}

// limitBadge returns the color of the dot of a collector with budgets: whether it keeps them.
func limitBadge(env *panel.Env, c model.CollectorID) draw.Color {
	list := env.Limits.Of(env.View.Track(), c)
	if len(list) == 0 {
		return draw.Color{}
	}
	return subject.LimitColor(env, view.Broken(list))
}

// rangeOrAll returns the selected range, without one all of the session, its last instant included.
func rangeOrAll(v *view.View, s *store.Session) (t0, t1 int64) {
	if t0, t1 = v.RangeA(), v.RangeB(); t1 > t0 {
		return t0, t1
	}
	t0, t1, _ = s.Bounds()
	return t0, t1 + 1
}
