package draw

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// How names are cut. A sentence loses its end; the end of a name often distinguishes it from its neighbours.
// So a qualified name ("package.Class.method", "A::b", "A:B", "element.pad", "a → b", paths) loses its
// qualifiers from the left, one by one; if that would leave a word that many names end with
// ("videosink.sink", "trace.log"), it is cut before that; a name that ends with a number keeps that number;
// every other loses its end. Names of a list are cut by these rules first; those that look alike then are
// cut in other ways, until different names look different.

// Java gives each hidden class, such as those of lambdas, an address behind its name, which differs from run to
// run; names are drawn without it.

// WithoutAddress returns a name as it is drawn: Outer$$Lambda$14.run() of Outer$$Lambda$14/0x00007f86a0001800.run().
func WithoutAddress(name string) string {
	const least = 8 // digits
	dollar := strings.IndexByte(name, '$')
	if dollar < 0 {
		return name
	}
	at := dollar + strings.Index(name[dollar:], "0x")
	if at <= dollar || strings.IndexByte("./+", name[at-1]) < 0 {
		return name
	}
	rest := strings.TrimLeft(name[at+2:], "0123456789abcdef")
	if len(name)-at-2-len(rest) < least {
		return name
	}
	return name[:at-1] + rest
}

// leastLetters is the fewest letters shown of a cut name or text: fewer are useless.
const leastLetters = 3

// NameIn draws a name in a rectangle like TextIn, but one that is too long is cut by the rules for
// names.
func (l *List) NameIn(f Face, r Rect, al Align, name string, c Color) bool {
	if l.atlas == nil || name == "" {
		return false
	}
	name = WithoutAddress(name)
	if l.TextFit(f, r, al, name, c) {
		return true
	}
	var ok bool
	l.scratch, ok = l.atlas.shorten(l.scratch[:0], f, name, snapRect(r).W(), 0, 0)
	return ok && l.TextFit(f, r, al, unsafe.String(unsafe.SliceData(l.scratch), len(l.scratch)), c)
}

// CutMiddle returns a text without its middle where it has not so many pixels of room: of a sentence about
// a file both ends stay, and with them those of the file's name.
func (a *Atlas) CutMiddle(f Face, text string, pxRoom float32) string {
	if a.Measure(f, text) <= pxRoom {
		return text
	}
	b, _ := a.shorten(nil, f, text, pxRoom, cutHalf, 0)
	return string(b)
}

// The ways to cut a name, the best first.
const (
	cutRule   = iota // by the rules for one name
	cutWords         // without words at its begin
	cutBegin         // without letters at its begin
	cutMiddle        // with a third of the room for its begin
	cutHalf          // with half of the room for its begin
	cutEnd
	cutApart // from where it differs on
	numCuts
)

// shorten appends the shown text of a name that is wider than room, cut in one of the ways; apart
// is where the name begins to differ from others, in bytes. ok is false if that way shows nothing.
func (a *Atlas) shorten(dst []byte, f Face, name string, room float32, way, apart int) (text []byte, ok bool) {
	room -= a.glyph(f, ellipsis).advance
	if room <= 0 {
		return dst, false
	}
	switch way {
	case cutRule:
		from, whole := a.lessQualified(f, name, room)
		if whole && isKind(name, from) { // keep its qualifier, which distinguishes it
			end := number(name[:from-1])
			if end == from-1 {
				end = from
			}
			if head := a.head(f, name[:from-1], room-a.Measure(f, name[end:])); letters(name[:head]) >= 2 {
				return appendCut(dst, name[:head], name[end:])
			}
		}
		if whole {
			return appendCut(dst, "", name[from:])
		}
		name = name[from:]
		if tail := number(name); tail < len(name) {
			width := a.Measure(f, name[tail:])
			if head := a.head(f, name[:tail], room-width); letters(name[:head]) >= 2 {
				return appendCut(dst, name[:head], name[tail:])
			}
		}
		return appendCut(dst, name[:a.head(f, name, room)], "")
	case cutWords:
		from := a.tail(f, name, room)
		for from > 0 && from < len(name) && !parts(name[from-1]) {
			from++
		}
		if a.Measure(f, name[from:]) < room/2 {
			return dst, false // letters show more
		}
		return appendCut(dst, "", name[from:])
	case cutBegin:
		return appendCut(dst, "", name[a.tail(f, name, room):])
	case cutMiddle, cutHalf:
		share := room / 3
		if way == cutHalf {
			share = room / 2
		}
		head := a.head(f, name, share)
		tail := a.tail(f, name[head:], room-a.Measure(f, name[:head]))
		return appendCut(dst, name[:head], name[head+tail:])
	case cutApart:
		from := min(apart, len(name)-1)
		for from > 0 && from < len(name) && (apart-from < 3 && !parts(name[from-1]) || !utf8.RuneStart(name[from])) {
			from--
		}
		dst = append(dst, "…"...)
		name = name[from:]
		if a.Measure(f, name) <= room {
			return append(dst, name...), true
		}
		room -= a.glyph(f, ellipsis).advance
		return appendCut(dst, name[:a.head(f, name, room)], "")
	}
	return appendCut(dst, name[:a.head(f, name, room)], "")
}

