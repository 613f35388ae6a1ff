package input

import "testing"

// A click that is over before the tick ends is a press in this tick and a release in the next.
func TestAQuickClickIsPressAndRelease(t *testing.T) {
	var m Mouse
	if down, released := m.oneAtATime(0, true, true, true); !down || released {
		t.Errorf("in the tick of the click: down %v, released %v", down, released)
	}
	if down, released := m.oneAtATime(0, false, false, false); down || !released {
		t.Errorf("in the next tick: down %v, released %v", down, released)
	}
	if down, released := m.oneAtATime(0, false, false, false); down || released {
		t.Errorf("after that: down %v, released %v", down, released)
	}
	if down, released := m.oneAtATime(1, true, true, false); !down || released {
		t.Errorf("a press alone: down %v, released %v", down, released)
	}
}
