package convert

import (
	"framescope/model"
	"framescope/model/spans"
)

// Span is one that is in a part.
type Span struct {
	model.Span
	Collector model.CollectorID
	Ref       spans.Ref
}

// Spans gives the spans of a track that are in the part to fn, in order of begin, callers before what
// they call, cut at the ends of the track's time in the part: what was cut has SpanOpenBegin or
// SpanOpenEnd. A span that outlives its caller (model.SpanMoves) comes as its parts, each below who
// it counts for then.
func (p *Part) Spans(id model.TrackID, fn func(s *Span) error) error {
	t := p.Session.Track(id)
	if t == nil {
		return nil
	}
	begin, end := p.Time(id)
	m := merger{p: p, id: id, begin: begin, end: end}
	for lane := range t.Lanes() {
		m.lanes = append(m.lanes, laneReader{lane: lane})
		m.fill(&m.lanes[lane])
	}
	for {
		next := -1
		for k := range m.lanes {
			if l := &m.lanes[k]; l.n > l.at && (next < 0 || l.bars[l.at].Begin < m.lanes[next].bars[m.lanes[next].at].Begin) {
				next = k
			}
		}
		if next < 0 {
			return nil
		}
		l := &m.lanes[next]
		if err := fn(&l.bars[l.at]); err != nil {
			return err
		}
		if l.at++; l.at == l.n {
			m.fill(l)
		}
	}
}

// merger walks the lanes of a track side by side.
type merger struct {
	p          *Part
	id         model.TrackID
	begin, end int64
	lanes      []laneReader
	moves      []spans.Move
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
		if m.begin > model.MinTime {
			l.index = m.firstFrom(l.lane, first, behind)
		}
	}
	l.at, l.n, l.bars = 0, 0, l.bars[:0]
	for ; l.index < behind && len(l.bars) < batch; l.index++ {
		b, ok := table.ByRef(spans.Ref{Track: m.id, Lane: uint16(l.lane), Index: l.index})
		if !ok {
			continue
		}
		if b.Begin >= m.end && (b.Begin > m.end || b.End > m.end) {
			l.index = behind
			break
		}
		l.bars = m.add(l.bars, &b)
	}
	l.n = len(l.bars)
}

// firstFrom returns the index of the first span of a lane that does not end before the part begins.
func (m *merger) firstFrom(lane int, first, behind int64) int64 {
	table := m.p.Session.Spans()
	for first < behind {
		mid := first + (behind-first)/2
		b, ok := table.ByRef(spans.Ref{Track: m.id, Lane: uint16(lane), Index: mid})
		if ok && b.End <= m.begin && b.Begin < m.begin {
			first = mid + 1
		} else {
			behind = mid
		}
	}
	return first
}

// add appends a span to a list, cut at the ends of the part, its parts apart where it moves.
func (m *merger) add(out []Span, b *spans.Bar) []Span {
	table := m.p.Session.Spans()
	m.moves = table.Moves(b.Ref, m.moves[:0])
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
