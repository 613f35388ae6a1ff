// Untrusted texts, such as names of threads, collectors, programs and files, may hold anything. Control
// characters could rewrite a terminal. Formatting characters, such as those that turn the direction of
// writing, make a name look like another.

package escape

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsVisible reports whether a character is shown unchanged in the window, on a terminal and in text
// files. This includes characters that only modify their neighbours (Joins).
func IsVisible(r rune) bool { return ' ' <= r && r < 0x7f || unicode.IsGraphic(r) || Joins(r) }

// Joins reports whether a character has no glyph and only changes the look of its neighbours.
func Joins(r rune) bool {
	return r == '\u200d' || r == '\u200c' || unicode.In(r, unicode.Variation_Selector)
}

// Line returns a text on one line: a tab becomes a blank; invisible characters (see IsVisible), line
// ends and bytes that are not UTF-8 become U+FFFD.
func Line(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		return shown(r)
	}, text)
}

// Name is Line of a name in a column, or one of many in a line of text: of more than MaxName
// characters the middle is left out.
func Name(text string) string {
	if len(text) > MaxName*utf8.UTFMax*4 { // skips text that is cut off anyway
		text = text[:MaxName*utf8.UTFMax*2] + text[len(text)-MaxName*utf8.UTFMax*2:]
	}
	text = Line(text)
	n := utf8.RuneCountInString(text)
	if n <= MaxName {
		return text
	}
	const head = MaxName * 2 / 3
	all := []rune(text)
	return string(all[:head]) + "…" + string(all[n-(MaxName-1-head):])
}

// MaxName is how many characters of a name are shown.
const MaxName = 200

func shown(r rune) rune {
	if !IsVisible(r) {
		return utf8.RuneError
	}
	return r
}

// NewWriter returns a writer that removes invisible characters before it writes to another writer. It
// keeps line ends and tabs. Each write must have whole characters.
func NewWriter(to io.Writer) io.Writer { return writer{to} }

type writer struct{ to io.Writer }

// Write implements io.Writer.
func (w writer) Write(p []byte) (int, error) {
	clean := bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return shown(r)
	}, p)
	if _, err := w.to.Write(clean); err != nil {
		return 0, err
	}
	return len(p), nil
}
