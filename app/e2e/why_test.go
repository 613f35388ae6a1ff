package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/charts/panel"
	"framescope/internal/planted"
	"framescope/internal/testkit"
)

// hitches writes a game with hitches of many kinds, and returns the file.
func hitches(t *testing.T) string {
	t.Helper()
	p := testkit.Must(planted.New(planted.Options{Seed: 3, Frames: 700}))(t)
	path := filepath.Join(t.TempDir(), "hitches.pstats")
	f := testkit.Must(os.Create(path))(t)
	defer f.Close()
	testkit.OK(t, p.Write(f))
	return path
}

// TestWhy asks why frames are slow, by mouse and by keyboard: N finds one, the inspector tells the chain
// of its causes, a click on the last link shows that, and the list of spikes and Ctrl+N let N go through
// the frames with one cause.
func TestWhy(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{hitches(t)}})
	v.press(ebiten.KeyN)
	first := v.observe()
	testkit.MustThat(t, first.FrameA >= 0 && first.FrameA == first.FrameB,
		"N selected frames %d to %d", first.FrameA, first.FrameB)
	link := func(o *app.Observed) bool {
		return o.Under == panel.HitCollector && slices.ContainsFunc(o.UnderLines, func(l string) bool { return strings.HasPrefix(l, "click: show it") }) &&
			strings.Contains(o.UnderLines[0], " in ") && !strings.Contains(o.UnderLines[0], "things below")
	}
	x, y, found := v.look("why", link)
	for range 20 { // until one has a link with a span
		if found {
			break
		}
		v.press(ebiten.KeyN)
		x, y, found = v.look("why", link)
	}
	of := v.observe()
	v.rest()
	v.see("why")
	v.click(x, y)
	v.ticks(30)
	if o := v.observe(); o.Collector != of.UnderCollector || o.Track != of.UnderTrack {
		t.Errorf("a click on the link of collector %d of thread %d selected %d of %d", of.UnderCollector, of.UnderTrack, o.Collector, o.Track)
	}
	_, _, ok := v.look("why", link)
	testkit.That(t, ok, "the chain is gone when one of its links is selected")
	v.press(ebiten.KeyEscape)
	v.press(ebiten.KeyEscape)

	// By mouse: a click on a cause, then N and Shift+N.
	x, y = v.find("spikes", func(o *app.Observed) bool { return o.Under == panel.HitCollector })
	v.click(x, y)
	worst := v.observe().FrameA
	seen := map[int64]bool{worst: true}
	for _, shift := range [][]ebiten.Key{nil, {ebiten.KeyShiftLeft}} {
		for range 40 {
			v.press(ebiten.KeyN, shift...)
			seen[v.observe().FrameA] = true
		}
	}
	v.press(ebiten.KeyN, ebiten.KeyControlLeft)
	all := map[int64]bool{}
	v.press(ebiten.KeyHome)
	for range 60 {
		v.press(ebiten.KeyN)
		all[v.observe().FrameA] = true
	}
	testkit.That(t, len(seen) >= 2 && len(seen) < len(all) && all[worst],
		"of %d hitches, N went through %d of one cause", len(all), len(seen))

	// By keyboard: the cause of the selected frame.
	for range 3 { // what the keys were answered
		v.press(ebiten.KeyEscape)
	}
	v.press(ebiten.KeyHome)
	v.press(ebiten.KeyN)
	v.press(ebiten.KeyN, ebiten.KeyControlLeft)
	v.rest()
	v.see("why-one-cause")
}

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
	testkit.MustThat(t, first.HasSpan, "nothing is selected")
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
	testkit.That(t, on.HasSpan && on.Span.Ref != first.Span.Ref && on.Span.Begin >= first.Span.Begin,
		"on from %+v is %+v", first.Span, on.Span)
	v.rest()
	v.see("flows_on")
	back := follow(ebiten.KeyBracketLeft)
	testkit.That(t, back.Span.Ref == first.Span.Ref, "back is %+v, not %+v", back.Span, first.Span)
	v.press(ebiten.KeyZ, ebiten.KeyControlLeft)
	v.ticks(40)
	o := v.observe()
	testkit.That(t, o.Span.Ref == on.Span.Ref, "Ctrl+Z selects %+v, not %+v", o.Span, on.Span)
	v.press(ebiten.KeyJ)
	v.rest()
	v.hush(1)
	v.see("flows_all")
}
