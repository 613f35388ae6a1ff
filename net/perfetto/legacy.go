package perfetto

import (
	"cmp"
	"encoding/binary"

	"framescope/net/trace"
)

// legacy is an event as programs write that had Chrome's JSON before: its phase says what it is.
type legacy struct {
	flat
	phase byte
	scope uint64
	hasID bool
}

// Numbers of its fields.
const (
	oldName      = 1
	oldDuration  = 3
	oldID        = 6
	oldScope     = 7
	oldBind      = 8
	oldLocalID   = 10
	oldGlobalID  = 11
	oldDirection = 13
	oldPID       = 18
	oldTID       = 19
)

// readLegacy reads the legacy part of an event.
func readLegacy(data []byte) legacy {
	x := legacy{flat: flatten(data)}
	x.phase = byte(min(x.v[2], 255))
	for _, c := range x.data[oldScope] {
		x.scope = x.scope*31 + uint64(c)
	}
	x.hasID = x.has[oldID] || x.has[oldLocalID] || x.has[oldGlobalID]
	return x
}

// legacyEvent takes an event of the legacy form. Those that are not taken are counted.
func (d *decoder) legacyEvent(s *sequence, e *event, k lineKey, time int64) {
	x := readLegacy(e.legacy)
	k = d.overridden(k, &x)
	e.nameIID = cmp.Or(e.nameIID, x.v[oldName])
	var l *line
	switch x.phase {
	case 'B', 'E', 'X', 'i', 'I', 'R', 's', 't', 'f':
		l = d.line(s, k)
	case 'b', 'e', 'S', 'F', 'n', 'T', 'p':
		if !x.hasID {
			d.b.Bad.Bad(trace.BadEvent, d.at)
			return
		}
		if t := d.oldTrack(k, &x, d.catOf(s, e), d.nameOf(s, e)); t != nil {
			l = d.line(s, lineKey{clock: k.clock, on: t})
		}
	default:
		d.oldEvents++
		return
	}
	if l != nil {
		d.onLine(s, e, &x, l, time)
	}
}

// onLine takes an event of the legacy form for its line.
func (d *decoder) onLine(s *sequence, e *event, x *legacy, l *line, time int64) {
	switch x.phase {
	case 'B', 'b', 'S':
		d.ends(s, e, x, l, time, l.Begin(time, d.placed(s, e)))
	case 'E', 'e', 'F':
		d.ends(s, e, x, l, time, l.End(time, trace.NoSymbol))
	case 'X':
		ns, ok := scaled(x.v[oldDuration], 1000)
		if !ok || ns > mostTime-max(time, 0) {
			d.b.Bad.Bad(trace.BadLength, d.at)
			return
		}
		d.ends(s, e, x, l, time, l.Span(time, time+ns, d.placed(s, e)))
	case 's', 't', 'f':
		name := d.nameOf(s, e)
		id := x.v[oldID]
		for _, more := range [...]uint64{x.v[oldLocalID], x.v[oldGlobalID], x.scope, uint64(name)} {
			id = id*0x9e3779b97f4a7c15 + more
		}
		role := map[byte]trace.FlowRole{'s': trace.FlowBegins, 't': trace.FlowSteps, 'f': trace.FlowEnds}[x.phase]
		if x.hasID {
			d.flow(l, time, 'o', id, trace.Flow{Role: role, Name: name})
		} else {
			d.b.Bad.Bad(trace.BadEvent, d.at)
		}
	default:
		d.instant(s, e, l, time)
	}
}

// ends keeps the annotations and flows of a span's begin or end.
func (d *decoder) ends(s *sequence, e *event, x *legacy, l *line, time int64, event uint32) {
	d.more(s, e, l, time, event)
	bind, direction := x.v[oldBind], x.v[oldDirection]
	if bind != 0 && direction > 0 && direction <= 3 {
		role := [...]trace.FlowRole{1: trace.FlowThroughEnd, 2: trace.FlowBegins, 3: trace.FlowSteps}[direction]
		d.flow(l, time, 'b', bind, trace.Flow{Role: role, Event: event, Name: trace.NoSymbol})
	}
}

// oldTrack returns the track of asynchronous events with one id: it is called as its first event.
func (d *decoder) oldTrack(k lineKey, x *legacy, cat, name trace.Symbol) *track {
	var on *track
	if on = k.on; on == nil {
		on = d.trackOf(k.uuid)
	}
	key := d.text[:0]
	for _, id := range [...]uint64{x.v[oldID], x.v[oldLocalID], x.v[oldGlobalID], x.scope, uint64(cat)} {
		key = binary.LittleEndian.AppendUint64(key, id)
	}
	if _, p := d.owner(on); p != nil && !x.has[oldGlobalID] {
		key = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(key, p.key.pid), p.key.machine)
	}
	if x.phase == 'S' || x.phase == 'F' || x.phase == 'T' || x.phase == 'p' {
		key = binary.LittleEndian.AppendUint32(append(key, 1), uint32(name))
	}
	d.text = key
	t := d.oldAsync[string(key)]
	if t == nil {
		if on == nil || len(d.oldAsync) >= mostTracks || !d.room.TakeData(384) {
			d.b.Bad.Bad(trace.ManyThreads, d.at)
			return nil
		}
		t = &track{old: on, name: d.b.Words(name), described: true}
		d.oldAsync[string(key)] = t
		d.order = append(d.order, t)
	}
	return t
}

// overridden returns the key of the thread that an event names, k where it names none.
func (d *decoder) overridden(k lineKey, x *legacy) lineKey {
	if !x.has[oldTID] {
		return k
	}
	p := processKey{d.pid.machine, uint32(x.v[oldPID])}
	if !x.has[oldPID] {
		on := k.on
		if on == nil {
			on = d.tracks[k.uuid]
		}
		if on == nil {
			return k
		}
		_, owner := d.owner(on)
		if owner == nil {
			return k
		}
		p = owner.key
	}
	if th := d.threadOf(threadKey{p, int64(x.v[oldTID])}); th != nil {
		k.uuid, k.on = 0, d.ownTrack(th)
	}
	return k
}
