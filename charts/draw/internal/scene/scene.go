// Package scene fills lists with pictures that use every primitive. The tests of all renderers
// share them.
package scene

import "framescope/charts/draw"

// Scene is one picture.
type Scene struct {
	Name   string
	W, H   int     // size at scale 1
	Scale  float64 // of the atlas it wants
	Fill   func(l *draw.List, clip draw.Rect)
	Static bool // only axis-aligned shapes: the same on every renderer, up to rounding of colors
}

// Ground is the color under all scenes.
var Ground = draw.RGB(38, 38, 38)

// All returns the scenes.
func All() []Scene {
	return []Scene{
		{Name: "text", W: 420, H: 170, Scale: 1, Fill: text, Static: true},
		{Name: "text-1.5", W: 630, H: 255, Scale: 1.5, Fill: text, Static: true},
		{Name: "text-2", W: 840, H: 340, Scale: 2, Fill: text, Static: true},
		{Name: "bars", W: 320, H: 150, Scale: 1, Fill: bars, Static: true},
		{Name: "lines", W: 240, H: 160, Scale: 1, Fill: lines},
		{Name: "clip", W: 240, H: 160, Scale: 1, Fill: clips},
	}
}

var (
	ink   = draw.RGB(230, 230, 230)
	ink2  = draw.RGB(155, 155, 155)
	black = draw.RGB(0, 0, 0)
)

func text(l *draw.List, clip draw.Rect) {
	l.Reset(clip)
	a := l.Atlas()
	k := a.Scale()
	y := 4 * k
	for f, s := range [draw.NumFaces]string{
		draw.Regular: "App:Show code  Handgloves, fjord 0123456789 (ms)",
		draw.Medium:  "Timeline · Strip chart: Frame › Cull ▾ → ←",
		draw.Mono:    "16.667 ms  1 204  #12407  +2.3 ms  0123456789",
		draw.Small:   "frames 12 405 – 12 409 · 30 Hz  µs  52.9 fps",
	} {
		l.Text(draw.Face(f), 6*k, y, s, ink)
		y += a.LineHeight(draw.Face(f)) + 3*k
	}
	l.Text(draw.Regular, 6*k, y, "Привет, Ελλάδα, 日本語の文字, 汉字, 한글, a\x00b\x80c\u202e", ink2)
	y += 19 * k
	l.Text(draw.Regular, 6*k, y, "▾ ▸ ▴ ◂ ✓ ✕ ☐ ☑ ⏸ ⏵ ⌕ ⚙ ☰ ● ■ × ↑ ↓  range of 9 frames · all threads ▾", ink)
	y += 19 * k
	box := func(x0, x1 float32) draw.Rect { return draw.Rect{X0: x0 * k, Y0: y, X1: x1 * k, Y1: y + 19*k} }
	label := func(f draw.Face, al draw.Align, x0, x1 float32, s string, c draw.Color) {
		l.Rect(box(x0, x1), c)
		l.TextIn(f, box(x0+4, x1-4), al, s, black)
	}
	label(draw.Regular, draw.Left, 6, 120, "Cull 2.69 ms", draw.RGB(194, 121, 164))
	label(draw.Regular, draw.Left, 121, 190, "Primitive assembly", draw.RGB(194, 136, 72))
	label(draw.Mono, draw.Right, 191, 260, "4.21", draw.RGB(98, 146, 214))
	label(draw.Small, draw.Center, 261, 330, "Idle", draw.RGB(110, 170, 110))
	label(draw.Regular, draw.Left, 331, 352, "no room for this", draw.RGB(150, 130, 200))
	label(draw.Regular, draw.Left, 353, 414, "日本語の文字列", draw.RGB(150, 150, 70))
}

