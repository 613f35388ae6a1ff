package feed

import (
	"sync"
	"time"

	"framescope/model"
)

// Limits of a feed. A batch counts with the memory of its slices.
const (
	DefaultBatches = 1 << 14
	DefaultBytes   = 256 << 20
	// DefaultFileBytes is less than a live feed's: a producer that waits loses nothing, and batches that are used again soon are still in the cache (loading takes half the time).
	DefaultFileBytes = 16 << 20
	maxDefinitions   = 1 << 20 // a producer waits when so many definitions have not been polled
	maxFreeBytes     = 64 << 20
	batchOverhead    = 256
)

// Options of a new feed.
type Options struct {
	// Live feeds drop their oldest batches when full; others make the producer wait.
	Live bool
	// Wait makes the producer of a live feed wait, too: one that reads a file which still grows, or whatever else loses nothing by being read later.
	Wait bool
	// Batches and Bytes bound what waits in the ring; 0 means the defaults.
	Batches int
	Bytes   int64
	// Name is shown until the session's own Info arrives: a file's path or a client's address.
	Name string
	// Owner is the producer's handle (a connection, a loading file), for panels that act on it.
	Owner any
}

// Feed is the bounded ring between one producer and the game loop. It implements Sink. Only its lock is shared: the producer fills a batch that nobody else sees,
// and the consumer reads batches that the producer gave away.
//
// The ring is a plain slice under a mutex that both sides hold for tens of nanoseconds a batch, rather than a lock-free queue: a live producer must be able to take back the
// oldest batch, and definitions and batches must become visible in one order. Both are simple under a lock, and polling takes it once for many batches.
type Feed struct {
	opt Options

	mu      sync.Mutex
	room    sync.Cond
	defs    []model.Change
	ring    []item // ring[head], ring[head+1], … modulo len
	head, n int
	bytes   int64
	free    []*model.Batch
	freeB   int64
	stats   Stats
	end     *model.End
	cancel  bool
	rewind  map[model.TrackID]bool // tracks whose next frame must rewind because the batch that should have was dropped
	pulse   pulse

	// of the consumer
	takenDefs []model.Change
	taken     []*model.Batch
}

type item struct {
	b  *model.Batch
	at time.Time
	sz int64
}

// Stats are a feed's counters.
type Stats struct {
	Published, Dropped int64 // batches
	Waiting            int   // batches in the ring
	WaitingBytes       int64
	Lag                time.Duration // age of the oldest waiting batch
	Done, Total        int64         // bytes of a file
	Ended, Cancelled   bool
}

// New returns an empty feed. Most callers want Hub.NewFeed.
func New(o Options) *Feed {
	if o.Batches <= 0 {
		o.Batches = DefaultBatches
	}
	if o.Bytes <= 0 {
		o.Bytes = DefaultFileBytes
		if o.Live && !o.Wait {
			o.Bytes = DefaultBytes
		}
	}
	f := &Feed{opt: o, ring: make([]item, min(o.Batches, 64)), rewind: map[model.TrackID]bool{}, pulse: pulse{since: time.Now()}}
	f.room.L = &f.mu
	return f
}

// Name returns Options.Name.
func (f *Feed) Name() string { return f.opt.Name }

// Owner returns Options.Owner.
func (f *Feed) Owner() any { return f.opt.Owner }

// Live tells whether the feed brings what is happening now, and not a recording that is read.
func (f *Feed) Live() bool { return f.opt.Live }

// Define implements Sink. model.End is held back until all batches before it were polled.
func (f *Feed) Define(c model.Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pulse.define(c)
	if end, ok := c.(model.End); ok {
		f.end = &end
		return
	}
	for len(f.defs) >= maxDefinitions && !f.cancel {
		f.room.Wait()
	}
	if !f.cancel {
		f.defs = append(f.defs, c)
	}
}

// Begin implements Sink.
func (f *Feed) Begin() *model.Batch {
	f.mu.Lock()
	if k := len(f.free) - 1; k >= 0 {
		b := f.free[k]
		f.free = f.free[:k]
		f.freeB -= sizeOf(b)
		f.mu.Unlock()
		b.Reset()
		return b
	}
	f.mu.Unlock()
	return &model.Batch{}
}

// Publish implements Sink.
func (f *Feed) Publish(b *model.Batch) bool {
	now := time.Now()
	sz := sizeOf(b)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pulse.beat(now)
	for !f.cancel && f.n > 0 && (f.n >= f.opt.Batches || f.bytes+sz > f.opt.Bytes) {
		if f.opt.Live && !f.opt.Wait {
			f.dropOldest()
		} else {
			f.room.Wait()
		}
	}
	if f.cancel {
		f.recycle(b)
		return false
	}
	if b.HasFrame && len(f.rewind) > 0 && f.rewind[b.Track] {
		b.Rewind = true
		delete(f.rewind, b.Track)
	}
	f.push(item{b, now, sz})
	f.stats.Published++
	return true
}

// Progress implements Sink.
func (f *Feed) Progress(done, total int64) {
	f.mu.Lock()
	f.stats.Done, f.stats.Total = done, total
	f.mu.Unlock()
}

