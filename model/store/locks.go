package store

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// LockUse is one stretch of time that a thread spent on a lock: waiting for it, holding it, or waiting for a condition of that name.
type LockUse struct {
	Lock       model.CollectorID
	Track      model.TrackID
	Kind       LockUseKind
	Begin, End int64
	Depth      int // of a hold: how often the thread held the lock already, 0 for the outermost
	// OpenBegin tells that the beginning was not received: Begin is then the last time at which something was known of the lock on that thread, or where the track began.
	// OpenEnd tells that the end was not received (yet): End is then where the session ends, or the track if it is no longer alive.
	OpenBegin, OpenEnd bool
}

// LockUseKind is what a thread did with a lock.
type LockUseKind uint8

// The kinds of lock uses.
const (
	LockWaiting   LockUseKind = iota // from the try to getting it
	LockHolding                      // from getting it to giving it back
	LockFailed                       // a try that did not get it: Begin and End are the time of the try and of what followed
	LockCondition                    // waiting for a condition, until the thread was seen again
)

// LockStats summarises the uses of a lock in a range. Times in ns, cut to the range, summed over all threads. Of recursive holds the outermost counts.
type LockStats struct {
	Lock                     model.CollectorID
	Waits, Holds, Failed     int64 // uses that touch the range
	Conditions, Signals      int64
	WaitNs, HoldNs           int64
	ConditionNs              int64
	LongestWait, LongestHold LockUse // uncut; the zero LockUse with End 0 when there is none
	Threads                  int     // that used it
}

// SignalArrow joins a signal to the wait that it ended.
type SignalArrow struct {
	Lock               model.CollectorID
	FromTrack, ToTrack model.TrackID
	FromTime, ToTime   int64 // of the signal and of the waiter's wake-up
	WaitBegin          int64
}

// lockTable knows which locks there are and who used them.
type lockTable struct {
	order []model.CollectorID // of first use
	of    map[model.CollectorID]*sharedLock
	acc   *columns.Account
}

type sharedLock struct {
	events int64           // stored
	tracks []model.TrackID // that had events, ascending
	arrows arrowIndex
}

