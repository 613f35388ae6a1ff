package charts

import (
	"slices"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
)

// MessageFilter says which messages the timeline and the message table show. The zero value shows all.
type MessageFilter struct {
	// Least is the least grave severity that is shown, when HasLeast is set.
	Least    model.Severity
	HasLeast bool
	// Categories are the categories that are shown, empty: all. Messages without a category belong to the category "".
	Categories []string
	// Track is the thread whose messages are shown, when OnlyTrack is set.
	Track     model.TrackID
	OnlyTrack bool
	// Object and Text are contained in the object and in the text of what is shown, in any case.
	Object, Text string
}

// All tells whether the filter lets everything through.
func (f *MessageFilter) All() bool {
	return !f.HasLeast && len(f.Categories) == 0 && !f.OnlyTrack && f.Object == "" && f.Text == ""
}

// onlyTrack tells whether the filter asks for a thread and for nothing else.
func (f *MessageFilter) onlyTrack() bool {
	g := *f
	g.OnlyTrack = false
	return f.OnlyTrack && g.All()
}

// Query returns the question for what passes the filter, at any time.
func (f *MessageFilter) Query() model.MessageQuery {
	q := model.MessageQuery{MinSeverity: model.SeverityTrace, Categories: f.Categories, Object: f.Object, Text: f.Text}
	if f.HasLeast {
		q.MinSeverity = f.Least
	}
	return q
}

func (f *MessageFilter) equal(o *MessageFilter) bool {
	return f.HasLeast == o.HasLeast && (f.Least == o.Least || !f.HasLeast) && f.OnlyTrack == o.OnlyTrack && (f.Track == o.Track || !f.OnlyTrack) &&
		f.Object == o.Object && f.Text == o.Text && slices.Equal(f.Categories, o.Categories)
}

// MessageView is what all panels share of the messages: the filter and the selected one. It is a part of View; the zero value shows all and has none selected.
type MessageView struct {
	filter    MessageFilter
	filterRev uint64
	rev       uint64
	track     model.TrackID
	selected  model.Message
	has       bool
}

// Filter returns the filter. Its categories must not be changed.
func (m *MessageView) Filter() MessageFilter { return m.filter }

// SetFilter sets the filter.
func (m *MessageView) SetFilter(f MessageFilter) {
	if m.filter.equal(&f) {
		return
	}
	f.Categories = slices.Clone(f.Categories)
	m.filter = f
	m.filterRev++
	m.rev++
}

// Select selects a message of a track.
func (m *MessageView) Select(track model.TrackID, message model.Message) {
	if !m.has || m.track != track || m.selected != message {
		m.track, m.selected, m.has = track, message, true
		m.rev++
	}
}

// Clear selects no message.
func (m *MessageView) Clear() {
	if m.has {
		m.has, m.selected = false, model.Message{}
		m.rev++
	}
}

// Selected returns the selected message and its track; ok is false when there is none.
func (m *MessageView) Selected() (track model.TrackID, message model.Message, ok bool) {
	return m.track, m.selected, m.has
}

// IsSelected tells whether a message is the selected one.
func (m *MessageView) IsSelected(track model.TrackID, message *model.Message) bool {
	return m.has && m.track == track && m.selected.Time == message.Time && m.selected == *message
}

// SeverityName returns the word for a severity.
func SeverityName(s model.Severity) string {
	switch {
	case s >= model.SeverityError:
		return "error"
	case s == model.SeverityWarning:
		return "warning"
	case s == model.SeverityFixme:
		return "fixme"
	case s == model.SeverityInfo:
		return "info"
	case s == model.SeverityDebug:
		return "debug"
	case s == model.SeverityLog:
		return "log"
	}
	return "trace"
}

// severityColor returns the colour of a severity: the graver the louder.
func severityColor(th *assets.Theme, s model.Severity) draw.Color {
	switch {
	case s >= model.SeverityError:
		return draw.Color(th.Bad)
	case s == model.SeverityWarning:
		return draw.Color(th.Over)
	case s == model.SeverityFixme:
		return draw.Color(th.Selection)
	case s == model.SeverityInfo:
		return draw.Color(th.Accent)
	case s == model.SeverityDebug:
		return draw.Color(th.Text2)
	}
	return draw.Color(th.TextDim)
}

// messageLine returns a text up to its first line break, and whether there was more.
func messageLine(s string) (line string, more bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' || s[i] == '\r' {
			return s[:i], i+1 < len(s)
		}
	}
	return s, false
}

const (
	tipTextRunes = 84 // of a line of a message in a tooltip
	tipTextLines = 10
)

// messageText adds the text of a message to a tooltip, broken into lines of readable length at spaces where there are some. What is very long ends with "…".
func (t *tipLines) messageText(s string) {
	for lines := 0; ; lines++ {
		if lines == tipTextLines {
			t.add("…")
			return
		}
		line, rest := breakLine(s)
		t.add(line)
		if s = rest; s == "" {
			return
		}
	}
}

// breakLine parts a text behind its first line, which has tipTextRunes runes at most.
func breakLine(s string) (line, rest string) {
	n, space := 0, -1
	for i, r := range s {
		switch {
		case r == '\n':
			return s[:i], s[i+1:]
		case n == tipTextRunes:
			if space > 0 {
				return s[:space], s[space+1:]
			}
			return s[:i], s[i:]
		case r == ' ' && n > tipTextRunes/2:
			space = i
		}
		n++
	}
	return s, ""
}

// messageTip describes a message.
func (t *tipLines) messageTip(title string, m *model.Message) {
	t.messageText(m.Text)
	t.text("level\t").text(SeverityName(m.Severity)).end()
	if m.Category != "" {
		t.text("category\t").text(m.Category).end()
	}
	if m.Object != "" {
		t.text("object\t").text(m.Object).end()
	}
	t.text("thread\t").text(title).end()
	t.text("time\t").clock(m.Time).end()
}
