package frames

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// bandReader sums the values of a frame into the bands of a focus: one for each child, and one for
// the focus itself, which comes last. In place of a child that is opened stand its children and what is
// its own. It is scratch memory.
type bandReader struct {
	h      *model.Hierarchy
	focus  model.CollectorID
	open   model.CollectorID // it and all between it and the focus are opened; none where it is not below that
	levels bool
	bands  []model.CollectorID // the children in descending sort, then the focus
	at     int32               // slot of the focus
	ord    []int32             // of each slot: its band, -1 if it is not below the focus
	dense  []int32             // the part of ord in which slots are the ids of collectors

	val  []float64 // of each band: ns, or the levels' unit
	seen []bool
	used []int32 // bands seen

	frames int64 // read so far

	has   []int64 // of each slot: the stamp of the frame in which it last had a level of its own
	stamp int64

	sent float64 // the level that the focus reported itself, if has is set

	near []nearLevel // of each slot
	walk []int32     // slots on the way to one
}

// nearLevel is the nearest slot above another that had a level of its own in a frame.
type nearLevel struct {
	stamp int64
	at    int32
}

// aim prepares the reader for a focus and an opened collector; cheap if nothing changed.
func (r *bandReader) aim(h *model.Hierarchy, focus, open model.CollectorID, levels bool) {
	r.levels = levels
	if r.h == h && r.focus == focus && r.open == open {
		return
	}
	r.clear()
	r.h, r.focus, r.open = h, focus, open
	r.bands = r.bands[:0]
	r.ord = slices.Grow(r.ord[:0], len(h.All))[:len(h.All)]
	for i := range r.ord {
		r.ord[i] = -1
	}
	r.at = h.Slot(focus)
	if r.at >= 0 {
		r.addBands(r.at, focus)
	}
	r.dense = r.ord[:h.Dense()]
	r.val = slices.Grow(r.val[:0], len(r.bands))[:len(r.bands)]
	r.seen = slices.Grow(r.seen[:0], len(r.bands))[:len(r.bands)]
	clear(r.val)
	clear(r.seen)
	r.has = slices.Grow(r.has[:0], len(h.All))[:len(h.All)]
	clear(r.has)
	r.near = slices.Grow(r.near[:0], len(h.All))[:len(h.All)]
	clear(r.near)
	r.stamp = 0
}

// addBands adds the bands of the children of a slot, then its own.
func (r *bandReader) addBands(at int32, id model.CollectorID) {
	opened := r.h.Slot(r.open)
	for _, c := range r.h.Children[at] {
		child := r.h.Slot(c)
		if opened >= 0 && r.h.Pre[opened] >= r.h.Pre[child] && r.h.Pre[opened] < r.h.Post[child] {
			r.addBands(child, c)
			continue
		}
		for _, slot := range r.h.Order[r.h.Pre[child]:r.h.Post[child]] {
			r.ord[slot] = int32(len(r.bands))
		}
		r.bands = append(r.bands, c)
	}
	r.ord[at] = int32(len(r.bands))
	r.bands = append(r.bands, id)
}

func (r *bandReader) clear() {
	for _, k := range r.used {
		r.val[k], r.seen[k] = 0, false
	}
	r.used = r.used[:0]
}

func (r *bandReader) add(band int32, v float64) {
	if !r.seen[band] {
		r.seen[band] = true
		r.used = append(r.used, band)
	}
	r.val[band] += v
}

// band returns the band of a collector, -1 without one.
func (r *bandReader) band(c uint16) int32 {
	if int(c) < len(r.dense) {
		return r.dense[c]
	}
	return r.farBand(c)
}

// farBand is band where slots are not the ids of collectors. It stays apart so that band is inlined.
//
//go:noinline
func (r *bandReader) farBand(c uint16) int32 {
	if at := r.h.Slot(model.CollectorID(c)); at >= 0 {
		return r.ord[at]
	}
	return -1
}

