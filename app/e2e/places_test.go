//go:build integration

package e2e

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/app/workspace"
	"framescope/charts/draw"
	"framescope/charts/panel"
	"framescope/internal/testkit"
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
	testkit.MustThat(v.t, ok, "the panel %s, as high as it is, does not show the row to click", id)
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
	if slices.Contains([]string{"collectors", "calltree", "threads", "elements"}, id) { // names stand behind marks that fold and hide
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

// TestFind looks for long calls: by the keys / and Enter, and by a click into the field; Enter goes from hit
// to hit, Shift+Enter back.
func TestFind(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	v.rest()
	hit := func() (o app.Observed) {
		t.Helper()
		if o = v.observe(); !o.HasSpan || o.Span.End-o.Span.Begin <= 4_000_000 {
			t.Fatalf("no call of more than 4 ms is selected: %v, %+v", o.HasSpan, o.Span)
		}
		return o
	}
	through := func() {
		t.Helper()
		v.typeText(">4ms")
		v.ticks(30)
		v.press(ebiten.KeyEnter)
		v.ticks(4)
		first := hit()
		v.press(ebiten.KeyEnter)
		v.ticks(4)
		testkit.That(t, first.Span.Ref != hit().Span.Ref, "Enter stays at %+v", first.Span)
		v.press(ebiten.KeyEnter, ebiten.KeyShiftLeft)
		v.ticks(4)
		back := hit()
		testkit.That(t, back.Span.Ref == first.Span.Ref, "Shift+Enter leads to %+v, not back to %+v", back.Span, first.Span)
		v.press(ebiten.KeyEscape) // the list goes, what is looked for stays
		v.press(ebiten.KeyPeriod)
		v.ticks(4)
		if next := hit(); next.Span.Ref == first.Span.Ref || !strings.HasPrefix(next.Status, "Hit ") {
			t.Errorf("after Esc the next hit is %+v, the status line says %q", next.Span, next.Status)
		}
		for range 4 {
			v.press(ebiten.KeyEscape)
		}
		if o := v.observe(); o.HasSpan || strings.HasPrefix(o.Status, "Hit ") {
			t.Errorf("Esc leaves %+v selected, and the status line says %q", o.Span, o.Status)
		}
		v.press(ebiten.KeyHome)
		v.ticks(4)
	}
	v.press(ebiten.KeySlash)
	v.ticks(2)
	through()
	v.click(690, 18) // the field of the tool bar
	v.ticks(2)
	through()

	// A click elsewhere while the list is open does what it would do else.
	v.press(ebiten.KeySlash)
	v.typeText("a")
	v.tab("flame", "Call tree")
	v.ticks(2)
	v.panel("calltree")
}

// TestKeepAndOut saves what is selected as a session of its own, and a panel as a picture and as text: by key,
// and by the menu of what is under the mouse. The file that is typed is written.
func TestKeepAndOut(t *testing.T) {
	dir := t.TempDir()
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}, home: t.TempDir()})
	v.rest()
	written := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		v.ticks(4)
		v.press(ebiten.KeyA, ebiten.KeyControlLeft)
		v.typeText(path)
		v.press(ebiten.KeyEnter)
		v.written(path)
	}
	v.press(ebiten.KeyHome)
	for range 10 {
		v.press(ebiten.KeyArrowRight, ebiten.KeyShiftLeft)
	}
	v.press(ebiten.KeyS, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	written("keys.pstats")
	v.rightClick(v.find("frames", over(panel.HitFrame)))
	v.ticks(2)
	testkit.MustThat(t, len(v.observe().Menu) != 0, "no menu")
	v.choose("Save only the selection…")
	written("mouse.pstats")
	v.move(v.at("flame", 40, 60))
	v.press(ebiten.KeyE, ebiten.KeyControlLeft)
	written("flame.svg")
}

// TestTypedAtOnce strikes several keys in one tick, as a busy machine tells of them: what follows the
// key that opens a field is written into it.
func TestTypedAtOnce(t *testing.T) {
	v := startViewer(t, start{files: []string{recording("late")}, w: 1280, h: 720, scale: 1})
	defer v.close()
	v.tab("strip", "Calls")
	for range 2 { // the first time that something is written goes another way
		for _, k := range []ebiten.Key{ebiten.KeySlash, ebiten.KeyD, ebiten.KeyU, ebiten.KeyR} {
			v.guest.PressKey(k)
		}
		for _, r := range "/dur" {
			v.guest.TypeRune(r)
		}
		v.ticks(1)
		for _, k := range []ebiten.Key{ebiten.KeySlash, ebiten.KeyD, ebiten.KeyU, ebiten.KeyR} {
			v.guest.ReleaseKey(k)
		}
		v.typeText(">1ms")
		v.ticks(30)
		v.press(ebiten.KeyEnter)
		v.press(ebiten.KeyEscape)
		v.rest()
		got := v.panel("calls").Mode
		testkit.That(t, strings.HasPrefix(got, "found by “dur>1ms”"), "the calls are %q", got)
	}
}

