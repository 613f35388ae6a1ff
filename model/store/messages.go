package store

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"framescope/model"
	"framescope/model/columns"
)

// MessageQuery asks for messages of several tracks. The zero value asks for all of SeverityInfo and above.
type MessageQuery struct {
	T0, T1      int64          // the range, both ends included; both 0: all
	MinSeverity model.Severity // SeverityTrace asks for all
	// Categories, if any, keeps only messages of one of these; "" stands for messages without one.
	Categories []string
	// Object and Text keep only messages whose object or text contains this, whatever the case of its letters.
	Object, Text string
	// Tracks, if any, keeps only messages of these.
	Tracks []model.TrackID
	// First is how many hits are left out before the first that is wanted, Limit how many are wanted at most; 0 asks for none, only for their number.
	First, Limit int
}

// MessageHit is a message that was found.
type MessageHit struct {
	model.Message
	Track model.TrackID
	Index int64 // number of the message in its track; it stays the same while no message comes late
}

// messageSearch is a filter and what passes it, of all time.
type messageSearch struct {
	query   MessageQuery // without range and page
	fold    folder       // of the text
	hits    []messageRef // in order of time
	seen    []noteSeen   // by track
	booked  columns.Booked
	used    uint64
	rev     uint64 // of the session
	checked int64  // messages looked at so far
}

type messageRef struct {
	time, at int64
	track    model.TrackID
}

func byMessage(a, b messageRef) int {
	switch {
	case a.time != b.time:
		return cmp.Compare(a.time, b.time)
	case a.track != b.track:
		return int(a.track) - int(b.track)
	}
	return cmp.Compare(a.at, b.at)
}

// noteSeen is how far a search looked at a track.
type noteSeen struct {
	first, n int64
	edits    uint64
}

// keptSearches is how many filters keep what they found. A panel has one; typing makes a new one for each letter.
const keptSearches = 4

// keptFresh is the greatest scratch memory for new messages that is kept.
const keptFresh = 1 << 14

// messageSearches keeps the newest searches of a session. Questions change them.
type messageSearches struct {
	list    []*messageSearch
	uses    uint64
	fresh   []messageRef // run after run, each of a track and in order
	merged  []messageRef
	runs    []int // where they end
	acc     *columns.Account
	booked  columns.Booked // of all but the searches themselves
	objects []int8         // verdict on each object: 0 not known yet, 1 passes, -1 does not
	cats    []bool
}

// Messages appends to out the messages that pass a filter, in order of time, a page of them, and returns how many pass in all. What passes a filter is kept: asking again costs
// O(log n + page), after new messages came it costs as much as these, and a filter that only wants more letters in the text looks at what passed without them.
func (s *Session) Messages(q MessageQuery, out []MessageHit) (hits []MessageHit, total int) {
	m := &s.notes.searches
	c := m.find(s, &q)
	m.settle(c)
	lo, hi := c.within(&q)
	total = hi - lo
	lo = min(lo+max(q.First, 0), hi)
	for _, r := range c.hits[lo:min(hi, lo+max(q.Limit, 0))] {
		out = append(out, MessageHit{Message: s.tracks[r.track].notes.message(r.at), Track: r.track, Index: r.at})
	}
	return out, total
}

// MessageIndex returns how many messages that pass a filter, in its range, are earlier than a time: what to put in First for a page that begins there.
func (s *Session) MessageIndex(q MessageQuery, timeNs int64) int {
	m := &s.notes.searches
	c := m.find(s, &q)
	m.settle(c)
	lo, hi := c.within(&q)
	i, _ := slices.BinarySearchFunc(c.hits[lo:hi], timeNs, func(r messageRef, t int64) int { return cmp.Compare(r.time, t) })
	return i
}

// MessageSeverities returns how many messages of each severity are stored, of all tracks; index 0 is SeverityTrace.
func (s *Session) MessageSeverities() [model.SeverityError - model.SeverityTrace + 1]int64 {
	return s.notes.severities
}

