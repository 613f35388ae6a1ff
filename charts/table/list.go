package table

import (
	"cmp"

	"framescope/charts/panel"
	"framescope/model/store"
)

// List is the rows of a source that has all of them at once, for it to embed: it makes them anew when their
// inputs changed, while live not more often than one can read.
type List[R any] struct {
	All      []R
	Fresh    panel.Refresher // decides when, see Due
	Revision uint64          // changes with anything that a cell shows
}

// At implements Source.
func (l *List[R]) At(i int) *R { return &l.All[i] }

// Listed is the answer of Source.Rows.
func (l *List[R]) Listed() (n int, revision uint64) { return len(l.All), l.Revision }

// Due reports whether the rows must be made anew for inputs, and notes that they are.
func (l *List[R]) Due(env *panel.Env, key panel.RangeKey) bool {
	due := l.Fresh.Due(env, key)
	if due {
		l.Revision++
	}
	return due
}

// None takes the rows away, until there are inputs again. It is the answer of Source.Rows then.
func (l *List[R]) None() (n int, revision uint64) {
	if len(l.All) > 0 {
		l.Revision++
	}
	l.All, l.Fresh.Done = l.All[:0], false
	return l.Listed()
}

// Keyed is a source with rows that keep their identity when their numbers change; Key identifies
// them. While the mouse moves over the rows, they keep their places, and new ones come after them.
type Keyed[R any] interface {
	Key(r R) uint64
}

// Waiter is a source of the few greatest of many things, which change as more come: Wait keeps them
// unchanged while the mouse is over the rows.
type Waiter interface {
	Wait(on bool)
}

const (
	// holdNs is how long rows keep their places after the mouse has moved or pressed there.
	holdNs = 3_000_000_000
	// holdMost is the number of rows that keep them. Longer lists are no lists that one watches.
	holdMost = 20_000
)

// held are the places of rows that are not to change them at present.
type held[R any] struct {
	on     bool
	used   bool   // rows were sorted meanwhile
	placed uint64 // revision of the source with the placed rows
	ends   uint64
	of     heldOf
	key    func(R) uint64
	places map[uint64]int
}

// heldOf is the setting behind the order of the rows. When it changes the user chose another order,
// and no row is held. The selection is no part of it: a click on a row selects, and must not move it.
type heldOf struct {
	session *store.Session
	by      choice
	columns any
}

// resting reports whether nothing is to change its place, as the mouse moved or pressed over the rows lately; overNs
// is when it did last, 0: never. A file that is still read has no order yet.
func resting(env *panel.Env, overNs int64) bool {
	if overNs == 0 || env.NowNs-overNs >= holdNs {
		return false
	}
	_, ended := env.View.Session().Ended()
	return ended || !env.View.Session().Info().File
}

// hold decides, before the source brings its rows up to date, whether they keep the places that they
// have; begins is true when they are to keep those that they get now.
func (x *rows[R]) hold(env *panel.Env, resting bool) (begins bool) {
	h := &x.held
	if w, ok := x.src.(Waiter); ok {
		w.Wait(resting)
	}
	if _, keyed := x.src.(Keyed[R]); !keyed {
		return false
	}
	cols := x.src.Columns()
	of := heldOf{session: env.View.Session(), by: *x.by.by, columns: &cols[0]}
	on := resting && of == h.of
	h.of = of
	if h.on && !on {
		if h.on = false; h.used {
			h.ends++
		}
	}
	return on && !h.on
}

// beginHold lets the rows keep their places from now on, if they are not too many.
func (x *rows[R]) beginHold(n int, revision uint64) {
	if n == 0 || n > holdMost {
		return
	}
	h := &x.held
	h.on, h.used, h.placed, h.key = true, false, revision, x.src.(Keyed[R]).Key
	clear(h.places)
	x.places()
}

// Held orders two rows by the places that they are to keep; ok is false if they have none. Sort
// uses it; other sorting must call it first.
func (o *Order[R]) Held(a, b R) (d int, ok bool) { return o.held.compare(a, b) }

// KeyOfText makes a key of a text.
func KeyOfText(text string) uint64 {
	sum := uint64(14695981039346656037)
	for i := range len(text) {
		sum = (sum ^ uint64(text[i])) * 1099511628211
	}
	return sum
}

// KeyOf makes a key of numbers.
func KeyOf(numbers ...int64) uint64 {
	sum := uint64(14695981039346656037)
	for _, n := range numbers {
		for range 8 {
			sum, n = (sum^uint64(n&0xff))*1099511628211, n>>8
		}
	}
	return sum
}

// places notes where the rows are that have no place yet.
func (x *rows[R]) places() {
	h := &x.held
	if h.places == nil {
		h.places = make(map[uint64]int, x.n)
	}
	n := x.n
	if x.sorted {
		n = len(x.order)
	}
	for row := range min(n, holdMost) {
		key := h.key(x.at(row))
		if _, known := h.places[key]; !known {
			h.places[key] = len(h.places)
		}
	}
}

// compare orders two rows by the places that they had; ok is false where both had none.
func (h *held[R]) compare(a, b R) (d int, ok bool) {
	if !h.on {
		return 0, false
	}
	h.used = true
	i, isA := h.places[h.key(a)]
	j, isB := h.places[h.key(b)]
	switch {
	case isA && isB:
		return cmp.Compare(i, j), true
	case isA:
		return -1, true
	case isB:
		return 1, true
	}
	return 0, false
}
