package compare

import "framescope/model"

// UsualFrame is the baseline's data of the frames of a thread, or of those that it is counted by.
type UsualFrame struct {
	Length Usual // ns
	// Bare is how much of a frame the thread spent in no collector, ns.
	Bare Usual
	// PeriodNs is the mean time from one frame to the next.
	PeriodNs float64
}

// Frame returns the baseline's data of the frames of a thread; nil if it has no such thread, or covers
// a time.
func (a *Against) Frame(track model.TrackID) *UsualFrame {
	th := a.thread(track)
	if th < 0 || th >= len(a.b.c.frames) || a.b.c.frames[th].Length.N == 0 {
		return nil
	}
	return &a.b.c.frames[th]
}

// bareFrame notes how long a frame was that was looked at, and how much of it the thread spent in no
// collector.
func (c *Comparison) bareFrame(ns int64) {
	bare := ns
	for _, x := range c.inside {
		if x.Collector != 0 {
			bare -= x.Self
		}
	}
	c.lasted, c.bare = append(c.lasted, float64(ns)), append(c.bare, float64(max(bare, 0)))
}

// usualFrame sets the usual values of the examined frames of a thread.
func (c *Comparison) usualFrame(thread int, periodNs float64) {
	for len(c.frames) < len(c.result.Threads) {
		c.frames = append(c.frames, UsualFrame{})
	}
	c.frames[thread] = UsualFrame{usualOf(0, c.lasted), usualOf(0, c.bare), periodNs}
	c.lasted, c.bare = c.lasted[:0], c.bare[:0]
}

// entry returns the kept entry of a row.
func (c *Comparison) entry(r *row) Entry {
	th, v := &c.result.Threads[r.Thread], &r.sides[0]
	e := Entry{Total: r.Total.Usual, Self: r.Self.Usual, Call: r.Call, Seen: len(v.at)}
	e.Starts = usualOf(int(th.Looked[0]), v.starts).Median
	if of := float64(th.Frames[0]); of > 0 && !c.result.ByTime {
		e.MeanSelf, e.MeanStarts = float64(v.sums[1])/of, float64(v.calls)/of
	}
	return e
}
