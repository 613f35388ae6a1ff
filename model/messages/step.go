package messages

import (
	"cmp"
	"math"
	"slices"

	"framescope/internal/heap"
	"framescope/model"
	"framescope/model/columns"
)

// StepWork is the work that a window can spare in a tick: a message is 1, and so is each piece of its
// text of 1<<textShift bytes that is looked at.
const (
	StepWork  = 1 << 15
	textShift = 6
)

// Step continues the queries of FindSoFar and IndexSoFar, the newest first, for the given work. Until
// the next step these queries themselves look at no more messages than the rest of that.
func (x *Table) Step(work int64) {
	m := &x.searches
	m.bounded, m.left = true, work
	m.asked = [2]uint64{m.uses, m.asked[0]}
	for m.left > 0 {
		var next *search
		for _, c := range m.list {
			if c.waiting && (next == nil || c.used > next.used) {
				next = c
			}
		}
		if next == nil {
			return
		}
		m.stamp++
		m.update(x, next, &m.left)
		m.account(next)
		if next.waiting {
			return
		}
	}
}

// FoundStamp changes with the results of Step, and when they were forgotten.
func (x *Table) FoundStamp() uint64 { return x.searches.stamp }

// head is the next message of a track that a search looks at.
type head struct {
	time  int64
	track model.TrackID
}

func before(h, o *head) bool { return h.time < o.time || h.time == o.time && h.track < o.track }

// update applies changes to a search, as far as work is enough for it.
func (m *searches) update(x *Table, c *search, work *int64) {
	if c.rev == x.rev && c.from == nil {
		c.waiting = false
		return
	}
	c.waiting = true
	if c.from != nil && !m.narrow(x, c, work) {
		return
	}
	if c.rev != x.rev {
		m.mend(x, c)
		if !m.scan(x, c, work) {
			return
		}
		c.rev = x.rev
	}
	c.waiting = false
}

// restart makes a search look at all messages.
func (c *search) restart() {
	c.hits, c.seen, c.from, c.at, c.rev = c.hits[:0], c.seen[:0], nil, 0, 0
	c.turn++
}

// narrow searches the results without some letters of the text. It returns false if it has to go
// on; then c.from is set.
func (m *searches) narrow(x *Table, c *search, work *int64) bool {
	from := c.from
	m.mend(x, from)
	if from.turn != c.turned {
		c.restart()
		return true
	}
	for ; c.at < len(from.hits); c.at++ {
		if *work <= 0 {
			return false
		}
		r := from.hits[c.at]
		n := columns.Slot(x.tracks, r.track)
		row := n.rows.Ref(r.at)
		if c.fold.in(n.texts.text(row.text, row.length)) {
			c.hits = append(c.hits, r)
		}
		m.checked++
		*work -= 1 + int64(row.length)>>textShift
	}
	c.seen, c.rev, c.from = slices.Clone(from.seen), from.rev, nil
	return true
}

// mend removes changed and dropped messages from the hits, and notes in m.tracks which tracks are
// searched.
func (m *searches) mend(x *Table, c *search) {
	for len(c.seen) < len(x.tracks) {
		c.seen = append(c.seen, seen{})
	}
	m.tracks = m.tracks[:0]
	if len(c.query.Tracks) == 0 {
		for id := range x.tracks {
			m.tracks = append(m.tracks, model.TrackID(id))
		}
	}
	for k, id := range c.query.Tracks {
		if uint(id) < uint(len(c.seen)) && !slices.Contains(c.query.Tracks[:k], id) {
			m.tracks = append(m.tracks, id)
		}
	}
	was := len(c.hits)
	for _, id := range m.tracks {
		m.mendTrack(x, c, id)
	}
	if len(c.hits) != was {
		c.turn++
	}
}

