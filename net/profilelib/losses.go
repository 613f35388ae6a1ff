package profilelib

import (
	"fmt"
	"time"

	"framescope/model"
)

// breakWalk is called when a record is left out: if that was within a tree, its links lead nowhere.
func (d *Decoder) breakWalk() {
	if d.walk.lose() && d.tree != nil {
		d.tree.st.group.stray = true
	}
}

// damaged is called with bytes that are no records.
func (d *Decoder) damaged(reason model.LossReason, at, bytes int64, records int, why string) {
	d.jumps.Settle()
	d.finishMessage()
	d.breakWalk()
	if reason == model.LossTruncated {
		d.lose(reason, model.NoTrack, 1, "byte %d: %s", at, why)
		return
	}
	text := fmt.Sprintf("byte %d: %d records skipped: %s", at, records, why)
	if records == 0 {
		text = fmt.Sprintf("byte %d: %s", at, why)
	}
	d.loseN(reason, model.NoTrack, max(int64(records), 1), "%s", text)
	if !d.holding {
		d.note(d.last, d.run.maxNs, model.SeverityWarning, "the stream is damaged here; "+text)
	}
}

const (
	leapNs   = int64(time.Hour) // that a record may be ahead of all before it
	mostLept = 2                // that wait
)

// record is one that waits as its time jumps.
type record struct {
	bytes [RecordSize]byte
	at    int64
}

// jump reports whether a record is held, as its time is far ahead, or it is the first. After a pause it may have any.
func (d *Decoder) jump(b []byte, timeNs, at int64) bool {
	j := &d.jumps
	switch {
	case d.replayed || d.holding:
		return false
	case d.run.pause.on:
		j.Start(timeNs)
		return false
	case j.Admits(timeNs):
		return false
	}
	j.Hold(timeNs, record{[RecordSize]byte(b), at})
	return true
}

// enter decodes a record that waited.
func (d *Decoder) enter(r record) {
	d.replayed = true
	d.decodeRecord(r.bytes[:], r.at)
	d.replayed = false
}

// leave leaves out a record that waited.
func (d *Decoder) leave(r record, timeNs int64) {
	d.finishMessage()
	d.breakWalk()
	apart := time.Duration(timeNs - d.run.maxNs).Round(time.Minute)
	text := fmt.Sprintf("byte %d: the time of a record is %v ahead of all others; it was left out", r.at, apart)
	d.lose(model.LossMalformed, model.NoTrack, 1, "%s", text)
	if d.records > 0 {
		d.note(d.last, d.run.maxNs, model.SeverityWarning, "the stream is damaged here; "+text)
	}
}

// Close ends the stream for a reason: it publishes the waiting records and ends the session.
func (d *Decoder) Close(reason string) {
	if d.closed {
		return
	}
	if d.frm == nil && d.err == nil && !d.cancelled {
		if d.prepare(true) {
			d.release()
		}
	}
	d.closed = true
	if d.frm != nil && !d.cancelled {
		d.frm.write(nil, true)
		d.jumps.Settle()
		if d.ends > 0 {
			d.endOfStream()
		}
		d.settleSuspects(d.frm.at)
		d.jumps.End()
		d.finishMessage()
		if !d.walk.whole() {
			d.tree.st.group.stray = true // the tree is not whole
		}
		d.closing = true
		d.commitAll()
		for _, th := range d.threads {
			d.publishNow(th)
			d.publishLoose(th, maxTime)
		}
		d.reportMissing()
	}
	d.flushLosses()
	d.sink.Define(model.End{Reason: reason})
	d.room.Close()
	d.names, d.byID, d.threads, d.trackNames = nil, nil, nil, nil // of no use any more
	d.run.seen = numbers{}
}

// Err returns ErrNotStream, with the reason, when the bytes were no profile stream.
func (d *Decoder) Err() error { return d.err }

// pendingLoss gathers losses of a kind, so that a hostile stream cannot flood the log.
type pendingLoss struct {
	n      int64
	events int
	told   bool
	track  model.TrackID
	detail string
}

// lossEvery is how many losses of a kind are gathered for a report.
const lossEvery = 64

// lose counts n losses. The first of a kind is reported at once.
func (d *Decoder) lose(reason model.LossReason, track model.TrackID, n int64, format string, args ...any) {
	p := &d.loss[reason]
	if p.events == 0 {
		p.track, p.detail = track, fmt.Sprintf(format, args...)
	} else if p.track != track {
		p.track = model.NoTrack
	}
	p.n += n
	p.events++
	if !p.told || p.events >= lossEvery {
		p.told = true
		d.flushLoss(reason)
	}
}

// loseN is lose for a count that may be 0.
func (d *Decoder) loseN(reason model.LossReason, track model.TrackID, n int64, format string, args ...any) {
	if n > 0 {
		d.lose(reason, track, n, format, args...)
	}
}

func (d *Decoder) flushLoss(reason model.LossReason) {
	p := &d.loss[reason]
	if p.events > 0 {
		d.sink.Define(model.Loss{Reason: reason, Track: p.track, N: p.n, Detail: p.detail})
		p.n, p.events, p.detail = 0, 0, ""
	}
}

// tellNames reports the names and call paths without room, if there are so many.
func (d *Decoder) tellNames(least int64) {
	if t := d.names; t != nil && t.Refused >= least {
		t.Tell()
		t.Refused = 0
	}
}

func (d *Decoder) flushLosses() {
	d.tellNames(1)
	for reason := range d.loss {
		d.flushLoss(model.LossReason(reason))
	}
}
