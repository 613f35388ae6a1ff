package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// PathTotal is the sum for one path.
type PathTotal struct{ Ns, Count int64 }

// PathTotals sums by call path: a dense table, and a list of those used, so that clearing costs no more
// than using.
type PathTotals struct {
	Sums    []PathTotal
	seen    []bool
	Used    []model.PathID
	Visited int64 // work done: spans walked and list entries added

	part *PathTotals // see Part
}

// Part returns empty totals for a part of the sum that is to be known by itself. There is one at a
// time; AddPart adds it and makes it empty again.
func (t *PathTotals) Part() *PathTotals {
	if t.part == nil {
		t.part = new(PathTotals)
	}
	t.part.Grow(len(t.Sums))
	return t.part
}

// AddPart adds the result of Part.
func (t *PathTotals) AddPart() {
	for _, p := range t.part.Used {
		t.Add(p, t.part.Sums[p].Ns, t.part.Sums[p].Count)
	}
	t.Visited += t.part.Visited
	t.part.Visited = 0
	t.part.Clear()
}

// Grow makes room for paths below n.
func (t *PathTotals) Grow(n int) {
	if n > len(t.Sums) {
		n = max(n, 2*len(t.Sums))
		sums, seen := make([]PathTotal, n), make([]bool, n)
		if len(t.Used) > 0 {
			copy(sums, t.Sums)
			copy(seen, t.seen)
		}
		t.Sums, t.seen = sums, seen
	}
}

// Size returns the bytes that it takes.
func (t *PathTotals) Size() int64 {
	if t == nil {
		return 0
	}
	return t.part.Size() + int64(cap(t.Sums))*columns.SizeOf[PathTotal]() + int64(cap(t.seen)) + int64(cap(t.Used))*4
}

// AddList adds the entries of a list.
func (t *PathTotals) AddList(list []PathEntry) {
	t.Visited += int64(len(list))
	for k := range list {
		t.Add(list[k].Path, list[k].Ns, int64(list[k].Count))
	}
}

func (t *PathTotals) Add(p model.PathID, ns, count int64) {
	s := &t.Sums[p]
	if !t.seen[p] {
		t.seen[p] = true
		t.Used = append(t.Used, p)
	}
	s.Ns += ns
	s.Count += count
}

func (t *PathTotals) Clear() {
	for _, p := range t.Used {
		t.Sums[p] = PathTotal{}
		t.seen[p] = false
	}
	t.Used = t.Used[:0]
}
