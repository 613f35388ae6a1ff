package perfetto

import (
	"math"
	"math/bits"
	"sort"

	"framescope/net/perfetto/packets"
)

// Clocks whose numbers mean something.
const (
	clockRealtime  = 1
	clockMonotonic = 3
	clockBoot      = 6
	firstOwn       = 64 // private ones of a sequence, up to
	lastOwn        = 127
	clockLost      = math.MaxUint32 // a private one that nobody defined
)

// Times that are kept: differences of two of them fit the model's.
const (
	leastTime = -1 << 57
	mostTime  = 1<<61 - 1<<57
)

// ownClock is a private clock of a sequence.
type ownClock struct {
	id          uint32
	incremental bool
	unit        uint64 // ns
	now         int64  // of what is incremental
	base        uint32 // the clock that it is tied to
	offset      int64  // to that
}

// snapshot is a moment that several clocks show.
type snapshot []reading

type reading struct {
	clock uint32
	ns    int64
}

// scaled returns a number of units in ns, and whether it is a time.
func scaled(v, unit uint64) (int64, bool) {
	if unit == 1 {
		return int64(v), v <= math.MaxInt64
	}
	hi, lo := bits.Mul64(v, unit)
	return int64(lo), hi == 0 && lo <= math.MaxInt64
}

// add adds two times, and tells whether the sum is one.
func add(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

// time returns the time of a packet on a clock that all sequences share, 0 for the primary one.
func (d *decoder) time(s *sequence, p *packet) (ns int64, clock uint32, ok bool) {
	clock, d.unit = s.clock, 1
	if p.hasClock {
		clock = p.clock
	}
	if clock < firstOwn || clock > lastOwn {
		return int64(p.time), clock, p.hasTime && p.time <= mostTime
	}
	var c *ownClock
	for _, own := range s.clocks {
		if own.id == clock {
			c = own
		}
	}
	if c == nil {
		return int64(p.time), clockLost, p.hasTime && p.time <= mostTime
	}
	t, ok := scaled(p.time, c.unit)
	d.unit = int64(min(c.unit, 1e9))
	if c.incremental {
		if ok {
			t, ok = add(c.now, t)
		}
		if ok {
			c.now = t
		}
	} else {
		ok = ok && p.hasTime
	}
	if ok {
		t, ok = add(t, c.offset)
	}
	return t, c.base, ok && t >= leastTime && t <= mostTime
}

// snapshotOf reads what clocks show at one moment.
func (d *decoder) snapshotOf(s *sequence, data []byte) {
	var shared snapshot
	var own []*ownClock
	for w := (wire{b: data}); w.next(); {
		switch {
		case w.num == 2 && w.kind == packets.Varint:
			d.primary = uint32(min(w.v, clockLost-1))
		case w.num == 1 && w.kind == packets.Bytes:
			var id, unit, incremental uint64
			var time uint64
			for c := (wire{b: w.data}); c.next(); {
				switch c.num {
				case 1:
					id = c.v
				case 2:
					time = c.v
				case 3:
					incremental = c.v
				case 4:
					unit = c.v
				}
			}
			ns, ok := scaled(time, max(unit, 1))
			switch {
			case !ok || id == 0 || id >= clockLost || len(shared)+len(own) >= 256:
			case id >= firstOwn && id <= lastOwn:
				own = append(own, &ownClock{id: uint32(id), incremental: incremental != 0, unit: max(unit, 1), now: ns})
			default:
				shared = append(shared, reading{uint32(id), ns})
			}
		}
	}
	if len(own) > 0 && len(shared) > 0 {
		base := shared[0]
		for _, r := range shared {
			if r.clock == d.primary || r.clock == clockBoot && base.clock != d.primary ||
				r.clock == clockMonotonic && base.clock != d.primary && base.clock != clockBoot {
				base = r
			}
		}
		for _, c := range own {
			c.base, c.offset = base.clock, base.ns-c.now
			s.setClock(c)
		}
	}
	if len(shared) > 0 && d.reserve(int64(16*len(shared)+24)) {
		d.snapshots = append(d.snapshots, shared)
	}
}

func (s *sequence) setClock(c *ownClock) {
	for i, old := range s.clocks {
		if old.id == c.id {
			s.clocks[i] = c
			return
		}
	}
	s.clocks = append(s.clocks, c)
}

// converter moves the times of a clock onto the primary one.
type converter struct {
	least []int64 // of all readings from one on
	diff  []int64
}

// converters returns one for each clock that events have, nil where there is nothing to be done. ok
// is false where nothing tells how a clock goes.
func (d *decoder) converter(clock uint32) (c *converter, ok bool) {
	if clock == 0 || clock == d.primary {
		return nil, true
	}
	c = &converter{}
	for _, s := range d.snapshots {
		var from, to *reading
		for i := range s {
			switch s[i].clock {
			case clock:
				from = &s[i]
			case d.primary:
				to = &s[i]
			}
		}
		if from != nil && to != nil {
			c.least, c.diff = append(c.least, from.ns), append(c.diff, to.ns-from.ns)
		}
	}
	for i := len(c.least) - 2; i >= 0; i-- {
		c.least[i] = min(c.least[i], c.least[i+1])
	}
	return c, len(c.least) > 0
}

// at returns a time on the primary clock, by the last reading in the file that is not after it.
func (c *converter) at(t int64) int64 {
	i := sort.Search(len(c.least), func(i int) bool { return c.least[i] > t })
	return min(max(t+c.diff[max(i-1, 0)], leastTime), mostTime)
}

// maybe is at, of nil the time itself.
func (c *converter) maybe(t int64) int64 {
	if c == nil {
		return t
	}
	return c.at(t)
}

// settleClocks puts all times on the primary clock. Events of clocks that nothing ties to it are
// left out.
func (d *decoder) settleClocks() {
	used := map[uint32]int{}
	for _, t := range d.order {
		for _, l := range t.lists {
			used[l.clock] += l.size()
		}
	}
	if len(d.snapshots) == 0 {
		most, boot := uint32(0), used[0]+used[clockBoot] > 0
		for c, n := range used {
			if n > used[most] || n == used[most] && c < most {
				most = c
			}
		}
		if !boot && len(used) > 0 {
			d.primary = most
		}
	}
	by := map[uint32]*converter{}
	lost := map[uint32]bool{}
	for c := range used {
		conv, ok := d.converter(c)
		by[c], lost[c] = conv, !ok
	}
	for _, t := range d.order {
		kept := t.lists[:0]
		for _, l := range t.lists {
			if lost[l.clock] {
				d.problems[noClock].n += int64(l.size())
				continue
			}
			kept = append(kept, l)
			if c := by[l.clock]; c != nil {
				l.move(c)
			}
		}
		t.lists = kept
	}
}

// size is how much a list has.
func (l *list) size() int { return l.rows.N + l.whole.N + l.notes.N + l.states.N + l.values.N }

func (l *list) move(c *converter) {
	l.whole.Each(func(part []whole) {
		for i := range part {
			begin := c.at(part[i].begin)
			part[i].begin, part[i].end = begin, min(part[i].end+begin-part[i].begin, mostTime)
		}
	})
	rows := func(part []row) {
		for i := range part {
			part[i].time = c.at(part[i].time)
		}
	}
	l.moved = c
	l.states.Each(rows)
	l.notes.Each(func(part []note) {
		for i := range part {
			part[i].time = c.at(part[i].time)
		}
	})
	l.values.Each(func(part []value) {
		for i := range part {
			part[i].time = c.at(part[i].time)
		}
	})
}