// read adds the values of the frame at a position, times weight.
func (r *bandReader) read(t *Thread, p int64, weight float64) {
	r.frames++
	if r.levels {
		r.readLevels(t, p, weight)
		return
	}
	val, seen, used := r.val, r.seen, r.used // in registers: a strip reads thousands of frames
	i, end := rowsBefore(&t.frames.selfEnd, p), t.frames.selfEnd.At(p)
	for i < end {
		run := t.self.rows.Run(i, end)
		for k := range run {
			row := &run[k]
			band := r.band(row.collector)
			if band < 0 {
				continue
			}
			ns := row.ns()
			if row.wide() {
				ns, _ = t.self.widen(i + int64(k))
			}
			if !seen[band] {
				seen[band] = true
				used = append(used, band)
			}
			val[band] += float64(ns) * weight
		}
		i += int64(len(run))
	}
	r.used = used
}

// addDense adds a value for each band, times weight. meet finds the bands of 0, once for many.
func (r *bandReader) addDense(sums []float64, weight float64) {
	val := r.val[:len(sums)]
	for k, v := range sums {
		val[k] += v * weight
	}
}

// meet notes the bands that addDense met.
func (r *bandReader) meet() {
	for k, v := range r.val {
		if v != 0 && !r.seen[k] {
			r.seen[k] = true
			r.used = append(r.used, int32(k))
		}
	}
}

// addCells adds values of bands, times weight.
func (r *bandReader) addCells(cells []stripCell, weight float64) {
	val, seen, used := r.val, r.seen, r.used
	for _, c := range cells {
		if !seen[c.band] {
			seen[c.band] = true
			used = append(used, c.band)
		}
		val[c.band] += c.v * weight
	}
	r.used = used
}

// netOf returns net for the frame at a position, without making bands if possible: StripMax calls
// it for every frame in view.
func (r *bandReader) netOf(t *Thread, p int64) float64 {
	r.frames++
	if r.levels {
		r.readLevels(t, p, 1)
		net := r.net()
		r.clear()
		return net
	}
	var below, own int64
	last := int32(len(r.bands) - 1)
	i, end := rowsBefore(&t.frames.selfEnd, p), t.frames.selfEnd.At(p)
	for i < end {
		run := t.self.rows.Run(i, end)
		for k := range run {
			band := r.band(run[k].collector)
			if band < 0 {
				continue
			}
			ns := run[k].ns()
			if run[k].wide() {
				ns, _ = t.self.widen(i + int64(k))
			}
			if band == last {
				own += ns
			} else {
				below += ns
			}
		}
		i += int64(len(run))
	}
	return float64(below + max(own, 0))
}

// readLevels implements VIEWER.md section 5: a level counts where it is, and is taken off the
// nearest ancestor with a level of its own.
func (r *bandReader) readLevels(t *Thread, p int64, weight float64) {
	from, end := rowsBefore(&t.frames.levels, p), t.frames.levels.At(p)
	r.stamp++
	for i := from; i < end; i++ {
		if at := r.h.Slot(model.CollectorID(t.levels.collector.At(i))); at >= 0 {
			r.has[at] = r.stamp
		}
	}
	for i := from; i < end; i++ {
		if at := r.h.Slot(model.CollectorID(t.levels.collector.At(i))); at >= 0 {
			v := t.levels.value.At(i) * weight
			if at == r.at {
				r.sent = v
			}
			r.level(at, v)
		}
	}
}

// level adds the level of the collector in a slot; the collectors with levels of their own have the
// present stamp in has.
func (r *bandReader) level(c int32, v float64) {
	band := r.ord[c]
	if band < 0 {
		return
	}
	if a := r.nearest(c); a >= 0 {
		if r.ord[a] == band {
			return // it is part of the value reported by the ancestor in the same band
		}
		r.add(r.ord[a], -v)
	}
	r.add(band, v)
}

