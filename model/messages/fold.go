package messages

import (
	"strings"
	"unicode/utf8"

	"framescope/model"
)

// folder looks for a piece of text whatever the case of its letters.
type folder struct {
	lower string // the piece in lower case
	ascii bool
	upper byte // of its first byte, for ASCII
}

func makeFolder(piece string) folder {
	f := folder{lower: strings.ToLower(piece), ascii: true}
	for i := range len(piece) {
		if piece[i] >= utf8.RuneSelf {
			f.ascii = false
		}
	}
	if f.ascii && f.lower != "" {
		f.upper = f.lower[0]
		if f.upper >= 'a' && f.upper <= 'z' {
			f.upper -= 'a' - 'A'
		}
	}
	return f
}

// in reports whether a text contains the piece.
func (f *folder) in(text string) bool {
	if !f.ascii {
		return strings.Contains(strings.ToLower(text), f.lower)
	}
	n := len(f.lower)
	if n == 0 {
		return true
	}
	first := f.lower[0]
	for i := 0; i+n <= len(text); i++ {
		if text[i] != first && text[i] != f.upper {
			continue
		}
		k := 1
		for ; k < n; k++ {
			b := text[i+k]
			if b >= 'A' && b <= 'Z' {
				b += 'a' - 'A'
			}
			if b != f.lower[k] {
				break
			}
		}
		if k == n {
			return true
		}
	}
	return false
}

// edits records the newest changes of a track's messages, so that earlier search results can be
// repaired.
type edits struct {
	n    uint64 // so far
	ring []edit
}

// edit records that messages from a position on changed; none of them, before or after, is earlier
// than then.
type edit struct{ from, then int64 }

const keptEdits = 16

func (x *edits) add(e edit) {
	if x.ring == nil {
		x.ring = make([]edit, keptEdits)
	}
	x.ring[x.n%keptEdits] = e
	x.n++
}

// since returns the combined changes after the first seen ones.
func (x *edits) since(seen uint64) (from, then int64, changed bool) {
	if x.n == seen {
		return 0, 0, false
	}
	if x.n-seen > keptEdits {
		return 0, model.MinTime, true
	}
	e := x.ring[seen%keptEdits]
	for i := seen + 1; i < x.n; i++ {
		k := x.ring[i%keptEdits]
		e.from, e.then = min(e.from, k.from), min(e.then, k.then)
	}
	return e.from, e.then, true
}
