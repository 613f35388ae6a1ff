package model

// Totals per call path, so that the call tree of any range costs the same at ten million spans as at ten thousand.
//
// Each lane is cut into blocks of 256 to 4,096 spans. A closed block keeps a short list of (path, ns, count): only the paths that occur in it,
// unsorted. Eight blocks make a node of the next level, and so on. The total of a run of positions is then the sum of O(log n) such lists, and of
// the spans of the two blocks at its edges. Because spans of a lane never overlap (lane.go), the spans that begin in [t0, t1) are one run of
// positions; only the last of them can stick out at t1, and only the one before them can stick in at t0. Those are cut by hand, so the
// answer is exact, however long the span that reaches into the range.
//
// A block closes when its list is short against its spans (1 entry in 16 spans, a byte a span), at the latest with 4,096 spans. Lanes with
// few paths therefore have small blocks and cheap edges, and a lane in which every span has its own path costs no more than 16 bytes a span
// at this level and, as the lists merge little, less than 3 above it. Totals that run on from the beginning of the session (prefix sums)
// would answer by one subtraction, but need every path in every block: too much for sessions with many paths, so they were dropped.
//
// A span's contribution ends at its FlameEnd (a side table, rarely used). Blocks are made of final spans only, see lane.go.

const (
	flameMinBlock = 256
	flameMaxBlock = 4096
	flameShift    = 3
	flameFanout   = 1 << flameShift
)

// flameEntry is one path's share of a block.
type flameEntry struct {
	ns    int64
	path  PathID
	count uint32
}

// flameNode is a block, or eight nodes of the level below.
type flameNode struct {
	spanBegin, spanEnd   int64 // positions
	entryBegin, entryEnd int64 // in the level's entries
}

type flameLevel struct {
	nodes   column[flameNode]
	entries column[flameEntry]
}

type flameIndex struct {
	levels []flameLevel
	open   int64 // first position of the block that is not closed yet
	tryAt  int64 // position at which closing it is tried next

	extremes spanExtremes
}

// tryClose closes the open block at position end if its list is short enough.
func (f *flameIndex) tryClose(l *lane, end int64, totals *pathTotals) {
	size := end - f.open
	if size < flameMinBlock {
		f.tryAt = f.open + flameMinBlock
		return
	}
	l.addSpans(f.open, end, totals)
	defer totals.clear()
	if int64(len(totals.used))*16 > size && size < flameMaxBlock {
		f.tryAt = f.open + 2*size
		return
	}
	if len(f.levels) == 0 {
		f.levels = append(f.levels, flameLevel{})
	}
	f.levels[0].push(f.open, end, totals)
	f.open, f.tryAt = end, end+flameMinBlock
	for k := 0; f.levels[k].nodes.n&(flameFanout-1) == 0; k++ {
		if k+1 == len(f.levels) {
			f.levels = append(f.levels, flameLevel{})
		}
		child := &f.levels[k]
		first := child.nodes.n - flameFanout
		totals.clear()
		a, b := child.nodes.at(first), child.nodes.at(child.nodes.n-1)
		child.add(first, child.nodes.n, totals)
		f.levels[k+1].push(a.spanBegin, b.spanEnd, totals)
	}
}

func (v *flameLevel) push(spanBegin, spanEnd int64, totals *pathTotals) {
	n := flameNode{spanBegin: spanBegin, spanEnd: spanEnd, entryBegin: v.entries.n}
	for _, p := range totals.used {
		t := &totals.sums[p]
		v.entries.push(flameEntry{ns: t.ns, path: p, count: uint32(min(t.count, 1<<32-1))})
	}
	n.entryEnd = v.entries.n
	v.nodes.push(n)
}

// add adds the lists of nodes [from, to).
func (v *flameLevel) add(from, to int64, totals *pathTotals) {
	if from >= to {
		return
	}
	i, end := v.nodes.ref(from).entryBegin, v.nodes.ref(to-1).entryEnd
	totals.visited += end - i
	for i < end {
		run := v.entries.run(i, end)
		for k := range run {
			totals.add(run[k].path, run[k].ns, int64(run[k].count))
		}
		i += int64(len(run))
	}
}

// truncate cuts the index back for a lane of n spans, the last of which is not final.
func (f *flameIndex) truncate(n int64) {
	if len(f.levels) == 0 {
		return
	}
	nodes := &f.levels[0].nodes
	keep := searchPos(nodes.start(), nodes.n, func(i int64) bool { return nodes.ref(i).spanEnd > n-1 })
	if keep < nodes.n {
		f.open = nodes.ref(keep).spanBegin
	}
	for k := range f.levels {
		v := &f.levels[k]
		if keep < v.nodes.n {
			if keep >= v.nodes.start() {
				v.entries.truncate(v.nodes.ref(keep).entryBegin)
			}
			v.nodes.truncate(keep)
			f.extremes.truncate(k, keep)
		}
		keep >>= flameShift
	}
	f.tryAt = f.open + flameMinBlock
	for f.tryAt < n {
		f.tryAt = f.open + 2*(f.tryAt-f.open)
	}
}

