// Package escape writes untrusted texts, such as names of threads, collectors and budgets, in formats
// with special characters. The result has no special meaning, and readers get the same text. The
// standard library escapes HTML, XML and JSON.
package escape

import (
	"strings"
	"unicode/utf8"
)

// Markdown writes a text as code on one line, without links, pictures, HTML, mentions or references to
// issues. Renderers look for these in other text, even behind a backslash.
func Markdown(text string) string {
	text = Line(text)
	if text == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.Trim(text, " `") != text { // a blank at both ends is no part of the code
		text = " " + text + " "
	}
	return fence + text + fence
}

// MarkdownRow writes a row of a table of markdown, without the end of the line. Cells are markdown.
func MarkdownRow(cells ...string) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString("| ")
		b.WriteString(strings.ReplaceAll(c, "|", `\|`))
		b.WriteString(" ")
	}
	return b.String() + "|"
}

// workflow and property escape the message and the properties of workflow commands of GitHub Actions.
var (
	workflow = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Workflow writes the message of a workflow command of GitHub Actions.
func Workflow(text string) string { return workflow.Replace(text) }

// WorkflowProperty writes a property of a workflow command.
func WorkflowProperty(text string) string { return property.Replace(text) }

// AppendCell appends a text as a cell of a table with such a character between its cells, in quotes if
// needed. An apostrophe protects a text that a spreadsheet would read as a formula; Cell removes it.
// Numbers stay unchanged.
func AppendCell(dst []byte, text string, separator byte) []byte {
	formula := isFormula(strings.TrimLeft(text, "'"))
	if !formula && !quoted(text, separator) {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	if formula {
		dst = append(dst, '\'')
	}
	for text != "" {
		at := strings.IndexByte(text, '"')
		if at < 0 {
			dst = append(dst, text...)
			break
		}
		dst = append(append(dst, text[:at+1]...), '"')
		text = text[at+1:]
	}
	return append(dst, '"')
}

// Cell returns the original text of a cell made by AppendCell, without its quotes.
func Cell(cell string) string {
	if text, ok := strings.CutPrefix(cell, "'"); ok && isFormula(strings.TrimLeft(text, "'")) {
		return text
	}
	return cell
}

// quoted reports whether a text stands in quotes: one that would end the cell, or that readers would trim.
func quoted(s string, separator byte) bool {
	for i := range len(s) {
		switch s[i] {
		case separator, '"', '\r', '\n':
			return true
		}
	}
	return s != "" && (s[0] == ' ' || s[0] == '\t' || s[len(s)-1] == ' ')
}

// isFormula reports whether a spreadsheet may read a text as a formula: it begins with one of =+-@ or
// their wide forms, perhaps after ignored characters. A number with a unit is not a formula: "-1.5 ms".
func isFormula(s string) bool {
	s = strings.TrimLeft(s, " ")
	if s == "" {
		return false
	}
	switch first, _ := utf8.DecodeRuneInString(s); first {
	case '=', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠':
		return true
	case '+', '-':
		return !isAmount(s[1:])
	}
	return false
}

// isAmount reports whether a text is a number without its sign, and perhaps a unit behind it.
func isAmount(s string) bool {
	unit := strings.TrimLeft(s, "0123456789.")
	if unit == s {
		return false
	}
	if exponent := strings.TrimLeft(unit, "eE"); exponent != unit {
		unit = strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0123456789")
	}
	return strings.IndexFunc(unit, func(r rune) bool {
		return !(r == ' ' || r == '%' || r == 'µ' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}) < 0
}
