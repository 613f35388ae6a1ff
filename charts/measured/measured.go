// Package measured is the table column for the difference of rows to a pinned baseline.
package measured

import (
	"math"
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/spans"
)

// column returns the column for the difference of a row to a baseline; it is there while one is
// pinned.
func column[R any](of func(env *panel.Env, r *R) subject.Measured) table.Column[R] {
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

// Columns are the columns of a table, with and without that of the baseline.
type Columns[R any] struct {
	of, with []table.Column[R]
}

// With returns the columns of a table, with and without that of the baseline. Of a narrow table the difference stays
// longer than other numbers do.
func With[R any](list []table.Column[R], of func(env *panel.Env, r *R) subject.Measured) Columns[R] {
	with := slices.Clone(list)
	for i := range with {
		if with[i].Kind == table.Number {
			with[i].Drop = max(with[i].Drop, 1)
		}
	}
	return Columns[R]{list, append(with, column(of))}
}

// All returns the columns that there are.
func (c *Columns[R]) All(measured bool) []table.Column[R] {
	return format.Pick(measured, c.with, c.of)
}

// Plain returns those without the baseline's, which tests change.
func (c *Columns[R]) Plain() *[]table.Column[R] { return &c.of }

// Rename hands each column to f, which may name it otherwise.
func (c *Columns[R]) Rename(f func(c *table.Column[R])) {
	for _, list := range [][]table.Column[R]{c.of, c.with} {
		for i := range list {
			f(&list[i])
		}
	}
}

// Baseline is the baseline of rows, as of a tick: nil if none is pinned.
type Baseline struct {
	*compare.Against
	revision uint64
}

// Follow takes over the pinned baseline, and reports whether it changed.
func (b *Baseline) Follow(env *panel.Env) bool {
	now := Baseline{subject.Baseline(env), env.Comparing.BaselineRevision()}
	if now == *b {
		return false
	}
	*b = now
	return true
}

// InFrame compares the time of a collector in a frame of the shown thread, callees included.
func (b *Baseline) InFrame(env *panel.Env, c model.CollectorID, ns float64) subject.Measured {
	if b.Against == nil || b.ByTime() {
		return subject.Measured{}
	}
	e, known := b.Collector(env.View.Track(), c)
	return subject.MeasuredBy(e, known, subject.TotalOf, ns)
}

// Nodes are the baseline's entries for the calls of a tree of one thread.
type Nodes struct {
	Known   bool // the tree shows a figure that the baseline has
	byTime  bool
	scale   float64 // makes of a total one of a frame, or of a second
	entries []node
}

// node is the entry for a call.
type node struct {
	entry *compare.Entry
	row   int // to look up its callees with
}

// Look looks up the calls of a tree, callers before callees; scale makes of a total one of a frame, or of a second.
func (x *Nodes) Look(b *compare.Against, track model.TrackID, tree []spans.Node, scale float64) {
	x.Known, x.byTime, x.scale, x.entries = true, b.ByTime(), scale, x.entries[:0]
	for i := range tree {
		n, up := &tree[i], -1
		if n.Parent >= 0 {
			up = x.entries[n.Parent].row
		}
		e, row := b.Child(track, up, n.Collector)
		x.entries = append(x.entries, node{e, row})
	}
}

// Of measures the total of a node.
func (x *Nodes) Of(i int32, total float64) subject.Measured {
	if !x.Known || int(i) >= len(x.entries) {
		return subject.Measured{}
	}
	m := subject.MeasuredBy(x.entries[i].entry, true, subject.TotalOf, total*x.scale)
	m.Share = x.byTime
	return m
}
