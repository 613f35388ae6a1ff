package spans

import (
	"math"

	"framescope/model"
)

// Track is what one thread did: a stack of lanes, the outermost calls in the first.
type Track struct {
	table *Keeper
	id    model.TrackID
	lanes []*lane // nil where no span came yet
	undo  undoLog
	frame uint64 // number of the frame that is appended
}

// Init makes the track ready. The table knows it from its first span on.
func (t *Track) Init(table *Keeper, id model.TrackID) {
	t.table, t.id = table, id
	t.undo.acc = table.host.Other
}

// Appended is what Append did with a run of spans.
type Appended struct {
	Began    int32 // spans that began in it
	Lo, Hi   int64 // their earliest and latest time, Lo > Hi if there is none
	BadLanes int64 // nested too deeply, and dropped
	BadPaths int64 // of undefined call paths
	BadTimes int64 // that ended before they began
	Overlaps int64 // that overlapped the one before in their lane, and were cut
}

// BeginFrame tells that the spans appended from now on are those of the frame at a position.
func (t *Track) BeginFrame(position int64) {
	t.frame++
	t.undo.frame(position)
}

// Append adds spans in the order of their beginning. framed tells that they are of a frame, follows
// that they go on where the track's last batch ended.
func (t *Track) Append(spans []model.Span, framed, follows bool) (r Appended) {
	work := &t.table.closing
	known := t.table.host.Paths.Len()
	work.totals.Grow(known)
	lo, hi := int64(model.MaxTime), int64(model.MinTime)
	for i := range spans {
		sp := &spans[i]
		if sp.Lane >= MaxLanes {
			r.BadLanes++
			continue
		}
		var l *lane
		if int(sp.Lane) < len(t.lanes) {
			l = t.lanes[sp.Lane]
		}
		if l == nil {
			l = t.laneFor(int(sp.Lane))
		}
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
		if framed && l.touched != t.frame {
			l.touched = t.frame
			t.undo.lane(l, int32(sp.Lane))
		}
		flags := sp.Flags
		if flags&(model.SpanContinues|model.SpanMoves) != 0 {
			if moves := flags&model.SpanMoves != 0; l.n > l.first && (moves || follows && l.lastPath(l.n-1) == path) {
				if moves {
					l.move(begin, path)
				}
				l.extend(end, flags)
				hi = max(hi, l.lastEnd)
				continue
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
		lo, hi = min(lo, begin), max(hi, end)
		if r.Began < math.MaxInt32 {
			r.Began++
		}
	}
	r.Lo, r.Hi = lo, hi
	return r
}

// laneFor returns a lane, a new one if need be.
func (t *Track) laneFor(n int) *lane {
	if len(t.lanes) == 0 {
		t.table.enter(t)
	}
	if n >= len(t.lanes) {
		was := cap(t.lanes)
		t.lanes = append(t.lanes, make([]*lane, n+1-len(t.lanes))...)
		t.table.host.Spans.Add(int64(cap(t.lanes)-was) * 8)
	}
	l := t.lanes[n]
	if l == nil {
		l = newLane(t.table.host.Spans, t.table.host.Pyramids)
		t.lanes[n] = l
	}
	return l
}

// Lanes returns the number of rows that spans occupy.
func (t *Track) Lanes() int { return len(t.lanes) }

// Stored returns the number of spans.
func (t *Track) Stored() (n int64) {
	for _, l := range t.lanes {
		if l != nil {
			n += l.n - l.first
		}
	}
	return n
}

// Bounds returns the earliest begin and the latest end; ok is false where there are no spans.
func (t *Track) Bounds() (begin, end int64, ok bool) {
	begin, end = model.MaxTime, model.MinTime
	for _, l := range t.lanes {
		if l != nil && l.n > l.first {
			begin, end, ok = min(begin, l.begin(l.first)), max(end, l.lastEnd), true
		}
	}
	return begin, end, ok
}

// DropBefore forgets the spans that began before and ended by a time, and returns how many these
// were.
func (t *Track) DropBefore(timeNs int64) (n int64) {
	for _, l := range t.lanes {
		if l != nil {
			n += l.evictBefore(timeNs)
		}
	}
	return n
}

// Clear lets go of everything.
func (t *Track) Clear() {
	for _, l := range t.lanes {
		if l != nil {
			l.clear()
		}
	}
	t.table.host.Spans.Add(-int64(cap(t.lanes)) * 8)
	if t.table.track(t.id) == t {
		t.table.tracks[t.id] = nil
	}
	t.lanes = nil
	t.undo.clear()
}