// nearest returns the nearest slot above c, up to the focus, that has a level of its own in the
// present frame, -1 if there is none. No slot is passed twice in a frame, however deep the hierarchy
// is.
func (r *bandReader) nearest(c int32) (at int32) {
	at = -1
	r.walk = r.walk[:0]
	for c != r.at {
		if n := &r.near[c]; n.stamp == r.stamp {
			at = n.at
			break
		}
		r.walk = append(r.walk, c)
		if c = r.h.Parents[c]; r.has[c] == r.stamp {
			at = c
			break
		}
	}
	for _, w := range r.walk {
		r.near[w] = nearLevel{r.stamp, at}
	}
	return at
}

// digits is the rounding error of a sum of levels: the own value of the focus is the difference of
// its level and those below, and no more than that if these are all of it.
const digits = 1e-12

// shows reports whether a band has a value to stack: not 0, and above 0 if it is the focus's own.
func (r *bandReader) shows(band int32) bool {
	v := r.val[band]
	if v <= 0 || int(band) != len(r.bands)-1 || !r.levels {
		return v != 0 && (v > 0 || v != v || int(band) != len(r.bands)-1)
	}
	below := 0.0
	for _, k := range r.used {
		if k != band {
			below += math.Abs(r.val[k])
		}
	}
	return v > below*digits
}

// net returns the height of a column: the bands of the children, and that of the focus if it is
// above 0 (VIEWER.md section 9.1).
func (r *bandReader) net() (sum float64) {
	last := int32(len(r.bands) - 1)
	for _, k := range r.used {
		if k != last || r.val[k] > 0 {
			sum += r.val[k]
		}
	}
	return sum
}

// total returns the net value of the focus in the sense of sections 4 and 5: a negative own value
// counts too. A level that the focus reported itself is returned as sent: beside a huge one below
// it, a subtraction loses all digits.
func (r *bandReader) total() (sum float64) {
	if r.levels && r.at >= 0 && r.has[r.at] == r.stamp {
		return r.sent
	}
	for _, k := range r.used {
		sum += r.val[k]
	}
	return sum
}

// Band is one collector's share of a strip chart's frame.
type Band struct {
	Collector model.CollectorID
	Value     float64 // net of a child, own value of the focus and of what is opened
	Count     int32   // starts of this very collector in the frame; 0 for levels
}

// OpenBands returns the bands of a strip chart for one frame with their net values (out is reused), and
// their sum. Times are seconds (VIEWER.md sections 9.1, 4, 5). Children of the focus with a value other
// than 0 come first, in descending sort; then the focus itself if its own value is above 0.
// open is a collector below the focus that is opened, 0 for none, see StripQuery.
func (x *Table) OpenBands(
	track model.TrackID, frame int, focus, open model.CollectorID, levels bool, out []Band,
) (bands []Band, net float64) {
	out = out[:0]
	t, p, ok := x.positionOf(track, frame)
	if !ok {
		return out, 0
	}
	r := &x.host.Work.reader
	r.aim(x.host.Collectors.Tree(), focus, open, levels)
	r.read(t, p, 1)
	slices.Sort(r.used)
	for _, k := range r.used {
		v := r.val[k] / statScale(levels)
		if !r.shows(k) {
			continue
		}
		b := Band{Collector: r.bands[k], Value: v}
		if !levels {
			b.Count = t.countOf(p, b.Collector)
		}
		out = append(out, b)
		net += v
	}
	r.clear()
	return out, net
}

// countOf returns how often a collector was started in the frame at a position.
func (t *Thread) countOf(p int64, c model.CollectorID) int32 {
	from, end := rowsBefore(&t.frames.selfEnd, p), t.frames.selfEnd.At(p)
	i := columns.Search(from, end, func(i int64) bool { return model.CollectorID(t.self.rows.At(i).collector) >= c })
	if i < end {
		if a := t.self.at(i); a.Collector == c {
			return a.Count
		}
	}
	return 0
}
