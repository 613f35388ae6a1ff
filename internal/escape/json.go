package escape

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// WriteJSON writes a value as indented JSON and a line end. Characters that have no look of their own, or change that
// of their neighbours, are written as escapes: readers get them, terminals do not.
func WriteJSON(w io.Writer, value any) error {
	enc := json.NewEncoder(jsonWriter{w})
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// jsonWriter escapes invisible characters, which stand in strings only.
type jsonWriter struct{ to io.Writer }

// Write implements io.Writer. Each write has whole characters.
func (w jsonWriter) Write(p []byte) (int, error) {
	out := make([]byte, 0, len(p))
	for at := 0; at < len(p); {
		r, size := utf8.DecodeRune(p[at:])
		if r == '\n' || r == '\t' || IsVisible(r) {
			out = append(out, p[at:at+size]...)
		} else {
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		}
		at += size
	}
	if _, err := w.to.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
