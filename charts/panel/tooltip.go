package panel

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/model"
)

const (
	tipDelayNs = 80_000_000 // how long the mouse rests before a tooltip appears
	tipWidest  = 520        // scale-1 pixels; longer lines are broken
)

// Tooltip describes the hovered item. The zero value is ready; one serves a whole window.
type Tooltip struct {
	list  *draw.List
	still int64 // when the mouse came to a thing
	shown bool
	key   tipKey
	text  []byte // the lines that the list shows
	next  []byte
}

// tipKey is the inputs of a tooltip's picture, besides its words.
type tipKey struct {
	x, y                float32
	bounds, rect, among draw.Rect
	scale               float32
	theme               assets.Theme
	collector           model.CollectorID
	kind                HitKind
	fill                draw.Color
}

// Draw returns a list with the tooltip of a hit beside the mouse, or nil when there is nothing to
// show (yet: it waits until the mouse has rested for 80 ms). Once shown it follows the mouse until
// nothing is under it any more. It never leaves bounds and, where there is room, never covers the
// thing.
func (t *Tooltip) Draw(env *Env, hit *Hit, pxX, pxY float32, bounds draw.Rect) *draw.List {
	if hit == nil || len(hit.Lines) == 0 {
		t.shown, t.still = false, 0
		return nil
	}
	if t.still == 0 {
		t.still = env.NowNs
	}
	if !t.shown && env.Paced && env.NowNs-t.still < tipDelayNs {
		return nil
	}
	t.shown = true
	if ListFor(&t.list, env) {
		t.key = tipKey{}
	}
	key := tipKey{x: pxX, y: pxY, bounds: bounds, rect: hit.Rect, among: hit.Among, scale: env.Scale, theme: *env.Theme,
		collector: hit.Collector, kind: hit.Kind}
	if hit.Collector != model.NoCollector {
		key.fill = env.Palette().Fill(hit.Collector)
	}
	t.next = t.next[:0]
	for _, line := range hit.Lines {
		t.next = append(append(t.next, line...), '\n')
	}
	if key == t.key && bytes.Equal(t.next, t.text) {
		return t.list
	}
	t.key = key
	t.text, t.next = t.next, t.text
	t.list.Reset(bounds)
	DrawTooltip(t.list, env, hit, pxX, pxY, bounds)
	return t.list
}

// DrawTooltip draws the lines of a hit near the mouse, inside bounds. The first line is the title,
// with the collector's color before it; a tab parts a line into a name at the left and a value at
// the right.
func DrawTooltip(l *draw.List, env *Env, hit *Hit, pxX, pxY float32, bounds draw.Rect) {
	th := env.Theme
	pad, gap := env.Px(8), env.Px(14)
	chip := float32(0)
	if hit.Collector != model.NoCollector && hasCollector(hit.Kind) {
		chip = env.Px(15)
	}
	most := min(bounds.W(), env.Px(tipWidest)) - 2*pad
	rows, w := tipRows(env, hit.Lines, chip, gap, most)
	w += 2 * pad
	if hit.InRow {
		if long := tipRowWidth(env, hit.Lines) + 2*pad; long <= bounds.W() {
			drawTipRow(l, env, hit.Lines, drawTipBox(l, env, hit, long, env.Px(25), pxX, pxY, bounds))
			return
		}
	}
	h := 2 * env.Px(6)
	for i := range rows {
		if next := h + tipLineHeight(env, rows[i].title); next <= bounds.H() || i == 0 {
			h = next
			continue
		}
		rows = rows[:i]
		if rows[i-1].value == "" { // there is more
			rows[i-1].name += " …"
		}
		break
	}
	r := drawTipBox(l, env, hit, w, h, pxX, pxY, bounds)
	l.PushClip(r)
	y := r.Y0 + env.Px(6)
	for i := range rows {
		t := &rows[i]
		lh := tipLineHeight(env, t.title)
		row := draw.Rect{X0: r.X0 + pad, Y0: y, X1: r.X1 - pad, Y1: y + lh}
		y += lh
		if t.title {
			if chip > 0 && i == 0 {
				side := env.Px(9)
				cy := row.Y0 + float32(int(lh-side)/2)
				l.Rect(draw.Rect{X0: row.X0, Y0: cy, X1: row.X0 + side, Y1: cy + side}, env.Palette().Fill(hit.Collector))
			}
			row.X0 += chip
			l.TextIn(draw.Medium, row, draw.Left, t.name, draw.Color(th.Text))
			continue
		}
		l.TextIn(draw.Regular, row, draw.Right, t.value, draw.Color(th.Text))
		l.TextIn(draw.Regular, row, draw.Left, t.name, draw.Color(th.Text2))
	}
	l.PopClip()
}

