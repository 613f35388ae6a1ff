package convert

import "framescope/model"

// spanMarks are the flags of spans that formats of events have no place for.
const spanMarks = model.SpanOpenBegin | model.SpanOpenEnd | model.SpanUncertain

// leaveTimed notes what formats of events along time have no place for; marked is how many spans have flags that are
// not written.
func (p *Part) leaveTimed(procs []Process, threads []Thread, marked int64) {
	p.Leave(marked, "mark of a span", "marks of spans",
		"that its begin or end was not received, lies outside of the range, or is known to a sampling interval only")
	p.leavePlaces()
	p.leaveFrames(procs, threads)
	p.leaveLooks()
	p.LeaveSamples()
	p.leaveRows(&Locks, "")
	p.LeaveTopology()
}

// leavePlaces notes the calls that do not lie in the call that they come from, in the row below it.
func (p *Part) leavePlaces() {
	n := int64(0)
	for _, id := range p.Tracks {
		if !p.Session.Track(id).Def.Kind.Calls() {
			continue
		}
		var open []Span
		p.Spans(id, func(s *Span) error {
			for len(open) > 0 && open[len(open)-1].End <= s.Begin {
				open = open[:len(open)-1]
			}
			caller, _ := p.Session.Path(s.Path)
			around, within := model.PathRoot, true
			if last := len(open) - 1; last >= 0 {
				around, within = open[last].Path, s.End <= open[last].End
			}
			if caller != around || int(s.Lane) != len(open) || !within || s.Flags&model.SpanMoves != 0 {
				n++
			}
			open = append(open, *s)
			return nil
		})
	}
	p.Leave(n, "caller and row of a call", "callers and rows of calls", "calls of a thread overlap")
}

// leaveLooks notes the colors and the order of names, and clocks of threads.
func (p *Part) leaveLooks() {
	table := p.Session.Collectors()
	looks, clocks := int64(0), int64(0)
	for id := range model.CollectorID(table.Len()) {
		if x := table.ByID(id); x.HasTime && (x.Color.Set || x.Sort > 0) {
			looks++
		}
	}
	for _, id := range p.Tracks {
		if p.Session.Track(id).Def.OwnClock {
			clocks++
		}
	}
	p.Leave(looks, "color or order of a name", "colors or orders of names", "")
	p.Leave(clocks, "clock of a thread", "clocks of threads", "their times are written as those of the session")
}

// leaveValues notes what counters are besides their names and values, values that are no numbers, and times from which
// on a counter has no value.
func (p *Part) leaveValues(list []Counter, odd, gaps int64) {
	roles := int64(0)
	for i := range list {
		if s := list[i].Series; s != nil {
			if d := &s.Def; d.Kind != model.SeriesGauge || d.Role != model.RoleNone || d.HasRange || d.Description != "" {
				roles++
			}
		}
	}
	p.Leave(odd, "value that is no number", "values that are no numbers", "")
	p.Leave(gaps, "gap of a counter", "gaps of counters", "")
	p.Leave(roles, "role of a counter", "roles of counters", "their kinds, ranges and descriptions")
}
