package spans

import (
	"sort"
	"unsafe"

	"framescope/model"
	"framescope/model/columns"
)

// A lane is one row of spans of a track: sorted by time, never overlapping. That one property carries every
// query:
//
//   - the spans that lie in a time range are one run of positions, and at most one more sticks in
//     at either edge: the totals of a range need no search for long spans that began long ago
//     (pyramid.go);
//   - the spans under a pixel are one run of positions too (lod.go, visible.go).
//
// A span takes 12 bytes while it is new: a chunk of 2,048 holds rows of (begin, duration, path and flags), each
// 32 bits, and one 64-bit base for each block of 32 rows, to which the begins are relative. So a lane of more
// than eight spans a second, on average over a block, needs nothing else; begins or durations beyond 4.29 s go
// to a side table (wide), found by binary search. A separate base for a whole chunk was tried on paper and
// dropped: the outermost lane of a game, 60 frames a second, overflows 32 bits within a chunk, and chunks of
// varying length cost a search for each access. Rows are kept together rather than in three columns because all
// readers want two or three of the fields. A full chunk is packed, to 5 or 6 bytes a span (packed.go).
//
// Only the end moves: appending (append), extending the last span when it goes on in the next frame (extend),
// cutting back when a late frame arrives (rewind). Everything derived (lod, flame) describes only spans that
// have a successor, which are final until a rewind; the rest is read from the rows. So extending never touches
// derived data, and a rewind is a truncation of every list to a length that follows from the new number of
// spans.

const (
	chunkSpans = 1 << columns.ChunkShift
	chunkMask  = chunkSpans - 1

	blockSpans = 1 << columns.BlockShift
	blockMask  = blockSpans - 1

	// MaxLanes bounds the rows of a track.
	MaxLanes = 4096
)

// A row's meta is path<<metaShift | flags. SpanContinues is never stored; its bit means that the
// row is in the wide table.
const (
	metaShift = 6
	metaWide  = uint32(model.SpanContinues)
	metaMoved = uint32(model.SpanMoves) // it is in the moves table
	metaFlags = uint32(model.SpanOpenBegin | model.SpanOpenEnd | model.SpanUncertain)
)

type lanesRow struct{ begin, dur, meta uint32 }

// chunk is a run of spans. Short lanes have chunks that grow by doubling, others have blocks.
type chunk struct {
	rows   []lanesRow
	base   []int64 // of each block of rows
	block  *block  // where both lie, once the chunk has its full size
	packed *packed // instead of rows and block, once it is full and no longer the last: packed.go
}

// block is the layout of a full chunk, in memory outside the collected heap: 25,088 bytes.
type block struct {
	base [chunkSpans / blockSpans]int64
	rows [chunkSpans]lanesRow
}

// wideSpan is a span with times too long for its row.
type wideSpan struct{ index, begin, end int64 }

// LaneMove is where a span goes on to count for another call path.
type LaneMove struct {
	Begin int64
	Path  model.PathID
	index int64 // of the span
}

// Lane is a row of spans of a track.
type Lane struct {
	// The data needed to append a span, side by side: see LaneTrack.run.
	tail     *chunk // the last chunk, and the base of its last block
	tailBase int64
	n        int64 // position behind the newest span
	ready    int64 // while n is less there is nothing to prepare, and the tail has the newest span
	lastEnd  int64
	touched  uint64 // number of the frame that last changed the lane, for the undo log

	first      int64 // position of the oldest span kept
	chunks     []*chunk
	chunkBegin []int64    // begin of each chunk's first span, beside chunks so that a search stays in one array
	firstChunk int64      // number of chunks[0]
	gone       int        // chunks at the front that have left: nil
	wide       []wideSpan // ascending by index
	moves      []LaneMove // ascending by index and begin
	leaves     leafColumn
	lod        lodPyramid // above the leaves
	flame      flameIndex
	acc        *columns.Account
	cuts       uint64 // counts changes other than appending: spans taken back, or dropped
	sets       uint64 // counts how often the last span got another end or other flags
	sequence   int64  // that last touched it
	notes      *laneNotes
}

// First returns the position of the oldest span that is kept.
func (l *Lane) First() int64 { return l.first }

