// Package memory keeps the program within the user's memory limit.
//
// The limit bounds resident memory: N bytes for loaded data, and a fifth of that for unplanned use
// (garbage, fragments, growth between two checks), on top of the program's use with nothing loaded.
// Each large consumer has a share of N: the sessions, and the feeds with waiting and held data. That is
// enough as long as the accounts are right and the garbage collector is in time. The Keeper enforces
// the limit in any case: four times a second it reads the system's figures, sets the garbage
// collector's limit, and takes any excess from the sessions.
package memory

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"framescope/model/store"
	"framescope/net/feed"
)

// Default is the default limit in bytes.
const Default = 2 << 30

// Slack defines the allowed excess over the limit, besides the empty program's memory: limit/Slack.
const Slack = 5

// Usage is the memory of the program, in bytes.
type Usage struct {
	Resident int64 // as the system says it
	// Go is the part held by the Go runtime: live objects, garbage, stacks and its own. The rest is
	// code, the display's libraries and pages of the store.
	Go int64
	// Live is the part of Go found in use by the last garbage collection.
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
		u.Resident = u.Go // the system does not report it
	}
	return u
}

// Keeper keeps the program within a limit. There should be one at a time: its garbage collector
// settings hold for the whole process.
type Keeper struct {
	limit atomic.Int64
	stop  chan struct{}
	done  sync.WaitGroup

	look   func() Usage // for tests
	free   func()
	report func(bytes int64) // the collector how much it may use

	baseline atomic.Int64
	allowed  atomic.Int64 // limit for the sessions
	sessions atomic.Int64 // as reported by the sessions
	waiting  atomic.Int64
	usage    atomic.Pointer[Usage]
	told     int64
	freed    int // looks since memory was last given back
}

// every is the time between two checks, which cost some ten microseconds each.
const every = 250 * time.Millisecond

// patience is the number of checks between two attempts to give memory back, which cost a collection
// each.
const patience = 12

// garbage is the allowed garbage per byte in use before the next collection, in percent. Large data in
// this program holds no pointers and is not scanned, so collecting often costs little.
const garbage = 40

// Thrifty limits garbage as Keep does, and sets the memory limit in bytes, which load.Options.Limit
// observes: for commands that read all of a recording and answer a question on it. It holds until the
// program ends.
func Thrifty(limit int64) {
	debug.SetGCPercent(garbage)
	feed.SetMemory(limit)
}

// Steady returns the limit for all sessions together, regardless of other uses of memory, in bytes.
func Steady(limit int64) int64 { return limit * 3 / 4 }

// Limit returns the program's limit beyond its use with nothing loaded, in bytes; Default without a
// Keeper.
func (k *Keeper) Limit() int64 {
	if k == nil {
		return Default
	}
	return k.limit.Load()
}

// Keep starts to enforce the limit, in bytes; 0 means Default. The program's current memory, without
// garbage and accounted data, is its use with nothing loaded. Call it when the program is ready: the
// window is open, or the first byte is about to be read.
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
	k.report = func(bytes int64) { debug.SetMemoryLimit(bytes) }
	k.SetLimit(limit)
	k.usage.Store(&Usage{})
	return k
}

// begin takes the program's current memory as its use with nothing loaded.
func (k *Keeper) begin() {
	held := k.sessions.Load() + k.waiting.Load()
	k.free()
	u := k.look()
	k.usage.Store(&u)
	k.baseline.Store(max(0, u.Resident-held))
	k.collector(&u, k.limit.Load())
}

// Stop ends the enforcement, and restores the garbage collector's settings.
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

// Baseline returns the program's memory with nothing loaded, in bytes; 0 while unknown.
func (k *Keeper) Baseline() int64 { return k.baseline.Load() }

// Usage returns the program's memory at the last check.
func (k *Keeper) Usage() Usage { return *k.usage.Load() }

// Sessions returns the present limit for all sessions together, in bytes: store.Store.MemoryLimit.
func (k *Keeper) Sessions() int64 { return k.allowed.Load() }

// Steady returns Steady of the limit: less than Sessions mostly returns, but the same each time.
func (k *Keeper) Steady() int64 { return Steady(k.limit.Load()) }

// Held sets the accounted bytes: those of the sessions, and those waiting for them.
func (k *Keeper) Held(sessions, waiting int64) {
	k.sessions.Store(sessions)
	k.waiting.Store(waiting)
}

// Sessions returns the sessions' share of a limit, when nothing else exceeds its share, in bytes.
func Sessions(limit int64) int64 { return orDefault(limit) * 7 / 8 }

// Feeds returns the share of a limit for data waiting in feeds, in bytes: see feed.Hub.SetLimit.
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

// check does one check and acts on it.
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
		// The sessions are within their share, nothing more can be given back, and the total is still
		// too much.
		allowed = sessions - (u.Resident - base - limit)
	case u.Resident < base+limit:
		allowed += (base + limit - u.Resident) / 32
	}
	k.allowed.Store(min(max(allowed, limit/16), Sessions(limit)))
}

// collector sets the garbage collector's limit: the user's limit and a tenth, without memory outside of
// the Go heap. A limit close to the live heap would make it collect without an end.
func (k *Keeper) collector(u *Usage, limit int64) {
	others := max(0, u.Resident-u.Go)
	to := max(k.baseline.Load()+limit+limit/10-others, u.Live+u.Live/16+6<<20)
	if d := to - k.told; d > to/64 || -d > to/64 {
		k.told = to
		k.report(to)
	}
}

// Apply sets the limits of a store and the hub that fills it, and notes their memory. Programs without
// a window call it before every poll. Without a Keeper the store has its default.
func (k *Keeper) Apply(st *store.Store, hub *feed.Hub) {
	if k == nil {
		return
	}
	limit := k.limit.Load()
	var waiting int64
	if hub != nil {
		hub.SetLimit(Feeds(limit))
		s := hub.Stats()
		waiting = s.WaitingBytes + s.FreeBytes + s.HeldBytes
	}
	st.MemoryLimit = k.Sessions()
	m := st.Memory()
	k.Held(m.Total(), waiting)
}
