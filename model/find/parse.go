package find

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error is an error in an expression, with its place: in bytes of its text.
type Error struct {
	From, To int
	Reason   string
}

// Error implements error.
func (e *Error) Error() string { return e.Reason }

// Caret returns the text in one line, and below it marks under the error.
func (e *Error) Caret(text string) string {
	before := utf8.RuneCountInString(text[:e.From])
	marks := max(utf8.RuneCountInString(text[e.From:e.To]), 1)
	line := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
	return line + "\n" + strings.Repeat(" ", before) + strings.Repeat("^", marks)
}

// maxText bounds an expression, and maxTerms its terms.
const (
	maxText  = 4096
	maxTerms = 64
)

// fields are the words before a colon or a comparison.
var fields = map[string]field{
	"name": byName, "thread": byThread, "frame": byFrame, "path": byPath, "arg": byArg, "flow": byFlow, "file": byFile,
	"dur": byLength, "self": bySelf, "calls": byCalls,
}

// Help describes the language, for the help texts of commands.
const Help = `EXPR is a list of terms. A call matches if all of them match:
  Draw  "Draw call"     its name contains this text; case matters only if the text has capitals
  Draw*  App:*:Wait     its whole name or full name matches the glob
  /^Draw|^Cull/         its name matches the regular expression
  name:App:Wait         its full name is exactly this
  >4ms  <=300us         its duration: ns, us, ms, s
  self>1ms              its self time
  calls>10              how often its frame calls it on its thread; on tracks without frames (such
                        as asynchronous calls), how often the recording does
  thread:main thread:2  its thread: a part of the name, a glob, or the number
  frame:100-900         its frame number: 7, 100-, -900
  path:App/Cull         it is a Cull called from an App, or below one; names may be globs
  arg:url  arg:url:pay  it has an argument with this key; the value contains pay
  arg:tex=*.dds         the whole value matches; keys and values may be globs
  arg:size>1000         the value is a number: > >= < <= =
  flow:job  flow:*      a flow with this name begins or ends in it; a part of the name, or a glob
  file:render           the file of its source code contains this; a part of the path, or a glob
  -Wait  -thread:gpu    it does not match this term`

// Parse reads an expression; an empty text finds everything. An error is an *Error.
func Parse(text string) (*Expr, error) {
	e := &Expr{text: text}
	if len(text) > maxText {
		return nil, &Error{maxText, maxText, fmt.Sprintf("an expression has at most %d bytes", maxText)}
	}
	p := parser{text: text}
	for {
		p.space()
		if p.at == len(text) {
			return e, nil
		}
		if len(e.terms) == maxTerms {
			return nil, p.fail(p.at, fmt.Sprintf("an expression has at most %d terms", maxTerms))
		}
		t, err := p.term()
		if err != nil {
			return nil, err
		}
		e.terms = append(e.terms, t)
	}
}

// Plain returns the expression that takes a text as a part of names and nothing else.
func Plain(text string) *Expr {
	e := &Expr{text: text}
	if p, err := newPattern(strings.TrimSpace(text), phrase); err == nil {
		e.terms = append(e.terms, term{name: p, to: len(text)})
	}
	return e
}

// parser reads terms one after the other.
type parser struct {
	text string
	at   int
}

func (p *parser) fail(from int, reason string) *Error {
	return &Error{min(from, p.at), max(from, p.at), reason}
}

func (p *parser) space() {
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += n
	}
}

// term reads a term. There is one.
func (p *parser) term() (t term, err error) {
	t.from, t.hi = p.at, math.MaxInt64
	if p.next('-') {
		t.not = true
	}
	from := p.at
	if op := p.operator(); op != "" {
		t.field = byLength
		err = p.compared(&t, from, op)
		t.to = p.at
		return t, err
	}
	if f, op, ok := p.field(); ok {
		t.field = f
		if op == ":" {
			err = p.valued(&t, from)
		} else {
			err = p.compared(&t, from, op)
		}
		t.to = p.at
		return t, err
	}
	text, how, err := p.word(part, false)
	if err != nil {
		return t, err
	}
	if t.name, err = newPattern(text, how); err != nil {
		err = p.fail(from, err.Error())
	}
	t.to = p.at
	return t, err
}

