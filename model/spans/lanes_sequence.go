package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// Frames mostly follow each other: each begins where the one before it ended, or later, and the
// time of a frame determines its spans. Those of a GPU may overlap though, and clocks go back. A
// frame that begins before the end of the one before it begins a new sequence: within a sequence
// time decides, and each lane notes the sequence of its spans.
//
// As a lane is in order of time and nothing in it overlaps, a sequence adds one run of positions
// and one run of time to it. So a lane notes, when a sequence first touches it, how many spans it
// has and where the last of them ends: that one may go on into the sequence. While frames follow
// each other there is one sequence, number 0, and nothing is noted. If every frame overlaps the one
// before, a frame costs each lane that it touches as much as one span, 12 bytes.

// sequences are those of a track from number 1 on.
type sequences struct {
	starts columns.Near // position of the first frame of each; that of number k is at k-1
	first  int64        // place in starts of the oldest that is kept
}

// laneNotes are where sequences first touched a lane, ascending.
type laneNotes struct {
	sequence columns.Near // its number
	n        columns.Near // how many spans the lane had
	end      columns.Near // where the last of them ended
	first    int64        // place of the oldest note that is kept
}

// LaneShare is the part of a lane that a sequence added: the spans [from, to), the last of them cut at
// end, as it may have grown later, and the part of span from-1 after begin, if that is kept.
type LaneShare struct{ From, To, Begin, End int64 }

// Whole is all that a lane holds.
func (l *Lane) Whole() LaneShare { return LaneShare{l.first, l.n, model.MinTime, model.MaxTime} }

// Overlaps reports whether frames of the track overlap.
func (t *LaneTrack) Overlaps() bool { return t.sequences != nil }

// beginSequence begins a sequence with the frame at a position.
func (t *LaneTrack) beginSequence(position int64) {
	if t.sequences == nil {
		t.sequences = new(sequences)
		t.sequences.starts.Init(t.table.host.Spans)
		t.table.host.Spans.Add(columns.SizeOf[sequences]())
	}
	t.sequences.starts.Push(position)
	t.sequence++
}

// SequenceOf returns the number of a frame's sequence.
func (t *LaneTrack) SequenceOf(position int64) int64 {
	x := t.sequences
	if x == nil {
		return 0
	}
	return columns.Search(x.first, x.starts.End(), func(i int64) bool { return x.starts.At(i) > position })
}

// FramesOf returns the positions of the frames of a sequence, from the first to behind the last,
// as far as they are known: other sequences bound them.
func (t *LaneTrack) FramesOf(sequence int64) (from, to int64) {
	x := t.sequences
	if to = model.MaxTime; x == nil {
		return 0, to
	}
	if sequence > x.first {
		from = x.starts.At(sequence - 1)
	}
	if sequence < x.starts.End() {
		to = x.starts.At(max(sequence, x.first))
	}
	return from, to
}

// note notes that the sequence which is appended to touches a lane from now on.
func (l *Lane) note(sequence int64) {
	if l.notes == nil {
		l.notes = new(laneNotes)
		for _, c := range l.notes.columns() {
			c.Init(l.acc)
		}
		l.acc.Add(columns.SizeOf[laneNotes]())
	}
	l.sequence = sequence
	l.notes.sequence.Push(sequence)
	l.notes.n.Push(l.n)
	l.notes.end.Push(l.lastEnd)
}

func (x *laneNotes) columns() [3]*columns.Near { return [...]*columns.Near{&x.sequence, &x.n, &x.end} }

// after returns the place of the first note of a sequence beyond one.
func (x *laneNotes) after(sequence int64) int64 {
	return columns.Search(x.first, x.sequence.End(), func(k int64) bool { return x.sequence.At(k) > sequence })
}

// ShareOf returns the part that a sequence added; ok is false if it never touched the lane.
func (l *Lane) ShareOf(sequence int64) (s LaneShare, ok bool) {
	s = l.before(sequence)
	x := l.notes
	if x == nil {
		return s, sequence == 0
	}
	k := x.after(sequence)
	if k == x.first {
		return s, sequence == 0
	}
	s.From, s.Begin = max(x.n.At(k-1), l.first), x.end.At(k-1)
	return s, x.sequence.At(k-1) == sequence
}

