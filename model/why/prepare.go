package why

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/store"
)

// Hitch is a frame that is much longer than those around it, and its root cause.
type Hitch struct {
	Number     int64 // of the frame
	BeginNs    int64
	DurationNs int64
	ExcessNs   int64
	Root       Link // last link of its chain; Collector is NoCollector where nothing is known
	stage      uint8
	newest     int64 // number of the newest frame when it was explained
}

// mostHitches bounds the hitches of a track whose causes are kept: the newest.
const mostHitches = 4096

// A hitch is explained when it comes, and again when there are frames behind it that it is compared
// with: a few, all that its profile is of, and all that tell whether it is one. So a live session
// costs each hitch a few answers, however long it is. What has ended is explained to the last frame.
const (
	someBehind = 16
	lookBlock  = 64                     // frames that are looked at in one piece
	farBehind  = sideRefs + 5*lookBlock // then nothing that comes changes what is known of a frame
)

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

// book is what is known of the hitches of a track.
type book struct {
	rev      uint64
	done     bool
	ended    bool
	changes  uint64
	at       int64 // frames before it were looked at, counted from the first that ever came
	settled  int64 // nothing that comes changes what is known of those before it
	number   int64 // of the frame before settled, and when it began
	beginNs  int64
	hitches  []Hitch
	found    []int
	explains int // how often a frame was explained, for tests
}

// Prepare finds and explains hitches of a track that are not explained yet, or of which the frames
// around changed, and tells whether there are more. It is for those who show all of them, a piece or
// a few at a time: a piece is a look at 64 frames, or the answer on one. Of a session that grows only
// the newest frames are looked at again.
func (e *Engine) Prepare(track model.TrackID, pieces int) (more bool) {
	t := e.s.Track(track)
	if t == nil {
		return false
	}
	b := e.books[track]
	if b == nil {
		b = &book{}
		if e.books == nil {
			e.books = map[model.TrackID]*book{}
		}
		e.books[track] = b
	}
	rev := e.s.Revision()
	if b.done && b.rev == rev {
		return false
	}
	if b.rev != rev {
		b.rev = rev
		b.resume(t)
	}
	_, b.ended = e.s.Ended()
	n := t.NumFrames()
	for i := int(b.at - t.Evicted()); i < n; i = int(b.at - t.Evicted()) {
		if pieces <= 0 {
			return true
		}
		end := min(i-i%lookBlock+lookBlock, n)
		b.found = e.s.Frames().Hitches(track, i, end-1, b.found[:0])
		if i, pieces = e.explainFound(b, t, end, pieces); i < end {
			b.at = t.Evicted() + int64(i)
			return true
		}
		pieces--
		b.at = t.Evicted() + int64(end)
		b.settle(t, min(end, n-farBehind))
	}
	b.done = true
	return false
}

// resume begins anew where what came may have changed something, and forgets what has left.
func (b *book) resume(t *store.Track) {
	if b.done {
		b.at = b.settled
	}
	b.done = false
	first := t.Evicted()
	at, same := t.FrameByNumber(b.number)
	switch {
	case b.settled == 0:
	case same && t.Frame(at).Begin == b.beginNs && first+int64(at)+1 == b.settled:
	case !same && at == 0 && b.settled <= first: // it has left
	default: // others came before it
		b.hitches, b.at, b.settled = b.hitches[:0], 0, 0
		b.changes++
	}
	b.at, b.settled = min(max(b.at, first), first+int64(t.NumFrames())), max(b.settled, 0)
	if n := t.NumFrames(); n > 0 && len(b.hitches) > 0 && b.hitches[0].Number < t.Frame(0).Number {
		b.cut(0, b.from(t.Frame(0).Number))
	}
}

// settle notes that nothing changes what is known of the frames before an index.
func (b *book) settle(t *store.Track, end int) {
	if p := t.Evicted() + int64(end); end > 0 && p > b.settled {
		f := t.Frame(end - 1)
		b.settled, b.number, b.beginNs = p, f.Number, f.Begin
	}
}

// from returns the place of the first hitch whose frame has a number or a higher one.
func (b *book) from(number int64) int {
	k, _ := slices.BinarySearchFunc(b.hitches, number, func(h Hitch, number int64) int { return cmp.Compare(h.Number, number) })
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
func (e *Engine) explainFound(b *book, t *store.Track, end, pieces int) (until, left int) {
	n := t.NumFrames()
	newest := t.Frame(n - 1).Number
	k := len(b.hitches)
	if i := int(b.at - t.Evicted()); i >= 0 && i < n {
		k = b.from(t.Frame(i).Number)
	}
	for _, i := range b.found {
		f := t.Frame(i)
		b.cut(k, b.from(f.Number))
		known := k < len(b.hitches) && b.hitches[k].Number == f.Number && b.hitches[k].BeginNs == f.Begin
		stage := stageOf(n - 1 - i)
		if known && b.hitches[k].stage == stage && (!b.ended || b.hitches[k].newest == newest || stage == stageOf(farBehind)) {
			k++
			continue
		}
		if pieces <= 0 {
			return i, 0
		}
		pieces--
		h := e.hitch(t, i)
		h.stage, h.newest = stage, newest
		if b.explains++; k < len(b.hitches) && b.hitches[k].Number == f.Number {
			b.hitches[k] = h
		} else {
			b.hitches = slices.Insert(b.hitches, k, h)
		}
		b.changes++
		if k++; len(b.hitches) > mostHitches {
			b.cut(0, len(b.hitches)-mostHitches)
			k = b.from(f.Number) + 1
		}
	}
	if end < n {
		b.cut(k, b.from(t.Frame(end).Number))
	} else {
		b.cut(k, len(b.hitches))
	}
	return end, pieces
}

// hitch explains a frame.
func (e *Engine) hitch(t *store.Track, i int) Hitch {
	e.Frame(t.Def.ID, i, &e.answer)
	return e.answer.hitch(t.Frame(i).Begin)
}

// hitch returns what a list of hitches has of an answer.
func (a *Answer) hitch(beginNs int64) Hitch {
	h := Hitch{
		Number: a.Number, BeginNs: beginNs, DurationNs: a.DurationNs, ExcessNs: a.ExcessNs(),
		Root: Link{Track: a.Track, Collector: model.NoCollector, How: Unknown},
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

// Changes returns a number that is another when Hitches or Groups of a track may be others.
func (e *Engine) Changes(track model.TrackID) uint64 {
	if b := e.books[track]; b != nil {
		return b.changes
	}
	return 0
}
