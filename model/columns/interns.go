package columns

import "strings"

// Interns keeps each of many equal strings once. The empty string is number 0. An unused string
// leaves, and its number is given again.
type Interns struct {
	list []internRow
	of   map[string]int32
	free []int32
	most int // entries that the map has had: a map never shrinks by itself
	Acc  *Account
}

type internRow struct {
	text string
	uses int64
}

// internBytes is about the size of an entry of the map.
const internBytes = 48

// Use returns the number of a string, which is one use more from now on.
func (x *Interns) Use(text string) int32 {
	if text == "" {
		return 0
	}
	if n, ok := x.of[text]; ok {
		x.list[n].uses++
		return n
	}
	if x.of == nil {
		x.of, x.list = map[string]int32{}, make([]internRow, 1)
		x.Acc.Add(SizeOf[internRow]())
	}
	text = strings.Clone(text) // the sender's may be a piece of something large
	n := int32(len(x.list))
	if k := len(x.free); k > 0 {
		n, x.free = x.free[k-1], x.free[:k-1]
		x.list[n] = internRow{text, 1}
	} else {
		x.list = Push(x.Acc, x.list, internRow{text, 1})
	}
	x.of[text] = n
	x.most = max(x.most, len(x.of))
	x.Acc.Add(int64(len(text)) + internBytes)
	return n
}

// Drop takes back a use.
func (x *Interns) Drop(n int32) {
	if n == 0 {
		return
	}
	r := &x.list[n]
	if r.uses--; r.uses == 0 {
		delete(x.of, r.text)
		x.Acc.Add(-int64(len(r.text)) - internBytes)
		*r = internRow{}
		x.free = Push(x.Acc, x.free, n)
		x.shrink()
	}
}

// shrink makes the map anew when it is much larger than its content.
func (x *Interns) shrink() {
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

// Clear frees everything.
func (x *Interns) Clear() {
	for n, r := range x.list {
		if n > 0 && r.uses > 0 {
			x.Acc.Add(-int64(len(r.text)) - internBytes)
		}
	}
	LetGo(x.Acc, x.list)
	LetGo(x.Acc, x.free)
	*x = Interns{Acc: x.Acc}
}

// Text returns the string of a number.
func (x *Interns) Text(n int32) string {
	if n == 0 {
		return ""
	}
	return x.list[n].text
}

// Find returns the number of a string; ok is false if it is not in use.
func (x *Interns) Find(text string) (n int32, ok bool) {
	if text == "" {
		return 0, true
	}
	n, ok = x.of[text]
	return n, ok
}

// Len returns the number behind the greatest one that was given.
func (x *Interns) Len() int { return max(len(x.list), 1) }

// Each calls fn with each string that is used, and how often it is.
func (x *Interns) Each(fn func(text string, uses int64)) {
	for _, r := range x.list {
		if r.uses > 0 {
			fn(r.text, r.uses)
		}
	}
}
