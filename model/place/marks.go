// Bookmarks of a session: places with a number, a note, and their time; and their form in a file.
// This part knows places, but neither panels nor paths of files.

package place

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"framescope/internal/escape"
)

// Bounds of a list.
const (
	MaxMarks   = 1000
	MaxNote    = 2000 // bytes of a note
	MaxNumber  = 9
	maxVersion = 1
)

// Mark is a bookmark.
type Mark struct {
	// ID identifies it in its list, for as long as the program runs; 0: it is in none.
	ID uint64
	// Place is where it is, Number the key that recalls it, from 1 to MaxNumber; 0: none does.
	Place  Place
	Number int
	// Note is the user's text, one or a few lines.
	Note string
	// BeginNs and EndNs are its time, as of its creation: also for data that is not in memory.
	BeginNs, EndNs int64
}

// MarkList is the bookmarks of a session, in the order of time. The zero value is empty, and ready.
type MarkList struct {
	marks []Mark
	rev   uint64
	ids   uint64
}

// All returns the bookmarks by time. They are the list's, until it changes.
func (l *MarkList) All() []Mark { return l.marks }

// Len returns how many there are.
func (l *MarkList) Len() int { return len(l.marks) }

// Revision changes with the list.
func (l *MarkList) Revision() uint64 { return l.rev }

// Add marks a place with the lowest free number. An existing mark stays as it is, and is returned;
// ok is false if the list is full.
func (l *MarkList) Add(p Place, beginNs, endNs int64) (m Mark, added, ok bool) {
	if m, ok := l.At(p); ok {
		return m, false, true
	}
	if len(l.marks) >= MaxMarks || p.Kind == None {
		return Mark{}, false, false
	}
	m = Mark{Place: p, Number: l.free(), BeginNs: beginNs, EndNs: endNs}
	return l.put(m), true, true
}

// free returns the lowest number that no bookmark has, 0 where all are taken.
func (l *MarkList) free() int {
	for n := 1; n <= MaxNumber; n++ {
		if _, taken := l.Numbered(n); !taken {
			return n
		}
	}
	return 0
}

// put adds a bookmark that is not there.
func (l *MarkList) put(m Mark) Mark {
	l.ids++
	l.rev++
	m.ID = l.ids
	i, _ := slices.BinarySearchFunc(l.marks, m, placeCompare)
	l.marks = slices.Insert(slices.Clone(l.marks), i, m)
	return m
}

func placeCompare(a, b Mark) int {
	return cmp.Or(cmp.Compare(a.BeginNs, b.BeginNs), cmp.Compare(a.EndNs, b.EndNs), cmp.Compare(a.ID, b.ID))
}

// find returns the first bookmark that meets a condition.
func (l *MarkList) find(is func(m *Mark) bool) (Mark, bool) {
	for i := range l.marks {
		if is(&l.marks[i]) {
			return l.marks[i], true
		}
	}
	return Mark{}, false
}

// At returns the bookmark of a place.
func (l *MarkList) At(p Place) (Mark, bool) {
	return l.find(func(m *Mark) bool { return m.Place == p })
}

// Numbered returns the bookmark of a number.
func (l *MarkList) Numbered(n int) (Mark, bool) {
	return l.find(func(m *Mark) bool { return n > 0 && m.Number == n })
}

// ByID returns a bookmark.
func (l *MarkList) ByID(id uint64) (Mark, bool) {
	return l.find(func(m *Mark) bool { return m.ID == id })
}

// Remove takes a bookmark away.
func (l *MarkList) Remove(id uint64) {
	if i := slices.IndexFunc(l.marks, func(m Mark) bool { return m.ID == id }); i >= 0 {
		l.marks = slices.Delete(slices.Clone(l.marks), i, i+1)
		l.rev++
	}
}

// SetNote changes a note; empty: none.
func (l *MarkList) SetNote(id uint64, note string) {
	note = CleanMarks(note)
	i := slices.IndexFunc(l.marks, func(m Mark) bool { return m.ID == id })
	if i >= 0 && l.marks[i].Note != note {
		l.marks = slices.Clone(l.marks)
		l.marks[i].Note = note
		l.rev++
	}
}

// CleanMarks makes a valid note of a text: lines of visible characters, not too long.
func CleanMarks(note string) string {
	note = strings.Map(func(r rune) rune {
		if r != '\n' && !escape.IsVisible(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(note, "\uFFFD"))
	if len(note) > MaxNote {
		note = strings.ToValidUTF8(note[:MaxNote], "")
	}
	return strings.TrimSpace(note)
}

// Merge takes over the changes of another copy since a common state: a bookmark that is unchanged
// here becomes theirs. Bookmarks changed in both stay as they are here.
func (l *MarkList) Merge(before, theirs []Mark) {
	was, now := byPlace(before), byPlace(theirs)
	changed := false
	out := l.marks[:0:0]
	for _, m := range l.marks {
		b, began := was[m.Place]
		t, there := now[m.Place]
		switch {
		case began && !there && m.same(&b): // they took it away
			changed = true
			continue
		case there && began && m.same(&b) && !m.same(&t), there && !began && m.Note == "" && t.Note != "":
			m.Note, m.Number = t.Note, t.Number
			changed = true
		}
		out = append(out, m)
	}
	have := byPlace(l.marks)
	for _, t := range theirs {
		_, here := have[t.Place]
		if _, began := was[t.Place]; here || began || len(out) >= MaxMarks { // else it was taken away here
			continue
		}
		l.ids++
		t.ID = l.ids
		out = append(out, t)
		changed = true
	}
	if changed {
		slices.SortFunc(out, placeCompare)
		unique(out)
		l.marks = out
		l.rev++
	}
}

// unique takes numbers away that an earlier one has.
func unique(list []Mark) {
	var taken [MaxNumber + 1]bool
	for i := range list {
		if n := list[i].Number; n > 0 && taken[n] {
			list[i].Number = 0
		} else {
			taken[n] = true
		}
	}
}

func byPlace(list []Mark) map[Place]Mark {
	m := make(map[Place]Mark, len(list))
	for _, x := range list {
		m[x.Place] = x
	}
	return m
}

// same reports whether two bookmarks of a place are equal.
func (m *Mark) same(o *Mark) bool { return m.Number == o.Number && m.Note == o.Note }

// SameMarks reports whether two lists are equal.
func SameMarks(a, b []Mark) bool {
	return slices.EqualFunc(a, b, func(x, y Mark) bool { return x.Place == y.Place && x.same(&y) })
}

// Name is the name of a bookmark: its number, if it has one, and the name of its place.
func (m *Mark) Name(what string) string {
	if m.Number == 0 {
		return what
	}
	return fmt.Sprintf("%d: %s", m.Number, what)
}
