package store

import "framescope/model"

// maxMessage bounds the text of a message in bytes.
const maxMessage = 64 << 10

// noteTable holds the messages of a track in order of time. A message takes 48 bytes and its text; categories and objects are numbers (interns.go).
type noteTable struct {
	shared *sharedNotes // the session's
	rows   column[noteRow]
	first  int64 // position of the first that counts
	texts  textStore
	worst  pyramid[int64] // of 16, 256, … messages the position of the gravest, the oldest of equals
	placer placer[noteRow]
	late   bool // a message came late and was put in its place
	starts frameStarts
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
	n.placer.add = append(n.placer.add, noteRow{
		time: m.Time, frame: frame, text: n.texts.add(m.Text), length: int32(len(m.Text)),
		category: n.shared.categories.use(m.Category[:min(len(m.Category), maxLabel)]),
		object:   n.shared.objects.use(m.Object[:min(len(m.Object), maxLabel)]),
		severity: severity,
	})
}

// take puts the messages of the queue in their places and returns how many came too late.
func (n *noteTable) take() (refused int) {
	end := n.rows.n
	n.starts.add(n.placer.add[0].frame, end)
	from, refused := n.placer.place(&n.rows, n.first, messageWindow, noteTime)
	for i := range refused {
		n.release(&n.placer.add[i])
	}
	n.placer.add = n.placer.add[:0]
	if from < end {
		n.late = true
		n.changed(from)
	}
	n.worst.grow(n.rows.n, noteShift, noteShift, n)
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
	n.worst.truncate(from)
	then := int64(model.MinTime)
	if from > n.first {
		then = n.rows.ref(from - 1).time
	}
	n.edits.add(noteEdit{from, then})
}

func (n *noteTable) leafOf(from, to int64) int64 {
	best := from
	for i := from + 1; i < to; i++ {
		best = n.graver(best, i)
	}
	return best
}

func (n *noteTable) joinOf(nodes []int64) int64 {
	best := nodes[0]
	for _, i := range nodes[1:] {
		best = n.graver(best, i)
	}
	return best
}

// graver returns the position of the graver of two messages, of equals a.
func (n *noteTable) graver(a, b int64) int64 {
	if n.rows.ref(b).severity > n.rows.ref(a).severity {
		return b
	}
	return a
}

// gravest returns the position of the gravest of the messages at [from, to), the oldest of equals. Cost: O(log n).
func (n *noteTable) gravest(from, to int64, visited *int64) int64 {
	best := from
	for from < to {
		*visited++
		if node, end := n.worst.greatest(from, to); node != nil {
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
	first := n.starts.rewind(number)
	if n.late { // some may have been put before what was there
		first -= messageWindow
	}
	end := n.rows.n
	from := n.placer.takeBack(&n.rows, max(first, n.first), func(r *noteRow) bool {
		if r.frame == model.NoFrame || r.frame < number {
			return false
		}
		n.release(r)
		return true
	})
	if from < end {
		n.changed(from)
		n.worst.grow(n.rows.n, noteShift, noteShift, n)
	}
}

// dropBefore forgets the messages before a time and returns how many.
func (n *noteTable) dropBefore(timeNs int64) int64 {
	to := n.from(timeNs)
	gone := to - n.first
	if gone == 0 {
		return 0
	}
	for i := n.first; i < to; i++ {
		n.release(n.rows.ref(i))
	}
	n.first = to
	n.rows.dropBefore(to)
	n.worst.dropBefore(to)
	return gone
}

// from returns the position of the first message with Time >= timeNs.
func (n *noteTable) from(timeNs int64) int64 {
	return searchPos(n.first, n.rows.n, func(i int64) bool { return n.rows.ref(i).time >= timeNs })
}

// message returns the message at a position.
func (n *noteTable) message(i int64) model.Message {
	r := n.rows.ref(i)
	return model.Message{
		Time: r.time, Severity: r.severity, Text: n.texts.text(r.text, r.length),
		Category: n.shared.categories.text(r.category), Object: n.shared.objects.text(r.object),
	}
}

func (n *noteTable) cover(t *Track) {
	if n.rows.n > n.first {
		t.cover(n.rows.ref(n.first).time, n.rows.ref(n.rows.n-1).time)
	}
}

func (n *noteTable) init(shared *sharedNotes, acc *account) {
	n.shared = shared
	n.rows.acc, n.worst.acc, n.texts.acc, n.starts.acc = acc, acc, acc, acc
}

// clear lets go of everything.
func (n *noteTable) clear() {
	n.rows.clear()
	n.worst.clear()
	n.texts.clear()
	n.placer.booked.set(n.rows.acc, 0)
	letGo(n.starts.acc, n.starts.list)
	n.starts.list, n.first = nil, 0
}

// NumMessages returns the number of messages stored.
func (t *Track) NumMessages() int64 { return t.notes.rows.n - t.notes.first }

// Messages appends to out the messages of a track in [t0, t1], in order of time; of equal times, in the order of their arrival.
func (t *Track) Messages(t0, t1 int64, out []model.Message) []model.Message {
	n := &t.notes
	for i := n.from(t0); i < n.rows.n && n.rows.ref(i).time <= t1; i++ {
		out = append(out, n.message(i))
	}
	return out
}