// drawTipBox draws the empty box of a tooltip at its place.
func drawTipBox(l *draw.List, env *Env, hit *Hit, w, h, pxX, pxY float32, bounds draw.Rect) (r draw.Rect) {
	if r = placeTip(env, w, h, pxX, pxY, hit.Rect, bounds); !hit.Among.Empty() {
		r = placeAmong(env, w, h, pxX, pxY, hit, bounds)
	}
	l.Rect(draw.Rect{X0: r.X0 + env.Px(2), Y0: r.Y0 + env.Px(3), X1: r.X1 + env.Px(2), Y1: r.Y1 + env.Px(3)},
		draw.Color{A: 90})
	l.Rect(r, draw.Color(env.Theme.Tooltip))
	l.Outline(r, 1, draw.Color(env.Theme.TooltipBorder))
	return r
}

// Between the lines of a tooltip that is a row, and between a name and its value, at scale 1.
const tipRowGap, tipNameGap = 14, 5

// tipRowWidth is how wide the lines are one behind the other.
func tipRowWidth(env *Env, lines []string) (w float32) {
	for i, s := range lines {
		name, value, _ := strings.Cut(s, "\t")
		w += env.Atlas.Measure(tipFace(i), name) + env.Atlas.Measure(draw.Regular, value) + env.Px(tipNameGap) +
			env.Px(tipRowGap)
	}
	return w - env.Px(tipRowGap)
}

func tipFace(line int) draw.Face { return format.Pick(line == 0, draw.Medium, draw.Regular) }

// drawTipRow draws the lines of a tooltip one behind the other.
func drawTipRow(l *draw.List, env *Env, lines []string, r draw.Rect) {
	r.X0 += env.Px(8)
	for i, s := range lines {
		name, value, valued := strings.Cut(s, "\t")
		dim := i > 0 && valued
		l.TextIn(tipFace(i), r, draw.Left, name, draw.Color(format.Pick(dim, env.Theme.Text2, env.Theme.Text)))
		r.X0 += env.Atlas.Measure(tipFace(i), name) + env.Px(tipNameGap)
		l.TextIn(draw.Regular, r, draw.Left, value, draw.Color(env.Theme.Text))
		r.X0 += env.Atlas.Measure(draw.Regular, value) + env.Px(tipRowGap)
	}
}

func hasCollector(k HitKind) bool {
	switch k {
	case HitSpan, HitMerged, HitBand, HitNode, HitRun:
		return true
	}
	return false
}

func tipLineHeight(env *Env, title bool) float32 {
	return format.Pick(title, env.Px(19), env.Px(16))
}

// tipAside is by how much nearer to the mouse a tooltip has to be to lie above a thing or at a side of
// it rather than below, at scale 1.
const tipAside = 48

// tipFar is the greatest distance of a row's tooltip from the mouse to cover nothing of its list, at
// scale 1.
const tipFar = 320

