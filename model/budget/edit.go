package budget

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// errByHand is why a budget is not editable in its file.
var errByHand = errors.New("its TOML can only be edited by hand")

// Put returns the text of a file with a budget in it: in place of the one in a line, or behind all others
// if line is 0. Comments, blank lines, and the text of other budgets stay as they are.
func Put(text string, line int, b Budget) (string, error) {
	b.Line = 0
	f := fileOf(text)
	if line == 0 {
		if n := len(f.lines); n > 0 && strings.TrimSpace(f.lines[n-1]) != "" {
			f.lines = append(f.lines, "")
		}
		f.lines = append(f.lines, b.text()...)
		return f.with(text, 0, &b)
	}
	old, from, to, err := f.find(text, line)
	if err != nil {
		return "", err
	}
	was, is := old.keys(), b.keys()
	var out []string
	for _, l := range f.lines[from+1 : to] {
		key := keyOf(l)
		k := slices.IndexFunc(is, func(kv keyValue) bool { return kv.key == key })
		switch {
		case k < 0 || is[k] == was[k]: // no key, or one with an unchanged value
			out = append(out, l)
		case is[k].value != "":
			out = append(out, withValue(l, is[k].value))
		}
		if k >= 0 {
			was[k].key = "" // written
		}
	}
	for k := range is {
		if is[k].value != "" && was[k].key != "" {
			out = append(out, is[k].key+" = "+is[k].value)
		}
	}
	f.lines = slices.Replace(f.lines, from+1, to, out...)
	return f.with(text, line, &b)
}

// Remove returns the text of a file without the budget in a line.
func Remove(text string, line int) (string, error) {
	f := fileOf(text)
	_, from, to, err := f.find(text, line)
	if err != nil {
		return "", err
	}
	if to < len(f.lines) && strings.TrimSpace(f.lines[to]) == "" {
		to++
	}
	f.lines = slices.Delete(f.lines, from, to)
	return f.with(text, line, nil)
}

// editing is a file as it is changed, by lines.
type editing struct {
	lines []string
	end   string // of a line
}

func fileOf(text string) *editing {
	f := &editing{end: "\n"}
	if strings.Contains(text, "\r\n") {
		f.end, text = "\r\n", strings.ReplaceAll(text, "\r\n", "\n")
	}
	if text = strings.TrimSuffix(text, "\n"); text != "" {
		f.lines = strings.Split(text, "\n")
	}
	return f
}

// find returns the budget in a line and its lines: from its head to behind its last.
func (f *editing) find(text string, line int) (b Budget, from, to int, err error) {
	all, err := Parse(text)
	if err != nil {
		return b, 0, 0, err
	}
	i := slices.IndexFunc(all, func(b Budget) bool { return b.Line == line && line > 0 })
	if i < 0 {
		return b, 0, 0, errors.New("it is no longer in the file")
	}
	from, to = line-1, line
	for k := line; k < len(f.lines) && !strings.HasPrefix(strings.TrimSpace(f.lines[k]), "["); k++ {
		if l := strings.TrimSpace(f.lines[k]); l != "" && !strings.HasPrefix(l, "#") {
			to = k + 1
		}
	}
	return all[i], from, to, nil
}

// with returns the text, after a check of its meaning: the other budgets as in the text before, and
// the one in a line (0: the last) equal to b, missing if b is nil.
func (f *editing) with(before string, line int, b *Budget) (string, error) {
	text := strings.Join(f.lines, f.end) + f.end
	want, err := Parse(before)
	if err != nil && !errors.Is(err, ErrNone) {
		return "", err
	}
	at := slices.IndexFunc(want, func(b Budget) bool { return b.Line == line && line > 0 })
	switch {
	case b == nil:
		want = slices.Delete(want, at, at+1)
	case line == 0:
		want = append(want, *b)
	default:
		want[at] = *b
	}
	got, err := Parse(text)
	if err != nil && !errors.Is(err, ErrNone) {
		return "", fmt.Errorf("%w (%w)", errByHand, err)
	}
	if !slices.EqualFunc(got, want, func(a, b Budget) bool { a.Line, b.Line = 0, 0; return a == b }) {
		return "", errByHand
	}
	return text, nil
}

type keyValue struct{ key, value string }

