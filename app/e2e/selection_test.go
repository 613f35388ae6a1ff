package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/charts/panel"
)

// panelOf returns a panel in sight.
func panelOf(o *app.Observed, id string) (app.ObservedPanel, bool) {
	for _, p := range o.Panels {
		if p.ID == id {
			return p, true
		}
	}
	return app.ObservedPanel{}, false
}

// find moves the mouse over a panel until something is under it that is wanted, and leaves it there.
func (v *viewer) find(id string, want func(o *app.Observed) bool) (x, y float64) {
	v.t.Helper()
	o := v.observe()
	p, ok := panelOf(&o, id)
	if !ok {
		v.t.Fatalf("the panel %s is not in sight", id)
	}
	const title, stepX, stepY = 30, 23, 11
	for y := p.Rect.Y0 + title; y < p.Rect.Y1-4; y += stepY {
		for x := p.Rect.X0 + 9; x < p.Rect.X1-6; x += stepX {
			v.move(float64(x), float64(y))
			if o = v.observed(); want(&o) {
				return float64(x), float64(y)
			}
		}
	}
	v.t.Fatalf("nothing like that is in the panel %s", id)
	return 0, 0
}

// oneTruth checks that everything that the viewer says is about the same span, thread, frame and time.
func (v *viewer) oneTruth(way string, span bool) {
	v.t.Helper()
	v.rest()
	o := v.observe()
	bad := func(format string, args ...any) {
		v.t.Helper()
		v.t.Errorf("%s: %s", way, fmt.Sprintf(format, args...))
	}
	if o.Live || o.FrameA < 0 {
		bad("live %v, frame %d", o.Live, o.FrameA)
		return
	}
	if span {
		switch b := &o.Span; {
		case !o.HasSpan:
			bad("no span is selected")
		case b.Ref.Track != o.Track || b.Collector != o.Collector:
			bad("a span of thread %d and collector %d; shown are %d and %d", b.Ref.Track, b.Collector, o.Track, o.Collector)
		case o.Playhead < b.Begin || o.Playhead > b.End:
			bad("the playhead is at %d, the span in [%d, %d]", o.Playhead, b.Begin, b.End)
		case float64(b.Begin) > o.End || float64(b.End) < o.Begin:
			bad("the span is out of view")
		}
	}
	if o.Playhead < o.RangeA || o.Playhead > o.RangeB {
		bad("the playhead is at %d, the selected frame in [%d, %d]", o.Playhead, o.RangeA, o.RangeB)
	}
	number := fmt.Sprint(o.FrameA)
	frame := "frame " + number
	if !strings.HasPrefix(o.Bar, "Frame "+number+" ") {
		bad("the tool bar says %q, frame %s is selected", o.Bar, number)
	}
	duration := strings.Fields(strings.TrimPrefix(o.Bar, "Frame "+number))[0]
	says := map[string]func(p app.ObservedPanel) bool{
		"flame": func(p app.ObservedPanel) bool {
			return strings.HasPrefix(p.Mode, frame+" ") && strings.Contains(p.Mode, duration)
		},
		"piano": func(p app.ObservedPanel) bool {
			return strings.HasPrefix(p.Mode, frame+" ") && strings.Contains(p.Mode, duration)
		},
		"strip":      func(p app.ObservedPanel) bool { return strings.HasSuffix(p.Mode, frame) },
		"collectors": func(p app.ObservedPanel) bool { return p.Mode == "this frame" },
		"statistics": func(p app.ObservedPanel) bool { return p.Mode == "this frame" },
		"details": func(p app.ObservedPanel) bool {
			if o.Name != "" {
				return p.Title == o.Name
			}
			return strings.HasPrefix(p.Title, "Frame "+number)
		},
	}
	check := func() {
		for _, p := range o.Panels {
			if f := says[p.ID]; f != nil && !f(p) {
				bad("%s says %q, %q; selected are frame %s (%s) of %s and %q", p.ID, p.Title, p.Mode, number, duration, o.Thread, o.Name)
			}
		}
	}
	check()
	before := o
	for _, key := range []ebiten.Key{ebiten.KeyDigit3, ebiten.KeyDigit5, ebiten.KeyDigit2, ebiten.KeyDigit4} {
		v.press(key)
		v.ticks(2)
		if o = v.observe(); o.Span.Ref != before.Span.Ref || o.Track != before.Track || o.FrameA != before.FrameA ||
			o.Playhead != before.Playhead || o.Collector != before.Collector {
			bad("another panel came to the front, and something else is selected")
		}
		check()
	}
}

