package perfetto

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"framescope/net/trace"
)

// Built-in clocks.
const (
	realtime  = 1
	monotonic = 3
	boot      = 6
	firstOwn  = 64 // private ones of a sequence, up to
	lastOwn   = 127
	lostClock = math.MaxUint32 // a private one that nobody defined
)

// Times that are kept: differences of two of them fit the model's.
const (
	leastTime = -1 << 57
	mostTime  = 1<<61 - 1<<57
)

const (
	mostClocks = 256 // of a snapshot
	mostHops   = 8   // over how many others a clock may be tied to the primary one
)

// snapshot is a moment that several clocks show.
type snapshot []reading

// reading is the time of one of them.
type reading struct {
	clock uint32
	ns    int64
}

// scaled returns a number of units in ns, and whether it is a time.
func scaled(v, unit uint64) (ns int64, ok bool) {
	hi, lo := bits.Mul64(v, unit)
	return int64(lo), hi == 0 && lo <= mostTime
}

// isOwn reports whether a clock is a private one of a sequence.
func isOwn(clock uint32) bool { return clock >= firstOwn && clock <= lastOwn }

// ownClock is a private clock of a sequence.
type ownClock struct {
	id          uint32
	unit        uint64 // ns
	base        uint32 // the clock that it is tied to
	incremental bool
	now         int64 // the current time of an incremental clock
	offset      int64 // to the base
}

// time returns the time of a packet on the underlying clock. has means that the packet has a time: on an
// incremental clock, the distance from the previous one.
func (o *ownClock) time(t uint64, has bool) (ns int64, ok bool) {
	ns, ok = scaled(t, o.unit)
	if o.incremental {
		if ns += o.now; !ok || ns > mostTime {
			return 0, false
		}
		o.now = ns
	} else if !has {
		return 0, false
	}
	ns += o.offset
	return ns, ok && ns >= leastTime && ns <= mostTime
}

// time returns the time of a packet on a clock that all sequences share, 0 for the primary one.
func (d *decoder) time(s *sequence, p *packet) (ns int64, clock uint32, ok bool) {
	clock = s.clock
	if p.hasClock {
		clock = p.clock
	}
	if !isOwn(clock) {
		unit := max(d.units[clock], 1)
		d.unit = int64(min(unit, 1e9))
		ns, ok = scaled(p.time, unit)
		return ns, clock, ok && p.hasTime
	}
	for _, c := range s.clocks {
		if c.id == clock {
			d.unit = int64(min(c.unit, 1e9))
			ns, ok = c.time(p.time, p.hasTime)
			return ns, c.base, ok
		}
	}
	d.unit = 1
	return int64(p.time), lostClock, p.hasTime && p.time <= mostTime
}

// snapshot takes a clock snapshot.
func (d *decoder) snapshot(s *sequence, data []byte) {
	var own []*ownClock
	var shared snapshot
	for w := (fields{rest: data}); w.next(); {
		switch {
		case w.num == 2 && w.data == nil:
			d.primary = uint32(min(w.v, lostClock-1))
		case w.num == 1 && len(shared)+len(own) < mostClocks:
			if c := readClock(w.data); c == nil {
				continue
			} else if isOwn(c.id) {
				own = append(own, c)
			} else {
				shared = append(shared, reading{c.id, c.now})
				d.setUnit(c)
			}
		}
	}
	if len(shared) == 0 {
		return
	}
	base := d.baseOf(shared)
	for _, c := range own {
		c.base, c.offset = base.clock, base.ns-c.now
		c.unit = max(c.unit, 1)
		s.clocks = append(slices.DeleteFunc(s.clocks, func(old *ownClock) bool { return old.id == c.id }), c)
	}
	if d.room.TakeData(16*int64(len(shared)) + 24) {
		d.snapshots = append(d.snapshots, shared)
	}
}

// readClock reads one clock of a snapshot, nil where it has no time.
func readClock(data []byte) *ownClock {
	f := flatten(data)
	id, unit := f.v[1], f.v[4]
	ns, ok := scaled(f.v[2], max(unit, 1))
	if !ok || id == 0 || id >= lostClock {
		return nil
	}
	return &ownClock{id: uint32(id), now: ns, incremental: f.v[3] != 0, unit: unit}
}

// setUnit keeps the unit of a clock that all sequences share.
func (d *decoder) setUnit(c *ownClock) {
	if _, known := d.units[c.id]; known || c.unit > 1 && d.room.TakeData(48) {
		d.units[c.id] = c.unit
	}
}

