package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// Extremes keep, for the blocks of a lane's call paths (pyramid.go) and the levels above them,
// number, sum, least and greatest length of the calls of each collector that occurs. Queries make
// them on demand: most sessions never need them.
type Extremes struct {
	levels []columns.Shelf
	first  int64 // number of the oldest block that is kept
	ready  int64 // no block of level 0 before this one is missing
	acc    *columns.Account
}

// Extreme sums up the calls of a collector in a block.
type Extreme struct {
	Collector            model.CollectorID
	Count, Sum, Min, Max int64 // calls, and the sum, the least and the greatest of their lengths
	MaxAt                int64 // position of the first one of Max
}

const extremeBytes = 48

// At returns block i of a level, nil if it was not made.
func (x *Extremes) At(level int, i int64) []Extreme {
	if level >= len(x.levels) {
		return nil
	}
	list, _ := x.levels[level].At(i).([]Extreme)
	return list
}

// Put keeps the result for block i of a level.
func (x *Extremes) Put(level int, i int64, list []Extreme) {
	for k := len(x.levels); k <= level; k++ {
		x.levels = append(x.levels, columns.NewShelf(x.firstOf(k), x.acc))
	}
	x.levels[level].Put(i, list)
	x.acc.Add(int64(cap(list)) * extremeBytes)
}

// Missing returns the first block of level 0 that is to be made for all of a lane's blocks.
func (x *Extremes) Missing(y *PathPyramid) (at int64, ok bool) {
	for x.ready = max(x.ready, y.First); x.ready < y.Blocks(); x.ready++ {
		if x.At(0, x.ready) == nil {
			return x.ready, true
		}
	}
	return 0, false
}

// firstOf returns the oldest node of a level that is kept.
func (x *Extremes) firstOf(level int) int64 {
	return (x.first + 1<<(UpShift*level) - 1) >> (UpShift * level)
}

// truncate drops the results of block n and later ones.
func (x *Extremes) truncate(n int64) {
	x.ready = min(x.ready, n)
	for k := range x.levels {
		x.levels[k].Truncate(n>>(UpShift*k), x.forget)
	}
}

// dropBefore drops the results of blocks before block n.
func (x *Extremes) dropBefore(n int64) {
	x.first = max(x.first, n)
	for k := range x.levels {
		x.levels[k].DropBefore(x.firstOf(k), x.forget)
	}
}

// forget is called for each block that leaves.
func (x *Extremes) forget(block any) {
	if list, ok := block.([]Extreme); ok {
		x.acc.Add(-int64(cap(list)) * extremeBytes)
	}
}

// clear frees everything.
func (x *Extremes) clear() {
	for k := range x.levels {
		x.levels[k].Clear(x.forget)
	}
	x.levels, x.ready = nil, 0
}