// within returns the run of hits in the range of a query.
func (c *messageSearch) within(q *MessageQuery) (lo, hi int) {
	if q.T0 == 0 && q.T1 == 0 {
		return 0, len(c.hits)
	}
	lo, _ = slices.BinarySearchFunc(c.hits, q.T0, func(r messageRef, t int64) int { return cmp.Compare(r.time, t) })
	hi, _ = slices.BinarySearchFunc(c.hits, q.T1, func(r messageRef, t int64) int {
		if r.time <= t {
			return -1
		}
		return 1
	})
	return lo, max(lo, hi)
}

// same tells whether two filters differ at most in their text.
func (c *messageSearch) same(q *MessageQuery) bool {
	return c.query.MinSeverity == q.MinSeverity && c.query.Object == q.Object && slices.Equal(c.query.Categories, q.Categories) && slices.Equal(c.query.Tracks, q.Tracks)
}

// find returns the search of a filter, made anew if need be, that has seen all messages.
func (m *messageSearches) find(s *Session, q *MessageQuery) *messageSearch {
	m.uses++
	var wider *messageSearch
	for _, c := range m.list {
		if !c.same(q) {
			continue
		}
		if c.query.Text == q.Text {
			c.used = m.uses
			m.update(s, c)
			return c
		}
		if c.fold.in(q.Text) && (wider == nil || len(wider.hits) > len(c.hits)) {
			wider = c
		}
	}
	c := &messageSearch{used: m.uses, fold: makeFolder(strings.Clone(q.Text)), query: MessageQuery{
		MinSeverity: q.MinSeverity, Object: strings.Clone(q.Object), Text: strings.Clone(q.Text),
		Categories: slices.Clone(q.Categories), Tracks: slices.Clone(q.Tracks),
	}}
	if wider != nil {
		m.update(s, wider)
		c.seen, c.rev = slices.Clone(wider.seen), wider.rev
		for _, r := range wider.hits {
			n := &s.tracks[r.track].notes
			row := n.rows.Ref(r.at)
			if c.fold.in(n.texts.text(row.text, row.length)) {
				c.hits = append(c.hits, r)
			}
		}
		c.checked = int64(len(wider.hits))
	} else {
		m.update(s, c)
	}
	if len(m.list) < keptSearches {
		m.list = append(m.list, c)
		return c
	}
	oldest := slices.IndexFunc(m.list, func(a *messageSearch) bool {
		return !slices.ContainsFunc(m.list, func(b *messageSearch) bool { return b.used < a.used })
	})
	m.list[oldest].booked.Set(m.acc, 0)
	m.list[oldest] = c
	return c
}