func (m *searches) mendTrack(x *Table, c *search, id model.TrackID) {
	n := x.part(id)
	seen := &c.seen[id]
	if from, then, changed := n.edits.since(seen.edits); changed {
		i, _ := slices.BinarySearchFunc(c.hits, then, func(r ref, t int64) int { return cmp.Compare(r.time, t) })
		c.hits = c.hits[:i+len(slices.DeleteFunc(c.hits[i:], func(r ref) bool { return r.track == id && r.at >= from }))]
		seen.n, seen.edits = min(seen.n, from), n.edits.n
	}
	if seen.first != n.first {
		until := int64(math.MaxInt64)
		if n.rows.End() > n.first {
			until = n.rows.Ref(n.first).time
		}
		i, _ := slices.BinarySearchFunc(c.hits, until, func(r ref, t int64) int {
			if r.time <= t {
				return -1
			}
			return 1
		})
		c.hits = columns.DropWithin(c.hits, i, func(r ref) bool { return r.track == id && r.at < n.first })
		seen.first = n.first
	}
	seen.n = min(max(seen.n, n.first), n.rows.End())
}

// scan looks at the messages of m.tracks that were not seen, in order of time, and returns false where
// there are more of them than work is enough for.
func (m *searches) scan(x *Table, c *search, work *int64) (done bool) {
	m.heads = m.heads[:0]
	for _, id := range m.tracks {
		if n := x.part(id); c.seen[id].n < n.rows.End() {
			m.heads = append(m.heads, head{n.rows.Ref(c.seen[id].n).time, id})
		}
	}
	if len(m.heads) == 0 {
		return true
	}
	if *work <= 0 {
		return false
	}
	heap.Init(m.heads, before)
	m.aim(x, c)
	m.fresh = m.fresh[:0]
	for len(m.heads) > 0 && *work > 0 {
		m.scanRun(x, c, work)
	}
	if k := len(c.hits); len(m.fresh) > 0 {
		if k > 0 && byMessage(m.fresh[0], c.hits[k-1]) < 0 {
			c.turn++
		}
		c.hits = columns.MergeSorted(c.hits, m.fresh, byMessage)
	}
	if cap(m.fresh) > 2*StepWork {
		m.fresh = nil
	}
	return len(m.heads) == 0
}

// scanRun looks at the messages of the first track of the heap up to the first of the next.
func (m *searches) scanRun(x *Table, c *search, work *int64) {
	id, limit := m.heads[0].track, head{math.MaxInt64, math.MaxInt32}
	if len(m.heads) > 1 {
		limit = m.heads[1]
	}
	if len(m.heads) > 2 && before(&m.heads[2], &limit) {
		limit = m.heads[2]
	}
	n, text := x.part(id), c.query.Text != ""
	i, end := c.seen[id].n, n.rows.End()
	begin, left := i, *work
	for ; i < end && left > 0; i++ {
		r := n.rows.Ref(i)
		if i > begin && !before(&head{r.time, id}, &limit) {
			break
		}
		left--
		if r.severity < c.query.MinSeverity || len(m.cats) > 0 && !m.cats[r.category] || !m.passes(x, c, r.object) {
			continue
		}
		if text {
			left -= int64(r.length) >> textShift
			if !c.fold.in(n.texts.text(r.text, r.length)) {
				continue
			}
		}
		m.fresh = append(m.fresh, ref{r.time, i, id})
	}
	m.checked += i - begin
	c.seen[id].n, *work = i, left
	if i < end {
		m.heads[0].time = n.rows.Ref(i).time
		heap.Sink(m.heads, 0, before)
	} else {
		_, m.heads = heap.Pop(m.heads, before)
	}
}

// share returns the share of the messages that a search looked at; 1 is all of them.
func (m *searches) share(x *Table, c *search) float64 {
	if !c.waiting {
		return 1
	}
	part, of := 1.0, c
	if c.from != nil {
		part, of = float64(c.at)/float64(max(len(c.from.hits), 1)), c.from
	}
	var done, all int64
	for id, s := range of.seen {
		if n := x.part(model.TrackID(id)); len(of.query.Tracks) == 0 || slices.Contains(of.query.Tracks, model.TrackID(id)) {
			done, all = done+max(min(s.n, n.rows.End())-n.first, 0), all+n.Stored()
		}
	}
	return min(part*float64(done)/float64(max(all, 1)), 0.99)
}
