package decode

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/net/pstats"
)

// Frames of a game resemble each other: most do what the one before did, up to where one has more or
// less to do. So the walk keeps, for each thread, the trail of a frame: its events, and what became of
// each. The next frame is followed along the trail as far as it has the same events; its spans are
// then known but for their times, and no event waits for what the one before it did to the stack.
// Where it leaves the trail the walk goes on, and the trail is laid anew from there.

const (
	trailEvents     = 1 << 14  // of a frame, at most
	trailTotalBytes = 16 << 20 // of a client
	trailPatience   = 31       // frames for which a trail that leads nowhere is left alone, at most
)

// trail holds the results for the events of an earlier frame of a thread, one without spans from
// before it.
type trail struct {
	words  []uint16 // of the events
	starts []int32  // by event: how many starts are before it
	spans  []trailSpan
	firsts []trailFirst
	seen   collectorSet // those of firsts
	ignore int32        // as it was then

	open    []int32 // spans that run where the present frame left the trail, outermost first
	left    int     // event where it did so
	from    int     // event from which the trail was laid last
	wait    int     // frames for which it is not laid anew
	patient int     // frames for which it was not, the last time
	bytes   int64   // on the account
}

// trailSpan is a span of the trail, in order of starts.
type trailSpan struct {
	begin, end        int32 // events; end is math.MaxInt32 where it went on
	parent            int32 // the span that called it, -1 none
	path              model.PathID
	collector, caller uint16 // caller is math.MaxUint16 for outermost spans
	lane              uint16
}

// trailFirst is the event that starts a collector for the first time.
type trailFirst struct {
	event     int32
	collector uint16
}

// size returns the bytes that t keeps.
func (t *trail) size() int64 {
	return int64(2*cap(t.words)+4*cap(t.starts)+28*cap(t.spans)+8*cap(t.firsts)+4*cap(t.open)) + 8*int64(len(t.seen))
}

// trailOf returns the trail of a thread, nil where there is no room for it.
func (p *windowPool) trailOf(th *thread) *trail {
	if th.trail == nil && !th.trailless && !p.held.Over() {
		th.trail = new(trail)
	}
	return th.trail
}

// countTrail counts the memory of a thread's trail, and gives it up for good where all take too much.
func (p *windowPool) countTrail(th *thread) {
	t := th.trail
	if t == nil || t.bytes == t.size() {
		return
	}
	p.addTrail(t, t.size()-t.bytes)
	if p.trails > trailTotalBytes {
		p.dropTrail(th)
		th.trailless = true
	}
}

func (p *windowPool) addTrail(t *trail, bytes int64) {
	t.bytes += bytes
	p.trails += bytes
	p.held.Add(bytes)
}

// dropTrail gives up the trail of a thread.
func (p *windowPool) dropTrail(th *thread) {
	if th.trail != nil {
		p.addTrail(th.trail, -th.trail.bytes)
		th.trail = nil
	}
}

// forget empties the trail.
func (t *trail) forget() {
	t.words, t.starts, t.spans = t.words[:0], t.starts[:0], t.spans[:0]
	t.cutFirsts(0)
}

// match returns how many of the events are those of the trail, in order of time.
func (t *trail) match(events []pstats.Event) int {
	n := min(len(t.words), len(events))
	words, events := t.words[:n], events[:n]
	last := float32(0)
	for i := range words {
		e := &events[i]
		if e.Word != words[i] || !(e.Time >= last) {
			return i
		}
		last = e.Time
	}
	return n
}

