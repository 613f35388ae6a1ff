package perfetto

import (
	"math"

	"framescope/net/perfetto/clocks"
	"framescope/net/perfetto/faults"
	"framescope/net/perfetto/heads"
	"framescope/net/perfetto/nesting"
	"framescope/net/perfetto/packets"
	"framescope/net/tally"
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

// ownClock is a private clock of a sequence.
type ownClock struct {
	id          uint32
	incremental bool
	unit        uint64 // ns
	now         int64  // of what is incremental
	base        uint32 // the clock that it is tied to
	offset      int64  // to that
}

// time returns the time of a packet on a clock that all sequences share, 0 for the primary one.
func (d *decoder) time(s *sequence, p *heads.Packet) (ns int64, clock uint32, ok bool) {
	clock, d.unit = s.clock, 1
	if p.HasClock {
		clock = p.Clock
	}
	if clock < firstOwn || clock > lastOwn {
		unit := max(d.units[clock], 1)
		ns, ok = clocks.Scaled(p.Time, unit)
		d.unit = int64(min(unit, 1e9))
		return ns, clock, ok && p.HasTime && ns <= clocks.Most
	}
	var c *ownClock
	for _, own := range s.clocks {
		if own.id == clock {
			c = own
		}
	}
	if c == nil {
		return int64(p.Time), clockLost, p.HasTime && p.Time <= clocks.Most
	}
	t, ok := clocks.Scaled(p.Time, c.unit)
	d.unit = int64(min(c.unit, 1e9))
	if c.incremental {
		if ok {
			t, ok = clocks.Add(c.now, t)
		}
		if ok {
			c.now = t
		}
	} else {
		ok = ok && p.HasTime
	}
	if ok {
		t, ok = clocks.Add(t, c.offset)
	}
	return t, c.base, ok && t >= clocks.Least && t <= clocks.Most
}

// snapshotOf reads what clocks show at one moment.
func (d *decoder) snapshotOf(s *sequence, data []byte) {
	var shared clocks.Snapshot
	var own []*ownClock
	for w := (packets.Fields{Rest: data}); w.Next(); {
		switch {
		case w.Num == 2 && w.Kind == packets.Varint:
			d.primary = uint32(min(w.V, clockLost-1))
		case w.Num == 1 && w.Kind == packets.Bytes:
			var id, unit, incremental uint64
			var time uint64
			for c := (packets.Fields{Rest: w.Data}); c.Next(); {
				switch c.Num {
				case 1:
					id = c.V
				case 2:
					time = c.V
				case 3:
					incremental = c.V
				case 4:
					unit = c.V
				}
			}
			ns, ok := clocks.Scaled(time, max(unit, 1))
			switch {
			case !ok || id == 0 || id >= clockLost || len(shared)+len(own) >= 256:
			case id >= firstOwn && id <= lastOwn:
				own = append(own, &ownClock{id: uint32(id), incremental: incremental != 0, unit: max(unit, 1), now: ns})
			default:
				shared = append(shared, clocks.Reading{Clock: uint32(id), Ns: ns})
				d.setUnit(uint32(id), unit)
			}
		}
	}
	if len(own) > 0 && len(shared) > 0 {
		base := shared[0]
		for _, r := range shared {
			if r.Clock == d.primary || r.Clock == clockBoot && base.Clock != d.primary ||
				r.Clock == clockMonotonic && base.Clock != d.primary && base.Clock != clockBoot {
				base = r
			}
		}
		for _, c := range own {
			c.base, c.offset = base.Clock, base.Ns-c.now
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

// setUnit takes how many ns a unit of a clock has that all sequences share; 0: that is not told.
func (d *decoder) setUnit(clock uint32, unit uint64) {
	if _, known := d.units[clock]; known || unit > 1 && d.reserve(48) {
		d.units[clock] = unit
	}
}

// settleClocks puts all times on the primary clock. Events of clocks that nothing ties to it are
// left out, unless that is all there is.
func (d *decoder) settleClocks() {
	used := map[uint32]int{}
	for _, t := range d.order {
		for _, l := range t.lists {
			used[l.clock] += l.size()
		}
	}
	for i := range d.timeline {
		used[d.timeline[i].clock]++
	}
	d.ways = clocks.NewWays(d.primary, d.snapshots)
	if most, ok := d.otherPrimary(used); ok {
		d.primary = most
		d.ways = clocks.NewWays(most, d.snapshots)
	}
	for _, t := range d.order {
		kept := t.lists[:0]
		for _, l := range t.lists {
			c, ok := d.ways.From(l.clock)
			if !ok {
				l.lost = true
				d.faults[faults.NoClock].AddN(int64(l.size()), tally.Unknown)
				continue
			}
			kept = append(kept, l)
			if c != nil {
				l.move(c)
			}
		}
		t.lists = kept
	}
}

// otherPrimary returns the clock on which most happens, if nothing happens on one that leads to the primary
// clock: then its times are taken as they are.
func (d *decoder) otherPrimary(used map[uint32]int) (most uint32, ok bool) {
	for c, n := range used {
		if _, leads := d.ways.From(c); leads && n > 0 {
			return 0, false
		}
		if lost := c == clockLost && len(d.snapshots) > 0; !lost && n > 0 && (!ok || n > used[most] || n == used[most] && c < most) {
			most, ok = c, true
		}
	}
	return most, ok
}

// size is how much a list has.
func (l *list) size() int {
	return l.rows.N + l.whole.N + l.notes.N + l.told.N + l.states.N + l.values.N
}

func (l *list) move(c *clocks.Converter) {
	l.whole.Each(func(part []nesting.Whole) {
		for i := range part {
			begin := c.At(part[i].Begin)
			part[i].Begin, part[i].End = begin, min(part[i].End+begin-part[i].Begin, clocks.Most)
		}
	})
	rows := func(part []nesting.Row) {
		for i := range part {
			part[i].Time = c.At(part[i].Time)
		}
	}
	l.moved = c
	l.states.Each(rows)
	l.notes.Each(func(part []note) {
		for i := range part {
			part[i].time = c.At(part[i].time)
		}
	})
	l.told.Each(func(part []told) {
		for i := range part {
			begin := c.At(part[i].Begin)
			part[i].Begin, part[i].End = begin, min(part[i].End+begin-part[i].Begin, clocks.Most)
		}
	})
	l.values.Each(func(part []value) {
		for i := range part {
			part[i].time = c.At(part[i].time)
		}
	})
}
