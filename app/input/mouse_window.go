//go:build !headless

package input

import (
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

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