// appendCut appends the two ends of a name with the mark between them; ok is false where too little
// is left.
func appendCut(dst []byte, head, tail string) (text []byte, ok bool) {
	if tail == "" {
		head = strings.TrimRight(head, " ")
	}
	if head == "" {
		tail = strings.TrimLeft(tail, " ")
	}
	if letters(head)+letters(tail) < leastLetters {
		return dst, false
	}
	return append(append(append(dst, head...), "…"...), tail...), true
}

func letters(s string) int { return utf8.RuneCountInString(s) }

// isKind reports whether the last part of a name, from an offset on, is a word that many names end with:
// short, behind the only full stop ("videosink.sink", "trace.log").
func isKind(name string, from int) bool {
	const most = 4
	return from > 1 && name[from-1] == '.' && letters(name[from:]) <= most && nextPart(name, 0) == from && nextPart(name,
		from) == 0
}

// parts reports whether a character stands between words.
func parts(c byte) bool { return strings.IndexByte(" .:/_-$", c) >= 0 }

// head returns how many bytes of a text fit from its begin.
func (a *Atlas) head(f Face, s string, room float32) int {
	n, _, _ := a.begin(f, s, room)
	return n
}

// tail returns where the longest fitting end of a text begins.
func (a *Atlas) tail(f Face, s string, room float32) int {
	for i := len(s); i > 0; {
		_, n := utf8.DecodeLastRuneInString(s[:i])
		g, _ := a.next(f, s[i-n:])
		if room -= g.advance; room < 0 {
			return i
		}
		i -= n
	}
	return 0
}

// lessQualified returns where the shown part of a qualified name begins, and whether all of it from
// there on fits: behind the first qualifiers, or within one if else most of the room would be
// empty. If not even the last part fits, it returns the begin of that.
func (a *Atlas) lessQualified(f Face, name string, room float32) (from int, fits bool) {
	if !qualified(name) {
		return 0, false
	}
	last, tail := 0, a.tail(f, name, room)
	for at := nextPart(name, 0); at > 0; at = nextPart(name, at) {
		if last = at; at < tail {
			continue
		}
		if a.Measure(f, name[at:]) < room/2 {
			return tail, true
		}
		return at, true
	}
	return last, false
}

// number returns where the number at the end of a name begins, of three digits at most.
func number(name string) int {
	at := len(name)
	for at > 0 && len(name)-at <= 3 && isDigit(name[at-1]) {
		at--
	}
	if len(name)-at > 3 {
		return len(name)
	}
	return at
}

// qualified reports whether a name may have more than one part.
func qualified(name string) bool {
	for i := range len(name) {
		if partsEnd[name[i]] {
			return true
		}
	}
	return false
}

// partsEnd are the last bytes of separators in qualified names, and the first one of "→".
var partsEnd = [256]bool{'$': true, '.': true, ':': true, '/': true, '\\': true, 0xe2: true}

