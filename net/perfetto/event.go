package perfetto

import (
	"math"
	"strconv"

	"framescope/model"
	"framescope/net/trace"
)

// packet takes a packet of the file, or one that was compressed in it.
func (d *decoder) packet(data []byte, at int64) {
	d.at = at
	d.packets++
	p := &d.now
	whole := p.Read(data)
	d.pid = processKey{p.Machine, p.Pid}
	if !whole {
		d.faults.Count(BadPacket, at)
		return
	}
	if p.Other {
		d.others++
	}
	s, first := d.sequenceOf(p.Seq)
	if s == nil {
		return
	}
	if p.Dropped && !first {
		s.valid = false
		d.faults.Count(Dropped, at)
	}
	if p.Cleared || p.Flags&FlagCleared != 0 {
		s.clear()
	}
	each := func(num uint32, take func(*sequence, []byte)) {
		for _, x := range p.Parts {
			if x.Num == num {
				take(s, x.Data)
			}
		}
	}
	if p.Shares {
		each(Defaults, d.defaults)
		each(Interned, d.intern)
	}
	if p.Flags&FlagNeedsState != 0 && !s.valid {
		d.faults.Count(NeedsState, at)
		return
	}
	if p.Shares {
		each(HeadsSnapshot, d.snapshotOf)
	}
	time, clock, ok := d.time(s, p)
	if p.Event != nil {
		d.trackEvent(s, p.Event, time, clock, ok)
	}
	for _, x := range p.Parts {
		switch x.Num {
		case Track:
			d.trackDescriptor(x.Data)
		case Timeline:
			d.timelineEvent(x.Data, time, clock, ok)
		case ProcessTree:
			d.processTree(x.Data)
		case Process:
			d.process(x.Data)
		case Thread:
			d.oldThread(s, x.Data)
		case Stats:
			d.stats = append(d.stats[:0], x.Data...)
		case Zlib, Zstd:
			d.compressed(x.Data, x.Num == Zstd, at)
			return // its packets have taken the place of this one
		}
	}
}

// sequenceOf returns what packets of a sequence share, nil where there is no room, and whether this
// is the first.
func (d *decoder) sequenceOf(id uint32) (s *sequence, first bool) {
	if d.lastSeq != nil && d.lastID == id {
		return d.lastSeq, false
	}
	s = d.sequences[id]
	if s == nil {
		if !d.room.TakeData(640) {
			d.faults.Count(NoRoom, d.at)
			return nil, false
		}
		s, first = &sequence{}, true
		d.sequences[id] = s
	}
	d.lastSeq, d.lastID = s, id
	return s, first
}

// defaults sets the defaults of a sequence's packets.
func (d *decoder) defaults(s *sequence, data []byte) {
	s.clock, s.track, s.hasTrack = 0, 0, false
	s.extra[0], s.extra[1] = s.extra[0][:0], s.extra[1][:0]
	for w := (Fields{Rest: data}); w.Next(); {
		switch w.Num {
		case Clock:
			s.clock = uint32(min(w.V, Lost))
		case TrackEvent:
			for e := (Fields{Rest: w.Data}); w.Kind == Bytes && e.Next(); {
				switch e.Num {
				case 11:
					s.track, s.hasTrack = e.V, true
				case 31:
					s.extra[0] = bounded(e.Numbers(s.extra[0], false))
				case 45:
					s.extra[1] = bounded(e.Numbers(s.extra[1], false))
				}
			}
		}
	}
}

// bounded cuts a list of extra counters.
func bounded(list []uint64) []uint64 { return list[:min(len(list), 64)] }