// keys are the keys of a budget in a file, as TOML, in the order in which they are written; dispensable
// ones are empty.
func (b *Budget) keys() []keyValue {
	text := func(s string) string {
		if s == "" {
			return ""
		}
		return quote(s)
	}
	limit := strconv.FormatFloat(b.Limit, 'g', -1, 64)
	if !strings.ContainsAny(limit, ".e") {
		limit += ".0"
	}
	if b.Limit == float64(int64(b.Limit)) && b.Limit < 1e15 && b.Limit > -1e15 {
		limit = strconv.FormatInt(int64(b.Limit), 10)
	}
	if b.Measure.Times() {
		limit = quote(Time(b.Limit))
	} else if text := b.inUnit(); text != "" {
		limit = quote(text)
	}
	usual, share, at, optional := Total, "", string(b.At), ""
	switch {
	case b.Series != "":
		usual = Value
	case b.Collector == "":
		usual = Duration
	}
	measure := string(b.Measure)
	if b.Measure == usual {
		measure = ""
	}
	if b.At == P99 {
		at = ""
	}
	if b.HasShare {
		share = quote(strconv.FormatFloat(b.Share*100, 'f', -1, 64) + " %")
		if p, err := ParsePart(share[1 : len(share)-1]); err != nil || p != b.Share {
			share = strconv.FormatFloat(b.Share, 'f', -1, 64)
			if !strings.Contains(share, ".") {
				share += ".0"
			}
		}
	}
	if b.Optional {
		optional = "true"
	}
	return []keyValue{
		{"name", text(b.Name)}, {"collector", text(b.Collector)}, {"series", text(b.Series)}, {"thread", text(b.Thread)},
		{"measure", text(measure)}, {"at", text(at)}, {"share", share}, {"limit", limit}, {"optional", optional},
	}
}

// text is the budget as it is written in a file.
func (b *Budget) text() []string {
	out := []string{"[[budget]]"}
	for _, kv := range b.keys() {
		if kv.value != "" {
			out = append(out, kv.key+" = "+kv.value)
		}
	}
	return out
}

// Time is a time in ns as a file has it: "4.2 ms", exact.
func Time(ns float64) string { return timeText(time.Duration(ns), -1) }

// Most is the limit as a file has it.
func (b *Budget) Most() string {
	if b.Measure.Times() {
		return Time(b.Limit)
	}
	if text := b.inUnit(); text != "" {
		return text
	}
	return b.amount(b.Limit, "")
}

// ParseLimit reads a limit as people type it, for a measure: "4 ms" of times, of series a number with a
// unit (Budget.Unit) or without, a number of all others.
func ParseLimit(text string, m Measure) (n float64, unit string, err error) {
	if m == Value {
		return withUnit(text)
	}
	n, err = limit(strings.TrimSpace(text), m.Times())
	return n, "", err
}

// quote writes a text as a basic string of TOML.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Exactly returns the pattern that matches one name alone. Invalid UTF-8 in a name matches any letter.
func Exactly(name string) string {
	var b strings.Builder
	for len(name) > 0 {
		r, n := utf8.DecodeRuneInString(name)
		switch {
		case r == utf8.RuneError && n <= 1:
			b.WriteByte('?')
		case strings.ContainsRune(`*?[\`, r):
			b.WriteString(`\` + name[:n])
		default:
			b.WriteString(name[:n])
		}
		name = name[n:]
	}
	return b.String()
}

var keyAt = regexp.MustCompile(`^\s*"?([a-z]+)"?\s*=\s*`)

// keyOf returns the key that a line sets; empty: none.
func keyOf(line string) string {
	if m := keyAt.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

// withValue returns a line with another value; the comment behind it stays.
func withValue(line, value string) string {
	head := keyAt.FindString(line)
	rest := line[len(head):]
	for i := range len(rest) { // the value ends before blanks or a comment
		if c := rest[i]; c != ' ' && c != '\t' && c != '#' {
			continue
		}
		var v map[string]any
		if _, err := toml.Decode("x = "+rest[:i], &v); err == nil && strings.HasPrefix(strings.TrimLeft(rest[i:], " \t"),
			"#") {
			return head + value + rest[i:]
		}
	}
	return head + value
}

// FileName is the name of a new budget file.
func FileName(dir string) string { return filepath.Join(dir, "budgets.toml") }
