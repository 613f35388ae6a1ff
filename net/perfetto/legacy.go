package perfetto

import "encoding/binary"

// legacyEvent takes an event as programs write that had Chrome's JSON before: its phase says what it
// is. Those that are not taken are counted.
func (d *decoder) legacyEvent(s *sequence, e *event, k listKey, time int64) {
	var phase, iid, duration, unscoped, local, global, scope uint64
	var hasID, isGlobal bool
	for w := (wire{b: e.legacy}); w.next(); {
		switch w.num {
		case 1:
			iid = w.v
		case 2:
			phase = w.v
		case 3:
			duration = w.v
		case 6:
			unscoped, hasID = w.v, true
		case 7:
			for _, c := range w.data {
				scope = scope*31 + uint64(c)
			}
		case 10:
			local, hasID = w.v, true
		case 11:
			global, hasID, isGlobal = w.v, true, true
		}
	}
	if e.nameIID == 0 {
		e.nameIID = iid
	}
	seq := uint32(d.events)
	switch phase {
	case 'B', 'E', 'X', 'i', 'I', 'R':
		l := d.list(s, k)
		if l == nil {
			d.count(noRoom, d.at)
			return
		}
		switch phase {
		case 'B':
			d.pushStep(l, time, d.nameOf(s, e), 0)
		case 'E':
			d.pushStep(l, time, 0, 1)
		case 'X':
			ns, ok := scaled(duration, 1000)
			if !ok || ns > mostTime-max(time, 0) {
				d.count(noTime, d.at)
				return
			}
			push(d, &l.whole, whole{time, time + ns, d.nameOf(s, e), seq}, wholeBytes)
		default:
			d.note(s, e, l, time)
		}
	case 'b', 'e', 'S', 'F', 'n', 'T', 'p':
		if !hasID {
			d.count(untyped, d.at)
			return
		}
		name := d.nameOf(s, e)
		t := d.oldTrack(k, [...]uint64{unscoped, local, global, scope, uint64(d.catOf(s, e))}, isGlobal, phase == 'S' || phase == 'F' ||
			phase == 'T' || phase == 'p', name)
		if t == nil {
			return
		}
		l := d.list(s, listKey{clock: k.clock, on: t})
		switch {
		case l == nil:
			d.count(noRoom, d.at)
		case phase == 'b' || phase == 'S':
			d.pushStep(l, time, name, 0)
		case phase == 'e' || phase == 'F':
			d.pushStep(l, time, 0, 1)
		default:
			d.note(s, e, l, time)
		}
	case 's', 't', 'f':
		d.flows++
	default:
		d.oldEvents++
	}
}

// oldTrack returns the track of asynchronous events with one id: it is called as its first event.
func (d *decoder) oldTrack(k listKey, ids [5]uint64, global, named bool, name uint32) *track {
	var on *track
	if on = k.on; on == nil {
		on = d.trackOf(k.uuid)
	}
	key := d.key[:0]
	for _, id := range ids {
		key = binary.LittleEndian.AppendUint64(key, id)
	}
	if _, p := d.owner(on); p != nil && !global {
		key = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(key, p.key.pid), p.key.machine)
	}
	if named {
		key = binary.LittleEndian.AppendUint32(append(key, 1), name)
	}
	d.key = key
	t := d.oldAsync[string(key)]
	if t == nil {
		if on == nil || len(d.oldAsync) >= mostTracks || !d.reserve(384) {
			d.count(noTrack, d.at)
			return nil
		}
		t = &track{old: on, name: d.texts.list[name], described: true}
		d.oldAsync[string(key)] = t
		d.order = append(d.order, t)
	}
	return t
}

// whole is a span whose begin came with its length.
type whole struct {
	begin, end int64
	text, ord  uint32
}

const wholeBytes = 24