// Behind returns the position behind the newest span.
func (l *Lane) Behind() int64 { return l.n }

// CallPaths returns the sums by call path over the lane's blocks.
func (l *Lane) CallPaths() *PathPyramid { return &l.flame.PathPyramid }

// Extremes returns the lengths of calls in the same blocks.
func (l *Lane) Extremes() *Extremes { return &l.flame.extremes }

// chunk returns the chunk of span i.
func (l *Lane) chunk(i int64) *chunk { return l.chunks[(i>>columns.ChunkShift)-l.firstChunk] }

func (l *Lane) row(i int64) lanesRow { return l.chunk(i).row(i & chunkMask) }

// last returns the row of the last span, which alone changes: it is never packed.
func (l *Lane) last() *lanesRow { i := l.n - 1; return &l.chunk(i).rows[i&chunkMask] }

// At returns when span i begins and ends, and the call path for which it counts, from its begin on.
func (l *Lane) At(i int64) (begin, end int64, path model.PathID) {
	c := l.chunk(i)
	k := i & chunkMask
	r := c.row(k)
	path = model.PathID(r.meta >> metaShift)
	if r.meta&metaWide != 0 {
		w := &l.wide[l.findWide(i)]
		return w.begin, w.end, path
	}
	begin = c.base[k>>columns.BlockShift] + int64(r.begin)
	return begin, begin + int64(r.dur), path
}

// Times returns when span i begins and ends.
func (l *Lane) Times(i int64) (begin, end int64) {
	begin, end, _ = l.At(i)
	return begin, end
}

// Begin returns when span i begins.
func (l *Lane) Begin(i int64) int64 { b, _ := l.Times(i); return b }

// End returns when span i ends.
func (l *Lane) End(i int64) int64 { _, e := l.Times(i); return e }

// Path returns the call path for which span i counts, from its begin on.
func (l *Lane) Path(i int64) model.PathID { return model.PathID(l.row(i).meta >> metaShift) }

// Flags returns the flags of span i.
func (l *Lane) Flags(i int64) model.SpanFlags { return model.SpanFlags(l.row(i).meta & metaFlags) }

// Moves returns where span i goes on to count for other call paths. There may be one for every frame
// of the session.
func (l *Lane) Moves(i int64) []LaneMove {
	if l.row(i).meta&metaMoved == 0 {
		return nil
	}
	return l.moves[l.findMove(i):l.findMove(i+1)]
}

// lastPath is the call path for which span i counts in the end.
func (l *Lane) lastPath(i int64) model.PathID {
	if m := l.Moves(i); len(m) > 0 {
		return m[len(m)-1].Path
	}
	return l.Path(i)
}

// PathAt is the call path for which span i counts at a time.
func (l *Lane) PathAt(i, timeNs int64) model.PathID {
	moves := l.Moves(i)
	if k := sort.Search(len(moves), func(k int) bool { return moves[k].Begin > timeNs }); k > 0 {
		return moves[k-1].Path
	}
	return l.Path(i)
}

func (l *Lane) findWide(i int64) int {
	return sort.Search(len(l.wide), func(k int) bool { return l.wide[k].index >= i })
}

func (l *Lane) findMove(i int64) int {
	return sort.Search(len(l.moves), func(k int) bool { return l.moves[k].index >= i })
}

// MovesIn reports whether one of the spans [from, to) counts for several call paths, and so with
// its whole length for none.
func (l *Lane) MovesIn(from, to int64) bool {
	k := l.findMove(from)
	return k < len(l.moves) && l.moves[k].index < to
}

// MovesWithin reports whether a span of the lane goes on for another call path in [begin, end).
func (l *Lane) MovesWithin(begin, end int64) bool {
	k := sort.Search(len(l.moves), func(k int) bool { return l.moves[k].Begin >= begin })
	return k < len(l.moves) && l.moves[k].Begin < end
}

