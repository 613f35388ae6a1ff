package messages

import (
	"strings"

	"framescope/model/columns"
)

// interns keeps each of many equal strings once. The empty string is number 0. A string that nobody
// uses any more leaves, and its number is given again.
type interns struct {
	list []internRow
	of   map[string]int32
	free []int32
	most int // entries that the map has had: a map never shrinks by itself
	acc  *columns.Account
}

type internRow struct {
	text string
	uses int64
}

// maxLabel bounds the names of categories and objects of messages in bytes.
const maxLabel = 1 << 10

// internBytes is about what an entry of the map takes.
const internBytes = 48

// use returns the number of a string, which is one use more from now on.
func (x *interns) use(text string) int32 {
	if text == "" {
		return 0
	}
	if n, ok := x.of[text]; ok {
		x.list[n].uses++
		return n
	}
	if x.of == nil {
		x.of, x.list = map[string]int32{}, make([]internRow, 1)
		x.acc.Add(columns.SizeOf[internRow]())
	}
	text = strings.Clone(text) // the sender's may be a piece of something large
	n := int32(len(x.list))
	if k := len(x.free); k > 0 {
		n, x.free = x.free[k-1], x.free[:k-1]
		x.list[n] = internRow{text, 1}
	} else {
		x.list = columns.Push(x.acc, x.list, internRow{text, 1})
	}
	x.of[text] = n
	x.most = max(x.most, len(x.of))
	x.acc.Add(int64(len(text)) + internBytes)
	return n
}

// drop takes back a use.
func (x *interns) drop(n int32) {
	if n == 0 {
		return
	}
	r := &x.list[n]
	if r.uses--; r.uses == 0 {
		delete(x.of, r.text)
		x.acc.Add(-int64(len(r.text)) - internBytes)
		*r = internRow{}
		x.free = columns.Push(x.acc, x.free, n)
		x.shrink()
	}
}

// shrink makes the map anew when it is much larger than what it holds.
func (x *interns) shrink() {
	const least = 1 << 12
	if x.most < least || len(x.of) > x.most/4 {
		return
	}
	smaller := make(map[string]int32, len(x.of))
	for text, n := range x.of {
		smaller[text] = n
	}
	x.of, x.most = smaller, len(smaller)
}

// clear lets go of everything.
func (x *interns) clear() {
	for n, r := range x.list {
		if n > 0 && r.uses > 0 {
			x.acc.Add(-int64(len(r.text)) - internBytes)
		}
	}
	columns.LetGo(x.acc, x.list)
	columns.LetGo(x.acc, x.free)
	*x = interns{acc: x.acc}
}

func (x *interns) text(n int32) string {
	if n == 0 {
		return ""
	}
	return x.list[n].text
}

// find returns the number of a string; ok is false where nobody uses it.
func (x *interns) find(text string) (n int32, ok bool) {
	if text == "" {
		return 0, true
	}
	n, ok = x.of[text]
	return n, ok
}