// dropBefore gives back what describes only spans before position from.
func (f *flameIndex) dropBefore(from int64) {
	for k := range f.levels {
		v := &f.levels[k]
		keep := searchPos(v.nodes.start(), v.nodes.n, func(i int64) bool { return v.nodes.ref(i).spanEnd > from })
		if keep < v.nodes.n {
			v.entries.dropBefore(v.nodes.ref(keep).entryBegin)
		} else {
			v.entries.dropBefore(v.entries.n)
		}
		v.nodes.dropBefore(keep)
		f.extremes.dropBefore(k, keep)
	}
	if f.open < from {
		f.open, f.tryAt = from, from+flameMinBlock
	}
}

func (f *flameIndex) bytes() (n int64) {
	for k := range f.levels {
		n += f.levels[k].nodes.bytes() + f.levels[k].entries.bytes()
	}
	return n + f.extremes.bytes.Load()
}

// addSpans adds whole spans [from, to), one by one.
func (l *lane) addSpans(from, to int64, totals *pathTotals) {
	if from < to {
		totals.visited += to - from
	}
	for from < to {
		c := l.chunks[(from>>chunkShift)-l.firstChunk]
		k := from & chunkMask
		rows := c.rows[k:min(int64(len(c.rows)), k+to-from)]
		for j := range rows {
			r := &rows[j]
			ns := int64(r.dur)
			if r.meta&(metaWide|metaCut) != 0 {
				i := from + int64(j)
				ns = l.flameEnd(i) - l.begin(i)
			}
			p := r.meta >> metaShift
			if sum := &totals.sums[p]; sum.count > 0 {
				sum.ns += ns
				sum.count++
			} else {
				totals.add(PathID(p), ns, 1)
			}
		}
		from += int64(len(rows))
	}
}

// addRange adds the whole spans [from, to) by way of the blocks.
func (l *lane) addRange(from, to int64, totals *pathTotals) {
	if from >= to {
		return
	}
	f := &l.flame
	if len(f.levels) == 0 || to-from < flameMinBlock {
		l.addSpans(from, to, totals)
		return
	}
	nodes := &f.levels[0].nodes
	a := searchPos(nodes.start(), nodes.n, func(i int64) bool { return nodes.ref(i).spanBegin >= from })
	b := searchPos(a, nodes.n, func(i int64) bool { return nodes.ref(i).spanEnd > to })
	if a >= b {
		l.addSpans(from, to, totals)
		return
	}
	l.addSpans(from, nodes.ref(a).spanBegin, totals)
	l.addSpans(nodes.ref(b-1).spanEnd, to, totals)
	for k := 0; a < b; k++ {
		v := &f.levels[k]
		if k+1 == len(f.levels) {
			v.add(a, b, totals)
			break
		}
		up := min((a+flameFanout-1)&^(flameFanout-1), b)
		v.add(a, up, totals)
		down := max(min(b&^(flameFanout-1), f.levels[k+1].nodes.n<<flameShift), up)
		v.add(down, b, totals)
		a, b = (up+flameFanout-1)>>flameShift, down>>flameShift
	}
}

// addTime adds what lies in [t0, t1).
func (l *lane) addTime(t0, t1 int64, totals *pathTotals) {
	from, to := l.firstBeginAt(t0), l.firstBeginAt(t1)
	if from > l.first {
		if end := min(l.flameEnd(from-1), t1); end > t0 {
			totals.add(l.path(from-1), end-t0, 1)
		}
	}
	if from >= to {
		return
	}
	l.addRange(from, to-1, totals)
	begin := l.begin(to - 1)
	totals.add(l.path(to-1), min(l.flameEnd(to-1), t1)-begin, 1)
}

// pathTotal is the sum for one path.
type pathTotal struct{ ns, count int64 }

// pathTotals sums by call path: a dense table, and a list of those used, so that clearing costs no more than using.
type pathTotals struct {
	sums    []pathTotal
	seen    []bool
	used    []PathID
	visited int64 // work done: spans walked and list entries added
	top     dominant
}

// grow makes room for paths below n.
func (t *pathTotals) grow(n int) {
	if n > len(t.sums) {
		n = max(n, 2*len(t.sums))
		sums, seen := make([]pathTotal, n), make([]bool, n)
		copy(sums, t.sums)
		copy(seen, t.seen)
		t.sums, t.seen = sums, seen
	}
}

func (t *pathTotals) add(p PathID, ns, count int64) {
	s := &t.sums[p]
	if !t.seen[p] {
		t.seen[p] = true
		t.used = append(t.used, p)
	}
	s.ns += ns
	s.count += count
}

func (t *pathTotals) clear() {
	for _, p := range t.used {
		t.sums[p] = pathTotal{}
		t.seen[p] = false
	}
	t.used = t.used[:0]
}
