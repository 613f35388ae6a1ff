package profilelib

import (
	"fmt"
	"time"

	"framescope/model"
)

// A record with a damaged time may lie days ahead of all others. Accepted, it would stretch the
// session beyond use, and all later records of its thread would come too late. So a record that leaps
// ahead is held until the next ones confirm it; else it is left out.

const (
	leapNs   = int64(time.Hour) // that a record may be ahead of all before it
	leapSure = 2                // records in a row that confirm a leap
)

// leaps reports whether a record is held back, or left out with the held ones, because its time is far
// ahead. The first record, and the first after a pause, may have any time.
func (d *Decoder) leaps(b []byte, timeNs, at int64) bool {
	ahead := timeNs-d.run.maxNs > leapNs
	if !ahead && len(d.leap.held) == 0 || d.replayed || d.holding {
		return false
	}
	l := &d.leap
	if n := len(l.held); n > 0 && (!ahead || max(timeNs-l.timeNs, l.timeNs-timeNs) > leapNs) {
		d.dropLeap()
	}
	if !ahead || d.records == 0 || d.run.pause.on {
		return false
	}
	if len(l.held) == 0 {
		l.timeNs, l.at = timeNs, at
	}
	l.held = append(l.held, b[:RecordSize]...)
	if len(l.held) < leapSure*RecordSize {
		return true
	}
	held := l.held
	l.held = nil
	d.replayed = true
	for ; len(held) > 0; held = held[RecordSize:] {
		d.decodeRecord(held[:RecordSize], at)
	}
	d.replayed = false
	return true
}

// leap holds records that leap ahead.
type leap struct {
	held   []byte
	timeNs int64 // of the first
	at     int64 // the byte where it is
}

// dropLeap leaves out the records that leapt ahead, as the next one did not.
func (d *Decoder) dropLeap() {
	l := &d.leap
	n := int64(len(l.held) / RecordSize)
	if n == 0 {
		return
	}
	l.held = l.held[:0]
	d.finishMessage()
	d.breakWalk()
	ahead := time.Duration(l.timeNs - d.run.maxNs).Round(time.Minute)
	text := fmt.Sprintf("byte %d: the time of a record is %v ahead of all others; it was left out", l.at, ahead)
	d.lose(model.LossMalformed, model.NoTrack, n, "%s", text)
	d.note(d.last, d.run.maxNs, model.SeverityWarning, "the stream is damaged here; "+text)
}
