// Spans consist of names and call paths, calls that nest on a thread, and the lanes of concurrent calls. This part
// knows the output, and no log.

package gsttrace

import (
	"framescope/model"
)

// SpansCalls pairs begins and ends on one thread, where they nest like calls do (FORMAT.md sections 6.2
// and 6.6).
type SpansCalls struct {
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

// Push begins a call.
func (s *SpansCalls) Push(names *SpansNames, id model.CollectorID, timeNs int64) {
	if !s.any {
		s.begun, s.any = timeNs, true
	}
	if len(s.stack) >= MaxCalls {
		s.over++
		names.out.Beyond(Calls)
		return
	}
	parent := model.PathRoot
	if k := len(s.stack); k > 0 {
		parent = s.stack[k-1].path
		timeNs = max(timeNs, s.stack[k-1].begin) // the clock is read at the hook's entry and may step back by a little
	}
	timeNs = max(timeNs, s.endOf(len(s.stack)))
	s.stack = append(s.stack, call{begin: timeNs, path: names.Path(parent, id), id: id})
}

// Pop ends the innermost call of id. Calls inside it have no end in the log: they stay open. false: no such call
// began, so its begin is open.
func (s *SpansCalls) Pop(names *SpansNames, track model.TrackID, id model.CollectorID, timeNs int64) bool {
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
		s.add(names.out, track, depth, model.Span{
			Begin: begin, End: max(begin, timeNs), Path: names.Path(parent, id), Flags: model.SpanOpenBegin,
		})
		return false
	}
	for k := len(s.stack) - 1; k > at; k-- {
		s.leave(names.out, track, timeNs, model.SpanOpenEnd)
	}
	s.leave(names.out, track, timeNs, 0)
	return true
}

// leave ends the innermost call.
func (s *SpansCalls) leave(out *Output, track model.TrackID, timeNs int64, flags model.SpanFlags) {
	k := len(s.stack) - 1
	c := s.stack[k]
	s.stack = s.stack[:k]
	if c.shown {
		flags |= model.SpanContinues
	}
	end := max(timeNs, c.begin, c.to)
	if inner := s.endOf(k + 1); inner > end { // a callee ended later by a clock that was read earlier
		end = inner
	}
	s.add(out, track, k, model.Span{Begin: c.begin, End: end, Path: c.path, Flags: flags})
}

func (s *SpansCalls) add(out *Output, track model.TrackID, lane int, sp model.Span) {
	for lane >= len(s.laneEnd) {
		s.laneEnd = append(s.laneEnd, 0)
	}
	s.laneEnd[lane] = sp.End
	sp.Lane = uint16(lane)
	if track != model.NoTrack {
		out.Span(track, sp)
	}
}

func (s *SpansCalls) endOf(lane int) int64 {
	if lane < len(s.laneEnd) {
		return s.laneEnd[lane]
	}
	return 0
}

// Show publishes calls that have been running for long up to now.
func (s *SpansCalls) Show(out *Output, track model.TrackID, nowNs int64) {
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
		out.Span(track, model.Span{Begin: c.begin, End: nowNs, Path: c.path, Lane: uint16(k), Flags: flags})
	}
}

// End closes the open calls at the end of the log.
func (s *SpansCalls) End(out *Output, track model.TrackID, nowNs int64) {
	for len(s.stack) > 0 {
		s.leave(out, track, nowNs, model.SpanOpenEnd)
	}
}
