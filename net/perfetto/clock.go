package perfetto

import (
	"slices"

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

// snapshot reads a clock snapshot.
func (d *decoder) snapshot(s *sequence, data []byte) {
	m := Read(data, d.primary)
	d.primary = m.Primary
	for _, c := range m.Own {
		s.clocks = append(slices.DeleteFunc(s.clocks, func(old *Own) bool { return old.ID == c.ID }), c)
	}
	for i, r := range m.Shared {
		if _, known := d.units[r.Clock]; known || m.Units[i] > 1 && d.room.TakeData(48) {
			d.units[r.Clock] = m.Units[i]
		}
	}
	if n := int64(len(m.Shared)); n > 0 && d.room.TakeData(16*n+24) {
		d.snapshots = append(d.snapshots, m.Shared)
	}
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
	d.ways = NewWays(d.primary, d.snapshots)
	if most, ok := d.otherPrimary(used); ok {
		d.primary = most
		d.ways = NewWays(most, d.snapshots)
	}
	for _, t := range d.order {
		t.lines = slices.DeleteFunc(t.lines, func(l *line) bool {
			c, ok := d.ways.From(l.clock)
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
		if _, leads := d.ways.From(c); leads && n > 0 {
			return 0, false
		}
		if lost := c == Lost && len(d.snapshots) > 0; !lost && n > 0 && (!ok || n > used[most] || n == used[most] && c < most) {
			most, ok = c, true
		}
	}
	return most, ok
}

// onClock puts the times of a line on another clock.
func (l *line) onClock(c *Converter) {
	l.Move(c.At)
	for i := range l.states {
		l.states[i].time = c.At(l.states[i].time)
	}
	for i := range l.values {
		l.values[i].time = c.At(l.values[i].time)
	}
}