// Cancel makes the producer stop: its next Publish returns false, and what waits is given up.
func (f *Feed) Cancel() {
	f.mu.Lock()
	f.cancel = true
	f.stats.Cancelled = true
	f.room.Broadcast()
	f.mu.Unlock()
}

// Stats returns the counters of now.
func (f *Feed) Stats() Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.stats
	s.Waiting, s.WaitingBytes = f.n, f.bytes
	if f.n > 0 {
		s.Lag = time.Since(f.ring[f.head].at)
	}
	return s
}

// Poll applies what waits to the session until nothing waits or the deadline has passed; at least one run of batches is taken. It returns how many batches and spans it
// appended and whether something is left. The store's owner calls it.
func (f *Feed) Poll(s *model.Session, deadline time.Time) (batches, spans int, more bool) {
	// A run is short enough that the deadline is looked at every millisecond or so.
	const run, runBytes = 64, 512 << 10
	for {
		f.mu.Lock()
		f.takenDefs, f.defs = f.defs, f.takenDefs[:0]
		for took := int64(0); len(f.taken) < run && took < runBytes && f.n > 0; {
			it := f.pop()
			took += it.sz
			f.taken = append(f.taken, it.b)
		}
		var end *model.End
		if f.n == 0 && f.end != nil {
			end, f.end = f.end, nil
			f.stats.Ended = true
		}
		f.room.Broadcast()
		f.mu.Unlock()

		for _, c := range f.takenDefs {
			s.Apply(c)
		}
		clear(f.takenDefs)
		for _, b := range f.taken {
			s.Append(b)
			spans += len(b.Spans)
		}
		batches += len(f.taken)
		if end != nil {
			s.Apply(*end)
		}

		f.mu.Lock()
		for _, b := range f.taken {
			f.recycle(b)
		}
		more = f.n > 0 || len(f.defs) > 0
		f.mu.Unlock()
		f.taken = f.taken[:0]
		if !more || !time.Now().Before(deadline) {
			return batches, spans, more
		}
	}
}

// dropOldest takes back the oldest batch of a full live ring and counts it. A dropped rewind is carried to the track's next frame, so that the store
// never sees an old frame number without being told to take the later ones back.
func (f *Feed) dropOldest() {
	it := f.pop()
	f.stats.Dropped++
	if it.b.Rewind && !f.carryRewind(it.b.Track) {
		f.rewind[it.b.Track] = true
	}
	if it.b.HasFrame {
		f.defs = append(f.defs, model.Loss{Reason: model.LossRing, Track: it.b.Track, N: 1, Frames: 1, Begin: it.b.Begin, End: it.b.End})
	} else {
		f.defs = append(f.defs, model.Loss{Reason: model.LossRing, Track: it.b.Track, N: 1, Detail: "a run of data without frames"})
	}
	f.mergeLosses()
	f.recycle(it.b)
}

// mergeLosses keeps the definitions short while a stalled viewer lets a fast client drop millions: the newest two losses become one if alike.
func (f *Feed) mergeLosses() {
	k := len(f.defs)
	if k < 2 {
		return
	}
	a, ok1 := f.defs[k-2].(model.Loss)
	b, ok2 := f.defs[k-1].(model.Loss)
	if ok1 && ok2 && a.Reason == b.Reason && a.Track == b.Track && a.Detail == b.Detail {
		a.Add(b)
		f.defs[k-2] = a
		f.defs = f.defs[:k-1]
	}
}

func (f *Feed) carryRewind(t model.TrackID) bool {
	for i := range f.n {
		if b := f.ring[(f.head+i)%len(f.ring)].b; b.HasFrame && b.Track == t {
			b.Rewind = true
			return true
		}
	}
	return false
}

func (f *Feed) push(it item) {
	if f.n == len(f.ring) {
		bigger := make([]item, 2*len(f.ring))
		for i := range f.n {
			bigger[i] = f.ring[(f.head+i)%len(f.ring)]
		}
		f.ring, f.head = bigger, 0
	}
	f.ring[(f.head+f.n)%len(f.ring)] = it
	f.n++
	f.bytes += it.sz
}

func (f *Feed) pop() item {
	it := f.ring[f.head]
	f.ring[f.head] = item{}
	f.head = (f.head + 1) % len(f.ring)
	f.n--
	f.bytes -= it.sz
	return it
}

func (f *Feed) recycle(b *model.Batch) {
	clear(b.Messages) // their texts must not stay with a batch that waits for its next use
	b.Messages = b.Messages[:0]
	sz := sizeOf(b)
	if f.freeB+sz > maxFreeBytes {
		return
	}
	f.freeB += sz
	f.free = append(f.free, b)
}

// sizeOf is the memory that a batch holds, in bytes, with the texts of its messages.
func sizeOf(b *model.Batch) int64 {
	n := batchOverhead + 40*int64(cap(b.Spans)) + 16*int64(cap(b.Alone)) + 24*int64(cap(b.Levels)) + 64*int64(cap(b.Messages)) + 16*int64(cap(b.Locks)) + 24*int64(cap(b.Samples))
	for i := range b.Messages {
		m := &b.Messages[i]
		n += int64(len(m.Text) + len(m.Category) + len(m.Object))
	}
	return n
}
