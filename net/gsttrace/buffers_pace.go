package gsttrace

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