// follow is walk for the events of a frame that are those of the trail, from the first on. It charges
// a caller at once with less than its callee took, and a callee with more: in the end it comes to the
// same.
func (p *fastPass) follow(t *trail, events []pstats.Event, ignore int32) {
	if t.ignore != ignore {
		t.forget()
		t.ignore = ignore
	}
	k := t.match(events)
	if t.left = k; k == 0 {
		t.open = t.open[:0]
		return
	}
	known := t.spans
	if k < len(t.words) {
		known = t.spans[:t.starts[k]]
	}
	for i := range t.firsts {
		f := &t.firsts[i]
		if int(f.event) >= k {
			break
		}
		p.room(uint(f.collector))
		p.touched.add(uint(f.collector))
	}
	first := len(p.spans)
	p.spans = slices.Grow(p.spans, len(known)+1)[:first+len(known)] // and one for the walk
	out, cols, skewNs := p.spans[first:], p.cols, p.skewNs
	out, events = out[:len(known)], events[:k]
	beforeNs, above := int64(math.MinInt64), uint16(0)
	for i := range known {
		s := &known[i]
		lane := s.lane % maxLanes
		for int(lane) >= p.lanes {
			p.laneEndNs[p.lanes%maxLanes] = 0
			p.lanes++
		}
		beginNs := int64(float64(events[s.begin].Time)*1e9+0.5) + skewNs
		endNs := int64(float64(events[min(int(s.end), k-1)].Time)*1e9+0.5) + skewNs
		if beginNs == beforeNs && above > lane {
			p.ordered = false
		}
		beforeNs, above = beginNs, lane
		o := &out[i]
		o.Begin, o.End, o.Path, o.Lane, o.Flags = beginNs, endNs, s.path, lane, 0
		c := &cols[s.collector]
		c.count++
		c.selfNs += endNs - beginNs
		if int(s.caller) < len(cols) {
			cols[s.caller].selfNs -= endNs - beginNs
		}
		p.laneEndNs[lane] = endNs
	}
	p.done = k
	t.running(known, k)
	for _, i := range t.open { // they were taken for ended
		s, o := &known[i], &out[i]
		cols[s.collector].selfNs -= o.End - o.Begin
		if int(s.caller) < len(cols) {
			cols[s.caller].selfNs += o.End - o.Begin
		}
		o.End = o.Begin
		p.depth++
		r := &p.stack[uint(p.depth)%fastDepth]
		r.sinceNs, r.calleesNs, r.path, r.span, r.collector, r.lane, r.before =
			o.Begin, 0, s.path, int32(first)+i, s.collector, s.lane, false
	}
}

// running notes the spans running before an event.
func (t *trail) running(known []trailSpan, event int) {
	t.open = t.open[:0]
	if len(known) == 0 {
		return
	}
	at := int32(len(known) - 1) // what ended since was called by what runs, or ran itself
	for at >= 0 && int(known[at].end) < event {
		at = known[at].parent
	}
	for ; at >= 0; at = known[at].parent {
		t.open = append(t.open, at)
	}
	slices.Reverse(t.open)
}

// lay lays the trail anew from the point where the frame left it. The spans from there are those from
// first on, in order of starts. It does nothing if the frame only had less to do, or after recent
// attempts in vain.
func (t *trail) lay(events []pstats.Event, spans []model.Span) {
	from, known := t.left, len(t.spans)
	if from < len(t.words) {
		known = int(t.starts[from])
	}
	switch {
	case known == len(spans) || len(events) > trailEvents:
		return
	case t.wait > 0:
		t.wait--
		return
	case len(t.words) > 0 && from <= t.from:
		t.patient = min(2*t.patient+1, trailPatience)
		t.wait = t.patient
	default:
		t.patient = 0
	}
	t.from = from
	t.words, t.starts, t.spans = t.words[:from], t.starts[:from], t.spans[:known]
	t.cutFirsts(from)
	for _, i := range t.open {
		t.spans[i].end = math.MaxInt32
	}
	for i := from; i < len(events); i++ {
		word := events[i].Word
		t.words = append(t.words, word)
		t.starts = append(t.starts, int32(len(t.spans)))
		if word&pstats.StopBit != 0 {
			k := len(t.open) - 1
			t.spans[t.open[k]].end = int32(i)
			t.open = t.open[:k]
			continue
		}
		parent, caller := int32(-1), uint16(math.MaxUint16)
		if k := len(t.open) - 1; k >= 0 {
			parent = t.open[k]
			caller = t.spans[parent].collector
		}
		if bit := uint64(1) << (word % 64); t.seen[word/64]&bit == 0 {
			t.seen[word/64] |= bit
			t.firsts = append(t.firsts, trailFirst{int32(i), word})
		}
		s := &spans[len(t.spans)]
		t.open = append(t.open, int32(len(t.spans)))
		t.spans = append(t.spans, trailSpan{
			begin: int32(i), end: math.MaxInt32, parent: parent, path: s.Path, collector: word, caller: caller, lane: s.Lane,
		})
	}
}

// cutFirsts forgets the collectors that are started for the first time at an event or later.
func (t *trail) cutFirsts(from int) {
	for len(t.firsts) > 0 && int(t.firsts[len(t.firsts)-1].event) >= from {
		c := t.firsts[len(t.firsts)-1].collector
		t.seen[c/64] &^= 1 << (c % 64)
		t.firsts = t.firsts[:len(t.firsts)-1]
	}
}
