// Package locks holds the use of locks and conditions by threads: the events of each track, the
// uses that follow from them, and which signal ended which wait. Table answers; Keeper and Track
// change the data for the session. It knows the model and columns, and of sessions only their
// present time (Times).
package locks

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// Use is one stretch of time that a thread spent on a lock: waiting for it, holding it, or waiting
// for a condition of that name.
type Use struct {
	Lock       model.CollectorID
	Track      model.TrackID
	Kind       UseKind
	Begin, End int64
	Depth      int // of a hold: how often the thread held the lock already, 0 for the outermost
	// OpenBegin means that the beginning was not received: Begin is then the last time at which the
	// state of the lock on that thread was known, or the begin of the track. OpenEnd means that the
	// end was not received (yet): End is then the end of the session, or of the track if it is no
	// longer alive.
	OpenBegin, OpenEnd bool
}

// UseKind is the kind of a use of a lock.
type UseKind uint8

// The kinds of lock uses.
const (
	Waiting   UseKind = iota // from the try to getting it
	Holding                  // from getting it to giving it back
	Failed                   // a try that did not get it: from the try to the thread's next event
	Condition                // waiting for a condition, until the thread was seen again
)

// Stats summarises the uses of a lock in a range. Times in ns, cut to the range, summed over all
// threads. Of recursive holds the outermost counts. A wait is a try during which another thread held
// the lock, as far as is known, or one that has not got it yet: taking a lock that is free is none.
type Stats struct {
	Lock                     model.CollectorID
	Waits, Holds, Failed     int64 // uses that touch the range
	Conditions, Signals      int64
	WaitNs, HoldNs           int64
	ConditionNs              int64
	LongestWait, LongestHold Use // uncut; the zero Use with End 0 when there is none
	LongestCondition         Use // waiting for the condition, likewise
	// Unheld counts the tries that got it and are no waits, as it was not known to be held meanwhile,
	// and UnheldNs is their time.
	Unheld, UnheldNs int64
	Threads          int // that used it
	// Holder is the thread that held the lock for the longest part of the longest wait, and HolderNs how
	// long; 0: no known one.
	Holder   model.TrackID
	HolderNs int64
}

// Arrow joins a signal to the wait that it ended.
type Arrow struct {
	Lock               model.CollectorID
	FromTrack, ToTrack model.TrackID
	FromTime, ToTime   int64 // of the signal and of the waiter's wake-up
	WaitBegin          int64
}

// Table has the locks and their uses.
//
// Its methods are queries. Keeper and Track have the methods that change it; the session keeps
// these private.
type Table struct {
	order  []model.CollectorID // of first use
	of     map[model.CollectorID]*sharedLock
	tracks []*Track // those with events
	times  Times
	acc    *columns.Account
	cuts   uint64   // counts changes other than appending: uses taken back, or dropped
	merge  barMerge // working memory of queries
}

// Times gives the present time of unfinished uses.
type Times interface {
	// Now returns the latest time of the session, on its clock.
	Now() int64
	// End returns where an open use of a track ends, when the session has come to now.
	End(track model.TrackID, now int64) int64
}

// Keeper is a table with the methods that change it.
type Keeper struct{ Table }

// Init makes the table ready.
func (x *Keeper) Init(times Times, acc *columns.Account) {
	x.times, x.acc = times, acc
}

// part returns the part of a track that used a lock, and its line; nil where it has none.
func (x *Table) part(id model.TrackID, lock model.CollectorID) (k *Track, line *lockLine) {
	if k = columns.Slot(x.tracks, id); k == nil {
		return nil, nil
	}
	return k, k.lines[lock]
}

type sharedLock struct {
	events     int64           // stored
	doubt      int64           // waits that end after this time are to be judged anew
	judgements int64           // threads queried for holds so far
	tracks     []model.TrackID // that had events, ascending
	arrows     arrowIndex
}

