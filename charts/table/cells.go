package table

import (
	"strings"

	"framescope/charts/panel"
)

// menuOf opens the menu of a cell: that of the row's item, and actions on its words.
func (t *Table) menuOf(env *panel.Env, hit panel.Hit, row, col int, in *panel.Input) panel.Action {
	act := panel.MenuOf(hit, in.X, in.Y)
	act.Cells = panel.Cells{Row: t.rowText(env, row), All: t.all()}
	heads := t.rows.heads()
	if col < 0 || heads[col].kind.drawn() {
		return act
	}
	words, h := strings.Clone(t.fetch(env, row, col).text()), &heads[col]
	act.Cells.Cell, act.Cells.Name = words, h.kind == Words
	if id := h.id; words != "" && h.kind == Words && !t.rows.arranges() {
		act.Cells.Only = func() { t.setOnly(only{id, words}) }
	}
	return act
}

// all returns the function that removes the filter by cell text; nil: there is none.
func (t *Table) all() func() {
	if t.by.only.words == "" {
		return nil
	}
	return func() { t.setOnly(only{}) }
}

func (t *Table) setOnly(o only) {
	t.by.only = o
	t.by.stamp++
}

// onlyIn reports whether the rows are filtered by the text of a column.
func (t *Table) onlyIn(h *head) bool { return t.by.only.words != "" && t.by.only.column == h.id }
