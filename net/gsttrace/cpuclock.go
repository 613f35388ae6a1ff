// The CPU clock of a thread in its thread-rusage records (FORMAT.md section 6.3): from which reading on its growth
// is the thread's use.

package gsttrace

// Slack is how far a clock of processor time may run ahead of the time that passes, in ns, since the
// two are not read at once.
const Slack = 200e3

// Clock is the clock of a thread, or of all of a process. The zero value has no reading. Of the main
// thread the first reading alone is short of what it took before GStreamer's clock began: what it
// grew by until the second nobody took meanwhile, so there it begins anew.
type Clock struct {
	OfProcess bool    // several threads take time at once
	N         int     // readings
	First     Reading // its growth counts from here
	Last      Reading
}

// Reading is a reading of a clock: CPUNs at TimeNs, both in ns.
type Reading struct{ TimeNs, CPUNs int64 }

// Read takes the next reading. anew means that those before it are of another clock: the second is further ahead
// of the first than time has passed, or the clock went back. A late reading is ignored.
func (c *Clock) Read(r Reading) (anew bool) {
	passed, took := r.TimeNs-c.Last.TimeNs, r.CPUNs-c.Last.CPUNs
	switch {
	case c.N == 0:
		c.First = r
	case passed < 0:
		return false
	case took < 0, c.N == 1 && !c.OfProcess && took > passed+passed/100+Slack:
		c.First, anew = r, true
	}
	c.N++
	c.Last = r
	return anew
}

// Took is the processor time from the first reading that counts to the last, in ns.
func (c *Clock) Took() int64 { return c.Last.CPUNs - c.First.CPUNs }
