package spall

import (
	"math"

	"framescope/model"
)

// clock turns the times of events into those of the session, in ns. It subtracts the first event's
// time before scaling: large times, such as ticks since the start of a machine, would lose their last
// digits.
type clock struct {
	version uint64
	set     bool
	ns      float64 // a tick takes
	ticks   uint64  // of the first event
	when    float64
	zeroNs  int64 // of the earliest event, on the clock that begins with the first
	most    float64
}

// begin takes the header.
func (c *clock) begin(version uint64, unit float64) {
	c.version, c.ns = version, unit
	if version == 1 {
		c.ns = unit * 1000
	}
}

// time returns when an event was; ok is false where that is no number, or no time that can be.
func (c *clock) time(e *event) (ns int64, ok bool) {
	if c.version == 1 {
		if math.IsNaN(e.when) || math.IsInf(e.when, 0) {
			return 0, false
		}
		if !c.set {
			c.set, c.when = true, e.when
		}
		c.most = max(c.most, math.Abs(e.when))
		return c.scale(e.when - c.when)
	}
	if !c.set {
		c.set, c.ticks = true, e.ticks
	}
	d := int64(e.ticks - c.ticks)
	if c.ns == 1 {
		return clamp(d) - c.zeroNs, clamp(d) == d
	}
	return c.scale(float64(d))
}

func (c *clock) scale(ticks float64) (ns int64, ok bool) {
	const most = model.MaxTime / 2
	t := ticks * c.ns
	return int64(math.Round(min(max(t, -most), most))) - c.zeroNs, math.Abs(t) <= most
}

// clamp keeps a time so small that the difference of two is one that may be stored.
func clamp(ns int64) int64 { return min(max(ns, model.MinTime/2), model.MaxTime/2) }

// step returns the resolution of the clock: a tick, or the spacing of the floats of version 1 at the
// latest time.
func (c *clock) step() int64 {
	ns := c.ns
	if c.most > 0 {
		ns = c.ns * (math.Nextafter(c.most, math.Inf(1)) - c.most)
	}
	return int64(math.Round(min(max(ns, 1), 1e12)))
}
