package tables

import (
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/messages"
	"framescope/model/store"
)

const (
	messagePage  = 256 // messages per query
	messageAhead = 64  // of them before the row that is wanted
)

// columnsOf returns the columns. A click with ctrl held filters by the clicked value.
func columnsOf(m *MessagesPanel) []table.Column[messages.Hit] {
	type hit = messages.Hit
	return []table.Column[hit]{
		{
			ID: "time", Title: "time", Unit: "ns", Kind: table.Number, Width: 118, Quiet: true, Fixed: true,
			Value:  func(_ *panel.Env, h *hit) float64 { return float64(h.Time) },
			Format: func(dst []byte, v float64) []byte { return format.AppendMicroClock(dst, int64(v)) },
		},
		{
			ID: "thread", Title: "      thread", Width: 132, Drop: 2, Quiet: true,
			Cell: func(env *panel.Env, h *hit, c *table.Cell) {
				c.Text, c.Depth = m.src.title(h), 1
				c.Swatch, _ = subject.ThreadColor(env, h.Track)
			},
			Click: m.filterBy(func(f *view.MessageFilter, h *hit) bool {
				f.Track, f.OnlyTrack = h.Track, true
				return true
			}),
		},
		{
			ID: "level", Title: "    level", Width: 72,
			Cell: func(env *panel.Env, h *hit, c *table.Cell) {
				c.Text, c.Depth, c.Color = subject.SeverityName(h.Severity), 1, subject.SeverityColor(env.Theme, h.Severity)
			},
			Click: m.filterBy(func(f *view.MessageFilter, h *hit) bool {
				f.Least, f.HasLeast = h.Severity, true
				return true
			}),
		},
		{
			ID: "category", Title: "category", Width: 116, Drop: 1, Quiet: true,
			Cell: func(_ *panel.Env, h *hit, c *table.Cell) { c.Text = h.Category },
			Click: m.filterBy(func(f *view.MessageFilter, h *hit) bool {
				*f = f.ToggleCategory(h.Category)
				return true
			}),
		},
		{
			ID: "object", Title: "object", Width: 120, Drop: 3, Quiet: true,
			Cell: func(_ *panel.Env, h *hit, c *table.Cell) { c.Text = h.Object },
			Click: m.filterBy(func(f *view.MessageFilter, h *hit) bool {
				f.Object = h.Object
				return h.Object != ""
			}),
		},
		{ID: "message", Title: "message", Least: 150, Prose: true, Cell: func(_ *panel.Env, h *hit, c *table.Cell) {
			line, more := subject.MessageLine(h.Text)
			if c.Text = line; m.src.whole {
				c.Text = h.Text
			} else if more {
				c.Text = ""
				c.Buf = append(append(c.Buf, line...), " …"...)
			}
		}},
	}
}

// messageSource hands a Table the messages that pass the view's filter, in order of time, a page at
// a time.
type messageSource struct {
	session        *store.Session
	whole          bool // texts are shown with all of their lines
	rev, filterRev uint64
	query          messages.Query
	tracks         [1]model.TrackID
	total          int
	share          float64 // of the messages, that was looked at for these; 1: all
	stamp          uint64  // of the found messages
	page           []messages.Hit
	pageFirst      int
	pages          int // queried so far
	revision       uint64
	owner          *MessagesPanel
	columns        []table.Column[messages.Hit]
}

// Columns implements table.Source.
func (m *messageSource) Columns() []table.Column[messages.Hit] { return m.columns }

// At implements table.Source.
func (m *messageSource) At(i int) *messages.Hit { return m.hit(i) }

// Empty implements table.Source.
func (m *messageSource) Empty(bool) string {
	if m.session != nil && m.share < 1 {
		return "Searching …"
	}
	if f := m.filterText(); f != "" {
		return f
	}
	return "No messages\nLog messages and marks of a program are listed here, and shown as flags in the timeline."
}

func (m *messageSource) filterText() string {
	if m.session == nil || m.query.MinSeverity == model.SeverityTrace && len(m.query.Categories) == 0 &&
		m.query.Object == "" && m.query.Text == "" && len(m.query.Tracks) == 0 {
		return ""
	}
	for _, n := range m.session.Messages().Severities() {
		if n > 0 {
			return "No message passes the filter\nRemove part of it in the title row."
		}
	}
	return ""
}

