package planted

import (
	"math"
	"math/rand/v2"
)

// opKind is a kind of change to a frame of a thread.
type opKind uint8

const (
	longer     opKind = iota // the task's calls take longer
	more                     // it is called more often
	insert                   // a newcomer runs after it
	gap                      // time passes after it that nothing measures
	slower                   // all that the thread does takes longer
	partSlower               // all that is in the task takes longer
	waits                    // the thread waits for a looper that does something unusual
	alone                    // it waits for something that the session does not have
	late                     // the thread begins when a looper has done something unusual
	upTo                     // of loopers: the task goes on to a moment
	insertTo                 // of loopers: a newcomer goes on to a moment
	decoy                    // an unawaited looper does something unusual
)

// op is one thing that is done to a frame of a thread.
type op struct {
	what   opKind
	thread int
	frame  int
	at     *task
	plant  *plant
	share  float64 // of the plant's time
	aside  bool    // no thread waits for it
	one    bool    // one call takes all of it
	task   *task   // the newcomer
	wait   int     // the collector that is waited in
	by     *held
	baseNs float64 // of a slowed part: its usual duration

	end  int64 // end for the threads that wait for it; planned end before it is known
	done bool
}

// held is a looper's work while others wait for it.
type held struct {
	looper   int
	job, at  *task
	newcomer *task
	wait     int // it waits itself, for next
	next     *held
}

// ns returns how long the op takes.
func (o *op) ns() int64 { return int64(o.share * o.plant.extraNs) }

// factor returns the factor of all durations in a slower frame.
func (o *op) factor() float64 { return 1 + float64(o.ns())/o.baseNs }

// plant applies an op after its task has run.
func (r *run) plant(l *line, o *op, weight float64) {
	switch o.what {
	case more:
		own := l.rnd // later random numbers must not change
		l.rnd = rand.New(rand.NewPCG(uint64(o.frame), uint64(o.thread)))
		one := o.at.ns() / float64(o.at.calls)
		for range max(2, int(math.Round(float64(o.ns())/(one*weight)))) {
			r.call(l, o.at, weight, l.rnd, 0)
		}
		l.rnd = own
	case insert:
		l.newcomer(o.task, float64(o.ns()))
	case insertTo:
		l.newcomer(o.task, float64(max(o.end-l.at, 1000)))
		o.end = l.at
	case gap:
		l.at += o.ns()
	case alone:
		l.until(o.wait, l.at+o.ns())
	case waits:
		to := o.end
		if to == 0 || o.plant != nil {
			to = l.at + o.ns()
		}
		l.until(o.wait, r.hold(o.by, l.at, to))
		o.end = l.at
	}
}

// newcomer runs a task that has not run in other frames for a while.
func (l *line) newcomer(t *task, ns float64) {
	for range t.calls {
		l.start(t.collector)
		l.at += int64(t.share * ns / float64(t.calls) / 2)
		for _, c := range t.children {
			l.newcomer(c, ns/float64(t.calls))
		}
		l.at += int64(t.share * ns / float64(t.calls) / 2)
		l.stop(t.collector)
	}
}
