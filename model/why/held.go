package why

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/locks"
	"framescope/model/store"
)

// StepKind is the kind of a step of the chain of a lock.
type StepKind uint8

// The kinds of steps.
const (
	// StepWaited: the thread waited for the lock or condition.
	StepWaited StepKind = iota
	// StepHeld: the thread had the lock that the step before waited for.
	StepHeld
	// StepRan: the work that the thread of the step before spent most of that time in.
	StepRan
	// StepSignalled: the thread sent the signal that the step before waited for.
	StepSignalled
	numStepKinds
)

var stepKinds = [numStepKinds]string{"waited", "held", "ran", "signalled"}

// String returns the word that JSON has for it.
func (k StepKind) String() string { return stepKinds[k] }

// Step is a step from the waiter for a lock to the reason of its wait.
type Step struct {
	Kind           StepKind
	Track          model.TrackID
	Collector      model.CollectorID // the lock; for StepRan the work
	Ns             int64             // for how much of the time of the step before; of the first in all
	BeginNs, EndNs int64             // uncut
}

// Wait is a wait for a lock and its reason, or a long try without a known holder (Unheld).
type Wait struct {
	locks.Use
	// TypicalNs is the median over the Of tries for that lock.
	TypicalNs int64
	Of        int
	// Chain begins with the wait, then the longest holder of the lock meanwhile and its work; if the
	// holder waited itself, the reason of that.
	Chain []Step
	// Others are further threads that held the lock meanwhile.
	Others []Step
	// UnexplainedNs is its time without a known holder.
	UnexplainedNs int64
}

// Ns is how long it was.
func (w *Wait) Ns() int64 { return w.End - w.Begin }

// Unheld reports whether no known thread held the lock meanwhile, so that locks.Stats does not count it
// as a wait.
func (w *Wait) Unheld() bool { return len(w.Chain) == 1 && !w.OpenEnd }

// Waits returns the n longest waits and tries for locks in [t0, t1], of one thread or of all (NoTrack), the
// longest first, with the holders of the lock. Cost: O(uses of locks in that time).
func (e *Engine) Waits(track model.TrackID, t0, t1 int64, n int) []Wait {
	var out []Wait
	var uses []locks.Use
	var lengths []int64
	for _, lock := range e.s.Locks().All(nil) {
		uses = e.s.Locks().Uses(lock, model.MinTime, model.MaxTime, uses[:0])
		lengths = lengths[:0]
		for _, u := range uses {
			if u.Kind == locks.Waiting {
				lengths = append(lengths, u.End-u.Begin)
			}
		}
		slices.Sort(lengths)
		for _, u := range uses {
			if u.Kind == locks.Waiting && u.End > u.Begin && u.Begin <= t1 && u.End >= t0 && (track == model.NoTrack ||
				u.Track == track) {
				out = append(out, Wait{Use: u, TypicalNs: lengths[(len(lengths)-1)/2], Of: len(lengths)})
			}
		}
		slices.SortStableFunc(out, func(a, b Wait) int {
			return cmp.Or(cmp.Compare(b.Ns(), a.Ns()), cmp.Compare(a.Begin, b.Begin))
		})
		out = out[:min(len(out), n)]
	}
	for i := range out {
		e.Held(&out[i])
	}
	return out
}

// Held sets the holders of the lock of a wait, and their work.
func (e *Engine) Held(w *Wait) {
	w.Chain = append(w.Chain[:0], Step{StepWaited, w.Track, w.Lock, w.Ns(), w.Begin, w.End})
	w.Others = w.Others[:0]
	held, unknownNs := Holders(e.s, &w.Use)
	w.UnexplainedNs = unknownNs
	if len(held) > 0 {
		w.Others = append(w.Others, held[1:]...)
		w.Chain = e.holding(append(w.Chain, held[0]), w.Begin, w.End)
	}
}

