// Shared painting of the panels around the charts: a list that is filled again only when its
// content changed, numbers that change slowly enough to be read, words, and pairs of names and
// values. It knows the contract of panels.

package widgets

import (
	"framescope/assets"
	"framescope/charts/draw"
	"framescope/charts/format"
	"framescope/charts/panel"
)

// Sheet is the list of a panel with its inputs, so that it is drawn again only when these changed.
type Sheet[K comparable] struct {
	Out  *draw.List // the painted list
	key  K
	done bool
}

// Stale reports whether the panel must be drawn again for key, and empties the list if so.
func (s *Sheet[K]) Stale(env *panel.Env, rect draw.Rect, key K) bool {
	if panel.ListFor(&s.Out, env) {
		s.done = false
	}
	if s.done && s.key == key {
		return false
	}
	s.key, s.done = key, true
	s.Out.Reset(rect)
	return true
}

// Redraw lets the panel be drawn again whatever its key is.
func (s *Sheet[K]) Redraw() { s.done = false }

// List returns the panel's picture.
func (s *Sheet[K]) List() *draw.List { return s.Out }

// Slowly limits values that change all the time to four updates a second, so that they can be read.
// Others stay as they are.
type Slowly struct {
	shown uint64
	atNs  int64
}

// Now shows a value at once.
func (s *Slowly) Now(env *panel.Env, v uint64) uint64 {
	s.shown, s.atNs = v, env.NowNs
	return v
}

// Of returns the value to be shown, given the one that would be right.
func (s *Slowly) Of(env *panel.Env, now uint64) uint64 {
	if now != s.shown && (s.atNs == 0 || !panel.Stands(env, s.atNs)) {
		s.shown, s.atNs = now, env.NowNs
	}
	return s.shown
}

// Words draws lines of text in the middle of a panel, the first brighter: the text of an empty
// panel.
func Words(l *draw.List, env *panel.Env, r draw.Rect, lines ...string) {
	h := env.Atlas.LineHeight(draw.Regular) + env.Px(3)
	y := (r.Y0 + r.Y1 - h*float32(len(lines))) / 2
	y = max(y, r.Y0+env.Px(6))
	for i, s := range lines {
		c := draw.Color(format.Pick(i > 0, env.Theme.TextDim, env.Theme.Text2))
		l.TextIn(draw.Regular, draw.Rect{X0: r.X0 + env.Px(10), Y0: y, X1: r.X1 - env.Px(10), Y1: y + h}, draw.Center, s, c)
		y += h
	}
}

// Pair draws a name at the left and its value at the right of a row, the value below the name where
// there is no room for both. It returns the height. The name is drawn with the others of the list.
func Pair(l *draw.List, env *panel.Env, list *draw.Names, r draw.Rect, name, value string, c assets.Color) float32 {
	h := r.H()
	if w := env.Atlas.Measure(draw.Regular, value) + env.Px(6); panel.RoomBeside(env, draw.Regular, name, r.W(), w) {
		l.TextFit(draw.Regular, r, draw.Right, value, draw.Color(c))
		r.X1 -= w
	} else {
		below := draw.Rect{X0: r.X0, Y0: r.Y1 - env.Px(2), X1: r.X1, Y1: r.Y1 + r.H() - env.Px(4)}
		if !l.TextFit(draw.Regular, below, draw.Right, value, draw.Color(c)) {
			l.NameIn(draw.Small, below, draw.Right, value, draw.Color(c))
		}
		h = below.Y1 - r.Y0
	}
	list.Add(0, draw.Regular, r, draw.Left, name, draw.Color(env.Theme.Text2))
	return h
}

// Check draws the mark of an enabled item around a point.
func Check(l *draw.List, env *panel.Env, x, y float32) {
	s, c := env.Px(3), draw.Color(env.Theme.Accent)
	l.Line(x-s, y, x-s/3, y+s, env.Px(1.5), c)
	l.Line(x-s/3, y+s, x+s*1.3, y-s, env.Px(1.5), c)
}

