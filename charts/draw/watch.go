package draw

import "strings"

// WatchedText is a text that a list holds, as tests want it: what is written where.
type WatchedText struct {
	Text string
	// Box is from the begin of the first letter to the end of the last, and from the top of capitals to
	// the baseline. Clip is where it was cut.
	Box, Clip Rect
	Color     Color
	// At is how many indices the list had before it.
	At int
}

// Watch lets the lists over the atlas remember the texts that they hold from their next Reset on.
// It is for tests; it costs nothing where it is not called.
func (a *Atlas) Watch() { a.watched = true }

// Texts returns the texts that the list holds, if its atlas is watched.
func (l *List) Texts() []WatchedText { return l.texts }

// note remembers a text.
func (l *List) note(f Face, s string, pen, end, baseline float32, clip Rect, c Color) {
	box := Rect{pen, baseline - l.atlas.faces[f].capHeight, end, baseline}
	l.texts = append(l.texts, WatchedText{strings.Clone(s), box, clip, c, len(l.Indices)})
}

// forgetTexts takes back those that were added at a place in the list or later.
func (l *List) forgetTexts(indices int) {
	n := len(l.texts)
	for n > 0 && l.texts[n-1].At >= indices {
		n--
	}
	l.texts = l.texts[:n]
}
