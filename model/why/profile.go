package why

import (
	"cmp"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/compare"
	"framescope/model/internal/histogram"
	"framescope/model/store"
)

// part is a collector in a profile: its self time, and its total with everything below its name.
// Waits are not in the totals of the parts above: work and waiting stay separate.
type part struct {
	slot   int32
	id     model.CollectorID
	parent int32 // place of the part above, -1 of the root
	end    int32 // place behind the last part below it
	waits  bool

	self, whole quantity
	calls       quantity
	seen        int // frames around in which it, or something below it, ran
	// The mean time of a call in the frames around, as self time and with everything below.
	callSelf, callWhole float64
}

// quantity is a figure of a frame, its typical value, and the distance above that of the greatest
// fifth of the frames around.
type quantity struct{ is, typical, spread int64 }

func (q quantity) excess() int64 { return q.is - q.typical }

// profile is the composition of a frame, or a range of time, of one thread, beside the typical one.
type profile struct {
	track  model.TrackID
	base   *compare.Against  // source of typical values; nil: the frames around
	frame  int               // index, of a frame
	frames model.CollectorID // of the spans that are frames
	parts  []part            // parents before their children; 0 is the root
	around int               // frames used for typical, 0 if it covers a stretch of time
	ownNs  int64             // how long the frame or the stretch is
	busy   float64           // share of the time around in which the thread worked, of a stretch

	place  []int32 // of each slot: one more than its place, 0 none
	refs   []int   // frames around
	before int     // how many of them are before the frame
	others []int64 // begin and end of hitches among the frames around, of the examined frame
	side   side    // which of them are typical
	rows   []profileRow
	alone  []model.CollectorTime
	selfs  []int64 // by part, and in it by reference
	wholes []int64
	counts []int64
	some   []int64
	own    []int64 // by part, of the examined time
	slots  []int32
}

// profileRow is the time of a collector in a frame: an index of refs, -1 the examined one.
type profileRow struct {
	ref   int32
	slot  int32
	ns    int64
	calls int32
}

const (
	sideRefs  = 64  // frames on each side that are compared with at most
	otherRefs = 16  // the same of another thread
	sideAway  = 300 // how far these are away at most
	leastRefs = 4   // frames that are needed
)

// ofFrame makes the profile of a frame against the frames around it that are no hitches. like is
// the profile of the examined frame, nil for that itself. It returns false if these are too few, or
// there is no collector.
func (p *profile) ofFrame(e *Engine, h *model.Hierarchy, track model.TrackID, index int, like *profile) bool {
	if len(h.All) == 0 { // a client that sends frames alone
		return false
	}
	s := e.s
	p.track, p.frame, p.refs = track, index, p.refs[:0]
	if p.base != nil {
		return p.ofFrameOver(e, h, index)
	}
	t, x := s.Track(track), s.Frames()
	most := sideRefs
	if like != nil {
		most = otherRefs
	}
	odd := func(i int) bool { return x.Hitch(track, i) || like.strange(t, i) }
	p.refs, p.before = beside(index, t.NumFrames(), most, odd, p.refs)
	p.around = len(p.refs)
	if len(p.refs) < leastRefs {
		return false
	}
	p.begin(h)
	p.rows, p.frames = p.rows[:0], e.frameSpans(track)
	p.addFrame(s, h, index, -1)
	for k, i := range p.refs {
		p.addFrame(s, h, i, int32(k))
	}
	f := t.Frame(index)
	p.ownNs = f.End - f.Begin
	p.order(e, h)
	p.tabulate()
	p.compare(like)
	return true
}

// beside appends the nearest of n things on each side of one that are not odd, at most so many of each side, and
// returns how many of them are before it.
func beside(index, n, most int, odd func(i int) bool, refs []int) (_ []int, before int) {
	for i := index - 1; i >= max(0, index-sideAway) && len(refs) < most; i-- {
		if !odd(i) {
			refs = append(refs, i)
		}
	}
	before = len(refs)
	for i := index + 1; i <= min(n-1, index+sideAway) && len(refs) < before+most; i++ {
		if !odd(i) {
			refs = append(refs, i)
		}
	}
	return refs, before
}