// Holders returns the other threads that held a lock while a use of it lasted, and for how long, the
// longest first, and the time without a known holder, ns. Cost: O(uses of the lock meanwhile).
func Holders(s *store.Session, u *locks.Use) (held []Step, unknownNs int64) {
	held, unknownNs = holders(s, u.Track, u.Lock, u.Begin, u.End), u.End-u.Begin
	for i := range held {
		unknownNs -= held[i].Ns
	}
	return held, max(unknownNs, 0)
}

// holders returns which other threads held a lock in [from, to), and for how long, the longest first.
func holders(s *store.Session, waiter model.TrackID, lock model.CollectorID, from, to int64) []Step {
	var out []Step
	for _, u := range s.Locks().Uses(lock, from, to, nil) {
		ns := min(u.End, to) - max(u.Begin, from)
		if u.Kind != locks.Holding || u.Depth > 0 || u.Track == waiter || ns <= 0 {
			continue
		}
		k := slices.IndexFunc(out, func(s Step) bool { return s.Track == u.Track })
		if k < 0 {
			out = append(out, Step{StepHeld, u.Track, lock, ns, u.Begin, u.End})
			continue
		}
		x := &out[k]
		if x.Ns += ns; ns > min(x.EndNs, to)-max(x.BeginNs, from) {
			x.BeginNs, x.EndNs = u.Begin, u.End
		}
	}
	slices.SortStableFunc(out, func(a, b Step) int { return cmp.Compare(b.Ns, a.Ns) })
	return out
}

// holding appends the work of the thread of the last step, which held a lock, in [from, to) while it
// held it: its main work, and the reason of its own wait.
func (e *Engine) holding(chain []Step, from, to int64) []Step {
	holder := chain[len(chain)-1]
	from, to = max(from, holder.BeginNs), min(to, holder.EndNs)
	if ran, ok := e.ran(holder.Track, from, to); ok {
		chain = append(chain, ran)
	}
	waited, found := Step{}, false
	for _, lock := range e.s.Locks().All(nil) {
		for _, u := range e.s.Locks().Uses(lock, from, to, nil) {
			ns := min(u.End, to) - max(u.Begin, from)
			if u.Track == holder.Track && (u.Kind == locks.Waiting || u.Kind == locks.Condition) && ns > waited.Ns {
				waited, found = Step{StepWaited, u.Track, lock, ns, u.Begin, u.End}, true
			}
		}
	}
	if !found || float64(waited.Ns) < leastReach*float64(to-from) || len(chain) > maxChain {
		return chain
	}
	chain = append(chain, waited)
	next := holders(e.s, waited.Track, waited.Collector, max(from, waited.BeginNs), min(to, waited.EndNs))
	if len(next) == 0 {
		return e.signalled(chain, waited)
	}
	for i := range chain {
		if chain[i].Track == next[0].Track { // they wait for each other
			return append(chain, next[0])
		}
	}
	return e.holding(append(chain, next[0]), max(from, waited.BeginNs), min(to, waited.EndNs))
}

// signalled appends the thread that ended the wait of the last step.
func (e *Engine) signalled(chain []Step, w Step) []Step {
	for _, a := range e.s.Locks().Arrows(w.BeginNs, w.EndNs, nil) {
		if a.Lock == w.Collector && a.ToTrack == w.Track && a.WaitBegin == w.BeginNs {
			return append(chain, Step{StepSignalled, a.FromTrack, a.Lock, 0, a.FromTime, a.ToTime})
		}
	}
	return chain
}

// ran returns the span that a thread spent most of [from, to) in, by self time, if that is a fifth
// or more.
func (e *Engine) ran(track model.TrackID, from, to int64) (Step, bool) {
	one := [1]model.TrackID{track}
	e.s.Spans().Tree(one[:], from, to, &e.tree)
	e.inside = e.tree.Inside(e.inside[:0])
	best := Step{Kind: StepRan, Track: track, Collector: model.NoCollector, BeginNs: from, EndNs: to}
	for _, in := range e.inside {
		if in.Collector >= 0 && in.Self > best.Ns {
			best.Collector, best.Ns = in.Collector, in.Self
		}
	}
	return best, best.Ns > 0 && float64(best.Ns) >= leastShare*float64(to-from)
}
