package why

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// Hitch is a frame, or a thing on its way, that took much longer than those around it, and its root
// cause.
type Hitch struct {
	Of         spans.Ref // the thing; of a frame its track alone
	Number     int64     // of the frame, or of the thing on its way
	BeginNs    int64
	DurationNs int64
	ExcessNs   int64
	Root       Link // last link of its chain; Collector is NoCollector where nothing is known
	stage      uint8
	key        int64 // its key: the number of a frame, the position of a thing
	newest     int64 // key of the newest one when it was explained
}

// mostHitches bounds the hitches of a track with kept causes: the newest.
const mostHitches = 4096

// A hitch is explained when it appears, and again as frames to compare with follow it: at a few, at
// all of its profile, and at all that decide whether it is one. So each hitch of a live session
// costs a few answers, however long the session is. An ended session is explained to the last frame.
const (
	someBehind = 16
	lookBlock  = 64                     // frames that are looked at in one piece
	farBehind  = sideRefs + 5*lookBlock // then no later frame changes the result of a frame
)

// stageUnknown is that of a hitch that has to be explained again, whatever is behind it.
const stageUnknown = 255

func stageOf(behind int) uint8 {
	switch {
	case behind >= farBehind:
		return 3
	case behind >= sideRefs:
		return 2
	case behind >= someBehind:
		return 1
	}
	return 0
}

// row is the subject of a book: the frames of a thread, or the things of a way, in order of time.
type row interface {
	Len() int
	Gone() int64                              // how many came and have left
	at(index int) (key, beginNs int64)        // keys ascend
	find(key int64) (index int, same bool)    // the one with the key, else the next one
	hitches(first, last int, out []int) []int // indices of the hitches of [first, last]
	hitch(index int) Hitch                    // it, explained
	read(b *book) (more bool)                 // reads a piece of the new data
}

// frameRow are the frames of a thread.
type frameRow struct {
	e *Engine
	t *store.Track
}

func (r frameRow) Len() int                   { return r.t.NumFrames() }
func (r frameRow) Gone() int64                { return r.t.Evicted() }
func (r frameRow) read(*book) bool            { return false }
func (r frameRow) at(i int) (int64, int64)    { f := r.t.Frame(i); return f.Number, f.Begin }
func (r frameRow) find(key int64) (int, bool) { return r.t.FrameByNumber(key) }
func (r frameRow) hitches(first, last int, out []int) []int {
	return r.e.s.Frames().Hitches(r.t.Def.ID, first, last, out)
}

func (r frameRow) hitch(i int) Hitch {
	r.e.Frame(r.t.Def.ID, i, &r.e.answer)
	f := r.t.Frame(i)
	h := r.e.answer.AsHitch(f.Begin)
	h.Of, h.key = spans.Ref{Track: r.t.Def.ID}, f.Number
	return h
}

// wayRow is the things of a way.
type wayRow struct {
	e     *Engine
	track model.TrackID
	w     *way
}

func (r wayRow) Len() int                    { return r.w.len() }
func (r wayRow) Gone() int64                 { return r.w.first }
func (r wayRow) at(i int) (key, begin int64) { return r.w.first + int64(i), r.w.thing(i).begin }
func (r wayRow) find(key int64) (int, bool) {
	i := max(key-r.w.first, 0)
	return int(min(i, int64(r.w.len()))), key >= r.w.first && key < r.w.things.End()
}
func (r wayRow) hitches(first, last int, out []int) []int { return r.w.lateIn(r.e, first, last, out) }

func (r wayRow) hitch(i int) Hitch {
	a := &r.e.answer
	a.begin(r.track, i)
	r.e.explainThing(r.w, i, a)
	h := a.AsHitch(r.w.thing(i).begin)
	h.Of, h.key = r.w.thing(i).ref(r.track), r.w.first+int64(i)
	return h
}

