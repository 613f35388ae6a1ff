package gsttrace

import (
	"framescope/model"
	"framescope/net/trace"
)

// calls pairs begins and ends on one thread, where they nest like calls do (FORMAT.md sections 6.2
// and 6.6).
type calls struct {
	t     *thread
	stack []call
	ends  []int64 // of the last span of each lane
	begun int64   // the time of the first begin or end
	any   bool
	over  int // begins beyond maxCalls
}

// call is one that has not returned.
type call struct {
	begin int64
	path  model.PathID
	id    model.CollectorID
	to    int64 // a part of it is published, up to here, and the rest continues it; 0: nothing is
}

// longNs is from when on a call is shown before it has returned.
const longNs = 50e6

// next returns the call path of a call inside the open ones, and the earliest time that it can have: the clock is read
// at the hook's entry and may step back by a little.
func (s *calls) next(id model.CollectorID, timeNs int64) (path model.PathID, from int64) {
	if !s.any {
		s.begun, s.any = timeNs, true
	}
	parent := model.PathRoot
	from = s.endOf(len(s.stack))
	if k := len(s.stack); k > 0 {
		parent, from = s.stack[k-1].path, max(from, s.stack[k-1].begin)
	}
	return s.t.p.m.colls.Path(parent, id), from
}

// push begins a call.
func (s *calls) push(id model.CollectorID, timeNs int64) {
	if len(s.stack) >= MaxCalls {
		s.over++
		s.t.p.m.out.Beyond(trace.ManyRows)
		return
	}
	path, from := s.next(id, timeNs)
	s.stack = append(s.stack, call{begin: max(timeNs, from), path: path, id: id})
}

// pop ends the innermost call of id. Calls inside it have no end in the log: they stay open. false: no such call
// began, so its begin is open.
func (s *calls) pop(id model.CollectorID, timeNs int64) bool {
	at := len(s.stack) - 1
	for at >= 0 && s.stack[at].id != id {
		at--
	}
	switch {
	case at >= 0:
		for len(s.stack) > at+1 {
			s.leave(timeNs, model.SpanOpenEnd)
		}
		s.leave(timeNs, 0)
		return true
	case s.over > 0:
		s.over--
	default:
		path, from := s.next(id, timeNs)
		begin := max(s.begun, from)
		s.add(len(s.stack), model.Span{Begin: begin, End: max(begin, timeNs), Path: path, Flags: model.SpanOpenBegin})
	}
	return false
}

// leave ends the innermost call; a callee may have ended later by a clock that was read earlier.
func (s *calls) leave(timeNs int64, flags model.SpanFlags) {
	k := len(s.stack) - 1
	c := s.stack[k]
	s.stack = s.stack[:k]
	if c.to > 0 {
		flags |= model.SpanContinues
	}
	s.add(k, model.Span{Begin: c.begin, End: max(timeNs, c.begin, c.to, s.endOf(k+1)), Path: c.path, Flags: flags})
}

func (s *calls) add(lane int, sp model.Span) {
	for lane >= len(s.ends) {
		s.ends = append(s.ends, 0)
	}
	s.ends[lane] = sp.End
	s.publish(lane, sp)
}

func (s *calls) publish(lane int, sp model.Span) {
	sp.Lane = uint16(lane)
	s.t.p.m.out.Span(s.t.track, sp)
}

func (s *calls) endOf(lane int) int64 {
	if lane < len(s.ends) {
		return s.ends[lane]
	}
	return 0
}

// show publishes calls that have been running for long up to now.
func (s *calls) show(nowNs int64) {
	for k := range s.stack {
		c := &s.stack[k]
		if nowNs-c.begin < longNs {
			return
		}
		flags := model.SpanOpenEnd
		if c.to > 0 {
			flags |= model.SpanContinues
		}
		c.to = nowNs
		s.publish(k, model.Span{Begin: c.begin, End: nowNs, Path: c.path, Flags: flags})
	}
}

// end closes the open calls at the end of the log.
func (s *calls) end(nowNs int64) {
	for len(s.stack) > 0 {
		s.leave(nowNs, model.SpanOpenEnd)
	}
}

// collector returns the collector of what a group did with an object: "push_buffer fakesrc0:src" in
// the group "push_buffer".
func (m *mapper) collector(group string, verb, object []byte, color model.RGB) model.CollectorID {
	parent := m.colls.Collector([]byte(group))
	m.key = append(append(append(append(m.key[:0], 0, byte(parent), byte(parent>>8)), verb...), 0), object...)
	return m.colls.Keyed(m.key, func() model.CollectorDef {
		label := Name(object)
		if len(verb) > 0 {
			label = Name(verb) + " " + label
		}
		return model.CollectorDef{Name: label, Parent: parent, Color: color}
	})
}
