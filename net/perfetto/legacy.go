package perfetto

import (
	"encoding/binary"
)

// legacyEvent takes an event as programs write that had Chrome's JSON before: its phase says what it
// is. Those that are not taken are counted.
func (d *decoder) legacyEvent(s *sequence, e *Event, k listKey, time int64) {
	var phase, iid, duration, unscoped, local, global, scope, bind, direction uint64
	var hasID, isGlobal bool
	var of [2]override // process and thread
	for w := (Fields{Rest: e.Legacy}); w.Next(); {
		switch w.Num {
		case 1:
			iid = w.V
		case 2:
			phase = w.V
		case 3:
			duration = w.V
		case 6:
			unscoped, hasID = w.V, true
		case 7:
			for _, c := range w.Data {
				scope = scope*31 + uint64(c)
			}
		case 8:
			bind = w.V
		case 13:
			direction = w.V
		case 10:
			local, hasID = w.V, true
		case 11:
			global, hasID, isGlobal = w.V, true, true
		case 18, 19:
			of[w.Num-18] = override{w.V, true}
		}
	}
	k = d.overridden(k, of)
	if e.NameIID == 0 {
		e.NameIID = iid
	}
	seq := uint32(d.events)
	ends := func(l *list, name uint32) uint32 {
		more := d.more(s, e, l, time, name)
		if bind != 0 && direction > 0 && direction <= 3 {
			d.knot(l, time, bind, BindIDs, [...]Role{1: Ends, 2: Begins, 3: Steps}[direction], name)
			more = seq
		}
		return more
	}
	switch phase {
	case 'B', 'E', 'X', 'i', 'I', 'R':
		l := d.list(s, k)
		if l == nil {
			d.faults.Count(NoRoom, d.at)
			return
		}
		switch phase {
		case 'B':
			name := d.nameOf(s, e)
			d.pushStep(l, time, name, false, ends(l, name))
		case 'E':
			d.pushStep(l, time, 0, true, ends(l, None))
		case 'X':
			ns, ok := Scaled(duration, 1000)
			if !ok || ns > Most-max(time, 0) {
				d.faults.Count(NoTime, d.at)
				return
			}
			name := d.nameOf(s, e)
			ends(l, name)
			push(d, &l.whole, Whole{Begin: time, End: time + ns, Text: name, Event: seq}, WholeBytes)
		default:
			d.note(s, e, l, time)
		}
	case 'b', 'e', 'S', 'F', 'n', 'T', 'p':
		if !hasID {
			d.faults.Count(Untyped, d.at)
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
			d.faults.Count(NoRoom, d.at)
		case phase == 'b' || phase == 'S':
			d.pushStep(l, time, name, false, ends(l, name))
		case phase == 'e' || phase == 'F':
			d.pushStep(l, time, 0, true, ends(l, None))
		default:
			d.note(s, e, l, time)
		}
	case 's', 't', 'f':
		l, name := d.list(s, k), d.nameOf(s, e)
		if !hasID || l == nil {
			d.faults.Count(Untyped, d.at)
			return
		}
		for _, id := range [...]uint64{local, global, scope, uint64(name)} {
			unscoped = unscoped*0x9e3779b97f4a7c15 + id
		}
		d.knot(l, time, unscoped, Old, map[uint64]Role{'s': Begins, 't': Steps, 'f': Ends}[phase], name)
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
		if on == nil || len(d.oldAsync) >= mostTracks || !d.room.TakeData(384) {
			d.faults.Count(NoTrack, d.at)
			return nil
		}
		t = &track{old: on, name: d.texts.Text(name), described: true}
		d.oldAsync[string(key)] = t
		d.order = append(d.order, t)
	}
	return t
}

// override is the process or thread number of an event, in place of its track's.
type override struct {
	number uint64
	told   bool
}

// overridden returns the key of the thread that an event names, k where it names none.
func (d *decoder) overridden(k listKey, of [2]override) listKey {
	if !of[1].told {
		return k
	}
	p := processKey{d.pid.machine, uint32(of[0].number)}
	if !of[0].told {
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
	if th := d.threadOf(threadKey{p, number(of[1].number)}); th != nil {
		k.uuid, k.on = 0, d.ownTrack(th)
	}
	return k
}
