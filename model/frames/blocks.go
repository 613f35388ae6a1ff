package frames

import (
	"slices"

	"framescope/model"
	"framescope/model/columns"
	"framescope/model/internal/histogram"
)

// Statistics of long ranges come from blocks of 1,024 frames, and of 4 blocks, and so on: for each
// collector that occurs the exact sums, extremes and counts, and a histogram from which percentiles
// follow within 1 %. The frames at the two edges of a range are tallied into blocks of their own,
// and all is merged. Blocks are made when a range first needs them, or a few at a time ahead of
// that (PrepareStats); they depend on the static hierarchy, because net values do, and are made
// again when a collector gets another parent.

const statUp = 2 // log2 of the fan-out

// statRow is one collector in a block, as in tally.
type statRow struct {
	collector        model.CollectorID
	present, count   int64
	sum, self        float64
	min, max         float64
	maxAt            int64
	absentAt         int64 // first frame without it, -1 if it is in all
	binBegin, binEnd int32
}

// statBlock is a run of frames. It never changes.
type statBlock struct {
	first   int64 // position of the first frame
	frames  int64
	rootOwn bool
	rows    []statRow       // ascending by collector
	bins    []histogram.Bin // of each row, ascending
}

// statIndex keeps the blocks of a track, of times or of levels.
type statIndex struct {
	parents [][2]model.CollectorID // collectors and their parents
	blocks  columns.Shelves
	ready   int64  // no block of level 0 before this one is waiting to be made by PrepareStats
	stale   bool   // blocks may lack collectors that the tree of their time did not know
	rev     uint64 // of that tree
}

func (x *statIndex) init(acc *columns.Account) {
	x.blocks = columns.Shelves{
		Leaf: columns.StatShift, Up: statUp, Acc: acc, Bytes: func(block any) int64 { return block.(*statBlock).bytes() },
	}
}

// statWork is scratch memory for making and merging blocks.
type statWork struct {
	index  *statIndex
	h      *model.Hierarchy
	track  *Thread
	levels bool
	tally  [2]tallyAll // of the frames at either end, and of blocks that are being made
	merger statMerger
	parts  []*statBlock
	edges  [2]statBlock // of the frames at either end of a range
	made   statBlock    // the block that is being made
	reader *bandReader  // of edges of one collector
	one    oneTally

	tallied int64 // values of frames
}

// truncate forgets the blocks that hold the frame at position p or later ones.
func (x *statIndex) truncate(p int64) {
	x.ready = min(x.ready, p>>columns.StatShift)
	x.blocks.Truncate(p)
}

// clear frees everything.
func (x *statIndex) clear() {
	x.blocks.Clear()
	x.ready = 0
	columns.LetGo(x.blocks.Acc, x.parents)
	x.parents = nil
}

func (b *statBlock) bytes() int64 { return int64(cap(b.rows))*96 + int64(cap(b.bins))*8 + 80 }

// aim forgets all blocks if a collector that they may hold has another parent now.
func (x *statIndex) aim(h *model.Hierarchy) {
	same := len(x.parents) <= len(h.All)
	for k := 0; same && k < len(x.parents); k++ {
		at := h.Slot(x.parents[k][0])
		same = at >= 0 && h.All[at].Parent == x.parents[k][1]
	}
	if !same || x.stale && x.rev != h.Rev {
		x.truncate(0)
		x.stale = false
	}
	x.rev = h.Rev
	if same && len(x.parents) == len(h.All) {
		return
	}
	x.parents = x.parents[:0]
	for i := range h.All {
		x.parents = columns.Push(x.blocks.Acc, x.parents, [2]model.CollectorID{h.All[i].ID, h.All[i].Parent})
	}
}

// block returns block i of a level, made now if need be.
func (w *statWork) block(level int, i int64) *statBlock {
	x := &w.index.blocks
	if b, ok := x.At(level, i).(*statBlock); ok {
		return b
	}
	var b *statBlock
	if level == 0 {
		w.frames(0, i<<columns.StatShift, (i+1)<<columns.StatShift-1, &w.made)
		b = new(statBlock)
		*b = w.made
		b.rows, b.bins = slices.Clone(b.rows), slices.Clone(b.bins)
	} else {
		b = w.merged(level, i)
	}
	x.Put(level, i, b)
	return b
}

// merged makes a block of the blocks below it.
func (w *statWork) merged(level int, i int64) *statBlock {
	var parts []*statBlock
	for k := i << statUp; k < (i+1)<<statUp; k++ {
		parts = append(parts, w.block(level-1, k))
	}
	m := &w.merger
	m.start(parts, model.NoCollector)
	b := &statBlock{first: parts[0].first, frames: m.frames, rootOwn: m.rootOwn}
	for m.next() {
		r := m.row
		r.binBegin = int32(len(b.bins))
		b.bins = append(b.bins, m.bins...)
		r.binEnd = int32(len(b.bins))
		b.rows = append(b.rows, r)
	}
	b.rows, b.bins = slices.Clip(b.rows), slices.Clip(b.bins)
	return b
}

// frames makes b the block of the frames at positions [from, to], with a tally that may have them.
func (w *statWork) frames(tally int, from, to int64, b *statBlock) {
	a := &w.tally[tally]
	a.figure = figureOf(w.levels)
	w.tallied += a.run(w.h, w.track, from, to)
	b.begin(w.track, from, to)
	b.rootOwn = a.rootOwn
	for _, c := range a.touched {
		w.push(b, w.h.All[c].ID, &a.tallies[c], to)
	}
}