// baseOf returns the clock of a snapshot that private ones are tied to: the primary one, or one close to it.
func (d *decoder) baseOf(shared snapshot) reading {
	for _, clock := range [...]uint32{d.primary, boot, monotonic} {
		if at := shared.of(clock); at >= 0 {
			return shared[at]
		}
	}
	return shared[0]
}

// findClocks puts all times on the primary clock. Events of clocks that nothing ties to it are left out, unless that
// is all there is.
func (d *decoder) findClocks() {
	used := map[uint32]int{}
	for _, t := range d.order {
		for _, l := range t.lines {
			used[l.clock] += l.n
		}
	}
	for i := range d.timeline {
		used[d.timeline[i].clock]++
	}
	for _, k := range d.kernels {
		k.Clocks(used)
	}
	d.ways = newWays(d.primary, d.snapshots)
	if most, ok := d.otherPrimary(used); ok {
		d.primary = most
		d.ways = newWays(most, d.snapshots)
	}
	for _, t := range d.order {
		t.lines = slices.DeleteFunc(t.lines, func(l *line) bool {
			c, ok := d.ways[l.clock]
			switch {
			case !ok:
				d.b.Bad.BadN(trace.BadTime, int64(l.n), trace.Unknown)
			case c != nil:
				l.onClock(c)
			}
			return !ok
		})
	}
}

// otherPrimary returns the clock on which most happens, if nothing happens on one that leads to the primary clock:
// then its times are taken as they are.
func (d *decoder) otherPrimary(used map[uint32]int) (most uint32, ok bool) {
	for c, n := range used {
		if _, leads := d.ways[c]; leads && n > 0 {
			return 0, false
		}
		if lost := c == lostClock && len(d.snapshots) > 0; lost || n == 0 {
			continue
		}
		if !ok || n > used[most] || n == used[most] && c < most {
			most, ok = c, true
		}
	}
	return most, ok
}

// onClock puts the times of a line on another clock.
func (l *line) onClock(c *converter) {
	l.Move(c.at)
	for i := range l.values {
		l.values[i].time = c.at(l.values[i].time)
	}
	for i := range l.states {
		l.states[i].time = c.at(l.states[i].time)
	}
}

// ways are how clocks are tied to the primary one: by snapshots that show both, or over others. nil is the way of the
// primary one, which needs none.
type ways map[uint32]*converter

// converter moves the times of a clock onto another one, and by that onto the primary one.
type converter struct {
	least []int64 // of all readings from one on
	diff  []int64
	next  *converter // from there on; nil: that is the primary one
}

// newWays finds them, those of the clocks first that are the closest to the primary one.
func newWays(primary uint32, snapshots []snapshot) ways {
	w := ways{primary: nil, 0: nil}
	isKnown := func(r reading) bool { _, ok := w[r.clock]; return ok }
	for range mostHops {
		found := map[uint32]uint32{} // clocks beside one that is known
		for _, s := range snapshots {
			at := slices.IndexFunc(s, isKnown)
			for _, r := range s {
				if at >= 0 && !isKnown(r) && found[r.clock] == 0 {
					found[r.clock] = s[at].clock
				}
			}
		}
		for clock, next := range found {
			w[clock] = between(snapshots, clock, next, w[next])
		}
	}
	return w
}

// between returns the converter of a clock's times to another clock that some snapshots have with it.
func between(snapshots []snapshot, clock, other uint32, next *converter) *converter {
	c := &converter{next: next}
	for _, s := range snapshots {
		if from, to := s.of(clock), s.of(other); from >= 0 && to >= 0 {
			c.least, c.diff = append(c.least, s[from].ns), append(c.diff, s[to].ns-s[from].ns)
		}
	}
	for i := len(c.least) - 2; i >= 0; i-- {
		c.least[i] = min(c.least[i], c.least[i+1])
	}
	return c
}

// of returns where a snapshot has a clock, -1 where it does not.
func (s snapshot) of(clock uint32) int {
	return slices.IndexFunc(s, func(r reading) bool { return r.clock == clock })
}

// at returns a time on the primary clock, by the last reading in the file that is not after it.
func (c *converter) at(t int64) int64 {
	for ; c != nil; c = c.next {
		i := sort.Search(len(c.least), func(i int) bool { return c.least[i] > t })
		t = min(max(t+c.diff[max(i-1, 0)], leastTime), mostTime)
	}
	return t
}
