package framescope

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"

	"github.com/klauspost/compress/zstd"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
)

// Player hands the records of a session file to a sink: the counterpart of Writer. It decodes some chunks
// ahead of the one that it hands over, each on a goroutine of its own.
type Player struct {
	sink       feed.Sink
	room       *feed.Names
	peer       string
	unpack     *zstd.Decoder
	rows       bool     // the sink takes these
	ahead      []*chunk // that are being decoded, the oldest first
	spare      []*chunk
	most       int   // in ahead
	bytes      int64 // that a chunk may take
	frames     map[model.TrackID]*numbers
	lost       int    // places that could not be read
	last       uint64 // number of the last chunk
	lostBefore int    // lost, when that chunk came
	full       bool
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
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(ahead), zstd.WithDecoderMaxMemory(uint64(most)),
		zstd.IgnoreChecksum(true))
	if err != nil {
		panic(err) // the options are constant
	}
	return &Player{
		sink: sink, room: feed.NamesOf(sink), peer: peer, unpack: unpack, most: ahead, bytes: most,
		frames: map[model.TrackID]*numbers{}, rows: feed.TakesRows(sink),
	}
}

// Take takes the next record of the journal. feed.ErrCancelled: the sink wants no more.
func (p *Player) Take(rec *journal.Record) error {
	if rec.Kind != journal.KindData {
		return nil
	}
	if len(p.ahead) >= p.most && !p.play() {
		return feed.ErrCancelled
	}
	c := &chunk{}
	if n := len(p.spare); n > 0 {
		c, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	c.payload, c.offset, c.done = append(c.payload[:0], rec.Payload...), rec.Pos.Offset, make(chan struct{})
	p.ahead = append(p.ahead, c)
	c.unpack.zstd, c.unpack.room, c.rows.kept = p.unpack, p.bytes, p.rows
	go c.decode()
	return nil
}

// play hands over the oldest chunk. It returns false when the sink wants no more.
func (p *Player) play() bool {
	c := p.ahead[0]
	p.ahead = append(p.ahead[:0], p.ahead[1:]...)
	<-c.done
	p.follow(c)
	next := 0
	for i := range c.items {
		if x := c.items[i]; x != nil {
			p.define(x)
			continue
		}
		b := p.sink.Begin()
		*b, c.batches[next] = c.batches[next], *b
		next++
		if b.HasFrame {
			p.number(b)
		}
		if !p.sink.Publish(b) {
			return false
		}
	}
	if c.err != nil {
		p.lost++
		if tooLarge(c.err) {
			c.err = fmt.Errorf("takes more than the %d MiB that a record may take (--memory sets how much)", p.bytes>>20)
		}
		p.reportLoss(model.LossMalformed, 1,
			fmt.Sprintf("the record at offset %d %v; the rest of it is left out", c.offset, c.err))
	}
	p.spare = append(p.spare, c)
	return true
}

// follow counts the chunks that are missing before c, unless a damaged place between the two already stands for them.
func (p *Player) follow(c *chunk) {
	if missing := int64(c.number - p.last - 1); c.number > 0 && missing > 0 && p.lostBefore == p.lost {
		p.lost++
		p.reportLoss(model.LossDamaged, missing,
			fmt.Sprintf("%d records are missing before the one at offset %d", missing, c.offset))
	}
	p.last, p.lostBefore = max(p.last+1, c.number), p.lost
}

// tooLarge reports whether an error is that of a chunk beyond the limit.
func tooLarge(err error) bool {
	return errors.Is(err, errTooMuch) || errors.Is(err, zstd.ErrDecoderSizeExceeded) ||
		errors.Is(err, zstd.ErrWindowSizeExceeded)
}

// playAll hands over all that has come.
func (p *Player) playAll() bool {
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
func (p *Player) number(b *model.Batch) {
	n := p.numbersOf(b.Track)
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
	p.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: feed.PlainText(detail)})
}

// Idle hands over all that has come: nothing more comes for now.
func (p *Player) Idle() { p.playAll() }

// Close ends the session.
func (p *Player) Close(reason string) {
	p.playAll()
	for _, c := range p.ahead { // that the sink did not want
		<-c.done
	}
	p.unpack.Close()
	p.room.Close()
	p.sink.Define(model.End{Reason: reason})
}

// chunk is a record of items while it is decoded.
type chunk struct {
	payload []byte
	offset  int64  // of the record
	number  uint64 // counted from 1; 0: the file does not say
	buf     []byte
	texts   []string
	unpack  unpacker
	columns [numColumns][]uint64
	rows    rowCodec
	items   []model.Change // in order; nil: the next batch
	batches []model.Batch
	err     error
	done    chan struct{} // is closed when all of it is decoded
}

// decode reads the items of a chunk, up to the first that can't be read.
func (c *chunk) decode() {
	defer close(c.done)
	u := &c.unpack
	u.codec = codec{reads: true, buf: c.payload}
	c.buf = u.items(c.buf)
	for k := range c.columns {
		c.columns[k] = unpackColumn(u, c.columns[k])
	}
	c.rows.unpack(u)
	c.number = 0
	if end := len(c.payload) - numberBytes; end >= 0 && string(c.payload[end:end+len(numberMark)]) == numberMark {
		c.number = uint64(binary.LittleEndian.Uint32(c.payload[end+len(numberMark):]))
	}
	c.err = u.err
	clear(c.items)
	c.items = c.items[:0]
	d := codec{reads: true, buf: c.buf, texts: c.texts[:0], columns: c.columns, rows: &c.rows}
	n := 0
	for d.at < len(d.buf) {
		if tag := d.read(); tag != tagBatch {
			if x := d.defined(tag); d.err == nil {
				c.items = append(c.items, x)
			}
			continue
		}
		if n == len(c.batches) {
			c.batches = append(c.batches, model.Batch{})
		}
		b := &c.batches[n]
		b.Reset()
		if d.batch(b); d.err == nil {
			c.items = append(c.items, nil)
			n++
		}
	}
	c.texts = d.texts
	if c.err == nil {
		c.err = d.err
	}
}
