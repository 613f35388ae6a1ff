package feed

import (
	"time"

	"framescope/model"
	"framescope/model/store"
)

// Limits of a feed. A batch counts with the memory of its slices.
const (
	DefaultBatches = 1 << 14
	// DefaultBytes is the default limit of all feeds of a hub together.
	DefaultBytes = 256 << 20
	// DefaultFileBytes is less: a producer that waits loses nothing, and batches that are used
	// again soon are still in the cache (loading takes half the time).
	DefaultFileBytes = 16 << 20
	maxDefinitions   = 1 << 16 // a producer waits when so many definitions have not been polled
)

// Options of a new feed.
type Options struct {
	// Live feeds drop their oldest batches when full; others make the producer wait.
	Live bool
	// Wait makes the producer of a live feed wait, too: one that reads a growing file, or any other
	// data that can be read later without loss.
	Wait bool
	// Guest marks an uninvited feed: a program connected by itself. It gets a session when it brings
	// something, and is a number in Hub.Nothing if it never does.
	Guest bool
	// Batches and Bytes bound the data that wait in the ring; 0 means the defaults. A live feed has no
	// bound of its own in bytes by default, only that of its hub.
	Batches int
	Bytes   int64
	// Name is shown until the session's own Info arrives: a file's path or a client's address.
	Name string
	// Owner is the producer's handle (a connection, a loading file), for panels that act on it.
	Owner any
}

// Feed is the bounded ring between one producer and the game loop. It implements Sink. The producer
// fills a batch of its own, and the consumer reads batches that the producer gave away; the pool's
// lock guards the shared state. An empty feed takes less than a KiB.
//
// The ring is a plain queue under a mutex, rather than a lock-free one: a live producer must be
// able to take back the oldest batch, and definitions and batches must become visible in one order.
// Both are simple under a lock.
type Feed struct {
	opt  Options
	pool *pool

	// guarded by pool.mu
	defs   queue[definition]
	ring   queue[item]
	bytes  int64 // of the batches in the ring
	stats  Stats
	pulse  pulse
	end    *model.End
	cancel bool
	queued bool                   // it is in pool.ready
	gone   bool                   // the hub has forgotten it
	known  bool                   // it has a session
	rewind map[model.TrackID]bool // tracks with a dropped rewind, which their next frame must make up for
	lost   []model.Loss           // drops since the last poll, one for each lostKey
	lostAt map[lostKey]int        // where in lost

	taken   int64 // definitions that the consumer has taken
	divided divided

	// of the consumer
	session *store.Session // of a feed of a hub, nil until it has one
	part    *model.Batch   // a very large batch with its beginning in the session
}

type item struct {
	b     *model.Batch
	at    time.Time
	sz    int64
	after int64 // definitions that were made before it
}

type definition struct {
	c  model.Change
	sz int64
}

// Stats are a feed's counters.
type Stats struct {
	Published, Dropped int64 // batches
	DroppedFrames      int64
	Defined            int64 // definitions
	Waiting            int   // batches in the ring
	WaitingBytes       int64
	Lag                time.Duration // age of the oldest waiting batch
	Done, Total        int64         // bytes of a file
	Ended, Cancelled   bool
}

func newFeed(o Options, p *pool) *Feed {
	if o.Batches <= 0 {
		o.Batches = DefaultBatches
	}
	f := &Feed{opt: o, pool: p, pulse: pulse{since: time.Now()}}
	if f.opt.Bytes <= 0 && !f.drops() {
		f.opt.Bytes = DefaultFileBytes
	}
	return f
}

// TakesRows implements the method of that name.
func (f *Feed) TakesRows() bool { return true }

// Name returns Options.Name.
func (f *Feed) Name() string { return f.opt.Name }

// Owner returns Options.Owner.
func (f *Feed) Owner() any { return f.opt.Owner }

// Live reports whether the feed brings present events, not a recording.
func (f *Feed) Live() bool { return f.opt.Live }

