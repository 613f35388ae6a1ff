// Package memory keeps the program within the memory that its user allows.
//
// The limit is one of resident memory: N bytes for what is loaded, and a fifth of that for what
// nobody can plan (garbage, fragments, the spans of time between two looks), on top of what the
// program takes with nothing loaded. Whoever holds much has a share of N: the sessions, and the
// feeds with what waits and is held back. That is enough as long as the accounts are right and the
// collector is in time. The Keeper makes sure of it whatever the cause: four times a second it
// looks at what the system says, tells the collector how much it may use, and takes from the
// sessions what is too much.
package memory

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"framescope/net/feed"
)

// Default is the limit when none is asked for, in bytes.
const Default = 2 << 30

// Slack is how much more than the limit may be resident, besides what the empty program takes:
// limit/Slack.
const Slack = 5

// Usage is what the program holds, in bytes.
type Usage struct {
	Resident int64 // as the system says it
	// Go is what the Go runtime holds of it: live objects, garbage, stacks and its own. The rest is
	// code, the display's libraries and pages of the store.
	Go int64
	// Live is what of Go the collector found in use when it last looked.
	Live int64
}

// Look measures.
func Look() Usage {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/gc/heap/live:bytes"},
	}
	metrics.Read(samples)
	value := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	u := Usage{Go: value(0) - value(1), Live: value(2)}
	if u.Resident = resident(); u.Resident <= 0 {
		u.Resident = u.Go // a system that does not tell
	}
	return u
}

// Keeper keeps the program within a limit. There should be one at a time: what it tells the
// collector holds for the whole process.
type Keeper struct {
	limit atomic.Int64
	stop  chan struct{}
	done  sync.WaitGroup

	look func() Usage // for tests
	free func()
	tell func(bytes int64) // the collector how much it may use

	baseline atomic.Int64
	allowed  atomic.Int64 // what the sessions may hold
	sessions atomic.Int64 // what they said that they hold
	waiting  atomic.Int64
	usage    atomic.Pointer[Usage]
	told     int64
	freed    int // looks since memory was last given back
}

// every is the time between two looks, each of which costs some ten microseconds.
const every = 250 * time.Millisecond

// patience is how many looks there are between two attempts to give memory back, each of which
// costs a collection.
const patience = 12

// garbage is how much garbage may come for each byte in use before the next collection, in percent.
// What is large in this program holds no pointers and is not walked, so collecting often costs
// little.
const garbage = 40

// Thrifty lets the program hold as little garbage as Keep does, and says what it may hold in bytes, which load.Options.Limit
// keeps to: for commands that read all of a recording and answer a question on it. It holds until the program ends.
func Thrifty(limit int64) {
	debug.SetGCPercent(garbage)
	feed.SetMemory(limit)
}

// Steady returns what all sessions together may hold under a limit whatever else takes memory, in bytes.
func Steady(limit int64) int64 { return limit * 3 / 4 }

// Limit returns what the program may take besides what it takes with nothing loaded, in bytes; that is Default
// without a Keeper.
func (k *Keeper) Limit() int64 {
	if k == nil {
		return Default
	}
	return k.limit.Load()
}

// Keep begins to keep to the limit, in bytes; 0 means Default. What the program holds now, garbage
// and what is accounted for left out, is what it takes with nothing loaded. It is called when the
// program stands: the window is open, or the first byte is about to be read.
func Keep(limit, sessions, waiting int64) *Keeper {
	k := newKeeper(limit)
	k.Held(sessions, waiting)
	percent := debug.SetGCPercent(garbage)
	before := debug.SetMemoryLimit(-1)
	k.begin()
	k.done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				k.check()
			case <-k.stop:
				debug.SetGCPercent(percent)
				debug.SetMemoryLimit(before)
				return
			}
		}
	})
	return k
}

