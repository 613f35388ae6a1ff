//go:build !headless

package app

import (
	"fmt"
	"image"

	"github.com/ebitengine/debugui"

	"framescope/charts/draw"
)

// The widget library's measures, in its own pixels.
const (
	widgetTitle   = 24
	widgetPadding = 5
)

// Pressed returns the command of the pressed button; empty: none. The buttons are the widget library's,
// which Pressed runs only after a press, to find the button. It makes a new one each time: the library
// assumes that the mouse still is where it was in its last tick, so an occasional update would press
// the previous button once more. The bar paints the buttons itself.
func (b *Toolbar) Pressed() (command string, err error) {
	if !b.Mouse.AnyPressed() {
		return "", nil
	}
	s := widgetScale(b.Env.Scale)
	// The window's title row and padding lie outside the screen, and so does its resize handle.
	bounds := toWidget(b.rect, s)
	bounds.Min.X -= widgetPadding
	bounds.Min.Y -= widgetTitle + widgetPadding
	bounds.Max.X += widgetTitle + widgetPadding
	var ui debugui.DebugUI
	_, err = ui.Update(func(ctx *debugui.Context) error {
		ctx.SetScale(s)
		ctx.Window("", bounds, func(debugui.ContainerLayout) { b.buttons(ctx, s, &command) })
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("toolbar: %w", err)
	}
	return command, nil
}

// buttons lays one row of cells out: spacers, plain texts, and buttons; it stores the command of a
// pressed one in pressed.
func (b *Toolbar) buttons(ctx *debugui.Context, s int, pressed *string) {
	b.widths, b.cells = b.widths[:0], b.cells[:0]
	x, y, h := 0, 0, 0
	for i := range b.items {
		it := &b.items[i]
		if it.rect.Empty() {
			continue
		}
		dx, dy := b.rect.X0, b.rect.Y0
		r := toWidget(draw.Rect{X0: it.rect.X0 - dx, Y0: it.rect.Y0 - dy, X1: it.rect.X1 - dx, Y1: it.rect.Y1 - dy}, s)
		y, h = r.Min.Y, r.Dy()
		if space := r.Min.X - x; space > widgetSpacing {
			b.widths, b.cells = append(b.widths, space-widgetSpacing), append(b.cells, -1)
		}
		b.widths, b.cells = append(b.widths, r.Dx()), append(b.cells, i)
		x = r.Max.X + widgetSpacing
	}
	ctx.SetGridLayout([]int{-1}, []int{max(1, y-widgetSpacing)})
	ctx.GridCell(nothing)
	ctx.SetGridLayout(b.widths, []int{max(1, h)})
	for _, i := range b.cells {
		if i < 0 || b.items[i].command == "" || !b.items[i].enabled {
			ctx.GridCell(nothing)
			continue
		}
		ctx.IDScope(b.items[i].id, func() {
			ctx.Button("").On(func() { *pressed = b.items[i].command })
		})
	}
}

func nothing(image.Rectangle) {}

func toWidget(r draw.Rect, scale int) image.Rectangle {
	return image.Rect(int(r.X0)/scale, int(r.Y0)/scale, int(r.X1)/scale, int(r.Y1)/scale)
}
