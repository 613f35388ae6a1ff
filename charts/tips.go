package charts

import "framescope/model"

// frameTip adds the lines that say how long a frame took.
func frameTip(tip *tipLines, f model.Frame, budgetNs int64) {
	d := f.End - f.Begin
	tip.text("duration\t").duration(d).end()
	if d > 0 {
		tip.text("rate\t").rate(d).end()
	}
	if OverBudget(d, budgetNs) {
		tip.text("over budget by\t").duration(d - budgetNs).end()
	}
	tip.text("at\t").clock(f.Begin).end()
}

// gapTip adds the lines about missing frames.
func gapTip(tip *tipLines, g model.Gap) {
	tip.plural(g.Count(), "frame missing", "frames missing").end()
	if g.Count() == 1 {
		tip.text("number\t").count(g.FirstNumber).end()
	} else {
		tip.text("numbers\t").count(g.FirstNumber).text(" – ").count(g.LastNumber).end()
	}
	if g.End > g.Begin {
		tip.text("time without data\t").duration(g.End - g.Begin).end()
	}
	tip.add("Held back by the program, or lost on the way.")
}

// leftTip adds the lines about frames that left memory.
func leftTip(env *Env, tip *tipLines, n int64) {
	tip.buf = appendLeft(tip.buf, n)
	tip.end()
	tip.add("The bound on memory was reached; the oldest frames leave first.")
	tip.add(leftAdvice(env))
}

// leftAdvice says where what has left memory is.
func leftAdvice(env *Env) string {
	if env.Kept {
		return "It is on disk: a right click offers to open it."
	}
	return "A recording on disk keeps everything."
}

// appendLeft says how many frames left memory.
func appendLeft(dst []byte, n int64) []byte {
	dst = AppendCount(dst, n)
	if n == 1 {
		return append(dst, " older frame left memory"...)
	}
	return append(dst, " older frames left memory"...)
}

// appendMissingFrames appends "frame 12 408 was not received" or "frames 12 408 – 12 415 were not received".
func appendMissingFrames(dst []byte, first, last int64) []byte {
	if first == last {
		dst = AppendCount(append(dst, "frame "...), first)
		return append(dst, " was not received"...)
	}
	dst = AppendCount(append(dst, "frames "...), first)
	dst = AppendCount(append(dst, " – "...), last)
	return append(dst, " were not received"...)
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

const (
	tipTextRunes = 84 // of a line of a message in a tooltip
	tipTextLines = 10
)

// messageText adds the text of a message to a tooltip, broken into lines of readable length at spaces where there are some. What is very long ends with "…".
func messageText(t *tipLines, s string) {
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

// messageTip describes a message.
func messageTip(t *tipLines, title string, m *model.Message) {
	messageText(t, m.Text)
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
