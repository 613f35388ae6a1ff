package convert

import (
	"cmp"
	"slices"

	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/net/pstats"
)

// clock is the protocol's clock.
var clock = model.Clock{Float32Seconds: true}

// piece is the part of a span in a frame.
type piece struct {
	begin, end int64
	last       int64 // where the span ends, behind the frame perhaps
	collector  int16
	lane       uint16
	ref        spans.Ref
}

// framer makes the frames of a thread out of its spans, one after another.
type framer struct {
	x      *pstatsWriter
	t      *thread
	index  int
	next   int             // the frame that is made next
	pieces map[int][]piece // of frames that are not made yet
	spare  [][]piece
	open   []piece
	frame  pstats.Frame
	levels []model.Level
}

// each makes the frames of a thread.
func (x *pstatsWriter) each(index int) error {
	t := &x.threads[index]
	m := framer{x: x, t: t, index: index, next: t.from, pieces: map[int][]piece{}}
	near := t.from
	err := x.p.Spans(t.id, func(s *Span) error {
		if s.Flags&model.SpanMoves != 0 {
			return nil // it counts for another caller from here on, and is one span
		}
		last := s.End
		if b, ok := x.p.Session.Spans().ByRef(s.Ref); ok {
			last = b.End
		}
		collector, ok := x.collectors.indexOf(s.Collector)
		if !ok {
			m.count(&x.left.collectors)
			return nil
		}
		if last > s.Begin && clock.Step(s.Begin-x.shift) > last-s.Begin {
			m.count(&x.left.short)
		}
		near = m.add(piece{begin: s.Begin, last: last, collector: collector, lane: s.Lane, ref: s.Ref}, near)
		return m.until(s.Begin)
	})
	if err != nil {
		return err
	}
	return m.until(model.MaxTime)
}

// count counts something that is left out, once.
func (m *framer) count(n *int64) {
	if m.t.row == 0 {
		*n++
	}
}

// at returns the position of the frame around a span at a time, -1: none.
func (m *framer) at(ref spans.Ref, ns int64, near int) int {
	i := -1
	if m.t.own {
		i, _, _ = m.t.FrameNear(ref, ns, near-m.t.left())
	} else {
		i = m.t.by.FrameCovering(ns)
	}
	if i += m.t.left(); i < max(m.next, m.t.left()) || i >= m.t.to || m.t.frame(i).End < ns {
		return -1
	}
	return i
}

// frame returns a frame of a thread. Frames taken from another thread have no gap to their successor:
// each ends where the next begins, as in threads of PStats.
func (t *thread) frame(position int) frames.Frame {
	f := t.at(position)
	if !t.own {
		if next := t.at(position + 1); next.Missing == 0 {
			f.End = max(f.End, next.Begin)
		}
	}
	return f
}

// add puts a span, from a time on, into the frame at that time, or into the first that begins while it
// runs.
func (m *framer) add(s piece, near int) int {
	i := m.at(s.ref, s.begin, near)
	if i < 0 {
		i = max(m.t.by.FrameAt(s.begin)+1+m.t.left(), m.next)
		if begin := m.t.at(i).Begin; i >= m.t.to || begin > s.last || begin == s.last && s.begin < s.last {
			m.count(&m.x.left.outside)
			return near
		}
	}
	f := m.t.frame(i)
	s.begin = max(s.begin, f.Begin)
	s.end = max(min(s.last, f.End), s.begin)
	list, ok := m.pieces[i]
	if k := len(m.spare) - 1; !ok && k >= 0 {
		list, m.spare = m.spare[k][:0], m.spare[:k]
	}
	m.pieces[i] = append(list, s)
	return i
}

// until makes the frames that end before a time and are so complete.
func (m *framer) until(ns int64) error {
	for m.next < m.t.to {
		if m.next < m.t.left() { // it left memory meanwhile
			delete(m.pieces, m.next)
			m.next++
			continue
		}
		f := m.t.frame(m.next)
		if f.End >= ns {
			return nil
		}
		if err := m.make(&f); err != nil {
			return err
		}
	}
	return nil
}

// make makes a frame. Spans that go on behind its end start anew in the next one, so that all viewers
// charge them with the time there.
func (m *framer) make(f *frames.Frame) error {
	list := m.pieces[m.next]
	delete(m.pieces, m.next)
	m.next++
	n, ok := m.t.number(f, m.next-1)
	if m.t.by.Def.Skips {
		m.count(&m.x.left.counted)
	}
	if !ok {
		m.count(&m.x.left.frames)
	} else if m.t.rows == nil || m.t.rows[m.next-1-m.t.from] == m.t.row {
		m.events(f, list)
		m.frame.Thread, m.frame.Number = uint16(m.index), n
		m.addLevels(m.next-1, f)
		if err := m.x.frames.add(&m.frame); err != nil {
			return err
		}
	}
	for _, s := range list {
		if s.last > f.End && m.next < m.t.to {
			s.begin = f.End
			if i := m.add(s, m.next); i >= m.next && s.collector != 0 {
				m.count(&m.x.left.cut)
			}
		}
	}
	m.spare = append(m.spare, list)
	return m.x.p.Done(m.x.ctx, int64(len(list)))
}

// events writes the starts and stops of a frame, in the order in which a program would send them.
func (m *framer) events(f *frames.Frame, list []piece) {
	slices.SortStableFunc(list, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.lane, b.lane))
	})
	out := m.frame.Events[:0]
	event := func(word uint16, ns int64) { out = append(out, pstats.Event{Word: word, Time: m.x.seconds(ns)}) }
	bracket := !m.t.rooted || len(list) == 0 && f.End > f.Begin
	if bracket {
		event(0, f.Begin)
	}
	open := m.open[:0]
	stop := func(ns int64, before *piece) {
		for {
			k := -1 // the first to end, and of equal ends the innermost
			for i := range open {
				o := &open[i]
				if o.end > ns || before != nil && o.end == before.end && o.end == ns && o.lane < before.lane {
					continue // goes on, or has a span inside that begins and ends at its very end
				}
				if k < 0 || o.end < open[k].end || o.end == open[k].end && o.lane >= open[k].lane {
					k = i
				}
			}
			if k < 0 {
				return
			}
			event(uint16(open[k].collector)|pstats.StopBit, open[k].end)
			open = slices.Delete(open, k, k+1)
		}
	}
	for i := range list {
		stop(list[i].begin, &list[i])
		event(uint16(list[i].collector), list[i].begin)
		open = append(open, list[i])
	}
	stop(model.MaxTime, nil)
	if bracket {
		event(pstats.StopBit, f.End)
	}
	m.open, m.frame.Events = open[:0], out
}

// addLevels writes the values of counters in a frame.
func (m *framer) addLevels(position int, f *frames.Frame) {
	m.frame.Levels = m.frame.Levels[:0]
	if !m.t.own {
		return
	}
	m.levels = m.x.p.Session.Frames().Levels(m.t.id, position-m.t.left(), m.levels[:0])
	for _, l := range m.levels {
		c, ok := m.x.collectors.indexOf(l.Collector)
		if !ok {
			m.count(&m.x.left.levels)
			continue
		}
		m.frame.Levels = append(m.frame.Levels, pstats.Level{Collector: uint16(c), Value: float32(l.Value)})
		m.x.hasLevels(int(c), m.index)
	}
	m.addSeries(f)
	slices.SortStableFunc(m.frame.Levels, func(a, b pstats.Level) int { return cmp.Compare(a.Collector, b.Collector) })
}
