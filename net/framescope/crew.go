package framescope

import (
	"runtime"
	"slices"
	"sync"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
)

// crew decodes and publishes the chunks of a file on several goroutines. Chunks with nothing but batches of one track
// wait in its line, those of other tracks overtake them; any other chunk is played when all before it are.
type crew struct {
	sink    sync.Mutex // its holder uses the sink
	publish func(batches []model.Batch) bool
	mu      sync.Mutex // guards the rest
	changed *sync.Cond
	lines   []*line
	of      map[model.TrackID]*line
	queued  int64 // bytes of all lines
	most    int64
	ahead   int // chunks that are decoded, or being decoded
	workers sync.WaitGroup
	n       int // of them
	over    bool
	refused bool // the sink wants no more
}

// line is the chunks of a track that wait, the next one first.
type line struct {
	frames *numbers
	chunks []*chunk
	ahead  int  // of them that are decoded, or being decoded
	busy   bool // a chunk of the track is being published
}

const (
	mostWorkers = 8
	mostQueued  = 32 << 20 // bytes of the chunks that wait, unless the memory is limited
	queueParts  = 16       // of the memory limit that they may take
	mostLines   = 1 << 10
	lineAhead   = 2  // chunks of a track that are decoded before they are published
	atOnce      = 16 // batches that are published at once
)

// locked is a sink that one goroutine at a time defines something in.
type locked struct {
	feed.Sink
	mu *sync.Mutex
}

func (l *locked) Define(c model.Change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Sink.Define(c)
}

// Divide lets several goroutines decode and publish, if the sink can be divided. It is for files that are read to
// their end.
func (p *Player) Divide() {
	to := feed.DividedOf(p.sink)
	if to == nil {
		return
	}
	c := &crew{
		of: map[model.TrackID]*line{}, n: min(runtime.GOMAXPROCS(0), mostWorkers),
		most: feed.Room(mostQueued, queueParts),
	}
	c.changed = sync.NewCond(&c.mu)
	c.publish = to.Divide(&c.sink)
	p.sink, p.crew = &locked{p.sink, &c.sink}, c
	for range c.n {
		publish := to.Divide(&c.sink)
		c.workers.Go(func() { c.work(p, publish) })
	}
}

// take takes a chunk. feed.ErrCancelled: the sink wants no more.
func (c *crew) take(p *Player, rec *journal.Record) error {
	track := trackOf(rec.Payload)
	if track == model.NoTrack || len(c.lines) >= mostLines && c.of[track] == nil {
		return c.playAlone(p, rec)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.queued > c.most && !c.refused {
		c.changed.Wait()
	}
	if c.refused {
		return feed.ErrCancelled
	}
	x := p.chunkOf(rec)
	l := c.of[track]
	if l == nil {
		l = &line{frames: p.numbersOf(track)}
		c.of[track], c.lines = l, append(c.lines, l)
	}
	l.chunks = append(l.chunks, x)
	c.queued += int64(len(x.payload))
	c.changed.Broadcast()
	return nil
}

// playAlone plays a chunk while no other is.
func (c *crew) playAlone(p *Player, rec *journal.Record) error {
	if !c.drain() {
		return feed.ErrCancelled
	}
	x := p.chunkOf(rec)
	p.lend(x)
	x.decode()
	ok := p.hand(x, nil, c.publish)
	c.mu.Lock()
	defer c.mu.Unlock()
	p.takeBack(x)
	if c.refused = !ok; c.refused {
		return feed.ErrCancelled
	}
	return nil
}

// drain waits until all that was taken is published, and reports whether the sink wants more.
func (c *crew) drain() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.waits() {
		c.changed.Wait()
	}
	return !c.refused
}

// waits reports whether a chunk is not published yet.
func (c *crew) waits() bool {
	return slices.ContainsFunc(c.lines, func(l *line) bool { return l.busy || len(l.chunks) > 0 && (!c.refused || l.ahead > 0) })
}

// close waits for the end of all work.
func (c *crew) close() {
	c.drain()
	c.mu.Lock()
	c.over = true
	c.changed.Broadcast()
	c.mu.Unlock()
	c.workers.Wait()
}

// work publishes chunks that are decoded, and decodes others.
func (c *crew) work(p *Player, publish func([]model.Batch) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.over {
		if l := c.decoded(); l != nil {
			c.publishNext(p, l, publish)
		} else if l := c.toDecode(); l != nil {
			c.decodeNext(p, l)
		} else {
			c.changed.Wait()
			continue
		}
		c.changed.Broadcast()
	}
}

// decoded returns a line whose next chunk can be published; nil: there is none.
func (c *crew) decoded() *line {
	for _, l := range c.lines {
		if !l.busy && len(l.chunks) > 0 && l.chunks[0].isDone() {
			return l
		}
	}
	return nil
}

// publishNext publishes the next chunk of a line. c.mu is free meanwhile.
func (c *crew) publishNext(p *Player, l *line, publish func([]model.Batch) bool) {
	x := l.chunks[0]
	l.chunks = append(l.chunks[:0], l.chunks[1:]...)
	l.busy, l.ahead, c.ahead, c.queued = true, l.ahead-1, c.ahead-1, c.queued-int64(len(x.payload))
	if !c.refused {
		c.mu.Unlock()
		ok := p.hand(x, l.frames, publish)
		c.mu.Lock()
		c.refused = c.refused || !ok
	}
	l.busy = false
	p.takeBack(x)
}

// toDecode returns the line with the fewest chunks that are decoded, of those that have others; nil: enough are.
func (c *crew) toDecode() (best *line) {
	if c.refused || c.ahead >= 2*c.n {
		return nil
	}
	for _, l := range c.lines {
		if l.ahead < min(len(l.chunks), lineAhead) && (best == nil || l.ahead < best.ahead) {
			best = l
		}
	}
	return best
}

// decodeNext decodes a chunk of a line. c.mu is free meanwhile.
func (c *crew) decodeNext(p *Player, l *line) {
	x := l.chunks[l.ahead]
	p.lend(x)
	l.ahead++
	c.ahead++
	c.mu.Unlock()
	x.decode()
	c.mu.Lock()
}
