package frames

// asked keeps the newest answers of AllStats: in a tick several panels ask about the same frames. The
// zero value is ready.
type asked struct {
	answers [4]answer
	next    int // which gives way
}

// answer is what AllStats answered.
type answer struct {
	to    question
	stats []Stats
}

// question is all that an answer of AllStats depends on. What a track has at positions stays while it
// is not rewound.
type question struct {
	track       *Track
	rewinds     uint64
	hierarchy   uint64 // its revision
	levels      bool
	first, last int64 // positions
}

// find returns the answer to a question; ok is false where it is not kept.
func (a *asked) find(q question) (stats []Stats, ok bool) {
	for k := range a.answers {
		if a.answers[k].to == q {
			return a.answers[k].stats, true
		}
	}
	return nil, false
}

// keep keeps the answer to a question.
func (a *asked) keep(q question, stats []Stats) {
	x := &a.answers[a.next]
	a.next = (a.next + 1) % len(a.answers)
	x.to, x.stats = q, append(x.stats[:0], stats...)
}