// Scroll is the vertical position of a panel with content higher than itself.
type Scroll struct {
	Px    float32 // by which the content is moved up
	grab  float32 // where in the thumb the mouse holds it
	Taken bool    // the bar has the mouse
	// Reveal makes the panel scroll to the chosen row.
	Reveal bool
}

// Update handles the wheel and the bar. content is the height of everything.
func (s *Scroll) Update(env *panel.Env, r draw.Rect, in *panel.Input, content float32) {
	if in.Over && in.WheelY != 0 {
		s.Px -= in.WheelY * env.Px(48)
	}
	thumb := s.thumb(env, r, content)
	switch {
	case s.Taken && in.Left.Down:
		if room := r.H() - thumb.H(); room > 0 {
			s.Px = (in.Y - s.grab - r.Y0) / room * (content - r.H())
		}
	case in.Over && in.Left.Pressed && !thumb.Empty() && in.X >= thumb.X0-env.Px(4) && in.Y >= thumb.Y0 && in.Y < thumb.Y1:
		s.Taken, s.grab = true, in.Y-thumb.Y0
	default:
		s.Taken = false
	}
	s.Px = max(0, min(s.Px, content-r.H()))
	s.Px = float32(int(s.Px))
}

func (s *Scroll) thumb(env *panel.Env, r draw.Rect, content float32) draw.Rect {
	if content <= r.H() || r.H() <= 0 {
		return draw.Rect{}
	}
	h := max(env.Px(20), r.H()*r.H()/content)
	y := r.Y0 + (r.H()-h)*s.Px/(content-r.H())
	return draw.Rect{X0: r.X1 - env.Px(5), Y0: y, X1: r.X1 - env.Px(1), Y1: y + h}
}

// Draw draws the bar, if there is more than has room.
func (s *Scroll) Draw(l *draw.List, env *panel.Env, r draw.Rect, content float32) {
	if t := s.thumb(env, r, content); !t.Empty() {
		l.Rect(t, draw.Color(env.Theme.ButtonHover))
	}
}

// button is an action within a panel: a raised box with a verb.
type button struct {
	rect draw.Rect // where it was drawn last; empty: it is not there
	hot  bool      // the mouse is over it
	main bool      // it is the primary one of its panel, in the accent
}

// update takes the mouse and returns whether the button was clicked. It goes by where the button
// was drawn last.
func (b *button) update(in *panel.Input) (clicked bool) {
	b.hot = in.Over && b.rect.Contains(in.X, in.Y)
	return b.hot && in.Left.Released && !in.Left.Dragging && b.rect.Contains(in.Left.DownX, in.Left.DownY)
}

// draw paints the button with its left upper corner at a place.
func (b *button) draw(env *panel.Env, l *draw.List, x, y float32, label string) {
	b.rect = draw.Rect{X0: x, Y0: y, X1: x + b.width(env, label), Y1: y + env.Px(buttonHeight)}
	fill, text := env.Theme.Button, env.Theme.Text
	switch {
	case b.main:
		fill, text = env.Theme.Accent, env.Theme.Panel
	case b.hot:
		fill = env.Theme.ButtonHover
	}
	l.Rect(b.rect, draw.Color(fill))
	if b.hot && b.main {
		l.Outline(b.rect, env.Px(1), draw.Color(env.Theme.Text))
	}
	l.TextIn(draw.Regular, b.rect, draw.Center, label, draw.Color(text))
}

// width is that of a button with a label.
func (b *button) width(env *panel.Env, label string) float32 {
	return float32(int(env.Atlas.Measure(draw.Regular, label) + env.Px(20)))
}

// buttonHeight is that of a button at scale 1.
const buttonHeight = 22

// footHeight is the height of the row of buttons at the end of a dialog, at scale 1.
const footHeight = 40

// footButton is a button of a dialog. Key is the key that does the same, empty: none has.
type footButton struct {
	Label, Key string
	Off        bool // it can't be pressed now
}

