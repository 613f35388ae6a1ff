// Package find is the language of searches for calls, in the search field of the window and in
// `report --where`. An expression is parsed once (Parse) and matched against names, or becomes a
// query of a session (Expr.Query), which package spans answers a little at a time. It knows sessions,
// but not how they are shown.
package find

import (
	"regexp"
	"strings"

	"framescope/model"
)

// Expr is a parsed expression: a call that meets all of its terms is a hit. The zero value finds
// everything.
type Expr struct {
	text  string
	terms []term
}

// field is the subject of a term.
type field uint8

const (
	byName   field = iota
	byLength       // of a call
	bySelf
	byCalls // in its frame
	byThread
	byFrame
	byPath
	byArg
	byFlow
	byFile
)

// A term is one condition.
type term struct {
	field    field
	not      bool
	name     pattern   // byName, byThread, byFlow, byFile
	full     bool      // byName: the full name is meant, all of it
	path     []pattern // byPath
	arg      *argument // byArg
	lo, hi   int64     // of numbers and lengths (ns): both are within
	from, to int       // where it stands in the text
}

// Text returns the parsed text.
func (e *Expr) Text() string { return e.text }

// Quote returns an expression for names that have a text in them.
func Quote(text string) string {
	e, err := Parse(text)
	if err == nil && !e.OfCalls() && e.Words() == text || strings.Contains(text, `"`) {
		return text
	}
	return `"` + text + `"`
}

// Exactly returns an expression for the one name that is called like that in full, such as App:Collide.
func Exactly(fullName string) string {
	if strings.ContainsRune(fullName, '"') {
		return `name:/(?-i)^` + strings.ReplaceAll(regexp.QuoteMeta(fullName), "/", `\/`) + `$/`
	}
	return `name:"` + fullName + `"`
}

// Empty reports whether the expression has no terms.
func (e *Expr) Empty() bool { return len(e.terms) == 0 }

// OfCalls reports whether the expression needs more than names and files: it may match only some calls of a
// collector.
func (e *Expr) OfCalls() bool {
	for i := range e.terms {
		if f := e.terms[i].field; f != byName && f != byFile {
			return true
		}
	}
	return false
}

// Name reports whether the expression matches something by name and full name: by its terms for
// names alone.
func (e *Expr) Name(name, fullName string) bool {
	for i := range e.terms {
		t := &e.terms[i]
		short := name
		if t.full {
			short = fullName
		}
		if t.field == byName && t.name.matches(short, fullName) == t.not {
			return false
		}
	}
	return true
}

// Collector reports whether the expression matches a collector: by its terms for names and files.
func (e *Expr) Collector(c *model.Collector) bool {
	for i := range e.terms {
		t := &e.terms[i]
		if t.field == byFile && (c.File != "" && t.name.matches(c.File, c.File)) == t.not {
			return false
		}
	}
	return e.Name(c.Name, c.Title())
}

// Words returns the parts of names that the expression looks for, with spaces between them, as a
// filter for lists of other things.
func (e *Expr) Words() string {
	var words []string
	for i := range e.terms {
		if t := &e.terms[i]; t.field == byName && !t.not && t.name.text != "" {
			words = append(words, t.name.text)
		}
	}
	return strings.Join(words, " ")
}

// Lengths returns the least and the greatest length of a call that its terms let through, ns.
func (e *Expr) Lengths() (lo, hi int64) { return e.within(byLength) }

// WithLengths returns the text of the expression with other bounds for lengths, ns: from lo to before
// hi; 0 is no bound.
func (e *Expr) WithLengths(lo, hi int64) string {
	var b strings.Builder
	at := 0
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(s)
		}
	}
	for i := range e.terms {
		if t := &e.terms[i]; t.field == byLength && !t.not {
			add(e.text[at:t.from])
			at = t.to
		}
	}
	add(e.text[at:])
	if lo > 0 {
		add("dur>=" + lengthText(lo))
	}
	if hi > 0 {
		add("dur<" + lengthText(hi))
	}
	return b.String()
}
