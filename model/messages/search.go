package messages

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/columns"
)

// Query asks for messages of several tracks. The zero value asks for all of SeverityInfo and above.
type Query struct {
	T0, T1      int64          // the range, both ends included; both 0: all
	MinSeverity model.Severity // SeverityTrace asks for all
	// Categories, if any, keeps only messages of one of these; "" stands for messages without one.
	Categories []string
	// Object and Text keep only messages whose object or text contains this, whatever the case of
	// its letters.
	Object, Text string
	// Tracks, if any, keeps only messages of these.
	Tracks []model.TrackID
	// First is how many hits are left out before the first that is wanted, Limit how many are
	// wanted at most; 0 asks for none, only for their number.
	First, Limit int
}

// Hit is a message that was found.
type Hit struct {
	model.Message
	Track model.TrackID
	Index int64 // number of the message in its track; it stays the same while no message comes late
}

// search is a filter and what passes it, of all time.
type search struct {
	query   Query  // without range and page
	fold    folder // of the text
	hits    []ref  // in order of time
	seen    []seen // by track
	booked  columns.Booked
	used    uint64
	rev     uint64 // of the table
	checked int64  // messages looked at so far
}

type ref struct {
	time, at int64
	track    model.TrackID
}

func byMessage(a, b ref) int {
	switch {
	case a.time != b.time:
		return cmp.Compare(a.time, b.time)
	case a.track != b.track:
		return int(a.track) - int(b.track)
	}
	return cmp.Compare(a.at, b.at)
}

// seen is how far a search looked at a track.
type seen struct {
	first, n int64
	edits    uint64
}

// keptSearches is how many filters keep what they found. A panel has one; typing makes a new one
// for each letter.
const keptSearches = 4

// keptFresh is the greatest scratch memory for new messages that is kept.
const keptFresh = 1 << 14

// searches keeps the newest searches of a session. Questions change them.
type searches struct {
	list    []*search
	uses    uint64
	fresh   []ref // run after run, each of a track and in order
	merged  []ref
	runs    []int // where they end
	acc     *columns.Account
	booked  columns.Booked // of all but the searches themselves
	objects []int8         // verdict on each object: 0 not known yet, 1 passes, -1 does not
	cats    []bool
}

// Find appends to out the messages that pass a filter, in order of time, a page of them, and
// returns how many pass in all. What passes a filter is kept: asking again costs O(log n + page),
// after new messages came it costs as much as these, and a filter that only wants more letters in
// the text looks at what passed without them.
func (x *Table) Find(q Query, out []Hit) (hits []Hit, total int) {
	m := &x.searches
	c := m.find(x, &q)
	m.settle(c)
	lo, hi := c.within(&q)
	total = hi - lo
	lo = min(lo+max(q.First, 0), hi)
	for _, r := range c.hits[lo:min(hi, lo+max(q.Limit, 0))] {
		out = append(out, Hit{Message: x.tracks.At(r.track).message(r.at), Track: r.track, Index: r.at})
	}
	return out, total
}

// Index returns how many messages that pass a filter, in its range, are earlier than a time: what
// to put in First for a page that begins there.
func (x *Table) Index(q Query, timeNs int64) int {
	m := &x.searches
	c := m.find(x, &q)
	m.settle(c)
	lo, hi := c.within(&q)
	i, _ := slices.BinarySearchFunc(c.hits[lo:hi], timeNs, func(r ref, t int64) int { return cmp.Compare(r.time, t) })
	return i
}

// within returns the run of hits in the range of a query.
func (c *search) within(q *Query) (lo, hi int) {
	if q.T0 == 0 && q.T1 == 0 {
		return 0, len(c.hits)
	}
	lo, _ = slices.BinarySearchFunc(c.hits, q.T0, func(r ref, t int64) int { return cmp.Compare(r.time, t) })
	hi, _ = slices.BinarySearchFunc(c.hits, q.T1, func(r ref, t int64) int {
		if r.time <= t {
			return -1
		}
		return 1
	})
	return lo, max(lo, hi)
}

// same tells whether two filters differ at most in their text.
func (c *search) same(q *Query) bool {
	return c.query.MinSeverity == q.MinSeverity && c.query.Object == q.Object &&
		slices.Equal(c.query.Categories, q.Categories) && slices.Equal(c.query.Tracks, q.Tracks)
}

// find returns the search of a filter, made anew if need be, that has seen all messages.
func (m *searches) find(x *Table, q *Query) *search {
	m.uses++
	var wider *search
	for _, c := range m.list {
		if !c.same(q) {
			continue
		}
		if c.query.Text == q.Text {
			c.used = m.uses
			m.update(x, c)
			return c
		}
		if c.fold.in(q.Text) && (wider == nil || len(wider.hits) > len(c.hits)) {
			wider = c
		}
	}
	c := &search{used: m.uses, fold: makeFolder(strings.Clone(q.Text)), query: Query{
		MinSeverity: q.MinSeverity, Object: strings.Clone(q.Object), Text: strings.Clone(q.Text),
		Categories: slices.Clone(q.Categories), Tracks: slices.Clone(q.Tracks),
	}}
	if wider != nil {
		m.update(x, wider)
		c.seen, c.rev = slices.Clone(wider.seen), wider.rev
		for _, r := range wider.hits {
			n := x.tracks.At(r.track)
			row := n.rows.Ref(r.at)
			if c.fold.in(n.texts.text(row.text, row.length)) {
				c.hits = append(c.hits, r)
			}
		}
		c.checked = int64(len(wider.hits))
	} else {
		m.update(x, c)
	}
	if len(m.list) < keptSearches {
		m.list = append(m.list, c)
		return c
	}
	oldest := slices.IndexFunc(m.list, func(a *search) bool {
		return !slices.ContainsFunc(m.list, func(b *search) bool { return b.used < a.used })
	})
	m.list[oldest].booked.Set(m.acc, 0)
	m.list[oldest] = c
	return c
}

