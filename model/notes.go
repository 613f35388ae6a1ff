package model

import "sort"

// maxMessage bounds the text of a message in bytes.
const maxMessage = 64 << 10

// noteTable holds the messages of a track in the order of their arrival.
type noteTable struct {
	messages []noteMessage
	text     int64 // bytes
}

// A note's key is its time, but no less than that of the notes before it, so that notes can be searched; frame is the number of the
// frame that it came with, or NoFrame.
type noteMessage struct {
	Message
	key, frame int64
}

func (n *noteTable) addMessage(m Message, frame int64) {
	key := m.Time
	if k := len(n.messages); k > 0 {
		key = max(key, n.messages[k-1].key)
	}
	n.messages = append(n.messages, noteMessage{m, key, frame})
	n.text += int64(len(m.Text) + len(m.Object))
}

// rewind takes back the notes that came with frames of at least number; those without a frame stay.
func (n *noteTable) rewind(number int64) {
	for k := len(n.messages) - 1; k >= 0 && (n.messages[k].frame >= number || n.messages[k].frame == NoFrame); k-- {
		if n.messages[k].frame != NoFrame {
			n.text -= int64(len(n.messages[k].Text) + len(n.messages[k].Object))
			n.messages = append(n.messages[:k], n.messages[k+1:]...)
		}
	}
}

// dropBefore forgets the messages before a time and returns how many.
func (n *noteTable) dropBefore(timeNs int64) int64 {
	k := sort.Search(len(n.messages), func(i int) bool { return n.messages[i].key >= timeNs })
	for i := range n.messages[:k] {
		n.text -= int64(len(n.messages[i].Text) + len(n.messages[i].Object))
		n.messages[i] = noteMessage{}
	}
	n.messages = dropFront(n.messages, k)
	return int64(k)
}

func (n *noteTable) cover(t *Track) {
	if k := len(n.messages); k > 0 {
		t.cover(n.messages[0].Time, n.messages[k-1].key)
	}
}

func (n *noteTable) bytes() int64 {
	return int64(cap(n.messages))*88 + n.text
}

// Messages appends to out the messages of a track in [t0, t1], in the order of their arrival. One that came after a later one counts as of that
// one's time.
func (t *Track) Messages(t0, t1 int64, out []Message) []Message {
	list := t.notes.messages
	for i := sort.Search(len(list), func(i int) bool { return list[i].key >= t0 }); i < len(list) && list[i].key <= t1; i++ {
		out = append(out, list[i].Message)
	}
	return out
}
