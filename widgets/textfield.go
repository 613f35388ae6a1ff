package widgets

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// TextField is one line of text that the user can change, the same one wherever something is typed.
// The widget library has one, too, but no way to give it the focus by a key, and only its own font.
// It must not be copied once it has had the focus.
type TextField struct {
	// Hint is shown while the field is empty.
	Hint string

	text     string
	anchor   int    // where the selection was begun, in bytes
	cursor   int    // its end, where typed text goes
	preedit  string // text that an input method is composing at the cursor, not in text yet
	focus    bool
	composer composer
	pxX, pxY int // where an input method may put its window
	drawn    fieldPlace
	drags    bool // the mouse selects
	begun    bool // the text of this tick was taken
}

// fieldPlace is where a field was drawn, by which points become places in its text.
type fieldPlace struct {
	atlas *draw.Atlas
	rect  draw.Rect
	textX float32
}

// Stroke is a key that was struck, by its name ("a", "left", "backspace"), with the modifiers held.
type Stroke struct {
	Ctrl, Shift, Alt bool
	Key              string
}

// Clipboard is the target of copies and the source of pastes.
type Clipboard interface {
	Put(text string)
	// Get hands over the text, now or in a later tick.
	Get(to func(text string))
}

// Text returns the text of the field.
func (t *TextField) Text() string { return t.text }

// Selected returns the selected text.
func (t *TextField) Selected() string { a, b := t.selection(); return t.text[a:b] }

// Before returns the text before the cursor.
func (t *TextField) Before() string { return t.text[:t.cursor] }

// Replace puts text in the place of so many bytes before the cursor.
func (t *TextField) Replace(bytes int, s string) {
	from := t.cursor - bytes
	t.set(t.text[:from]+s+t.text[t.cursor:], from+len(s))
}

// SetText replaces the text; the cursor goes to the end.
func (t *TextField) SetText(s string) { t.set(s, len(s)) }

// Offer replaces the text by a selected one: typing replaces it.
func (t *TextField) Offer(s string) { t.text, t.anchor, t.cursor = s, 0, len(s) }

// OfferFile replaces the text by the path of a file, with its name selected up to the ending.
func (t *TextField) OfferFile(path string) {
	t.text, t.anchor = path, len(path)-len(filepath.Base(path))
	t.cursor = max(t.anchor, len(path)-len(filepath.Ext(path)))
}

// set replaces the text and puts the cursor somewhere.
func (t *TextField) set(s string, cursor int) { t.text, t.anchor, t.cursor = s, cursor, cursor }

// selection returns the selected part, in bytes: a <= b.
func (t *TextField) selection() (a, b int) { return min(t.anchor, t.cursor), max(t.anchor, t.cursor) }

// Focus gives or takes the keyboard.
func (t *TextField) Focus(on bool) {
	t.focus, t.begun = on, false
	if on {
		t.anchor, t.cursor = 0, len(t.text)
	} else {
		t.composer.Cancel()
		t.preedit, t.drags = "", false
	}
}

// Focused reports whether the field has the keyboard.
func (t *TextField) Focused() bool { return t.focus }

// Begin inserts the text written in the tick in which a key gave the field the keyboard, after that
// key. An input method would deliver all of that tick, with the sign of the key: it is used from the
// next tick on.
func (t *TextField) Begin(text string) {
	t.insert(text)
	t.begun = true
}

// insert puts text in the place of the selection. It is one line: breaks between lines become blanks, other control
// characters are left out.
func (t *TextField) insert(s string) {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, strings.TrimRight(s, "\r\n"))
	if a, b := t.selection(); s != "" {
		t.set(t.text[:a]+s+t.text[b:], a+len(s))
	}
}

// Type handles a tick's typing: the struck keys, then the written text. pxX, pxY is where an input
// method may put its window. composing means that one has the keys of this tick for itself: Enter
// accepts its offer, and is no answer.
func (t *TextField) Type(pxX, pxY int, keys []Stroke, board Clipboard) (composing bool) {
	if !t.focus {
		return false
	}
	t.pxX, t.pxY = pxX, pxY
	if composing = t.preedit != ""; !composing {
		for _, k := range keys {
			t.strike(k, board)
		}
	}
	if !t.begun {
		t.compose()
	}
	t.begun = false
	return composing || t.preedit != ""
}

