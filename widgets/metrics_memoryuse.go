package widgets

import (
	"strconv"

	"framescope/charts/format"
)

// MemoryUse divides the program's memory by owner, in bytes.
type MemoryUse struct {
	// Resident is all of it, as the system says; 0 while nobody has looked.
	Resident int64
	// Limit is what the user allows besides Program, which is what the program takes with nothing
	// loaded; 0 while that is not known. Slack is what may be in use besides, for what nobody can
	// plan.
	Limit, Slack, Program int64
	// Live and Ended are what the sessions hold of programs that run and of all others, Allowed
	// what all of them may hold at present.
	Live, Ended, Allowed        int64
	LiveSessions, EndedSessions int
	// Waiting is what the feeds hold: what waits for the next tick, what decoders hold back, and
	// batches for their next use.
	Waiting int64
}

// Rest is what nobody accounts for: garbage, caches, buffers of the display and of connections.
func (m *MemoryUse) Rest() int64 {
	return max(0, m.Resident-m.Program-m.Live-m.Ended-m.Waiting)
}

// Bound is what may be resident.
func (m *MemoryUse) Bound() int64 { return m.Limit + m.Slack + m.Program }

// Known reports whether the resident memory and its limit are known.
func (m *MemoryUse) Known() bool { return m.Resident > 0 && m.Program > 0 }

// AppendShort appends the line that is always there once that is known: "RSS 412 MB, at most 679 MB".
func (m *MemoryUse) AppendShort(b []byte) []byte {
	b = format.AppendBytes(append(b, "RSS "...), m.Resident)
	if m.Over() {
		return append(format.AppendBytes(append(b, ", more than the "...), m.Bound()), " allowed"...)
	}
	return format.AppendBytes(append(b, ", at most "...), m.Bound())
}

// Over reports whether more is resident than may be.
func (m *MemoryUse) Over() bool { return m.Program > 0 && m.Resident > m.Bound() }

// memoryPart is a part of the memory in words.
type memoryPart struct {
	name  string
	bytes int64
}

// parts lists the memory by owner.
func (m *MemoryUse) parts() []memoryPart {
	return []memoryPart{
		{sessionsOf(m.LiveSessions, "live"), m.Live},
		{sessionsOf(m.EndedSessions, "ended"), m.Ended},
		{"waiting in feeds", m.Waiting},
		{"garbage, caches, buffers", m.Rest()},
		{"the program, nothing loaded", m.Program},
	}
}

func sessionsOf(n int, what string) string {
	if n == 1 {
		return "1 " + what + " session"
	}
	return strconv.Itoa(n) + " " + what + " sessions"
}

// Lines is the whole of it as a tooltip.
func (m *MemoryUse) Lines() []string {
	size := func(n int64) string { return string(format.AppendBytes(nil, n)) }
	lines := []string{
		"Resident memory",
		"in use\t" + size(m.Resident),
		"at most\t" + size(m.Bound()),
		"   the limit (--memory, Settings)\t" + size(m.Limit),
		"   what nobody can plan\t" + size(m.Slack),
		"   the program, nothing loaded\t" + size(m.Program),
		"of what is in use:",
	}
	for _, p := range m.parts() {
		lines = append(lines, p.name+"\t"+size(p.bytes))
	}
	return append(lines, "sessions may hold at present\t"+size(m.Allowed))
}
