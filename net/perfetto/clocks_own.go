package perfetto

import (
	"math"
)

// Built-in clocks.
const (
	Realtime  = 1
	Monotonic = 3
	Boot      = 6
	firstOwn  = 64 // private ones of a sequence, up to
	lastOwn   = 127
	Lost      = math.MaxUint32 // a private one that nobody defined
)

// IsOwn reports whether a clock is a private one of a sequence.
func IsOwn(clock uint32) bool { return clock >= firstOwn && clock <= lastOwn }

// Own is a private clock of a sequence.
type Own struct {
	ID          uint32
	Unit        uint64 // ns
	Base        uint32 // the clock that it is tied to
	incremental bool
	now         int64 // the current time of an incremental clock
	offset      int64 // to the base
}

// Time returns the time of a packet on the underlying clock. has means that the packet has a time: on an
// incremental clock, the distance from the previous one.
func (o *Own) Time(t uint64, has bool) (ns int64, ok bool) {
	ns, ok = Scaled(t, o.Unit)
	if o.incremental {
		if ok {
			ns, ok = Add(o.now, ns)
		}
		if ok {
			o.now = ns
		}
	} else {
		ok = ok && has
	}
	if ok {
		ns, ok = Add(ns, o.offset)
	}
	return ns, ok && ns >= Least && ns <= Most
}

// mostClocks is how many clocks of a snapshot count.
const mostClocks = 256

// ClocksMoment is a clock snapshot.
type ClocksMoment struct {
	Primary uint32
	Own     []*Own
	Shared  Snapshot
	Units   []uint64 // of Shared, ns; 0: not given
}

// Read reads a snapshot (clock_snapshot.proto). primary is the primary clock so far.
func Read(data []byte, primary uint32) ClocksMoment {
	m := ClocksMoment{Primary: primary}
	for w := (Fields{Rest: data}); w.Next(); {
		switch {
		case w.Num == 2 && w.Kind == Varint:
			m.Primary = uint32(min(w.V, Lost-1))
		case w.Num == 1 && w.Kind == Bytes && len(m.Shared)+len(m.Own) < mostClocks:
			m.clock(w.Data)
		}
	}
	if len(m.Shared) == 0 {
		m.Own = nil
		return m
	}
	base := m.Shared[0]
	for _, r := range m.Shared {
		if r.Clock == m.Primary || r.Clock == Boot && base.Clock != m.Primary ||
			r.Clock == Monotonic && base.Clock != m.Primary && base.Clock != Boot {
			base = r
		}
	}
	for _, c := range m.Own {
		c.Base, c.offset = base.Clock, base.Ns-c.now
	}
	return m
}

// clock reads one clock of a snapshot.
func (m *ClocksMoment) clock(data []byte) {
	var id, unit, incremental, time uint64
	for c := (Fields{Rest: data}); c.Next(); {
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
	ns, ok := Scaled(time, max(unit, 1))
	switch {
	case !ok || id == 0 || id >= Lost:
	case IsOwn(uint32(id)):
		m.Own = append(m.Own, &Own{ID: uint32(id), incremental: incremental != 0, Unit: max(unit, 1), now: ns})
	default:
		m.Shared, m.Units = append(m.Shared, Reading{uint32(id), ns}), append(m.Units, unit)
	}
}