// frameSpans returns the collector of the spans that are the frames of the main thread, as a recording has them that
// knows spans alone: time in them and in no other span is not measured. NoCollector: there are none.
func (e *Engine) frameSpans(track model.TrackID) (c model.CollectorID) {
	const looks, deepest, beside = 3, 3, 20 // at most a twentieth of a frame is beside a span that is called one
	if track != e.s.MainTrack() || e.listing {
		return model.NoCollector
	}
	t := e.s.Track(track)
	for k := range min(looks, t.NumFrames()) {
		f := t.Frame((t.NumFrames() - 1) * k / looks)
		is := model.CollectorID(0)
		for lane := range min(t.Lanes(), deepest) {
			b, ok := e.s.Spans().At(track, lane, (f.Begin+f.End)/2, 0)
			off := distance(b.Begin, f.Begin) + distance(b.End, f.End)
			named := beside*off <= f.End-f.Begin && strings.EqualFold(e.s.Collector(b.Collector).Name, "frame")
			if ok && (off == 0 || named) {
				is = b.Collector
				break
			}
		}
		if is == 0 || k > 0 && is != c {
			return model.NoCollector
		}
		c = is
	}
	if c == 0 {
		return model.NoCollector
	}
	return c
}

// strange reports whether a frame of another thread ran during a hitch of the examined thread: it is not
// typical either.
func (p *profile) strange(t *store.Track, index int) bool {
	if p == nil || len(p.others) == 0 || t.Def.OwnClock || t.Def.ShiftNs != 0 {
		return false
	}
	f := t.Frame(index)
	for k := 0; k < len(p.others); k += 2 {
		if f.Begin < p.others[k+1] && f.End > p.others[k] {
			return true
		}
	}
	return false
}

// empty reports whether nothing is known to have run although most of the typical time is covered.
func (p *profile) empty() bool {
	const hardly, most = 0.01, 0.5
	var is, typical int64
	for k := 1; k < len(p.parts); k++ {
		is, typical = is+p.parts[k].self.is, typical+p.parts[k].self.typical
	}
	return float64(is) <= hardly*float64(p.ownNs) && float64(typical) >= most*float64(typical+p.parts[0].self.typical)
}

// begin empties the profile.
func (p *profile) begin(h *model.Hierarchy) {
	p.place = slices.Grow(p.place[:0], len(h.All))[:len(h.All)]
	clear(p.place)
	p.slots = p.slots[:0]
	p.enter(h, 0)
}

// enter makes a slot and those above it parts.
func (p *profile) enter(h *model.Hierarchy, slot int32) {
	for ; slot >= 0 && p.place[slot] == 0; slot = h.Parents[slot] {
		p.place[slot] = 1
		p.slots = append(p.slots, slot)
	}
}

// addFrame adds the rows of a frame. Uncovered time is the root's.
func (p *profile) addFrame(s *store.Session, h *model.Hierarchy, index int, ref int32) {
	f := s.Track(p.track).Frame(index)
	rest := f.End - f.Begin
	p.alone = s.Frames().Self(p.track, index, p.alone[:0])
	for _, a := range p.alone {
		slot := h.Slot(a.Collector)
		if slot < 0 || a.Collector == p.frames {
			continue
		}
		p.enter(h, slot)
		p.rows = append(p.rows, profileRow{ref, slot, a.Ns, a.Count})
		rest -= a.Ns
	}
	if rest > 0 {
		p.rows = append(p.rows, profileRow{ref: ref, ns: rest})
	}
}

// order makes the parts, in the order of the tree of names.
func (p *profile) order(e *Engine, h *model.Hierarchy) {
	slices.SortFunc(p.slots, func(a, b int32) int { return cmp.Compare(h.Pre[a], h.Pre[b]) })
	p.parts = p.parts[:0]
	for k, slot := range p.slots {
		p.place[slot] = int32(k) + 1
		c := &h.All[slot]
		part := part{slot: slot, id: c.ID, parent: -1, end: int32(k) + 1, waits: slot != 0 && e.waits(p.track, c)}
		if up := h.Parents[slot]; up >= 0 {
			part.parent = p.place[up] - 1
		}
		p.parts = append(p.parts, part)
	}
	for k := len(p.parts) - 1; k > 0; k-- {
		up := &p.parts[p.parts[k].parent]
		up.end = max(up.end, p.parts[k].end)
	}
	e.learnParts(p)
}

