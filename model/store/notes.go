package store

import (
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/internal/sizes"
)

// maxMessage bounds the text of a message in bytes.
const maxMessage = 64 << 10

// noteTable holds the messages of a track in order of time. A message takes 48 bytes and its text; categories and objects are numbers (interns.go).
type noteTable struct {
	shared *sharedNotes // the session's
	rows   columns.Column[noteRow]
	first  int64 // position of the first that counts
	texts  textStore
	worst  columns.Pyramid[int64] // of 16, 256, … messages the position of the gravest, the oldest of equals
	placer columns.Placer[noteRow]
	late   bool // a message came late and was put in its place
	starts columns.FrameStarts
	edits  noteEdits
}

// noteRow is a message. frame is the number of the frame that it came with, or NoFrame.
type noteRow struct {
	time, frame int64
	text        int64
	length      int32
	category    int32
	object      int32
	severity    model.Severity
}

// sharedNotes is what the messages of all tracks of a session have in common.
type sharedNotes struct {
	categories, objects interns
	severities          [model.SeverityError - model.SeverityTrace + 1]int64 // messages stored, from SeverityTrace on
	searches            messageSearches
}

const noteShift = 4

func noteTime(r *noteRow) int64 { return r.time }

// queue makes a message ready to be taken.
func (n *noteTable) queue(m *model.Message, frame int64) {
	severity := min(max(m.Severity, model.SeverityTrace), model.SeverityError)
	n.shared.severities[severity-model.SeverityTrace]++
	n.placer.Add = append(n.placer.Add, noteRow{
		time: m.Time, frame: frame, text: n.texts.add(m.Text), length: int32(len(m.Text)),
		category: n.shared.categories.use(m.Category[:min(len(m.Category), maxLabel)]),
		object:   n.shared.objects.use(m.Object[:min(len(m.Object), maxLabel)]),
		severity: severity,
	})
}

// take puts the messages of the queue in their places and returns how many came too late.
func (n *noteTable) take() (refused int) {
	end := n.rows.End()
	n.starts.Add(n.placer.Add[0].frame, end)
	from, refused := n.placer.Place(&n.rows, n.first, sizes.MessageWindow, noteTime)
	for i := range refused {
		n.release(&n.placer.Add[i])
	}
	n.placer.Add = n.placer.Add[:0]
	if from < end {
		n.late = true
		n.changed(from)
	}
	n.worst.Grow(n.rows.End(), noteShift, noteShift, n)
	return refused
}

func (n *noteTable) release(r *noteRow) {
	n.shared.severities[r.severity-model.SeverityTrace]--
	n.shared.categories.drop(r.category)
	n.shared.objects.drop(r.object)
	n.texts.drop(r.text, r.length)
}

// changed notes that the messages from a position on are not what they were.
func (n *noteTable) changed(from int64) {
	n.worst.Truncate(from)
	then := int64(model.MinTime)
	if from > n.first {
		then = n.rows.Ref(from - 1).time
	}
	n.edits.add(noteEdit{from, then})
}

func (n *noteTable) LeafOf(from, to int64) int64 {
	best := from
	for i := from + 1; i < to; i++ {
		best = n.graver(best, i)
	}
	return best
}

func (n *noteTable) JoinOf(nodes []int64) int64 {
	best := nodes[0]
	for _, i := range nodes[1:] {
		best = n.graver(best, i)
	}
	return best
}

// graver returns the position of the graver of two messages, of equals a.
func (n *noteTable) graver(a, b int64) int64 {
	if n.rows.Ref(b).severity > n.rows.Ref(a).severity {
		return b
	}
	return a
}

// gravest returns the position of the gravest of the messages at [from, to), the oldest of equals. Cost: O(log n).
func (n *noteTable) gravest(from, to int64, visited *int64) int64 {
	best := from
	for from < to {
		*visited++
		if node, end := n.worst.Greatest(from, to); node != nil {
			best, from = n.graver(best, *node), end
			continue
		}
		best = n.graver(best, from)
		from++
	}
	return best
}

// rewind takes back the messages that came with frames of at least number; those without a frame stay.
func (n *noteTable) rewind(number int64) {
	first := n.starts.Rewind(number)
	if n.late { // some may have been put before what was there
		first -= sizes.MessageWindow
	}
	end := n.rows.End()
	from := n.placer.TakeBack(&n.rows, max(first, n.first), func(r *noteRow) bool {
		if r.frame == model.NoFrame || r.frame < number {
			return false
		}
		n.release(r)
		return true
	})
	if from < end {
		n.changed(from)
		n.worst.Grow(n.rows.End(), noteShift, noteShift, n)
	}
}

// DropBefore forgets the messages before a time and returns how many.
func (n *noteTable) dropBefore(timeNs int64) int64 {
	to := n.from(timeNs)
	gone := to - n.first
	if gone == 0 {
		return 0
	}
	for i := n.first; i < to; i++ {
		n.release(n.rows.Ref(i))
	}
	n.first = to
	n.rows.DropBefore(to)
	n.worst.DropBefore(to)
	return gone
}

// from returns the position of the first message with Time >= timeNs.
func (n *noteTable) from(timeNs int64) int64 {
	return columns.Search(n.first, n.rows.End(), func(i int64) bool { return n.rows.Ref(i).time >= timeNs })
}

// message returns the message at a position.
func (n *noteTable) message(i int64) model.Message {
	r := n.rows.Ref(i)
	return model.Message{
		Time: r.time, Severity: r.severity, Text: n.texts.text(r.text, r.length),
		Category: n.shared.categories.text(r.category), Object: n.shared.objects.text(r.object),
	}
}

func (n *noteTable) cover(t *Track) {
	if n.rows.End() > n.first {
		t.cover(n.rows.Ref(n.first).time, n.rows.Ref(n.rows.End()-1).time)
	}
}

func (n *noteTable) init(shared *sharedNotes, acc *columns.Account) {
	n.shared = shared
	n.rows.Acc, n.worst.Acc, n.texts.acc, n.starts.Acc = acc, acc, acc, acc
}

// clear lets go of everything.
func (n *noteTable) clear() {
	n.rows.Clear()
	n.worst.Clear()
	n.texts.clear()
	n.placer.Clear(n.rows.Acc)
	n.starts.Clear()
	n.first = 0
}

// NumMessages returns the number of messages stored.
func (t *Track) NumMessages() int64 { return t.notes.rows.End() - t.notes.first }

// Messages appends to out the messages of a track in [t0, t1], in order of time; of equal times, in the order of their arrival.
func (t *Track) Messages(t0, t1 int64, out []model.Message) []model.Message {
	n := &t.notes
	for i := n.from(t0); i < n.rows.End() && n.rows.Ref(i).time <= t1; i++ {
		out = append(out, n.message(i))
	}
	return out
}
