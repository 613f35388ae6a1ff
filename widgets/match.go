// Matcher rates how well names match a typed text.

package widgets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"framescope/charts/format"
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

// Rank returns how well a thing of that name matches; name and also are in lower case.
func (m *Matcher) Rank(name, also string) int {
	if name == m.Whole {
		return Same
	}
	if m.Whole != "" && strings.HasPrefix(name, m.Whole) {
		return Prefix
	}
	worst := Word
	for _, w := range m.words {
		r := wordRank(name, w)
		switch {
		case r != None:
		case strings.Contains(also, w):
			r = Also
		case initials(name, w):
			r = Initials
		default:
			return None
		}
		worst = max(worst, r)
	}
	return worst
}

// wordRank returns whether a word begins one of a name, or is inside it, or is not there.
func wordRank(name, word string) int {
	for i := range name {
		if strings.HasPrefix(name[i:], word) && beginsWord(name, i) {
			return Word
		}
	}
	return format.Pick(strings.Contains(name, word), Inside, None)
}

// beginsWord reports whether a letter stands at a place of a name, and none before it.
func beginsWord(name string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(name[:i])
	return i == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before)
}

// initials reports whether each letter of a word begins a word of the name, or follows the one that
// was met before it.
func initials(name, word string) bool {
	for i := range name {
		if beginsWord(name, i) && goesOn(name, i, word) {
			return true
		}
	}
	return false
}

// goesOn is initials from a place on. It takes the next word of the name rather than the next letter only if
// the letter does not match.
func goesOn(name string, at int, word string) bool {
	for _, want := range word {
		for next, found := true, false; !found; next = false {
			if at == len(name) {
				return false
			}
			got, size := utf8.DecodeRuneInString(name[at:])
			found = got == want && (next || beginsWord(name, at))
			at += size
		}
	}
	return true
}