func newKeeper(limit int64) *Keeper {
	k := &Keeper{stop: make(chan struct{}), look: Look, free: debug.FreeOSMemory, freed: patience}
	k.tell = func(bytes int64) { debug.SetMemoryLimit(bytes) }
	k.SetLimit(limit)
	k.usage.Store(&Usage{})
	return k
}

// begin takes what the program holds now for what it takes with nothing loaded.
func (k *Keeper) begin() {
	held := k.sessions.Load() + k.waiting.Load()
	k.free()
	u := k.look()
	k.usage.Store(&u)
	k.baseline.Store(max(0, u.Resident-held))
	k.collector(&u, k.limit.Load())
}

// Stop ends the keeping, and puts the collector back to what it was.
func (k *Keeper) Stop() {
	close(k.stop)
	k.done.Wait()
	feed.SetMemory(0)
}

// SetLimit changes the limit, in bytes; 0 means Default.
func (k *Keeper) SetLimit(limit int64) {
	k.limit.Store(orDefault(limit))
	k.allowed.Store(Sessions(limit))
	feed.SetMemory(orDefault(limit))
}

// Baseline returns what the program takes with nothing loaded, in bytes; 0 while that is not known.
func (k *Keeper) Baseline() int64 { return k.baseline.Load() }

// Usage returns what the program held at the last look.
func (k *Keeper) Usage() Usage { return *k.usage.Load() }

// Sessions returns what all sessions together may hold at present, in bytes:
// store.Store.MemoryLimit.
func (k *Keeper) Sessions() int64 { return k.allowed.Load() }

// Steady returns Steady of the limit: less than Sessions mostly returns, but the same each time.
func (k *Keeper) Steady() int64 { return Steady(k.limit.Load()) }

// Held tells how much is accounted for, in bytes: what the sessions hold, and what waits for them.
func (k *Keeper) Held(sessions, waiting int64) {
	k.sessions.Store(sessions)
	k.waiting.Store(waiting)
}

// Sessions returns what sessions may hold under a limit, when nothing else takes more than its
// share, in bytes.
func Sessions(limit int64) int64 { return orDefault(limit) * 7 / 8 }

// Feeds returns what may wait in feeds under a limit, in bytes: see feed.Hub.SetLimit.
func Feeds(limit int64) int64 { return max(orDefault(limit)/8, 4<<20) }

// Message returns how long one message of a program may be under a limit, in bytes: a frame takes
// several times as much memory while it is decoded.
func Message(limit int64) int { return int(min(max(orDefault(limit)/64, 4<<20), 256<<20)) }

func orDefault(limit int64) int64 {
	if limit <= 0 {
		return Default
	}
	return limit
}

// check looks once and does what is needed.
func (k *Keeper) check() {
	u := k.look()
	base, limit := k.baseline.Load(), k.limit.Load()
	much := base + limit + limit/10
	if k.freed++; u.Resident > much && k.freed >= patience {
		// It may be garbage, or memory that the collector has and the system could get back.
		k.freed = 0
		k.free()
		u = k.look()
	}
	k.usage.Store(&u)
	k.collector(&u, limit)
	allowed, sessions := k.allowed.Load(), k.sessions.Load()
	switch {
	case u.Resident > much && k.freed == 0 && sessions <= allowed:
		// They keep to what they were told, nothing more can be given back, and it is too much all
		// the same.
		allowed = sessions - (u.Resident - base - limit)
	case u.Resident < base+limit:
		allowed += (base + limit - u.Resident) / 32
	}
	k.allowed.Store(min(max(allowed, limit/16), Sessions(limit)))
}

// collector tells the collector how much it may use: what is left of the limit and a tenth when all
// that is not its own is taken away. A limit close to what is in use would make it work without an
// end.
func (k *Keeper) collector(u *Usage, limit int64) {
	others := max(0, u.Resident-u.Go)
	to := max(k.baseline.Load()+limit+limit/10-others, u.Live+u.Live/16+6<<20)
	if d := to - k.told; d > to/64 || -d > to/64 {
		k.told = to
		k.tell(to)
	}
}