// count adds n to the events of a lock.
func (x *Table) count(lock model.CollectorID, track model.TrackID, n int64) {
	l := x.of[lock]
	if l == nil {
		if x.of == nil {
			x.of = map[model.CollectorID]*sharedLock{}
		}
		l = &sharedLock{doubt: noDoubt}
		l.arrows.init(x.acc)
		x.of[lock] = l
		x.order = columns.Push(x.acc, x.order, lock)
		x.acc.Add(columns.SizeOf[sharedLock]() + lockLineBytes)
	}
	l.events += n
	if i, ok := slices.BinarySearch(l.tracks, track); !ok {
		was := cap(l.tracks)
		l.tracks = slices.Insert(l.tracks, i, track)
		x.acc.Add(int64(cap(l.tracks)-was) * 4)
	}
}

func (x *Table) signal(lock model.CollectorID, track model.TrackID, timeNs, at int64) {
	x.of[lock].arrows.signals.add(happening{time: timeNs, at: at, track: track})
}

func (x *Table) woken(lock model.CollectorID, track model.TrackID, begin, end, at int64) {
	x.of[lock].arrows.wakes.add(happening{time: end, begin: begin, at: at, track: track})
}

func (x *Table) undo(lock model.CollectorID, track model.TrackID, at, timeNs int64) {
	x.of[lock].arrows.undo(track, at, timeNs)
}

func (x *Table) forget(lock model.CollectorID, track model.TrackID, timeNs int64) {
	x.of[lock].arrows.forget(track, timeNs)
}

// Clear frees everything.
func (x *Keeper) Clear() {
	for _, l := range x.of {
		l.arrows.clear()
		columns.LetGo(x.acc, l.tracks)
		x.acc.Add(-columns.SizeOf[sharedLock]() - lockLineBytes)
	}
	columns.LetGo(x.acc, x.order)
	columns.LetGo(x.acc, x.tracks)
	x.tracks = nil
	x.merge.booked.Set(x.acc, 0)
	x.merge = barMerge{}
	x.cuts++
	x.of, x.order = nil, nil
}

// Any reports whether a lock has events.
func (t *Table) Any() bool {
	for _, lock := range t.order {
		if t.of[lock].events > 0 {
			return true
		}
	}
	return false
}

// Events appends to out the lock events of a track in [t0, t1], in order of time; of equal times,
// in the order of their arrival.
func (t *Table) Events(track model.TrackID, t0, t1 int64, out []model.LockEvent) []model.LockEvent {
	k := columns.Slot(t.tracks, track)
	if k == nil {
		return out
	}
	i := columns.Search(k.first, k.events.End(), func(i int64) bool { return k.events.Ref(i).time >= t0 })
	for ; i < k.events.End() && k.events.Ref(i).time <= t1; i++ {
		e := k.events.Ref(i)
		out = append(out, model.LockEvent{Time: e.time, Lock: e.lock, Kind: e.kind})
	}
	return out
}

// All appends to out the locks that have events, in order of first use: the order in which their
// first events came.
func (t *Table) All(out []model.CollectorID) []model.CollectorID {
	for _, lock := range t.order {
		if t.of[lock].events > 0 {
			out = append(out, lock)
		}
	}
	return out
}

// Uses appends to out the uses of a lock that touch [t0, t1], of all tracks, uncut, by Begin (then
// by track and kind). From the try to getting the lock is waiting, from there to giving it back
// holding; each further level of a recursive hold is a use of its own with its Depth, up to 64
// levels. A try that anything else followed on that thread than getting that lock failed
// (profilelib, section 10). Cost: O(tracks that use it · log n + answer · log answer).
func (t *Table) Uses(lock model.CollectorID, t0, t1 int64, out []Use) []Use {
	x := t.of[lock]
	if x == nil {
		return out
	}
	from := len(out)
	end := t.times.Now()
	for _, id := range x.tracks {
		k, line := t.part(id, lock)
		if line == nil {
			continue
		}
		out = k.uses(&line.waits, Use{Lock: lock, Track: id, Kind: Waiting}, t0, t1, out)
		out = k.uses(&line.failed, Use{Lock: lock, Track: id, Kind: Failed}, t0, t1, out)
		out = k.uses(&line.conditions, Use{Lock: lock, Track: id, Kind: Condition}, t0, t1, out)
		for depth := range line.holds {
			out = k.uses(&line.holds[depth], Use{Lock: lock, Track: id, Kind: Holding, Depth: depth}, t0, t1, out)
		}
		for i := range k.open {
			if o := &k.open[i]; o.lock == lock {
				if u := t.openUse(id, o, end); u.Begin <= t1 && u.End >= t0 {
					out = append(out, u)
				}
			}
		}
	}
	slices.SortFunc(out[from:], compareUses)
	return out
}

