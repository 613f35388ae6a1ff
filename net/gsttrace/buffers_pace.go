package gsttrace

const (
	// paceNs is how long a sink must lag before it is told.
	paceNs = 2e9
	// pauseNs is from when on a pipeline that gets nothing is taken to stand still, on purpose or not.
	pauseNs = 1e9
)

// Pace compares the clock of the buffers that go to a sink with real time; the zero value has seen
// none.
//
// Tracing costs time, and a pipeline that it slows down is not the pipeline that was asked about.
// What its buffers say of their time is compared with the time that passes: where a sink gets less
// than half a second's worth of buffers in each second, for paceNs on end, that is told. A pipeline
// that plays by the clock keeps pace, one that runs as fast as it can mostly is faster; whether
// tracing or the work itself is what makes it slow, nothing in a log says.
type Pace struct {
	begun        bool
	timeNs, last int64
	pts, lastPTS uint64
}

// Step takes a buffer: when it came, and its own time, both in ns. slow tells that the last paceNs
// were too slow: share is how much of a second went by in one.
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
