package widgets

import (
	"image"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/exp/textinput"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"framescope/charts/draw"
	"framescope/charts/panel"
)

// TextField is one line of text that the user can change. The widget library has one, too, but no
// way to give it the focus by a key, and only its own font. It must not be copied once it has had
// the focus.
type TextField struct {
	// Hint is shown while the field is empty.
	Hint string

	text     string
	a, b     int    // the selection, in bytes; a <= b
	preedit  string // what an input method is composing at the cursor, not in text yet
	focus    bool
	composer textinput.Composer
	pxX, pxY int // where an input method may put its window
}

// Text returns what is in the field.
func (t *TextField) Text() string { return t.text }

// SetText replaces it; the cursor goes to the end.
func (t *TextField) SetText(s string) { t.set(s, len(s)) }

// set replaces the text and puts the cursor somewhere.
func (t *TextField) set(s string, cursor int) { t.text, t.a, t.b = s, cursor, cursor }

// Focus gives or takes the keyboard.
func (t *TextField) Focus(on bool) {
	t.focus = on
	if on {
		t.a, t.b = 0, len(t.text)
	} else {
		t.composer.Cancel()
		t.preedit = ""
	}
}

// Focused tells whether the field has the keyboard.
func (t *TextField) Focused() bool { return t.focus }

// compose takes what an input method, or the keyboard without one, has written since the last tick.
// handled tells that it wants the keys of this tick for itself.
func (t *TextField) compose() (handled bool) {
	if t.composer.OnNewSession == nil {
		// The field tells nothing of the text around the cursor, so that what is committed belongs to the
		// cursor wherever that has gone.
		t.composer.OnNewSession = func() *textinput.SessionOptions {
			return &textinput.SessionOptions{CaretBounds: image.Rect(t.pxX, t.pxY, t.pxX+1, t.pxY+1)}
		}
		t.composer.OnComposition = func(c *textinput.Composition) { t.preedit = c.Text() }
		t.composer.OnCommit = func(c *textinput.Commit) { t.insert(c.Text()) }
	}
	handled, err := t.composer.Update()
	return handled || err != nil
}

// insert puts text in the place of the selection. It is one line: control characters are left out.
func (t *TextField) insert(s string) {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if s != "" {
		t.set(t.text[:t.a]+s+t.text[t.b:], t.a+len(s))
	}
}

// Update takes a tick's typing. pxX, pxY is where an input method may put its window. It returns
// true when the text changed.
func (t *TextField) Update(pxX, pxY int) (changed bool) {
	if !t.focus {
		return false
	}
	t.pxX, t.pxY = pxX, pxY
	before := t.text
	if t.compose() {
		return before != t.text
	}
	text, a, b := t.text, t.a, t.b
	ctrl := ebiten.IsKeyPressed(ebiten.KeyControl) || ebiten.IsKeyPressed(ebiten.KeyMeta)
	strikes := func(k ebiten.Key) bool {
		n := inpututil.KeyPressDuration(k)
		return n == 1 || n >= 24 && n%3 == 0
	}
	switch {
	case strikes(ebiten.KeyBackspace):
		if a == b {
			a = runeBefore(text, a)
		}
		t.set(text[:a]+text[b:], a)
	case strikes(ebiten.KeyDelete):
		if a == b {
			b = runeAfter(text, b)
		}
		t.set(text[:a]+text[b:], a)
	case strikes(ebiten.KeyArrowLeft):
		if a == b {
			a = runeBefore(text, a)
		}
		t.set(text, a)
	case strikes(ebiten.KeyArrowRight):
		if a == b {
			b = runeAfter(text, b)
		}
		t.set(text, b)
	case strikes(ebiten.KeyHome):
		t.set(text, 0)
	case strikes(ebiten.KeyEnd):
		t.set(text, len(text))
	case ctrl && strikes(ebiten.KeyA):
		t.a, t.b = 0, len(text)
	}
	return before != t.text
}

func runeBefore(s string, i int) int {
	for i > 0 {
		i--
		if s[i]&0xC0 != 0x80 {
			break
		}
	}
	return i
}

func runeAfter(s string, i int) int {
	for i < len(s) {
		i++
		if i == len(s) || s[i]&0xC0 != 0x80 {
			break
		}
	}
	return i
}

// Draw paints the field with its text, selection and cursor. note stands at the right: the number
// of hits, a key.
func (t *TextField) Draw(l *draw.List, env *panel.Env, r draw.Rect, note string) {
	th := env.Theme
	l.Rect(r, draw.Color(th.Well))
	if t.focus {
		l.Outline(r, env.Px(1), draw.Color(th.Accent))
	}
	inner := r
	inner.X0 += env.Px(8)
	inner.X1 -= env.Px(8)
	if note != "" {
		w := env.Atlas.Measure(draw.Regular, note)
		if w < inner.W()/2 {
			l.TextIn(draw.Regular, inner, draw.Right, note, draw.Color(th.TextDim))
			inner.X1 -= w + env.Px(8)
		}
	}
	text, a, b := t.text, t.a, t.b
	if t.preedit != "" { // in the place of the selection
		text = t.text[:a] + t.preedit + t.text[b:]
		a += len(t.preedit)
		b = a
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
	cursor := env.Atlas.Measure(draw.Regular, text[:b])
	if over := cursor + env.Px(2) - inner.W(); over > 0 {
		x -= over
	}
	if t.focus && a != b {
		l.Rect(draw.Rect{X0: x + env.Atlas.Measure(draw.Regular, text[:a]), Y0: y, X1: x + cursor, Y1: y + lh},
			draw.Color(th.Accent.WithAlpha(110)))
	}
	l.Text(draw.Regular, x, y, text, draw.Color(th.Text))
	if t.focus {
		l.Rect(draw.Rect{X0: x + cursor, Y0: y, X1: x + cursor + env.Px(1), Y1: y + lh}, draw.Color(th.Text))
	}
}