// compareUses mostly need not look further than Begin.
func compareUses(a, b Use) int {
	if a.Begin != b.Begin {
		return cmp.Compare(a.Begin, b.Begin)
	}
	return cmp.Or(
		cmp.Compare(a.Track, b.Track), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Depth, b.Depth),
		cmp.Compare(a.End, b.End), compareBool(a.OpenBegin, b.OpenBegin), compareBool(a.OpenEnd, b.OpenEnd),
	)
}

// compareBool puts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// uses appends the uses of a row that touch [t0, t1]; u has their lock, kind and track.
func (k *Track) uses(row *useRow, u Use, t0, t1 int64, out []Use) []Use {
	a, b := row.touching(t0, t1)
	for i := a; i < b; i++ {
		out = append(out, row.use(i, u))
	}
	return out
}

func (r *useRow) use(i int64, u Use) Use {
	v := r.uses.Ref(i)
	u.Begin, u.End, u.OpenBegin = v.begin, v.end, v.at&1 != 0
	return u
}

// openUse describes a use that has no end yet.
func (t *Table) openUse(track model.TrackID, o *openUse, now int64) Use {
	end := t.times.End(track, now)
	return Use{
		Lock: o.lock, Track: track, Kind: o.kind, Begin: o.begin, End: max(end, o.begin), Depth: int(o.depth),
		OpenBegin: o.openBegin, OpenEnd: true,
	}
}

// Stats appends to out a summary of each lock that was used in [t0, t1), those with the longest
// time of waiting first. Cost: O(locks · tracks that use them · log n).
func (t *Table) Stats(t0, t1 int64, out []Stats) []Stats {
	var visited int64
	return t.stats(t0, t1, out, &visited)
}

// stats also counts the uses and nodes that it looks at.
func (t *Table) stats(t0, t1 int64, out []Stats, visited *int64) []Stats {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	from := len(out)
	end := t.times.Now()
	for _, lock := range t.order {
		x := t.of[lock]
		st := Stats{Lock: lock}
		t.judge(lock)
		for _, id := range x.tracks {
			k, line := t.part(id, lock)
			if line == nil {
				continue
			}
			before := st.used()
			tries, took, _ := line.waits.within(t0, t1, visited)
			n, ns, longest := line.met.within(t0, t1, visited)
			st.Waits, st.WaitNs = st.Waits+n, st.WaitNs+ns
			st.Unheld, st.UnheldNs = st.Unheld+tries-n, st.UnheldNs+took-ns
			if longest >= 0 {
				st.LongestWait = longer(st.LongestWait, line.met.use(longest, Use{Lock: lock, Track: id, Kind: Waiting}))
			}
			if len(line.holds) > 0 {
				n, ns, longest = line.holds[0].within(t0, t1, visited)
				st.Holds, st.HoldNs = st.Holds+n, st.HoldNs+ns
				if longest >= 0 {
					st.LongestHold = longer(st.LongestHold, line.holds[0].use(longest, Use{Lock: lock, Track: id, Kind: Holding}))
				}
			}
			n, ns, longest = line.conditions.within(t0, t1, visited)
			st.Conditions, st.ConditionNs = st.Conditions+n, st.ConditionNs+ns
			if longest >= 0 {
				of := Use{Lock: lock, Track: id, Kind: Condition}
				st.LongestCondition = longer(st.LongestCondition, line.conditions.use(longest, of))
			}
			a, b := line.failed.inRange(t0, t1)
			st.Failed += b - a
			a, b = line.signals.inRange(t0, t1)
			st.Signals += b - a
			for i := range k.open {
				o := &k.open[i]
				if o.lock != lock || o.depth > 0 {
					continue
				}
				u := t.openUse(id, o, end)
				if u.Begin >= t1 || u.End <= t0 && u.Begin < t0 {
					continue
				}
				ns := min(u.End, t1) - max(u.Begin, t0)
				switch u.Kind {
				case Waiting:
					st.Waits, st.WaitNs, st.LongestWait = st.Waits+1, st.WaitNs+ns, longer(st.LongestWait, u)
				case Holding:
					st.Holds, st.HoldNs, st.LongestHold = st.Holds+1, st.HoldNs+ns, longer(st.LongestHold, u)
				case Condition:
					st.Conditions, st.ConditionNs = st.Conditions+1, st.ConditionNs+ns
					st.LongestCondition = longer(st.LongestCondition, u)
				}
			}
			if st.used() > before {
				st.Threads++
			}
		}
		if st.used() > 0 {
			t.findHolder(&st, end, visited)
			out = append(out, st)
		}
	}
	slices.SortStableFunc(out[from:], func(a, b Stats) int {
		return cmp.Or(cmp.Compare(b.WaitNs, a.WaitNs), cmp.Compare(b.HoldNs, a.HoldNs), cmp.Compare(a.Lock, b.Lock))
	})
	return out
}

