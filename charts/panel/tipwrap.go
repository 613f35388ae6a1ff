package panel

import (
	"strings"
	"unicode/utf8"

	"framescope/charts/draw"
)

// tipRow is a drawn row of a tooltip: a line, or a part of one that is too long for the tooltip.
// name is at the left, value at the right; title rows belong to the first line.
type tipRow struct {
	name, value string
	title       bool
}

// tipMost is the number of rows that one line may take: longer ones end in an ellipsis.
const tipMost = 8

// tipRows breaks the lines of a tooltip so that none is too wide, and returns the width of the
// widest; chip is the width of the mark before the title.
func tipRows(env *Env, lines []string, chip, gap, most float32) (rows []tipRow, width float32) {
	a := env.Atlas
	// Names and values stand in two columns: these decide how wide the tooltip is, as far as it can be.
	var nameW, valueW float32
	for i, s := range lines {
		if name, value, ok := strings.Cut(s, "\t"); ok && i > 0 {
			nameW, valueW = max(nameW, a.Measure(draw.Regular, name)), max(valueW, a.Measure(draw.Regular, value))
		}
	}
	if valueW > 0 {
		width = min(nameW+gap+valueW, most)
	}
	for i, s := range lines {
		if i == 0 {
			for _, part := range WrapWords(a, draw.Medium, s, most-chip) {
				rows = append(rows, tipRow{name: part, title: true})
				width = max(width, a.Measure(draw.Medium, part)+chip)
			}
			continue
		}
		name, value, _ := strings.Cut(s, "\t")
		parts := WrapWords(a, draw.Regular, name, most)
		last := parts[len(parts)-1]
		for _, part := range parts {
			rows = append(rows, tipRow{name: part})
			width = max(width, a.Measure(draw.Regular, part))
		}
		if value == "" {
			continue
		}
		if a.Measure(draw.Regular, last)+gap+a.Measure(draw.Regular, value) <= most {
			rows[len(rows)-1].value = value
			continue
		}
		for _, part := range WrapWords(a, draw.Regular, value, most) {
			rows = append(rows, tipRow{value: part})
			width = max(width, a.Measure(draw.Regular, part))
		}
	}
	return rows, min(width, most)
}

// WrapWords breaks a line into pieces that are no wider than width: between words, else after signs
// that part names, else anywhere.
func WrapWords(a *draw.Atlas, f draw.Face, s string, width float32) (parts []string) {
	return appendWrapped(nil, a, f, s, width)
}

// appendWrapped is WrapWords to the end of a list.
func appendWrapped(list []string, a *draw.Atlas, f draw.Face, s string, width float32) []string {
	if a.Measure(f, s) <= width {
		return append(list, s)
	}
	for end := len(list) + tipMost; s != ""; {
		if len(list) == end {
			list[end-1] += "…"
			break
		}
		n := fitting(a, f, s, width)
		list = append(list, strings.TrimRight(s[:n], " "))
		s = strings.TrimLeft(s[n:], " ")
	}
	return list
}

// fitting returns how much of the beginning of a text has room, in bytes; at least one letter.
func fitting(a *draw.Atlas, f draw.Face, s string, width float32) int {
	w, words, signs := float32(0), 0, 0
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		if w += a.Measure(f, s[i:i+n]); w > width && i > 0 {
			switch {
			case words > 0:
				return words
			case signs > 0:
				return signs
			}
			return i
		}
		i += n
		switch s[i-1] {
		case ' ':
			words = i
		case '.', ':', '/', '\\', ',', '_', '$', '-', ')', '>', ';', '&', '?', '=':
			signs = i
		}
	}
	return len(s)
}
