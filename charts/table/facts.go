package table

import (
	"math"
	"strings"

	"framescope/charts/format"
	"framescope/charts/panel"
)

// Facts implements panel.Teller: every number of every row, also of columns that do not fit. An
// empty cell states nothing, nor does the dash of an unknown value; a dash in the place of a number
// means next to nothing.
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
				name, depth = strings.Clone(c.text()), c.Depth
			}
			if h.kind != Number || c.text() == "" {
				continue
			}
			value := math.NaN()
			if h.valued {
				value = t.rows.value(env, row, col)
			}
			if c.text() == unknown && !h.little(value) {
				continue
			}
			title := format.Pick(h.long != "", h.long, h.title)
			f := panel.Fact{
				Measure: h.id, Header: title, Row: row, Of: of, Name: name, Depth: depth,
				Value: value, Unit: h.unit, Text: strings.Clone(c.text()),
			}
			out = append(out, f)
		}
	}
	return t.footFacts(out)
}

// little reports whether a number of the column is written as a dash because it is next to nothing.
func (h *head) little(v float64) bool {
	switch {
	case v != v:
		return false
	case h.time:
		return string(h.as.Append(nil, v)) == unknown
	}
	return h.share && string(format.AppendBare(nil, v*100)) == unknown
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
