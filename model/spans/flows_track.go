package spans

import (
	"framescope/model"
	"framescope/model/columns"
)

// FlowTrack is the part of a track that has to do with flows: the arrows that end on it, in order of that
// time. An arrow takes 40 bytes here and 32 on the track where it begins. A nil FlowTrack has none.
type FlowTrack struct {
	table  *FlowTable // the session's
	track  model.TrackID
	rows   rowColumn
	first  int64       // position of the first that counts
	least  timePyramid // of 16, 256, … arrows the earliest begin
	add    []row       // those that are ready to be taken
	adding columns.Booked
	late   bool // one came late and was put in its place
	starts columns.FrameStarts
}

type rowColumn struct{ columns.Column }

func (c *rowColumn) Ref(i int64) *row { return columns.Ref[row](&c.Column, i) }

type timePyramid struct{ columns.Pyramid }

func (p *timePyramid) Grow(n int64, of columns.Summarizer[int64]) {
	columns.Grow(&p.Pyramid, n, joinShift, joinShift, of)
}

func (p *timePyramid) Greatest(from, to int64) (node *int64, end int64) {
	return columns.Greatest[int64](&p.Pyramid, from, to)
}

// row is an arrow. frame is the number of the frame that it came with, or NoFrame.
type row struct {
	to, from, frame  int64
	track            model.TrackID // it begins on
	name             model.FlowID
	chain            uint32
	fromLane, toLane uint16
}

const joinShift = 4

func timeOf(r *row) int64 { return r.to }

func (r *row) arrow(on model.TrackID) Arrow {
	return Arrow{model.Flow{
		From: r.from, To: r.to, FromTrack: r.track, Name: r.name, Chain: r.chain, FromLane: r.fromLane, ToLane: r.toLane,
	}, on}
}

// Queue makes an arrow ready to be taken. frame is the number of the frame that it came with, or
// NoFrame.
func (t *FlowTrack) Queue(f *model.Flow, frame int64) {
	t.add = append(t.add, row{
		to: f.To, from: f.From, frame: frame, track: f.FromTrack, name: f.Name, chain: f.Chain,
		fromLane: f.FromLane, toLane: f.ToLane,
	})
}

// Take puts the arrows that are ready in their places and returns how many came too late.
func (t *FlowTrack) Take() (refused int) {
	if len(t.add) == 0 {
		return 0
	}
	x := t.table
	x.in = columns.SetSlot(x.acc, x.in, t.track, t)
	x.rev++
	end := t.rows.End()
	t.starts.Add(t.add[0].frame, end)
	from, refused := columns.Place(&t.rows.Column, t.add, t.first, columns.MessageWindow, timeOf)
	for i := refused; i < len(t.add); i++ {
		x.begins(&t.add[i], t.track)
	}
	x.stored += int64(len(t.add) - refused)
	if from < end {
		t.late = true
		t.least.Truncate(from)
	}
	t.least.Grow(t.rows.End(), t)
	t.add = columns.Settle(t.rows.Acc, &t.adding, t.add)
	return refused
}

// LeafOf returns the earliest begin of the arrows at [from, to).
func (t *FlowTrack) LeafOf(from, to int64) int64 {
	least := int64(model.MaxTime)
	for i := from; i < to; i++ {
		r := t.rows.Ref(i)
		least = min(least, r.from, r.to)
	}
	return least
}

// JoinOf returns the earliest time of nodes.
func (t *FlowTrack) JoinOf(nodes []int64) int64 {
	least := nodes[0]
	for _, n := range nodes[1:] {
		least = min(least, n)
	}
	return least
}

// Rewind takes back the arrows that came with frames of at least number; those without a frame stay.
func (t *FlowTrack) Rewind(number int64) {
	if t == nil {
		return
	}
	x := t.table
	first := t.starts.Rewind(number)
	if t.late { // some may have been put before older ones
		first -= columns.MessageWindow
	}
	end := t.rows.End()
	from := columns.TakeBack(&t.rows.Column, max(first, t.first), func(r *row) bool {
		if r.frame == model.NoFrame || r.frame < number {
			return false
		}
		x.forget(r, t.track)
		return true
	})
	if from < end {
		x.rev++
		t.least.Truncate(from)
		t.least.Grow(t.rows.End(), t)
	}
}

// DropBefore forgets the arrows that end before a time and returns how many.
func (t *FlowTrack) DropBefore(timeNs int64) int64 {
	if t == nil {
		return 0
	}
	to := t.from(timeNs)
	gone := to - t.first
	if gone == 0 {
		return 0
	}
	for i := t.first; i < to; i++ {
		t.table.forget(t.rows.Ref(i), t.track)
	}
	t.table.rev++
	t.first = to
	t.rows.DropBefore(to)
	t.least.DropBefore(to)
	return gone
}

// from returns the position of the first arrow that ends at timeNs or later.
func (t *FlowTrack) from(timeNs int64) int64 {
	return columns.Search(t.first, t.rows.End(), func(i int64) bool { return t.rows.Ref(i).to >= timeNs })
}

// Bounds returns the times at which the oldest and the newest arrow end; ok is false where there is
// none.
func (t *FlowTrack) Bounds() (begin, end int64, ok bool) {
	if t.Stored() == 0 {
		return 0, 0, false
	}
	return t.rows.Ref(t.first).to, t.rows.Ref(t.rows.End() - 1).to, true
}

// Empty reports whether there never was an arrow.
func (t *FlowTrack) Empty() bool { return t == nil || t.rows.End() == 0 }

// Stored returns the number of arrows that are kept.
func (t *FlowTrack) Stored() int64 {
	if t == nil {
		return 0
	}
	return t.rows.End() - t.first
}

// NewTrack returns the part of a track that has none yet.
func NewTrack(table *FlowKeeper, id model.TrackID, acc *columns.Account) *FlowTrack {
	t := &FlowTrack{table: &table.FlowTable, track: id}
	t.rows.Acc, t.least.Acc, t.starts.Acc = acc, acc, acc
	acc.Add(columns.SizeOf[FlowTrack]())
	return t
}

// Clear frees everything, except the data of tracks on which the arrows began: those of this one
// have left before, or all tracks are cleared, and then the table.
func (t *FlowTrack) Clear() {
	if t == nil {
		return
	}
	t.table.stored -= t.Stored()
	if columns.Slot(t.table.in, t.track) == t {
		columns.EmptySlot(t.table.in, t.track, t)
		t.table.rev++
	}
	t.rows.Clear()
	t.least.Clear()
	t.adding.Set(t.rows.Acc, 0)
	t.starts.Clear()
	t.rows.Acc.Add(-columns.SizeOf[FlowTrack]())
}