// strike handles a key as in every text field: with Ctrl, or Alt as on some systems, it goes by
// words, with Shift it selects.
func (t *TextField) strike(k Stroke, board Clipboard) {
	a, b := t.selection()
	word := k.Ctrl || k.Alt
	switch k.Key {
	case "backspace":
		if a == b {
			a = t.before(b, word)
		}
		t.set(t.text[:a]+t.text[b:], a)
	case "delete":
		if a == b {
			b = t.after(a, word)
		}
		t.set(t.text[:a]+t.text[b:], a)
	case "left":
		if a == b || word || k.Shift {
			a = t.before(t.cursor, word)
		}
		t.goTo(a, k.Shift)
	case "right":
		if a == b || word || k.Shift {
			b = t.after(t.cursor, word)
		}
		t.goTo(b, k.Shift)
	case "home":
		t.goTo(0, k.Shift)
	case "end":
		t.goTo(len(t.text), k.Shift)
	}
	if !k.Ctrl || k.Alt { // AltGr writes letters
		return
	}
	switch k.Key {
	case "a":
		t.anchor, t.cursor = 0, len(t.text)
	case "c", "x":
		if a == b {
			return
		}
		if board.Put(t.text[a:b]); k.Key == "x" {
			t.set(t.text[:a]+t.text[b:], a)
		}
	case "v":
		board.Get(func(text string) {
			if t.focus { // else it lost the focus during the system call
				t.insert(text)
			}
		})
	}
}

// goTo moves the cursor; selects: it extends the selection.
func (t *TextField) goTo(at int, selects bool) {
	if t.cursor = at; !selects {
		t.anchor = at
	}
}

// before returns the place before another: of the letter there, or where the word there begins.
func (t *TextField) before(i int, word bool) int {
	if !word {
		return runeBefore(t.text, i)
	}
	return wordStart(t.text, len(strings.TrimRightFunc(t.text[:i], isOther)))
}

// after returns the place after another: of the letter there, or where the next word ends.
func (t *TextField) after(i int, word bool) int {
	if !word {
		return runeAfter(t.text, i)
	}
	return wordEnd(t.text, len(t.text)-len(strings.TrimLeftFunc(t.text[i:], isOther)))
}

// Point takes a tick's mouse: a press puts the cursor there, a drag selects, with Shift from where the
// cursor was, a double click selects the word. It returns true where the field was pressed in.
func (t *TextField) Point(in *panel.Input) (pressed bool) {
	d := &t.drawn
	if !in.Left.Down || !t.focus {
		t.drags = false
	}
	if d.atlas == nil {
		return false
	}
	pressed = in.Left.Pressed && d.rect.Contains(in.X, in.Y)
	switch {
	case !t.focus || t.preedit != "":
	case pressed && in.DoubleClick:
		at := t.placeAt(in.X)
		t.anchor, t.cursor = wordStart(t.text, at), wordEnd(t.text, at)
	case pressed:
		t.goTo(t.placeAt(in.X), in.Shift)
		t.drags = true
	case t.drags && in.Left.Dragging:
		t.cursor = t.placeAt(in.X)
	}
	return pressed
}

// placeAt returns the place in the text that is nearest to a point of the window.
func (t *TextField) placeAt(pxX float32) int {
	x := float32(0)
	for i := 0; i < len(t.text); {
		next := runeAfter(t.text, i)
		to := t.drawn.atlas.Measure(draw.Regular, t.text[:next])
		if pxX < t.drawn.textX+(x+to)/2 {
			return i
		}
		i, x = next, to
	}
	return len(t.text)
}

// isLetter reports whether a rune is part of a word.
func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func isOther(r rune) bool { return !isLetter(r) }

// wordStart returns where the word that a place is in or behind begins; without one it is the place itself.
func wordStart(s string, i int) int { return len(strings.TrimRightFunc(s[:i], isLetter)) }

// wordEnd returns where the word that a place is in or before ends.
func wordEnd(s string, i int) int { return len(s) - len(strings.TrimLeftFunc(s[i:], isLetter)) }

func runeBefore(s string, i int) int {
	_, size := utf8.DecodeLastRuneInString(s[:i])
	return i - size
}