// placeAmong puts a w × h box beside the list of the row under the mouse, else above or below it, and
// where that is far away so that it covers neither the row nor those next to it.
func placeAmong(env *Env, w, h, pxX, pxY float32, hit *Hit, bounds draw.Rect) draw.Rect {
	list := hit.Among
	y := float32(int(max(bounds.Y0, min(hit.Rect.Y0, bounds.Y1-h))))
	left := draw.Rect{X0: float32(int(list.X0 - env.Px(4) - w)), Y0: y}
	right := draw.Rect{X0: float32(int(list.X1 + env.Px(5))), Y0: y}
	sides := [...]draw.Rect{left, right, placeTip(env, w, h, pxX, pxY, list, bounds)}
	if list.X1-pxX < pxX-list.X0 {
		sides[0], sides[1] = right, left
	}
	for _, r := range sides {
		r.X1, r.Y1 = r.X0+float32(int(w+0.5)), r.Y0+h
		far := max(r.X0-pxX, pxX-r.X1, r.Y0-pxY, pxY-r.Y1)
		if o := r.Intersect(list); o.Empty() && r.X0 >= bounds.X0 && r.X1 <= bounds.X1 && far <= env.Px(tipFar) {
			return r
		}
	}
	near := hit.Rect
	near.Y0, near.Y1 = near.Y0-hit.Rect.H(), near.Y1+hit.Rect.H()
	return placeTip(env, w, h, pxX, pxY, near, bounds)
}

// placeTip puts a w × h box beside the mouse: below and right of it, above it where bounds end. Where
// it would hide the thing it lies on that side of it which is nearest to the mouse, below if in doubt;
// over it only where there is no room at any side.
func placeTip(env *Env, w, h, pxX, pxY float32, thing, bounds draw.Rect) draw.Rect {
	gap, aside := env.Px(4), env.Px(tipAside)
	right, below := pxX+env.Px(14), pxY+env.Px(18)
	left, above := pxX-env.Px(6)-w, pxY-env.Px(8)-h
	x, y := max(bounds.X0, min(right, bounds.X1-w)), below
	at := func(x, y float32) draw.Rect {
		x, y = float32(int(x)), float32(int(y))
		return draw.Rect{X0: x, Y0: y, X1: x + float32(int(w+0.5)), Y1: y + h}
	}
	clear := func(r draw.Rect) bool {
		o := r.Intersect(thing)
		inside := r.X0 >= bounds.X0 && r.Y0 >= bounds.Y0 && r.X1 <= bounds.X1 && r.Y1 <= bounds.Y1
		return inside && (thing.Empty() || o.Empty())
	}
	beside := max(bounds.Y0, min(below, bounds.Y1-h)) // at a side of the thing
	under, over := max(below, thing.Y1+gap), min(above, thing.Y0-gap-h)
	behind, before := max(right, thing.X1+gap), min(left, thing.X0-gap-w)
	best, least, found := draw.Rect{}, float32(0), false
	for _, side := range [...]struct {
		r   draw.Rect
		far float32 // from the mouse
	}{
		{at(x, y), 0}, {at(x, under), under - pxY}, {at(x, over), pxY - over - h + aside},
		{at(behind, beside), behind - pxX + aside}, {at(before, beside), pxX - before - w + aside},
		{at(x, above), pxY - above - h + aside},
	} {
		if clear(side.r) && (!found || side.far < least) {
			best, least, found = side.r, side.far, true
		}
	}
	if found {
		return best
	}
	if y+h > bounds.Y1 {
		y = max(bounds.Y0, above)
	}
	return at(x, y)
}

// Text appends to the line under construction; so do the methods below.
func (t *TipLines) Text(s string) *TipLines { t.Buf = append(t.Buf, s...); return t }

// With takes over bytes appended to Buf.
func (t *TipLines) With(buf []byte) *TipLines { t.Buf = buf; return t }

func (t *TipLines) Count(n int64) *TipLines { t.Buf = format.AppendCount(t.Buf, n); return t }

// Mean appends the duration of one of n that took sum all together.
func (t *TipLines) Mean(sum, n int64) *TipLines {
	return t.Duration(int64(math.Round(float64(sum) / float64(n))))
}