// update makes a search see what changed.
func (m *messageSearches) update(s *Session, c *messageSearch) {
	if c.rev == s.rev {
		return
	}
	c.rev = s.rev
	m.fresh, m.runs = m.fresh[:0], m.runs[:0]
	for len(c.seen) < len(s.tracks) {
		c.seen = append(c.seen, noteSeen{})
	}
	aimed := false
	if len(c.query.Tracks) > 0 {
		for k, id := range c.query.Tracks {
			if s.Track(id) != nil && !slices.Contains(c.query.Tracks[:k], id) {
				m.updateTrack(s, c, id, &aimed)
			}
		}
	} else {
		for id := range s.tracks {
			m.updateTrack(s, c, model.TrackID(id), &aimed)
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
func (m *messageSearches) mergeRuns() {
	for len(m.runs) > 1 {
		m.merged = m.merged[:0]
		from, to := 0, 0 // runs
		begin := 0
		for ; from < len(m.runs); from += 2 {
			a := m.fresh[begin:m.runs[from]]
			var b []messageRef
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

// updateTrack takes from the hits what changed or left, and gathers what is new of a track in m.fresh.
func (m *messageSearches) updateTrack(s *Session, c *messageSearch, id model.TrackID, aimed *bool) {
	n := &s.tracks[id].notes
	seen := &c.seen[id]
	if from, then, changed := n.edits.since(seen.edits); changed {
		i, _ := slices.BinarySearchFunc(c.hits, then, func(r messageRef, t int64) int { return cmp.Compare(r.time, t) })
		c.hits = c.hits[:i+len(slices.DeleteFunc(c.hits[i:], func(r messageRef) bool { return r.track == id && r.at >= from }))]
		seen.n, seen.edits = min(seen.n, from), n.edits.n
	}
	if seen.first != n.first {
		until := int64(math.MaxInt64)
		if n.rows.End() > n.first {
			until = n.rows.Ref(n.first).time
		}
		i, _ := slices.BinarySearchFunc(c.hits, until, func(r messageRef, t int64) int {
			if r.time <= t {
				return -1
			}
			return 1
		})
		c.hits = columns.DropWithin(c.hits, i, func(r messageRef) bool { return r.track == id && r.at < n.first })
		seen.first = n.first
	}
	from := max(seen.n, n.first)
	seen.n = n.rows.End()
	if from == n.rows.End() {
		return
	}
	if !*aimed {
		*aimed = true
		m.aim(s, c)
	}
	c.checked += n.rows.End() - from
	for i := from; i < n.rows.End(); i++ {
		r := n.rows.Ref(i)
		if r.severity < c.query.MinSeverity || len(m.cats) > 0 && !m.cats[r.category] || !m.passes(s, c, r.object) {
			continue
		}
		if c.query.Text == "" || c.fold.in(n.texts.text(r.text, r.length)) {
			m.fresh = append(m.fresh, messageRef{r.time, i, id})
		}
	}
	if k := len(m.runs); len(m.fresh) > 0 && (k == 0 || m.runs[k-1] < len(m.fresh)) {
		m.runs = append(m.runs, len(m.fresh))
	}
}

// aim makes ready what tells whether a category or an object passes. Numbers of both may mean something else than at the last time.
func (m *messageSearches) aim(s *Session, c *messageSearch) {
	m.cats = m.cats[:0]
	if len(c.query.Categories) > 0 {
		m.cats = slices.Grow(m.cats, max(len(s.notes.categories.list), 1))[:max(len(s.notes.categories.list), 1)]
		clear(m.cats)
		for _, name := range c.query.Categories {
			if n, ok := s.notes.categories.find(name); ok {
				m.cats[n] = true
			}
		}
	}
	if c.query.Object != "" {
		n := max(len(s.notes.objects.list), 1)
		m.objects = slices.Grow(m.objects[:0], n)[:n]
		clear(m.objects)
	}
}

func (m *messageSearches) passes(s *Session, c *messageSearch, object int32) bool {
	if c.query.Object == "" {
		return true
	}
	if m.objects[object] == 0 {
		m.objects[object] = -1
		if f := makeFolder(c.query.Object); f.in(s.notes.objects.text(object)) {
			m.objects[object] = 1
		}
	}
	return m.objects[object] > 0
}

// drop forgets all searches.
func (m *messageSearches) drop() {
	for _, c := range m.list {
		c.booked.Set(m.acc, 0)
	}
	m.booked.Set(m.acc, 0)
	m.list, m.fresh, m.merged, m.objects, m.cats, m.runs = nil, nil, nil, nil, nil, nil
}

// settle writes down what the searches take.
func (m *messageSearches) settle(c *messageSearch) {
	m.booked.Set(m.acc, int64(cap(m.fresh)+cap(m.merged))*columns.SizeOf[messageRef]()+int64(cap(m.objects)+cap(m.cats)))
	c.booked.Set(m.acc, columns.SizeOf[messageSearch]()+int64(cap(c.hits))*columns.SizeOf[messageRef]()+int64(cap(c.seen))*columns.SizeOf[noteSeen]())
}