// foot is the row of buttons at the end of a dialog. The first is the primary one, which Enter presses: it
// lies at the right, in the accent. The second leaves the dialog, as Esc does, and lies beside it. The
// others lie at the left, as far as they have room.
type foot struct {
	buttons []footButton
	rects   []draw.Rect // empty: no room
	hover   int         // button under the mouse, -1 none
}

// update places the buttons in a row and returns the clicked one, -1 if none was.
func (f *foot) update(env *panel.Env, row draw.Rect, in *panel.Input, buttons ...footButton) (clicked int) {
	f.buttons = append(f.buttons[:0], buttons...)
	f.rects = f.rects[:0]
	left, right := row.X0+env.Px(9), row.X1-env.Px(9)
	top := panel.Snap((row.Y0 + row.Y1 - env.Px(24)) / 2)
	for i := range f.buttons {
		r := draw.Rect{Y0: top, Y1: top + env.Px(24)}
		switch w := f.buttons[i].width(env); {
		case i < 2:
			r.X0, r.X1 = right-w, right
			right = r.X0 - env.Px(6)
		case left+w <= right:
			r.X0, r.X1 = left, left+w
			left = r.X1 + env.Px(6)
		default:
			r = draw.Rect{}
		}
		f.rects = append(f.rects, r)
	}
	clicked, f.hover = -1, -1
	for i, r := range f.rects {
		if !in.Over || f.buttons[i].Off || !r.Contains(in.X, in.Y) {
			continue
		}
		if f.hover = i; in.Left.Released && r.Contains(in.Left.DownX, in.Left.DownY) {
			clicked = i
		}
	}
	return clicked
}

// draw paints the buttons where update placed them, below a line.
func (f *foot) draw(l *draw.List, env *panel.Env, row draw.Rect) {
	t := env.Theme
	l.HLine(row.X0, row.X1, row.Y0, 1, draw.Color(t.Separator))
	for i, r := range f.rects {
		if r.Empty() {
			continue
		}
		b := &f.buttons[i]
		fill, text, key := t.Button, t.Text, t.Text2
		switch {
		case b.Off:
			fill, text, key = t.Panel, t.TextDim, t.TextDim
		case i == 0:
			fill, text, key = t.Accent, t.Panel, t.Panel
		case i == f.hover:
			fill, key = t.ButtonHover, t.Text
		}
		l.Rect(r, draw.Color(fill))
		if i == 0 && i == f.hover {
			l.Outline(r.Inset(env.Px(1)), env.Px(1), draw.Color(t.Panel))
		}
		r.X0, r.X1 = r.X0+env.Px(12), r.X1-env.Px(12)
		if b.Key == "" {
			l.TextIn(draw.Regular, r, draw.Center, b.Label, draw.Color(text))
			continue
		}
		l.TextIn(draw.Regular, r, draw.Left, b.Label, draw.Color(text))
		l.TextIn(draw.Small, r, draw.Right, b.Key, draw.Color(key))
	}
}

// width is that of the button, in whole pixels.
func (b *footButton) width(env *panel.Env) float32 {
	w := env.Atlas.Measure(draw.Regular, b.Label) + env.Px(24)
	if b.Key != "" {
		w += env.Atlas.Measure(draw.Small, b.Key) + env.Px(8)
	}
	return panel.Snap(max(env.Px(64), w) + 0.5)
}

// Sum is a hash of all values added to it, in order: things with the same sum look the same. The
// zero value is the sum of nothing.
type Sum uint64

// Add adds a number.
func (s *Sum) Add(v uint64) {
	h := (uint64(*s) ^ v) * 1099511628211
	*s = Sum(h ^ h>>29)
}

// Flag adds a choice.
func (s *Sum) Flag(on bool) {
	v := uint64(0)
	if on {
		v = 1
	}
	s.Add(v)
}

// Text adds texts.
func (s *Sum) Text(texts ...string) {
	for _, text := range texts {
		for i := range len(text) {
			s.Add(uint64(text[i]))
		}
		s.Add(1 << 8) // their end
	}
}
