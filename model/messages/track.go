package messages

import (
	"framescope/model"
	"framescope/model/columns"
)

// MaxText bounds the text of a message in bytes.
const MaxText = 64 << 10

// maxLabel bounds the names of categories and objects of messages in bytes.
const maxLabel = 1 << 10

// Track is the part of a track with its messages: it holds them in order of time, and changes the
// results of the table. A message takes 48 bytes and its text; categories and objects are numbers
// (columns.Interns).
type Track struct {
	shared *Table // the session's
	track  model.TrackID
	rows   rowColumn
	first  int64 // position of the first that counts
	texts  textStore
	worst  columns.Pyramid // of 16, 256, … messages the position of the gravest, the oldest of equals
	add    []row           // those that are ready to be taken
	adding columns.Booked
	late   bool // a message came late and was put in its place
	starts columns.FrameStarts
	edits  edits
}

type rowColumn struct{ columns.Column }

func (c *rowColumn) Ref(i int64) *row { return columns.Ref[row](&c.Column, i) }

// row is a message. frame is the number of the frame that it came with, or NoFrame.
type row struct {
	time, frame int64
	text        int64
	length      int32
	category    int32
	object      int32
	severity    model.Severity
}

const joinShift = 4

func timeOf(r *row) int64 { return r.time }

// Queue makes a message, with a text no longer than MaxText, ready to be taken. frame is the number
// of the frame that it came with, or NoFrame.
func (n *Track) Queue(m *model.Message, frame int64) {
	severity := min(max(m.Severity, model.SeverityTrace), model.SeverityError)
	n.shared.severities[severity-model.SeverityTrace]++
	n.add = append(n.add, row{
		time: m.Time, frame: frame, text: n.texts.add(m.Text), length: int32(len(m.Text)),
		category: n.shared.categories.Use(m.Category[:min(len(m.Category), maxLabel)]),
		object:   n.shared.objects.Use(m.Object[:min(len(m.Object), maxLabel)]),
		severity: severity,
	})
}

// Take puts the messages that are ready in their places and returns how many came too late.
func (n *Track) Take() (refused int) {
	if len(n.add) == 0 {
		return 0
	}
	n.shared.tracks = columns.SetSlot(n.rows.Acc, n.shared.tracks, n.track, n)
	n.shared.rev++
	end := n.rows.End()
	n.starts.Add(n.add[0].frame, end)
	from, refused := columns.Place(&n.rows.Column, n.add, n.first, columns.MessageWindow, timeOf)
	for i := range refused {
		n.release(&n.add[i])
	}
	if from < end {
		n.late = true
		n.changed(from)
	}
	columns.Grow(&n.worst, n.rows.End(), joinShift, joinShift, n)
	n.add = columns.Settle(n.rows.Acc, &n.adding, n.add)
	return refused
}

func (n *Track) release(r *row) {
	n.shared.severities[r.severity-model.SeverityTrace]--
	n.shared.categories.Drop(r.category)
	n.shared.objects.Drop(r.object)
	n.texts.drop(r.text, r.length)
}

// changed notes that the messages from a position on changed.
func (n *Track) changed(from int64) {
	n.worst.Truncate(from)
	then := int64(model.MinTime)
	if from > n.first {
		then = n.rows.Ref(from - 1).time
	}
	n.edits.add(edit{from, then})
}

func (n *Track) LeafOf(from, to int64) int64 {
	best := from
	for i := from + 1; i < to; i++ {
		best = n.graver(best, i)
	}
	return best
}

func (n *Track) JoinOf(nodes []int64) int64 {
	best := nodes[0]
	for _, i := range nodes[1:] {
		best = n.graver(best, i)
	}
	return best
}

// graver returns the position of the graver of two messages, of equals a.
func (n *Track) graver(a, b int64) int64 {
	if n.rows.Ref(b).severity > n.rows.Ref(a).severity {
		return b
	}
	return a
}

// gravest returns the position of the gravest of the messages at [from, to), the oldest of equals.
// Cost: O(log n).
func (n *Track) gravest(from, to int64, visited *int64) int64 {
	best := from
	for from < to {
		*visited++
		if node, end := columns.Greatest[int64](&n.worst, from, to); node != nil {
			best, from = n.graver(best, *node), end
			continue
		}
		best = n.graver(best, from)
		from++
	}
	return best
}

// Rewind takes back the messages that came with frames of at least number; those without a frame
// stay.
func (n *Track) Rewind(number int64) {
	n.shared.rev++
	first := n.starts.Rewind(number)
	if n.late { // some may have been put before older ones
		first -= columns.MessageWindow
	}
	end := n.rows.End()
	from := columns.TakeBack(&n.rows.Column, max(first, n.first), func(r *row) bool {
		if r.frame == model.NoFrame || r.frame < number {
			return false
		}
		n.release(r)
		return true
	})
	if from < end {
		n.changed(from)
		columns.Grow(&n.worst, n.rows.End(), joinShift, joinShift, n)
	}
}

// DropBefore forgets the messages before a time and returns how many.
func (n *Track) DropBefore(timeNs int64) int64 {
	to := n.from(timeNs)
	gone := to - n.first
	if gone == 0 {
		return 0
	}
	for i := n.first; i < to; i++ {
		n.release(n.rows.Ref(i))
	}
	n.shared.rev++
	n.first = to
	n.rows.DropBefore(to)
	n.worst.DropBefore(to)
	return gone
}

// from returns the position of the first message with Time >= timeNs.
func (n *Track) from(timeNs int64) int64 {
	return columns.Search(n.first, n.rows.End(), func(i int64) bool { return n.rows.Ref(i).time >= timeNs })
}

// message returns the message at a position.
func (n *Track) message(i int64) model.Message {
	r := n.rows.Ref(i)
	return model.Message{
		Time: r.time, Severity: r.severity, Text: n.texts.text(r.text, r.length),
		Category: n.shared.categories.Text(r.category), Object: n.shared.objects.Text(r.object),
	}
}

// Bounds returns the times of the oldest and the newest message; ok is false where there is none.
func (n *Track) Bounds() (begin, end int64, ok bool) {
	if n.rows.End() == n.first {
		return 0, 0, false
	}
	return n.rows.Ref(n.first).time, n.rows.Ref(n.rows.End() - 1).time, true
}

// Empty reports whether there never was a message since the last Clear.
func (n *Track) Empty() bool { return n.rows.End() == 0 }

// Stored returns the number of messages that are kept.
func (n *Track) Stored() int64 { return n.rows.End() - n.first }

// Positions returns the position of the oldest message that is kept, and that behind the newest.
func (n *Track) Positions() (first, end int64) { return n.first, n.rows.End() }

// Init makes the part of a track ready.
func (n *Track) Init(table *Keeper, id model.TrackID, acc *columns.Account) {
	n.shared, n.track = &table.Table, id
	n.rows.Acc, n.worst.Acc, n.texts.acc, n.starts.Acc = acc, acc, acc, acc
}

// Clear frees everything.
func (n *Track) Clear() {
	n.shared.leave(n)
	n.rows.Clear()
	n.worst.Clear()
	n.texts.clear()
	n.adding.Set(n.rows.Acc, 0)
	n.starts.Clear()
	n.first = 0
}
