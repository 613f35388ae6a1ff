// A small cache keeps the newest answers to queries that several panels repeat in a tick.

package frames

// Answers is a cache of the newest answers. A question is all inputs of its answer. The zero value
// is ready.
type Answers[Q comparable, A any] struct {
	answers [4]answer[Q, A]
	next    int // which gives way
}

type answer[Q comparable, A any] struct {
	to   Q
	list []A
}

// Find returns the cached answer to a question; ok is false if there is none.
func (a *Answers[Q, A]) Find(q Q) (list []A, ok bool) {
	for k := range a.answers {
		if a.answers[k].to == q {
			return a.answers[k].list, true
		}
	}
	return nil, false
}

// Keep caches a copy of the answer to a question.
func (a *Answers[Q, A]) Keep(q Q, list []A) {
	x := &a.answers[a.next]
	a.next = (a.next + 1) % len(a.answers)
	x.to, x.list = q, append(x.list[:0], list...)
}
