package widgets

import (
	"strconv"

	"framescope/charts/format"
)

// MemoryUse divides the program's memory by owner, in bytes.
type MemoryUse struct {
	// Resident is all of it, by the system; 0 before the first measurement.
	Resident int64
	// Limit is the user's limit besides Program, which is the size of the program with nothing
	// loaded; 0 while that is not known. Slack is further memory for unplanned use.
	Limit, Slack, Program int64
	// Live and Ended are the memory of sessions of running programs and of all others, Allowed the
	// present limit for all of them.
	Live, Ended, Allowed        int64
	LiveSessions, EndedSessions int
	// Waiting is the memory of the feeds: data for the next tick, data that decoders hold back, and
	// batches for their next use.
	Waiting int64
}

// Rest is unaccounted memory: garbage, caches, buffers of the display and of connections.
func (m *MemoryUse) Rest() int64 {
	return max(0, m.Resident-m.Program-m.Live-m.Ended-m.Waiting)
}

// Bound is the greatest allowed resident memory.
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
		"   unplanned use\t" + size(m.Slack),
		"   the program, nothing loaded\t" + size(m.Program),
		"of the memory in use:",
	}
	for _, p := range m.parts() {
		lines = append(lines, p.name+"\t"+size(p.bytes))
	}
	return append(lines, "sessions may hold at present\t"+size(m.Allowed))
}
