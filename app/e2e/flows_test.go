package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
)

// TestFlows follows flows through the real window: the tooltip counts them, arrows and the inspector tell
// where they lead, keys and a click go there, Ctrl+Z comes back, and J shows those of everything in view.
func TestFlows(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 800, scale: 1, files: []string{filepath.Join("..", "..", "testdata", "chrometrace", "engine-object.json.gz")}})
	v.rest()
	v.ticks(30)
	flowing := func(o *app.Observed) bool {
		return slices.ContainsFunc(o.UnderLines, func(l string) bool { return strings.HasPrefix(l, "flows\t") && strings.Contains(l, "from it") })
	}
	x, y := v.find("timeline", flowing)
	v.click(x, y)
	v.rest()
	v.ticks(30)
	first := v.observe()
	if !first.HasSpan {
		t.Fatal("nothing is selected")
	}
	v.see("flows")
	follow := func(key ebiten.Key) app.Observed {
		t.Helper()
		v.press(key)
		v.ticks(2)
		if o := v.observe(); len(o.Menu) > 0 {
			v.press(ebiten.KeyEnter)
		}
		v.ticks(40)
		return v.observe()
	}
	on := follow(ebiten.KeyBracketRight)
	if !on.HasSpan || on.Span.Ref == first.Span.Ref || on.Span.Begin < first.Span.Begin {
		t.Errorf("on from %+v is %+v", first.Span, on.Span)
	}
	v.rest()
	v.see("flows_on")
	if back := follow(ebiten.KeyBracketLeft); back.Span.Ref != first.Span.Ref {
		t.Errorf("back is %+v, not %+v", back.Span, first.Span)
	}
	v.press(ebiten.KeyZ, ebiten.KeyControlLeft)
	v.ticks(40)
	if o := v.observe(); o.Span.Ref != on.Span.Ref {
		t.Errorf("Ctrl+Z selects %+v, not %+v", o.Span, on.Span)
	}
	v.press(ebiten.KeyJ)
	v.rest()
	v.ticks(300) // what was told is gone
	v.see("flows_all")
}
