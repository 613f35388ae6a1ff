package locks

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/columns"
)

// The lock events of a track, in order of time, and the uses that follow from them. A thread acts
// sequentially, so a small machine reads the uses off one event after another; its whole state is
// the open uses (holds, a try, a wait for a condition). A copy of the state is kept every 512
// events: when a late event or a rewind changes the past, the machine goes back to the copy before
// it and goes on from there.

const (
	maxLockDepth = 64   // of recursion; deeper holds are counted but have no use of their own
	maxOpenUses  = 1024 // of a track
)

// Track is the part of a track with its locks; it has methods that change the table.
type Track struct {
	table  *Table // the session's
	track  model.TrackID
	events lockColumn
	first  int64     // position of the first event that counts
	done   int64     // events before this one were taken by the machine
	add    []lockRow // events that are ready to be taken
	adding columns.Booked
	late   bool // an event came late and was put in its place
	starts columns.FrameStarts
	open   []openUse
	checks []lockCheck // ascending
	lines  map[model.CollectorID]*lockLine
	acc    *columns.Account
	booked columns.Booked // open uses, and copies of them
	// Horizon is the earliest time of the track when the events were taken: uses with a lost
	// beginning begin there.
	Horizon int64
}

type lockColumn struct{ columns.Column }

func (c *lockColumn) Ref(i int64) *lockRow { return columns.Ref[lockRow](&c.Column, i) }

type lockRow struct {
	time, frame int64 // frame is the number of the frame that it came with, or NoFrame
	lock        model.CollectorID
	kind        model.LockKind
}

// lockLine holds the finished uses of one lock on one track.
type lockLine struct {
	lock                               model.CollectorID
	waits, failed, conditions, signals useRow
	holds                              []useRow // by depth
	met                                useRow   // of the waits those that are some: see judge
	judged                             int64    // the position in waits of the first that is not judged
	acc                                *columns.Account
}

// openUse is an unfinished use of a lock: a hold, the try that the thread waits in, or the wait for
// a condition.
type openUse struct {
	lock      model.CollectorID
	kind      UseKind
	depth     int32
	more      int32 // of a hold of the greatest depth: deeper ones
	begin     int64
	openBegin bool
}

// lockCheck is the state before the event of a position.
type lockCheck struct {
	at   int64
	open []openUse
}

func lockTime(r *lockRow) int64 { return r.time }

// Take adds the events that are ready, and returns how many came too late. horizon is the earliest
// time of the track.
func (k *Track) Take(horizon int64) (refused int) {
	if len(k.add) == 0 {
		return 0
	}
	defer k.account()
	k.table.tracks = columns.SetSlot(k.acc, k.table.tracks, k.track, k)
	for i := range k.add {
		k.table.count(k.add[i].lock, k.track, 1)
	}
	k.starts.Add(k.add[0].frame, k.events.End())
	from, refused := columns.Place(&k.events.Column, k.add, k.first, columns.LockWindow, lockTime)
	for i := range refused {
		k.table.count(k.add[i].lock, k.track, -1)
	}
	if k.Horizon = horizon; k.events.End() > k.first {
		k.Horizon = min(horizon, k.events.Ref(k.first).time)
	}
	if from < k.done {
		k.late = true
		k.back(from)
	}
	k.run()
	return refused
}

// Rewind takes back the events that came with frames of at least number; those without a frame
// stay.
func (k *Track) Rewind(number int64) {
	first := k.starts.Rewind(number)
	if k.late { // some may have been put before older ones
		first -= columns.LockWindow
	}
	from := columns.TakeBack(&k.events.Column, max(first, k.first), func(r *lockRow) bool {
		if r.frame == model.NoFrame || r.frame < number {
			return false
		}
		k.table.count(r.lock, k.track, -1)
		return true
	})
	if from < k.done {
		k.back(from)
		k.run()
	}
}

// back undoes the effects of the event of a position and all later ones, and somewhat more.
func (k *Track) back(position int64) {
	k.table.cuts++
	i, ok := slices.BinarySearchFunc(k.checks, position, func(c lockCheck, at int64) int { return int(c.at - at) })
	if !ok {
		i--
	}
	for i := range k.open {
		k.doubt(&k.open[i])
	}
	k.open = k.open[:0]
	k.done = k.first
	if i >= 0 {
		k.done = k.checks[i].at
		k.open = append(k.open, k.checks[i].open...)
		k.checks = k.checks[:i+1]
	}
	for _, line := range k.lines {
		line.waits.truncate(k.done)
		line.met.truncate(k.done)
		line.judged = min(line.judged, line.waits.uses.End())
		line.failed.truncate(k.done)
		for d := range line.holds {
			if hold, some := line.holds[d].truncate(k.done); some {
				k.table.doubts(line.lock, hold.begin)
			}
		}
		if use, some := line.conditions.truncate(k.done); some {
			k.table.undo(line.lock, k.track, k.done, use.end)
		}
		if use, some := line.signals.truncate(k.done); some {
			k.table.undo(line.lock, k.track, k.done, use.end)
		}
	}
}

