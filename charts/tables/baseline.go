package tables

import (
	"math"
	"slices"

	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/spans"
)

// measuredColumn returns the column that tells by how much a row is off a baseline; it is there while one
// is pinned.
func measuredColumn[R any](of func(env *panel.Env, r *R) subject.Measured) table.Column[R] {
	return table.Column[R]{
		ID: "vs_baseline", Title: "vs baseline", Unit: "ns", Kind: table.Number, Width: 78,
		Value: func(env *panel.Env, r *R) float64 {
			if m := of(env, r); m.Known {
				return m.Delta()
			}
			return math.NaN()
		},
		Format: func(dst []byte, v float64) []byte {
			m := subject.Measured{Value: v, Known: true}
			return m.AppendDelta(dst)
		},
		Cell: func(env *panel.Env, r *R, c *table.Cell) {
			if m := of(env, r); m.Known {
				c.Buf, c.Color = m.AppendDelta(c.Buf[:0]), m.Color(env)
			}
		},
	}
}

// measuredColumns are the columns of a table, with and without that of the baseline.
type measuredColumns[R any] struct {
	of   []table.Column[R]
	with []table.Column[R]
}

// columnsMeasured returns both. Of a narrow table the difference stays longer than other numbers do.
func columnsMeasured[R any](list []table.Column[R], of func(env *panel.Env, r *R) subject.Measured) measuredColumns[R] {
	with := slices.Clone(list)
	for i := range with {
		if with[i].Kind == table.Number {
			with[i].Drop = max(with[i].Drop, 1)
		}
	}
	return measuredColumns[R]{list, append(with, measuredColumn(of))}
}

// all returns the columns that there are.
func (c *measuredColumns[R]) all(measured bool) []table.Column[R] {
	if measured {
		return c.with
	}
	return c.of
}

// baselineOf is what rows are measured by, as of a tick: nil where nothing is pinned.
type baselineOf struct {
	*compare.Against
	revision uint64
}

// follow takes over what is pinned, and tells whether it is another.
func (b *baselineOf) follow(env *panel.Env) bool {
	now := baselineOf{subject.Baseline(env), env.Comparing.BaselineRevision()}
	if now == *b {
		return false
	}
	*b = now
	return true
}

// inFrame measures what a collector takes in a frame of the shown thread, callees included.
func (b *baselineOf) inFrame(env *panel.Env, c model.CollectorID, ns float64) subject.Measured {
	if b.Against == nil || b.ByTime() {
		return subject.Measured{}
	}
	e, known := b.Collector(env.View.Track(), c)
	return subject.MeasuredBy(e, known, subject.TotalOf, ns)
}

// ofCalls measures the mean of the calls of a collector, of sampled stacks the part of the time.
func (b *baselineOf) ofCalls(env *panel.Env, st *spans.Stat, of *callStats) subject.Measured {
	if b.Against == nil || st == nil {
		return subject.Measured{}
	}
	e, known := b.Collector(env.View.Track(), st.Collector)
	if !st.Sampled {
		return subject.MeasuredBy(e, known, subject.CallOf, st.MeanNs)
	}
	if !b.ByTime() {
		return subject.Measured{}
	}
	m := subject.MeasuredBy(e, known, subject.TotalOf, of.share(st.TotalNs)*1e9)
	m.Share = true
	return m
}