// findHolder finds the holder of a lock during its longest wait; of several the first thread that held
// it longest. now is the end of unfinished uses.
func (t *Table) findHolder(st *Stats, now int64, visited *int64) {
	w := &st.LongestWait
	if w.End <= w.Begin {
		return
	}
	for _, id := range t.of[st.Lock].tracks {
		k, line := t.part(id, st.Lock)
		if line == nil || id == w.Track {
			continue
		}
		ns := int64(0)
		if len(line.holds) > 0 {
			_, ns, _ = line.holds[0].within(w.Begin, w.End, visited)
		}
		for i := range k.open {
			if o := &k.open[i]; o.lock == st.Lock && o.depth == 0 && o.kind == Holding {
				u := t.openUse(id, o, now)
				ns += max(0, min(u.End, w.End)-max(u.Begin, w.Begin))
			}
		}
		if ns > st.HolderNs {
			st.Holder, st.HolderNs = id, ns
		}
	}
}

func (st *Stats) used() int64 {
	return st.Waits + st.Unheld + st.Holds + st.Failed + st.Conditions + st.Signals
}

// longer returns the longer of two uses, of equal ones the one that began first. The zero Use
// counts as none.
func longer(a, b Use) Use {
	if a == (Use{}) || b.End-b.Begin > a.End-a.Begin || b.End-b.Begin == a.End-a.Begin && b.Begin < a.Begin {
		return b
	}
	return a
}

// Arrows appends to out the arrows from signals to the waits that they ended, as far as they touch
// [t0, t1], by the time of the signal. A signal ends the wait of another thread on the same name
// that began before the signal and ended first after it; a signal ends one wait at most, and a wait
// is ended by one. Unfinished waits have no arrow, nor those with a lost beginning.
func (t *Table) Arrows(t0, t1 int64, out []Arrow) []Arrow {
	from := len(out)
	for _, lock := range t.order {
		out = t.of[lock].arrows.touching(lock, t0, t1, out)
	}
	slices.SortFunc(out[from:], func(a, b Arrow) int {
		if a.FromTime != b.FromTime {
			return cmp.Compare(a.FromTime, b.FromTime)
		}
		return cmp.Or(
			cmp.Compare(a.ToTime, b.ToTime), cmp.Compare(a.FromTrack, b.FromTrack), cmp.Compare(a.ToTrack, b.ToTrack),
			cmp.Compare(a.Lock, b.Lock),
		)
	})
	return out
}
