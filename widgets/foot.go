package widgets

import (
	"framescope/charts/draw"
	"framescope/charts/panel"
)

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
