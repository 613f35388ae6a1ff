package spans

import (
	"math"

	"framescope/model"
	"framescope/model/columns"
)

// LaneTrack is the work of one thread: a stack of lanes, the outermost calls in the first.
type LaneTrack struct {
	table *LaneTable
	id    model.TrackID
	lanes []*Lane // nil where no span came yet
	undo  undoLog
	frame uint64 // number of the frame that is appended

	sequence  int64      // that is appended to
	sequences *sequences // nil while there is but one
}

// Init makes the track ready.
func (t *LaneTrack) Init(table *LaneTable, id model.TrackID) {
	t.table, t.id = table, id
	t.undo.acc = table.host.Other
}

// Appended is the result of Append for a run of spans.
type Appended struct {
	Began    int32 // spans that began in it
	Lo, Hi   int64 // their earliest and latest time, Lo > Hi if there is none
	BadLanes int64 // nested too deeply, and dropped
	BadPaths int64 // of undefined call paths
	BadTimes int64 // that ended before they began
	Overlaps int64 // that overlapped the one before in their lane, and were cut
}

// Nothing is the initial value for Append.
func Nothing() Appended { return Appended{Lo: model.MaxTime, Hi: model.MinTime} }

// BeginFrame starts the frame at a position: it owns the spans appended from now on. overlaps means
// that it begins before the frame before it ended.
func (t *LaneTrack) BeginFrame(position int64, overlaps bool) {
	t.frame++
	if overlaps {
		t.beginSequence(position)
	}
	t.undo.frame(position)
}

// Enter makes the table know the track, before its first span.
func (t *LaneTrack) Enter() {
	t.table.tracks = columns.SetSlot(t.table.host.Other, t.table.tracks, t.id, t)
}

// Append adds spans in the order of their beginning. framed means that they belong to a frame,
// follows that they continue the track's last batch; known is the number of defined call paths.
// Goroutines may append to different tracks at once, each with its own work.
func (t *LaneTrack) Append(spans []model.Span, framed, follows bool, known int, work *Work, r *Appended) {
	work.totals.Grow(known)
	for {
		n := t.run(spans, known, framed, r)
		if n == len(spans) {
			return
		}
		t.appendOne(&spans[n], known, framed, follows, work, r)
		spans = spans[n+1:]
	}
}

// run adds spans up to the first that needs more than a row, and returns how many. It calls
// nothing, as nearly all spans go this way.
func (t *LaneTrack) run(spans []model.Span, known int, framed bool, r *Appended) int {
	lo, hi, n := r.Lo, r.Hi, 0
	for ; n < len(spans); n++ {
		sp := &spans[n]
		if int(sp.Lane) >= len(t.lanes) {
			break
		}
		l := t.lanes[sp.Lane]
		if l == nil || l.n >= l.ready || sp.Flags&(model.SpanContinues|model.SpanMoves) != 0 ||
			int64(sp.Path) >= int64(known) {
			break
		}
		begin, end := sp.Begin, sp.End
		offset, dur := begin-l.tailBase, end-begin
		if begin < l.lastEnd || end < begin || end > model.MaxTime || uint64(offset|dur)>>32 != 0 {
			break
		}
		c := l.tail
		k := len(c.rows)
		if l.touched != t.frame { // the common case of touch
			meta, u, at := c.rows[k-1].meta, &t.undo, len(t.undo.lanes)
			if l.sequence != t.sequence || framed && (meta&metaMoved != 0 || at == cap(u.lanes)) {
				break
			}
			if framed {
				u.lanes = u.lanes[:at+1]
				u.lanes[at] = undoLane{n: l.n, end: l.lastEnd, lane: sp.Lane, flags: model.SpanFlags(meta & metaFlags)}
			}
			l.touched = t.frame
		}
		c.rows = c.rows[:k+1]
		c.rows[k] = lanesRow{uint32(offset), uint32(dur), metaOf(sp.Path, sp.Flags)}
		l.n++
		l.lastEnd = end
		lo, hi = min(lo, begin), max(hi, end)
	}
	r.Lo, r.Hi = lo, hi
	r.began(n)
	return n
}

