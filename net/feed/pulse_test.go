package feed

import (
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
)

// Rhythms of sources that there are, and what is usual for each.
func TestUsualInterval(t *testing.T) {
	const ms = time.Millisecond
	every := func(n int, gaps ...time.Duration) (all []time.Duration) {
		for range n {
			all = append(all, gaps...)
		}
		return all
	}
	for name, c := range map[string]struct {
		gaps        []time.Duration
		least, most time.Duration
	}{
		"nothing":                     {nil, 0, 0},
		"60 Hz":                       {every(100, 16*ms), LeastUsual, LeastUsual},
		"four threads at 60 Hz":       {every(100, ms, ms, ms, 13*ms), LeastUsual, LeastUsual},
		"four threads at 1 Hz":        {every(20, ms, ms, ms, 997*ms), 900 * ms, 1000 * ms},
		"spread threads at 1 Hz":      {every(20, 100*ms, 100*ms, 100*ms, 700*ms), 700 * ms, 1000 * ms},
		"a log in blocks":             {every(12, append(every(200, ms/10), 3*time.Second)...), 2500 * ms, 3200 * ms},
		"a steady stream, no pauses":  {every(5000, ms), LeastUsual, 300 * ms},
		"a few, then a long pause":    {append(every(3, 16*ms), 5*time.Second), 5 * time.Second, 5 * time.Second},
		"two stops at a breakpoint":   {append(append(every(40, 16*ms), 20*time.Second), append(every(10, 16*ms), 9*time.Second, 16*ms)...), LeastUsual, LeastUsual},
		"slower than it was":          {append(every(100, 16*ms), every(31, 2*time.Second)...), 2 * time.Second, 2 * time.Second},
		"one that sends once an hour": {every(9, time.Hour), time.Hour, time.Hour},
	} {
		now := time.Unix(1000, 0)
		p := pulse{since: now}
		p.beat(now)
		for _, gap := range c.gaps {
			now = now.Add(gap)
			p.beat(now)
		}
		got := p.usual()
		testkit.That(t, got >= c.least && got <= c.most, "%s: %v, want %v to %v", name, got, c.least, c.most)
		testkit.That(t, p.last.Equal(now), "%s: last at %v, want %v", name, p.last, now)
	}
}

func TestPulseOfAFeed(t *testing.T) {
	f := alone(Options{Live: true})
	p := f.Pulse()
	testkit.That(t, !p.Since.IsZero() && p.LastAt.IsZero() && p.Usual == 0, "a new feed: %+v", p)
	testkit.Equal(t, p.Silence(p.Since.Add(3*time.Second)), 3*time.Second, "silent for")
	f.Define(model.Info{Program: "x"})
	f.Define(model.Loss{Reason: model.LossLate, N: 1})
	f.Define(model.End{})
	f.Define(model.CollectorDef{ID: 0, Name: "All"})
	if p := f.Pulse(); !p.LastAt.IsZero() {
		t.Errorf("what only tells of the connection counts as data: %+v", p)
	}
	f.Define(model.TrackDef{ID: 1, Name: "a"})
	defined := f.Pulse().LastAt
	testkit.That(t, !defined.IsZero(), "a definition is no arrival")
	f.Publish(f.Begin())
	p = f.Pulse()
	testkit.That(t, !p.LastAt.Before(defined), "a batch is no arrival: %+v", p)
	s := p.Silence(p.LastAt.Add(-time.Second))
	testkit.That(t, s == 0, "silent for %v before the arrival", s)
	b := f.Begin()
	n := testing.AllocsPerRun(100, func() { f.pulse.beat(time.Now()); f.Pulse() })
	testkit.That(t, n == 0, "%v allocations an arrival", n)
	f.Publish(b)
}
