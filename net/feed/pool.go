package feed

import (
	"sync"

	"framescope/model"
)

// pool is the shared state of a hub's feeds: one lock, one bound for all waiting data, the free
// batches, and the list of feeds with something for the next poll.
//
// There is one lock for all feeds and not one each, because a feed that overflows may have to take
// room from another one, and because a poll must find the feeds that have news without looking at
// those that have none. It is held for tens of nanoseconds a batch: sixty thousand frames a second
// take it for some milliseconds.
type pool struct {
	mu   sync.Mutex
	room sync.Cond // something was taken out, for producers that wait
	wait int       // producers that wait
	news sync.Cond // a feed has something, for Hub.goOn
	turn int       // grows when Hub.goOn is to end

	limit   int64 // of waiting, and a quarter of it of freeB
	waiting int64 // bytes of the batches and definitions in all feeds
	batches int   // in all feeds
	dropped int64 // batches, of all feeds that ever were
	free    []*model.Batch
	freeB   int64
	ready   queue[*Feed]
	fresh   queue[*Feed] // those of ready that have no session yet
	turns   int          // of next
	closed  bool
	held    Held
	names   Held // see Names
	data    Held // see Names.TakeData
}

func newPool(limit int64) *pool {
	p := &pool{limit: limit}
	p.room.L, p.news.L = &p.mu, &p.mu
	p.bound(limit)
	return p
}

// bound sets the limits of decoders, given the limit of waiting data.
func (p *pool) bound(limit int64) {
	p.held.SetLimit(limit / 2)
	p.names.SetLimit(NamesLimit(limit))
	p.data.SetLimit(DataLimit(limit))
}

// begin returns an empty batch.
func (p *pool) begin() *model.Batch {
	p.mu.Lock()
	k := len(p.free) - 1
	if k < 0 {
		p.mu.Unlock()
		return &model.Batch{}
	}
	b := p.free[k]
	p.free[k] = nil
	p.free = p.free[:k]
	p.freeB -= sizeOf(b)
	p.mu.Unlock()
	b.Reset()
	return b
}

// recycle keeps a batch for its next use, if that is worth its memory.
func (p *pool) recycle(b *model.Batch) {
	clear(b.Messages) // their texts must not stay with a batch that waits for its next use
	b.Messages = b.Messages[:0]
	// One that had to be very large would make every small frame that it carries later count as
	// much.
	if sz := sizeOf(b); sz <= p.limit/32 && p.freeB+sz <= p.limit/4 {
		p.freeB += sz
		p.free = append(p.free, b)
	}
}

// trim frees batches beyond the limit of free batches.
func (p *pool) trim() {
	for p.freeB > p.limit/4 && len(p.free) > 0 {
		k := len(p.free) - 1
		p.freeB -= sizeOf(p.free[k])
		p.free[k] = nil
		p.free = p.free[:k]
	}
}

// makeRoom drops the oldest batches of the live feeds that hold most until so many bytes of f have
// room. It returns false when the new bytes themselves must go: then f holds nothing else and no other
// live feed as much.
func (p *pool) makeRoom(f *Feed, bytes int64) bool {
	for p.waiting+bytes > p.limit && p.waiting > 0 {
		v, most := f, f.bytes+bytes
		for _, q := range [...]*queue[*Feed]{&p.ready, &p.fresh} {
			for i := range q.len() {
				if o := *q.at(i); o.drops() && o.bytes > most {
					v, most = o, o.bytes
				}
			}
		}
		if v.ring.len() == 0 {
			return false
		}
		// A little more than is needed, so that feeds are not compared for every batch.
		for v.ring.len() > 0 && p.waiting+bytes > p.limit-p.limit/64 {
			v.dropOldest()
		}
	}
	return true
}

// freshEvery is how many feeds with a session have their turn before one without gets its first: a
// storm of new clients must not keep those waiting that are there.
const freshEvery = 8

// next takes the next feed in turn from the list, nil if none has anything.
func (p *pool) next() *Feed {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pop(true)
}

// nextIn is next for a feed with a session, while the turn is not over.
func (p *pool) nextIn(turn int) *Feed {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turn != turn {
		return nil
	}
	return p.pop(false)
}

// pop is next with the lock held.
func (p *pool) pop(fresh bool) *Feed {
	for p.ready.len() > 0 || fresh && p.fresh.len() > 0 {
		q := &p.ready
		if p.turns++; q.len() == 0 || fresh && p.fresh.len() > 0 && p.turns%freshEvery == 0 {
			q = &p.fresh
		}
		f := q.pop()
		f.queued = false
		if !f.gone {
			return f
		}
	}
	return nil
}

// isTurn reports whether a turn is not over.
func (p *pool) isTurn(turn int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.turn == turn
}

// await waits until a feed with a session has something. It returns false when the turn is over.
func (p *pool) await(turn int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.turn == turn && p.ready.len() == 0 {
		p.news.Wait()
	}
	return p.turn == turn
}

// waits reports whether a feed has something for a poll.
func (p *pool) waits() bool { return p.ready.len()+p.fresh.len() > 0 }

// took wakes the producers that wait for room.
func (p *pool) took() {
	if p.wait > 0 {
		p.room.Broadcast()
	}
}

// batchOverhead is the size of a batch without its slices.
const batchOverhead = 256

// sizeOf is the memory that a batch holds, in bytes, with the texts of its messages and arguments.
func sizeOf(b *model.Batch) int64 {
	n := batchOverhead + 40*int64(cap(b.Spans)) + 16*int64(cap(b.Self)) + 24*int64(cap(b.Levels)) +
		64*int64(cap(b.Messages)) + 16*int64(cap(b.Locks)) + 24*int64(cap(b.Samples)) +
		32*int64(cap(b.Flows)) + 56*int64(cap(b.Args)) + b.RowBytes()
	for i := range b.Messages {
		m := &b.Messages[i]
		n += int64(len(m.Text) + len(m.Category) + len(m.Object))
	}
	for i := range b.Args {
		n += int64(len(b.Args[i].Value.Text))
	}
	return n
}

// plainBytes is about the memory of a definition without its texts, while it waits.
const plainBytes = 160

// sizeOfChange is about the memory that a definition holds while it waits, in bytes.
func sizeOfChange(c model.Change) int64 {
	if _, ok := c.(model.PathDef); ok { // by far the most
		return 64
	}
	return plainBytes + textsOf(c)
}

// textsOf returns how many bytes the texts of a definition have.
func textsOf(c model.Change) int64 {
	n := 0
	switch c := c.(type) {
	case model.Info:
		n = len(c.Program) + len(c.Host) + len(c.Peer) + len(c.Version)
	case model.CollectorDef:
		n = len(c.Name) + len(c.Unit) + len(c.File)
	case model.TrackDef:
		n = len(c.Name)
	case model.SeriesDef:
		n = len(c.Name) + len(c.Group) + len(c.Description) + len(c.Unit)
		for _, state := range c.States {
			n += 16 + len(state)
		}
	case model.ObjectDef:
		n = len(c.Name) + len(c.Type)
	case model.FlowDef:
		n = len(c.Name)
	case model.ResourceDef:
		n = len(c.Type) + len(c.Address) + len(c.Description) + len(c.Trace)
	case model.RefEvent:
		n = len(c.Trace)
	case model.Loss:
		n = len(c.Detail)
	}
	return int64(n)
}