// A port that another program has is told beside the recording that is opened all the same.
func TestTakenPort(t *testing.T) {
	address := freePort(t)
	other := testkit.Must(net.Listen("tcp4", address))(t)
	defer other.Close()
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: address, files: []string{recording("late")}})
	v.seeAtRest("port-taken")
}

// Without a recording the middle of the window says it. The window listens when the port is free:
// by itself, or at once when its button is clicked.
func TestTakenPortAlone(t *testing.T) {
	address := freePort(t)
	other := testkit.Must(net.Listen("tcp4", address))(t)
	defer other.Close()
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: address})
	v.seeAtRest("port-taken-alone")
	other.Close()
	v.click(55, 201) // “Listen again”
	testkit.WaitUntil(t, "somebody who listens", func() bool {
		v.ticks(1)
		conn, err := net.Dial("tcp4", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// A button of the tool bar is pressed once: what is clicked afterwards, elsewhere, does not press it
// again.
func TestButtonsArePressedOnce(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	v.rest()
	open := func() bool {
		return slices.ContainsFunc(v.observe().Panels, func(p app.ObservedPanel) bool { return p.ID == "settings" })
	}
	v.control("⚙", v.observe().Controls)
	testkit.MustThat(t, open(), "the button of the settings opens no dialog")
	v.press(ebiten.KeyEscape)
	testkit.MustThat(t, !open(), "Esc does not close the dialog")
	for _, at := range [][2]float64{{18, 124}, {600, 300}, {640, 708}} {
		v.click(at[0], at[1])
		if open() {
			t.Errorf("a click at %v opens the dialog again", at)
			v.press(ebiten.KeyEscape)
		}
	}
}

// A recording is closed by the cross in its row; after the last one the window says again what to
// do.
func TestClose(t *testing.T) {
	v := startViewer(t, start{w: 1600, h: 900, scale: 1, files: []string{recording("nested"), recording("late")}})
	v.rest()
	v.click(v.at("sessions", 60, 78)) // whichever was there first
	v.rest()
	v.move(v.at("sessions", -14, 40))
	v.ticks(3)
	v.see("two-recordings")
	v.click(v.at("sessions", -14, 40)) // the first
	v.seeAtRest("one-closed")
	v.click(v.at("sessions", -14, 40)) // the other
	v.seeAtRest("all-closed")
}

// TestShots writes pictures of the whole window at the sizes that people have, to be looked at:
// FRAMESCOPE_SHOTS names the folder, FRAMESCOPE_SHOTS_FILE another recording. Nothing is compared.
func TestShots(t *testing.T) {
	dir := os.Getenv("FRAMESCOPE_SHOTS")
	if dir == "" {
		t.Skip("FRAMESCOPE_SHOTS is not set: no pictures wanted")
	}
	file := os.Getenv("FRAMESCOPE_SHOTS_FILE")
	if file == "" {
		file = filepath.Join("..", "..", "testdata", "pstats", "nested.pstats")
	}
	for _, s := range []struct {
		w, h  int
		scale float64
	}{{1280, 720, 1}, {1600, 960, 1}, {1920, 1080, 1.5}, {2560, 1440, 1}, {2560, 1440, 2}} {
		v := startViewer(t, start{w: s.w, h: s.h, scale: s.scale, files: []string{file}})
		testkit.OK(t, writePNG(filepath.Join(dir, fmt.Sprintf("%dx%d@%v.png", s.w, s.h, s.scale)), v.picture()))
		v.close()
	}
}

// TestFoundLengths narrows a search down by a drag over the lengths of what it found, which lie over the
// list of the calls in windows of every usual height, and takes that back by a double click.
func TestFoundLengths(t *testing.T) {
	for _, s := range []start{{w: 1920, h: 1080, scale: 1}, {w: 1280, h: 720, scale: 1}} {
		s.files = []string{recording("late")}
		v := startViewer(t, s)
		mode := func(want string) {
			t.Helper()
			v.rest()
			v.ticks(30)
			got := v.panel("calls").Mode
			testkit.That(t, strings.HasPrefix(got, want), "%dx%d: the calls are %q, not %q", s.w, s.h, got, want)
		}
		v.press(ebiten.KeySlash)
		v.typeText("dur>1ms")
		v.ticks(30)
		v.press(ebiten.KeyEnter)
		v.press(ebiten.KeyEscape) // the list goes, what is looked for stays
		v.tab("strip", "Calls")
		mode("found by “dur>1ms” · 1321 calls")
		if s.h == 720 {
			v.see("found")
		}
		v.find("calls", over(panel.HitNode)) // a call is still listed below
		const y = 28 + 10
		x0, top := v.at("calls", 100, y)
		x1, _ := v.at("calls", 200, y)
		v.drag(x0, top, x1, top)
		mode("found by “dur>=")
		v.doubleClick(x0, top)
		v.rest()
		v.ticks(30)
		got := v.panel("calls").Mode
		testkit.That(t, !strings.Contains(got, "dur"), "%dx%d: a double click leaves %q", s.w, s.h, got)
		v.close()
	}
}