func (r wayRow) read(b *book) (more bool) {
	more = r.w.more(r.e.s, r.track)
	if r.w.cut < model.MaxTime {
		b.rewind(r, r.w.cut)
		r.w.cut = model.MaxTime
	}
	return more
}

// row returns the subject of the book of a track.
func (e *Engine) row(t *store.Track) row {
	if t.Def.Kind == model.TrackStream {
		return wayRow{e, t.Def.ID, e.wayOf(t.Def.ID)}
	}
	return frameRow{e, t}
}

// book keeps the known hitches of a track.
type book struct {
	row      row
	reading  bool
	rev      uint64
	done     bool
	ended    bool
	changes  uint64
	at       int64 // frames before it were looked at, counted from the first that ever came
	settled  int64 // later data does not change the results before it
	key      int64 // of the frame before settled, and when it began
	beginNs  int64
	hitches  []Hitch
	found    []int
	explains int // how often a frame was explained, for tests
}

// Prepare finds and explains hitches of a track, or late things of a way, that are new or have changed frames
// around, and reports whether there are more. It serves views that show all hitches, some pieces at a time: a
// piece is a look at 64 frames, or the answer for one. In a growing session it looks only at the newest frames
// again.
func (e *Engine) Prepare(track model.TrackID, pieces int) (more bool) {
	t := e.s.Track(track)
	if t == nil {
		return false
	}
	b := e.books[track]
	if b == nil {
		b = &book{row: e.row(t)}
		if e.books == nil {
			e.books = map[model.TrackID]*book{}
		}
		e.books[track] = b
	}
	rev, r := e.s.Revision(), b.row
	_, ended := e.s.Ended()
	if b.done && b.rev == rev && b.ended == ended {
		return false
	}
	if b.rev != rev {
		b.rev, b.reading = rev, true
	}
	for b.reading {
		if pieces <= 0 {
			return true
		}
		if b.reading = r.read(b); b.reading {
			pieces--
		} else {
			b.resume(r)
		}
	}
	if ended != b.ended {
		b.ended = ended
		b.again(r)
	}
	n := r.Len()
	for i := int(b.at - r.Gone()); i < n; i = int(b.at - r.Gone()) {
		if pieces <= 0 {
			return true
		}
		end := min(i-i%lookBlock+lookBlock, n)
		b.found = r.hitches(i, end-1, b.found[:0])
		if i, pieces = b.explainFound(e, r, end, pieces); i < end {
			b.at = r.Gone() + int64(i)
			return true
		}
		pieces--
		b.at = r.Gone() + int64(end)
		b.markFinal(r, min(end, n-farBehind))
	}
	b.done = true
	return false
}

// resume starts again where new data may have changed results, and forgets dropped frames.
func (b *book) resume(r row) {
	if b.done {
		b.at = b.settled
	}
	b.done = false
	first := r.Gone()
	at, same := r.find(b.key)
	begin := int64(0)
	if same {
		_, begin = r.at(at)
	}
	switch {
	case b.settled == 0:
	case same && begin == b.beginNs && first+int64(at)+1 == b.settled:
	case !same && at == 0 && b.settled <= first: // it has left
	default: // others came before it
		b.hitches, b.at, b.settled = b.hitches[:0], 0, 0
		b.changes++
	}
	b.at, b.settled = min(max(b.at, first), first+int64(r.Len())), max(b.settled, 0)
	if r.Len() > 0 && len(b.hitches) > 0 {
		if oldest, _ := r.at(0); b.hitches[0].key < oldest {
			b.cut(0, b.from(oldest))
		}
	}
}

// again has all hitches explained once more, each in its place: the frames of other threads may have come
// after the track's were settled, as a file has one thread behind the other.
func (b *book) again(r row) {
	b.at, b.settled, b.key, b.beginNs = r.Gone(), 0, 0, 0
	for i := range b.hitches {
		b.hitches[i].stage = stageUnknown
	}
}