// count adds n to the events of a lock.
func (x *lockTable) count(lock model.CollectorID, track model.TrackID, n int64) {
	l := x.of[lock]
	if l == nil {
		if x.of == nil {
			x.of = map[model.CollectorID]*sharedLock{}
		}
		l = new(sharedLock)
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

func (x *lockTable) signal(lock model.CollectorID, track model.TrackID, timeNs, at int64) {
	a := &x.of[lock].arrows
	a.newSignals = columns.Push(a.acc, a.newSignals, signalAt{time: timeNs, at: at, track: track})
}

func (x *lockTable) woken(lock model.CollectorID, track model.TrackID, begin, end, at int64) {
	a := &x.of[lock].arrows
	a.newWakes = columns.Push(a.acc, a.newWakes, wakeAt{begin: begin, end: end, at: at, track: track})
}

func (x *lockTable) undo(lock model.CollectorID, track model.TrackID, at, timeNs int64) {
	x.of[lock].arrows.undo(track, at, timeNs)
}

func (x *lockTable) forget(lock model.CollectorID, track model.TrackID, timeNs int64) {
	x.of[lock].arrows.forget(track, timeNs)
}

// clear lets go of everything.
func (x *lockTable) clear() {
	for _, l := range x.of {
		l.arrows.clear()
		columns.LetGo(x.acc, l.tracks)
		x.acc.Add(-columns.SizeOf[sharedLock]() - lockLineBytes)
	}
	columns.LetGo(x.acc, x.order)
	x.of, x.order = nil, nil
}

// Locks appends to out the locks that have events, in order of first use: the order in which their first events came.
func (s *Session) Locks(out []model.CollectorID) []model.CollectorID {
	for _, lock := range s.locks.order {
		if s.locks.of[lock].events > 0 {
			out = append(out, lock)
		}
	}
	return out
}

// LockUses appends to out the uses of a lock that touch [t0, t1], of all tracks, uncut, by Begin (then by track and kind). From the try to getting the lock is waiting, from
// there to giving it back holding; each further level of a recursive hold is a use of its own with its Depth, up to 64 levels. A try that anything else followed on that
// thread than getting that lock failed (profilelib, section 10). Cost: O(tracks that use it · log n + answer · log answer).
func (s *Session) LockUses(lock model.CollectorID, t0, t1 int64, out []LockUse) []LockUse {
	x := s.locks.of[lock]
	if x == nil {
		return out
	}
	from := len(out)
	end := s.now()
	for _, id := range x.tracks {
		k := &s.tracks[id].locks
		line := k.lines[lock]
		if line == nil {
			continue
		}
		out = k.uses(&line.waits, LockUse{Lock: lock, Track: id, Kind: LockWaiting}, t0, t1, out)
		out = k.uses(&line.failed, LockUse{Lock: lock, Track: id, Kind: LockFailed}, t0, t1, out)
		out = k.uses(&line.conditions, LockUse{Lock: lock, Track: id, Kind: LockCondition}, t0, t1, out)
		for depth := range line.holds {
			out = k.uses(&line.holds[depth], LockUse{Lock: lock, Track: id, Kind: LockHolding, Depth: depth}, t0, t1, out)
		}
		for i := range k.open {
			if o := &k.open[i]; o.lock == lock {
				if u := s.openUse(id, o, end); u.Begin <= t1 && u.End >= t0 {
					out = append(out, u)
				}
			}
		}
	}
	slices.SortFunc(out[from:], compareUses)
	return out
}

// compareUses mostly need not look further than Begin.
func compareUses(a, b LockUse) int {
	if a.Begin != b.Begin {
		return cmp.Compare(a.Begin, b.Begin)
	}
	return cmp.Or(cmp.Compare(a.Track, b.Track), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.End, b.End), compareBool(a.OpenBegin, b.OpenBegin), compareBool(a.OpenEnd, b.OpenEnd))
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

// uses appends the uses of a row that touch [t0, t1]; u says of what.
func (k *trackLocks) uses(row *useRow, u LockUse, t0, t1 int64, out []LockUse) []LockUse {
	a, b := row.touching(t0, t1)
	for i := a; i < b; i++ {
		out = append(out, row.use(i, u))
	}
	return out
}

func (r *useRow) use(i int64, u LockUse) LockUse {
	v := r.uses.Ref(i)
	u.Begin, u.End, u.OpenBegin = v.begin, v.end, v.at&1 != 0
	return u
}

// now returns where a session that goes on has come to: the latest time of its tracks.
func (s *Session) now() int64 {
	_, end, ok := s.Bounds()
	if !ok {
		return model.MinTime
	}
	return end
}

// openUse describes a use that has no end yet.
func (s *Session) openUse(track model.TrackID, o *openUse, now int64) LockUse {
	t := s.tracks[track]
	end := t.hi
	if t.Alive && !t.Def.OwnClock {
		end = max(end, now)
	}
	return LockUse{Lock: o.lock, Track: track, Kind: o.kind, Begin: o.begin, End: max(end, o.begin), Depth: int(o.depth), OpenBegin: o.openBegin, OpenEnd: true}
}

// LockTable appends to out a summary of each lock that was used in [t0, t1], those with the longest time of waiting first. Cost: O(locks · tracks that use them · log n).
func (s *Session) LockTable(t0, t1 int64, out []LockStats) []LockStats {
	var visited int64
	return s.lockTable(t0, t1, out, &visited)
}

// lockTable also counts the uses and nodes that it looks at.
func (s *Session) lockTable(t0, t1 int64, out []LockStats, visited *int64) []LockStats {
	t0, t1 = model.ClampTime(t0), model.ClampTime(t1)
	from := len(out)
	end := s.now()
	for _, lock := range s.locks.order {
		x := s.locks.of[lock]
		st := LockStats{Lock: lock}
		for _, id := range x.tracks {
			k := &s.tracks[id].locks
			line := k.lines[lock]
			if line == nil {
				continue
			}
			before := st.used()
			n, ns, longest := line.waits.within(t0, t1, visited)
			st.Waits, st.WaitNs = st.Waits+n, st.WaitNs+ns
			if longest >= 0 {
				st.LongestWait = longer(st.LongestWait, line.waits.use(longest, LockUse{Lock: lock, Track: id, Kind: LockWaiting}))
			}
			if len(line.holds) > 0 {
				n, ns, longest = line.holds[0].within(t0, t1, visited)
				st.Holds, st.HoldNs = st.Holds+n, st.HoldNs+ns
				if longest >= 0 {
					st.LongestHold = longer(st.LongestHold, line.holds[0].use(longest, LockUse{Lock: lock, Track: id, Kind: LockHolding}))
				}
			}
			n, ns, _ = line.conditions.within(t0, t1, visited)
			st.Conditions, st.ConditionNs = st.Conditions+n, st.ConditionNs+ns
			a, b := line.failed.touching(t0, t1)
			st.Failed += b - a
			a, b = line.signals.touching(t0, t1)
			st.Signals += b - a
			for i := range k.open {
				o := &k.open[i]
				if o.lock != lock || o.depth > 0 {
					continue
				}
				u := s.openUse(id, o, end)
				if u.Begin > t1 || u.End < t0 {
					continue
				}
				ns := min(u.End, t1) - max(u.Begin, t0)
				switch u.Kind {
				case LockWaiting:
					st.Waits, st.WaitNs, st.LongestWait = st.Waits+1, st.WaitNs+ns, longer(st.LongestWait, u)
				case LockHolding:
					st.Holds, st.HoldNs, st.LongestHold = st.Holds+1, st.HoldNs+ns, longer(st.LongestHold, u)
				case LockCondition:
					st.Conditions, st.ConditionNs = st.Conditions+1, st.ConditionNs+ns
				}
			}
			if st.used() > before {
				st.Threads++
			}
		}
		if st.used() > 0 {
			out = append(out, st)
		}
	}
	slices.SortStableFunc(out[from:], func(a, b LockStats) int {
		return cmp.Or(cmp.Compare(b.WaitNs, a.WaitNs), cmp.Compare(b.HoldNs, a.HoldNs), cmp.Compare(a.Lock, b.Lock))
	})
	return out
}

func (st *LockStats) used() int64 {
	return st.Waits + st.Holds + st.Failed + st.Conditions + st.Signals
}

// longer returns the longer of two uses, of equal ones the one that began first. The zero LockUse counts as none.
func longer(a, b LockUse) LockUse {
	if a == (LockUse{}) || b.End-b.Begin > a.End-a.Begin || b.End-b.Begin == a.End-a.Begin && b.Begin < a.Begin {
		return b
	}
	return a
}

// SignalArrows appends to out what joins signals to the waits that they ended, as far as it touches [t0, t1], by the time of the signal. A signal ends the wait of another
// thread on the same name that began before the signal and ended first after it; a signal ends one wait at most, and a wait is ended by one. Waits that are not over yet have no arrow,
// nor those whose beginning was not received.
func (s *Session) SignalArrows(t0, t1 int64, out []SignalArrow) []SignalArrow {
	from := len(out)
	for _, lock := range s.locks.order {
		out = s.locks.of[lock].arrows.touching(lock, t0, t1, out)
	}
	slices.SortFunc(out[from:], func(a, b SignalArrow) int {
		if a.FromTime != b.FromTime {
			return cmp.Compare(a.FromTime, b.FromTime)
		}
		return cmp.Or(cmp.Compare(a.ToTime, b.ToTime), cmp.Compare(a.FromTrack, b.FromTrack), cmp.Compare(a.ToTrack, b.ToTrack), cmp.Compare(a.Lock, b.Lock))
	})
	return out
}
