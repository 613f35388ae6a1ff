package table

import "framescope/charts/panel"

// List is the rows of a source that has all of them at once, for it to embed: it makes them anew when their
// inputs changed, while live not more often than one can read.
type List[R any] struct {
	All      []R
	Fresh    panel.Refresher // decides when, see Due
	Revision uint64          // changes with anything that a cell shows
}

// At implements Source.
func (l *List[R]) At(i int) *R { return &l.All[i] }

// Listed is the answer of Source.Rows.
func (l *List[R]) Listed() (n int, revision uint64) { return len(l.All), l.Revision }

// Due reports whether the rows must be made anew for inputs, and notes that they are.
func (l *List[R]) Due(env *panel.Env, key panel.RangeKey) bool {
	due := l.Fresh.Due(env, key)
	if due {
		l.Revision++
	}
	return due
}

// None takes the rows away, until there are inputs again. It is the answer of Source.Rows then.
func (l *List[R]) None() (n int, revision uint64) {
	if len(l.All) > 0 {
		l.Revision++
	}
	l.All, l.Fresh.Done = l.All[:0], false
	return l.Listed()
}
