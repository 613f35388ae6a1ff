// File records_encode.go keeps live sessions of PStats in journals: it defines the content of their records,
// writes them, plays them again as the client sent them, makes session files of them, and imports the
// journals of earlier versions. net/journal defines their form on disk.

package decode

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/journal"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// JournalSource is the Meta.Source of journals of PStats sessions.
const JournalSource = "pstats"

// Meta returns the description of a PStats session after the client's hello.
func Meta(h pstats.ClientHello, peer string) journal.Meta {
	return journal.Meta{Source: JournalSource, Program: h.Program, Host: h.Host, Peer: peer, PID: max(0, h.PID)}
}

// Encoder is a Handler that keeps everything of a live session in a journal, unchanged and in order,
// so that Replay can send the same to another Handler. Frames are data; all else are definitions. It
// allocates nothing per frame.
//
// The payloads are the messages of the protocol, version 3.2, whatever the client spoke. Keys:
// "hello"; "c:" and the index of a collector; "t:" and that of a thread for its name, "x:" when it
// expired, "f:" for its first number (see numbers); "l:" and a word for losses, with total counts so far (see
// lossRecord). A frame has 4 bytes more than its message: its size on the wire, and whether it continues its thread,
// see wire.Frame.
type Encoder struct {
	tape journal.Tape
	buf  []byte
	defs map[string][]byte // valid definitions, for a tape that lost them
	loss [model.NumLossReasons]lossRecord

	numbers map[uint16]*numbers // of threads
}

// numbers are those of a thread's frames. With them the frames that were held back are known even where the oldest
// frames left the disk.
type numbers struct {
	First  uint32 `json:"first"`  // since the thread counts as it does
	Before int64  `json:"before"` // how many there were before that, received or not
	newest pstats.Point
}

// NewEncoder returns a handler that writes to a tape.
func NewEncoder(t journal.Tape) *Encoder {
	return &Encoder{tape: t, defs: map[string][]byte{}, numbers: map[uint16]*numbers{}}
}

// Hello implements Handler.
func (e *Encoder) Hello(h pstats.ClientHello) {
	e.define("hello", pstats.AppendClientHello(e.buf[:0], h))
}

// Collectors implements Handler.
func (e *Encoder) Collectors(defs []pstats.CollectorDef) {
	for i := range defs {
		if defs[i].Index < 0 { // they are counted, so each counts
			delete(e.defs, "c:"+strconv.Itoa(int(defs[i].Index)))
		}
		e.define("c:"+strconv.Itoa(int(defs[i].Index)), pstats.AppendCollectors(e.buf[:0], defs[i:i+1]))
	}
}

// Threads implements Handler.
func (e *Encoder) Threads(first int, names []string) {
	for i := range names {
		if index := strconv.Itoa(first + i); e.define("t:"+index, pstats.AppendThreads(e.buf[:0], first+i, names[i:i+1])) {
			delete(e.defs, "x:"+index)
		}
	}
}

// Expire implements Handler. It counts each time: of a thread that was not heard of yet it says
// nothing.
func (e *Encoder) Expire(thread int) {
	key := "x:" + strconv.Itoa(thread)
	delete(e.defs, key)
	e.define(key, pstats.AppendExpire(e.buf[:0], thread))
}

// define keeps a definition, and reports whether it is new.
func (e *Encoder) define(key string, message []byte) bool {
	e.buf = message
	if old, ok := e.defs[key]; ok && bytes.Equal(old, message) {
		return false
	}
	e.defs[key] = bytes.Clone(message)
	e.tape.Define(key, message)
	return true
}

// continues is added to the size of a frame that has that mark.
const continues = 1 << 31

// keepBuffer is the greatest buffer that is kept from one frame to the next, in bytes.
const keepBuffer = 1 << 20

// Frame implements Handler.
func (e *Encoder) Frame(f *pstats.Frame, bytes int) {
	if e.tape.NeedsDefinitions() {
		// In the order of their keys a thread's name comes before its end.
		for _, key := range slices.Sorted(maps.Keys(e.defs)) {
			e.tape.Define(key, e.defs[key])
		}
	}
	e.count(f)
	e.buf = pstats.AppendFrame(e.buf[:0], sessionfile.FrameVersion, f)
	size := uint32(bytes)
	if f.Continues {
		size |= continues
	}
	e.buf = binary.LittleEndian.AppendUint32(e.buf, size)
	e.tape.Data(e.buf)
	if cap(e.buf) > keepBuffer && cap(e.buf) > 8*len(e.buf) {
		e.buf = nil
	}
}

// count counts the numbers of a thread's frames. A number that is not greater than the newest is a late one, or
// begins anew if its frame begins after the newest ended.
func (e *Encoder) count(f *pstats.Frame) {
	p := pstats.PointOf(f, 0)
	n := e.numbers[f.Thread]
	switch {
	case n == nil:
		n = &numbers{First: f.Number, newest: p}
		e.numbers[f.Thread] = n
	case p.Number > n.newest.Number:
		n.newest = p
		return
	case p.FirstNs > n.newest.LastNs && !f.Continues:
		*n = numbers{First: f.Number, Before: n.Before + n.newest.Number - int64(n.First) + 1, newest: p}
	case f.Number < n.First:
		n.First = f.Number
	default:
		return
	}
	if text, err := json.Marshal(n); err == nil {
		e.define("f:"+strconv.Itoa(int(f.Thread)), text)
	}
}

// lossRecord is a loss in a journal.
type lossRecord struct {
	N      int64 `json:"n"`                // of this reason, so far
	Frames int64 `json:"frames,omitempty"` // of these
	// Of the newest loss, as in model.Loss.
	Begin     int64  `json:"begin_ns,omitempty"`
	End       int64  `json:"end_ns,omitempty"`
	Uncounted bool   `json:"uncounted,omitempty"`
	Detail    string `json:"detail,omitempty"`
}

// lossWords name the reasons in journals.
var lossWords = [model.NumLossReasons]string{
	model.LossNumbers: "numbers", model.LossChecksum: "checksum", model.LossMalformed: "malformed",
	model.LossLate: "late", model.LossRing: "ring", model.LossEvicted: "evicted",
	model.LossStranger: "stranger", model.LossLimit: "limit", model.LossTruncated: "truncated",
	model.LossSystem: "system", model.LossImplausible: "implausible", model.LossNotRecorded: "not recorded",
	model.LossLeftDisk: "left disk", model.LossDeleted: "deleted",
	model.LossSource: "source", model.LossTaken: "taken", model.LossLeftover: "leftover",
	model.LossUnseen: "unseen", model.LossUnframed: "unframed", model.LossDamaged: "damaged",
	model.LossBetween: "between", model.LossWay: "way",
}

// Lost implements Handler.
func (e *Encoder) Lost(l model.Loss) {
	if l.Reason >= model.NumLossReasons {
		return
	}
	r := &e.loss[l.Reason]
	*r = lossRecord{
		N: r.N + l.N, Frames: r.Frames + l.Frames, Begin: l.Begin, End: l.End, Uncounted: l.Uncounted,
		Detail: l.Detail,
	}
	text, err := json.Marshal(r)
	if err != nil {
		return // numbers and a text: cannot be
	}
	e.define("l:"+lossWords[l.Reason], text)
}

// AwaitRoom implements journal.Patient.
func (e *Encoder) AwaitRoom(stop <-chan struct{}, bytes int) { journal.AwaitRoom(e.tape, stop, bytes) }

// Close implements Handler.
func (e *Encoder) Close(reason string) { e.tape.Close(reason) }
