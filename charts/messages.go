package charts

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/model"
)

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
