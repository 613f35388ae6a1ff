package demo

import (
	"time"

	"framescope/net/pstats/client"
)

// line is a simulated line of execution: a thread and where it is in time.
type line struct {
	t  *client.Thread
	at time.Duration
}

// run spends d in a collector.
func (l *line) run(c client.Collector, d time.Duration) {
	l.t.StartAt(c, l.at)
	l.at += d
	l.t.StopAt(c, l.at)
}

// in runs body inside a collector.
func (l *line) in(c client.Collector, body func()) {
	l.t.StartAt(c, l.at)
	body()
	l.t.StopAt(c, l.at)
}

// idle lets time pass in no collector.
func (l *line) idle(d time.Duration) { l.at += d }

// until spends the time up to end in a collector, if there is any.
func (l *line) until(c client.Collector, end time.Duration) {
	if end > l.at {
		l.run(c, end-l.at)
	}
}
