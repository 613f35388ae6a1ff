package convert

import (
	"framescope/internal/heap"
	"framescope/model"
	"framescope/model/spans"
)

// Span is one that is in a part.
type Span struct {
	model.Span
	Collector model.CollectorID
	Ref       spans.Ref
}

// Spans passes the spans of a track in the part to fn, in order of begin, callers before callees, cut
// at the ends of the track's time in the part: cut spans have SpanOpenBegin or SpanOpenEnd. A span that
// outlives its caller (model.SpanMoves) comes in parts, each below its current parent.
func (p *Part) Spans(id model.TrackID, fn func(s *Span) error) error {
	m := p.merge(id, &Wish{})
	for s := m.next(); s != nil; s = m.next() {
		if err := fn(s); err != nil {
			return err
		}
	}
	return nil
}

// spansOf passes the spans of some tracks of the part to fn, in order of begin, and for equal begins in
// the order of tracks; each track's come as from Spans.
func (p *Part) spansOf(wish *Wish, wants func(model.TrackID) bool, fn func(id model.TrackID, s *Span) error) error {
	var all []*merger
	for n, id := range p.Tracks {
		if !wants(id) {
			continue
		}
		m := p.merge(id, wish)
		if wish.AnyOrder {
			if err := m.each(fn); err != nil {
				return err
			}
			continue
		}
		m.order = n
		if m.at = m.next(); m.at != nil {
			all = append(all, m)
		}
	}
	heap.Init(all, beginsBefore)
	for len(all) > 0 {
		m := all[0]
		if err := fn(m.id, m.at); err != nil {
			return err
		}
		if m.at = m.next(); m.at == nil {
			_, all = heap.Pop(all, beginsBefore)
		} else {
			heap.Sink(all, 0, beginsBefore)
		}
	}
	return nil
}

// beginsBefore is the order of tracks with a known next span in their heap.
func beginsBefore(a, b **merger) bool {
	return (*a).at.Begin < (*b).at.Begin || (*a).at.Begin == (*b).at.Begin && (*a).order < (*b).order
}

// merger walks the lanes of a track side by side.
type merger struct {
	p          *Part
	id         model.TrackID
	begin, end int64 // of the part
	from, to   int64 // that are wished
	lanes      []laneReader
	last       int // the lane of the last result of next, -1 at first
	moves      []spans.Move

	at    *Span // for spansOf: the next span of the track, and the track's place
	order int
}

// merge returns a reader of the spans of a track.
func (p *Part) merge(id model.TrackID, wish *Wish) *merger {
	begin, end := p.Time(id)
	m := &merger{p: p, id: id, begin: begin, end: end, from: begin, to: model.MaxTime, last: -1}
	if wish.From != nil {
		m.from = max(begin, *wish.From)
	}
	if wish.To != nil {
		m.to = *wish.To
	}
	if t := p.Session.Track(id); t != nil {
		m.lanes = make([]laneReader, t.Lanes())
	}
	for lane := range m.lanes {
		m.lanes[lane].lane = lane
		m.fill(&m.lanes[lane])
	}
	return m
}

// next returns the next span, nil behind the last. It is valid until the next call.
func (m *merger) next() *Span {
	if m.last >= 0 {
		if l := &m.lanes[m.last]; l.at+1 < l.n {
			l.at++
		} else {
			m.fill(l)
		}
	}
	next := -1
	for k := range m.lanes {
		if l := &m.lanes[k]; l.n > l.at && (next < 0 || l.bars[l.at].Begin < m.lanes[next].bars[m.lanes[next].at].Begin) {
			next = k
		}
	}
	if m.last = next; next < 0 {
		return nil
	}
	l := &m.lanes[next]
	return &l.bars[l.at]
}

// each passes the spans to fn, lane by lane.
func (m *merger) each(fn func(id model.TrackID, s *Span) error) error {
	for k := range m.lanes {
		for l := &m.lanes[k]; l.n > 0; m.fill(l) {
			for i := range l.bars {
				if err := fn(m.id, &l.bars[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// laneReader has some spans of a lane at a time.
type laneReader struct {
	lane  int
	begun bool
	index int64 // of the next span to read
	bars  []Span
	at, n int
}

// batch is how many spans of a lane are read at a time.
const batch = 256

// fill reads the next spans of a lane.
func (m *merger) fill(l *laneReader) {
	table := m.p.Session.Spans()
	first, behind := table.Kept(m.id, l.lane)
	if !l.begun {
		l.begun, l.index = true, first
		if m.from > model.MinTime {
			l.index = m.firstFrom(l.lane, first, behind)
		}
	}
	l.at, l.n, l.bars = 0, 0, l.bars[:0]
	for len(l.bars) == 0 && l.index < behind {
		moved := false
		from := spans.Ref{Track: m.id, Lane: uint16(l.lane), Index: l.index}
		m.p.bars, moved = table.Some(from, batch, &m.p.cursor, m.p.bars[:0])
		l.index = behind
		for i := range m.p.bars {
			b := &m.p.bars[i]
			if b.Begin > m.to || b.Begin >= m.end && (b.Begin > m.end || b.End > m.end) {
				l.index = behind
				break
			}
			l.index = b.Ref.Index + 1
			l.bars = m.add(l.bars, b, moved)
		}
	}
	l.n = len(l.bars)
}

// firstFrom returns the index of the first span of a lane that does not end before what is wished of the part.
func (m *merger) firstFrom(lane int, first, behind int64) int64 {
	table := m.p.Session.Spans()
	for first < behind {
		mid := first + (behind-first)/2
		b, ok := table.ByRef(spans.Ref{Track: m.id, Lane: uint16(lane), Index: mid})
		if ok && b.End <= m.from && b.Begin < m.from {
			first = mid + 1
		} else {
			behind = mid
		}
	}
	return first
}

// add appends a span to a list, cut at the ends of the part, its parts apart where it may move.
func (m *merger) add(out []Span, b *spans.Bar, moves bool) []Span {
	if m.moves = m.moves[:0]; moves {
		m.moves = m.p.Session.Spans().Moves(b.Ref, m.moves)
	}
	begin, path, flags := b.Begin, b.Path, b.Flags&(model.SpanOpenBegin|model.SpanOpenEnd|model.SpanUncertain)
	for k := 0; k <= len(m.moves); k++ {
		end := b.End
		if k < len(m.moves) {
			end = m.moves[k].Begin
		}
		s := Span{Ref: b.Ref, Span: model.Span{Begin: begin, End: end, Path: path, Lane: b.Ref.Lane, Flags: flags}}
		if k > 0 {
			s.Flags |= model.SpanMoves
			s.Flags &^= model.SpanOpenBegin
		}
		if k < len(m.moves) {
			begin, path = end, m.moves[k].Path
			s.Flags &^= model.SpanOpenEnd
		}
		if s.Begin < m.begin {
			s.Begin, s.Flags = m.begin, s.Flags|model.SpanOpenBegin
		}
		if s.End > m.end {
			s.End, s.Flags = m.end, s.Flags|model.SpanOpenEnd
		}
		if s.Begin > s.End || s.Begin == s.End && b.End > b.Begin {
			continue
		}
		_, s.Collector = m.p.Session.Path(s.Path)
		out = append(out, s)
	}
	return out
}
