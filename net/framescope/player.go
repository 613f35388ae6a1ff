package framescope

import (
	"fmt"

	"github.com/klauspost/compress/zstd"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/journal"
)

// Player hands the records of a session file to a sink: the counterpart of Writer.
type Player struct {
	sink   feed.Sink
	room   *feed.Names
	peer   string
	unpack *zstd.Decoder
	items  decoder
	buf    []byte
	frames map[model.TrackID]*numbers
	lost   int // places that could not be read
	full   bool
}

// numbers is what is known of the frames of a track.
type numbers struct {
	last, end int64
	skips     bool
	some      bool
	lost      int // places that were unreadable by then
}

// NewPlayer returns a player of the file peer.
func NewPlayer(sink feed.Sink, peer string) *Player {
	most := feed.Room(mostChunk, chunkParts)
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(most)))
	if err != nil {
		panic(err) // the options are constant
	}
	return &Player{
		sink: sink, room: feed.NamesOf(sink), peer: peer, unpack: unpack, frames: map[model.TrackID]*numbers{},
	}
}

// Take takes the next record of the journal. feed.ErrCancelled: the sink wants no more.
func (p *Player) Take(rec *journal.Record) error {
	if rec.Kind != journal.KindData {
		return nil
	}
	buf, err := p.unpack.DecodeAll(rec.Payload, p.buf[:0])
	p.buf = buf
	p.items = decoder{b: buf, texts: p.items.texts[:0]}
	ok := p.play()
	if err == nil {
		err = p.items.err
	}
	if err != nil {
		p.lost++
		p.Lost(model.LossMalformed, 1, fmt.Sprintf("the record at offset %d %v; the rest of it is left out", rec.Pos.Offset, err))
	}
	if !ok {
		return feed.ErrCancelled
	}
	return nil
}

// play hands over the items of a chunk, up to the first that can't be read. It returns false when the
// sink wants no more.
func (p *Player) play() bool {
	d := &p.items
	for d.at < len(d.b) {
		tag := d.uint()
		if tag != tagBatch {
			if c := d.define(tag); d.err == nil {
				p.define(c)
			}
			continue
		}
		b := p.sink.Begin()
		d.batch(b)
		if d.err != nil {
			break
		}
		if b.HasFrame {
			p.number(b)
		}
		if !p.sink.Publish(b) {
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
	case model.End:
		return // the journal says it
	}
	if p.room.Admit(c) {
		p.sink.Define(c)
	} else if !p.full {
		p.full = true
		p.Lost(model.LossLimit, 1, p.room.FullOfNames("definitions are left out: there is no room for more"))
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
func (p *Player) Damaged() { p.lost++ }

// Lost reports data that are missing.
func (p *Player) Lost(reason model.LossReason, n int64, detail string) {
	p.sink.Define(model.Loss{Reason: reason, Track: model.NoTrack, N: n, Detail: detail})
}

// Idle does nothing: a record is handed over as a whole.
func (p *Player) Idle() {}

// Close ends the session.
func (p *Player) Close(reason string) {
	p.unpack.Close()
	p.room.Close()
	p.sink.Define(model.End{Reason: reason})
}
