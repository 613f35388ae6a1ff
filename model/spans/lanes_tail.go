package spans

import (
	"framescope/model/columns"
)

// Most queries include the lane's open block: they go up to now, or over everything. Its sum so far is
// kept as a list, like that of a block, and the next query adds newer spans.

// tail is the sum of the first spans of the open block. It holds final spans only.
type tail struct {
	open, to int64 // of positions [open, to)
	list     []PathEntry
}

// tailStep is how many spans a query walks before they go to the tail's list.
const tailStep = columns.FlameMinBlock / 4

// addTail adds the spans [f.open, to), which have successors.
func (l *Lane) addTail(to int64, totals *PathTotals) {
	f := &l.flame
	t := &f.tail
	if t.open != f.open {
		t.open, t.to, t.list = f.open, f.open, t.list[:0]
	}
	if to < t.to { // the range ends earlier than the one before
		l.addSpans(f.open, to, totals)
		return
	}
	if to-t.to < tailStep {
		totals.AddList(t.list)
		l.addSpans(t.to, to, totals)
		return
	}
	part := totals.Part()
	part.AddList(t.list)
	l.addSpans(t.to, to, part)
	if int64(len(part.Used))*8 <= to-t.open { // else a list is no shorter way
		t.keep(to, part, f.Acc)
	}
	totals.AddPart()
}

// keep makes the list that of the spans up to position to.
func (t *tail) keep(to int64, sums *PathTotals, acc *columns.Account) {
	was := cap(t.list)
	t.to, t.list = to, t.list[:0]
	for _, p := range sums.Used {
		t.list = append(t.list, PathEntry{Ns: sums.Sums[p].Ns, Path: p, Count: uint32(sums.Sums[p].Count)})
	}
	acc.Add(int64(cap(t.list)-was) * columns.SizeOf[PathEntry]())
}

// truncate forgets the sum if it has spans from position n on.
func (t *tail) truncate(n int64) {
	if t.to > n {
		t.to, t.list = t.open, t.list[:0]
	}
}

// clear frees the list.
func (t *tail) clear(acc *columns.Account) {
	columns.LetGo(acc, t.list)
	*t = tail{}
}