// run lets the machine take the events that it did not take yet.
func (k *Track) run() {
	for ; k.done < k.events.End(); k.done++ {
		if k.done&(1<<columns.LockCheckShift-1) == 0 && (len(k.checks) == 0 || k.checks[len(k.checks)-1].at < k.done) {
			k.checks = append(k.checks, lockCheck{k.done, slices.Clone(k.open)})
		}
		k.step(k.events.Ref(k.done), k.done, false)
	}
}

// line returns the line of a lock, a new one if need be.
func (k *Track) line(lock model.CollectorID) *lockLine {
	line := k.lines[lock]
	if line == nil {
		if k.lines == nil {
			k.lines = map[model.CollectorID]*lockLine{}
		}
		line = &lockLine{lock: lock, acc: k.acc}
		for _, r := range [...]*useRow{&line.waits, &line.met, &line.failed, &line.conditions, &line.signals} {
			r.init(k.acc)
		}
		k.acc.Add(columns.SizeOf[lockLine]() + lockLineBytes)
		k.lines[lock] = line
	}
	return line
}

// find returns the index in k.open of the innermost open use of a kind, of a lock or of any lock;
// -1 without one.
func (k *Track) find(kind UseKind, lock model.CollectorID) int {
	for i := len(k.open) - 1; i >= 0; i-- {
		if o := &k.open[i]; o.kind == kind && (lock == model.NoCollector || o.lock == lock) {
			return i
		}
	}
	return -1
}

func (k *Track) begin(o openUse) {
	if len(k.open) < maxOpenUses {
		k.open = append(k.open, o)
		k.doubt(&o)
	}
}

// doubt notes that waits of other threads may have met a hold, or not.
func (k *Track) doubt(o *openUse) {
	if o.kind == Holding && o.depth == 0 {
		k.table.doubts(o.lock, o.begin)
	}
}

// step takes the event at a position. quiet changes only open uses: for the state at the beginning
// of the remaining data.
func (k *Track) step(e *lockRow, at int64, quiet bool) {
	line := k.line(e.lock)
	known := line.lastEnd(k.Horizon) // the last time at which something is known of this lock on this thread
	if i := k.find(Waiting, model.NoCollector); i >= 0 && e.kind != model.LockWoken {
		try := k.open[i]
		k.open = slices.Delete(k.open, i, i+1)
		of := k.line(try.lock)
		row := &of.failed
		if e.kind == model.LockAcquired && try.lock == e.lock {
			row = &of.waits
		} else if try.lock == e.lock {
			known = max(known, try.begin)
		}
		k.finish(row, try, e.time, at, quiet)
	}
	switch e.kind {
	case model.LockTry:
		k.begin(openUse{lock: e.lock, kind: Waiting, begin: e.time})
	case model.LockAcquired:
		o := openUse{lock: e.lock, kind: Holding, begin: e.time}
		if i := k.find(Holding, e.lock); i >= 0 {
			if o.depth = k.open[i].depth + 1; o.depth >= maxLockDepth {
				k.open[i].more = min(k.open[i].more, math.MaxInt32-1) + 1
				return
			}
		}
		k.begin(o)
	case model.LockReleased:
		i := k.find(Holding, e.lock)
		if i < 0 { // nothing was received of when it began
			k.finish(line.hold(0), openUse{begin: min(known, e.time), openBegin: true}, e.time, at, quiet)
			k.table.doubts(e.lock, min(known, e.time))
			return
		}
		if k.open[i].more > 0 {
			k.open[i].more--
			return
		}
		k.finish(line.hold(k.open[i].depth), k.open[i], e.time, at, quiet)
		k.open = slices.Delete(k.open, i, i+1)
		k.table.doubts(e.lock, e.time) // it lasted no longer
	case model.LockWait:
		k.wake(model.NoCollector, e.time, at, quiet) // a thread waits once at a time
		k.begin(openUse{lock: e.lock, kind: Condition, begin: e.time})
	case model.LockWoken:
		if !k.wake(e.lock, e.time, at, quiet) {
			k.finish(&line.conditions, openUse{begin: min(known, e.time), openBegin: true}, e.time, at, quiet)
		}
	case model.LockSignal:
		k.finish(&line.signals, openUse{begin: e.time}, e.time, at, quiet)
		if !quiet {
			k.table.signal(e.lock, k.track, e.time, at)
		}
	}
}

// wake ends the wait for a condition, if the thread is in one.
func (k *Track) wake(lock model.CollectorID, timeNs, at int64, quiet bool) bool {
	i := k.find(Condition, lock)
	if i < 0 {
		return false
	}
	o := k.open[i]
	k.open = slices.Delete(k.open, i, i+1)
	k.finish(&k.line(o.lock).conditions, o, timeNs, at, quiet)
	if !quiet {
		k.table.woken(o.lock, k.track, o.begin, timeNs, at)
	}
	return true
}

