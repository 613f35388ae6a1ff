package framescope

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"

	"github.com/klauspost/compress/zstd"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
)

// Player hands the records of a session file to a sink: the counterpart of Writer. It decodes some chunks
// ahead of the one that it hands over, each on a goroutine of its own. After Divide several goroutines hand over.
type Player struct {
	sink   feed.Sink
	room   *feed.Names
	peer   string
	unpack *zstd.Decoder
	ahead  []*chunk // that are being decoded, the oldest first
	spare  []*buffers
	most   int   // in ahead
	bytes  int64 // that a chunk may take
	frames map[model.TrackID]*numbers
	lost   int // places that could not be read
	full   bool
	crew   *crew // nil: one goroutine hands over
}

// numbers is what is known of the frames of a track.
type numbers struct {
	last, end int64
	skips     bool
	some      bool
	lost      int // places that were unreadable by then
}

// mostAhead bounds the chunks that are decoded at once.
const mostAhead = 4

// NewPlayer returns a player of the file peer.
func NewPlayer(sink feed.Sink, peer string) *Player {
	ahead := min(runtime.GOMAXPROCS(0), mostAhead)
	most := feed.Room(mostChunk, chunkParts)
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(min(runtime.GOMAXPROCS(0), mostWorkers)), zstd.WithDecoderMaxMemory(uint64(most)),
		zstd.IgnoreChecksum(true))
	if err != nil {
		panic(err) // the options are constant
	}
	return &Player{
		sink: sink, room: feed.NamesOf(sink), peer: peer, unpack: unpack, most: ahead, bytes: most,
		frames: map[model.TrackID]*numbers{},
	}
}

// Take takes the next record of the journal. feed.ErrCancelled: the sink wants no more.
func (p *Player) Take(rec *journal.Record) error {
	if rec.Kind != journal.KindData {
		return nil
	}
	if p.crew != nil {
		return p.crew.take(p, rec)
	}
	if len(p.ahead) >= p.most && !p.play() {
		return feed.ErrCancelled
	}
	c := p.chunkOf(rec)
	p.lend(c)
	p.ahead = append(p.ahead, c)
	go c.decode()
	return nil
}

// chunkOf returns the chunk of a record, to be decoded when it has buffers.
func (p *Player) chunkOf(rec *journal.Record) *chunk {
	return &chunk{
		payload: bytes.Clone(rec.Payload), offset: rec.Pos.Offset, track: trackOf(rec.Payload), done: make(chan struct{}),
	}
}

// lend gives a chunk buffers; takeBack takes them.
func (p *Player) lend(c *chunk) {
	if n := len(p.spare); n > 0 {
		c.buffers, p.spare = p.spare[n-1], p.spare[:n-1]
	} else {
		c.buffers = &buffers{}
	}
	c.unpack.zstd, c.unpack.room = p.unpack, p.bytes
}

func (p *Player) takeBack(c *chunk) {
	p.spare = append(p.spare, c.buffers)
	c.buffers = nil
}

// play hands over the oldest chunk. It returns false when the sink wants no more.
func (p *Player) play() bool {
	c := p.ahead[0]
	p.ahead = append(p.ahead[:0], p.ahead[1:]...)
	<-c.done
	ok := p.hand(c, nil, func(batches []model.Batch) bool {
		for i := range batches {
			b := p.sink.Begin()
			*b, batches[i] = batches[i], *b
			if !p.sink.Publish(b) {
				return false
			}
		}
		return true
	})
	p.takeBack(c)
	return ok
}

// hand hands the items of a chunk over, the batches by publish. of are the frames of its track, where it has but
// one. It returns false when the sink wants no more.
func (p *Player) hand(c *chunk, of *numbers, publish func([]model.Batch) bool) bool {
	from, next := 0, 0 // batches [from, next) are to be published
	for i, x := range c.items {
		if x != nil {
			p.define(x)
			continue
		}
		b := &c.batches[next]
		next++
		if n := of; b.HasFrame {
			if n == nil {
				n = p.numbersOf(b.Track)
			}
			p.number(n, b)
		}
		if i+1 < len(c.items) && c.items[i+1] == nil && next-from < atOnce {
			continue
		}
		if !publish(c.batches[from:next]) {
			return false
		}
		from = next
	}
	if c.err != nil {
		if of == nil {
			p.lost++
		} else {
			of.lost = -1 // what is missing next on this track
		}
		if errors.Is(c.err, errTooMuch) || errors.Is(c.err, zstd.ErrDecoderSizeExceeded) || errors.Is(c.err, zstd.ErrWindowSizeExceeded) {
			c.err = fmt.Errorf("takes more than %d MiB, which is what a record may take (--memory sets how much)", p.bytes>>20)
		}
		p.reportLoss(model.LossMalformed, 1,
			fmt.Sprintf("the record at offset %d %v; the rest of it is left out", c.offset, c.err))
	}
	return true
}

