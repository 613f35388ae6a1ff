package profilelib

import (
	"fmt"
	"time"

	"framescope/model"
)

// Nothing reports whether the time of the first record is right but the times of the next two: where
// these agree, and it lies hours before or behind them, it is left out. Believed, it would stretch
// the session over all that time, or make all that follows come too late.

// first holds records until the first record's time is confirmed or rejected.
type first struct {
	settled bool
	held    []byte
	times   []int64 // of the records that are held
	at      []int64 // the bytes where they are
}

// begins reports whether a record is held, as it is one of the first.
func (d *Decoder) begins(b []byte, timeNs, at int64) bool {
	f := &d.first
	if f.settled || d.replayed || d.holding {
		return false
	}
	f.held = append(f.held, b[:RecordSize]...)
	f.times, f.at = append(f.times, timeNs), append(f.at, at)
	apart := func(i, j int) int64 { return max(f.times[i]-f.times[j], f.times[j]-f.times[i]) }
	switch n := len(f.times); {
	case n == 1, n == 2 && apart(0, 1) > leapNs:
		return true
	case n == 3 && apart(1, 2) <= leapNs && apart(0, 2) > leapNs:
		text := fmt.Sprintf(
			"byte %d: the time of the first record is %v away from all others; it was left out", f.at[0],
			time.Duration(apart(0, 1)).Round(time.Minute),
		)
		d.lose(model.LossMalformed, model.NoTrack, 1, "%s", text)
		f.held, f.at = f.held[RecordSize:], f.at[1:]
	}
	d.settleFirst()
	return true
}

// settleFirst decodes the first records, as far as they are held.
func (d *Decoder) settleFirst() {
	f := d.first
	d.first = first{settled: f.settled || len(f.at) > 0}
	for i, at := range f.at {
		d.decodeRecord(f.held[i*RecordSize:][:RecordSize], at)
	}
}