func bars(l *draw.List, clip draw.Rect) {
	l.Reset(clip)
	for i := range 60 { // frame bars with fractional edges
		h := 20 + float32(i*37%23)
		c := draw.RGB(88, 132, 188)
		if i%17 == 16 {
			c, h = draw.RGB(245, 184, 76), h+14
		}
		l.Rect(draw.Rect{X0: 4 + float32(i)*5.2, Y0: 64 - h, X1: 4 + float32(i)*5.2 + 4.2, Y1: 64}, c)
	}
	l.DashedH(4, 316, 30, 1, 4, 3, draw.Color{R: 255, G: 255, B: 255, A: 110})
	l.Rect(draw.Rect{X0: 100, Y0: 2, X1: 130, Y1: 66}, draw.Color{R: 176, G: 136, B: 255, A: 70})
	l.Outline(draw.Rect{X0: 100, Y0: 2, X1: 130, Y1: 66}, 1, draw.RGB(176, 136, 255))
	l.VLine(115, 2, 66, 2, draw.RGB(255, 255, 255))
	hatch := draw.Color{R: 255, G: 255, B: 255, A: 46}
	l.Hatch(draw.Rect{X0: 180, Y0: 4, X1: 220, Y1: 64}, hatch)
	l.Hatch(draw.Rect{X0: 4, Y0: 72, X1: 180.4, Y1: 110}, hatch)
	l.TextPlate(draw.Small, draw.Rect{X0: 4, Y0: 72, X1: 180, Y1: 110}, draw.Center, "8 frames missing", ink2, Ground)
	l.Gradient(draw.Rect{X0: 190, Y0: 72, X1: 250, Y1: 110}, draw.RGB(98, 146, 214), draw.Color{R: 98, G: 146, B: 214,
		A: 0})
	l.Gradient(draw.Rect{X0: 256, Y0: 72, X1: 316, Y1: 110}, draw.RGB(240, 98, 98), draw.RGB(80, 200, 120))
	l.DashedV(10, 114, 146, 1, 2, 2, ink)
	for i := range 8 { // one opaque and one transparent of each
		x := 20 + float32(i)*30
		l.Rect(draw.Rect{X0: x, Y0: 116, X1: x + 24, Y1: 146}, draw.Color{R: uint8(i * 36), G: 200, B: 90, A: 255})
		l.Rect(draw.Rect{X0: x + 6, Y0: 122, X1: x + 28, Y1: 140}, draw.Color{R: 255, G: uint8(i * 36), B: 90,
			A: uint8(30 + i*30)})
	}
}

func lines(l *draw.List, clip draw.Rect) {
	l.Reset(clip)
	y := float32(30)
	for i := range 58 { // a sparkline
		next := 30 + float32(i*i*7%19) - 9
		l.Line(4+float32(i)*4, y, 8+float32(i)*4, next, 1.25, draw.RGB(80, 200, 120))
		y = next
	}
	for i := range 9 {
		l.Line(10, 60, 110, 60+float32(i)*11, 0.5+float32(i)*0.4, draw.RGB(108, 182, 255))
	}
	l.Line(120, 60, 230, 60, 1, ink)
	l.Line(120, 60, 120, 150, 3, ink)
	l.Triangle(130, 140, 180, 70, 225, 150, draw.RGB(194, 136, 72))
	l.Triangle(130, 75, 150, 75, 140, 92, draw.RGB(155, 155, 155))
	l.Triangle(225, 150, 180, 70, 228, 66, draw.Color{R: 176, G: 136, B: 255, A: 128})
}

func clips(l *draw.List, clip draw.Rect) {
	l.Reset(clip)
	l.PushClip(draw.Rect{X0: 20.3, Y0: 15.2, X1: 220, Y1: 145})
	l.Rect(draw.Rect{X0: -1e9, Y0: -1e9, X1: 1e9, Y1: 1e9}, draw.RGB(24, 24, 30))
	l.Hatch(draw.Rect{X0: 0, Y0: 100, X1: 500, Y1: 500}, draw.Color{R: 255, G: 255, B: 255, A: 70})
	l.Text(draw.Regular, 4, 10, "cut at the left and the top edge of the clip, and at the right one", ink)
	l.Triangle(0, 160, 120, 20, 240, 170, draw.Color{R: 194, G: 121, B: 164, A: 200})
	l.Line(-50, 90, 300, 40, 3, draw.RGB(108, 182, 255))
	l.Gradient(draw.Rect{X0: 180, Y0: 0, X1: 400, Y1: 160}, draw.RGB(255, 0, 0), draw.RGB(0, 0, 255))
	l.PushClip(draw.Rect{X0: 60, Y0: 60, X1: 120, Y1: 75.5})
	l.Rect(draw.Rect{X0: 0, Y0: 0, X1: 500, Y1: 500}, draw.RGB(110, 170, 110))
	l.Text(draw.Mono, 50, 61, "日本語 nested", black)
	l.PopClip()
	l.PopClip()
	l.Outline(draw.Rect{X0: 20, Y0: 15, X1: 220, Y1: 145}, 1, draw.RGB(245, 184, 76))
}