// WaitForRoom makes the producer wait from now on, as with Options.Wait: its data are no longer live.
func (f *Feed) WaitForRoom() {
	f.pool.mu.Lock()
	defer f.pool.mu.Unlock()
	f.opt.Wait = true
	if f.opt.Bytes <= 0 {
		f.opt.Bytes = DefaultFileBytes
	}
}

// drops reports whether a full ring gives up its oldest batch; else the producer waits.
func (f *Feed) drops() bool { return f.opt.Live && !f.opt.Wait }

// refuses reports whether the feed takes nothing more.
func (f *Feed) refuses() bool { return f.cancel || f.pool.closed }

// Define implements Sink. model.End is held back until all batches before it were polled. Like
// other producers that wait, it leaves half of the pool to those that can't.
func (f *Feed) Define(c model.Change) {
	p := f.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if end, ok := c.(model.End); ok {
		f.end = &end
		f.pool.room.Broadcast() // a poll may wait for those that append
		f.wake()
		return
	}
	f.pulse.define(c)
	d := definition{c, sizeOfChange(c)}
	f.waitUntil(func() bool {
		return f.defs.len() == 0 || f.defs.len() < maxDefinitions && p.waiting+d.sz <= p.limit/2
	})
	if f.refuses() {
		return
	}
	f.defs.push(d)
	f.stats.Defined++
	p.waiting += d.sz
	f.wake()
}

// waitUntil waits until the producer may go on, or its data are not wanted any more.
func (f *Feed) waitUntil(ok func() bool) {
	for !f.refuses() && !ok() {
		f.enqueue() // a guest's, too: it would wait for ever
		f.pool.wait++
		f.pool.room.Wait()
		f.pool.wait--
	}
}

// wake puts the feed into the list of those that the next poll looks at. A guest that brought
// nothing but a few definitions is not worth a session yet.
func (f *Feed) wake() {
	if f.opt.Guest && !f.known && f.stats.Published == 0 && f.end == nil {
		return
	}
	f.enqueue()
}

func (f *Feed) enqueue() {
	if !f.queued && !f.gone {
		f.queued = true
		if f.known {
			f.pool.ready.push(f)
			f.pool.news.Signal()
		} else {
			f.pool.fresh.push(f)
		}
	}
}

// Begin implements Sink.
func (f *Feed) Begin() *model.Batch { return f.pool.begin() }

// Publish implements Sink.
func (f *Feed) Publish(b *model.Batch) bool {
	it := item{b: b, at: time.Now(), sz: sizeOf(b)}
	p := f.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	f.pulse.beat(it.at)
	if f.drops() {
		for f.ring.len() > 0 && (f.ring.len() >= f.opt.Batches || f.opt.Bytes > 0 && f.bytes+it.sz > f.opt.Bytes) {
			f.dropOldest()
		}
	} else if !f.hasRoom(it.sz) {
		f.waitUntil(func() bool { return f.hasRoom(it.sz) })
	}
	if f.refuses() {
		p.recycle(b)
		return false
	}
	f.stats.Published++
	if f.drops() && !p.makeRoom(f, it.sz) {
		f.drop(b)
	} else {
		it.after = f.stats.Defined
		f.push(it)
	}
	f.wake()
	return true
}

// hasRoom reports whether a producer that waits for room may go on. Such producers leave half of the
// pool to those that can't wait.
func (f *Feed) hasRoom(bytes int64) bool {
	n := f.ring.len()
	return n == 0 || n < f.opt.Batches && f.bytes+bytes <= f.opt.Bytes && f.pool.waiting+bytes <= f.pool.limit/2
}

// Progress implements Sink.
func (f *Feed) Progress(done, total int64) {
	f.pool.mu.Lock()
	f.stats.Done, f.stats.Total = done, total
	f.pool.mu.Unlock()
}