func (k *Track) finish(row *useRow, o openUse, end, at int64, quiet bool) {
	if quiet {
		return
	}
	u := lockUse{begin: o.begin, end: end, at: at << 1}
	if o.openBegin {
		u.at |= 1
	}
	row.push(u)
}

// DropBefore forgets the events before a time, and the uses that ended before it. It returns how
// many events left.
func (k *Track) DropBefore(timeNs int64) (events int64) {
	to := columns.Search(k.first, k.events.End(), func(i int64) bool { return k.events.Ref(i).time >= timeNs })
	if to == k.first {
		return 0
	}
	k.table.cuts++
	// The state before the first event that stays, for a rewind to it.
	i, ok := slices.BinarySearchFunc(k.checks, to, func(c lockCheck, at int64) int { return int(c.at - at) })
	if !ok && i > 0 {
		now := k.open
		k.open = k.checks[i-1].open
		for p := k.checks[i-1].at; p < to; p++ {
			k.step(k.events.Ref(p), p, true)
		}
		i--
		k.checks[i] = lockCheck{to, k.open}
		k.open = now
	}
	k.checks = slices.Delete(k.checks, 0, i)
	for p := k.first; p < to; p++ {
		k.table.count(k.events.Ref(p).lock, k.track, -1)
	}
	events = to - k.first
	k.first = to
	k.events.DropBefore(to)
	for lock, line := range k.lines {
		line.waits.dropBefore(timeNs)
		line.met.dropBefore(timeNs)
		line.failed.dropBefore(timeNs)
		line.conditions.dropBefore(timeNs)
		line.signals.dropBefore(timeNs)
		for d := range line.holds {
			line.holds[d].dropBefore(timeNs)
		}
		k.table.forget(lock, k.track, timeNs)
	}
	k.account()
	return events
}

func (l *lockLine) hold(depth int32) *useRow {
	for int(depth) >= len(l.holds) {
		l.holds = columns.Push(l.acc, l.holds, useRow{})
		l.holds[len(l.holds)-1].init(l.acc)
	}
	return &l.holds[depth]
}

// lastEnd returns the latest time at which a use ended, at least from.
func (l *lockLine) lastEnd(from int64) int64 {
	from = max(from, l.waits.lastEnd(), l.failed.lastEnd(), l.conditions.lastEnd(), l.signals.lastEnd())
	for d := range l.holds {
		from = max(from, l.holds[d].lastEnd())
	}
	return from
}

// Queue makes an event ready to be taken. frame is the number of the frame that it came with, or
// NoFrame.
func (k *Track) Queue(e model.LockEvent, frame int64) {
	k.add = append(k.add, lockRow{e.Time, frame, e.Lock, e.Kind})
}

// Bounds returns the times of the oldest and the newest event; ok is false where there is none.
func (k *Track) Bounds() (begin, end int64, ok bool) {
	if k.events.End() == k.first {
		return 0, 0, false
	}
	return k.events.Ref(k.first).time, k.events.Ref(k.events.End() - 1).time, true
}

// Empty reports whether there never was an event since the last Clear.
func (k *Track) Empty() bool { return k.events.End() == 0 }

// Stored returns the number of events that are kept.
func (k *Track) Stored() int64 { return k.events.End() - k.first }

// Positions returns the position of the oldest event that is kept, and that behind the newest.
func (k *Track) Positions() (first, end int64) { return k.first, k.events.End() }

// Init makes the part of a track ready.
func (k *Track) Init(table *Keeper, id model.TrackID, acc *columns.Account) {
	k.table, k.track, k.acc = &table.Table, id, acc
	k.events.Acc, k.starts.Acc = acc, acc
}

// account books the state of the machine.
func (k *Track) account() {
	k.add = columns.Settle(k.acc, &k.adding, k.add)
	n := int64(cap(k.open))*columns.SizeOf[openUse]() + int64(cap(k.checks))*columns.SizeOf[lockCheck]()
	for i := range k.checks {
		n += int64(cap(k.checks[i].open)) * columns.SizeOf[openUse]()
	}
	k.booked.Set(k.acc, n)
}

// Clear frees everything.
func (k *Track) Clear() {
	k.table.cuts++
	columns.EmptySlot(k.table.tracks, k.track, k)
	k.events.Clear()
	k.adding.Set(k.acc, 0)
	k.booked.Set(k.acc, 0)
	k.starts.Clear()
	for _, l := range k.lines {
		for _, r := range [...]*useRow{&l.waits, &l.failed, &l.conditions, &l.signals} {
			r.clear()
		}
		for d := range l.holds {
			l.holds[d].clear()
		}
		columns.LetGo(k.acc, l.holds)
		k.acc.Add(-columns.SizeOf[lockLine]() - lockLineBytes)
	}
	k.lines, k.open, k.checks, k.first, k.done = nil, nil, nil, 0, 0
}

// lockLineBytes is about the size of a line in the map.
const lockLineBytes = 48