// appendOne adds a span of any kind.
func (t *LaneTrack) appendOne(sp *model.Span, known int, framed, follows bool, work *Work, r *Appended) {
	if sp.Lane >= MaxLanes {
		r.BadLanes++
		return
	}
	l := t.laneFor(int(sp.Lane))
	path := sp.Path
	if int64(path) >= int64(known) {
		path = model.PathRoot
		r.BadPaths++
	}
	begin, end := model.ClampTime(sp.Begin), model.ClampTime(sp.End)
	if end < begin {
		end = begin
		r.BadTimes++
	}
	if l.touched != t.frame {
		t.touch(l, sp.Lane, framed)
	}
	flags := sp.Flags
	if flags&(model.SpanContinues|model.SpanMoves) != 0 {
		if moves := flags&model.SpanMoves != 0; l.n > l.first && (moves || follows && l.lastPath(l.n-1) == path) {
			if moves {
				l.move(begin, path)
			}
			l.extend(end, flags)
			r.Hi = max(r.Hi, l.lastEnd)
			return
		}
		flags |= model.SpanOpenBegin
	}
	if begin < l.lastEnd {
		begin = l.lastEnd
		end = max(end, begin)
		flags |= model.SpanUncertain
		r.Overlaps++
	}
	l.append(begin, end, path, flags, work)
	r.Lo, r.Hi = min(r.Lo, begin), max(r.Hi, end)
	r.began(1)
}

func (r *Appended) began(n int) { r.Began = int32(min(int64(r.Began)+int64(n), math.MaxInt32)) }

// touch notes the state of a lane before new data changes it.
func (t *LaneTrack) touch(l *Lane, n uint16, framed bool) {
	l.touched = t.frame
	if framed {
		t.undo.lane(l, n)
	}
	if l.sequence != t.sequence {
		l.note(t.sequence)
	}
}

// laneFor returns a lane, a new one if need be.
func (t *LaneTrack) laneFor(n int) *Lane {
	if n >= len(t.lanes) {
		was := cap(t.lanes)
		t.lanes = append(t.lanes, make([]*Lane, n+1-len(t.lanes))...)
		t.table.host.Spans.Add(int64(cap(t.lanes)-was) * 8)
	}
	l := t.lanes[n]
	if l == nil {
		l = newLane(t.table.host.Spans, t.table.host.Pyramids)
		t.lanes[n] = l
	}
	return l
}

// ID returns the track's id.
func (t *LaneTrack) ID() model.TrackID { return t.id }

// Stack returns the lanes, the outermost first, nil where no span came yet. It is not to be changed.
func (t *LaneTrack) Stack() []*Lane { return t.lanes }

// Lanes returns the number of rows that spans occupy.
func (t *LaneTrack) Lanes() int { return len(t.lanes) }

// Stored returns the number of spans.
func (t *LaneTrack) Stored() (n int64) {
	for _, l := range t.lanes {
		if l != nil {
			n += l.n - l.first
		}
	}
	return n
}

// Bounds returns the earliest begin and the latest end; ok is false where there are no spans.
func (t *LaneTrack) Bounds() (begin, end int64, ok bool) {
	begin, end = model.MaxTime, model.MinTime
	for _, l := range t.lanes {
		if l != nil && l.n > l.first {
			begin, end, ok = min(begin, l.Begin(l.first)), max(end, l.lastEnd), true
		}
	}
	return begin, end, ok
}

// DropBefore forgets the spans that began before and ended by a time, and returns how many these
// were. Where frames overlap it is those that came with frames before a position, and of the frames
// that follow each other there those before the time.
func (t *LaneTrack) DropBefore(position, timeNs int64) (n int64) {
	oldest := t.dropSequences(position)
	for _, l := range t.lanes {
		if l == nil {
			continue
		}
		if t.sequences == nil {
			n += l.evict(l.FirstKept(timeNs))
			continue
		}
		n += l.evict(l.firstOf(oldest, timeNs))
		l.dropNotes(oldest)
	}
	return n
}

// Clear frees everything.
func (t *LaneTrack) Clear() {
	for _, l := range t.lanes {
		if l != nil {
			l.clear()
		}
	}
	t.table.host.Spans.Add(-int64(cap(t.lanes)) * 8)
	columns.EmptySlot(t.table.tracks, t.id, t)
	t.lanes = nil
	t.undo.clear()
	t.clearSequences()
}
