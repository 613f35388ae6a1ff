package e2e

import (
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

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
		if got := v.panel("calls").Mode; !strings.HasPrefix(got, "found by “dur>1ms”") {
			t.Errorf("the calls are %q", got)
		}
	}
}
