package app

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

// mouse is the pointer in one tick, in physical pixels of the window.
type mouse struct {
	x, y           float32
	wheelX, wheelY float32
	buttons        [3]panel.Button // left, right, middle
	doubleClick    bool
	back, forward  bool // buttons 4 and 5 went down

	lastPressNs    int64
	pressX, pressY float32
	inside         bool
	later          [3]bool // buttons whose release belongs to the next tick
}

var mouseButtons = [3]ebiten.MouseButton{ebiten.MouseButtonLeft, ebiten.MouseButtonRight, ebiten.MouseButtonMiddle}

// read takes the pointer's state for this tick.
func (m *mouse) read(nowNs int64, scale float32, w, h int) {
	x, y := ebiten.CursorPosition()
	m.x, m.y = float32(x), float32(y)
	m.inside = x >= 0 && y >= 0 && x < w && y < h
	wx, wy := ebiten.Wheel()
	m.wheelX, m.wheelY = float32(wx), float32(wy)
	m.doubleClick = false
	for i, id := range mouseButtons {
		b := &m.buttons[i]
		down := ebiten.IsMouseButtonPressed(id)
		b.Pressed = inpututil.IsMouseButtonJustPressed(id)
		b.Released = inpututil.IsMouseButtonJustReleased(id)
		down, b.Released = m.oneAtATime(i, down, b.Pressed, b.Released)
		if b.Pressed {
			b.DownX, b.DownY, b.Dragging = m.x, m.y, false
			if i == 0 {
				near := abs(m.x-m.pressX) <= dragPx*scale && abs(m.y-m.pressY) <= dragPx*scale
				m.doubleClick = m.lastPressNs != 0 && nowNs-m.lastPressNs <= doubleClickNs && near
				m.lastPressNs, m.pressX, m.pressY = nowNs, m.x, m.y
				if m.doubleClick {
					m.lastPressNs = 0 // a third press begins anew
				}
			}
		}
		b.Down = down
		if down && (abs(m.x-b.DownX) > dragPx*scale || abs(m.y-b.DownY) > dragPx*scale) {
			b.Dragging = true
		}
		if !down && !b.Released {
			b.Dragging = false
		}
	}
	m.back = inpututil.IsMouseButtonJustPressed(ebiten.MouseButton3)
	m.forward = inpututil.IsMouseButtonJustPressed(ebiten.MouseButton4)
}

// oneAtATime moves a release into the next tick when it came in the tick of its press, so that a quick click is seen as one by everybody.
func (m *mouse) oneAtATime(i int, down, pressed, released bool) (bool, bool) {
	if m.later[i] {
		m.later[i] = false
		return false, true
	}
	if pressed && released {
		m.later[i] = true
		return true, false
	}
	return down, released
}

// anyDown tells whether a button is held, or was let go in this very tick.
func (m *mouse) anyDown() bool {
	for _, b := range m.buttons {
		if b.Down || b.Released {
			return true
		}
	}
	return false
}

// anyPressed tells whether a button went down in this tick.
func (m *mouse) anyPressed() bool {
	return m.buttons[0].Pressed || m.buttons[1].Pressed || m.buttons[2].Pressed
}

func abs(v float32) float32 { return max(v, -v) }