// tabulate turns the rows into columns by part, and sums up the descendants of each.
func (p *profile) tabulate() {
	n := len(p.refs)
	size := n * len(p.parts)
	for _, list := range [...]*[]int64{&p.selfs, &p.wholes, &p.counts} {
		*list = slices.Grow((*list)[:0], size)[:size]
		clear(*list)
	}
	for _, r := range p.rows {
		k := int(p.place[r.slot]) - 1
		if r.ref < 0 {
			p.parts[k].self.is += r.ns
			p.parts[k].calls.is += int64(r.calls)
			continue
		}
		p.selfs[k*n+int(r.ref)] += r.ns
		p.counts[k*n+int(r.ref)] += int64(r.calls)
	}
	copy(p.wholes, p.selfs)
	for k := range p.parts {
		p.parts[k].whole.is = p.parts[k].self.is
	}
	for k := len(p.parts) - 1; k > 0; k-- {
		if p.parts[k].waits {
			continue
		}
		up := p.parts[k].parent
		p.parts[up].whole.is += p.parts[k].whole.is
		above, below := p.wholes[int(up)*n:][:n], p.wholes[k*n:][:n]
		for i, ns := range below {
			above[i] += ns
		}
	}
}

// compare computes the typical values. If the program changes its work near the frame, only the frames
// on the more similar side count; for another thread's frame, those on the side chosen for the
// examined frame.
func (p *profile) compare(like *profile) {
	n := len(p.refs)
	from, to := 0, n
	if p.before >= leastRefs && n-p.before >= leastRefs {
		if like == nil {
			p.side = p.nearer()
		} else {
			p.side = like.side
		}
		switch p.side {
		case sideBefore:
			to = p.before
		case sideAfter:
			from = p.before
		}
	}
	p.around = to - from
	for k := range p.parts {
		x := &p.parts[k]
		x.seen = 0
		var self, whole, calls int64
		for i := k*n + from; i < k*n+to; i++ {
			if p.wholes[i] > 0 || p.counts[i] > 0 {
				x.seen++
			}
			self, whole, calls = self+p.selfs[i], whole+p.wholes[i], calls+p.counts[i]
		}
		x.perCall(self, whole, calls)
		if self != 0 {
			x.self.typical, x.self.spread = p.middleAndSpread(p.selfs, k, from, to)
		}
		if calls != 0 {
			x.calls.typical = p.middle(p.counts, k, from, to)
		}
		switch {
		case x.waits || int(x.end) == k+1:
			x.whole.typical, x.whole.spread = x.self.typical, x.self.spread
		case whole != 0:
			x.whole.typical, x.whole.spread = p.middleAndSpread(p.wholes, k, from, to)
		}
	}
}

// side selects the frames around that count as typical.
type side uint8

const (
	bothSides side = iota
	sideBefore
	sideAfter
)

// nearer reports whether the frames on one side are much more like the frame than those on both.
func (p *profile) nearer() side {
	n := len(p.refs)
	both, old, young := p.distance(0, n), p.distance(0, p.before), p.distance(p.before, n)
	typical := int64(0)
	for k := range p.parts {
		typical += p.middle(p.selfs, k, 0, n)
	}
	switch least := min(old, young); {
	case both-least <= typical/10:
		return bothSides
	case least == old:
		return sideBefore
	}
	return sideAfter
}

// perCall notes how long a call takes that is typical.
func (x *part) perCall(self, whole, calls int64) {
	x.callSelf, x.callWhole = 0, 0
	if calls > 0 {
		x.callSelf, x.callWhole = float64(self)/float64(calls), float64(whole)/float64(calls)
	}
}

// distance returns the distance of the frame from the typical values of the frames [from, to)
// around.
func (p *profile) distance(from, to int) (ns int64) {
	for k := range p.parts {
		d := p.parts[k].self.is - p.middle(p.selfs, k, from, to)
		ns += max(d, -d)
	}
	return ns
}

func (p *profile) middle(of []int64, k, from, to int) int64 {
	n := len(p.refs)
	p.some = append(p.some[:0], of[k*n+from:k*n+to]...)
	return histogram.Select(p.some, (len(p.some)-1)/2)
}

func (p *profile) middleAndSpread(of []int64, k, from, to int) (middle, spread int64) {
	middle = p.middle(of, k, from, to)
	return middle, histogram.Select(p.some, (len(p.some)-1)*4/5) - middle
}