func (p *parser) next(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// operator reads a comparison; empty: there is none.
func (p *parser) operator() string {
	for _, op := range [...]string{">=", "<=", ">", "<", "="} {
		if strings.HasPrefix(p.text[p.at:], op) {
			p.at += len(op)
			return op
		}
	}
	return ""
}

// field reads one of the words before a colon or a comparison, which spaces may part from it.
func (p *parser) field() (f field, op string, ok bool) {
	rest := p.text[p.at:]
	n := strings.IndexFunc(rest, func(r rune) bool { return r < 'a' || r > 'z' })
	if n < 0 {
		return 0, "", false
	}
	if f, ok = fields[rest[:n]]; !ok {
		return 0, "", false
	}
	was := p.at
	p.at += n
	if p.next(':') {
		return f, ":", true
	}
	p.space()
	if op = p.operator(); op == "" || !f.ofNumbers() {
		p.at = was // a name like any other
		return 0, "", false
	}
	return f, op, true
}

// ofNumbers reports whether a field is compared with numbers or lengths.
func (f field) ofNumbers() bool { return f == byLength || f == bySelf || f == byCalls || f == byFrame }

// word reads the text up to the next space, in quotes, or as a regular expression between slashes.
// paths means that a slash separates names.
func (p *parser) word(how manner, paths bool) (text string, is manner, err error) {
	from := p.at
	if p.next('"') {
		end := strings.IndexByte(p.text[p.at:], '"')
		if end < 0 {
			p.at = len(p.text)
			return "", 0, p.fail(from, "the quotation mark is not closed")
		}
		text = p.text[p.at : p.at+end]
		p.at += end + 1
		if text == "" {
			return "", 0, p.fail(from, "there is nothing between the quotation marks")
		}
		return text, phrase, nil
	}
	if !paths && p.next('/') {
		for i := p.at; i < len(p.text); i++ {
			switch p.text[i] {
			case '\\':
				i++
			case '/':
				text, p.at = p.text[p.at:i], i+1
				return text, regex, nil
			}
		}
		p.at = len(p.text)
		return "", 0, p.fail(from, "the regular expression is not closed: /"+p.text[from+1:]+"/")
	}
	for p.at < len(p.text) {
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if unicode.IsSpace(r) || paths && (r == '/' || r == '"') {
			break
		}
		p.at += n
	}
	if p.at == from {
		return "", 0, p.fail(from, "something is missing here")
	}
	return p.text[from:p.at], how, nil
}

// compared reads the value to compare a term with.
func (p *parser) compared(t *term, begin int, op string) error {
	p.space()
	from := p.at
	text, _, err := p.word(part, false)
	if err != nil {
		return p.fail(begin, "compared with what? Give a value behind "+op+", such as "+op+t.field.example())
	}
	n, reason := number(text, t.field == byLength || t.field == bySelf)
	if reason != "" {
		return p.fail(from, reason)
	}
	switch t.lo = math.MinInt64; op {
	case ">":
		t.lo = n + 1
	case ">=":
		t.lo = n
	case "<":
		t.hi = n - 1
	case "<=":
		t.hi = n
	default:
		t.lo, t.hi = n, n
		return nil
	}
	if t.not { // not more means as much or less
		if t.lo == math.MinInt64 {
			t.lo, t.hi = t.hi+1, math.MaxInt64
		} else {
			t.lo, t.hi = math.MinInt64, t.lo-1
		}
		t.not = false
	}
	return nil
}

func (f field) example() string {
	if f == byLength || f == bySelf {
		return "4ms"
	}
	return "10"
}

// units of lengths, in ns; the longest names first.
var units = [...]struct {
	name string
	ns   float64
}{{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// number reads a number, or a length in ns; reason is the error.
func number(text string, length bool) (n int64, reason string) {
	const most = 1 << 53
	if !length {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 || n > most {
			return 0, strconv.Quote(text) + " is no number"
		}
		return n, ""
	}
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(digits, 64)
		if err != nil || !(v >= 0) || v*u.ns > most || strings.ContainsAny(digits, "xXpP_") {
			continue
		}
		return int64(math.Round(v * u.ns)), ""
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && v >= 0 {
		return 0, text + " of what? Give a unit: " + text + "ms, us, ns or s"
	}
	return 0, strconv.Quote(text) + " is no length: give one such as 4ms, 300us or 1.5s"
}

// lengthText writes a length so that it is read as the same.
func lengthText(ns int64) string {
	for i := len(units) - 1; i > 0; i-- {
		if u := units[i]; u.name[0] < 0x80 && ns >= int64(u.ns) && ns%max(int64(u.ns)/1000, 1) == 0 {
			return strconv.FormatFloat(float64(ns)/u.ns, 'f', -1, 64) + u.name
		}
	}
	return strconv.FormatInt(ns, 10) + "ns"
}

// valued reads the value behind the colon of a field.
func (p *parser) valued(t *term, begin int) error {
	from, how := p.at, part
	switch t.field {
	case byArg:
		return p.argument(t, begin)
	case byPath:
		return p.path(t, begin)
	case byLength, bySelf, byCalls:
		return p.fail(begin, "compare it: "+p.text[begin:from-1]+">"+t.field.example())
	case byName:
		how = whole
	}
	text, how, err := p.word(how, false)
	switch {
	case err != nil && (strings.HasPrefix(p.text[from:], `"`) || strings.HasPrefix(p.text[from:], "/")):
		return err
	case err != nil:
		return p.fail(begin, whichOf[t.field])
	case t.field == byFrame:
		return p.frames(t, from, text)
	case t.field == byThread:
		err = t.ofThread(text, how)
	default:
		if t.full = t.field == byName; t.full && how == phrase { // letters are as they are
			text, how = "(?-i:^"+regexp.QuoteMeta(text)+"$)", regex
		}
		t.name, err = newPattern(text, how)
	}
	if err != nil {
		return p.fail(from, err.Error())
	}
	return nil
}

// whichOf are the words about a missing value.
var whichOf = map[field]string{
	byName:   "which name? Give a full name, such as name:App:Cull",
	byThread: "which thread? Give a part of its name or its number, such as thread:main",
	byFrame:  "which frame? Give its number or the first and the last, such as frame:100-900",
	byFlow:   "which flow? Give a part of its name, such as flow:job, or flow:* for any",
	byFile:   "which file? Give a part of its path, such as file:render/, or a glob, such as file:*.cpp",
}

// frames reads one number of a frame, or two with a hyphen between them; one of them may be missing.
func (p *parser) frames(t *term, from int, text string) error {
	a, b, two := strings.Cut(text, "-")
	reason := ""
	if t.lo = 0; a != "" || !two {
		t.lo, reason = number(a, false)
	}
	if t.hi = t.lo; two {
		if t.hi = math.MaxInt64; b != "" && reason == "" {
			t.hi, reason = number(b, false)
		}
	}
	switch {
	case text == "-" || reason != "":
		return p.fail(from, strconv.Quote(text)+" are no frames: give a number, or the first and the last, such as 100-900")
	case t.lo > t.hi:
		return p.fail(from, "the last frame is before the first")
	}
	return nil
}

// path reads names with slashes between them.
func (p *parser) path(t *term, begin int) error {
	for {
		from := p.at
		text, how, err := p.word(whole, true)
		if err != nil {
			if strings.HasPrefix(p.text[from:], `"`) {
				return err
			}
			return p.fail(begin, "which path? Give names from the caller on, such as path:App/Cull")
		}
		if how == phrase { // in quotation marks: all of the name, and * is a star
			how, text = regex, "^"+regexp.QuoteMeta(text)+"$"
		}
		x, err := newPattern(text, how)
		if err != nil {
			return p.fail(from, err.Error())
		}
		t.path = append(t.path, x)
		if !p.next('/') {
			break
		}
	}
	t.path = slices.Clip(t.path)
	return nil
}

// ofThread makes the term one of threads that a text names: by a number or a pattern.
func (t *term) ofThread(text string, how manner) (err error) {
	t.lo, t.hi = -1, -1
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && how == part && n >= 0 {
		t.lo, t.hi = n, n
		how = whole // or it is called like that
	}
	t.name, err = newPattern(text, how)
	return err
}
