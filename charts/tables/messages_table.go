package tables

import (
	"cmp"
	"io"

	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
	"framescope/charts/subject"
	"framescope/charts/table"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/messages"
	"framescope/model/store"
)

// MessagesPanel lists all messages of a session that pass the view's filter, in order of time. Its tools are the
// least level, the list of all filters, and the active ones (a click removes one). A click on a row selects the
// message and centres the timeline there; with ctrl held it filters by the clicked thread, category or object. While
// the view is live the newest message stays in view, unless the user has scrolled away. The row nearest the playhead
// is marked.
//
// It reads only the rows on screen, a page at a time: a million messages cost as much as a screenful.
type MessagesPanel struct {
	table *table.Table
	src   messageSource
	panel.Layers[messageKey, struct{}]
	tools   panel.Toolbox
	asks    bool // for the list of all that can be filtered by
	near    int
	nearKey messageNear
	place   messagePlace
	mode    panel.CachedText
}

// Facts implements panel.Teller.
func (c *MessagesPanel) Facts(env *panel.Env, out []panel.Fact) []panel.Fact {
	return c.table.Facts(env, out)
}

// Export implements panel.Exporter: all messages that pass the filter, all lines of each.
func (c *MessagesPanel) Export(env *panel.Env, w io.Writer, f panel.Format) error {
	c.src.whole = true
	defer func() { c.src.whole = false }()
	c.src.Rows(env)
	c.src.finish()
	return c.table.Export(env, w, f)
}

// Marked implements panel.Marker.
func (c *MessagesPanel) Marked(env *panel.Env, out []panel.Hit) []panel.Hit {
	return c.table.Marked(env, out)
}

// messageKey is the inputs of the picture.
type messageKey struct {
	table uint64
	near  int
}

// messageNear is the inputs of the marked row.
type messageNear struct {
	revision uint64
	playhead int64
	valid    bool
}

// messagePlace is the time in the middle of the table, under a filter.
type messagePlace struct {
	session *store.Session
	filter  uint64
	timeNs  int64
	valid   bool
}

// NewMessages returns the chart.
func NewMessages() *MessagesPanel {
	m := &MessagesPanel{near: -1}
	m.src.owner, m.src.columns = m, columnsOf(m)
	m.table = table.New("Messages", &m.src)
	m.table.RowHeight = 20
	return m
}

// Title names the chart.
func (m *MessagesPanel) Title(*panel.Env) string { return "Messages" }

// Mode returns how many messages there are, and how many of them pass the filter; during a search also
// its progress: "searching 63 % · 1,204 of 9,000 messages".
func (m *MessagesPanel) Mode(env *panel.Env) string {
	if m.src.session != env.View.Session() || env.View.None() {
		return ""
	}
	var all int64
	for _, n := range m.src.session.Messages().Severities() {
		all += n
	}
	if all == 0 {
		return ""
	}
	b := m.mode.New()
	if m.src.share < 1 {
		b = format.AppendSearching(b, m.src.share)
	}
	if int64(m.src.total) != all {
		b = append(format.AppendCount(b, int64(m.src.total)), " of "...)
	}
	return m.mode.Set(format.AppendPlural(b, all, "message", "messages"))
}

// Update handles the input of a tick and draws changes.
func (m *MessagesPanel) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	m.table.FollowEnd = env.View.Live()
	act := m.table.Place(env, rect, in)
	if m.asks {
		m.asks = false
		below := draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X1, Y1: rect.Y0}
		act = panel.Action{Kind: panel.ActionFilterMessages, Hit: panel.Hit{Rect: below}}
	}
	m.keepPlace(env)
	m.mark(env)
	m.rememberPlace(env)
	if m.BeginBase(env, rect, messageKey{m.table.Stamp(), m.near}) {
		m.draw(env)
	}
	return act
}

// keepPlace keeps the time in the middle where it is when another filter lets other messages
// through.
func (m *MessagesPanel) keepPlace(env *panel.Env) {
	t, v, p := m.table, env.View, &m.place
	other := p.valid && p.session == v.Session() && p.filter != v.Look().MessageStamp()
	if !other || t.FollowEnd && t.AtEnd() || t.NumRows() == 0 || !m.src.listed(p.timeNs) {
		return
	}
	t.Center(m.src.nearest(p.timeNs))
}

// rememberPlace remembers the time in the middle. While the filter lets nothing through, it keeps
// the previous place.
func (m *MessagesPanel) rememberPlace(env *panel.Env) {
	v := env.View
	if m.place.session != v.Session() {
		m.place = messagePlace{session: v.Session()}
	}
	if p := &m.place; p.valid && p.filter != v.Look().MessageStamp() && !m.src.listed(p.timeNs) {
		return // it comes into the middle as soon as it is found
	}
	if row := m.table.Middle(); row >= 0 {
		m.place.filter, m.place.timeNs, m.place.valid = v.Look().MessageStamp(), m.src.hit(row).Time, true
	}
}