// playAll hands over all that has come.
func (p *Player) playAll() bool {
	if p.crew != nil {
		return p.crew.drain()
	}
	for len(p.ahead) > 0 {
		if !p.play() {
			return false
		}
	}
	return true
}

func (p *Player) define(c model.Change) {
	switch d := c.(type) {
	case model.Info:
		if d.File {
			d.Peer = p.peer
		}
		c = d
	case model.TrackDef:
		p.numbersOf(d.ID).skips = d.Skips
	}
	if p.room.Admit(c) {
		p.sink.Define(c)
	} else if !p.full {
		p.full = true
		p.reportLoss(model.LossLimit, 1, p.room.FullOfNames("definitions are left out: there is no room for more"))
	}
}

func (p *Player) numbersOf(id model.TrackID) *numbers {
	n := p.frames[id]
	if n == nil && len(p.frames) < mostTracks {
		n = &numbers{lost: p.lost}
		p.frames[id] = n
	}
	if n == nil {
		return &numbers{} // more tracks than the store takes
	}
	return n
}

// number counts the frames missing across unreadable places as lost there.
func (p *Player) number(n *numbers, b *model.Batch) {
	if missing := b.Number - n.last - 1; n.some && n.lost < p.lost && missing > 0 && !n.skips && !b.Rewind {
		p.sink.Define(model.Loss{
			Reason: model.LossDamaged, Track: b.Track, N: missing, Frames: missing, Begin: n.end, End: b.Begin,
			Detail: fmt.Sprintf("%d frames are missing across a damaged place of the file", missing),
		})
	}
	n.last, n.end, n.some, n.lost = b.Number, b.End, true, p.lost
}

// Damaged notes that a place of the file could not be read.
func (p *Player) Damaged() {
	p.playAll()
	p.lost++
}

// Lost reports data that are missing.
func (p *Player) Lost(reason model.LossReason, n int64, detail string) {
	p.playAll()
	p.reportLoss(reason, n, detail)
}

func (p *Player) reportLoss(reason model.LossReason, n int64, detail string) {
	p.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: detail})
}

// Idle hands over all that has come: nothing more comes for now.
func (p *Player) Idle() { p.playAll() }

// Close ends the session.
func (p *Player) Close(reason string) {
	p.playAll()
	if p.crew != nil {
		p.crew.close()
	}
	for _, c := range p.ahead { // that the sink did not want
		<-c.done
	}
	p.unpack.Close()
	p.room.Close()
	p.sink.Define(model.End{Reason: reason})
}

// chunk is a record of items while it is decoded.
type chunk struct {
	*buffers
	payload []byte
	offset  int64         // of the record
	track   model.TrackID // of all that is in it; NoTrack: there is something else
	err     error
	done    chan struct{} // is closed when all of it is decoded
}

// buffers are what a chunk is decoded into.
type buffers struct {
	buf     []byte
	texts   []string
	unpack  unpacker
	columns [numColumns][]uint64
	items   []model.Change // in order; nil: the next batch
	batches []model.Batch
}

// isDone reports whether the chunk is decoded.
func (c *chunk) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// decode reads the items of a chunk, up to the first that can't be read.
func (c *chunk) decode() {
	defer close(c.done)
	u := &c.unpack
	u.b, u.err = c.payload, nil
	c.buf = u.items(c.buf)
	for k := range c.columns {
		c.columns[k] = u.column(c.columns[k])
	}
	c.err = u.err
	clear(c.items)
	c.items = c.items[:0]
	d := decoder{b: c.buf, texts: c.texts[:0], columns: c.columns}
	n := 0
	for d.at < len(d.b) {
		tag := d.uint()
		if tag != tagBatch && c.track != model.NoTrack {
			d.fail(errMixed)
		} else if tag != tagBatch {
			if x := d.define(tag); d.err == nil {
				c.items = append(c.items, x)
			}
			continue
		}
		if n == len(c.batches) {
			c.batches = append(c.batches, model.Batch{})
		}
		b := &c.batches[n]
		b.Reset()
		if d.batch(b); c.track != model.NoTrack && b.Track != c.track {
			d.fail(errMixed)
		}
		if d.err == nil {
			c.items = append(c.items, nil)
			n++
		}
	}
	c.texts = d.texts
	if c.err == nil {
		c.err = d.err
	}
}
