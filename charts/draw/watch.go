package draw

import "slices"

// note records a text or a line of a list, as its geometry no longer has the letters. Lists always
// keep them; steadily that takes no memory.
type note struct {
	at, until int  // the indices of it
	from, to  int  // the text, in said; equal for lines
	face      Face // of a text
	// box is that of WatchedText, or for lines the two ends.
	box, clip Rect
	width     float32 // of a line
	color     Color
	line      bool
}

// WatchedText is a text of a list with its place, for tests.
type WatchedText struct {
	Text string
	// Box is from the begin of the first letter to the end of the last, and from the top of capitals to
	// the baseline. Clip is where it was cut.
	Box, Clip Rect
	Color     Color
	// At and Until are how many indices the list had before it, and after it.
	At, Until int
	// Line means that it is a line: Box is its two ends.
	Line bool
}

// Texts returns the texts that the list holds.
func (l *List) Texts() []WatchedText {
	return slices.DeleteFunc(l.Noted(), func(n WatchedText) bool { return n.Line })
}

// Noted returns the texts and lines that the list holds.
func (l *List) Noted() []WatchedText {
	var out []WatchedText
	for i := range l.notes {
		n := &l.notes[i]
		out = append(out, WatchedText{string(l.said[n.from:n.to]), n.box, n.clip, n.color, n.at, n.until, n.line})
	}
	return out
}

// noteText records a text, of one piece or two, with its first index at.
func (l *List) noteText(f Face, s, more string, pen, end, baseline float32, clip Rect, c Color, at int) {
	from := len(l.said)
	l.said = append(append(l.said, s...), more...)
	box := Rect{pen, baseline - l.atlas.faces[f].capHeight, end, baseline}
	l.notes = append(l.notes, note{
		at: at, until: len(l.Indices), from: from, to: len(l.said), face: f, box: box, clip: clip, color: c,
	})
}

// noteLine records a line with its first index at.
func (l *List) noteLine(x0, y0, x1, y1, width float32, c Color, at int) {
	if at == len(l.Indices) {
		return // it is invisible
	}
	l.notes = append(l.notes, note{
		at: at, until: len(l.Indices), from: len(l.said), to: len(l.said), box: Rect{x0, y0, x1, y1}, clip: l.clip,
		width: width, color: c, line: true,
	})
}

// forgetNotes takes back those that were added at a place in the list or later.
func (l *List) forgetNotes(indices int) {
	n := len(l.notes)
	for n > 0 && l.notes[n-1].at >= indices {
		n--
		l.said = l.said[:l.notes[n].from]
	}
	l.notes = l.notes[:n]
}
