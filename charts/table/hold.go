package table

import (
	"cmp"

	"framescope/charts/panel"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/store"
)

// Keyed is a source whose rows are the same ones again when its numbers change: it tells which. Its
// rows keep their places while the mouse is over them, so that none runs away from it; what is new
// comes after them.
type Keyed[R any] interface {
	Key(r *R) uint64
}

const (
	// holdNs is how long rows keep their places once the mouse has left them.
	holdNs = 1_000_000_000
	// holdMost is the number of rows that keep them. Longer lists are no lists that one watches.
	holdMost = 20_000
)

// held are the places of rows that are not to change them at present.
type held[R any] struct {
	on     bool
	used   bool // rows were sorted meanwhile
	ends   uint64
	of     heldOf
	key    func(*R) uint64
	places map[uint64]int
}

// heldOf is what the rows are about. When that changes they are other rows, and nothing is held.
type heldOf struct {
	session     *store.Session
	track       model.TrackID
	first, last int
	begin, end  int64
	live        bool
	by          choice
	columns     any
}

// resting tells whether nothing is to change its place, as the mouse is over the rows, or was lately;
// overNs is when it was last, 0: never.
func resting(env *panel.Env, overNs int64) bool { return overNs != 0 && env.NowNs-overNs < holdNs }

// hold decides whether rows keep their places, before the source brings them up to date.
func (x *rows[R]) hold(env *panel.Env, resting bool) {
	h := &x.held
	keyed, ok := x.src.(Keyed[R])
	if !ok {
		return
	}
	cols := x.src.Columns()
	of := heldFor(env.View, *x.by.by, &cols[0])
	on := resting && of == h.of
	h.of = of
	switch {
	case on == h.on:
	case !on:
		if h.on = false; h.used {
			h.ends++
		}
	case x.n > 0 && x.n <= holdMost:
		h.on, h.used, h.key = true, false, keyed.Key
		x.places()
	}
}

func heldFor(v *view.View, by choice, columns any) heldOf {
	of := heldOf{session: v.Session(), track: v.Track(), live: v.Live(), by: by, columns: columns}
	if !of.live {
		of.first, of.last, of.begin, of.end = v.FrameA(), v.FrameB(), v.RangeA(), v.RangeB()
	}
	return of
}

// Held orders two rows by the places that they are to keep; ok is false where they have none. Sort
// does so, too; who sorts otherwise asks first.
func (o *Order[R]) Held(a, b *R) (d int, ok bool) { return o.held.compare(a, b) }

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

// places notes where the rows are.
func (x *rows[R]) places() {
	h := &x.held
	if h.places == nil {
		h.places = make(map[uint64]int, x.n)
	}
	clear(h.places)
	n := x.n
	if x.sorted {
		n = len(x.order)
	}
	for row := range n {
		h.places[h.key(x.at(row))] = row
	}
}

// compare orders two rows by the places that they had; ok is false where both had none.
func (h *held[R]) compare(a, b *R) (d int, ok bool) {
	if !h.on {
		return 0, false
	}
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
