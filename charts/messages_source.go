package charts

import (
	"framescope/charts/draw"
	"framescope/model"
)

const (
	messagePage  = 256 // messages that are asked for at once
	messageAhead = 64  // of them before the row that is wanted
)

// The columns of a MessageTable.
const (
	messageColTime = iota
	messageColThread
	messageColLevel
	messageColCategory
	messageColObject
	messageColText
)

var messageColumns = []Column{
	messageColTime:     {Title: "time", Kind: ColumnNumber, Width: 118},
	messageColThread:   {Title: "      thread", Kind: ColumnText, Width: 132, Drop: 2},
	messageColLevel:    {Title: "    level", Kind: ColumnText, Width: 72},
	messageColCategory: {Title: "category", Kind: ColumnText, Width: 116, Drop: 1},
	messageColObject:   {Title: "object", Kind: ColumnText, Width: 120, Drop: 3},
	messageColText:     {Title: "message", Kind: ColumnText, Least: 150},
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
	clicked   func(env *Env, h *model.MessageHit, col int, in *Input) Action
}

// Columns implements TableSource.
func (m *messageSource) Columns() []Column { return messageColumns }

// Sort implements TableSource: messages are in order of time, always.
func (m *messageSource) Sort(int, bool) {}

// Empty implements TableSource.
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

// Prepare implements TableSource.
func (m *messageSource) Prepare(env *Env) (rows int, revision uint64) {
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

// Cell implements TableSource.
func (m *messageSource) Cell(env *Env, row, col int, c *Cell) {
	h := m.hit(row)
	switch col {
	case messageColTime:
		c.Buf = appendMicroClock(c.Buf, h.Time)
		c.Color = draw.Color(env.Theme.Text2)
	case messageColThread:
		c.Text, c.Depth, c.Color = m.title(h), 1, draw.Color(env.Theme.Text2)
		c.Swatch, _ = threadColor(env, h.Track)
	case messageColLevel:
		c.Text, c.Depth, c.Color = SeverityName(h.Severity), 1, severityColor(env.Theme, h.Severity)
	case messageColCategory:
		c.Text, c.Color = h.Category, draw.Color(env.Theme.Text2)
	case messageColObject:
		c.Text, c.Color = h.Object, draw.Color(env.Theme.Text2)
	case messageColText:
		line, more := messageLine(h.Text)
		c.Text = line
		if more {
			c.Text = ""
			c.Buf = append(append(c.Buf, line...), " …"...)
		}
	}
}

// Row implements TableSource.
func (m *messageSource) Row(env *Env, row int) RowInfo {
	h := m.hit(row)
	return RowInfo{Selected: env.View.MessageSelected(h.Track, &h.Message), Hit: Hit{Kind: HitMessage, Collector: model.NoCollector, Track: h.Track, Frame: -1, TimeNs: h.Time}}
}

// Click implements TableSource.
func (m *messageSource) Click(env *Env, row, col int, _ CellPart, in *Input) Action {
	return m.clicked(env, m.hit(row), col, in)
}

// Tip implements TableTips.
func (m *messageSource) Tip(env *Env, row int, tip *Tip) {
	h := m.hit(row)
	messageTip(&tip.lines, m.title(h), &h.Message)
}

// appendMicroClock appends a time down to microseconds, zeros and all, so that a column of times aligns.
func appendMicroClock(dst []byte, ns int64) []byte {
	dst = AppendClock(dst, ns, 1e6)
	if ns < 0 {
		ns = -ns
	}
	return appendPadded(append(dst, thinSpace...), ns%1e6/1e3, 3)
}