func (t *TipLines) Percent(v float64) *TipLines { t.Buf = format.AppendPercent(t.Buf, v); return t }
func (t *TipLines) Rate(ns int64) *TipLines     { t.Buf = format.AppendRate(t.Buf, ns); return t }
func (t *TipLines) Hertz(hz float64) *TipLines  { t.Buf = format.AppendHertz(t.Buf, hz); return t }
func (t *TipLines) Clock(ns int64) *TipLines    { t.Buf = format.AppendClock(t.Buf, ns, 1e3); return t }

// Plural appends "1 frame", "2 frames".
func (t *TipLines) Plural(n int64, one, many string) *TipLines {
	return t.With(format.AppendPlural(t.Buf, n, one, many))
}

// Bytes appends a size.
func (t *TipLines) Bytes(n float64) *TipLines {
	t.Buf = format.AppendBytes(t.Buf, int64(n+0.5))
	return t
}

// PerSecond appends a rate.
func (t *TipLines) PerSecond(v float64) *TipLines {
	t.Buf = format.AppendPerSecond(t.Buf, v)
	return t
}

// tipRow is a drawn row of a tooltip: a line, or a part of one that is too long for the tooltip.
// name is at the left, value at the right; title rows belong to the first line.
type tipRow struct {
	name, value string
	title       bool
}

// tipMost is the number of rows that one line may take: longer ones end in an ellipsis.
const tipMost = 8

// tipRows breaks the lines of a tooltip so that none is too wide, and returns the width of the
// widest; chip is the width of the mark before the title.
func tipRows(env *Env, lines []string, chip, gap, most float32) (rows []tipRow, width float32) {
	a := env.Atlas
	// Names and values stand in two columns: these decide how wide the tooltip is, as far as it can be.
	var nameW, valueW float32
	for i, s := range lines {
		if name, value, ok := strings.Cut(s, "\t"); ok && i > 0 {
			nameW, valueW = max(nameW, a.Measure(draw.Regular, name)), max(valueW, a.Measure(draw.Regular, value))
		}
	}
	if valueW > 0 {
		width = min(nameW+gap+valueW, most)
	}
	for i, s := range lines {
		if i == 0 {
			for _, part := range WrapWords(a, draw.Medium, s, most-chip) {
				rows = append(rows, tipRow{name: part, title: true})
				width = max(width, a.Measure(draw.Medium, part)+chip)
			}
			continue
		}
		name, value, _ := strings.Cut(s, "\t")
		parts := WrapWords(a, draw.Regular, name, most)
		last := parts[len(parts)-1]
		for _, part := range parts {
			rows = append(rows, tipRow{name: part})
			width = max(width, a.Measure(draw.Regular, part))
		}
		if value == "" {
			continue
		}
		if a.Measure(draw.Regular, last)+gap+a.Measure(draw.Regular, value) <= most {
			rows[len(rows)-1].value = value
			continue
		}
		for _, part := range WrapWords(a, draw.Regular, value, most) {
			rows = append(rows, tipRow{value: part})
			width = max(width, a.Measure(draw.Regular, part))
		}
	}
	return rows, min(width, most)
}

// WrapWords breaks a line into pieces that are no wider than width: between words, else after signs
// that part names, else anywhere.
func WrapWords(a *draw.Atlas, f draw.Face, s string, width float32) (parts []string) {
	return appendWrapped(nil, a, f, s, width)
}

// appendWrapped is WrapWords to the end of a list.
func appendWrapped(list []string, a *draw.Atlas, f draw.Face, s string, width float32) []string {
	if a.Measure(f, s) <= width {
		return append(list, s)
	}
	for end := len(list) + tipMost; s != ""; {
		if len(list) == end {
			list[end-1] += "…"
			break
		}
		n := fitting(a, f, s, width)
		list = append(list, strings.TrimRight(s[:n], " "))
		s = strings.TrimLeft(s[n:], " ")
	}
	return list
}

