package spans

import (
	"sort"

	"framescope/model"
	"framescope/model/columns"
)

// undoLog records the state of the touched lanes before each of the newest frames, so that they can
// be taken back exactly, a span glued across a frame border included.
type undoLog struct {
	frames []undoFrame // of consecutive positions
	lanes  []undoLane
	acc    *columns.Account
}

// undoFrame is a frame's part of the log: from lanes[start] on.
type undoFrame struct {
	frame int64
	start int
}

// undoLane is the state of a lane before a frame.
type undoLane struct {
	n, end int64 // the number of spans, and of the last one its end
	moves  int32 // and how often it counts for another call path
	lane   uint16
	flags  model.SpanFlags
}

// frame begins the part of the frame at a position.
func (u *undoLog) frame(position int64) {
	if len(u.frames) >= 2*columns.UndoFrames || len(u.lanes) >= columns.UndoLanes && len(u.frames) > 1 {
		keep := min(columns.UndoFrames, (len(u.frames)+1)/2)
		from := len(u.frames) - keep
		start := u.frames[from].start
		u.lanes = u.lanes[:copy(u.lanes, u.lanes[start:])]
		u.frames = u.frames[:copy(u.frames, u.frames[from:])]
		for i := range u.frames {
			u.frames[i].start -= start
		}
	}
	u.frames = columns.Push(u.acc, u.frames, undoFrame{position, len(u.lanes)})
}

// lane notes how a lane is before the present frame touches it.
func (u *undoLog) lane(l *Lane, n uint16) {
	r := undoLane{n: l.n, lane: n}
	if l.n > l.first {
		meta := l.last().meta
		r.end, r.flags = l.lastEnd, model.SpanFlags(meta&metaFlags)
		if meta&metaMoved != 0 {
			r.moves = int32(len(l.Moves(l.n - 1)))
		}
	}
	if len(u.lanes) == cap(u.lanes) {
		u.lanes = columns.Push(u.acc, u.lanes, r)
		return
	}
	u.lanes = append(u.lanes, r)
}

// clear frees everything.
func (u *undoLog) clear() {
	columns.LetGo(u.acc, u.frames)
	columns.LetGo(u.acc, u.lanes)
	u.frames, u.lanes = nil, nil
}

// Rewind takes back the data of the frame at a position and later ones: exactly, as far as the log
// goes. For older frames it removes spans that began at begin or later, by time alone, and leaves
// spans beyond end open there.
func (t *LaneTrack) Rewind(position, begin, end int64) {
	t.frame++ // no lane was touched since
	u := &t.undo
	if len(u.frames) == 0 || position < u.frames[0].frame {
		t.cutLanes(position, begin, end)
		u.lanes, u.frames = u.lanes[:0], u.frames[:0]
		return
	}
	k := int(position - u.frames[0].frame)
	start := u.frames[k].start
	for i := len(u.lanes) - 1; i >= start; i-- {
		r := &u.lanes[i]
		l := t.lanes[r.lane]
		l.truncate(r.n)
		if l.n == r.n && l.n > l.first {
			l.keepMoves(int(r.moves))
			l.setLast(r.end, r.flags)
		}
	}
	u.lanes, u.frames = u.lanes[:start], u.frames[:k]
	if t.cutSequences(position) {
		for _, l := range t.lanes {
			if l != nil {
				l.cutNotes(t.sequence)
			}
		}
	}
}

// cutLanes removes, by time alone, spans that began at begin or later, and leaves spans beyond end
// open there: for rewinds deeper than the log. If frames overlap it does so among those that follow
// each other there, and removes all data of later ones.
func (t *LaneTrack) cutLanes(position, begin, end int64) {
	inside := t.SequenceOf(position-1) == t.SequenceOf(position)
	t.cutSequences(position)
	for _, l := range t.lanes {
		if l == nil {
			continue
		}
		had := l.cutNotes(t.sequence)
		if s, ok := l.ShareOf(t.sequence); ok && inside {
			had.To = min(had.To, max(l.FirstBeginAt(begin), s.From))
			had.End = min(had.End, max(end, s.Begin))
		}
		l.truncate(had.To)
		if l.n > l.first && l.lastEnd > had.End {
			last := l.n - 1
			cut := max(had.End, l.Begin(last))
			l.keepMoves(sort.Search(len(l.Moves(last)), func(k int) bool { return l.Moves(last)[k].Begin >= cut }))
			l.setLast(cut, model.SpanFlags(l.last().meta&metaFlags)|model.SpanOpenEnd)
		}
	}
}
