package tables

import (
	"cmp"
	"slices"

	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

// flatten makes the rows: first the root and the collectors with times, then counters.
func (t *CollectorTree) flatten(env *panel.Env, s *store.Session) {
	t.rows = t.rows[:0]
	t.filter(s)
	if t.gap || s.Collectors().Len() == 0 {
		return
	}
	root := s.Collector(0)
	if t.fresh.Done && (t.keep == nil || t.keep[0]) && (root.HasTime || !t.OnlyWithData) {
		t.rows = append(t.rows, treeRow{collector: 0})
	}
	t.beginRest(s)
	t.add(env, s, 0, 0, false)
	t.addRest()
	t.add(env, s, 0, 0, true)
}

// maxDepth is how deep names are followed.
const maxDepth = 64

// add appends the children of a collector, and below each of them its own while it is not folded.
// The depth of the recursion is bounded by that of names.
func (t *CollectorTree) add(env *panel.Env, s *store.Session, parent model.CollectorID, depth int32, level bool) {
	if depth > maxDepth {
		return
	}
	from := len(t.order)
	for _, c := range s.Collectors().Children(parent) {
		d := s.Collector(c)
		if t.keep != nil && !t.keep[c] {
			continue
		}
		if !t.lists(d, level) || !level && t.inRest(s, c) {
			continue
		}
		t.order = append(t.order, treeRow{collector: c, depth: depth, level: level})
	}
	t.sortSiblings(env, t.order[from:])
	to := len(t.order)
	for i := from; i < to; i++ {
		c, row := t.order[i].collector, len(t.rows)
		t.rows = append(t.rows, t.order[i])
		if t.folded[c] && t.keep == nil {
			if t.hasRows(s, c, level) {
				t.rows[row].fold = table.FoldClosed
			}
			continue
		}
		t.add(env, s, c, depth+1, level)
		if len(t.rows) > row+1 {
			t.rows[row].fold = table.FoldOpen
		}
	}
	t.order = t.order[:from]
}

// lists reports whether a collector is one of the rows with times, or of those of counters.
func (t *CollectorTree) lists(d *model.Collector, level bool) bool {
	if level {
		return d.HasLevel
	}
	return d.HasTime || !t.OnlyWithData && !d.HasLevel
}

// hasRows reports whether a collector has children that would be shown.
func (t *CollectorTree) hasRows(s *store.Session, parent model.CollectorID, level bool) bool {
	for _, c := range s.Collectors().Children(parent) {
		d := s.Collector(c)
		if t.lists(d, level) {
			return true
		}
	}
	return false
}

// sortSiblings orders the children of a collector.
func (t *CollectorTree) sortSiblings(env *panel.Env, list []treeRow) {
	if t.by.By() != "" {
		table.Sort(env, list, t.by)
		return
	}
	slices.SortStableFunc(list, func(a, b treeRow) int { // collectors without data on this thread come last, dimmed
		t.pair = [2]treeRow{a, b}
		if d, held := t.by.Held(&t.pair[0], &t.pair[1]); held {
			return d
		}
		switch x, y := t.isHere(a.collector), t.isHere(b.collector); {
		case x == y && t.unit.ranks():
			return cmp.Compare(t.value(env, &b), t.value(env, &a))
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
}

// filter notes which collectors are called like the filter, and their ancestors.
func (t *CollectorTree) filter(s *store.Session) {
	text := t.by.Filter()
	if text == "" {
		t.keep = nil
		return
	}
	t.keep = make([]bool, s.Collectors().Len())
	for id := range model.CollectorID(s.Collectors().Len()) {
		if !format.ContainsFold(s.Collector(id).Title(), text) {
			continue
		}
		for c := id; c >= 0 && !t.keep[c]; c = s.Collector(c).Parent {
			t.keep[c] = true
		}
	}
}

// restLine is the line in place of the collectors that the thread never ran.
type restLine struct {
	all, n int // how many the thread never ran, and how many of these the line stands for
	words  string
	of     int    // that the words count
	open   bool   // they have rows above the line
	hides  bool   // they have none
	turn   func() // turnRest
}

// leastRest is how many collectors are worth a line in their place.
const leastRest = 3

// beginRest counts the collectors that the thread never ran, and decides whether they have rows.
func (t *CollectorTree) beginRest(s *store.Session) {
	r := &t.rest
	if r.all, r.n = 0, 0; t.keep == nil && t.fresh.Done && slices.Contains(t.here, true) {
		for id := model.CollectorID(1); int(id) < s.Collectors().Len(); id++ {
			if d := s.Collector(id); d == nil || !t.lists(d, false) || t.isHere(id) {
				continue
			}
			if r.all++; r.open || !t.leadsToChosen(s, id) {
				r.n++
			}
		}
	}
	r.hides = !r.open && r.all >= leastRest
}

// leadsToChosen reports whether a collector is the selected one, or has it below it.
func (t *CollectorTree) leadsToChosen(s *store.Session, c model.CollectorID) bool {
	return c == t.chosen || t.chosen > 0 && s.Collectors().IsDescendant(t.chosen, c)
}

// inRest reports whether a collector has no row. One on the way to the selected one has.
func (t *CollectorTree) inRest(s *store.Session, c model.CollectorID) bool {
	return t.rest.hides && !t.isHere(c) && !t.leadsToChosen(s, c)
}

// addRest adds the line, if there is any.
func (t *CollectorTree) addRest() {
	r := &t.rest
	if r.all < leastRest || r.n == 0 {
		return
	}
	if r.of != r.n {
		r.of, r.words = r.n, string(format.AppendCount(nil, int64(r.n)))+" without time here"
	}
	t.rows = append(t.rows, treeRow{rest: true, fold: table.FoldOf(r.open)})
}

// Line implements table.Liner.
func (t *CollectorTree) Line(r *treeRow) (table.Line, bool) {
	if !r.rest {
		return table.Line{}, false
	}
	return table.Line{
		Words: t.rest.words, Tip: "This thread never ran them. Click: show them, or hide them again",
		Fold: r.fold, Turn: t.rest.turn,
	}, true
}

func (t *CollectorTree) turnRest() {
	t.rest.open = !t.rest.open
	t.foldRev++
}