// Cancel makes the producer stop: its next Publish returns false, and waiting data are dropped.
func (f *Feed) Cancel() {
	p := f.pool
	p.mu.Lock()
	f.cancel = true
	for f.ring.len() > 0 {
		p.recycle(f.pop().b)
	}
	for f.defs.len() > 0 {
		f.popDefinition()
	}
	f.lost, f.lostAt, f.rewind = nil, nil, nil
	p.room.Broadcast()
	p.mu.Unlock()
}

// Stats returns the counters of now.
func (f *Feed) Stats() Stats {
	f.pool.mu.Lock()
	defer f.pool.mu.Unlock()
	s := f.stats
	s.Cancelled = f.refuses()
	s.Waiting, s.WaitingBytes = f.ring.len(), f.bytes
	if s.Waiting > 0 {
		s.Lag = time.Since(f.ring.at(0).at)
	}
	return s
}

// Crowded reports whether a live feed will soon drop its oldest batches.
func (f *Feed) Crowded() bool { return f.filled() > 0.75 }

// Roomy reports whether there is room for data that can be read later, too.
func (f *Feed) Roomy() bool { return f.filled() < 0.5 }

// filled is the part of the feed's room that is taken.
func (f *Feed) filled() float64 {
	f.pool.mu.Lock()
	defer f.pool.mu.Unlock()
	part := max(float64(f.ring.len())/float64(f.opt.Batches), float64(f.pool.waiting)/float64(f.pool.limit))
	if f.opt.Bytes > 0 {
		part = max(part, float64(f.bytes)/float64(f.opt.Bytes))
	}
	return part
}

// Beat notes that data came, which wait elsewhere until there is room.
func (f *Feed) Beat() {
	f.pool.mu.Lock()
	defer f.pool.mu.Unlock()
	f.pulse.beat(time.Now())
}

// dropOldest takes back the oldest batch of a full live ring and counts it.
func (f *Feed) dropOldest() { f.drop(f.pop().b) }

// drop counts a batch that the session will never see. A dropped rewind is carried to the track's next
// frame, so that the store never sees an old frame number without a rewind.
func (f *Feed) drop(b *model.Batch) {
	f.stats.Dropped++
	f.pool.dropped++
	if b.HasFrame && b.Rewind {
		model.Put(&f.rewind, b.Track, true)
	}
	f.lose(b)
	f.pool.recycle(b)
}

// lostKey divides the counts of dropped batches: by track, because only its own numbers show where its
// frames are missing.
type lostKey struct {
	track  model.TrackID
	framed bool
}

// lose counts a dropped batch by its track: a stalled viewer lets a fast client drop millions. It
// takes less for each track than a session keeps of an empty one.
func (f *Feed) lose(b *model.Batch) {
	l := model.Loss{Reason: model.LossRing, Track: b.Track, N: 1}
	if b.HasFrame {
		l.Frames, l.Begin, l.End = 1, b.Begin, b.End
		f.stats.DroppedFrames++
	} else {
		l.Detail = "a run of data without frames"
	}
	key := lostKey{b.Track, b.HasFrame}
	if i, ok := f.lostAt[key]; ok {
		f.lost[i].Add(l)
		return
	}
	model.Put(&f.lostAt, key, len(f.lost))
	f.lost = append(f.lost, l)
}

// DroppedFrames returns how many frames were dropped.
func (f *Feed) DroppedFrames() int64 {
	f.pool.mu.Lock()
	defer f.pool.mu.Unlock()
	return f.stats.DroppedFrames
}

// takeLost forgets the drops.
func (f *Feed) takeLost() {
	f.lost = f.lost[:0]
	clear(f.lostAt)
}

// popDefinition takes the oldest definition that waits.
func (f *Feed) popDefinition() model.Change {
	d := f.defs.pop()
	f.pool.waiting -= d.sz
	f.taken++
	return d.c
}

func (f *Feed) push(it item) {
	f.ring.push(it)
	f.bytes += it.sz
	f.pool.waiting += it.sz
	f.pool.batches++
}

func (f *Feed) pop() item {
	it := f.ring.pop()
	f.bytes -= it.sz
	f.pool.waiting -= it.sz
	f.pool.batches--
	return it
}
