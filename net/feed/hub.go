package feed

import (
	"slices"
	"sync"
	"time"

	"framescope/model/store"
)

// Hub gathers the feeds of all connected programs and opened files, and is polled once a tick. NewFeed
// may be called from any goroutine, and so may Stats and SetLimit; the rest belongs to the game loop.
// The cost of a poll depends on the new data, not on the number of feeds.
type Hub struct {
	pool    *pool
	entries []Entry
	feeds   map[*store.Session]*Feed
	run     run
	news    PollStats
	nothing Nothing
	quiet   int // polls since anything came
	now     func() time.Time
	open    []*Feed // with goroutines that appended during the last poll

	store  *store.Store // of the last poll
	inside sync.Mutex   // held by goOn while it changes the store and the following
	since  PollStats    // what goOn did since the last poll; Ended alone of the slices
}

// Entry is a feed with the session that it fills.
type Entry struct {
	Feed    *Feed
	Session *store.Session
}

// Nothing counts the guests that are gone and had brought nothing, see Options.Guest.
type Nothing struct {
	Guests int
	Reason string // with which the last of them ended, may be empty
}

// NewHub returns an empty hub.
func NewHub() *Hub {
	return &Hub{pool: newPool(DefaultBytes), feeds: map[*store.Session]*Feed{}, now: time.Now}
}

// SetLimit bounds the bytes that wait in all feeds together; free batches may take a quarter of that
// besides, and decoders hold back half as much. When that is full, the live feed that holds most drops
// its oldest batches. One batch may always wait, however large it is.
func (h *Hub) SetLimit(bytes int64) {
	h.pool.mu.Lock()
	h.pool.limit = bytes
	h.pool.bound(bytes)
	h.pool.trim()
	h.pool.mu.Unlock()
}

// Held returns the account of memory held by decoders.
func (h *Hub) Held() *Held { return &h.pool.held }

// NewFeed returns a feed that the next Poll gives a session of its own, or, if it is a guest's, the
// first Poll that finds something in it.
func (h *Hub) NewFeed(o Options) *Feed {
	f := newFeed(o, h.pool)
	h.pool.mu.Lock()
	f.wake()
	h.pool.mu.Unlock()
	return f
}

// Close cancels all present and later feeds, polled or not, so that no producer waits for a poll that
// never comes. No goroutine appends to a session after that.
func (h *Hub) Close() {
	h.pool.mu.Lock()
	h.pool.closed = true
	h.pool.room.Broadcast()
	h.pool.mu.Unlock()
	h.EndLetIn()
}

// HubStats are the counters of all feeds together.
type HubStats struct {
	Waiting      int           // batches
	WaitingBytes int64         // of batches and definitions
	FreeBytes    int64         // of batches ready for reuse
	HeldBytes    int64         // held by decoders, see Held
	Lag          time.Duration // age of the oldest waiting batch
	Dropped      int64         // batches
}

// Stats returns the counters of now.
func (h *Hub) Stats() HubStats {
	p := h.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	s := HubStats{
		Waiting: p.batches, WaitingBytes: p.waiting, FreeBytes: p.freeB, HeldBytes: p.held.Bytes() + p.data.Bytes(),
		Dropped: p.dropped,
	}
	for _, q := range [...]*queue[*Feed]{&p.ready, &p.fresh} {
		for i := range q.len() {
			if f := *q.at(i); f.ring.len() > 0 {
				s.Lag = max(s.Lag, time.Since(f.ring.at(0).at))
			}
		}
	}
	return s
}

// PollStats is the result of a Poll. Its slices are the hub's own and valid until the next Poll.
type PollStats struct {
	// New are the entries that got their session, Ended those with a session that got its model.End,
	// and Nothing the feeds of guests that ended without a session: they are forgotten.
	New, Ended []Entry
	Nothing    []*Feed

	Definitions, Batches, Spans int
	More                        bool // something is left for the next tick
	Divided                     bool // goroutines of sources append, see LetIn
	limited                     bool // the store has to evict more
	Rests                       bool // nothing came for long enough: buffers for batches to come are freed
	Took                        time.Duration
}

// restAfter is how many polls without news make a rest: some seconds.
const restAfter = 128

// maxNew is the most sessions that a poll begins: the caller has work to do for each.
const maxNew = 64

// Poll gives new feeds a session in the store, applies the waiting data of all feeds, and keeps to the
// store's limit, all of that within the time budget: the rest waits for the next Poll. Feeds with data
// take turns, a run each. While the store must evict more than the time allows, nothing is appended.
func (h *Hub) Poll(st *store.Store, budget time.Duration) PollStats {
	start := h.now()
	deadline := start.Add(budget)
	clear(h.news.New)
	clear(h.news.Ended)
	clear(h.news.Nothing)
	p := &h.news
	h.EndLetIn()
	h.store = st
	*p = PollStats{
		New: p.New[:0], Ended: append(p.Ended[:0], h.since.Ended...), Nothing: p.Nothing[:0],
		Definitions: h.since.Definitions, Batches: h.since.Batches, Spans: h.since.Spans,
	}
	clear(h.since.Ended)
	h.since = PollStats{Ended: h.since.Ended[:0]}
	p.limited = st.EnforceLimit(deadline)
	for late := false; !p.limited && !late && len(p.New) < maxNew && len(p.Nothing) < maxNew; {
		f := h.pool.next()
		if f == nil {
			break
		}
		if f.session == nil && !h.admit(st, f) {
			continue
		}
		h.step(f, p, deadline)
		late = !h.now().Before(deadline)
	}
	h.pool.mu.Lock()
	p.Divided = len(h.open) > 0
	p.More = p.limited || h.pool.waits()
	if h.quiet++; p.More || p.Definitions+p.Batches > 0 {
		h.quiet = 0
	}
	if p.Rests = h.quiet == restAfter && h.pool.freeB > 0; p.Rests {
		h.pool.free, h.pool.freeB = nil, 0
	}
	h.pool.mu.Unlock()
	p.Took = h.now().Sub(start)
	return *p
}

