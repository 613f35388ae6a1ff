package trace

import "slices"

// Jumps holds back what has a time far from the one before: one damaged number would stretch a recording over years.
// Where one of the next is near it, the program stood still, or its clock was set, and both enter; where they go on as
// before, it is left out. So are all but the newest that wait for that.
type Jumps[T any] struct {
	Far   int64 // ns between two that follow each other
	Most  int   // that wait
	Ahead bool  // times may go back
	Enter func(T)
	Lost  func(x T, at int64)

	last  int64
	known bool
	held  []jump[T]
}

type jump[T any] struct {
	at int64
	of T
}

// Start takes a time from which on the next are not far.
func (j *Jumps[T]) Start(at int64) {
	if j.known && j.Ahead {
		at = max(at, j.last)
	}
	j.last, j.known = at, true
}

func (j *Jumps[T]) isNear(at, last int64) bool { return at-last <= j.Far && last-at <= j.Far }

// Known reports whether a time is known from which on the next are not far.
func (j *Jumps[T]) Known() bool { return j.known }

// Admits reports whether what has a time may enter at once; else it is to be held.
func (j *Jumps[T]) Admits(at int64) bool {
	if !j.known || !j.isNear(at, j.last) && !(j.Ahead && at < j.last) {
		return false
	}
	j.drop(len(j.held))
	j.Start(at)
	return true
}

// Hold takes what may not enter at once. It enters with those before that it confirms, else it waits.
func (j *Jumps[T]) Hold(at int64, x T) {
	confirms := func(h jump[T]) bool { return j.isNear(at, h.at) }
	if !slices.ContainsFunc(j.held, confirms) {
		if len(j.held) == j.Most {
			j.drop(1)
		}
		j.held = append(j.held, jump[T]{at, x})
		return
	}
	held := j.held
	j.held = nil
	j.last, j.known = at, true
	for _, h := range held {
		if confirms(h) {
			j.Start(h.at)
			j.Enter(h.of)
		} else {
			j.Lost(h.of, h.at)
		}
	}
	j.Start(at)
	j.Enter(x)
}

// Settle lets all that wait enter where nothing came before them.
func (j *Jumps[T]) Settle() {
	held := j.held
	if j.known || len(held) == 0 {
		return
	}
	j.held = nil
	for _, h := range held {
		j.Start(h.at)
		j.Enter(h.of)
	}
}

// End decides about those that wait: nothing follows.
func (j *Jumps[T]) End() {
	j.Settle()
	j.drop(len(j.held))
}

// drop leaves out the first that wait.
func (j *Jumps[T]) drop(n int) {
	for _, h := range j.held[:n] {
		j.Lost(h.of, h.at)
	}
	j.held = slices.Delete(j.held, 0, n)
}
