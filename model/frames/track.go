package frames

import (
	"framescope/model"
	"framescope/model/columns"
)

// Thread is the frames of one track, with the times of collectors and the levels in each, and the
// levels that belong to none. Its methods are queries; Track has the methods that change it.
type Thread struct {
	table   *Keeper
	id      model.TrackID
	known   bool // by the table
	frames  list
	self    selfTable
	levels  levelTable
	stats   [2]statIndex // of times, of levels
	rewinds uint64
	typical typicalOf
	around  Along
}

// Track is a thread with the methods that change it; the session keeps it private.
type Track struct{ Thread }

// Init makes the track ready. The table knows it from the first on that is pushed.
func (t *Track) Init(table *Keeper, id model.TrackID) {
	t.table, t.id = table, id
	t.frames.init(table.host.Frames)
	t.self.rows.Acc = table.host.Totals
	t.levels.init(table.host.Levels)
	t.around = Along{acc: table.host.Frames, work: &table.host.Work.around}
	for k := range t.stats {
		t.stats[k].init(table.host.Totals)
	}
}

// enter makes the table know the track.
func (t *Track) enter() {
	if !t.known {
		t.known = true
		t.table.tracks = columns.SetSlot(t.table.host.Other, t.table.tracks, t.id, &t.Thread)
	}
}

// PushSelf adds the self time of a collector to the frame that Push adds next. Collectors ascend.
func (t *Track) PushSelf(a model.CollectorTime) { t.self.push(a) }

// PushLevel adds a level to the frame that Push adds next. Collectors ascend.
func (t *Track) PushLevel(v model.Level) { t.levels.push(v) }

// PushLoose adds a level that belongs to no frame.
func (t *Track) PushLoose(v model.Level) {
	t.enter()
	t.levels.pushLoose(v)
}

// Push adds a frame with a number greater than that of the last one, and the number of spans that
// began in it.
func (t *Track) Push(number, begin, end int64, spans int32) {
	t.enter()
	f := &t.frames
	f.push(number, begin, end, spans, t.self.rows.End(), t.levels.value.End())
	if changed := f.judge(); changed < t.End()-1 { // what was made of the frames since knew better or worse
		f.worst.Truncate(changed)
		for k := range t.stats {
			t.stats[k].truncate(changed)
		}
		t.rewinds++
	}
	f.sumUp()
}

// SetOpen notes the frame behind the newest one, which is open, in place of an earlier one.
func (t *Track) SetOpen(o Open) { t.frames.open = &o }

// OpenFrame returns the frame that is open; ok is false where none is.
func (t *Thread) OpenFrame() (o Open, ok bool) {
	if t.frames.open == nil {
		return Open{}, false
	}
	return *t.frames.open, true
}

// End returns the position behind the newest frame. Positions count on when frames leave, and are
// taken back with rewinds.
func (t *Thread) End() int64 { return t.frames.number.End() }

// Newest returns the number of the newest frame and where it ends; ok is false where there is none.
func (t *Thread) Newest() (number, end int64, ok bool) {
	f := &t.frames
	if f.n() == 0 {
		return 0, 0, false
	}
	last := f.number.End() - 1
	return f.number.At(last), f.end.At(last), true
}

// Bounds returns the earliest and the latest time of frames, be it one that is open, and of levels that belong to
// none; ok is false where there is nothing.
func (t *Thread) Bounds() (begin, end int64, ok bool) {
	begin, end = t.levels.looseBounds()
	if f := &t.frames; f.n() > 0 {
		all, _ := f.extent(f.first, f.number.End())
		begin, end = min(begin, all.begin), max(end, all.end)
	}
	if o, ok := t.OpenFrame(); ok {
		begin, end = min(begin, o.Begin), max(end, o.End)
	}
	return begin, end, begin <= end
}

// Rewind removes the frames with at least the given number. It returns the position of the first of
// them, its begin, and the earlier end of the frame before it; ok is false if there is none.
func (t *Track) Rewind(number int64) (position, begin, before int64, ok bool) {
	f := &t.frames
	if f.open != nil && f.open.Number >= number {
		f.open = nil
	}
	p := f.find(number)
	if p >= f.number.End() {
		return 0, 0, 0, false
	}
	begin = f.begin.At(p)
	before = begin
	if p > f.first {
		before = min(before, f.end.At(p-1))
	}
	t.self.truncate(rowsBefore(&f.selfEnd, p))
	t.levels.truncate(rowsBefore(&f.levels, p))
	f.truncate(p)
	t.around.Truncate(p)
	for k := range t.stats {
		t.stats[k].truncate(p)
	}
	t.rewinds++
	return p, begin, before, true
}

// DropBefore forgets the frames before a position, but for the newest, and levels that belong to
// none and are before a time. It returns how many frames these were, and how many numbers were
// missing among and before them.
func (t *Track) DropBefore(position, timeNs int64) (count, missing int64) {
	f := &t.frames
	if f.n() == 0 {
		t.levels.dropBefore(0, timeNs)
		return 0, 0
	}
	from := min(max(position, f.first), f.number.End()-1)
	count = from - f.first
	self, levels := rowsBefore(&f.selfEnd, from), rowsBefore(&f.levels, from)
	missing = f.dropBefore(from)
	t.self.dropBefore(self)
	for k := range t.stats {
		t.stats[k].blocks.DropBefore(from)
	}
	t.levels.dropBefore(levels, timeNs)
	return count, missing
}

// Clear frees everything.
func (t *Track) Clear() {
	t.frames.clear()
	t.self.clear()
	t.levels.clear()
	t.rewinds++
	t.typical = typicalOf{}
	t.around.clear()
	for k := range t.stats {
		t.stats[k].clear()
	}
	if t.known {
		columns.EmptySlot(t.table.tracks, t.id, &t.Thread)
		t.known = false
	}
}
