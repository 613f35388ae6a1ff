package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// Extremes keep, for the blocks of a lane's call paths (pyramid.go) and the levels above them,
// number, sum, least and greatest length of the calls of each collector that occurs. Queries make
// them on demand: most sessions never need them.
type Extremes struct {
	columns.Shelves
	ready int64 // no block of level 0 before this one is missing
}

// Extreme sums up the calls of a collector in a block.
type Extreme struct {
	Collector            model.CollectorID
	Count, Sum, Min, Max int64 // calls, and the sum, the least and the greatest of their lengths
	MaxAt                int64 // position of the first one of Max
}

const extremeBytes = 48

func (x *Extremes) init(acc *columns.Account) {
	x.Shelves = columns.Shelves{
		Up: UpShift, Acc: acc, Bytes: func(list any) int64 { return int64(cap(list.([]Extreme))) * extremeBytes },
	}
}

// At returns block i of a level, nil if it was not made.
func (x *Extremes) At(level int, i int64) []Extreme {
	list, _ := x.Shelves.At(level, i).([]Extreme)
	return list
}

// Missing returns the first block of level 0 that is to be made for all of a lane's blocks.
func (x *Extremes) Missing(y *PathPyramid) (at int64, ok bool) {
	for x.ready = max(x.ready, y.First); x.ready < y.Blocks(); x.ready++ {
		if x.Shelves.At(0, x.ready) == nil {
			return x.ready, true
		}
	}
	return 0, false
}

// truncate drops the results of block n and later ones.
func (x *Extremes) truncate(n int64) {
	x.ready = min(x.ready, n)
	x.Truncate(n)
}
