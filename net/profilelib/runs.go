package profilelib

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"framescope/model"
	"framescope/net/trace"
)

// run is one life of the library: its numbers begin at 129, its time near 0. A stream may hold
// several (FORMAT.md section 5).
type run struct {
	seen    numbers
	maxNs   int64 // the latest time
	beginNs int64 // where its time is 0
	// floorNs is the earliest end of a tree in the flush before, curMinNs that of the present flush.
	floorNs, curMinNs int64
	pause             pause
}

// pause is a stretch without profiling, or between two runs: from the latest time before an end of
// stream to the earliest behind it.
type pause struct {
	on        bool
	fresh     bool // a new run begins behind it
	at, until int64
}

const (
	heldMost  = 256  // records behind an end of stream that are held
	maxEnds   = 2    // most end-of-stream records in a row that count
	maxPauses = 1024 // pauses stored for frames that are not there yet
)

// restarted reports whether a block behind an end of stream is held back: the first outermost one shows whether it is
// of a new run, by a number that came before, or by one that is less and a time before the last flush.
func (d *Decoder) restarted(b []byte, id, parent uint32, end uint64, at int64) bool {
	seen := &d.run.seen
	switch {
	case d.replayed:
		return false
	case parent != 0 && len(d.held) < heldMost*RecordSize:
		d.keep(b)
		return true
	}
	d.settleHeld(parent == 0 && seen.n > 0 && (seen.has(id) || id < seen.min && d.ns(end) < d.run.floorNs), at)
	return false
}

// keep holds a record.
func (d *Decoder) keep(b []byte) {
	d.held = append(d.held, b[:RecordSize]...)
	if len(d.held) > 4*heldMost*RecordSize {
		d.settleHeld(false, 0)
	}
}

// settleHeld decodes the records held, as those of a new run or not.
func (d *Decoder) settleHeld(fresh bool, at int64) {
	if !d.holding {
		return
	}
	d.holding = false
	if fresh {
		d.newRun(at)
	}
	held := d.held
	d.held = nil
	d.replayed = true
	for b := range slices.Chunk(held, RecordSize) {
		d.decodeRecord(b, at)
	}
	d.replayed = false
}

// endOfStream takes end-of-stream records, one or more in a row, when it is known what comes behind
// them: profiling was switched off. Then comes the same run going on, leftovers, or a new run.
func (d *Decoder) endOfStream() {
	n, at := d.ends, d.endsAt
	d.ends = 0
	if n > maxEnds {
		d.damaged(trace.BadEvent, at, n, fmt.Sprintf("%d records of zeros only", n))
		return
	}
	d.settleHeld(false, at)
	d.finishMessage()
	d.commitAll()
	d.holding = true
	if !d.run.pause.on {
		d.run.pause = pause{on: true, at: d.run.maxNs, until: maxTime}
	}
}

// newRun begins a run with numbers and times of its own. It continues at the last run's end: the gap
// in between is unknown.
func (d *Decoder) newRun(at int64) {
	d.finishMessage()
	d.commitAll()
	d.reportMissing()
	maxNs := d.run.maxNs
	d.run = run{maxNs: maxNs, beginNs: maxNs, floorNs: minTime, curMinNs: maxTime, pause: pause{
		on: true, fresh: true, at: maxNs, until: maxTime,
	}}
	d.baseNs, d.baseAt = maxNs, 0
	d.setRate(at)
	d.walk.lose()
	for _, th := range d.threads {
		th.rows = th.rows[:0]
		th.waiting = false
	}
}

// reportMissing reports how many numbers of a run never arrived.
func (d *Decoder) reportMissing() {
	n := d.run.seen.missing()
	trace.Lose(d.sink, model.LossUnseen, n, fmt.Sprintf("of the numbers %d to %d some never came: blocks that did not "+
		"end, or records lost on the way", d.run.seen.min, d.run.seen.max))
}

// resumed ends a pause, once it is known when the program went on.
func (d *Decoder) resumed() {
	p := &d.run.pause
	if !p.on || p.until == maxTime {
		return
	}
	p.on = false
	if len(d.frames.pauses) < maxPauses {
		d.frames.pauses = append(d.frames.pauses, *p)
	}
	text := fmt.Sprintf("profiling was off for %v", time.Duration(p.until-p.at).Round(time.Microsecond))
	if p.fresh {
		text = "a new run of the profiler begins: numbers and times start anew; the time between the two is not known"
	}
	d.note(d.last, p.at, model.SeverityInfo, text)
	for _, th := range d.threads {
		if th.known {
			th.known = false
			th.samples = append(th.samples, model.Sample{Series: th.series, Time: p.at, Value: math.NaN()})
		}
	}
}

// sysInfo takes a tick rate.
func (d *Decoder) sysInfo(rate int64) {
	d.finishMessage()
	if d.walk.whole() {
		d.commitAll() // it comes behind a flush
	}
	if rate == d.rate {
		if !d.told {
			d.told = true
			d.reportInfo()
		}
		return
	}
	// Times that were shown stay as they are; from here on they are right.
	d.note(
		d.last, d.run.maxNs, model.SeverityWarning,
		fmt.Sprintf("the stream has %d ticks a second from here on, %d before", rate, d.rate),
	)
	hi, lo := bits.Mul64(uint64(max(d.run.maxNs-d.baseNs, 0)), uint64(d.rate))
	if hi < 1e9 {
		q, _ := bits.Div64(hi, lo, 1e9)
		d.baseAt += int64(min(q, MaxTicks))
	}
	d.baseNs = d.run.maxNs
	d.rate, d.told = rate, true
	d.reportInfo()
}
