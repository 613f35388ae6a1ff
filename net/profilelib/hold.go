package profilelib

import (
	"cmp"
	"math/bits"

	"framescope/model"
	"framescope/net/trace"
)

// prepare takes the next bytes of those that are held, for what must be known before anything is shown: the layout, the
// tick rate, whether there are frames. It returns whether there is enough of it.
func (d *Decoder) prepare(p []byte, last bool) bool {
	s := d.survey
	if d.opt.survey == nil {
		d.err = s.add(p, last)
	}
	return s.frm != nil && (last || d.opt.survey != nil || len(s.rates) > 0 || len(d.hold) >= holdMost ||
		s.flushes >= holdFlushes)
}

// release begins to decode, with the held bytes.
func (d *Decoder) release() {
	s := d.survey
	d.rates = s.rates
	d.frm = newFramer(s.Layout, d.decodeRecord, d.damaged)
	d.setRate(0)
	d.names = newNameTable(d.sink, d.room)
	if id, ok := s.mainThread(); ok {
		d.frames.expected, d.frames.thread = true, id
		d.thread(id) // the first track is its
	}
	hold := d.hold
	d.hold, d.survey = nil, nil
	if n := min(s.Phase, len(hold)); n > 0 {
		d.bad.Explain(trace.Gap, 0, "the stream begins within a record: its %d bytes are left out", n)
		hold, d.frm.at = hold[n:], int64(n)
	}
	d.frm.write(hold, false)
}

// setRate sets the tick rate given at or behind a place in the stream.
func (d *Decoder) setRate(at int64) {
	rate, ok := rateFrom(d.rates, at)
	d.told = d.told || ok
	if !ok {
		rate = cmp.Or(d.rate, assumedRate)
	}
	d.rate = rate
	d.reportInfo()
}

// reportInfo publishes the description of the stream.
func (d *Decoder) reportInfo() {
	info := model.Info{
		Source: "profilelib", Peer: d.opt.Peer, PID: -1, File: d.opt.File, Version: "profile_lib " + d.frm.layout.String(),
		Detail: d.frm.layout.Words(),
	}
	if !d.told {
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
