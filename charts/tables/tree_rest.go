package tables

import (
	"slices"

	"framescope/charts/format"
	"framescope/charts/table"
	"framescope/model"
	"framescope/model/store"
)

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