// values returns how many values, of levels or of times, are in the frames at positions [from, to].
func (t *Thread) values(levels bool, from, to int64) int64 {
	rows := t.ends(levels)
	return rows.At(to) - rowsBefore(rows, from)
}

// ends returns where the rows of frames end, of levels or of times.
func (t *Thread) ends(levels bool) *columns.Near {
	if levels {
		return &t.frames.levels
	}
	return &t.frames.selfEnd
}

// framesOf makes b the block of a single collector in the frames at positions [from, to].
func (w *statWork) framesOf(c model.CollectorID, from, to int64, b *statBlock) {
	w.tallied += w.track.values(w.levels, from, to)
	b.begin(w.track, from, to)
	w.one.run(w.reader, w.h, w.track, c, w.levels, from, to)
	if w.one.Present > 0 {
		w.push(b, c, &w.one.Tally, to)
	}
}

// begin makes b a block without collectors, in the memory that it has.
func (b *statBlock) begin(t *Thread, from, to int64) {
	n, _ := t.frames.counted(from, to)
	*b = statBlock{first: from, frames: n, rows: b.rows[:0], bins: b.bins[:0]}
}

// push adds the row of a collector that was tallied up to position to.
func (w *statWork) push(b *statBlock, c model.CollectorID, y *Tally, to int64) {
	r := statRow{
		collector: c, present: y.Present, count: y.Count,
		sum: y.Sum, self: y.Self, min: y.Min, max: y.Max, maxAt: y.MaxAt,
		absentAt: -1, binBegin: int32(len(b.bins)),
	}
	if absent := y.Absent(); absent <= to {
		r.absentAt = absent
	}
	b.bins = w.merger.histogram(y, b.bins)
	r.binEnd = int32(len(b.bins))
	b.rows = append(b.rows, r)
}

// cover lists in parts the blocks that make up the frames [from, to]; those at the edges may have a
// single collector.
func (w *statWork) cover(only model.CollectorID, from, to int64) {
	w.parts = w.parts[:0]
	end := to + 1
	for from < end {
		level := w.index.blocks.Greatest(from, end)
		if level < 0 {
			stop := min((from>>columns.StatShift+1)<<columns.StatShift, end)
			side := min(len(w.parts), 1)
			edge := &w.edges[side]
			if only == model.NoCollector {
				w.frames(side, from, stop-1, edge)
			} else {
				w.framesOf(only, from, stop-1, edge)
			}
			w.parts = append(w.parts, edge)
			from = stop
			continue
		}
		w.parts = append(w.parts, w.block(level, from>>(columns.StatShift+statUp*level)))
		from += 1 << (columns.StatShift + statUp*level)
	}
}

// PrepareStats prepares the base of statistics of long ranges of a track, at most for about maxFrames
// frames, and reports whether there is more to do. Without it the first query does all of it: 100,000
// frames take some 50 ms. A viewer calls it once a tick for the track that it shows.
func (x *Table) PrepareStats(track model.TrackID, levels bool, maxFrames int) (more bool) {
	t := x.track(track)
	if t == nil {
		return false
	}
	w, y := x.openStats(t, levels)
	defer x.closeStats(w)
	first := (t.frames.first + 1<<columns.StatShift - 1) >> columns.StatShift
	end := t.frames.number.End() >> columns.StatShift
	i := max(first, y.ready)
	for ; i < end; i++ {
		if y.blocks.At(0, i) != nil {
			continue
		}
		if maxFrames <= 0 {
			y.ready = i
			return true
		}
		maxFrames -= 1 << columns.StatShift
		w.block(0, i)
	}
	y.ready = i
	return false
}

// openStats selects the blocks of a track for a query; closeStats releases them.
func (x *Table) openStats(t *Thread, levels bool) (*statWork, *statIndex) {
	w := &x.host.Work.stats
	y := &t.stats[0]
	if levels {
		y = &t.stats[1]
	}
	w.index, w.h, w.track, w.levels = y, x.host.Collectors.Tree(), t, levels
	w.reader = &x.host.Work.reader
	w.tallied, w.merger.visited = 0, 0
	y.aim(w.h)
	y.stale = y.stale || w.h.Rev != x.host.Collectors.Revision()
	return w, y
}

func (x *Table) closeStats(w *statWork) {
	x.visited = w.tallied + w.merger.visited
	w.index, w.track = nil, nil
}

// blockStats answers AllStats, or Stats if only is a collector, by way of the blocks.
func (x *Table) blockStats(t *Thread, only model.CollectorID, levels bool, from, to int64, out []Stats) []Stats {
	w, _ := x.openStats(t, levels)
	defer x.closeStats(w)
	w.cover(only, from, to)
	m := &w.merger
	m.start(w.parts, only)
	found := false
	for m.next() {
		if only == model.NoCollector && levels && m.row.collector == 0 && !m.rootOwn {
			continue
		}
		found = true
		out = append(out, m.stats(t, statScale(levels)))
	}
	if only != model.NoCollector && !found {
		first := t.frames.nextCounted(from, from < to)
		out = append(out, Stats{Collector: only, Frames: m.frames, MaxFrame: t.frames.number.At(first)})
	}
	clear(w.parts)
	m.parts, m.bins = nil, nil
	return out
}
