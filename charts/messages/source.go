package messages

import (
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/model"
)

const (
	messagePage  = 256 // messages that are asked for at once
	messageAhead = 64  // of them before the row that is wanted
)

// The columns of a Panel.
const (
	messageColTime = iota
	messageColThread
	messageColLevel
	messageColCategory
	messageColObject
	messageColText
)

var messageColumns = []table.Column{
	messageColTime:     {Title: "time", Kind: table.ColumnNumber, Width: 118},
	messageColThread:   {Title: "      thread", Kind: table.ColumnText, Width: 132, Drop: 2},
	messageColLevel:    {Title: "    level", Kind: table.ColumnText, Width: 72},
	messageColCategory: {Title: "category", Kind: table.ColumnText, Width: 116, Drop: 1},
	messageColObject:   {Title: "object", Kind: table.ColumnText, Width: 120, Drop: 3},
	messageColText:     {Title: "message", Kind: table.ColumnText, Least: 150},
}

// messageSource hands a Table the messages that pass the view's filter, in order of time, a page at a time.
type messageSource struct {
	session   *model.Session
	rev       uint64
	filterRev uint64
	query     model.MessageQuery
	tracks    [1]model.TrackID
	total     int
	page      []model.MessageHit
	pageFirst int
	revision  uint64
	clicked   func(env *panel.Env, h *model.MessageHit, col int, in *panel.Input) panel.Action
}

// Columns implements Source.
func (m *messageSource) Columns() []table.Column { return messageColumns }

// Sort implements Source: messages are in order of time, always.
func (m *messageSource) Sort(int, bool) {}

// Empty implements Source.
func (m *messageSource) Empty() string {
	if f := m.filterText(); f != "" {
		return f
	}
	return "No messages\nWhat a program logs, or marks in time, is listed here, and stands as flags in the timeline."
}

func (m *messageSource) filterText() string {
	if m.session == nil || m.query.MinSeverity == model.SeverityTrace && len(m.query.Categories) == 0 && m.query.Object == "" && m.query.Text == "" && len(m.query.Tracks) == 0 {
		return ""
	}
	for _, n := range m.session.MessageSeverities() {
		if n > 0 {
			return "No message passes the filter\nTake a part of it away at the top."
		}
	}
	return ""
}

// Prepare implements Source.
func (m *messageSource) Prepare(env *panel.Env) (rows int, revision uint64) {
	v := env.View
	if v.Session() == nil {
		m.session, m.total = nil, 0
		return 0, m.revision
	}
	if rev := v.Session().Revision(); m.session == v.Session() && m.rev == rev && m.filterRev == v.MessageStamp() {
		return m.total, m.revision
	} else if m.rev = rev; m.session != v.Session() || m.filterRev != v.MessageStamp() {
		f := v.MessageFilter()
		m.session, m.filterRev, m.query = v.Session(), v.MessageStamp(), f.Query()
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
	q := m.query
	q.First, q.Limit = max(first, 0), messagePage
	m.page, m.total = m.session.Messages(q, m.page[:0])
	m.pageFirst = q.First
}

// hit returns the message of a row.
func (m *messageSource) hit(row int) *model.MessageHit {
	if row < m.pageFirst || row >= m.pageFirst+len(m.page) {
		m.fetch(row - messageAhead)
	}
	if i := row - m.pageFirst; i >= 0 && i < len(m.page) {
		return &m.page[i]
	}
	return &model.MessageHit{Track: model.NoTrack}
}

// nearest returns the row of the message nearest to a time, -1 without any.
func (m *messageSource) nearest(timeNs int64) int {
	if m.session == nil || m.total == 0 {
		return -1
	}
	i := m.session.MessageIndex(m.query, timeNs)
	switch {
	case i >= m.total:
		return m.total - 1
	case i > 0 && timeNs-m.hit(i-1).Time < m.hit(i).Time-timeNs:
		return i - 1
	}
	return i
}

// title returns the name of the thread of a message.
func (m *messageSource) title(h *model.MessageHit) string {
	if t := m.session.Track(h.Track); t != nil {
		return t.Title()
	}
	return ""
}

// Cell implements Source.
func (m *messageSource) Cell(env *panel.Env, row, col int, c *table.Cell) {
	h := m.hit(row)
	switch col {
	case messageColTime:
		c.Buf = appendMicroClock(c.Buf, h.Time)
		c.Color = draw.Color(env.Theme.Text2)
	case messageColThread:
		c.Text, c.Depth, c.Color = m.title(h), 1, draw.Color(env.Theme.Text2)
		c.Swatch, _ = subject.ThreadColor(env, h.Track)
	case messageColLevel:
		c.Text, c.Depth, c.Color = subject.SeverityName(h.Severity), 1, subject.SeverityColor(env.Theme, h.Severity)
	case messageColCategory:
		c.Text, c.Color = h.Category, draw.Color(env.Theme.Text2)
	case messageColObject:
		c.Text, c.Color = h.Object, draw.Color(env.Theme.Text2)
	case messageColText:
		line, more := subject.MessageLine(h.Text)
		c.Text = line
		if more {
			c.Text = ""
			c.Buf = append(append(c.Buf, line...), " …"...)
		}
	}
}

// Row implements Source.
func (m *messageSource) Row(env *panel.Env, row int) table.RowInfo {
	h := m.hit(row)
	return table.RowInfo{Selected: env.View.MessageSelected(h.Track, &h.Message), Hit: panel.Hit{Kind: panel.HitMessage, Collector: model.NoCollector, Track: h.Track, Frame: -1, TimeNs: h.Time}}
}

// Click implements Source.
func (m *messageSource) Click(env *panel.Env, row, col int, _ table.CellPart, in *panel.Input) panel.Action {
	return m.clicked(env, m.hit(row), col, in)
}

// Tip implements Tips.
func (m *messageSource) Tip(env *panel.Env, row int, tip *table.Tip) {
	h := m.hit(row)
	subject.MessageTip(&tip.Lines, m.title(h), &h.Message)
}

// appendMicroClock appends a time down to microseconds, zeros and all, so that a column of times aligns.
func appendMicroClock(dst []byte, ns int64) []byte {
	dst = format.AppendClock(dst, ns, 1e6)
	if ns < 0 {
		ns = -ns
	}
	return format.AppendPadded(append(dst, format.ThinSpace...), ns%1e6/1e3, 3)
}
