package tables

import (
	"framescope/charts/panel"
	"framescope/model"
)

// callStats are the statistics of calls that tables show where there are no frames: of the view's track, in the selected range or, while none is selected, in all of the session.
type callStats struct {
	all    []model.SpanStat
	track  [1]model.TrackID
	t0, t1 int64
}

// callKey returns what callStats depend on; ok is false where tables go by frames, or nothing is stored.
func callKey(env *panel.Env) (key panel.RangeKey, ok bool) {
	v := env.View
	if !v.Unframed() {
		return key, false
	}
	key = panel.RangeKey{Session: v.Session(), Revision: v.Session().Revision(), Track: v.Track(), Live: v.Live(), Calls: true}
	key.T0, key.T1, ok = v.TimeRange()
	return key, ok
}

// callsPrepared is how many spans are made ready for statistics in one go.
const callsPrepared = 100_000

// callsReady makes the statistics of long sessions ready a little at a time, and tells whether they are.
func callsReady(env *panel.Env) bool {
	return !env.Animate || !env.View.Session().PrepareSpanStats(env.View.Track(), callsPrepared)
}

// read asks the session.
func (c *callStats) read(key panel.RangeKey) {
	c.track[0], c.t0, c.t1 = key.Track, key.T0, key.T1
	c.all = key.Session.SpanStats(c.track[:], key.T0, key.T1, c.all[:0])
}

// share returns what part of the range a time is.
func (c *callStats) share(ns int64) float64 { return float64(ns) / float64(max(c.t1-c.t0, 1)) }
