package profilelib

import (
	"fmt"
	"math/bits"

	"framescope/net/trace"
)

// prepare looks for what must be known before anything is shown: the layout, the tick rate, whether
// there are frames. It returns whether there is enough of it.
func (d *Decoder) prepare(last bool) bool {
	if d.survey == nil {
		if !d.detect(last) {
			return false
		}
		d.survey = newSurvey(d.layout)
	}
	if d.opt.File {
		return true // the file was surveyed before
	}
	d.survey.frm.write(d.hold[d.surveyed:], false)
	d.surveyed = len(d.hold)
	return last || len(d.survey.rates) > 0 || d.opt.Rate > 0 || len(d.hold) >= holdMost || d.survey.flushes >= holdFlushes
}

// detect looks for the layout in the held bytes. It sets d.err when there is none.
func (d *Decoder) detect(last bool) bool {
	if d.opt.Layout != nil {
		d.layout = *d.opt.Layout
		d.skipPhase(d.opt.phase)
		return true
	}
	if !last && len(d.hold) < detectMost && (len(d.hold) < detectFirst || len(d.hold) < 2*d.tried) {
		return false
	}
	d.tried = len(d.hold)
	found, ok := Detect(d.hold)
	switch {
	case ok && (found.Confidence >= 0.8 || last):
		d.layout = found.Layout
		d.skipPhase(found.Phase)
		return true
	case last || len(d.hold) >= detectMost:
		d.err = fmt.Errorf("%w: %s", ErrNotStream, found.Why)
	}
	return false
}

// skipPhase leaves out the part of a record with which a stream begins that was joined in the
// middle.
func (d *Decoder) skipPhase(n int) {
	n = min(n, len(d.hold))
	if n > 0 {
		d.bad.Explain(trace.Gap, 0, "the stream begins within a record: its %d bytes are left out", n)
		d.hold, d.skipped = d.hold[n:], int64(n)
	}
}

// lookAgain repeats the detection on all held bytes: the first few records may mislead.
func (d *Decoder) lookAgain() {
	if d.opt.Layout != nil {
		return
	}
	if found, ok := Detect(d.hold); ok && found.Layout != d.layout && found.Phase == 0 {
		d.layout = found.Layout
		d.survey = newSurvey(d.layout)
		d.survey.frm.write(d.hold, false)
	}
}

// release begins to decode, with the held bytes.
func (d *Decoder) release() {
	d.lookAgain()
	s := d.survey
	d.rates = append(d.rates, s.rates...)
	d.frm = newFramer(d.layout, d.decodeRecord, d.damaged)
	d.frm.at = d.skipped
	d.setRate(0)
	if !d.opt.File && d.opt.MainThread == nil {
		if id, ok := s.mainThread(); ok {
			d.opt.MainThread, d.opt.found = &id, true
		}
	}
	d.names = newNameTable(d.sink, d.room)
	if d.opt.MainThread != nil {
		d.frames.expected = true
		if d.opt.found {
			d.thread(*d.opt.MainThread) // the first track is its
		}
	}
	hold := d.hold
	d.hold, d.survey = nil, nil
	d.frm.write(hold, false)
}

// setRate sets the tick rate given at or behind a place in the stream.
func (d *Decoder) setRate(at int64) {
	rate, ok := rateFrom(d.rates, at)
	switch {
	case d.opt.Rate > 0:
		rate = d.opt.Rate
	case ok:
		d.told = true
	case d.rate > 0:
		rate = d.rate
	default:
		rate = assumedRate
	}
	d.rate = rate
	d.tellInfo()
}

// tellInfo publishes the description of the stream.
func (d *Decoder) tellInfo() {
	info := d.info
	info.Version, info.Detail = "profile_lib "+d.layout.String(), d.layout.Words()
	if !d.told && d.opt.Rate == 0 {
		info.Detail += "; no tick rate in the stream, nanoseconds assumed"
	}
	info.Clock.StepNs = max(1, 1e9/d.rate)
	d.sink.Define(info)
}

// ns turns ticks into the session's time.
func (d *Decoder) ns(ticks uint64) int64 {
	t := int64(ticks) - d.baseAt
	if d.rate == 1e9 {
		return d.baseNs + t
	}
	neg := t < 0
	if neg {
		t = -t
	}
	hi, lo := bits.Mul64(uint64(t), 1e9)
	q := uint64(maxTime)
	if hi < uint64(d.rate) {
		q, _ = bits.Div64(hi, lo, uint64(d.rate))
	}
	n := int64(min(q, maxTime))
	if neg {
		n = -n
	}
	return min(d.baseNs+n, maxTime)
}
