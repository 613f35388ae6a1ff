package gsttrace

import (
	"framescope/model"
	"framescope/net/trace"
)

// calls pairs begins and ends on one thread, where they nest like calls do (FORMAT.md sections 6.2
// and 6.6).
type calls struct {
	t     *thread
	line  *trace.StackThread  // nil before the first
	stack []model.CollectorID // of those that have not returned
	begun int64               // the time of the first begin or end
	over  int                 // begins beyond MaxCalls
}

// enter begins a call inside the open ones.
func (s *calls) enter(id model.CollectorID, timeNs int64, flags model.SpanFlags) {
	s.line.Enter(timeNs, s.t.p.m.colls.Path(s.line.Path(), id), flags)
}

// has reports whether the thread has a track, and gives it a line of calls.
func (s *calls) has(timeNs int64) bool {
	if s.line == nil && s.t.track != model.NoTrack {
		s.line, s.begun = s.t.p.m.lines.Calls(s.t.track), timeNs
	}
	return s.line != nil
}

// push begins a call.
func (s *calls) push(id model.CollectorID, timeNs int64) {
	switch {
	case !s.has(timeNs):
	case len(s.stack) >= MaxCalls:
		s.over++
		s.t.p.m.out.Beyond(trace.ManyRows)
	default:
		s.stack = append(s.stack, id)
		s.enter(id, timeNs, 0)
	}
}

// pop ends the innermost call of id. Calls inside it have no end in the log: they stay open. false: no such call
// began, so its begin is open.
func (s *calls) pop(id model.CollectorID, timeNs int64) bool {
	at := len(s.stack) - 1
	for at >= 0 && s.stack[at] != id {
		at--
	}
	switch {
	case !s.has(timeNs):
	case at >= 0:
		s.end(at+1, timeNs)
		s.line.Leave(timeNs, false)
		s.stack = s.stack[:at]
		return true
	case s.over > 0:
		s.over--
	default:
		s.enter(id, s.begun, model.SpanOpenBegin)
		s.line.Leave(timeNs, false)
	}
	return false
}

// end ends the calls from a depth on, whose ends are not known.
func (s *calls) end(depth int, timeNs int64) {
	for range s.stack[depth:] {
		s.line.Leave(timeNs, true)
	}
	s.stack = s.stack[:depth]
}

// show publishes calls up to now, also those that go on.
func (s *calls) show(nowNs int64) {
	if s.line != nil {
		s.line.Flush(nowNs)
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