// TestEveryWayOfSelecting selects in every way that there is, and asks every panel what it shows.
func TestEveryWayOfSelecting(t *testing.T) {
	v := startViewer(t, start{w: 1600, h: 1000, scale: 1, files: []string{recording("late")}, observed: true})
	v.rest()
	another := func(kind panel.HitKind) func(o *app.Observed) bool {
		return func(o *app.Observed) bool { return o.Under == kind && o.UnderCollector > 0 }
	}

	// A span in the timeline: of the shown thread, and of another one.
	v.press(ebiten.KeyG)
	v.typeText("103")
	v.press(ebiten.KeyEnter)
	v.ticks(4)
	v.oneTruth("a frame by its number", false)
	v.press(ebiten.KeyF)
	v.ticks(4)
	v.click(v.find("timeline", another(panel.HitSpan)))
	v.oneTruth("a span in the timeline", true)
	first := v.observe()
	v.click(v.find("timeline", func(o *app.Observed) bool {
		return o.Under == panel.HitSpan && o.UnderCollector > 0 && o.UnderTrack != first.Track
	}))
	v.oneTruth("a span of another thread", true)
	if o := v.observe(); o.Track == first.Track {
		t.Error("the thread of the span is not the shown one")
	}

	// Keys: the next occurrence, the next frame, the next spike.
	v.press(ebiten.KeyPeriod)
	v.oneTruth("the next occurrence", true)
	v.press(ebiten.KeyArrowRight)
	v.oneTruth("the next frame", false)
	v.press(ebiten.KeyN)
	v.oneTruth("the next spike", false)

	// Search.
	v.press(ebiten.KeySlash)
	v.typeText("base")
	v.press(ebiten.KeyEnter)
	v.press(ebiten.KeyEscape)
	v.oneTruth("a search", true)

	// Lists: a spike, a thread, the longest call, a collector.
	v.click(v.find("spikes", func(o *app.Observed) bool { return o.Under == panel.HitFrame && o.UnderFrame > 5 }))
	v.oneTruth("a spike of the list", false)
	now := v.observe()
	v.click(v.find("threads", func(o *app.Observed) bool { return o.Under == panel.HitLabel && o.UnderTrack != now.Track }))
	if o := v.observe(); o.Track == now.Track {
		t.Error("a click on a thread does not show it")
	}
	v.click(v.find("collectors", another(panel.HitCollector)))
	v.oneTruth("a collector of the tree", false)

	// The charts of the frame: a bar of the flame graph, a bar of the piano roll, a band of the strip chart.
	v.click(v.find("flame", another(panel.HitNode)))
	v.oneTruth("a bar of the flame graph", false)
	v.press(ebiten.KeyDigit3)
	v.click(v.find("piano", another(panel.HitRun)))
	v.oneTruth("a run of the piano roll", false)
	v.click(v.find("strip", another(panel.HitBand)))
	v.oneTruth("a band of the strip chart", false)

	// The frame strip, and back again.
	v.click(400, 80)
	v.oneTruth("a click on the frame strip", false)
	before := v.observe()
	v.ticks(60)
	v.click(700, 80)
	v.oneTruth("another one", false)
	v.ticks(60)
	v.press(ebiten.KeyArrowLeft, ebiten.KeyAltLeft)
	v.oneTruth("the way back", false)
	if o := v.observe(); o.FrameA != before.FrameA {
		t.Errorf("back is frame %d, want %d", o.FrameA, before.FrameA)
	}
}

// TestSelectingLocksCallsAndMessages does the same where locks, messages and single calls are known.
func TestSelectingLocksCallsAndMessages(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "profilelib", "exhausted.prof")
	v := startViewer(t, start{w: 1600, h: 1000, scale: 1, files: []string{file}, observed: true})
	v.rest()
	v.press(ebiten.KeyDigit0)
	v.press(ebiten.KeyDigit7)
	v.ticks(4)
	v.click(v.find("locks", func(o *app.Observed) bool { return o.Under == panel.HitLock }))
	v.rest()
	o := v.observe()
	if p, _ := panelOf(&o, "details"); o.Name == "" || p.Title != o.Name || p.Mode != "lock" {
		t.Errorf("a lock: %q is selected, details are of %q, %q", o.Name, p.Title, p.Mode)
	}
	v.press(ebiten.KeyDigit9)
	v.ticks(4)
	v.click(v.find("messages", func(o *app.Observed) bool { return o.Under == panel.HitMessage }))
	o = v.observed()
	if o.Playhead != o.UnderTimeNs || o.Live {
		t.Errorf("the playhead is at %d, the message that was clicked at %d", o.Playhead, o.UnderTimeNs)
	}
	v.oneTruth("a message", false)
	v.click(v.find("timeline", func(o *app.Observed) bool { return o.Under == panel.HitSpan && o.UnderCollector > 0 }))
	v.oneTruth("a span beside locks", true)
}

// TestSelectingElements selects an element of a pipeline in the topology: details are about it.
func TestSelectingElements(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "gsttrace", "all-audio-chain.log.gz")
	v := startViewer(t, start{w: 1600, h: 1000, scale: 1, files: []string{file}, observed: true})
	v.rest()
	v.press(ebiten.KeyDigit8)
	v.ticks(10)
	v.click(v.find("topology", func(o *app.Observed) bool {
		return o.Under == panel.HitObject && strings.HasPrefix(o.UnderLines[0], "volume0")
	}))
	name := v.observed().UnderLines[0]
	v.rest()
	o := v.observe()
	if p, _ := panelOf(&o, "details"); o.Object < 0 || p.Title != name {
		t.Errorf("object %d is selected, details are of %q, clicked was %q", o.Object, p.Title, name)
	}
	v.see("element-selected")
}