// append adds a span behind the last one. begin >= lastEnd, end >= begin.
func (l *Lane) append(begin, end int64, path model.PathID, flags model.SpanFlags, work *Work) {
	i := l.n
	if i >= l.ready {
		l.prepare(i, begin, work)
	}
	r := lanesRow{meta: metaOf(path, flags)}
	offset, dur := uint64(begin-l.tailBase), uint64(end-begin)
	if (offset|dur)>>32 == 0 {
		r.begin, r.dur = uint32(offset), uint32(dur)
	} else {
		r.meta |= metaWide
		l.wide = columns.Push(l.acc, l.wide, wideSpan{i, begin, end})
	}
	l.tail.rows = append(l.tail.rows, r)
	l.n = i + 1
	l.lastEnd = end
}

func metaOf(path model.PathID, flags model.SpanFlags) uint32 {
	return uint32(path)<<metaShift | uint32(flags)&metaFlags
}

// prepare runs before a span is appended at position i: it summarises complete blocks, at the
// border of a block, and makes room.
func (l *Lane) prepare(i, begin int64, work *Work) {
	if i&blockMask == 0 && i > 0 {
		l.lodBlockDone(i, work)
	}
	if i >= l.flame.tryAt {
		l.flame.tryClose(l, i, &work.totals)
	}
	k := i & chunkMask
	if k == 0 || len(l.chunks) == 0 {
		l.addChunk(begin)
		if n := len(l.chunks) - 1; n > l.gone {
			l.chunks[n-1].pack(l.acc) // the span to be appended is the last one now
		}
	}
	c := l.chunks[len(l.chunks)-1]
	for int64(len(c.base)) <= k>>columns.BlockShift {
		c.base = columns.Push(l.acc, c.base, begin)
	}
	for int64(len(c.rows)) < k { // all before it has left, and is never read: positions go on
		if len(c.rows) == cap(c.rows) {
			c.grow(l.acc, i)
		}
		c.rows = append(c.rows, lanesRow{})
	}
	if len(c.rows) == cap(c.rows) {
		c.grow(l.acc, i)
	}
	l.tail, l.tailBase = c, c.base[k>>columns.BlockShift]
	l.ready = min(i|blockMask+1, l.flame.tryAt, i-k+int64(cap(c.rows)))
}

// chunkBytes is the overhead of a chunk.
const chunkBytes = 80

func newLane(spans, pyramids *columns.Account) *Lane {
	l := &Lane{lastEnd: model.MinTime, acc: spans}
	l.leaves.Acc, l.lod.Acc, l.flame.Acc = pyramids, pyramids, pyramids
	l.flame.extremes.init(pyramids)
	l.acc.Add(columns.SizeOf[Lane]())
	return l
}

// clear frees everything.
func (l *Lane) clear() {
	l.first = l.n
	l.tail, l.ready = nil, 0
	l.dropChunks()
	columns.LetGo(l.acc, l.chunks)
	columns.LetGo(l.acc, l.chunkBegin)
	columns.LetGo(l.acc, l.wide)
	columns.LetGo(l.acc, l.moves)
	l.chunks, l.chunkBegin, l.wide, l.moves = nil, nil, nil, nil
	l.leaves.Clear()
	l.lod.Clear()
	l.flame.clear()
	l.clearNotes()
	l.acc.Add(-columns.SizeOf[Lane]())
}

// grow makes room for more rows in a chunk that is not of the full size, in a lane of n spans so
// far. Chunks begin small and grow by doubling, as free rows at the end of a short lane are not few
// beside its content; ChunksAtOnce sets the least growth.
func (c *chunk) grow(acc *columns.Account, n int64) {
	least := n >> columns.ChunkShift * (chunkSpans / columns.ChunksAtOnce)
	size := int(min(max(int64(2*len(c.rows)), least, 4), chunkSpans))
	if size == chunkSpans {
		rows, base := c.rows, c.base
		c.block = &columns.GetBlock[block](acc, 1)[:1][0]
		c.rows, c.base = append(c.block.rows[:0], rows...), append(c.block.base[:0], base...)
		columns.LetGo(acc, rows)
		columns.LetGo(acc, base)
		return
	}
	rows := make([]lanesRow, len(c.rows), size)
	copy(rows, c.rows)
	acc.Add(int64(size-cap(c.rows)) * columns.SizeOf[lanesRow]())
	c.rows = rows
}

