package perfetto

import (
	"framescope/net/trace"
)

// sequence is the shared state of one writer's packets.
type sequence struct {
	valid  bool // all needed state is present
	names  Numbers
	cats   Numbers
	bodies Numbers // of log messages
	keys   Numbers // names of annotations
	values Numbers // texts of annotations

	clock    uint32 // of packets that do not say
	track    uint64 // of events that do not say
	hasTrack bool
	extra    [2][]uint64 // tracks of what counters say beside an event: numbers, fractions
	clocks   []*Own
	thread   *thread // packet 44
	oldTime  int64   // µs, base of deltas
	epoch    uint32  // how often it was cleared

	recent [4]*list // last ones used
	turn   int
}

// clear forgets what packets shared.
func (s *sequence) clear() {
	for _, t := range []*Numbers{&s.names, &s.cats, &s.bodies, &s.keys, &s.values} {
		t.Clear()
	}
	s.clock, s.track, s.hasTrack, s.clocks = 0, 0, false, nil
	s.extra[0], s.extra[1] = s.extra[0][:0], s.extra[1][:0]
	s.epoch++
	s.valid = true
}

// listKey says of what a list is.
type listKey struct {
	uuid  uint64
	clock uint32
	on    *track    // in place of the uuid, where there is none
	of    *sequence // of counters: each sequence sums up its own
}

// list is what a file says of a track on one clock.
type list struct {
	listKey
	track  *track
	moved  *Converter // of the times of rows, once that is known
	lost   bool       // its clock has no relation to the others
	pid    processKey // that the tracing service saw
	rows   ChunksSteps
	latest int64       // time of all rows so far
	back   trace.Tally // ends that lie before it
	whole  List[Whole]
	notes  List[note]
	states List[Row]
	values List[value]
	turns  []turn // of values
}

// turn is where in the values of a list some begin between which and those before it the sequence was cleared, or
// values of the same track are in another list.
type turn struct {
	at         int
	ord, epoch uint32 // number of the event; how often the sequence had been cleared
}

// note is an instant: a message.
type note struct {
	time      int64
	text, cat uint32
	object    uint32 // name of what it speaks of
	ord       uint32
	severity  int8
	frame     int32 // that it may begin: its number and 2, 1 where it has none; 0: none
}

// value is one of a counter.
type value struct {
	time int64
	v    float64
}

const (
	noteBytes  = 32
	valueBytes = 16
)

// list returns the list of a track, nil where there is no room.
func (d *decoder) list(s *sequence, k listKey) *list {
	for _, l := range s.recent {
		if l != nil && l.listKey == k {
			return l
		}
	}
	l := d.lists[k]
	if l == nil {
		t := k.on
		if t == nil {
			t = d.trackOf(k.uuid)
		}
		if t == nil || !d.room.TakeData(400) {
			return nil
		}
		l = &list{listKey: k, track: t, pid: d.pid}
		d.lists[k] = l
		t.lists = append(t.lists, l)
	}
	s.recent[s.turn&3] = l
	s.turn++
	return l
}

// pushStep adds a begin or an end to a list for which it asks for room. more is the number of the event
// where more of it is kept, else 0.
func (d *decoder) pushStep(l *list, time int64, text uint32, end bool, more uint32) {
	switch {
	case time >= l.latest:
		l.latest = time
	case end:
		l.back.Add(d.at)
	}
	if more == 0 && l.rows.Fits(time, text, end) {
		return
	}
	size, need := l.rows.Grows(time)
	bytes := int64(0)
	if need {
		bytes = int64(size)*StepBytes + 48
	}
	if n, grows := l.rows.GrowsMore(); grows && more != 0 {
		bytes += 4 * int64(n)
	}
	if bytes > 0 && !d.room.TakeData(bytes) {
		d.full = true
		d.faults.Count(NoRoom, d.at)
		return
	}
	l.rows.Add(time, text, end, more, size)
}

// push adds a value to a list for which it asks for room.
func push[T any](d *decoder, c *List[T], v T, size int64) bool {
	if n, need := c.Grows(); need && !d.room.TakeData(int64(n)*size) {
		d.full = true
		d.faults.Count(NoRoom, d.at)
		return false
	}
	c.Add(v)
	return true
}
