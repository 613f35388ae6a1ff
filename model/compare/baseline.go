package compare

import (
	"framescope/model"
	"framescope/model/store"
)

// Baseline holds the usual values of one range of a session, by thread, collector and call path, to
// compare later data or another session with: the usual values of side A of a comparison, and made like
// one. It holds no reference to the session that it was made of.
type Baseline struct {
	c          *Comparison
	collectors []Entry // by row
	paths      []Entry
}

// Entry is the baseline's data of a collector or a call path of a thread. Total and Self are per frame, or
// per second (ByTime), Call per call; N is 0 if unknown.
type Entry struct {
	Total, Self, Call Usual
	Seen              int     // in how many of the Total.N frames it ran
	Starts            float64 // how often it starts in a frame, in the middle
	// MeanSelf and MeanStarts are the means of all frames: self time in ns, and starts.
	MeanSelf, MeanStarts float64
}

// BeginBaseline begins to compute the usual values of a range.
func BeginBaseline(side Side) *Baseline {
	none := side
	none.Only = []model.TrackID{}
	c := Begin(side, none, Options{})
	c.alone = true
	return &Baseline{c: c}
}

// Step is that of a comparison.
func (b *Baseline) Step(most int) (ready bool) {
	if b.c.done {
		return true
	}
	if ready = b.c.Step(most); ready {
		b.collectors, b.paths = b.c.entries, b.c.entries[len(b.c.rows.collectors):]
		for i := range b.c.sides {
			b.c.sides[i].Session = nil
		}
		rows := &b.c.rows
		rows.collectors, rows.paths = nil, nil
	}
	return ready
}

// Close ends the computation.
func (b *Baseline) Close() { b.c.Close() }

// ByTime reports whether Entry.Total and Self are per second, not per frame.
func (b *Baseline) ByTime() bool { return b.c.result.ByTime }

// runAlone computes the usual values of side A.
func (c *Comparison) runAlone(yield func(cost int) bool) {
	for k := range c.result.Threads {
		if !c.gather(k, 0, yield) {
			return
		}
	}
	c.entries = make([]Entry, 0, len(c.rows.collectors)+len(c.rows.paths))
	for _, rows := range [][]row{c.rows.collectors, c.rows.paths} {
		for i := range rows {
			cost := len(rows[i].lengths) + len(rows[i].sides[0].at) + 1
			c.usualOfRow(&rows[i])
			c.entries = append(c.entries, c.entry(&rows[i]))
			rows[i].lengths, rows[i].sides = nil, [2]values{}
			if !yield(cost) {
				return
			}
		}
	}
	c.done = true
}

// Against is a baseline by the ids of a session: after the first query, each lookup is an index and
// allocates nothing.
type Against struct {
	b          *Baseline
	s          *store.Session
	defs       uint64
	threads    []int32   // by track: one more than the thread, -1 none has its name, 0 nothing ran there yet
	collectors [][]int32 // by track and id: one more than the row, -1 none, 0 not looked up yet
	paths      [][]int32
}

// On returns the baseline for a session, which may be another than that which it was made of. The
// baseline is ready.
func (b *Baseline) On(s *store.Session) *Against { return &Against{b: b, s: s} }

// Session returns the session that it is for.
func (a *Against) Session() *store.Session { return a.s }

// ByTime is that of the baseline.
func (a *Against) ByTime() bool { return a.b.ByTime() }

// Collector returns the entry of a collector of a thread: nil if it did not run. known is false if
// the baseline has no such thread.
func (a *Against) Collector(track model.TrackID, id model.CollectorID) (e *Entry, known bool) {
	th := a.thread(track)
	if th < 0 || id < 0 {
		return nil, th >= 0
	}
	at := slot(&a.collectors[track], int(id))
	if *at == 0 {
		*at = -1
		if c := a.s.Collectors().ByID(id); c != nil {
			if i, ok := a.b.c.rows.byName[nameKey{th, c.Title()}]; ok {
				*at = int32(i) + 1
			}
		}
	}
	if *at < 0 {
		return nil, true
	}
	return &a.b.collectors[*at-1], true
}

