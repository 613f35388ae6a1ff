package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"framescope/model"
	"framescope/net/journal"
	"framescope/net/pstats"
)

// Disk is where a live session is kept, and is read again from.
type Disk interface {
	journal.Tape
	// Mark appends an empty record; false: it was refused.
	Mark(id []byte) bool
	// Reopen opens the session, from some place before a moment on.
	Reopen(since time.Time) (*journal.Reader, error)
}

// Room is what a session has for what comes.
type Room interface {
	Crowded() bool // soon the oldest data are dropped
	Roomy() bool
	Beat() // notes that something came, which waits elsewhere
}

const (
	behindPoll     = 5 * time.Millisecond
	behindPatience = 30 * time.Second // for records that don't come because a disk hangs
	behindMargin   = 5 * time.Second  // by which clocks of files may differ from ours
	maxBehind      = 16 << 20         // bytes that wait in memory for the last of those on disk
)

// Behind is the handler of a live session that is kept on disk and shown. While the viewer does not keep up, as when
// the game takes all cores, the decoder gets nothing; when there is room again, it gets what it missed from the disk,
// in order. So nothing is dropped that is on disk.
type Behind struct {
	dec  *Decoder
	enc  *Encoder
	room Room
	disk Disk
	stop <-chan struct{}

	framesOnDisk atomic.Int64 // frames that the decoder is to get from the disk

	mu       sync.Mutex // is held while the decoder waits for a poll: polls must not take it
	phase    behindPhase
	stalls   int              // so far
	buffered []journal.Record // in the phase upToMark
	bytes    int              // of these
	closed   bool
	reason   string
	reader   sync.WaitGroup // of the goroutine that reads
}

// behindPhase is where the decoder's data come from.
type behindPhase uint8

const (
	live        behindPhase = iota // from the client
	readingDisk                    // from the disk, where more is written
	upToMark                       // from the disk up to a mark, then from Behind.buffered
)

// NewBehind returns a handler for a decoder. A closed stop ends reading from disk for good.
func NewBehind(dec *Decoder, room Room, disk Disk, stop <-chan struct{}) *Behind {
	b := &Behind{dec: dec, room: room, disk: disk, stop: stop}
	b.enc = NewEncoder((*behindTape)(b))
	return b
}

// FramesOnDisk returns how many frames wait on disk.
func (b *Behind) FramesOnDisk() int64 { return b.framesOnDisk.Load() }

// forward lets the decoder, if it is live, and the encoder take a call.
func (b *Behind) forward(call func(h pstats.Handler)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase == live {
		call(b.dec)
	}
	call(b.enc)
}

// Hello implements pstats.Handler.
func (b *Behind) Hello(hello pstats.ClientHello) {
	b.forward(func(h pstats.Handler) { h.Hello(hello) })
}

// Collectors implements pstats.Handler.
func (b *Behind) Collectors(defs []pstats.CollectorDef) {
	b.forward(func(h pstats.Handler) { h.Collectors(defs) })
}

// Threads implements pstats.Handler.
func (b *Behind) Threads(first int, names []string) {
	b.forward(func(h pstats.Handler) { h.Threads(first, names) })
}

// Expire implements pstats.Handler.
func (b *Behind) Expire(thread int) { b.forward(func(h pstats.Handler) { h.Expire(thread) }) }

// Lost implements pstats.Handler.
func (b *Behind) Lost(l model.Loss) { b.forward(func(h pstats.Handler) { h.Lost(l) }) }

// Frame implements pstats.Handler.
func (b *Behind) Frame(f *pstats.Frame, bytes int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase == live && b.room.Crowded() {
		b.fallBehind()
	}
	if b.phase == live {
		b.dec.Frame(f, bytes)
	} else {
		b.framesOnDisk.Add(1)
		b.room.Beat()
	}
	b.enc.Frame(f, bytes)
}

// ShowLoss tells the decoder about a loss that concerns the disk alone, unless what is read from there says it.
func (b *Behind) ShowLoss(l model.Loss) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.phase == live {
		b.dec.Lost(l)
	}
}

// Close implements pstats.Handler. A decoder that is behind gets the rest before its end.
func (b *Behind) Close(reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed, b.reason = true, reason
	b.enc.Close(reason)
	if b.phase == live {
		b.dec.Close(reason)
	}
}

// AwaitRoom implements journal.Patient.
func (b *Behind) AwaitRoom(stop <-chan struct{}, bytes int) { journal.AwaitRoom(b.disk, stop, bytes) }

// fallBehind begins a stall, unless the disk takes nothing. b.mu is held.
func (b *Behind) fallBehind() {
	since := time.Now().Add(-behindMargin)
	begin := []byte("behind " + strconv.Itoa(b.stalls))
	if !b.disk.Mark(begin) {
		return
	}
	b.stalls++
	b.phase = readingDisk
	r := &behindReader{b: b, p: player{h: b.dec, loss: b.enc.loss}}
	b.reader.Go(func() { r.run(begin, since) })
}

// behindTape is the disk, and keeps a copy of what is written behind a mark.
type behindTape Behind

// Define implements journal.Tape.
func (t *behindTape) Define(key string, payload []byte) bool {
	ok := t.disk.Define(key, payload)
	t.keep(journal.KindDefinition, key, payload)
	return ok
}