// step takes a run from a feed, counts it, and keeps to the store's limit.
func (h *Hub) step(f *Feed, p *PollStats, deadline time.Time) {
	d := f.step(f.session, &h.run, h.now, deadline)
	if d.more {
		h.again(f)
	}
	if d.divided && !slices.Contains(h.open, f) {
		h.open = append(h.open, f)
	}
	p.Definitions, p.Batches, p.Spans = p.Definitions+d.definitions, p.Batches+d.batches, p.Spans+d.spans
	if d.ended {
		p.Ended = append(p.Ended, Entry{f, f.session})
	}
	p.limited = h.store.EnforceLimit(deadline)
}

// LetIn takes in what comes for the sessions until the next Poll, and for so long at most: the goroutines that appended
// during the last one go on, or else one does what Poll does, after work of the caller's that changes the store. Until
// then, or EndLetIn, the store must not be read.
func (h *Hub) LetIn(most time.Duration, work func()) {
	for _, f := range h.open {
		f.letIn(f.session, most)
	}
	if h.store != nil && len(h.open) == 0 {
		h.pool.mu.Lock()
		defer h.pool.mu.Unlock()
		go h.goOn(h.pool.turn, h.now().Add(most), work)
	}
}

// Between two runs of goOn more comes, for which it is woken once.
const gather = time.Millisecond

// goOn takes in what comes for the sessions until the turn or its time is over.
func (h *Hub) goOn(turn int, until time.Time, work func()) {
	h.inside.Lock()
	if h.pool.isTurn(turn) {
		work()
	}
	h.inside.Unlock()
	for h.now().Before(until) && h.pool.await(turn) {
		h.inside.Lock()
		for f := h.pool.nextIn(turn); f != nil; f = h.pool.nextIn(turn) {
			soon := h.now().Add(gather)
			if soon.After(until) || h.store.EnforceLimit(soon) {
				h.again(f)
				break
			}
			h.step(f, &h.since, soon)
		}
		h.inside.Unlock()
		time.Sleep(gather)
	}
}

// EndLetIn ends LetIn: when it returns, the store may be read. Poll and Close do so, too.
func (h *Hub) EndLetIn() {
	h.pool.mu.Lock()
	h.pool.turn++
	h.pool.news.Broadcast()
	h.pool.mu.Unlock()
	h.inside.Lock()
	defer h.inside.Unlock()
	for _, f := range h.open {
		batches, spans := f.shut(true)
		h.since.Batches, h.since.Spans = h.since.Batches+batches, h.since.Spans+spans
	}
	clear(h.open)
	h.open = h.open[:0]
}

// again puts a feed behind all others that have something.
func (h *Hub) again(f *Feed) {
	h.pool.mu.Lock()
	f.enqueue()
	h.pool.mu.Unlock()
}

// admit gives a feed its session, unless it is that of a guest that is gone and brought nothing.
func (h *Hub) admit(st *store.Store, f *Feed) bool {
	h.pool.mu.Lock()
	empty := f.opt.Guest && f.end != nil && f.stats.Published == 0
	f.known = !empty
	if empty {
		f.gone = true
		h.nothing.Guests++
		h.nothing.Reason = f.end.Reason
	}
	h.pool.mu.Unlock()
	if empty {
		f.Cancel()
		h.news.Nothing = append(h.news.Nothing, f)
		return false
	}
	f.session = st.NewSession()
	e := Entry{f, f.session}
	h.entries = append(h.entries, e)
	h.feeds[f.session] = f
	h.news.New = append(h.news.New, e)
	return true
}

// Nothing counts the guests that came and went without bringing anything.
func (h *Hub) Nothing() Nothing { return h.nothing }

// Entries returns the feeds that were given a session, in the order of their arrival. The slice is
// the hub's own.
func (h *Hub) Entries() []Entry { return h.entries }

// EntryOf returns the entry of a session.
func (h *Hub) EntryOf(s *store.Session) (Entry, bool) {
	f, ok := h.feeds[s]
	return Entry{f, s}, ok
}

// Remove cancels the feed of a session and forgets both.
func (h *Hub) Remove(st *store.Store, s *store.Session) {
	f, ok := h.feeds[s]
	if !ok {
		return
	}
	f.Cancel()
	h.pool.mu.Lock()
	f.gone = true
	h.pool.mu.Unlock()
	delete(h.feeds, s)
	i := slices.Index(h.entries, Entry{f, s})
	h.entries = slices.Delete(h.entries, i, i+1)
	st.Remove(s)
}