func runeAfter(s string, i int) int {
	_, size := utf8.DecodeRuneInString(s[i:])
	return i + size
}

// Draw paints the field with its text, selection and cursor. note stands at the right: the number
// of hits, a key.
func (t *TextField) Draw(l *draw.List, env *panel.Env, r draw.Rect, note string) {
	th := env.Theme
	well(env, l, r)
	if t.focus {
		l.Outline(r, env.Px(1), draw.Color(th.Accent))
	}
	inner := r
	inner.X0 += env.Px(8)
	inner.X1 -= env.Px(8)
	t.drawn = fieldPlace{env.Atlas, r, inner.X0}
	if note != "" {
		w := env.Atlas.Measure(draw.Regular, note)
		if w < inner.W()/2 {
			l.TextIn(draw.Regular, inner, draw.Right, note, draw.Color(th.TextDim))
			inner.X1 -= w + env.Px(8)
		}
	}
	text, at := t.text, t.cursor
	a, b := t.selection()
	if t.preedit != "" { // in the place of the selection
		text = t.text[:a] + t.preedit + t.text[b:]
		a += len(t.preedit)
		b, at = a, a
	}
	if text == "" && !t.focus {
		l.TextIn(draw.Regular, inner, draw.Left, t.Hint, draw.Color(th.TextDim))
		return
	}
	l.PushClip(inner)
	defer l.PopClip()
	lh := env.Atlas.LineHeight(draw.Regular)
	y := float32(int((r.Y0 + r.Y1 - lh) / 2))
	x := inner.X0
	measure := func(to int) float32 { return env.Atlas.Measure(draw.Regular, text[:to]) }
	cursor := measure(at)
	if over := cursor + env.Px(2) - inner.W(); over > 0 {
		x -= over
	}
	t.drawn.textX = x
	if t.focus && a != b {
		l.Rect(draw.Rect{X0: x + measure(a), Y0: y, X1: x + measure(b), Y1: y + lh}, draw.Color(th.Accent.WithAlpha(110)))
	}
	l.Text(draw.Regular, x, y, text, draw.Color(th.Text))
	if t.focus {
		l.Rect(draw.Rect{X0: x + cursor, Y0: y, X1: x + cursor + env.Px(1), Y1: y + lh}, draw.Color(th.Text))
	}
}

// Sum adds the visible state of the field.
func (f *TextField) Sum(s *Sum) {
	s.Text(f.text, f.preedit)
	s.Add(uint64(f.anchor))
	s.Add(uint64(f.cursor))
}

// Filter is a text field above lists that filters them.
type Filter struct {
	Field TextField

	Sheet[filterKey]
	rect draw.Rect
}

type filterKey struct {
	rect  draw.Rect
	scale float32
	field Sum
	well  assets.Color
}

// Update implements panel.Panel: a press gives the field the keyboard.
func (f *Filter) Update(env *panel.Env, rect draw.Rect, in *panel.Input) panel.Action {
	f.rect = draw.Rect{X0: rect.X0 + env.Px(8), Y0: rect.Y0 + env.Px(8), X1: rect.X1 - env.Px(8), Y1: rect.Y1 - env.Px(6)}
	if in.Over && in.Left.Pressed && f.rect.Contains(in.X, in.Y) && !f.Field.Focused() {
		f.Field.Focus(true)
	} else {
		f.Field.Point(in)
	}
	key := filterKey{rect: rect, scale: env.Scale, well: env.Theme.Well}
	f.Field.Sum(&key.field)
	key.field.Flag(f.Field.Focused())
	if f.Stale(env, rect, key) {
		f.Field.Hint = "Filter names"
		f.Field.Draw(f.Out, env, f.rect, "")
	}
	return panel.Action{}
}

// Holds reports whether a point is in the field.
func (f *Filter) Holds(x, y float32) bool { return f.rect.Contains(x, y) }

// HitTest implements panel.Panel.
func (f *Filter) HitTest(*panel.Env, float32, float32) panel.Hit { return panel.NoHit() }

// Title implements panel.Panel.
func (f *Filter) Title(*panel.Env) string { return "Filter" }

// Mode implements panel.Panel.
func (f *Filter) Mode(*panel.Env) string { return "" }
