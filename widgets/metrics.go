// The panel on the viewer itself: its use of the processors, and its memory by owner.

package widgets

import (
	"strconv"
	"time"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/table"
	"framescope/model/store"
)

// Costs is the resource usage of the viewer itself.
type Costs struct {
	// Update and Draw are the means of the latest ticks; UpdateMax and DrawMax the worst of the last
	// second.
	Update, Draw, UpdateMax, DrawMax time.Duration
	// Ticks and Drawn are how many ticks of the last second there were, and how many of them were
	// drawn: nothing new is not drawn.
	Ticks, Drawn int
	// Quads and Lists count the quads and draw lists of the last picture, Filled the lists rebuilt.
	Quads, Lists, Filled int
	// Decode is how long the last tick took data in, of so many batches and spans.
	Decode         time.Duration
	Batches, Spans int
	// Waiting is the content of the rings; Lag the age of its oldest part.
	Waiting      int
	WaitingBytes int64
	Lag          time.Duration
	Dropped      int64
	// Sessions is the memory of all sessions, by kind; Memory all of the program's by owner.
	Sessions store.Memory
	Memory   MemoryUse
}

// Metrics is the panel on the viewer's own cost.
type Metrics struct {
	table.List[metricRow]
	costs  func() Costs
	nextNs int64
}

type metricRow struct {
	name        string
	value       []byte
	head, alarm bool
}

// metricsNs is how often the numbers change: faster cannot be read.
const metricsNs = 500_000_000

var metricColumns = []table.Column[metricRow]{
	{ID: "what", Cell: func(env *panel.Env, r *metricRow, c *table.Cell) {
		c.Text, c.Color = r.name, draw.Color(env.Theme.Text2)
		if r.head {
			c.Color, c.Wide = draw.Color(env.Theme.TextDim), true
		}
	}},
	{ID: "value", Kind: table.Number, Width: 150, Cell: func(env *panel.Env, r *metricRow, c *table.Cell) {
		c.Buf = append(c.Buf, r.value...)
		if r.alarm {
			c.Color = draw.Color(env.Theme.Over)
		}
	}},
}

// New returns the panel; it calls costs twice a second.
func New(costs func() Costs) *table.Table {
	t := table.New("Viewer", &Metrics{costs: costs})
	t.NoHeader = true
	return t
}

// Columns implements table.Source.
func (m *Metrics) Columns() []table.Column[metricRow] { return metricColumns }

// Empty implements table.Source.
func (m *Metrics) Empty(bool) string { return "Cost of the viewer itself." }

// Rows implements table.Source.
func (m *Metrics) Rows(env *panel.Env) (n int, revision uint64) {
	if env.NowNs >= m.nextNs || len(m.All) == 0 {
		m.nextNs = env.NowNs + metricsNs
		m.fill(m.costs())
		m.Revision++
	}
	return m.Listed()
}

// row returns the next row, with the memory of the one that was there before.
func (m *Metrics) row(name string) *metricRow {
	if len(m.All) < cap(m.All) {
		m.All = m.All[:len(m.All)+1]
	} else {
		m.All = append(m.All, metricRow{})
	}
	r := &m.All[len(m.All)-1]
	*r = metricRow{name: name, value: r.value[:0]}
	return r
}

func (m *Metrics) fill(c Costs) {
	m.All = m.All[:0]
	head := func(name string) { m.row(name).head = true }
	times := func(name string, mean, worst time.Duration) {
		r := m.row(name)
		r.value = format.AppendDuration(r.value, int64(mean))
		r.value = append(r.value, ", at most "...)
		r.value = format.AppendDuration(r.value, int64(worst))
	}
	count := func(name string, n int64, of int64) {
		r := m.row(name)
		r.value = format.AppendCount(r.value, n)
		if of >= 0 {
			r.value = format.AppendCount(append(r.value, " of "...), of)
		}
	}
	size := func(name string, n int64) {
		r := m.row(name)
		r.value = format.AppendBytes(r.value, n)
	}

	head("a tick")
	times("update", c.Update, c.UpdateMax)
	times("draw", c.Draw, c.DrawMax)
	count("drawn, last second", int64(c.Drawn), int64(c.Ticks))
	count("quads", int64(c.Quads), -1)
	count("lists rebuilt", int64(c.Filled), int64(c.Lists))
	head("data")
	r := m.row("taken in, last tick")
	r.value = format.AppendDuration(r.value, int64(c.Decode))
	count("batches", int64(c.Batches), -1)
	count("spans", int64(c.Spans), -1)
	count("waiting in rings", int64(c.Waiting), -1)
	size("waiting", c.WaitingBytes)
	r = m.row("oldest waiting")
	r.value = format.AppendDuration(r.value, int64(c.Lag))
	r = m.row("dropped by the viewer")
	r.value, r.alarm = strconv.AppendInt(r.value, c.Dropped, 10), c.Dropped > 0
	head("resident memory")
	for _, p := range c.Memory.parts() {
		size(p.name, p.bytes)
	}
	r = m.row("in use")
	r.value, r.alarm = format.AppendBytes(r.value, c.Memory.Resident), c.Memory.Over()
	r.value = format.AppendBytes(append(r.value, " of "...), c.Memory.Limit+c.Memory.Program)
	head("what sessions hold")
	size("spans", c.Sessions.Spans)
	size("pyramids", c.Sessions.Pyramids)
	size("frames", c.Sessions.Frames)
	size("times of frames", c.Sessions.Totals)
	size("levels", c.Sessions.Levels)
	size("series", c.Sessions.Series)
	size("other", c.Sessions.Other)
	r = m.row("all sessions")
	r.value = format.AppendBytes(r.value, c.Sessions.Total())
	r.value = format.AppendBytes(append(r.value, " of "...), c.Memory.Allowed)
}

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
