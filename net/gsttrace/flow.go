package gsttrace

import (
	"bytes"

	"framescope/model"
	"framescope/net/gsttrace/gstlog"
)

// calls pairs begins and ends on one thread, where they nest like calls do (FORMAT.md sections 6.2 and 6.6).
type calls struct {
	stack   []call
	laneEnd []int64 // where the last span of each lane ends
	begun   int64   // the time of the first begin or end
	any     bool
	over    int // begins beyond maxCalls
}

// call is one that has not returned.
type call struct {
	begin int64
	path  model.PathID
	id    model.CollectorID
	shown bool // a part of it is published, up to to: the rest continues it
	to    int64
}

// longNs is from when on a call is shown before it has returned.
const longNs = 50e6

// push begins a call.
func (s *calls) push(m *mapper, id model.CollectorID, timeNs int64) {
	if !s.any {
		s.begun, s.any = timeNs, true
	}
	if len(s.stack) >= maxCalls {
		s.over++
		m.out.limits.add(limitCalls)
		return
	}
	parent := model.PathRoot
	if k := len(s.stack); k > 0 {
		parent = s.stack[k-1].path
		timeNs = max(timeNs, s.stack[k-1].begin) // the clock is read at the hook's entry and may step back by a little
	}
	timeNs = max(timeNs, s.endOf(len(s.stack)))
	s.stack = append(s.stack, call{begin: timeNs, path: m.colls.path(parent, id), id: id})
}

// pop ends the innermost call of id. Calls inside it never told their end: it is open. false: no such call began, so its begin is open.
func (s *calls) pop(m *mapper, track model.TrackID, id model.CollectorID, timeNs int64) bool {
	at := len(s.stack) - 1
	for at >= 0 && s.stack[at].id != id {
		at--
	}
	if at < 0 {
		if s.over > 0 {
			s.over--
			return false
		}
		if !s.any {
			s.begun, s.any = timeNs, true
		}
		depth, parent := len(s.stack), model.PathRoot
		begin := max(s.begun, s.endOf(depth))
		if depth > 0 {
			parent, begin = s.stack[depth-1].path, max(begin, s.stack[depth-1].begin)
		}
		s.add(m.out, track, depth, model.Span{Begin: begin, End: max(begin, timeNs), Path: m.colls.path(parent, id), Flags: model.SpanOpenBegin})
		return false
	}
	for k := len(s.stack) - 1; k > at; k-- {
		s.leave(m.out, track, timeNs, model.SpanOpenEnd)
	}
	s.leave(m.out, track, timeNs, 0)
	return true
}

// leave ends the innermost call.
func (s *calls) leave(out *output, track model.TrackID, timeNs int64, flags model.SpanFlags) {
	k := len(s.stack) - 1
	c := s.stack[k]
	s.stack = s.stack[:k]
	if c.shown {
		flags |= model.SpanContinues
	}
	end := max(timeNs, c.begin, c.to)
	if inner := s.endOf(k + 1); inner > end { // what it called ended later by a clock that was read earlier
		end = inner
	}
	s.add(out, track, k, model.Span{Begin: c.begin, End: end, Path: c.path, Flags: flags})
}

func (s *calls) add(out *output, track model.TrackID, lane int, sp model.Span) {
	for lane >= len(s.laneEnd) {
		s.laneEnd = append(s.laneEnd, 0)
	}
	s.laneEnd[lane] = sp.End
	sp.Lane = uint16(lane)
	if track != model.NoTrack {
		out.span(track, sp)
	}
}

func (s *calls) endOf(lane int) int64 {
	if lane < len(s.laneEnd) {
		return s.laneEnd[lane]
	}
	return 0
}

// show publishes calls that have been running for long up to now.
func (s *calls) show(out *output, track model.TrackID, nowNs int64) {
	if track == model.NoTrack {
		return
	}
	for k := range s.stack {
		c := &s.stack[k]
		if nowNs-c.begin < longNs {
			return
		}
		flags := model.SpanOpenEnd
		if c.shown {
			flags |= model.SpanContinues
		}
		c.shown, c.to = true, nowNs
		out.span(track, model.Span{Begin: c.begin, End: nowNs, Path: c.path, Lane: uint16(k), Flags: flags})
	}
}

// end closes what is open at the end of the log.
func (s *calls) end(out *output, track model.TrackID, nowNs int64) {
	for len(s.stack) > 0 {
		s.leave(out, track, nowNs, model.SpanOpenEnd)
	}
}