// release frees a chunk. Nothing refers to it any more.
func (l *Lane) release(c *chunk) {
	l.acc.Add(-chunkBytes)
	if c.packed != nil {
		c.letGoPacked(l.acc)
		return
	}
	if c.block != nil {
		columns.PutBlock(l.acc, unsafe.Slice(c.block, 1))
		return
	}
	columns.LetGo(l.acc, c.rows)
	columns.LetGo(l.acc, c.base)
}

func (l *Lane) addChunk(begin int64) {
	if len(l.chunks) == 0 {
		l.firstChunk = l.n >> columns.ChunkShift
	}
	l.acc.Add(chunkBytes)
	l.chunks = columns.Push(l.acc, l.chunks, new(chunk))
	l.chunkBegin = columns.Push(l.acc, l.chunkBegin, begin)
}

// dropChunks frees the chunks that hold only dropped spans.
func (l *Lane) dropChunks() {
	for l.gone < len(l.chunks) && (l.first == l.n || (l.firstChunk+int64(l.gone)+1)<<columns.ChunkShift <= l.first) {
		l.release(l.chunks[l.gone])
		l.chunks[l.gone] = nil
		l.gone++
	}
	switch k := l.gone; {
	case k == len(l.chunks):
		l.chunks, l.chunkBegin, l.gone = l.chunks[:0], l.chunkBegin[:0], 0
	case k > len(l.chunks)/2:
		l.chunks, l.chunkBegin = columns.CutFront(l.acc, l.chunks, k), columns.CutFront(l.acc, l.chunkBegin, k)
		l.firstChunk += int64(k)
		l.gone = 0
	}
}

// move lets the last span count for another call path from begin on, which is not before its own
// begin nor the last move's.
func (l *Lane) move(begin int64, path model.PathID) {
	i := l.n - 1
	begin = max(begin, l.Begin(i))
	if m := l.Moves(i); len(m) > 0 {
		begin = max(begin, m[len(m)-1].Begin)
	}
	l.last().meta |= metaMoved
	l.moves = columns.Push(l.acc, l.moves, LaneMove{begin, path, i})
}

// extend lets the last span go on to end.
func (l *Lane) extend(end int64, flags model.SpanFlags) {
	kept := model.SpanFlags(l.last().meta&metaFlags) &^ model.SpanOpenEnd
	l.setLast(max(end, l.lastEnd), kept|flags&(model.SpanOpenEnd|model.SpanUncertain))
}

// keepMoves forgets all but the first n moves of the last span.
func (l *Lane) keepMoves(n int) {
	i := l.n - 1
	if m := l.Moves(i); n < len(m) {
		l.moves = l.moves[:len(l.moves)-len(m)+n]
		if n == 0 {
			l.last().meta &^= metaMoved
		}
	}
}

// setLast gives the last span another end and flags, for a continuation or a rewind.
func (l *Lane) setLast(end int64, flags model.SpanFlags) {
	i := l.n - 1
	r := l.last()
	begin, _ := l.Times(i)
	switch {
	case r.meta&metaWide != 0:
		l.wide[len(l.wide)-1].end = end
	case uint64(end-begin)>>32 == 0:
		r.dur = uint32(end - begin)
	default:
		r.meta |= metaWide
		l.wide = columns.Push(l.acc, l.wide, wideSpan{i, begin, end})
	}
	r.meta = r.meta&^metaFlags | uint32(flags)&metaFlags
	l.lastEnd = end
	l.sets++
}

// truncate cuts the lane back to n spans.
func (l *Lane) truncate(n int64) {
	l.cuts++ // the last span, too, is restored
	n = max(n, l.first)
	if n >= l.n {
		return
	}
	l.tail, l.ready = nil, 0
	for k := len(l.chunks) - 1; k >= l.gone && (n == l.first || (l.firstChunk+int64(k))<<columns.ChunkShift >= n); k-- {
		l.release(l.chunks[k])
		l.chunks[k] = nil
		l.chunks, l.chunkBegin = l.chunks[:k], l.chunkBegin[:k]
	}
	if l.gone == len(l.chunks) {
		l.chunks, l.chunkBegin, l.gone = l.chunks[:0], l.chunkBegin[:0], 0
	}
	if len(l.chunks) > 0 && l.chunks[len(l.chunks)-1].packed != nil {
		l.chunks[len(l.chunks)-1].unpack(l.acc)
	}
	if k := n & chunkMask; k != 0 && len(l.chunks) > 0 {
		c := l.chunks[len(l.chunks)-1]
		c.rows = c.rows[:k]
		c.base = c.base[:(k+blockMask)>>columns.BlockShift]
	}
	l.wide = l.wide[:l.findWide(n)]
	l.moves = l.moves[:l.findMove(n)]
	l.n = n
	l.lastEnd = model.MinTime
	if n > l.first {
		l.lastEnd = l.End(n - 1)
	}
	l.lodTruncate(n)
	l.flame.truncate(l.first, n)
}

