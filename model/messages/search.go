package messages

import (
	"cmp"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/columns"
)

// Query is a query of messages of several tracks. The zero value selects all of SeverityInfo and
// above.
type Query struct {
	T0, T1      int64          // the range, both ends included; both 0: all
	MinSeverity model.Severity // SeverityTrace selects all
	// Categories, if any, keeps only messages of one of these; "" stands for messages without one.
	Categories []string
	// Object and Text keep only messages with this in their object or text, whatever the case of
	// its letters.
	Object, Text string
	// Tracks, if any, keeps only messages of these.
	Tracks []model.TrackID
	// First is how many hits to skip, Limit how many to return at most; 0 returns none, only their
	// number.
	First, Limit int
}

// Hit is a message that was found.
type Hit struct {
	model.Message
	Track model.TrackID
	Index int64 // number of the message in its track; it stays the same while no message comes late
}

// search is a filter and the messages that pass it, of all time.
type search struct {
	query   Query  // without range and page
	fold    folder // of the text
	hits    []ref  // in order of time
	seen    []seen // by track
	booked  columns.Booked
	used    uint64
	rev     uint64  // of the table, when all of it was seen
	turn    uint64  // changes with hits, except for those added behind them
	from    *search // search with hits to look at first: all that pass are among them; nil: no more
	at      int     // of these, looked at
	turned  uint64  // turn of from then
	waiting bool    // the last query is incomplete: Step goes on
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

// keptSearches is the number of filters with kept results. A panel has one; typing makes a new one
// for each letter.
const keptSearches = 4

// keptFresh is the greatest scratch memory for new messages that is kept.
const keptFresh = 1 << 14

// searches keeps the newest searches of a session. Queries change them.
type searches struct {
	list    []*search
	uses    uint64
	asked   [2]uint64 // uses at the last step, and at the one before
	bounded bool      // there is a Step: FindSoFar and IndexSoFar leave their rest to it
	left    int64     // of the work of a step
	stamp   uint64    // changes with the results of Step
	checked int64     // messages looked at so far
	fresh   []ref     // in order
	tracks  []model.TrackID
	heads   []head // a heap
	acc     *columns.Account
	booked  columns.Booked // of all but the searches themselves
	objects []int8         // verdict on each object: 0 not known yet, 1 passes, -1 does not
	cats    []bool
}

// Find appends to out the messages that pass a filter, in order of time, a page of them, and
// returns how many pass in all. Results of a filter are kept: a repeated query costs O(log n +
// page), after new messages came it costs as much as these, and a filter with only more letters in
// the text searches the results without them.
func (x *Table) Find(q Query, out []Hit) (hits []Hit, total int) {
	return x.page(x.searches.whole(x, &q), &q, out)
}

// FindSoFar is Find for a window, which must not stand still: if there is a Step it returns the
// results so far, the oldest messages first, and the share of the messages searched, from 0 to 1.
// Only at 1 is the answer complete.
func (x *Table) FindSoFar(q Query, out []Hit) (hits []Hit, total int, share float64) {
	c := x.searches.soFar(x, &q)
	hits, total = x.page(c, &q, out)
	return hits, total, x.searches.share(x, c)
}

// page appends to out the page of a query.
func (x *Table) page(c *search, q *Query, out []Hit) (hits []Hit, total int) {
	lo, hi := c.within(q)
	total = hi - lo
	lo = min(lo+max(q.First, 0), hi)
	for _, r := range c.hits[lo:min(hi, lo+max(q.Limit, 0))] {
		out = append(out, Hit{Message: columns.Slot(x.tracks, r.track).message(r.at), Track: r.track, Index: r.at})
	}
	return out, total
}

// Index returns how many messages that pass a filter, in its range, are earlier than a time: the
// value of First for a page that begins there.
func (x *Table) Index(q Query, timeNs int64) int {
	return x.searches.whole(x, &q).index(&q, timeNs)
}

// IndexSoFar is Index in the results of FindSoFar.
func (x *Table) IndexSoFar(q Query, timeNs int64) (i int, share float64) {
	c := x.searches.soFar(x, &q)
	return c.index(&q, timeNs), x.searches.share(x, c)
}

func (c *search) index(q *Query, timeNs int64) int {
	lo, hi := c.within(q)
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

// same reports whether two filters differ at most in their text.
func (c *search) same(q *Query) bool {
	return c.query.MinSeverity == q.MinSeverity && c.query.Object == q.Object &&
		slices.Equal(c.query.Categories, q.Categories) && slices.Equal(c.query.Tracks, q.Tracks)
}

// whole returns the search of a filter, made anew if need be, that has seen all messages.
func (m *searches) whole(x *Table, q *Query) *search {
	c := m.find(q)
	for {
		work := int64(keptFresh)
		if m.update(x, c, &work); !c.waiting {
			m.account(c)
			return c
		}
	}
}

// soFar returns the search of a filter, made anew if need be, continued for the work of a step.
func (m *searches) soFar(x *Table, q *Query) *search {
	if !m.bounded {
		return m.whole(x, q)
	}
	c := m.find(q)
	m.update(x, c, &m.left)
	m.account(c)
	return c
}

// find returns the search of a filter, made anew if need be.
func (m *searches) find(q *Query) *search {
	m.uses++
	var wider *search
	for _, c := range m.list {
		if !c.same(q) {
			continue
		}
		if c.query.Text == q.Text {
			c.used = m.uses
			return c
		}
		if c.from == nil && c.fold.in(q.Text) && (wider == nil || len(wider.hits) > len(c.hits)) {
			wider = c
		}
	}
	c := &search{used: m.uses, fold: makeFolder(strings.Clone(q.Text)), query: Query{
		MinSeverity: q.MinSeverity, Object: strings.Clone(q.Object), Text: strings.Clone(q.Text),
		Categories: slices.Clone(q.Categories), Tracks: slices.Clone(q.Tracks),
	}}
	if wider != nil {
		c.from, c.turned = wider, wider.turn
	}
	if i := m.oldest(); len(m.list) >= keptSearches && i >= 0 {
		gone := m.list[i]
		for _, k := range m.list {
			if k.from == gone {
				k.restart()
			}
		}
		if c.from == gone {
			c.restart()
		}
		if gone.waiting {
			m.stamp++ // panels that still need it query again
		}
		gone.booked.Set(m.acc, 0)
		m.list[i] = c
		return c
	}
	m.list = append(m.list, c)
	return c
}

// oldest returns the position of the least recently used search, -1 if all go on and are in use.
func (m *searches) oldest() int {
	at := -1
	for i, c := range m.list {
		if (!c.waiting || c.used <= m.asked[1]) && (at < 0 || c.used < m.list[at].used) {
			at = i
		}
	}
	return at
}

// aim prepares the filters of categories and objects. Numbers of both may have changed their
// meaning since the last time.
func (m *searches) aim(x *Table, c *search) {
	m.cats = m.cats[:0]
	if len(c.query.Categories) > 0 {
		m.cats = slices.Grow(m.cats, x.categories.Len())[:x.categories.Len()]
		clear(m.cats)
		for _, name := range c.query.Categories {
			if n, ok := x.categories.Find(name); ok {
				m.cats[n] = true
			}
		}
	}
	if c.query.Object != "" {
		n := x.objects.Len()
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
		if f := makeFolder(c.query.Object); f.in(x.objects.Text(object)) {
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
	m.stamp++
	m.list, m.fresh, m.tracks, m.heads, m.objects, m.cats = nil, nil, nil, nil, nil, nil
}

// account books the searches.
func (m *searches) account(c *search) {
	m.booked.Set(m.acc, int64(cap(m.fresh))*columns.SizeOf[ref]()+int64(cap(m.heads))*columns.SizeOf[head]()+
		int64(cap(m.tracks))*columns.SizeOf[model.TrackID]()+int64(cap(m.objects)+cap(m.cats)))
	found := int64(cap(c.hits))*columns.SizeOf[ref]() + int64(cap(c.seen))*columns.SizeOf[seen]()
	c.booked.Set(m.acc, columns.SizeOf[search]()+found)
}
