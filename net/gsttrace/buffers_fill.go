// Models of the buffers at one place: the level of a queue, and whether a sink keeps pace with the clock. They
// know no log and no session.

package gsttrace

import "slices"

// Fill holds the buffers between a sink pad and a source pad of a queue; the zero value is empty.
//
// The level of a queue follows from its input and output, because no record contains it. A queue outputs buffers
// in their order of input, or drops them (when it leaks, or is flushed): time and size identify an output buffer,
// so earlier ones still inside were dropped. Without times, dropped buffers look like ones inside. Buffers from
// before the log began are unknown, and not counted.
type Fill struct {
	inside []Buffer // oldest first
	Bytes  uint64   // of all of them
	Lost   bool     // it held more than the limit, so its level is unknown
}

// Buffer holds a record's data of a buffer.
type Buffer struct {
	PTS, Duration uint64 // in ns; Unknown where it has none
	Size          uint64 // in bytes
}

// Unknown is a time that a buffer does not have.
const Unknown = ^uint64(0)

// Count is the number of buffers inside.
func (f *Fill) Count() int { return len(f.inside) }

// Put puts a buffer in.
func (f *Fill) Put(x Buffer) {
	if len(f.inside) >= MaxQueued {
		f.inside, f.Bytes, f.Lost = nil, 0, true
	}
	f.inside = append(f.inside, x)
	f.Bytes += x.Size
}

// Take takes a buffer out, identified by its time and size, and all before it. An unknown buffer changes nothing.
func (f *Fill) Take(x Buffer) {
	at := slices.IndexFunc(f.inside, func(y Buffer) bool { return y.Size == x.Size && y.PTS == x.PTS })
	for _, y := range f.inside[:at+1] {
		f.Bytes -= y.Size
	}
	f.inside = slices.Delete(f.inside, 0, at+1)
}

// Span returns the duration of the buffers inside in ns, by their own times; false if they have none.
func (f *Fill) Span() (ns uint64, ok bool) {
	if len(f.inside) == 0 {
		return 0, true
	}
	first, last := f.inside[0], f.inside[len(f.inside)-1]
	if first.PTS == Unknown || last.PTS == Unknown || last.PTS < first.PTS {
		return 0, false
	}
	ns = last.PTS - first.PTS
	if last.Duration != Unknown && last.Duration < MaxTime {
		ns += last.Duration
	}
	return ns, ns < MaxTime
}

const (
	// paceNs is how long a sink must lag before a warning.
	paceNs = 2e9
	// pauseNs is the time after which a pipeline without buffers counts as paused.
	pauseNs = 1e9
)

// Pace compares the clock of the buffers that go to a sink with real time; the zero value has seen
// none.
//
// Tracing costs time, and may slow the pipeline down. Pace compares the times of buffers with the time that
// passes: if a sink gets less than half a second's worth of buffers per second, for paceNs on end, it warns. A
// pipeline that plays by the clock keeps pace, one that runs as fast as it can mostly is faster; a log does not
// show whether tracing or the work itself makes it slow.
type Pace struct {
	begun        bool
	timeNs, last int64
	pts, lastPTS uint64
}

// Step takes a buffer's time of arrival and its own time, both in ns. slow means that the last paceNs were too
// slow: share is the media time per second.
func (p *Pace) Step(timeNs int64, pts uint64) (share float64, slow bool) {
	switch {
	case pts == Unknown:
		return 0, false
	case !p.begun, timeNs-p.last > pauseNs, timeNs < p.last, pts < p.lastPTS, pts-p.lastPTS > 10*pauseNs:
		*p = Pace{begun: true, timeNs: timeNs, last: timeNs, pts: pts, lastPTS: pts}
		return 0, false
	}
	p.last, p.lastPTS = timeNs, pts
	passed := timeNs - p.timeNs
	if passed < paceNs {
		return 0, false
	}
	share = float64(pts-p.pts) / float64(passed)
	p.timeNs, p.pts = timeNs, pts
	return share, share < 0.5
}
