package testkit

import (
	"regexp"
	"strings"
)

// HostileNames are possible names of a thread, a collector, a budget or a recording.
var HostileNames = []string{
	"![i](http://evil.example/x.png)", "[click](javascript:alert(1))", "<img src=x onerror=alert(1)>", "<!-- ",
	"</td></table><script>",
	"@everyone", "#1", "GH-1", "owner/repo#1", "https://evil.example", "www.evil.example", "me@evil.example",
	"<https://evil.example>",
	"a5c3785ed8d6a35868bc169f07e40e889087fd2e", ":smile:", "a|b", `a\|b`, `\`, "`", "``", "` `` `", "`code`",
	" `x", "x` ", "a``b`c", "*a*", "_a_", "~~a~~",
	"# head", "- item", "> quote", "| a |", "&lt;b&gt;", "&#64;everyone", "$x$",
	"x\n\n# head", "x\r\n::error file=x::y",
	"::error file=x,line=1::y", "::stop-commands::x", "##[error]y", "a%0Ab", "a,b:c", "100%25",
	"=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "  -cmd|' /C calc'!A0",
	`=HYPERLINK("http://evil.example","x")`, "＝1",
	"-5", "+1.5 ms", `a"b`, `"`, "a;b", "'=1", "\x1b[31m", "\u202egnp.exe", "\xff",
}

var fence = regexp.MustCompile("`+")

// MarkdownCode returns the code texts in a line of GitHub's markdown and the line without them. In a table row,
// a bar has a backslash before it. ok is false where a backtick is left.
func MarkdownCode(line string) (code []string, rest string, ok bool) {
	row := strings.HasPrefix(line, "| ")
	for {
		open := fence.FindStringIndex(line)
		if open == nil {
			return code, rest + line, true
		}
		mark, found := line[open[0]:open[1]], false
		rest += line[:open[0]]
		line = line[open[1]:]
		for _, at := range fence.FindAllStringIndex(line, -1) {
			if line[at[0]:at[1]] != mark {
				continue
			}
			text := line[:at[0]]
			if row {
				text = strings.ReplaceAll(text, `\|`, "|")
			}
			if len(text) > 1 && text[0] == ' ' && text[len(text)-1] == ' ' && strings.Trim(text, " ") != "" {
				text = text[1 : len(text)-1]
			}
			code, line, found = append(code, text), line[at[1]:], true
			break
		}
		if !found {
			return code, rest, false
		}
	}
}

// MarkdownCells returns into how many cells GitHub takes a row of a table apart.
func MarkdownCells(row string) int {
	n := -1
	for i := range len(row) {
		if row[i] == '|' && (i == 0 || row[i-1] != '\\') {
			n++
		}
	}
	return n
}

// harmless matches a report's own words, in a line without its code.
var harmless = regexp.MustCompile(`^(### |- )?[\p{L}\p{N} .,:;()|+%±−–<=×~>/-]*$`)

// MarkdownFault returns why a line of markdown has more than the report's own words and code; empty: it has
// not.
func MarkdownFault(line string) string {
	_, rest, ok := MarkdownCode(line)
	switch {
	case !ok:
		return "code that does not end"
	case !harmless.MatchString(rest):
		return "not the report's words: " + rest
	case regexp.MustCompile(`https?:|www\.|GH-\d|[0-9a-f]{7,}`).MatchString(rest):
		return "a link: " + rest
	}
	return ""
}
