// Package input reads the mouse and the keyboard, once a tick, for the whole window.
package input

import (
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"framescope/charts/panel"
)

// The gestures' limits, at scale 1.
const (
	dragPx        = 4           // a press that moves less is a click
	doubleClickNs = 400_000_000 // between two presses
)

// Mouse is the pointer in one tick, in physical pixels of the window.
type Mouse struct {
	X, Y           float32
	Inside         bool // the window
	WheelX, WheelY float32
	Buttons        [3]panel.Button // left, right, middle
	DoubleClick    bool
	Back, Forward  bool // buttons 4 and 5 went down
	Used           bool // it moved, its wheel turned, or a button is down

	clock          seenClock
	lastPressNs    int64 // on the clock
	pressX, pressY float32
	edges          [3]edges
	swallowed      bool // the current press has no receiver any more
}

var mouseButtons = [3]ebiten.MouseButton{ebiten.MouseButtonLeft, ebiten.MouseButtonRight, ebiten.MouseButtonMiddle}

// Read takes the pointer's state for this tick.
func (m *Mouse) Read(nowNs int64, scale float32, w, h int) {
	x, y := ebiten.CursorPosition()
	moved := m.X != float32(x) || m.Y != float32(y)
	m.X, m.Y = float32(x), float32(y)
	m.Inside = x >= 0 && y >= 0 && x < w && y < h
	wx, wy := ebiten.Wheel()
	wx, wy = wx/notch, wy/notch
	m.WheelX, m.WheelY = float32(wx), float32(wy)
	m.DoubleClick = false
	m.clock.tick(nowNs)
	for i, id := range mouseButtons {
		b, e := &m.Buttons[i], &m.edges[i]
		pressed, released := inpututil.IsMouseButtonJustPressed(id), inpututil.IsMouseButtonJustReleased(id)
		e.note(ebiten.IsMouseButtonPressed(id), pressed, released)
		var down bool
		down, b.Pressed, b.Released = e.next()
		if b.Pressed {
			b.DownX, b.DownY, b.Dragging = m.X, m.Y, false
			if i == 0 {
				near := abs(m.X-m.pressX) <= dragPx*scale && abs(m.Y-m.pressY) <= dragPx*scale
				m.DoubleClick = m.lastPressNs != 0 && m.clock.ns-m.lastPressNs <= doubleClickNs && near
				m.lastPressNs, m.pressX, m.pressY = m.clock.ns, m.X, m.Y
				if m.DoubleClick {
					m.lastPressNs = 0 // a third press begins anew
				}
			}
		}
		b.Down = down
		if down && (abs(m.X-b.DownX) > dragPx*scale || abs(m.Y-b.DownY) > dragPx*scale) {
			b.Dragging = true
		}
		if !down && !b.Released {
			b.Dragging = false
		}
	}
	if m.swallowed {
		m.Swallow()
	}
	m.Back = inpututil.IsMouseButtonJustPressed(ebiten.MouseButton3)
	m.Forward = inpututil.IsMouseButtonJustPressed(ebiten.MouseButton4)
	m.Used = moved || wx != 0 || wy != 0 || m.AnyDown() || m.Back || m.Forward
}

// Swallow hides the pressed buttons from everybody until all are up: the press only closed something.
func (m *Mouse) Swallow() {
	m.swallowed = m.AnyDown() && !m.AnyReleased()
	m.Buttons, m.DoubleClick, m.lastPressNs = [3]panel.Button{}, false, 0
}

// Leave takes the pointer out of the window for this tick: it is over something that hides the panels
// below.
func (m *Mouse) Leave() {
	m.Inside, m.X, m.Y, m.WheelX, m.WheelY = false, -1, -1, 0, 0
}

// AnyReleased reports whether a button was released in this tick, and none is held.
func (m *Mouse) AnyReleased() bool {
	some := false
	for _, b := range m.Buttons {
		if b.Down {
			return false
		}
		some = some || b.Released
	}
	return some
}

// AnyDown reports whether a button is held, or was released in this very tick.
func (m *Mouse) AnyDown() bool {
	for _, b := range m.Buttons {
		if b.Down || b.Released {
			return true
		}
	}
	return false
}

// AnyPressed reports whether a button went down in this tick.
func (m *Mouse) AnyPressed() bool {
	return m.Buttons[0].Pressed || m.Buttons[1].Pressed || m.Buttons[2].Pressed
}

func abs(v float32) float32 { return max(v, -v) }
