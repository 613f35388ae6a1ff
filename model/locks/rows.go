package locks

import (
	"math"

	"framescope/model/columns"
)

type useColumn struct{ columns.Column }

func (c *useColumn) Ref(i int64) *lockUse       { return columns.Ref[lockUse](&c.Column, i) }
func (c *useColumn) Run(i, end int64) []lockUse { return columns.Run[lockUse](&c.Column, i, end) }
func (c *useColumn) Push(u lockUse)             { columns.Append(&c.Column, u) }

type usePyramid struct{ columns.Pyramid }

func (p *usePyramid) Greatest(from, to int64) (node *useNode, end int64) {
	return columns.Greatest[useNode](&p.Pyramid, from, to)
}

// useRow holds uses of one kind of one lock on one track; holds of each depth have a row of their
// own. So uses in a row never overlap, like spans in a lane: a range of time is one run of
// positions, found by two searches. A pyramid gives the sum and the longest of a run. Only the end
// moves, but for whole chunks that leave at the front.
type useRow struct {
	uses  useColumn
	first int64 // position of the first that counts
	sums  usePyramid
}

// lockUse is a finished use. at is the position of the event that ended it, times two, plus one if
// the beginning was not received.
type lockUse struct{ begin, end, at int64 }

// useNode is 16^(k+1) uses, of level k.
type useNode struct{ sum, longest int64 } // longest is a position

const useShift = 4

func (r *useRow) n() int64 { return r.uses.End() - r.first }

func (r *useRow) length(i int64) int64 { u := r.uses.Ref(i); return u.end - u.begin }

func (r *useRow) push(u lockUse) {
	r.uses.Push(u)
	columns.Grow(&r.sums.Pyramid, r.uses.End(), useShift, useShift, r)
}

func (r *useRow) LeafOf(from, to int64) useNode {
	node := useNode{longest: -1}
	for i := from; i < to; i++ {
		r.join(&node, useNode{r.length(i), i})
	}
	return node
}

func (r *useRow) JoinOf(nodes []useNode) useNode {
	node := useNode{longest: -1}
	for _, b := range nodes {
		r.join(&node, b)
	}
	return node
}

// join adds b, which comes after, to a. Of equally long ones the older stays.
func (r *useRow) join(a *useNode, b useNode) {
	a.sum += b.sum
	if b.longest >= 0 && (a.longest < 0 || r.length(b.longest) > r.length(a.longest)) {
		a.longest = b.longest
	}
}

// truncate takes back the uses that ended at the event of a position or later ones, and returns the
// first of them.
func (r *useRow) truncate(event int64) (first lockUse, some bool) {
	n := columns.Search(r.first, r.uses.End(), func(i int64) bool { return r.uses.Ref(i).at>>1 >= event })
	if n == r.uses.End() {
		return lockUse{}, false
	}
	first = *r.uses.Ref(n)
	r.uses.Truncate(n)
	r.sums.Truncate(n)
	return first, true
}

// dropBefore forgets the uses that ended before a time.
func (r *useRow) dropBefore(timeNs int64) {
	r.first = columns.Search(r.first, r.uses.End(), func(i int64) bool { return r.uses.Ref(i).end >= timeNs })
	r.uses.DropBefore(r.first)
	r.sums.DropBefore(r.first)
}

// touching returns the run [a, b) of the uses that touch [t0, t1].
func (r *useRow) touching(t0, t1 int64) (a, b int64) {
	a = columns.Search(r.first, r.uses.End(), func(i int64) bool { return r.uses.Ref(i).end >= t0 })
	b = columns.Search(a, r.uses.End(), func(i int64) bool { return r.uses.Ref(i).begin > t1 })
	return a, b
}

// inRange is touching of [t0, t1), as ranges are everywhere: a use that ended at t0 is none of its, one
// of no length at t0 is.
func (r *useRow) inRange(t0, t1 int64) (a, b int64) {
	a = columns.Search(r.first, r.uses.End(), func(i int64) bool {
		u := r.uses.Ref(i)
		return u.end > t0 || u.begin >= t0
	})
	b = columns.Search(a, r.uses.End(), func(i int64) bool { return r.uses.Ref(i).begin >= t1 })
	return a, b
}

// sum returns the sum and the longest of the uses at [a, b), not cut. Cost: O(log n).
func (r *useRow) sum(a, b int64, visited *int64) useNode {
	node := useNode{longest: -1}
	for a < b {
		*visited++
		if n, end := r.sums.Greatest(a, b); n != nil {
			r.join(&node, *n)
			a = end
			continue
		}
		r.join(&node, useNode{r.length(a), a})
		a++
	}
	return node
}

// busy returns the sum of the uses at [a, b), not cut. Cost: O(log n).
func (r *useRow) busy(a, b int64, visited *int64) (ns int64) {
	for a < b {
		if n, end := r.sums.Greatest(a, b); n != nil {
			*visited++
			ns += n.sum
			a = end
			continue
		}
		// Up to where the next node may begin.
		stop := min((a|(1<<useShift-1))+1, b)
		*visited += stop - a
		for a < stop {
			run := r.uses.Run(a, stop)
			for k := range run {
				ns += run[k].end - run[k].begin
			}
			a += int64(len(run))
		}
	}
	return ns
}

// within returns how many uses touch [t0, t1), their time cut to it, and the position of the
// longest, -1 without one.
func (r *useRow) within(t0, t1 int64, visited *int64) (n, ns, longest int64) {
	a, b := r.inRange(t0, t1)
	if a == b {
		return 0, 0, -1
	}
	node := r.sum(a, b, visited)
	// Only the first and the last can stick out.
	ns = node.sum - max(t0-r.uses.Ref(a).begin, 0) - max(r.uses.Ref(b-1).end-t1, 0)
	return b - a, ns, node.longest
}

func (r *useRow) lastEnd() int64 {
	if r.n() == 0 {
		return math.MinInt64
	}
	return r.uses.Ref(r.uses.End() - 1).end
}

func (r *useRow) init(acc *columns.Account) { r.uses.Acc, r.sums.Acc = acc, acc }

// clear frees everything.
func (r *useRow) clear() {
	r.uses.Clear()
	r.sums.Clear()
}
