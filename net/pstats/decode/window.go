package decode

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
	"framescope/net/pstats/wire"
)

// Bounds of the window of recent frames, in which late ones are put in their place.
const (
	windowBytes      = 4 << 20  // of a thread
	windowTotalBytes = 64 << 20 // of a client
	windowFreeBytes  = 4 << 20  // records kept for reuse
	windowLeast      = 64 << 10 // of a client, when all of them together hold too much
)

// frameRecord is a raw frame in the window, with the nesting state before it.
type frameRecord struct {
	number    int64
	bytes     int // on the wire
	published bool
	events    []wire.Event
	levels    []wire.Level
	before    nestState
}

// size returns the bytes that r keeps.
func (r *frameRecord) size() int64 {
	return int64(128 + 8*cap(r.events) + 8*cap(r.levels) + r.before.size())
}

// same tells whether f has the very bits of r.
func (r *frameRecord) same(f *wire.Frame) bool {
	return slices.EqualFunc(r.events, f.Events, func(a, b wire.Event) bool {
		return a.Word == b.Word && math.Float32bits(a.Time) == math.Float32bits(b.Time)
	}) && slices.EqualFunc(r.levels, f.Levels, func(a, b wire.Level) bool {
		return a.Collector == b.Collector && math.Float32bits(a.Value) == math.Float32bits(b.Value)
	})
}

// frameWindow is the newest frames of a thread, ascending by number.
type frameWindow struct {
	recs  []*frameRecord
	store []*frameRecord // the array behind recs, so that its front is used again
	bytes int64
	place int   // in windowPool.threads, if recs is not empty
	base  int64 // greatest number that has left the window; earlier frames cannot be placed
}

// find returns the index of a number, or -1.
func (w *frameWindow) find(number int64) int {
	at, ok := w.search(number)
	if !ok {
		return -1
	}
	return at
}

func (w *frameWindow) search(number int64) (int, bool) {
	return slices.BinarySearchFunc(w.recs, number, func(r *frameRecord, n int64) int { return cmp.Compare(r.number, n) })
}

// windowPool owns the memory of all windows of a client: records that leave one are used again by
// the next frame of any thread.
type windowPool struct {
	total   int64
	threads []*thread // with a window that is not empty
	free    []*frameRecord
	freeB   int64
	hand    int           // thread that gives frames next when the total is too much
	settle  func(*thread) // publishes what waits in a thread's window
	held    *feed.Held    // counts total and freeB with those of other clients; may be nil
}

// take returns a record with a copy of f.
func (p *windowPool) take(number int64, f *wire.Frame) *frameRecord {
	var r *frameRecord
	if k := len(p.free) - 1; k >= 0 {
		r, p.free = p.free[k], p.free[:k]
		p.addFree(-r.size())
	} else {
		r = &frameRecord{}
	}
	r.number, r.published = number, false
	r.events = append(r.events[:0], f.Events...)
	r.levels = append(r.levels[:0], f.Levels...)
	return r
}

func (p *windowPool) give(r *frameRecord) {
	if sz := r.size(); p.freeB+sz <= windowFreeBytes && !p.held.Over() {
		p.free = append(p.free, r)
		p.addFree(sz)
	}
}

func (p *windowPool) addFree(bytes int64) {
	p.freeB += bytes
	p.held.Add(bytes)
}

// append adds a frame behind all others.
func (p *windowPool) append(th *thread, number int64, f *wire.Frame) *frameRecord {
	w := &th.window
	r := p.take(number, f)
	r.before.set(&th.state)
	if len(w.recs) == cap(w.recs) && cap(w.store) > 2*len(w.recs) { // room only in front
		w.store = w.store[:cap(w.store)]
		w.recs = w.store[:copy(w.store, w.recs)]
	}
	if len(w.recs) == 0 {
		w.place = len(p.threads)
		p.threads = append(p.threads, th)
	}
	grown := len(w.recs) == cap(w.recs)
	w.recs = append(w.recs, r)
	if grown {
		w.store = w.recs
	}
	p.add(w, r.size())
	return r
}

// insert adds a frame in its place and returns its index.
func (p *windowPool) insert(th *thread, number int64, f *wire.Frame) int {
	w := &th.window
	at, _ := w.search(number)
	r := p.take(number, f)
	if at < len(w.recs) {
		r.before.set(&w.recs[at].before)
	} else {
		r.before.set(&th.state)
	}
	if len(w.recs) == 0 {
		w.place = len(p.threads)
		p.threads = append(p.threads, th)
	}
	w.recs = slices.Insert(w.recs, at, r)
	w.store = w.recs
	p.add(w, r.size())
	return at
}

// replace gives a frame of the window another content.
func (p *windowPool) replace(th *thread, at int, f *wire.Frame) {
	w := &th.window
	r := w.recs[at]
	p.add(w, -r.size())
	r.published = false
	r.events = append(r.events[:0], f.Events...)
	r.levels = append(r.levels[:0], f.Levels...)
	p.add(w, r.size())
}

func (p *windowPool) add(w *frameWindow, bytes int64) {
	w.bytes += bytes
	p.total += bytes
	p.held.Add(bytes)
}

// trim drops the oldest frames of a thread beyond its bounds, and of other threads if all together
// are too much, or those of all clients. Records whose saved state grew since they were counted are
// counted right when they leave.
func (p *windowPool) trim(th *thread) {
	for w := &th.window; len(w.recs) > pstats.WindowFrames || w.bytes > windowBytes && len(w.recs) > 0; {
		p.dropOldest(th)
	}
	for (p.total > windowTotalBytes || p.total > windowLeast && p.held.Over()) && len(p.threads) > 0 {
		if p.hand >= len(p.threads) {
			p.hand = 0
		}
		p.dropOldest(p.threads[p.hand])
		p.hand++
	}
}

func (p *windowPool) dropOldest(th *thread) {
	w := &th.window
	r := w.recs[0]
	if th.dirty <= r.number {
		p.settle(th)
	}
	w.recs[0] = nil
	w.recs = w.recs[1:]
	w.base = r.number
	if len(w.recs) == 0 {
		p.add(w, -w.bytes)
		last := p.threads[len(p.threads)-1]
		p.threads[w.place], last.window.place = last, w.place
		p.threads[len(p.threads)-1] = nil
		p.threads = p.threads[:len(p.threads)-1]
	} else {
		p.add(w, -min(r.size(), w.bytes))
	}
	p.give(r)
}

// empty drops all frames of a thread: later ones can't be put before them.
func (p *windowPool) empty(th *thread) {
	for len(th.window.recs) > 0 {
		p.dropOldest(th)
	}
}

// release gives up the window of a thread that is no more.
func (p *windowPool) release(th *thread) {
	p.empty(th)
	th.state, th.dirty = nestState{number: model.NoFrame}, noneDirty
}

// close gives up everything: nothing more comes.
func (p *windowPool) close() {
	p.held.Add(-p.total - p.freeB)
	for _, th := range p.threads {
		th.window = frameWindow{}
	}
	p.total, p.freeB, p.free, p.threads = 0, 0, nil, nil
}
