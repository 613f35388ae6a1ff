package frames

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// netCache keeps the net values of a run of a track's frames for StripMax, so that panning and
// following read each frame once.
type netCache struct {
	key  netKey
	nets columns.Sliding // by position
}

// netKey is the inputs of cached values of frames: frames themselves change only by a rewind.
type netKey struct {
	track   *Thread
	h       *model.Hierarchy
	focus   model.CollectorID
	open    model.CollectorID
	levels  bool
	rewinds uint64
}

func keyOf(out *Strip, t *Thread, q *StripQuery) netKey {
	return netKey{t, out.reader.h, q.Focus, q.Open, q.Levels, t.rewinds}
}

// want makes the cache hold all frames that begin in the query's range.
func (c *netCache) want(out *Strip, t *Thread, q *StripQuery) {
	f := &t.frames
	from, to := max(f.at(q.ColumnTime(0)-1)+1, f.first), f.at(q.ColumnTime(q.Columns)-1)+1
	if key := keyOf(out, t, q); c.key != key {
		c.key, c.nets.From, c.nets.To = key, 0, 0
	}
	// some more to the left, so that panning does not move all each time
	if from < c.nets.From && !c.nets.Disjoint(from, to) {
		from = max(f.first, from-int64(len(c.nets.Sums))/4)
	}
	c.nets.Extend(from, to, 1, func(p int64, net []float64) { net[0] = c.netOf(&out.reader, t, p) })
}

// netOf is the net value of a frame, below all others of a stop.
func (c *netCache) netOf(r *bandReader, t *Thread, p int64) float64 {
	if !c.key.levels && t.frames.stopped(p) {
		return math.Inf(-1)
	}
	return r.netOf(t, p)
}

// worst returns the position in [from, to) of the frame with the greatest net value, the oldest of
// equals.
func (c *netCache) worst(from, to int64) int64 {
	best := 0
	nets := c.nets.Sums[from-c.nets.From : to-c.nets.From]
	most := nets[0]
	for k, net := range nets {
		if net > most {
			best, most = k, net
		}
	}
	return from + int64(best)
}

// spread returns the least and the mean net value of the frames at positions [from, to).
func (c *netCache) spread(from, to int64) (least, mean float32) {
	nets := c.nets.Sums[from-c.nets.From : to-c.nets.From]
	sum := 0.0
	for _, net := range nets {
		sum += net
	}
	return float32(slices.Min(nets)), float32(sum / float64(len(nets)))
}

// looseCursor walks the loose levels of a collector.
type looseCursor struct {
	c      int32 // slot
	points *pointColumn
	next   int64
}

// fillLoose holds the levels that belong to no frame.
func (out *Strip) fillLoose(t *Thread, q *StripQuery) {
	r := &out.reader
	out.loose = out.loose[:0]
	for c, points := range t.levels.loose {
		if at := r.h.Slot(c); at >= 0 && r.ord[at] >= 0 {
			out.loose = append(out.loose, looseCursor{at, points, points.Start()})
		}
	}
	slices.SortFunc(out.loose, func(a, b looseCursor) int { return int(a.c) - int(b.c) })
	latest := t.table.host.Latest(t.id)
	for x := range out.Columns {
		begin := q.ColumnTime(x)
		if begin > latest {
			return
		}
		r.stamp++
		changed, some := x == 0, false
		for k := range out.loose {
			l := &out.loose[k]
			next := columns.Search(l.next, l.points.End(), func(i int64) bool { return l.points.At(i).time > begin })
			changed = changed || next != l.next
			l.next = next
			if next > l.points.Start() {
				r.has[l.c] = r.stamp
				some = true
			}
		}
		if !some {
			continue
		}
		out.Columns[x].State = ColumnData
		if !changed {
			out.spans[x] = out.spans[x-1]
			continue
		}
		for _, l := range out.loose {
			if l.next > l.points.Start() {
				r.level(l.c, l.points.At(l.next-1).value)
			}
		}
		out.spans[x] = out.takeCells()
	}
}
