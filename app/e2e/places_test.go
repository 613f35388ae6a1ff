package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"framescope/internal/testkit"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/model"
)

// panel returns a panel in sight.
func (v *viewer) panel(id string) app.ObservedPanel {
	v.t.Helper()
	o := v.observe()
	p, ok := panelOf(&o, id)
	testkit.MustThat(v.t, ok, "the panel %s is not visible", id)
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

// panelOf returns a panel in sight.
func panelOf(o *app.Observed, id string) (app.ObservedPanel, bool) {
	for _, p := range o.Panels {
		if p.ID == id {
			return p, true
		}
	}
	return app.ObservedPanel{}, false
}

// find moves the mouse over a panel until something is under it that is wanted, and leaves it
// there.
func (v *viewer) find(id string, want func(o *app.Observed) bool) (x, y float64) {
	v.t.Helper()
	if id == "details" { // what lies below may have scrolled it away
		x, y := middle(v.panel("why").Rect)
		v.move(x, y)
		v.guest.ScrollWheel(0, 30)
		v.ticks(1)
	}
	for range 10 { // what is told of a frame is above it
		o := v.observe()
		if p, shown := panelOf(&o, id); id != "spikes" || shown && p.Rect.H() > 120 {
			break
		}
		x, y := middle(v.panel("why").Rect)
		v.wheel(x, y, -2)
	}
	x, y, ok := v.look(id, want)
	testkit.MustThat(v.t, ok, "nothing like that is in the panel %s", id)
	return x, y
}

// look is find for what need not be there.
func (v *viewer) look(id string, want func(o *app.Observed) bool) (x, y float64, ok bool) {
	v.t.Helper()
	o := v.observe()
	p, ok := panelOf(&o, id)
	testkit.MustThat(v.t, ok, "the panel %s is not visible", id)
	const title = 30
	left := p.Rect.X0
	if slices.Contains([]string{"collectors", "calltree", "threads", "rates", "elements", "packages"}, id) { // names stand behind marks that fold and hide
		left += p.Rect.W() * 0.4
	}
	for step := float32(96); step >= 6; step /= 2 { // what is large is found soon
		for y := p.Rect.Y0 + title + step/4; y < p.Rect.Y1-4; y += step / 2 {
			x := left + step/4
			row := points(float64(x), float64(y), float64(step), 0, int((p.Rect.X1-6-x)/step)+1)
			if x, y, found := v.lookAt(row, want); found {
				return x, y, true
			}
		}
	}
	return 0, 0, false
}

// points returns n points in a line, from one on.
func points(x, y, stepX, stepY float64, n int) (line [][2]float64) {
	for i := range n {
		line = append(line, [2]float64{x + stepX*float64(i), y + stepY*float64(i)})
	}
	return line
}

// lookAt moves the mouse over points, and leaves it at the first where it found what is wanted.
func (v *viewer) lookAt(at [][2]float64, want func(o *app.Observed) bool) (x, y float64, found bool) {
	v.t.Helper()
	v.observed() // what was said before is not about these points
	for _, p := range at {
		v.move(p[0], p[1])
	}
	v.ticks(0)
	for i, text := range v.said() {
		o := decode(v.t, text)
		if !want(&o) {
			continue
		}
		x, y = at[i][0], at[i][1]
		v.move(x, y)
		o = v.observe() // the status line follows the mouse by a tick; what Enter or N go through comes before
		if len(o.UnderLines) > 0 && !strings.Contains(o.Status, o.UnderLines[0]) {
			v.t.Errorf("under the mouse is %q, the status line says %q", o.UnderLines[0], o.Status)
		}
		return x, y, true
	}
	return 0, 0, false
}

// threadOf returns the thread that a thing in words is of, if it is of one.
func threadOf(thing string) (thread model.TrackID, ok bool) {
	var lock model.CollectorID
	if _, err := fmt.Sscanf(thing, "use of lock %d by %d", &lock, &thread); err == nil {
		return thread, true
	}
	if _, err := fmt.Sscanf(thing, "message of %d", &thread); err == nil {
		return thread, true
	}
	return model.NoTrack, false
}

// under returns what the mouse must be over: a kind of hit with a kind of thing.
func under(kind panel.HitKind, thing string) func(o *app.Observed) bool {
	return func(o *app.Observed) bool { return o.Under == kind && strings.HasPrefix(o.UnderThing, thing+" ") }
}

// TestSelectedElement clicks an element of a pipeline: all panels are about it.
func TestSelectedElement(t *testing.T) {
	v := startViewer(t, start{w: 1600, h: 1000, scale: 1, files: []string{small("gsttrace/all-audio-chain.log.gz")}})
	v.rest()
	v.press(ebiten.KeyDigit8)
	v.ticks(10)
	v.click(v.find("topology", func(o *app.Observed) bool {
		return o.Under == panel.HitObject && strings.HasPrefix(o.UnderLines[0], "volume0")
	}))
	v.seeAtRest("element-selected")
}
