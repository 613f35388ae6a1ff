package tables

import (
	"io"

	"framescope/assets"
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

// MessagesPanel lists all messages of a session that pass the view's filter, in order of time. Above the rows
// stand the button for the list of all filters, the levels (a click shows that level and those above) and the
// active filters (a click removes one). A click on a row selects the message and centres the timeline there;
// with ctrl held it filters by the clicked thread, category or object. While the view is live the newest message
// stays in view, unless the user has scrolled away. The row nearest the playhead is marked.
//
// It reads only the rows on screen, a page at a time: a million messages cost as much as a screenful.
type MessagesPanel struct {
	table *table.Table
	src   messageSource
	panel.Layers[messageKey, struct{}]
	bar     draw.Rect
	chips   []messageChip
	near    int
	nearKey messageNear
	place   messagePlace
	over    int // chip under the mouse, -1 none
	down    int // chip that was pressed, -1 none
	tip     panel.TipLines
	buf     []byte
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

type chipKind uint8

const (
	chipFilter chipKind = iota // opens the list of all that can be filtered by
	chipLevel
	chipCategory
	chipObject
	chipText
	chipThread
)

// messageChip is a button above the rows.
type messageChip struct {
	kind  chipKind
	level model.Severity
	index int // of a category in the filter
	r     draw.Rect
}

// messageKey is the inputs of the picture.
type messageKey struct {
	table      uint64
	over, near int
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

const messageBarH = 26

// severityCounts is the result of messages.Table.Severities.
type severityCounts = [model.SeverityError - model.SeverityTrace + 1]int64

// NewMessages returns the chart.
func NewMessages() *MessagesPanel {
	m := &MessagesPanel{near: -1, over: -1, down: -1}
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
	v := env.View
	m.bar = draw.Rect{X0: rect.X0, Y0: rect.Y0, X1: rect.X1, Y1: rect.Y0}
	if v.Session().Messages().Severities() != (severityCounts{}) {
		m.bar.Y1 = min(rect.Y0+env.Px(messageBarH), rect.Y1)
	}
	body := rect
	body.Y0 = m.bar.Y1
	m.layChips(env)
	opened := m.inputBar(env, in)
	m.table.FollowEnd = v.Live()
	act := m.table.Place(env, body, in)
	if opened.Kind != panel.ActionNone {
		act = opened
	}
	m.keepPlace(env)
	m.mark(env)
	m.rememberPlace(env)
	if m.BeginBase(env, rect, messageKey{m.table.Stamp(), m.over, m.near}) {
		m.layChips(env)
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

// layChips places the levels and the other filters.
func (m *MessagesPanel) layChips(env *panel.Env) {
	v := env.View
	m.chips = m.chips[:0]
	f := v.Look().MessageFilter()
	x, y0, y1 := m.bar.X0+env.Px(8), m.bar.Y0+env.Px(4), m.bar.Y1-env.Px(4)
	put := func(c messageChip, w float32) {
		if x+w > m.bar.X1-env.Px(4) {
			return
		}
		c.r = draw.Rect{X0: x, Y0: y0, X1: x + w, Y1: y1}
		m.chips = append(m.chips, c)
		x += w + env.Px(4)
	}
	filter := messageChip{kind: chipFilter}
	put(filter, m.chipWidth(env, &filter))
	counts := v.Session().Messages().Severities()
	for i := len(counts) - 1; i >= 0; i-- {
		if counts[i] > 0 {
			c := messageChip{kind: chipLevel, level: model.SeverityTrace + model.Severity(i)}
			put(c, m.chipWidth(env, &c))
		}
	}
	x += env.Px(8)
	add := func(c messageChip) { put(c, min(m.chipWidth(env, &c), env.Px(180))) }
	if f.OnlyTrack {
		add(messageChip{kind: chipThread})
	}
	for i := range f.Categories {
		add(messageChip{kind: chipCategory, index: i})
	}
	if f.Object != "" {
		add(messageChip{kind: chipObject})
	}
	if f.Text != "" {
		add(messageChip{kind: chipText})
	}
}

// chipWidth returns the width that a chip would like to have.
func (m *MessagesPanel) chipWidth(env *panel.Env, c *messageChip) float32 {
	w := env.Atlas.Measure(draw.Small, m.chipText(env, c)) + env.Px(14)
	w += env.Px(format.Pick[float32](c.kind <= chipLevel, 11, 14))
	return w
}

// chipText returns the words on a chip, valid until the next call.
func (m *MessagesPanel) chipText(env *panel.Env, c *messageChip) string {
	v := env.View
	f, b := v.Look().MessageFilter(), m.buf[:0]
	switch c.kind {
	case chipFilter:
		b = append(b, "Filter"...)
	case chipLevel:
		counts := v.Session().Messages().Severities()
		b = append(append(b, subject.SeverityName(c.level)...), ' ')
		b = format.AppendShort(b, float64(counts[c.level-model.SeverityTrace]), "")
	case chipThread:
		b = append(b, "thread "...)
		if t := v.Session().Track(f.Track); t != nil {
			b = append(b, t.Title()...)
		}
	case chipCategory:
		if name := f.Categories[c.index]; name != "" {
			b = append(b, name...)
		} else {
			b = append(b, "no category"...)
		}
	case chipObject:
		b = append(append(b, "object "...), f.Object...)
	case chipText:
		b = append(append(append(b, "“"...), f.Text...), "”"...)
	}
	m.buf = b
	return panel.ScratchText(b)
}

// inputBar handles the mouse over the chips.
func (m *MessagesPanel) inputBar(env *panel.Env, in *panel.Input) (act panel.Action) {
	v := env.View
	m.over = -1
	if !in.Over || !m.bar.Contains(in.X, in.Y) {
		if !in.Left.Down {
			m.down = -1
		}
		return act
	}
	for i := range m.chips {
		if m.chips[i].r.Contains(in.X, in.Y) {
			m.over = i
		}
	}
	if in.Left.Pressed {
		m.down = m.over
	}
	if in.Left.Released {
		if m.down >= 0 && m.down == m.over {
			if c := &m.chips[m.over]; c.kind == chipFilter {
				act = panel.Action{Kind: panel.ActionFilterMessages, Hit: panel.Hit{Rect: c.r}}
			} else {
				m.press(v, c)
			}
		}
		m.down = -1
	}
	return act
}

// press handles a click on a chip.
func (m *MessagesPanel) press(v *view.View, c *messageChip) {
	f := v.Look().MessageFilter()
	switch c.kind {
	case chipLevel:
		if f.HasLeast && f.Least == c.level {
			f.HasLeast = false
		} else {
			f.Least, f.HasLeast = c.level, true
		}
	case chipThread:
		f.OnlyTrack = false
	case chipCategory:
		f = f.ToggleCategory(f.Categories[c.index])
	case chipObject:
		f.Object = ""
	case chipText:
		f.Text = ""
	}
	v.Look().SetMessageFilter(f)
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
	if len(m.chips) == 0 {
		return
	}
	l.Rect(m.bar, draw.Color(th.PanelTitle))
	for i := range m.chips {
		m.drawChip(env, &m.chips[i], i == m.over)
	}
}

func (m *MessagesPanel) drawChip(env *panel.Env, c *messageChip, over bool) {
	l, th := m.List(), env.Theme
	f := env.View.Look().MessageFilter()
	back, text := draw.Color(format.Pick(over, th.ButtonHover, th.Button)), draw.Color(th.Text)
	shown := c.kind != chipLevel || !f.HasLeast || c.level >= f.Least
	if !shown {
		text = draw.Color(th.TextDim)
		if !over {
			back = draw.Color(th.PanelTitle)
		}
	}
	l.Rect(c.r, back)
	in := draw.Rect{X0: c.r.X0 + env.Px(7), Y0: c.r.Y0, X1: c.r.X1 - env.Px(6), Y1: c.r.Y1}
	switch c.kind {
	case chipFilter:
		panel.MenuMark(l, env, in.X1-env.Px(6), (in.Y0+in.Y1)/2, text)
	case chipLevel:
		side := env.Px(7)
		y := c.r.Y0 + float32(int((c.r.H()-side)/2))
		box := draw.Rect{X0: in.X0, Y0: y, X1: in.X0 + side, Y1: y + side}
		if shown {
			l.Rect(box, subject.SeverityColor(th, c.level))
		} else {
			l.Outline(box, env.Scale, subject.SeverityColor(th, c.level))
		}
		in.X0 += env.Px(11)
	default:
		l.Rect(draw.Rect{X0: c.r.X0, Y0: c.r.Y1 - env.Px(2), X1: c.r.X1, Y1: c.r.Y1}, draw.Color(th.Accent))
		l.TextIn(draw.Small, in, draw.Right, "✕", chipCross(th, over))
		in.X1 -= env.Px(12)
	}
	l.TextIn(draw.Small, in, draw.Left, m.chipText(env, c), text)
}

func chipCross(th *assets.Theme, over bool) draw.Color {
	return draw.Color(format.Pick(over, th.Text, th.Text2))
}

// HitTest returns the row or the chip under a point.
func (m *MessagesPanel) HitTest(env *panel.Env, pxX, pxY float32) panel.Hit {
	if !m.bar.Contains(pxX, pxY) {
		return m.table.HitTest(env, pxX, pxY)
	}
	hit := panel.Hit{Track: model.NoTrack, Collector: model.NoCollector, Frame: -1}
	for i := range m.chips {
		c := &m.chips[i]
		if !c.r.Contains(pxX, pxY) {
			continue
		}
		hit.Kind, hit.Rect = panel.HitLabel, c.r
		m.tip.Begin()
		if c.kind == chipFilter {
			m.tip.Add("Filter by level, category, thread or text")
		} else if c.kind != chipLevel {
			m.tip.Text(m.chipText(env, c)).End()
			m.tip.Add("Click to show others again")
		} else if f := env.View.Look().MessageFilter(); f.HasLeast && f.Least == c.level {
			m.tip.Add("Click to show all levels")
		} else {
			m.tip.Text("Click to show ").Text(subject.SeverityName(c.level)).Text(" and above only").End()
		}
		hit.Lines = m.tip.All()
	}
	return hit
}

// Titles returns the titles of the columns.
func (p *MessagesPanel) Titles() []string { return p.table.Titles() }
