package decode

import (
	"cmp"
	"math"
	"slices"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/pstats"
)

// Bounds of the window of recent frames, in which late ones are put in their place.
const (
	windowBytes      = 4 << 20  // of a thread
	windowTotalBytes = 64 << 20 // of a client
	windowFreeBytes  = 4 << 20  // pages kept for reuse
	windowLeast      = 64 << 10 // of a client, when all of them together hold too much
)

// frameRecord is a raw frame in the window, with the nesting state before it.
type frameRecord struct {
	stored
	number    int64
	bytes     int32 // on the wire
	published bool
}

// recordBytes is the size of a record without its part in a page.
const recordBytes = 56

// raw returns the frame as it came.
func (r *frameRecord) raw() rawFrame {
	return rawFrame{r.number, int(r.bytes), r.eventList(), r.levelList()}
}

// same reports whether f has the very bits of r.
func (r *frameRecord) same(f *pstats.Frame) bool {
	return slices.EqualFunc(r.eventList(), f.Events, func(a, b pstats.Event) bool {
		return a.Word == b.Word && math.Float32bits(a.Time) == math.Float32bits(b.Time)
	}) && slices.EqualFunc(r.levelList(), f.Levels, func(a, b pstats.Level) bool {
		return a.Collector == b.Collector && math.Float32bits(a.Value) == math.Float32bits(b.Value)
	})
}

// frameWindow is the newest frames of a thread, ascending by number.
type frameWindow struct {
	recs  []frameRecord
	store []frameRecord // the array behind recs, so that its front is used again
	page  *page         // that is written to, nil if none
	bytes int64
	place int   // in windowPool.threads, if recs is not empty
	base  int64 // greatest number that has left the window; earlier frames cannot be placed
}

// search returns the index that a number has, or would have.
func (w *frameWindow) search(number int64) (at int, known bool) {
	if n := len(w.recs); n == 0 || w.recs[n-1].number < number {
		return n, false
	}
	return slices.BinarySearchFunc(w.recs, number, func(r frameRecord, n int64) int { return cmp.Compare(r.number, n) })
}

// makeRoom moves the records to the front of their array, or of a larger one where too little of it is free.
func (w *frameWindow) makeRoom() {
	if n := len(w.recs) + len(w.recs)/2 + 4; cap(w.store) < n {
		w.store = make([]frameRecord, n)
	}
	w.store = w.store[:cap(w.store)]
	n := copy(w.store, w.recs)
	clear(w.store[n:]) // they would hold pages
	w.recs = w.store[:n]
}

// windowPool owns the memory of all windows of a client: pages that leave one are used again by the
// next frame of any thread.
type windowPool struct {
	total   int64
	threads []*thread     // with a window that is not empty
	free    []*page       // of the usual length
	hand    int           // thread that gives frames next when the total is too much
	settle  func(*thread) // publishes the waiting frames of a thread's window
	before  nestState     // memory of insert and replace
	held    *feed.Held    // counts total and free with those of other clients; may be nil
}

const pageBytes = 8*pageWords + 64

// freeB returns the bytes of the pages that wait.
func (p *windowPool) freeB() int64 { return int64(len(p.free)) * pageBytes }

// room returns a page of a window with room for so many words.
func (p *windowPool) room(w *frameWindow, words int) *page {
	g := w.page
	if g != nil && len(g.words)-g.used >= words {
		return g
	}
	size := max(words, 64)
	if g != nil {
		size = max(size, min(2*len(g.words), pageWords))
	}
	if k := len(p.free) - 1; k >= 0 && size == pageWords {
		g, p.free = p.free[k], p.free[:k]
		p.held.Add(-pageBytes)
	} else {
		g = &page{words: make([]uint64, size)}
	}
	if w.page != nil && w.page.live == 0 {
		p.giveBack(w, w.page)
	}
	w.page = g
	p.add(w, g.size())
	return g
}

// store stores a frame of a window.
func (p *windowPool) store(w *frameWindow, f *pstats.Frame, st *nestState) stored {
	return p.room(w, wordsOf(f, st)).put(f.Events, f.Levels, st)
}

// drop removes a frame from a window.
func (p *windowPool) drop(w *frameWindow, s *stored) {
	g := s.page
	g.live--
	if g.live == 0 && g != w.page {
		p.giveBack(w, g)
	}
}

// giveBack returns a page without frames from a window to the pool.
func (p *windowPool) giveBack(w *frameWindow, g *page) {
	p.add(w, -g.size())
	if g.used = 0; len(g.words) == pageWords && p.freeB()+pageBytes <= windowFreeBytes && !p.held.Over() {
		p.free = append(p.free, g)
		p.held.Add(pageBytes)
	}
}

// insert adds a frame in its place.
func (p *windowPool) insert(th *thread, number int64, f *pstats.Frame) *frameRecord {
	w := &th.window
	if len(w.recs) == cap(w.recs) {
		w.makeRoom()
	}
	at, _ := w.search(number)
	st := &th.state
	if at < len(w.recs) {
		st = &p.before
		w.recs[at].state(st)
	}
	if len(w.recs) == 0 {
		w.place = len(p.threads)
		p.threads = append(p.threads, th)
	}
	w.recs = slices.Insert(w.recs, at, frameRecord{stored: p.store(w, f, st), number: number})
	p.add(w, recordBytes)
	return &w.recs[at]
}

// replace replaces the content of a frame of the window.
func (p *windowPool) replace(th *thread, at int, f *pstats.Frame) {
	w := &th.window
	r := &w.recs[at]
	r.state(&p.before)
	was := r.stored
	r.stored = p.store(w, f, &p.before)
	p.drop(w, &was)
	r.published = false
}

// precede notes that a state is the one before a frame of the window.
func (p *windowPool) precede(w *frameWindow, r *frameRecord, st *nestState) {
	if r.fits(st) {
		r.putState(st)
		return
	}
	was := r.stored
	f := pstats.Frame{Events: was.eventList(), Levels: was.levelList()}
	r.stored = p.store(w, &f, st)
	p.drop(w, &was)
}

func (p *windowPool) add(w *frameWindow, bytes int64) {
	w.bytes += bytes
	p.total += bytes
	p.held.Add(bytes)
}

// trim drops the oldest frames of a thread beyond its bounds, and of other threads if all together
// are too much, or those of all clients.
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
	r := &w.recs[0]
	if th.dirty <= r.number {
		p.settle(th)
	}
	w.base = r.number
	p.drop(w, &r.stored)
	p.add(w, -recordBytes)
	r.page = nil
	w.recs = w.recs[1:]
	if len(w.recs) > 0 {
		return
	}
	if w.page != nil {
		p.giveBack(w, w.page)
		w.page = nil
	}
	last := p.threads[len(p.threads)-1]
	p.threads[w.place], last.window.place = last, w.place
	p.threads[len(p.threads)-1] = nil
	p.threads = p.threads[:len(p.threads)-1]
}

// empty drops all frames of a thread: later ones cannot be put before them.
func (p *windowPool) empty(th *thread) {
	for len(th.window.recs) > 0 {
		p.dropOldest(th)
	}
}

// release frees the window of a thread that has ended.
func (p *windowPool) release(th *thread) {
	p.empty(th)
	th.state, th.dirty = nestState{number: model.NoFrame}, noneDirty
}

// close frees everything at the end of the session.
func (p *windowPool) close() {
	p.held.Add(-p.total - p.freeB())
	for _, th := range p.threads {
		th.window = frameWindow{}
	}
	p.total, p.free, p.threads = 0, nil, nil
}
