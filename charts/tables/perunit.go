package tables

import (
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
)

// source is the content of a table with frames, or with spans.
type source[R any] interface {
	table.Source[*R]
	table.Describer[*R]
	table.Clicker[*R]
	table.Tips[*R]
	table.Keyed[*R]
}

// perUnit is the source of a table that has one for each unit of time.
type perUnit[R any, S interface {
	source[R]
	comparable
}] struct {
	view.PerUnit[S]
	other        func(*view.View) (S, bool) // stands for both where it is true; nil: none does
	now          S                          // that the rows are from
	revision, of uint64
}

// over returns a source that is one of two, by the unit of time of the view.
func over[R any, S interface {
	source[R]
	comparable
}](frames, spans S) perUnit[R, S] {
	return perUnit[R, S]{PerUnit: view.PerUnit[S]{Frames: frames, Spans: spans}, now: frames}
}

// Rows implements table.Source.
func (p *perUnit[R, S]) Rows(env *panel.Env) (n int, revision uint64) {
	now := p.Of(env.View)
	if p.other != nil {
		if other, does := p.other(env.View); does {
			now = other
		}
	}
	n, of := now.Rows(env)
	if now != p.now || of != p.of {
		p.now, p.of = now, of
		p.revision++
	}
	return n, p.revision
}

// Columns implements table.Source.
func (p *perUnit[R, S]) Columns() []table.Column[R] { return p.now.Columns() }

// At implements table.Source.
func (p *perUnit[R, S]) At(i int) *R { return p.now.At(i) }

// Empty implements table.Source.
func (p *perUnit[R, S]) Empty(filtered bool) string { return p.now.Empty(filtered) }

// Row implements table.Describer.
func (p *perUnit[R, S]) Row(env *panel.Env, r *R) table.RowInfo { return p.now.Row(env, r) }

// Click implements table.Clicker.
func (p *perUnit[R, S]) Click(env *panel.Env, r *R, in *panel.Input) panel.Action {
	return p.now.Click(env, r, in)
}

// Tip implements table.Tips.
func (p *perUnit[R, S]) Tip(env *panel.Env, r *R, l *panel.TipLines) { p.now.Tip(env, r, l) }

// Key implements table.Keyed.
func (p *perUnit[R, S]) Key(r *R) uint64 { return p.now.Key(r) }
