package widgets

import (
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/exp/textinput"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"framescope/charts"
	"framescope/charts/draw"
)

// TextField is one line of text that the user can change. The widget library has one, too, but no way to give it the focus by a key, and only its own font.
type TextField struct {
	// Hint is shown while the field is empty.
	Hint  string
	field textinput.Field
	focus bool
}

// Text returns what is in the field.
func (t *TextField) Text() string { return t.field.Text() }

// SetText replaces it; the cursor goes to the end.
func (t *TextField) SetText(s string) { t.field.SetTextAndSelection(s, len(s), len(s)) }

// Focus gives or takes the keyboard.
func (t *TextField) Focus(on bool) {
	t.focus = on
	if on {
		t.field.Focus()
		n := len(t.field.Text())
		t.field.SetSelection(0, n)
	} else {
		t.field.Blur()
	}
}

// Focused tells whether the field has the keyboard.
func (t *TextField) Focused() bool { return t.focus }

// Update takes a tick's typing. pxX, pxY is where an input method may put its window. It returns true when the text changed.
func (t *TextField) Update(pxX, pxY int) (changed bool) {
	if !t.focus {
		return false
	}
	before := t.field.Text()
	handled, err := t.field.HandleInput(pxX, pxY)
	if err != nil || handled {
		return before != t.field.Text()
	}
	text := t.field.Text()
	a, b := t.field.Selection()
	a, b = min(a, len(text)), min(b, len(text))
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
		t.field.SetTextAndSelection(text[:a]+text[b:], a, a)
	case strikes(ebiten.KeyDelete):
		if a == b {
			b = runeAfter(text, b)
		}
		t.field.SetTextAndSelection(text[:a]+text[b:], a, a)
	case strikes(ebiten.KeyArrowLeft):
		if a == b {
			a = runeBefore(text, a)
		}
		t.field.SetSelection(a, a)
	case strikes(ebiten.KeyArrowRight):
		if a == b {
			b = runeAfter(text, b)
		}
		t.field.SetSelection(b, b)
	case strikes(ebiten.KeyHome):
		t.field.SetSelection(0, 0)
	case strikes(ebiten.KeyEnd):
		t.field.SetSelection(len(text), len(text))
	case ctrl && strikes(ebiten.KeyA):
		t.field.SetSelection(0, len(text))
	}
	return before != t.field.Text()
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

// Draw paints the field with its text, selection and cursor. note stands at the right: the number of hits, a key.
func (t *TextField) Draw(l *draw.List, env *charts.Env, r draw.Rect, note string) {
	th := env.Theme
	l.Rect(r, col(th.Input))
	if t.focus {
		l.Outline(r, env.Px(1), col(th.Accent))
	}
	inner := r
	inner.X0 += env.Px(8)
	inner.X1 -= env.Px(8)
	if note != "" {
		w := env.Atlas.Measure(draw.Regular, note)
		if w < inner.W()/2 {
			l.TextIn(draw.Regular, inner, draw.Right, note, col(th.TextDim))
			inner.X1 -= w + env.Px(8)
		}
	}
	text := t.field.TextForRendering()
	if text == "" && !t.focus {
		l.TextIn(draw.Regular, inner, draw.Left, t.Hint, col(th.TextDim))
		return
	}
	l.PushClip(inner)
	defer l.PopClip()
	lh := env.Atlas.LineHeight(draw.Regular)
	y := float32(int((r.Y0 + r.Y1 - lh) / 2))
	a, b := t.field.Selection()
	plain := t.field.Text()
	a, b = min(a, len(plain)), min(b, len(plain))
	x := inner.X0
	cursor := env.Atlas.Measure(draw.Regular, plain[:b])
	if over := cursor + env.Px(2) - inner.W(); over > 0 {
		x -= over
	}
	if t.focus && a != b {
		l.Rect(draw.Rect{X0: x + env.Atlas.Measure(draw.Regular, plain[:a]), Y0: y, X1: x + cursor, Y1: y + lh}, col(th.Selection.WithAlpha(110)))
	}
	l.Text(draw.Regular, x, y, text, col(th.Text))
	if t.focus {
		l.Rect(draw.Rect{X0: x + cursor, Y0: y, X1: x + cursor + env.Px(1), Y1: y + lh}, col(th.Text))
	}
}
