package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
)

// panel returns a panel in sight.
func (v *viewer) panel(id string) app.ObservedPanel {
	v.t.Helper()
	o := v.observe()
	p, ok := panelOf(&o, id)
	if !ok {
		v.t.Fatalf("the panel %s is not in sight", id)
	}
	return p
}

// at returns a point in a panel: as far from its left and its upper edge, or, below 0, from the
// right and the lower one.
func (v *viewer) at(id string, x, y float64) (float64, float64) {
	v.t.Helper()
	r := v.panel(id).Rect
	if x += float64(r.X0); x < float64(r.X0) {
		x += float64(r.W())
	}
	if y += float64(r.Y0); y < float64(r.Y0) {
		y += float64(r.H())
	}
	return x, y
}

// middle returns the middle of a rectangle.
func middle(r draw.Rect) (x, y float64) { return float64(r.X0+r.X1) / 2, float64(r.Y0+r.Y1) / 2 }

// press a control of a title row by its label.
func (v *viewer) control(label string, of []workspace.Control) {
	v.t.Helper()
	for _, c := range of {
		if c.Label == label {
			v.click(middle(c.Rect))
			return
		}
	}
	v.t.Fatalf("there is no %q among %v", label, of)
}

// tab brings a tab to the front by a click; beside is a panel of the same pane that is in front.
func (v *viewer) tab(beside, label string) {
	v.t.Helper()
	v.control(label, v.panel(beside).Tabs)
}

// tool clicks a tool of a panel, in the menu of its title row where it has no room.
func (v *viewer) tool(id, label string) {
	v.t.Helper()
	tools := v.panel(id).Tools
	if slices.ContainsFunc(tools, func(c workspace.Control) bool { return c.Label == label }) {
		v.control(label, tools)
		return
	}
	v.control("…", tools)
	v.choose(label)
}

// title returns a point in the title row of a panel where nothing is clicked.
func (v *viewer) title(id string) (x, y float64) {
	v.t.Helper()
	p := v.panel(id)
	last := p.Tabs[len(p.Tabs)-1].Rect
	return float64(last.X1) + 8*float64(v.scale), float64(last.Y0+last.Y1) / 2
}

// overStrip drags over the strip of all time, from one share of its width to another.
func (v *viewer) overStrip(from, to float64) {
	v.t.Helper()
	r := v.panel("frames").Rect
	y := float64(r.Y0) + float64(r.H())*0.6
	v.drag(float64(r.X0)+float64(r.W())*from, y, float64(r.X0)+float64(r.W())*to, y)
}

// choose clicks a line of the open menu.
func (v *viewer) choose(label string) {
	v.t.Helper()
	o := v.observe()
	for i, line := range o.Menu {
		if line == label {
			for range i + 1 {
				v.press(ebiten.KeyArrowDown)
			}
			v.press(ebiten.KeyEnter)
			return
		}
	}
	v.t.Fatalf("the menu has no %q: %q", label, o.Menu)
}

// group chooses the group of series that is shown, and returns the one before.
func (v *viewer) group(name string) string {
	v.t.Helper()
	p := v.panel("series")
	was := strings.TrimPrefix(p.Title, "Series: ")
	if p.Tools[0].Label == was {
		v.control(was, p.Tools)
	} else {
		v.control("…", p.Tools)
	}
	v.choose(name)
	v.rest()
	return was
}

// session shows a session of the list.
func (v *viewer) session(i int) {
	v.t.Helper()
	v.click(v.at("sessions", 60, 28+18+37*float64(i)))
}

// over is over something of a kind.
func over(kind panel.HitKind) func(o *app.Observed) bool {
	return func(o *app.Observed) bool { return o.Under == kind }
}

// span is over a span of a name.
func span(name string) func(o *app.Observed) bool {
	return func(o *app.Observed) bool {
		return o.Under == panel.HitSpan && len(o.UnderLines) > 0 && (name == "" || o.UnderLines[0] == name)
	}
}

// Every control of a title row has its place in the window, at every size.
func TestControlsAreInTheWindow(t *testing.T) {
	for _, s := range []start{{w: 1280, h: 720, scale: 1}, {w: 1366, h: 768, scale: 2}, {w: 1920, h: 1080, scale: 1.5}} {
		s.files = []string{recording("nested")}
		v := startViewer(t, s)
		o := v.observe()
		for _, p := range o.Panels {
			for _, c := range append(p.Tabs, p.Tools...) {
				if r := c.Rect; r.Empty() || r.X0 < 0 || r.Y0 < 0 || r.X1 > float32(s.w) || r.Y1 > float32(s.h) {
					t.Errorf("%dx%d@%v: %q of %s lies at %v", s.w, s.h, s.scale, c.Label, p.ID, r)
				}
			}
		}
		v.close()
	}
}