// intern takes names that have numbers from now on.
func (d *decoder) intern(s *sequence, data []byte) {
	for w := (Fields{Rest: data}); w.Next(); {
		var t *Numbers
		switch w.Num {
		case 1:
			t = &s.cats
		case 2:
			t = &s.names
		case 3:
			t = &s.keys
		case 20:
			t = &s.bodies
		case 29:
			t = &s.values
		default:
			continue
		}
		var iid uint64
		var text []byte
		for e := (Fields{Rest: w.Data}); w.Kind == Bytes && e.Next(); {
			switch e.Num {
			case 1:
				iid = e.V
			case 2:
				text = e.Data
			}
		}
		if iid != 0 && !t.Set(d.room.TakeData, iid, d.texts.Of(text)) {
			d.faults.Count(NoNames, d.at)
		}
	}
}

// The types of events.
const (
	kindNone = iota
	kindBegin
	kindEnd
	kindInstant
	kindCounter
	kindState
)

// trackEvent takes an event. Its time is that of its packet, unless it has one of its own.
func (d *decoder) trackEvent(s *sequence, data []byte, time int64, clock uint32, ok bool) {
	e := &d.event
	e.Reset()
	for i := e.Usual(data, 0); i < len(data); i = e.Usual(data, i) {
		w := Fields{Rest: data[i:]}
		if !w.Next() {
			d.faults.Count(BadPacket, d.at)
			return
		}
		e.Field(&w)
		i = len(data) - len(w.Rest)
	}
	if e.OldTime != 0 {
		time, clock, ok = d.oldTime(s, e)
	}
	switch {
	case !ok:
		d.faults.Count(NoTime, d.at)
		return
	case d.full || d.events >= mostEvents:
		d.full = true
		d.faults.Count(NoRoom, d.at)
		return
	}
	d.events++
	d.step = min(d.step, d.unit)
	d.keep(s, e, time, clock)
}

// oldTime returns the time that an event itself has.
func (d *decoder) oldTime(s *sequence, e *Event) (ns int64, clock uint32, ok bool) {
	us := e.Absolute
	if e.OldTime == 1 {
		sum, fits := Add(s.oldTime, int64(e.Relative))
		if !fits || sum < 0 {
			return 0, 0, false
		}
		s.oldTime, us = sum, uint64(sum)
	}
	d.unit = 1000
	ns, ok = Scaled(us, 1000)
	return ns, Monotonic, ok && ns <= Most
}

// keep puts an event where it belongs.
func (d *decoder) keep(s *sequence, e *Event, time int64, clock uint32) {
	k := listKey{uuid: e.Track, clock: clock}
	if !e.HasTrack {
		switch {
		case s.hasTrack:
			k.uuid = s.track
		case s.thread != nil:
			k.on = d.ownTrack(s.thread)
		}
	}
	if e.Listed {
		d.extras(s, e, time, clock)
	}
	var l *list
	if e.Kind == kindCounter {
		k.of = s
	}
	if e.Kind != kindNone {
		if l = d.list(s, k); l == nil {
			d.faults.Count(NoRoom, d.at)
			return
		}
	}
	switch e.Kind {
	case kindBegin:
		name := d.nameOf(s, e)
		d.pushStep(l, time, name, false, d.more(s, e, l, time, name))
	case kindEnd:
		d.pushStep(l, time, 0, true, d.more(s, e, l, time, None))
	case kindInstant:
		d.note(s, e, l, time)
	case kindCounter:
		switch e.HasNumber {
		case 1:
			d.value(s, l, time, d.whole(e.Number))
		case 2:
			d.value(s, l, time, math.Float64frombits(e.Fraction))
		default:
			d.faults.Count(NoNumber, d.at)
		}
	case kindState:
		push(d, &l.states, Row{Time: time, Text: d.nameOf(s, e)}, RowBytes)
	case kindNone:
		if e.Legacy == nil {
			d.faults.Count(Untyped, d.at)
			return
		}
		d.legacyEvent(s, e, k, time)
	default:
		d.faults.Count(Untyped, d.at)
	}
}

// more keeps the further data of a span's event, and returns its number, 0 if there is none.
func (d *decoder) more(s *sequence, e *Event, l *list, time int64, name uint32) uint32 {
	if len(e.Notes)+len(e.Flows)+len(e.FlowEnds) == 0 {
		return 0
	}
	for _, data := range e.Notes {
		d.annotate(s, data, d.takeArg)
	}
	d.knotsOf(l, e, time, name)
	return uint32(d.events)
}