// FirstKept returns the position of the first span that did not begin before and end by timeNs.
func (l *Lane) FirstKept(timeNs int64) int64 {
	from := l.FirstBeginAt(timeNs)
	if from > l.first && l.End(from-1) > timeNs {
		from--
	}
	return from
}

// evict forgets the spans before a position, gives back the chunks that held nothing else, and
// returns how many spans these were.
func (l *Lane) evict(from int64) (spans int64) {
	if from <= l.first {
		return 0
	}
	spans = from - l.first
	l.first = from
	l.cuts++
	l.tail, l.ready = nil, 0
	l.dropChunks()
	l.wide = columns.CutFront(l.acc, l.wide, l.findWide(from))
	l.moves = columns.CutFront(l.acc, l.moves, l.findMove(from))
	l.lodDropBefore(from)
	l.flame.dropBefore(from)
	return spans
}

// FirstBeginAt returns the smallest position of a span that begins at or after timeNs, n if there
// is none.
func (l *Lane) FirstBeginAt(timeNs int64) int64 {
	if l.n == l.first || timeNs > l.lastEnd {
		return l.n // many queries go up to now
	}
	lo := l.gone + sort.Search(len(l.chunkBegin)-l.gone, func(k int) bool { return l.chunkBegin[l.gone+k] >= timeNs })
	if lo == l.gone {
		return l.first
	}
	return l.firstIn(lo-1, timeNs) // or it is the first of chunk lo
}

// FirstBeginNear is FirstBeginAt given a position nearby.
func (l *Lane) FirstBeginNear(timeNs, near int64) int64 {
	if l.n == l.first || timeNs > l.lastEnd {
		return l.n
	}
	if near >= l.first && near < l.n && l.Begin(near) >= timeNs && (near == l.first || l.Begin(near-1) < timeNs) {
		return near
	}
	k := int(near>>columns.ChunkShift - l.firstChunk)
	if k < l.gone || k >= len(l.chunks) || l.chunkBegin[k] >= timeNs || k+1 < len(l.chunks) && l.chunkBegin[k+1] < timeNs {
		return l.FirstBeginAt(timeNs)
	}
	return l.firstIn(k, timeNs)
}

// firstIn returns the smallest position in a chunk of a span that begins at or after timeNs, that behind
// the chunk if there is none. The chunk's first span begins before that.
func (l *Lane) firstIn(chunk int, timeNs int64) int64 {
	c := l.chunks[chunk]
	at := (l.firstChunk + int64(chunk)) << columns.ChunkShift
	block, end := int64(0), int64(len(c.base)) // its base is before timeNs, that of end is not
	for block+1 < end {
		if mid := (block + end) / 2; c.base[mid] < timeNs {
			block = mid
		} else {
			end = mid
		}
	}
	if p := c.packed; p != nil && !p.heads[block].flagged() {
		return max(at+block<<columns.BlockShift+p.firstBegin(block, timeNs-c.base[block]), l.first)
	}
	from := at + block<<columns.BlockShift
	to := min(from+blockSpans, at+c.len())
	from = max(from, l.first) // wide entries of dropped spans are gone
	return columns.Search(from, max(from, to), func(i int64) bool { return l.Begin(i) >= timeNs })
}

// FirstEndAt returns the smallest position of a span that ends at or after timeNs, n if there is
// none.
func (l *Lane) FirstEndAt(timeNs int64) int64 {
	i := l.FirstBeginAt(timeNs)
	// Spans before the one before i end by its begin, which is before timeNs.
	if i > l.first && l.End(i-1) >= timeNs {
		return i - 1
	}
	return i
}