// rewind forgets the results from a key on: other frames have these keys now.
func (b *book) rewind(r row, key int64) {
	b.cut(b.from(key), len(b.hitches))
	if i, _ := r.find(key); b.settled > r.Gone()+int64(i) {
		b.settled = 0
		b.markFinal(r, i)
	}
	b.at = min(b.at, b.settled)
}

// markFinal marks the results before an index as final.
func (b *book) markFinal(r row, end int) {
	if p := r.Gone() + int64(end); end > 0 && p > b.settled {
		b.settled = p
		b.key, b.beginNs = r.at(end - 1)
	}
}

// from returns the place of the first hitch that has a key or a higher one.
func (b *book) from(key int64) int {
	k, _ := slices.BinarySearchFunc(b.hitches, key, func(h Hitch, key int64) int { return cmp.Compare(h.key, key) })
	return k
}

// cut forgets the hitches [from, to).
func (b *book) cut(from, to int) {
	if to > from {
		b.hitches = slices.Delete(b.hitches, from, to)
		b.changes++
	}
}

// explainFound takes the hitches that were found before the frame with an index, as far as the pieces
// reach: it returns the index up to which all is known, and the pieces that are left.
func (b *book) explainFound(e *Engine, r row, end, pieces int) (until, left int) {
	n := r.Len()
	newest, _ := r.at(n - 1)
	k := len(b.hitches)
	if i := int(b.at - r.Gone()); i >= 0 && i < n {
		key, _ := r.at(i)
		k = b.from(key)
	}
	for _, i := range b.found {
		key, begin := r.at(i)
		b.cut(k, b.from(key))
		known := k < len(b.hitches) && b.hitches[k].key == key && b.hitches[k].BeginNs == begin
		stage := stageOf(n - 1 - i)
		if known && b.hitches[k].stage == stage && (!b.ended || b.hitches[k].newest == newest ||
			stage == stageOf(farBehind)) {
			k++
			continue
		}
		if pieces <= 0 {
			return i, 0
		}
		pieces--
		e.pieces, e.short = true, false
		h := r.hitch(i)
		if e.pieces = false; e.short { // what it learned by now the next piece knows
			return i, pieces
		}
		h.stage, h.newest = stage, newest
		if b.explains++; k < len(b.hitches) && b.hitches[k].key == key {
			b.hitches[k] = h
		} else {
			b.hitches = slices.Insert(b.hitches, k, h)
		}
		b.changes++
		if k++; len(b.hitches) > mostHitches {
			b.cut(0, len(b.hitches)-mostHitches)
			k = b.from(key) + 1
		}
	}
	if end < n {
		key, _ := r.at(end)
		b.cut(k, b.from(key))
	} else {
		b.cut(k, len(b.hitches))
	}
	return end, pieces
}

// AsHitch returns the entry of an answer in a list of hitches, given its begin.
func (a *Answer) AsHitch(beginNs int64) Hitch {
	h := Hitch{
		Number: a.Number, BeginNs: beginNs, DurationNs: a.DurationNs, ExcessNs: a.ExcessNs(),
		Root: Link{Track: a.Track, Role: a.Track, Collector: model.NoCollector, How: Unknown},
	}
	if root, ok := a.Root(); ok {
		h.Root = root
	}
	return h
}

// Hitches returns the hitches of a track that are explained so far, in order: see Prepare. The slice
// is the engine's own.
func (e *Engine) Hitches(track model.TrackID) []Hitch {
	if b := e.books[track]; b != nil {
		return b.hitches
	}
	return nil
}

// Prepared returns how many frames of a track, or things of a way, Prepare has looked at, of how many there are.
func (e *Engine) Prepared(track model.TrackID) (n, of int64) {
	if b := e.books[track]; b != nil {
		return max(b.at-b.row.Gone(), 0), int64(b.row.Len())
	}
	return 0, 0
}

// Changes returns a number that is another when Hitches or Groups of a track may be others.
func (e *Engine) Changes(track model.TrackID) uint64 {
	if b := e.books[track]; b != nil {
		return b.changes
	}
	return 0
}