// update makes a search see what changed.
func (m *searches) update(x *Table, c *search) {
	if c.rev == x.rev {
		return
	}
	c.rev = x.rev
	m.fresh, m.runs = m.fresh[:0], m.runs[:0]
	for len(c.seen) < len(x.tracks.All()) {
		c.seen = append(c.seen, seen{})
	}
	aimed := false
	if len(c.query.Tracks) > 0 {
		for k, id := range c.query.Tracks {
			if uint(id) < uint(len(c.seen)) && !slices.Contains(c.query.Tracks[:k], id) {
				m.updateTrack(x, c, id, &aimed)
			}
		}
	} else {
		for id := range x.tracks.All() {
			m.updateTrack(x, c, model.TrackID(id), &aimed)
		}
	}
	if len(m.fresh) > 0 {
		m.mergeRuns()
		c.hits = columns.MergeSorted(c.hits, m.fresh, byMessage)
	}
	if cap(m.fresh) > keptFresh {
		m.fresh, m.merged = nil, nil
	}
}

// mergeRuns makes one run of all.
func (m *searches) mergeRuns() {
	for len(m.runs) > 1 {
		m.merged = m.merged[:0]
		from, to := 0, 0 // runs
		begin := 0
		for ; from < len(m.runs); from += 2 {
			a := m.fresh[begin:m.runs[from]]
			var b []ref
			if from+1 < len(m.runs) {
				b = m.fresh[m.runs[from]:m.runs[from+1]]
			}
			begin += len(a) + len(b)
			for len(a) > 0 && len(b) > 0 {
				if byMessage(a[0], b[0]) <= 0 {
					m.merged, a = append(m.merged, a[0]), a[1:]
				} else {
					m.merged, b = append(m.merged, b[0]), b[1:]
				}
			}
			m.merged = append(append(m.merged, a...), b...)
			m.runs[to] = begin
			to++
		}
		m.runs = m.runs[:to]
		m.fresh, m.merged = m.merged, m.fresh
	}
}

// updateTrack takes from the hits what changed or left, and gathers what is new of a track in
// m.fresh.
func (m *searches) updateTrack(x *Table, c *search, id model.TrackID, aimed *bool) {
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
	from := max(seen.n, n.first)
	seen.n = n.rows.End()
	if from == n.rows.End() {
		return
	}
	if !*aimed {
		*aimed = true
		m.aim(x, c)
	}
	c.checked += n.rows.End() - from
	for i := from; i < n.rows.End(); i++ {
		r := n.rows.Ref(i)
		if r.severity < c.query.MinSeverity || len(m.cats) > 0 && !m.cats[r.category] || !m.passes(x, c, r.object) {
			continue
		}
		if c.query.Text == "" || c.fold.in(n.texts.text(r.text, r.length)) {
			m.fresh = append(m.fresh, ref{r.time, i, id})
		}
	}
	if k := len(m.runs); len(m.fresh) > 0 && (k == 0 || m.runs[k-1] < len(m.fresh)) {
		m.runs = append(m.runs, len(m.fresh))
	}
}

// aim makes ready what tells whether a category or an object passes. Numbers of both may mean
// something else than at the last time.
func (m *searches) aim(x *Table, c *search) {
	m.cats = m.cats[:0]
	if len(c.query.Categories) > 0 {
		m.cats = slices.Grow(m.cats, max(len(x.categories.list), 1))[:max(len(x.categories.list), 1)]
		clear(m.cats)
		for _, name := range c.query.Categories {
			if n, ok := x.categories.find(name); ok {
				m.cats[n] = true
			}
		}
	}
	if c.query.Object != "" {
		n := max(len(x.objects.list), 1)
		m.objects = slices.Grow(m.objects[:0], n)[:n]
		clear(m.objects)
	}
}

func (m *searches) passes(x *Table, c *search, object int32) bool {
	if c.query.Object == "" {
		return true
	}
	if m.objects[object] == 0 {
		m.objects[object] = -1
		if f := makeFolder(c.query.Object); f.in(x.objects.text(object)) {
			m.objects[object] = 1
		}
	}
	return m.objects[object] > 0
}

// drop forgets all searches.
func (m *searches) drop() {
	for _, c := range m.list {
		c.booked.Set(m.acc, 0)
	}
	m.booked.Set(m.acc, 0)
	m.list, m.fresh, m.merged, m.objects, m.cats, m.runs = nil, nil, nil, nil, nil, nil
}

// settle writes down what the searches take.
func (m *searches) settle(c *search) {
	m.booked.Set(m.acc, int64(cap(m.fresh)+cap(m.merged))*columns.SizeOf[ref]()+int64(cap(m.objects)+cap(m.cats)))
	found := int64(cap(c.hits))*columns.SizeOf[ref]() + int64(cap(c.seen))*columns.SizeOf[seen]()
	c.booked.Set(m.acc, columns.SizeOf[search]()+found)
}
