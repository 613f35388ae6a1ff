package tables

import (
	"math"
	"slices"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// callStats are the statistics of calls that tables show where there are no frames: of the view's
// track, in the selected range or, while none is selected, in all of the session.
type callStats struct {
	of     *store.Session
	all    []spans.Stat
	track  [1]model.TrackID
	t0, t1 int64
	runs   bool // they are runs
}

// callKey returns the inputs of callStats; ok is false while nothing is stored.
func callKey(env *panel.Env) (key panel.RangeKey, ok bool) {
	v := env.View
	key = panel.RangeKey{Session: v.Session(), Revision: v.Session().Revision(), Track: v.Track(), Live: v.Live(),
		Calls: true}
	key.T0, key.T1, ok = v.TimeRange()
	return key, ok
}

// callsPrepared is how many spans are made ready for statistics in one go.
const callsPrepared = 100_000

// callsReady makes the statistics of long sessions ready a little at a time, and reports whether they
// are.
func callsReady(env *panel.Env) bool {
	return !env.Paced || !env.View.Session().Spans().PrepareStats(env.View.Track(), callsPrepared)
}

// read queries the session.
func (c *callStats) read(key panel.RangeKey) {
	c.of, c.track[0], c.t0, c.t1, c.runs = key.Session, key.Track, key.T0, key.T1, key.Session.Spans().Sampled(key.Track)
	c.all = key.Session.Spans().Stats(c.track[:], key.T0, key.T1, c.all[:0])
}

// async reports whether the row sums up asynchronous spans: they have no self time and no share of
// the range.
func (c *callStats) async(st *spans.Stat) bool { return c.of.Collector(st.Collector).Async }

// share returns a time as a share of the range.
func (c *callStats) share(ns int64) float64 { return float64(ns) / float64(max(c.t1-c.t0, 1)) }

// callFigure is a figure of the calls of a collector.
type callFigure struct {
	id, unit, tip string // the tip is the title, as the vocabulary has it
	value         func(st *spans.Stat, of *callStats) float64
	format        func(dst []byte, v float64) []byte
	of            callKind
}

// callKind is the kind of spans that have a figure.
type callKind uint8

const (
	anyCall      callKind = iota
	recordedOnly          // individually recorded calls or asynchronous spans
	nestedOnly            // calls and runs, which nest
	sampledOnly           // runs of samples
)

// callFigures are the figures, in the order of tooltips.
var callFigures = [...]callFigure{
	{"calls", "", "calls", func(st *spans.Stat, _ *callStats) float64 { return float64(st.Calls) }, table.Count,
		recordedOnly},
	{"runs", "", "runs", func(st *spans.Stat, _ *callStats) float64 { return float64(st.Calls) }, table.Count,
		sampledOnly},
	{"samples", "", "samples", func(st *spans.Stat, _ *callStats) float64 { return float64(st.Samples) }, table.Count,
		sampledOnly},
	{"total", "ns", "total", func(st *spans.Stat, _ *callStats) float64 { return float64(st.TotalNs) }, table.Duration,
		anyCall},
	{
		"uncertainty", "ns", "± by the number of samples",
		func(st *spans.Stat, _ *callStats) float64 { return float64(st.ErrorNs()) }, table.Duration, sampledOnly,
	},
	{"self", "ns", "self", func(st *spans.Stat, _ *callStats) float64 { return float64(st.SelfNs) }, table.Duration,
		nestedOnly},
	{"mean", "ns", "mean", func(st *spans.Stat, _ *callStats) float64 { return st.MeanNs }, table.Duration, anyCall},
	{"min", "ns", "shortest", func(st *spans.Stat, _ *callStats) float64 { return float64(st.MinNs) }, table.Duration,
		anyCall},
	{"max", "ns", "longest", func(st *spans.Stat, _ *callStats) float64 { return float64(st.MaxNs) }, table.Duration,
		anyCall},
	{
		"share", "", "share",
		func(st *spans.Stat, of *callStats) float64 { return of.share(st.TotalNs) }, format.AppendPercent, nestedOnly,
	},
}

// known reports whether the figure is known of a collector.
func (f *callFigure) known(st *spans.Stat, of *callStats) bool {
	switch f.of {
	case recordedOnly:
		return !st.Sampled
	case sampledOnly:
		return st.Sampled
	case nestedOnly:
		return !of.async(st)
	}
	return true
}

// figureOf returns the figure of an id.
func figureOf(id string) *callFigure {
	return &callFigures[slices.IndexFunc(callFigures[:], func(f callFigure) bool { return f.id == id })]
}

// callColumn returns the column c, named like a figure, with the figure of each row that has one.
func callColumn[R any](c table.Column[R], of *callStats, stat func(*R) *spans.Stat) table.Column[R] {
	f := figureOf(c.ID)
	c.Title, c.Unit, c.Kind, c.Time, c.Share = f.tip, f.unit, table.Number, f.unit == "ns", c.ID == "share"
	switch c.ID {
	case "uncertainty":
		c.Title = "±"
	case "self":
		c.As = "total"
	}
	c.Value = func(_ *panel.Env, r *R) float64 {
		if st := stat(r); st != nil && (f.of != nestedOnly || f.known(st, of)) {
			return f.value(st, of)
		}
		return math.NaN()
	}
	c.Cell = func(_ *panel.Env, r *R, to *table.Cell) {
		switch st := stat(r); {
		case st == nil, f.of == nestedOnly && !f.known(st, of):
			to.Buf, to.Color = to.Buf[:0], draw.Color{}
		case !c.Time && !c.Share:
			to.Buf = f.format(to.Buf, f.value(st, of))
		}
	}
	return c
}

// callColumns returns the columns of a list for recorded calls, and those for runs of samples, behind the
// first ones of both.
func callColumns[R any](
	first, list []table.Column[R], of *callStats, stat func(*R) *spans.Stat,
) (calls, runs []table.Column[R]) {
	calls, runs = slices.Clone(first), slices.Clone(first)
	for _, c := range list {
		kind := figureOf(c.ID).of
		c = callColumn(c, of, stat)
		if kind != sampledOnly {
			calls = append(calls, c)
		}
		if kind != recordedOnly {
			runs = append(runs, c)
		}
	}
	return calls, runs
}

// callTip adds the figures of the calls of a collector.
func callTip(l *panel.TipLines, st *spans.Stat, of *callStats) {
	for i := range callFigures {
		f := &callFigures[i]
		if !f.known(st, of) {
			continue
		}
		l.Text(f.tip).Text("\t")
		l.Buf = f.format(l.Buf, f.value(st, of))
		l.End()
	}
}
