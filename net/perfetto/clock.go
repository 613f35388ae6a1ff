package perfetto

import (
	"framescope/net/trace"
)

// time returns the time of a packet on a clock that all sequences share, 0 for the primary one.
func (d *decoder) time(s *sequence, p *Packet) (ns int64, clock uint32, ok bool) {
	clock, d.unit = s.clock, 1
	if p.HasClock {
		clock = p.Clock
	}
	if !IsOwn(clock) {
		unit := max(d.units[clock], 1)
		ns, ok = Scaled(p.Time, unit)
		d.unit = int64(min(unit, 1e9))
		return ns, clock, ok && p.HasTime && ns <= Most
	}
	for _, c := range s.clocks {
		if c.ID == clock {
			d.unit = int64(min(c.Unit, 1e9))
			ns, ok = c.Time(p.Time, p.HasTime)
			return ns, c.Base, ok
		}
	}
	return int64(p.Time), Lost, p.HasTime && p.Time <= Most
}

// snapshotOf reads a clock snapshot.
func (d *decoder) snapshotOf(s *sequence, data []byte) {
	m := Read(data, d.primary)
	d.primary = m.Primary
	for _, c := range m.Own {
		s.setClock(c)
	}
	for i, r := range m.Shared {
		d.setUnit(r.Clock, m.Units[i])
	}
	if n := int64(len(m.Shared)); n > 0 && d.room.TakeData(16*n+24) {
		d.snapshots = append(d.snapshots, m.Shared)
	}
}

func (s *sequence) setClock(c *Own) {
	for i, old := range s.clocks {
		if old.ID == c.ID {
			s.clocks[i] = c
			return
		}
	}
	s.clocks = append(s.clocks, c)
}

// setUnit sets the ns per unit of a clock that all sequences share; 0: not given.
func (d *decoder) setUnit(clock uint32, unit uint64) {
	if _, known := d.units[clock]; known || unit > 1 && d.room.TakeData(48) {
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
	d.ways = NewWays(d.primary, d.snapshots)
	if most, ok := d.otherPrimary(used); ok {
		d.primary = most
		d.ways = NewWays(most, d.snapshots)
	}
	for _, t := range d.order {
		kept := t.lists[:0]
		for _, l := range t.lists {
			c, ok := d.ways.From(l.clock)
			if !ok {
				l.lost = true
				d.faults[NoClock].AddN(int64(l.size()), trace.Unknown)
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
		if lost := c == Lost && len(d.snapshots) > 0; !lost && n > 0 && (!ok || n > used[most] || n == used[most] && c < most) {
			most, ok = c, true
		}
	}
	return most, ok
}

// size is how much a list has.
func (l *list) size() int {
	return l.rows.N + l.whole.N + l.notes.N + l.states.N + l.values.N
}

func (l *list) move(c *Converter) {
	l.whole.Each(func(part []Whole) {
		for i := range part {
			begin := c.At(part[i].Begin)
			part[i].Begin, part[i].End = begin, min(part[i].End+begin-part[i].Begin, Most)
		}
	})
	rows := func(part []Row) {
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
	l.values.Each(func(part []value) {
		for i := range part {
			part[i].time = c.At(part[i].time)
		}
	})
}