// Data implements journal.Tape.
func (t *behindTape) Data(payload []byte) bool {
	ok := t.disk.Data(payload)
	t.keep(journal.KindData, "", payload)
	return ok
}

func (t *behindTape) keep(kind journal.Kind, key string, payload []byte) {
	if t.phase != upToMark {
		return
	}
	if t.bytes += len(key) + len(payload); t.bytes > maxBehind {
		t.phase, t.buffered, t.bytes = readingDisk, nil, 0 // another mark will be set
		return
	}
	t.buffered = append(t.buffered, journal.Record{Kind: kind, Key: []byte(key), Payload: bytes.Clone(payload)})
}

// NeedsDefinitions implements journal.Tape.
func (t *behindTape) NeedsDefinitions() bool { return t.disk.NeedsDefinitions() }

// Close implements journal.Tape.
func (t *behindTape) Close(reason string) { t.disk.Close(reason) }

// behindReader gives a decoder what it missed in a stall.
type behindReader struct {
	b          *Behind
	p          player
	lastReadAt time.Time // the last record was read then, or there was no room for it
}

// errStopped ends reading when nobody wants the rest.
var errStopped = errors.New("the viewer ends")

func (r *behindReader) run(begin []byte, since time.Time) {
	err := r.fromDisk(begin, since)
	for more := err == nil; more; {
		more, err = r.fromMemory()
	}
	if err == nil || errors.Is(err, errStopped) {
		return
	}
	b := r.b
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(b.enc.defs)) { // names and losses are known all the same
		r.p.playRecord(&journal.Record{Kind: journal.KindDefinition, Key: []byte(key), Payload: b.enc.defs[key]})
	}
	r.p.end()
	if n := b.framesOnDisk.Load(); n > 0 {
		b.dec.Lost(model.Loss{Reason: model.LossRing, Track: model.NoTrack, N: n, Frames: n,
			Detail: fmt.Sprintf("frames that the viewer left on disk could not be read again: %v", err)})
	}
	b.goLive()
}

// goLive ends a stall. b.mu is held.
func (b *Behind) goLive() {
	b.phase, b.buffered, b.bytes = live, nil, 0
	b.framesOnDisk.Store(0)
	if b.closed {
		b.dec.Close(b.reason)
	}
}

// waitForRoom waits until the session has room.
func (r *behindReader) waitForRoom() error {
	for !r.b.room.Roomy() {
		if !r.pause() {
			return errStopped
		}
		r.lastReadAt = time.Now()
	}
	return nil
}

func (r *behindReader) pause() bool {
	select {
	case <-r.b.stop:
		return false
	case <-time.After(behindPoll):
		return !r.b.dec.Cancelled()
	}
}

// fromDisk reads from the mark at the begin of the stall up to one that is set when all before was read, or to the
// end of the session.
func (r *behindReader) fromDisk(begin []byte, since time.Time) error {
	if err := r.waitForRoom(); err != nil {
		return err
	}
	rd, err := r.b.disk.Reopen(since)
	if err != nil {
		return err
	}
	defer rd.Close()
	rd.Watch(r.p.damaged)
	found, marks, mark := false, 0, []byte(nil)
	for r.lastReadAt = time.Now(); ; {
		rec, err := rd.Next()
		switch {
		case errors.Is(err, io.EOF):
			if found && r.b.setMark(&mark, &marks, begin) {
				continue
			}
			if time.Since(r.lastReadAt) > behindPatience {
				return errors.New("the disk does not answer")
			}
			if !r.pause() {
				return errStopped
			}
			continue
		case err != nil:
			return err
		}
		r.lastReadAt = time.Now()
		switch {
		case rec.Kind == journal.KindEnd:
			return nil
		case rec.Kind == journal.KindMark:
			found = found || bytes.Equal(rec.Payload, begin)
			if mark != nil && bytes.Equal(rec.Payload, mark) {
				if r.b.isUpToMark() {
					return nil
				}
				mark = nil // too much came behind it
			}
		case found:
			if err := r.play(&rec); err != nil {
				return err
			}
		}
	}
}

// setMark sets a mark, if there is none, behind which what comes waits in memory. It reports whether it did.
func (b *Behind) setMark(mark *[]byte, marks *int, begin []byte) bool {
	if *mark != nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	*marks++
	id := fmt.Appendf(nil, "%s, mark %d", begin, *marks)
	if b.closed || !b.disk.Mark(id) {
		return false
	}
	*mark, b.phase = id, upToMark
	return true
}

// isUpToMark reports whether all that came behind the mark is in memory.
func (b *Behind) isUpToMark() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.phase == upToMark
}

// play gives the decoder a record.
func (r *behindReader) play(rec *journal.Record) error {
	if err := r.waitForRoom(); err != nil {
		return err
	}
	r.p.playRecord(rec)
	if rec.Kind == journal.KindData {
		r.b.framesOnDisk.Add(-1)
	}
	return nil
}

// fromMemory plays what waits in memory. more reports whether something may wait now; else the decoder is live.
func (r *behindReader) fromMemory() (more bool, err error) {
	b := r.b
	b.mu.Lock()
	some := b.buffered
	b.buffered, b.bytes = nil, 0
	if len(some) == 0 {
		r.p.end()
		b.goLive()
		b.mu.Unlock()
		return false, nil
	}
	b.mu.Unlock()
	for i := range some {
		if err := r.play(&some[i]); err != nil {
			return false, err
		}
	}
	return true, nil
}