// fitting returns how much of the beginning of a text has room, in bytes; at least one letter.
func fitting(a *draw.Atlas, f draw.Face, s string, width float32) int {
	w, words, signs, numbers := float32(0), 0, 0, 0
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		if w += a.Measure(f, s[i:i+n]); w > width && i > 0 {
			switch {
			case words > 0:
				return words
			case numbers > 0:
				return numbers
			case signs > 0:
				return signs
			}
			return i
		}
		i += n
		switch s[i-1] {
		case ' ':
			if i > 1 && s[i-2] >= '0' && s[i-2] <= '9' { // a number stays with its unit
				numbers = i
			} else {
				words = i
			}
		case '.', ':', '/', '\\', ',', '_', '$', '-', ')', '>', ';', '&', '?', '=':
			signs = i
		}
	}
	return len(s)
}

// ScratchText lets a byte buffer be drawn or measured without a copy. The string is only valid
// until the buffer is written again, so it must never be kept.
func ScratchText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// CachedText is a title that is made anew only when it changed, so that a call in every tick
// allocates nothing. Append to New, and pass the result to Set.
type CachedText struct {
	text string
	buf  []byte
}

// New returns an empty buffer, in memory that the text keeps.
func (t *CachedText) New() []byte { return t.buf[:0] }

// Set returns b as a string.
func (t *CachedText) Set(b []byte) string {
	t.buf = b
	if t.text != string(b) { // the comparison does not allocate
		t.text = string(b)
	}
	return t.text
}

// TipLines collects the lines of a tooltip in one buffer, without allocation in steady state. The
// lines are valid until the next begin.
type TipLines struct {
	Buf   []byte
	Ends  []int
	lines []string
	none  *TipLines // takes what does not hold, see If
	times []tipTime
}

// tipTime is a time at the begin of the right column of a tooltip.
type tipTime struct {
	line, from, to int // to: the end of its text in Buf
	ns             int64
}

// Begin forgets the lines before.
func (t *TipLines) Begin() { t.Buf, t.Ends, t.times = t.Buf[:0], t.Ends[:0], t.times[:0] }

// End finishes the line appended to buf.
func (t *TipLines) End() { t.Ends = append(t.Ends, len(t.Buf)) }

// If returns the lines where something holds, else others, which nobody reads: what is added to the result is
// there only then.
func (t *TipLines) If(holds bool) *TipLines {
	if holds {
		return t
	}
	if t.none == nil {
		t.none = new(TipLines)
	}
	t.none.Begin()
	return t.none
}

// Add adds a constant line.
func (t *TipLines) Add(s string) {
	t.Buf = append(t.Buf, s...)
	t.End()
}

// Duration appends a time.
func (t *TipLines) Duration(ns int64) *TipLines {
	from := len(t.Buf)
	t.Buf = format.AppendDuration(t.Buf, ns)
	if from > 0 && t.Buf[from-1] == '\t' {
		t.times = append(t.times, tipTime{len(t.Ends), from, len(t.Buf), ns})
	}
	return t
}

// shareUnit writes the times of the right column in the unit of the greatest.
func (t *TipLines) shareUnit() {
	greatest := int64(0)
	for _, x := range t.times {
		greatest = max(greatest, x.ns, -x.ns)
	}
	for _, x := range slices.Backward(t.times) {
		var text [32]byte
		as := format.AppendBeside(text[:0], x.ns, greatest)
		t.Buf = slices.Replace(t.Buf, x.from, x.to, as...)
		for i := x.line; i < len(t.Ends); i++ {
			t.Ends[i] += len(as) - (x.to - x.from)
		}
	}
	t.times = t.times[:0]
}

// All returns the lines.
func (t *TipLines) All() []string {
	t.shareUnit()
	t.lines = t.lines[:0]
	from := 0
	for _, to := range t.Ends {
		t.lines = append(t.lines, ScratchText(t.Buf[from:to]))
		from = to
	}
	return t.lines
}