// nextPart returns where the next part of a qualified name begins, 0 behind the last one. A
// parameter list is no part of the name; full stops and dollar signs of a sentence separate
// nothing.
func nextPart(name string, after int) int {
	const arrow = " → "
	if at := strings.Index(name[after:], arrow); at >= 0 {
		return after + at + len(arrow)
	}
	end := len(name)
	if i := strings.IndexByte(name, '('); i > 0 {
		end = i
	}
	if strings.Contains(name, arrow) {
		return 0
	}
	words := strings.ContainsAny(name[:end], ` /\`) // or a path
	dot := strings.LastIndexByte(name[:end], '.')   // a dollar sign behind it is a compiler's
	for i := after + 1; i < end; i++ {
		switch next := name[i]; name[i-1] {
		case '$':
			if i < dot && next != '$' && !isDigit(next) && !words {
				return i
			}
		case '.':
			if next != '.' && !isDigit(next) && !words {
				return i
			}
		case ':', '/', '\\':
			if next != ':' && next != '/' && next != '\\' && next != ' ' {
				return i
			}
		}
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Names draws the names of a list together, cut so that no two that differ look the same. The zero
// value is ready; it keeps its memory.
type Names struct {
	rows  []nameRow
	buf   []byte // whole names
	shown []byte
	order []int32
}

// nameRow is one name of a list.
type nameRow struct {
	list      int
	face      Face
	align     Align
	way       uint8
	rect      Rect
	color     Color
	from, to  int // of the name, in buf
	at, until int // of the shown text, in shown
	apart     int
}

// Add adds a name to the list of that number; its names are to look different. Draw draws it; the
// name need not be kept until then.
func (n *Names) Add(list int, f Face, r Rect, al Align, name string, c Color) {
	from := len(n.buf)
	n.buf = append(n.buf, WithoutAddress(name)...)
	n.rows = append(n.rows, nameRow{
		list: list, face: f, align: al, rect: snapRect(r), color: c, from: from, to: len(n.buf),
	})
}

// Draw draws the names that were added, and forgets them.
func (n *Names) Draw(l *List) {
	if l.atlas != nil {
		n.distinguish(l.atlas)
		for i := range n.rows {
			x := &n.rows[i]
			l.TextFit(x.face, x.rect, x.align, n.text(x), x.color)
		}
	}
	n.rows, n.buf, n.shown = n.rows[:0], n.buf[:0], n.shown[:0]
}

func (n *Names) name(x *nameRow) string {
	return unsafe.String(unsafe.SliceData(n.buf[x.from:]), x.to-x.from)
}

func (n *Names) text(x *nameRow) string {
	return unsafe.String(unsafe.SliceData(n.shown[x.at:]), x.until-x.at)
}

// cut makes the shown text of a name, in its way or the next one that shows anything.
func (n *Names) cut(a *Atlas, x *nameRow) {
	name := n.name(x)
	for x.at = len(n.shown); ; x.way++ {
		if room := x.rect.W(); a.head(x.face, name, room) == len(name) {
			n.shown = append(n.shown, name...)
		} else if text, ok := a.shorten(n.shown, x.face, name, room, int(x.way), x.apart); ok {
			n.shown = text
		} else if n.shown = n.shown[:x.at]; x.way+1 < numCuts {
			continue
		}
		x.until = len(n.shown)
		return
	}
}

// distinguish cuts the names: those with a shown part that another one has, too, so that their ends are
// visible, and those that look alike in one way after the other. A list has few rows on screen, and few
// of them look alike: it costs a sort of them for each way that is tried.
func (n *Names) distinguish(a *Atlas) {
	some := false
	for i := range n.rows {
		x := &n.rows[i]
		n.cut(a, x)
		some = some || n.text(x) != n.name(x)
	}
	if !some { // complete names that look alike are alike
		return
	}
	n.showEnds(a)
	for range numCuts {
		if !n.again(a) {
			return
		}
	}
}

// showEnds cuts out the middle of names if the shown begin is that of a neighbour in the order of names,
// too: "game.exe 0x1A2B GPU" beside "game.exe 0x1A2B".
func (n *Names) showEnds(a *Atlas) {
	n.order = n.order[:0]
	for i := range n.rows {
		n.order = append(n.order, int32(i))
	}
	slices.SortFunc(n.order, func(i, j int32) int {
		x, y := &n.rows[i], &n.rows[j]
		return cmp.Or(cmp.Compare(x.list, y.list), strings.Compare(n.name(x), n.name(y)))
	})
	for k, i := range n.order {
		x := &n.rows[i]
		name := n.name(x)
		head, cut := strings.CutSuffix(n.text(x), "…")
		if !cut || !strings.HasPrefix(name, head) || n.text(x) == name {
			continue
		}
		if n.shares(k, -1, len(head)) || n.shares(k, 1, len(head)) {
			from := len(n.shown)
			if text, ok := a.shorten(n.shown, x.face, name, x.rect.W(), cutMiddle, 0); ok {
				x.way, x.at, x.until, n.shown = cutMiddle, from, len(text), text
			}
		}
	}
}

// shares reports whether a name has so many bytes at its begin in common with the next other one in the
// order of names, in one direction.
func (n *Names) shares(k, by, bytes int) bool {
	x := &n.rows[n.order[k]]
	for k += by; k >= 0 && k < len(n.order); k += by {
		y := &n.rows[n.order[k]]
		if y.list != x.list {
			return false
		}
		if n.name(y) != n.name(x) {
			return common(n.name(x), n.name(y)) >= bytes
		}
	}
	return false
}

// again cuts those that look alike in their next way; it reports whether there were any.
func (n *Names) again(a *Atlas) (some bool) {
	n.order = n.order[:0]
	for i := range n.rows {
		n.order = append(n.order, int32(i))
	}
	slices.SortFunc(n.order, func(i, j int32) int {
		x, y := &n.rows[i], &n.rows[j]
		if d := cmp.Or(cmp.Compare(x.list, y.list), strings.Compare(n.text(x), n.text(y))); d != 0 {
			return d
		}
		return cmp.Or(strings.Compare(n.name(x), n.name(y)), cmp.Compare(i, j))
	})
	for from := 0; from < len(n.order); {
		first, to := &n.rows[n.order[from]], from+1
		differ, apart := false, len(n.name(first))
		for ; to < len(n.order); to++ {
			x := &n.rows[n.order[to]]
			if x.list != first.list || n.text(x) != n.text(first) {
				break
			}
			if n.name(x) != n.name(first) {
				differ, apart = true, min(apart, common(n.name(x), n.name(first)))
			}
		}
		if differ && first.until > first.at {
			for _, i := range n.order[from:to] {
				if x := &n.rows[i]; x.way+1 < numCuts {
					x.way, x.apart, some = x.way+1, apart, true
					n.cut(a, x)
				}
			}
		}
		from = to
	}
	return some
}

// common returns how many bytes two names have in common at their begin.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
