package table

import (
	"math"
	"strings"

	"framescope/charts/panel"
)

// Facts implements panel.Teller: every number of every row, also of columns for which the table is
// too narrow. A cell that shows nothing, or a dash, states nothing.
func (t *Table) Facts(env *panel.Env, out []panel.Fact) []panel.Fact {
	t.prepare(env)
	for row := range t.n {
		of, name, depth := t.rows.info(env, row).Hit, "", 0
		for col, h := range t.rows.heads() {
			if !h.exported() {
				continue
			}
			c := t.fetch(env, row, col)
			if h.kind == Words && name == "" {
				name, depth = strings.Clone(c.words()), c.Depth
			}
			if h.kind != Number || c.words() == "" || c.words() == unknown {
				continue
			}
			title := h.title
			if h.long != "" {
				title = h.long
			}
			f := panel.Fact{
				Measure: h.id, Header: title, Row: row, Of: of, Name: name, Depth: depth,
				Value: math.NaN(), Unit: h.unit, Text: strings.Clone(c.words()),
			}
			if h.valued {
				f.Value = t.rows.value(env, row, col)
			}
			out = append(out, f)
		}
	}
	return out
}

// Marked implements panel.Marker.
func (t *Table) Marked(env *panel.Env, out []panel.Hit) []panel.Hit {
	t.prepare(env)
	for row := range t.n {
		if info := t.rows.info(env, row); info.Selected {
			info.Hit.Lines = nil
			out = append(out, info.Hit)
		}
	}
	return out
}
