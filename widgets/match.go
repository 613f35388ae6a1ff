// Matcher rates how well names match a typed text.

package widgets

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How well a name matches the typed text, the best first.
const (
	Same     = iota // it is the name
	Prefix          // the name begins with it
	Word            // a word of the name begins with it
	Inside          // it is somewhere in the name
	Also            // it is in other words about the thing
	Initials        // its letters begin words of the name, or go on in them: "gtf" of "Go to frame"
	None
)

// Matcher is a typed text: every word of it must match, in any order.
type Matcher struct {
	Whole string // in lower case
	words []string
}

// NewMatcher takes a typed text.
func NewMatcher(text string) Matcher {
	text = strings.ToLower(strings.TrimSpace(text))
	return Matcher{Whole: text, words: strings.Fields(text)}
}

// Rank returns how well a thing of that name matches; name and also are in lower case. It passes
// the matched bytes of the name to lit, unless that is nil.
func (m *Matcher) Rank(name, also string, lit func(from, to int)) int {
	if name == m.Whole {
		light(lit, 0, len(name))
		return Same
	}
	if m.Whole != "" && strings.HasPrefix(name, m.Whole) {
		light(lit, 0, len(m.Whole))
		return Prefix
	}
	worst := Word
	for _, w := range m.words {
		r := None
		switch at, begins := wordAt(name, w); {
		case begins:
			r = Word
			light(lit, at, at+len(w))
		case at >= 0:
			r = Inside
			light(lit, at, at+len(w))
		case strings.Contains(also, w):
			r = Also
		case initials(name, w, lit):
			r = Initials
		default:
			return None
		}
		worst = max(worst, r)
	}
	return worst
}

func light(lit func(from, to int), from, to int) {
	if lit != nil {
		lit(from, to)
	}
}

// wordAt returns where a word is in a name, rather where it begins one; -1: nowhere.
func wordAt(name, word string) (at int, begins bool) {
	at = -1
	for from := 0; ; {
		i := strings.Index(name[from:], word)
		if i < 0 {
			return at, false
		}
		i += from
		if beginsWord(name, i) {
			return i, true
		}
		if at < 0 {
			at = i
		}
		from = i + 1
	}
}

// beginsWord reports whether a letter stands at a place of a name, and none before it.
func beginsWord(name string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(name[:i])
	return i == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before)
}

// initials reports whether each letter of a word begins a word of the name, or follows the one that
// was met before it.
func initials(name, word string, lit func(from, to int)) bool {
	first, size := utf8.DecodeRuneInString(word)
	rest := word[size:]
	if rest == "" {
		return false // it would have been found
	}
	for i, r := range name {
		if r != first || !beginsWord(name, i) {
			continue
		}
		if goesOn(name, i+size, rest, lit) {
			light(lit, i, i+size)
			return true
		}
	}
	return false
}

// goesOn reports whether the rest of a word matches from a place on. It takes the next word of the
// name rather than the next letter only if the letter does not match.
func goesOn(name string, at int, rest string, lit func(from, to int)) bool {
	for rest != "" {
		want, size := utf8.DecodeRuneInString(rest)
		got, _ := utf8.DecodeRuneInString(name[at:])
		if at >= len(name) || got != want {
			next := -1
			for i, r := range name[min(at, len(name)):] {
				if r == want && beginsWord(name, at+i) {
					next = at + i
					break
				}
			}
			if next < 0 {
				return false
			}
			at = next
		}
		light(lit, at, at+size)
		at, rest = at+size, rest[size:]
	}
	return true
}