// Rows implements table.Source.
func (m *messageSource) Rows(env *panel.Env) (rows int, revision uint64) {
	v := env.View
	stamp := v.Session().Messages().FoundStamp()
	same := m.session == v.Session() && m.filterRev == v.Look().MessageStamp()
	if rev := v.Session().Revision(); same && m.rev == rev && (m.share == 1 || m.stamp == stamp) {
		return m.total, m.revision
	} else if m.rev, m.stamp = rev, stamp; m.session != v.Session() || m.filterRev != v.Look().MessageStamp() {
		f := v.Look().MessageFilter()
		m.session, m.filterRev, m.query = v.Session(), v.Look().MessageStamp(), f.Query()
		if f.OnlyTrack {
			m.tracks[0] = f.Track
			m.query.Tracks = m.tracks[:]
		}
	}
	m.fetch(m.pageFirst)
	m.revision++
	return m.total, m.revision
}

// fetch makes the page that begins with a row.
func (m *messageSource) fetch(first int) {
	m.pages++
	q := m.query
	q.First, q.Limit = max(first, 0), messagePage
	was := m.total
	m.page, m.total, m.share = m.session.Messages().FindSoFar(q, m.page[:0])
	if m.pageFirst = q.First; m.share < 1 && m.total != was {
		m.revision++ // a page read between two steps may find more
	}
}

// finish looks for all that pass.
func (m *messageSource) finish() {
	if m.session != nil && m.share < 1 {
		m.session.Messages().Find(m.query, nil)
		m.fetch(m.pageFirst)
		m.revision++
	}
}

// listed reports whether the list of matches goes up to a time at least.
func (m *messageSource) listed(timeNs int64) bool {
	return m.share == 1 || m.total > 0 && m.hit(m.total-1).Time > timeNs
}

// hit returns the message of a row.
func (m *messageSource) hit(row int) *messages.Hit {
	if row < m.pageFirst || row >= m.pageFirst+len(m.page) {
		m.fetch(row - messageAhead)
	}
	if i := row - m.pageFirst; i >= 0 && i < len(m.page) {
		return &m.page[i]
	}
	return &messages.Hit{Track: model.NoTrack}
}

// nearest returns the row of the message nearest to a time, -1 without any.
func (m *messageSource) nearest(timeNs int64) int {
	if m.session == nil || m.total == 0 {
		return -1
	}
	i, _ := m.session.Messages().IndexSoFar(m.query, timeNs)
	switch {
	case i >= m.total:
		return m.total - 1
	case i > 0 && timeNs-m.hit(i-1).Time < m.hit(i).Time-timeNs:
		return i - 1
	}
	return i
}

// title returns the name of the thread of a message.
func (m *messageSource) title(h *messages.Hit) string {
	if t := m.session.Track(h.Track); t != nil {
		return t.Title()
	}
	return ""
}

// Row implements table.Describer.
func (m *messageSource) Row(env *panel.Env, h *messages.Hit) table.RowInfo {
	message := view.Message(h.Track, h.Message)
	selected := env.View.Thing() == message
	return table.RowInfo{
		Selected: selected,
		Lit:      !selected && env.View.Lights(message),
		Hit: panel.Hit{
			Kind: panel.HitMessage, Collector: model.NoCollector, Track: h.Track, Frame: -1, TimeNs: h.Time,
			Thing: message,
		},
	}
}

// Click implements table.Clicker: it selects a message.
func (m *messageSource) Click(env *panel.Env, h *messages.Hit, _ *panel.Input) panel.Action {
	if h.Track != model.NoTrack {
		env.View.SelectAt(view.Message(h.Track, h.Message), h.Time)
		m.owner.nearKey.playhead = h.Time // it is in view, where it was clicked
		env.View.Steer().Reveal(h.Time)
	}
	return panel.Action{}
}

// Tip implements table.Tips.
func (m *messageSource) Tip(_ *panel.Env, h *messages.Hit, l *panel.TipLines) {
	subject.MessageTip(l, m.title(h), &h.Message)
}
