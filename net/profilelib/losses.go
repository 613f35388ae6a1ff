package profilelib

import (
	"time"

	"framescope/model"
	"framescope/net/trace"
)

// breakWalk is called when a record is left out: if that was within a tree, its links lead nowhere.
func (d *Decoder) breakWalk() {
	if d.walk.lose() && d.tree != nil {
		d.tree.group.stray = true
	}
}

// damaged is called with bytes that are no records.
func (d *Decoder) damaged(kind trace.Kind, at int64, records int, why string) {
	d.jumps.Settle()
	d.finishMessage()
	d.breakWalk()
	d.bad.Explain(kind, at, "%s", why)
	d.bad.BadN(kind, int64(records)-1, at)
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
	d.bad.Explain(trace.BadTime, r.at, "the time of a record is %v ahead of all others; it was left out", apart)
}

// Close ends the stream for a reason: it publishes the waiting records and ends the session.
func (d *Decoder) Close(reason string) {
	if !d.closed {
		d.finish()
		d.sink.Define(model.End{Reason: reason})
	}
}

// finish publishes the waiting records.
func (d *Decoder) finish() {
	if d.frm == nil && d.err == nil && !d.cancelled {
		if d.prepare(nil, true) {
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
		d.settleHeld(false, d.frm.at)
		d.jumps.End()
		d.finishMessage()
		if !d.walk.whole() {
			d.tree.group.stray = true // the tree is not whole
		}
		d.closing = true
		d.commitAll()
		for _, th := range d.threads {
			d.publish(th)
			d.publishLoose(th, maxTime)
		}
		d.reportMissing()
	}
	d.report()
	d.room.Close()
	d.names, d.byID, d.threads, d.trackNames = nil, nil, nil, nil // of no use any more
}

// report defines the losses since the last report.
func (d *Decoder) report() {
	d.bad.Define(d.sink.Define, d.room)
	trace.Lose(d.sink, model.LossLate, d.late, "blocks came after later ones of their thread and were left out")
	trace.Lose(d.sink, model.LossUnframed, d.unframed,
		"calls began in no frame that was received: they are shown, and are in "+
			"call trees by time, but not in figures of frames")
	if n := d.frames.refound; n > 0 {
		trace.Warn(d.sink, "The program's frame counter fell back or leapt %d times: frames are numbered on from the "+
			"last one.", n)
	}
	d.late, d.unframed, d.frames.refound = 0, 0, 0
	if d.names != nil {
		d.names.Report()
		d.names.Refused = 0
	}
}