// ownTrack returns the track of a thread's events that name none.
func (d *decoder) ownTrack(th *thread) *track {
	if th.own == nil {
		th.own = &track{thread: th, described: true}
		d.order = append(d.order, th.own)
	}
	return th.own
}

// nameOf returns the number of an event's name.
func (d *decoder) nameOf(s *sequence, e *Event) uint32 {
	if e.HasName {
		return d.texts.Of(e.Name)
	}
	if e.NameIID == 0 {
		return None
	}
	if n, ok := s.names.Get(e.NameIID); ok {
		return n
	}
	d.faults.Count(NoName, d.at)
	return d.texts.Of(strconv.AppendUint(append(d.key[:0], "name_iid "...), e.NameIID, 10))
}

// catOf returns the number of an event's first category.
func (d *decoder) catOf(s *sequence, e *Event) uint32 {
	if len(e.Cat) > 0 {
		return d.texts.Of(e.Cat)
	}
	if n, ok := s.cats.Get(e.CatIID); ok && e.CatIID != 0 {
		return n
	}
	return None
}

// note keeps an instant, with its text.
func (d *decoder) note(s *sequence, e *Event, l *list, time int64) {
	n := note{time: time, text: d.nameOf(s, e), cat: d.catOf(s, e), object: None, ord: uint32(d.events)}
	d.knotsOf(l, e, time, n.text)
	if digits, ticks := d.texts.Frame(n.text); ticks {
		n.frame = d.frameOf(s, e, digits)
	}
	body, logs := s.bodies.Get(e.BodyIID)
	if logs = logs && e.BodyIID != 0; logs || len(e.Notes) > 0 {
		d.key = append(d.key[:0], d.texts.Text(n.text)...)
		if logs {
			d.tell(d.texts.Raw(body))
		}
		d.say(s, e, &n)
		n.text = d.texts.Of(d.key)
	}
	switch {
	case e.Prio == 2:
		n.severity = int8(model.SeverityTrace)
	case e.Prio == 3:
		n.severity = int8(model.SeverityDebug)
	case e.Prio == 5:
		n.severity = int8(model.SeverityWarning)
	case e.Prio >= 6:
		n.severity = int8(model.SeverityError)
	}
	push(d, &l.notes, n, noteBytes)
}

// extras keeps the counter values of an event.
func (d *decoder) extras(s *sequence, e *Event, time int64, clock uint32) {
	for k := range e.Extra {
		tracks := e.Tracks[k]
		if len(tracks) == 0 {
			tracks = s.extra[k]
		}
		for i, v := range e.Extra[k] {
			if i >= len(tracks) {
				d.faults.Count(NoNumber, d.at)
				break
			}
			l := d.list(s, listKey{uuid: tracks[i], clock: clock, of: s})
			if l == nil {
				continue
			}
			if k == 1 {
				d.value(s, l, time, math.Float64frombits(v))
			} else {
				d.value(s, l, time, d.whole(v))
			}
		}
	}
}

// whole is a whole number as a value of a series.
func (d *decoder) whole(v uint64) float64 {
	if !trace.Exact(int64(v)) {
		d.faults.Count(Rounded, d.at)
	}
	return float64(int64(v))
}

// value keeps a value of a counter.
func (d *decoder) value(s *sequence, l *list, time int64, v float64) {
	if v-v != 0 {
		d.faults.Count(NoNumber, d.at)
		return
	}
	if n := len(l.turns); n == 0 || l.turns[n-1].epoch != s.epoch || l.track.newest != l {
		if !d.room.TakeData(16) {
			d.faults.Count(NoRoom, d.at)
			return
		}
		l.turns = append(l.turns, turn{l.values.N, uint32(d.events), s.epoch})
		l.track.newest = l
	}
	push(d, &l.values, value{time, v}, valueBytes)
}