// mark finds the row nearest the playhead. When the playhead was moved elsewhere, the row comes
// into the middle, so that its neighbours are visible.
func (m *MessagesPanel) mark(env *panel.Env) {
	t, v := m.table, env.View
	key := messageNear{m.src.revision, v.Playhead(), true}
	if key == m.nearKey {
		return
	}
	if !m.src.listed(v.Playhead()) {
		m.near = -1
		return
	}
	moved := m.nearKey.playhead != key.playhead || !m.nearKey.valid
	m.nearKey = key
	m.near = m.src.nearest(v.Playhead())
	if !moved || t.Hovered() >= 0 || t.Dragging() || v.Live() || m.near < 0 {
		return
	}
	if r, body := t.RowRect(m.near), t.Body(); r.Y0 < body.Y0 || r.Y1 > body.Y1 {
		t.Center(m.near)
	}
}

// filterBy returns the click handler of a column: with ctrl held it filters by the cell, if that is
// not empty, else it selects the message.
func (m *MessagesPanel) filterBy(
	add func(*view.MessageFilter, *messages.Hit) bool,
) func(*panel.Env, *messages.Hit, *panel.Input) panel.Action {
	return func(env *panel.Env, h *messages.Hit, in *panel.Input) panel.Action {
		f := env.View.Look().MessageFilter()
		if !in.Ctrl || h.Track == model.NoTrack || !add(&f, h) {
			return m.src.Click(env, h, in)
		}
		env.View.Look().SetMessageFilter(f)
		return panel.Action{}
	}
}

// Key takes a key for the rows.
func (m *MessagesPanel) Key(env *panel.Env, key string) (panel.Action, bool) {
	return m.table.Key(env, key)
}

// Copy returns the row under the mouse as text.
func (m *MessagesPanel) Copy(env *panel.Env) (string, bool) { return m.table.Copy(env) }

// The tools: those of categories come last.
const (
	messageLevel = iota
	messageFilters
	messageThread
	messageObject
	messageText
	messageCategory
)

// messageLevels are the options of the least level.
var messageLevels = func() (out []string) {
	out = append(out, "All levels")
	for s := model.SeverityTrace; s <= model.SeverityError; s++ {
		out = append(out, subject.SeverityName(s)+format.Pick(s < model.SeverityError, " and above", ""))
	}
	return out
}()

// Tools implements panel.Tooled.
func (m *MessagesPanel) Tools(env *panel.Env) []panel.Tool {
	b, v := &m.tools, env.View
	b.Begin()
	if !v.Session().Contents().Messages {
		return b.All()
	}
	const again = "Click to show others again"
	f := v.Look().MessageFilter()
	least := format.Pick(f.HasLeast, int(f.Least-model.SeverityTrace)+1, 0)
	b.Choice(messageLevel, least, messageLevels, "", "The least level")
	b.Action(messageFilters, "Filter", "Filter by level, category, thread or text")
	if t := v.Session().Track(f.Track); f.OnlyTrack && t != nil {
		b.Toggle(messageThread, true, t.Title(), again)
	}
	if f.Object != "" {
		b.Toggle(messageObject, true, f.Object, again)
	}
	if f.Text != "" {
		b.Toggle(messageText, true, f.Text, again)
	}
	for i, name := range f.Categories {
		b.Toggle(messageCategory+i, true, cmp.Or(name, "no category"), again)
	}
	return b.All()
}

// Use implements panel.Tooled.
func (m *MessagesPanel) Use(env *panel.Env, id, option int) {
	f := env.View.Look().MessageFilter()
	switch id {
	case messageFilters:
		m.asks = true
		return
	case messageLevel:
		f.HasLeast, f.Least = option > 0, model.SeverityTrace+model.Severity(max(option-1, 0))
	case messageThread:
		f.OnlyTrack = false
	case messageObject:
		f.Object = ""
	case messageText:
		f.Text = ""
	default:
		if i := id - messageCategory; i < len(f.Categories) {
			f = f.ToggleCategory(f.Categories[i])
		}
	}
	env.View.Look().SetMessageFilter(f)
}

// draw fills the list.
func (m *MessagesPanel) draw(env *panel.Env) {
	l, th, t := m.List(), env.Theme, m.table
	t.DrawInto(l, env)
	if m.near >= 0 && m.near < t.NumRows() {
		r := t.RowRect(m.near)
		l.PushClip(t.Body())
		c := draw.Color(th.Accent)
		l.Rect(r, c.WithAlpha(26))
		l.Triangle(r.X0+env.Px(1), r.Y0+env.Px(5), r.X0+env.Px(7), r.Y0+r.H()/2, r.X0+env.Px(1), r.Y1-env.Px(5), c)
		l.PopClip()
	}
}

// HitTest returns the row under a point.
func (m *MessagesPanel) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	return m.table.HitTest(env, pxX, pxY)
}

// Titles returns the titles of the columns.
func (p *MessagesPanel) Titles() []string { return p.table.Titles() }
