package tables

import (
	"strconv"

	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// Threads, the parts of a program and the ways through it are three kinds of things: where there
// are several, the list of threads has a group for each, with a heading.

// Group implements table.Grouper.
func (t *Threads) Group(r *threadRow) int {
	if r.head != "" {
		return 2 * r.group
	}
	return 2*r.group + 1
}

// head puts a heading above each group, where there are several.
func (t *threadRows) head(s *store.Session) {
	var n [view.NumKindGroups]int
	var titles [view.NumKindGroups]string
	groups := 0
	for i := range t.rows {
		g := t.rows[i].group
		if n[g]++; n[g] == 1 {
			groups++
			_, titles[g] = view.KindGroup(s.Track(t.rows[i].id).Def.Kind)
		}
	}
	if groups < 2 {
		return
	}
	for g := range n {
		if n[g] > 0 {
			t.rows = append(t.rows, threadRow{
				id: model.NoTrack, group: g, share: unknown, head: titles[g] + " " + strconv.Itoa(n[g]),
			})
		}
	}
}

// headed makes of a column of threads one that leaves headings alone, or writes them.
func headed(c table.Column[threadRow], title bool) table.Column[threadRow] {
	text, cell, fold, swatch := c.Text, c.Cell, c.Fold, c.Swatch
	if text != nil {
		c.Text = func(env *panel.Env, r *threadRow) string {
			if r.head != "" {
				return r.head
			}
			return text(env, r)
		}
	}
	c.Cell = func(env *panel.Env, r *threadRow, to *table.Cell) {
		switch {
		case r.head == "":
			cell(env, r, to)
		case title:
			to.Text, to.Color, to.Wide = r.head, draw.Color(env.Theme.TextDim), true
		}
	}
	if fold != nil {
		c.Fold = func(env *panel.Env, r *threadRow, in *panel.Input) {
			if r.head == "" {
				fold(env, r, in)
			}
		}
	}
	if swatch != nil {
		c.Swatch = func(env *panel.Env, r *threadRow) {
			if r.head == "" {
				swatch(env, r)
			}
		}
	}
	return c
}