// hookColors gives each hook of the log tracer a colour: pushing data blue and green, negotiation violet, states and structure warm.
var hookColors = [...]struct {
	hook  string
	color model.RGB
}{
	{"push_buffer", model.RGB{R: 0x3d, G: 0x8b, B: 0xd9, Set: true}},
	{"push_buffer_list", model.RGB{R: 0x2f, G: 0x6f, B: 0xb5, Set: true}},
	{"chain_buffer", model.RGB{R: 0x5a, G: 0xa8, B: 0xe0, Set: true}},
	{"chain_list", model.RGB{R: 0x4a, G: 0x90, B: 0xc4, Set: true}},
	{"pull_range", model.RGB{R: 0x2e, G: 0xa3, B: 0x9a, Set: true}},
	{"push_event", model.RGB{R: 0x5d, G: 0xb0, B: 0x5b, Set: true}},
	{"send_event", model.RGB{R: 0x7c, G: 0xb8, B: 0x4e, Set: true}},
	{"pad_query", model.RGB{R: 0x8d, G: 0x76, B: 0xd6, Set: true}},
	{"element_query", model.RGB{R: 0xa9, G: 0x72, B: 0xc9, Set: true}},
	{"post_message", model.RGB{R: 0x8a, G: 0x93, B: 0x9c, Set: true}},
	{"element_change_state", model.RGB{R: 0xe0, G: 0x8a, B: 0x3c, Set: true}},
	{"pad_link", model.RGB{R: 0xd4, G: 0xb1, B: 0x3f, Set: true}},
	{"pad_unlink", model.RGB{R: 0xc9, G: 0x96, B: 0x2f, Set: true}},
	{"bin_add", model.RGB{R: 0xd0, G: 0x6a, B: 0x5a, Set: true}},
	{"bin_remove", model.RGB{R: 0xb8, G: 0x55, B: 0x4a, Set: true}},
	{"query", model.RGB{R: 0x8d, G: 0x76, B: 0xd6, Set: true}},
}

func hookColor(hook []byte) model.RGB {
	for i := range hookColors {
		if hookColors[i].hook == string(hook) {
			return hookColors[i].color
		}
	}
	return model.RGB{}
}

// hookOf takes apart the function of a line of the log tracer. Such lines have no file, level TRACE, and a function do_HOOK_pre, do_HOOK_post or do_HOOK.
func hookOf(e *gstlog.Entry) (hook []byte, phase int8, ok bool) {
	if e.Level != gstlog.LevelTrace || len(e.File) != 0 || !bytes.HasPrefix(e.Function, []byte("do_")) {
		return nil, 0, false
	}
	hook = e.Function[len("do_"):]
	if h, found := bytes.CutSuffix(hook, []byte("_pre")); found {
		return h, -1, len(h) > 0
	}
	if h, found := bytes.CutSuffix(hook, []byte("_post")); found {
		return h, 1, len(h) > 0
	}
	return hook, 0, len(hook) > 0
}

// call maps a line of the log tracer. It returns whether the line is worth a message: begins tell what was handed over, ends only what went wrong.
func (m *mapper) call(p *process, t *thread, e *gstlog.Entry, hook []byte, phase int8, timeNs int64) (tell bool) {
	p.calls = true
	if phase != 0 {
		color := hookColor(hook)
		id := m.colls.member(m.colls.group(string(hook), color), hook, e.Object, color)
		if phase < 0 {
			t.flow.push(m, id, timeNs)
		} else {
			t.flow.pop(m, t.track, id, timeNs)
		}
	}
	return m.callFacts(p, t, e, hook, phase, timeNs)
}

// clockTime reads the time that begins a line of the log tracer, "0:00:00.015866222, ", and returns what is behind it.
func clockTime(text []byte) (ns int64, rest []byte, ok bool) {
	head, _, found := bytes.Cut(text[:min(len(text), 32)], []byte(", "))
	if !found {
		return 0, text, false
	}
	rest = text[len(head)+2:]
	var part [3]int64
	k, digits := 0, 0
	for i, b := range head {
		switch {
		case b >= '0' && b <= '9':
			if part[k] > 1e7 {
				return 0, text, false
			}
			part[k] = part[k]*10 + int64(b-'0')
			digits++
		case b == ':' && k < 2 && digits > 0:
			k, digits = k+1, 0
		case b == '.' && k == 2 && len(head)-i-1 == 9:
			for _, d := range head[i+1:] {
				if d < '0' || d > '9' {
					return 0, text, false
				}
				ns = ns*10 + int64(d-'0')
			}
			if part[0] == 99 && part[1] == 99 {
				return 0, text, false // 99:99:99.999999999 is no time
			}
			ns += (part[0]*3600 + part[1]*60 + part[2]) * 1e9
			return ns, rest, ns < maxTimeNs
		default:
			return 0, text, false
		}
	}
	return 0, text, false
}
