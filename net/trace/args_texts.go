package trace

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"framescope/model"
)

// Texts makes strings of bytes that come again and again. The zero value is empty.
type Texts struct {
	known map[string]string
	bytes int
}

// mostKnown is how many bytes of texts are kept for the case that they come again.
const mostKnown = 1 << 20

// Of returns bytes of a file as a text that can be shown.
func (t *Texts) Of(b []byte) string {
	if s, ok := t.known[string(b)]; ok {
		return s
	}
	if t.bytes += len(b) + 64; t.known == nil || t.bytes > mostKnown {
		t.known, t.bytes = map[string]string{}, len(b)+64
	}
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	t.known[string(b)] = s
	return s
}

// Plain returns a text that has no escapes as it stands in JSON, as the methods of Gathered take it.
func Plain(text []byte) []byte {
	if bytes.IndexByte(text, '\\') < 0 {
		return text
	}
	return bytes.ReplaceAll(text[:min(len(text), MaxText)], []byte{'\\'}, []byte(`\\`))
}

// Order puts spans in order of their begin, callers first, and their arguments with them.
func Order(spans []model.Span, args []model.Arg) {
	before := func(a, b model.Span) int { return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.Lane, b.Lane)) }
	if len(args) == 0 {
		slices.SortStableFunc(spans, before)
		return
	}
	order := make([]int32, len(spans))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return before(spans[a], spans[b]) })
	was, to := slices.Clone(spans), make([]int32, len(spans))
	for i, k := range order {
		spans[i], to[k] = was[k], int32(i)
	}
	for i := range args {
		args[i].Span = to[args[i].Span]
	}
	slices.SortStableFunc(args, func(a, b model.Arg) int { return cmp.Compare(a.Span, b.Span) })
}
