package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/charts/panel"
)

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
		second := hit()
		if first.Span.Ref == second.Span.Ref {
			t.Errorf("Enter stays at %+v", first.Span)
		}
		v.press(ebiten.KeyEnter, ebiten.KeyShiftLeft)
		v.ticks(4)
		if back := hit(); back.Span.Ref != first.Span.Ref {
			t.Errorf("Shift+Enter leads to %+v, not back to %+v", back.Span, first.Span)
		}
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
	if o := v.observe(); len(o.Menu) == 0 {
		t.Fatal("no menu")
	}
	v.choose("Save only the selection…")
	written("mouse.pstats")
	v.move(v.at("flame", 40, 60))
	v.press(ebiten.KeyE, ebiten.KeyControlLeft)
	written("flame.svg")
}
