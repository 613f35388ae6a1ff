package feed

import (
	"slices"
	"time"

	"framescope/model"
)

// Limits for learning a feed's rhythm.
const (
	// LeastUsual is the least value of Pulse.Usual: shorter pauses are invisible.
	LeastUsual = 250 * time.Millisecond
	// pulseGaps is of how many intervals the usual one is learnt.
	pulseGaps = 31
	// pulseFew intervals say little: while there are no more, the longest is taken for usual.
	pulseFew = 7
	// pulseBurst is how close together batches are one arrival: those of several threads, or of one
	// read.
	pulseBurst = 10 * time.Millisecond
)

// Pulse describes when and how often a feed received something.
type Pulse struct {
	// Since is when the feed was made.
	Since time.Time
	// LastAt is when the newest batch or definition came; zero when nothing has.
	LastAt time.Time
	// Usual is the interval at which something usually comes, at least LeastUsual; 0 after too few
	// arrivals.
	Usual time.Duration
}

// Silence returns for how long nothing has come: since the newest arrival, or since the feed was
// made when there was none.
func (p Pulse) Silence(now time.Time) time.Duration {
	from := p.LastAt
	if from.IsZero() {
		from = p.Since
	}
	return max(0, now.Sub(from))
}

// Pulse returns the feed's present rhythm.
func (f *Feed) Pulse() Pulse {
	f.pool.mu.Lock()
	defer f.pool.mu.Unlock()
	return Pulse{Since: f.pulse.since, LastAt: f.pulse.last, Usual: f.pulse.usual()}
}

// pulse learns a feed's rhythm. The zero value with the time since when is ready to use.
//
// An interval is usual when half of the time went by in intervals that were no longer: so the pauses
// between bursts count, and not the number of batches in a burst. The two longest are left out: the
// pauses of a program that was stopped.
type pulse struct {
	since time.Time
	last  time.Time // of the newest arrival
	burst time.Time // of the first arrival of the burst that it belongs to
	gaps  [pulseGaps]time.Duration
	n     int // gaps seen so far
	known time.Duration
	fresh bool // known is of the present gaps
}

// beat takes an arrival.
func (p *pulse) beat(now time.Time) {
	switch {
	case p.last.IsZero():
		p.burst = now
	case now.Sub(p.last) >= pulseBurst || now.Sub(p.burst) >= LeastUsual:
		p.gaps[p.n%pulseGaps] = now.Sub(p.burst)
		p.n++
		p.burst, p.fresh = now, false
	}
	p.last = now
}

// define takes a definition. Those that only say what did not come are no arrivals, nor is a name
// as the first thing of all: decoders begin with names of their own.
func (p *pulse) define(c model.Change) {
	switch c.(type) {
	case model.Loss, model.End, model.Info:
		return
	case model.CollectorDef:
		if p.last.IsZero() {
			return
		}
	}
	p.beat(time.Now())
}

// usual is Pulse.Usual.
func (p *pulse) usual() time.Duration {
	if p.fresh || p.n == 0 {
		return p.known
	}
	var room [pulseGaps]time.Duration
	gaps := room[:min(p.n, pulseGaps)]
	copy(gaps, p.gaps[:])
	slices.Sort(gaps)
	p.known, p.fresh = gaps[len(gaps)-1], true
	if len(gaps) > pulseFew {
		gaps = gaps[:len(gaps)-2]
		var all, sum time.Duration
		for _, g := range gaps {
			all += g
		}
		for _, g := range gaps {
			if sum += g; 2*sum >= all {
				p.known = g
				break
			}
		}
	}
	p.known = max(p.known, LeastUsual)
	return p.known
}
