package find

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pattern is a pattern for names. It ignores case, unless it has capitals.
type pattern struct {
	expr *regexp.Regexp
	text string // that is a part of names; empty: it is another pattern
}

func (p *pattern) matches(name, fullName string) bool {
	return p.expr.MatchString(name) || name != fullName && p.expr.MatchString(fullName)
}

// How a text becomes a pattern.
type manner uint8

const (
	part   manner = iota // words are parts of a name; with * and ? they are globs, of all of it
	whole                // words and globs are all of it
	phrase               // a part, and nothing in it has a meaning
	regex
)

var errNotText = errors.New("it is not UTF-8 text")

// newPattern makes a pattern of a text.
func newPattern(text string, how manner) (pattern, error) {
	if !utf8.ValidString(text) {
		return pattern{}, errNotText
	}
	fold := !strings.ContainsFunc(text, unicode.IsUpper)
	expr, words := text, ""
	switch glob := strings.ContainsAny(text, "*?"); {
	case how == regex:
		fold = !hasCapitals(text)
	case how == whole, how == part && glob:
		expr = "^" + globExpr(text) + "$"
	default:
		expr, words = regexp.QuoteMeta(text), text
	}
	flags := "(?s)"
	if fold {
		flags = "(?si)"
	}
	x, err := regexp.Compile(flags + expr)
	var bad *syntax.Error
	if errors.As(err, &bad) {
		err = errors.New(bad.Code.String())
	}
	return pattern{x, words}, err
}

// globExpr returns the regular expression of a glob: * stands for any text, ? for any letter.
func globExpr(glob string) string {
	var b strings.Builder
	for _, r := range glob {
		switch r {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteByte('.')
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return b.String()
}

// hasCapitals reports whether a regular expression has capitals other than those behind a backslash,
// which stand for classes of letters.
func hasCapitals(expr string) bool {
	behind := false
	for _, r := range expr {
		if !behind && unicode.IsUpper(r) {
			return true
		}
		behind = !behind && r == '\\'
	}
	return false
}