// Path is Collector of a call path.
func (a *Against) Path(track model.TrackID, id model.PathID) (e *Entry, known bool) {
	th := a.thread(track)
	if th < 0 {
		return nil, false
	}
	at := a.path(th, track, id)
	if at < 0 {
		return nil, true
	}
	return &a.b.paths[at], true
}

// path returns the row of a call path, -1 of none.
func (a *Against) path(thread int, track model.TrackID, id model.PathID) int {
	if id == model.PathRoot {
		return -1
	}
	switch at := *slot(&a.paths[track], int(id)); {
	case at < 0:
		return -1
	case at > 0:
		return int(at) - 1
	}
	parent, c := a.s.Path(id)
	row := a.child(thread, a.path(thread, track, parent), parent != model.PathRoot, c)
	if at := slot(&a.paths[track], int(id)); row < 0 {
		*at = -1
	} else {
		*at = int32(row) + 1
	}
	return row
}

// Child returns the entry of a collector called from a row, -1: from none; row is the index to look up
// its callees with, below 0 if the baseline has no such call.
func (a *Against) Child(track model.TrackID, parent int, c model.CollectorID) (e *Entry, row int) {
	th := a.thread(track)
	if th < 0 {
		return nil, -2
	}
	if row = a.child(th, parent, parent != -1, c); row < 0 {
		return nil, -2
	}
	return &a.b.paths[row], row
}

// child returns the row of a collector below another; below means that it has a parent, which the
// baseline may lack.
func (a *Against) child(thread, parent int, below bool, c model.CollectorID) int {
	k := a.s.Collectors().ByID(c)
	if k == nil || below && parent < 0 {
		return -1
	}
	if i, ok := a.b.c.rows.byPath[pathKey{thread, parent, k.Title()}]; ok {
		return i
	}
	return -1
}

// Knows reports whether the baseline has a thread of the name of a track.
func (a *Against) Knows(track model.TrackID) bool { return a.thread(track) >= 0 }

// thread returns the thread of a track, -1 where the baseline has none of its name.
func (a *Against) thread(track model.TrackID) int {
	t := a.s.Track(track)
	if t == nil {
		return -1
	}
	if defs := a.s.DefsRevision(); defs != a.defs || int(track) >= len(a.threads) ||
		a.threads[track] == 0 && t.NumSpans() > 0 {
		a.defs = defs
		a.match()
	}
	return max(int(a.threads[track])-1, -1)
}

// match finds the threads of the session by their names, as a comparison does, and clears the
// cached lookups.
func (a *Against) match() {
	n := a.s.NumTracks()
	a.threads = append(a.threads[:0], make([]int32, n)...)
	a.collectors, a.paths = sized(a.collectors, n), sized(a.paths, n)
	seen, kin := map[string]int{}, map[string]int{}
	each(&Side{Session: a.s}, func(id model.TrackID, t *store.Track) {
		want := threadKey{t.Title(), seen[t.Title()]}
		seen[want.title]++
		if a.threads[id] = -1; a.b.c.byThread[want] > 0 {
			a.threads[id] = int32(a.b.c.byThread[want])
		}
		kin[t.Kin()]++
	})
	each(&Side{Session: a.s}, func(id model.TrackID, t *store.Track) {
		if i, ok := a.b.c.byKin[t.Kin()]; ok && i > 0 && kin[t.Kin()] == 1 { // it has another number here
			a.threads[id] = int32(i)
		}
	})
}

// sized returns n lists, all empty.
func sized(lists [][]int32, n int) [][]int32 {
	for len(lists) < n {
		lists = append(lists, nil)
	}
	for i := range lists {
		lists[i] = lists[i][:0]
	}
	return lists
}