// SequenceAt returns the number of the sequence that a span belongs to at a time.
func (l *Lane) SequenceAt(i, timeNs int64) (sequence int64) {
	x := l.notes
	if x == nil {
		return 0
	}
	end := l.End(i)
	k := columns.Search(x.first, x.n.End(), func(k int64) bool {
		n := x.n.At(k)
		return n > i+1 || n == i+1 && (x.end.At(k) > timeNs || x.end.At(k) >= end)
	})
	if k == x.first {
		return 0
	}
	return x.sequence.At(k - 1)
}

// cutNotes forgets the notes of sequences beyond one, and returns the lane's share before these.
func (l *Lane) cutNotes(sequence int64) LaneShare {
	had := l.before(sequence)
	x := l.notes
	if x == nil {
		return had
	}
	k := x.after(sequence)
	for _, c := range x.columns() {
		c.Truncate(k)
	}
	if l.sequence = 0; k > x.first {
		l.sequence = x.sequence.At(k - 1)
	} else {
		l.clearNotes()
	}
	return had
}

// firstOf returns the position of the first span of a sequence that did not begin before and end by
// timeNs, or else of a later one.
func (l *Lane) firstOf(sequence, timeNs int64) (from int64) {
	lo, hi := l.before(sequence-1), l.before(sequence)
	from = min(max(l.FirstKept(timeNs), lo.To), hi.To)
	for _, s := range [...]LaneShare{lo, hi} { // spans that went on into these
		if from == s.To && from > l.first && l.End(from-1) > s.End {
			return from - 1
		}
	}
	return from
}

// GoesOn returns when a span begins to belong to a later sequence, t1 if it does not before.
func (l *Lane) GoesOn(i, sequence, t1 int64) int64 {
	if x := l.notes; x != nil {
		if k := x.after(sequence); k < x.n.End() && x.n.At(k) == i+1 && x.end.At(k) < l.End(i) {
			return min(x.end.At(k), t1)
		}
	}
	return t1
}

// before returns the lane's share when it was first touched by a sequence beyond one.
func (l *Lane) before(sequence int64) LaneShare {
	s := l.Whole()
	switch x := l.notes; {
	case sequence < 0:
		s.To, s.End = l.first, model.MaxTime
	case x != nil:
		if k := x.after(sequence); k < x.n.End() {
			s.To, s.End = max(x.n.At(k), l.first), x.end.At(k)
		}
	}
	return s
}

// dropNotes forgets the notes of sequences before one, but for the newest.
func (l *Lane) dropNotes(sequence int64) {
	x := l.notes
	if x == nil {
		return
	}
	x.first = max(x.first, min(x.after(sequence-1), x.n.End()-1))
	for _, c := range x.columns() {
		c.DropBefore(x.first)
	}
}

func (l *Lane) clearNotes() {
	if l.notes == nil {
		return
	}
	for _, c := range l.notes.columns() {
		c.Clear()
	}
	l.acc.Add(-columns.SizeOf[laneNotes]())
	l.notes = nil
}

// cutSequences forgets the sequences that begin with a frame at a position or later; false: there
// is none.
func (t *LaneTrack) cutSequences(position int64) (some bool) {
	x := t.sequences
	if x == nil {
		return false
	}
	was := t.sequence
	t.sequence = t.SequenceOf(position - 1)
	x.starts.Truncate(t.sequence)
	return t.sequence != was
}

// dropSequences forgets the sequences with all frames before a position.
func (t *LaneTrack) dropSequences(position int64) (oldest int64) {
	x := t.sequences
	if x == nil {
		return 0
	}
	oldest = t.SequenceOf(position)
	x.first = max(oldest-1, x.first)
	if x.first > 0 {
		x.starts.DropBefore(min(x.first, x.starts.End()-1))
	}
	return oldest
}

func (t *LaneTrack) clearSequences() {
	if t.sequences != nil {
		t.sequences.starts.Clear()
		t.table.host.Spans.Add(-columns.SizeOf[sequences]())
		t.sequences, t.sequence = nil, 0
	}
}
