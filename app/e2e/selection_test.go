package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/charts/panel"
	"framescope/model"
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

// oneThing checks that a thing is selected, that details are of it, that panels which come to the front
// leave it, that Esc lets go of it and that Back brings it again. name is that of the thing's collector.
func (v *viewer) oneThing(way, want, name, title, mode string) {
	v.t.Helper()
	check := func(when, want, name string) {
		v.t.Helper()
		v.rest()
		o := v.observe()
		p, ok := panelOf(&o, "details")
		if o.Thing != want || o.HasSpan || o.Name != name {
			v.t.Errorf("%s, %s: selected is %q, span %v, collector %q; not %q", way, when, o.Thing, o.HasSpan, o.Name, want)
		}
		if shown := p.Title == title && p.Mode == mode; !ok || shown != (want != "") {
			v.t.Errorf("%s, %s: details are of %q, %q; it is %q, %q", way, when, p.Title, p.Mode, title, mode)
		}
	}
	if want == "" {
		v.t.Errorf("%s: nothing is selected", way)
	}
	check("selected", want, name)
	if thread, ok := threadOf(want); ok && v.observe().Track != thread {
		v.t.Errorf("%s: thread %d is shown, %s is selected", way, v.observe().Track, want)
	}
	for key := ebiten.KeyDigit0; key <= ebiten.KeyDigit9; key++ {
		v.press(key)
		v.ticks(2)
		check("another panel came to the front by "+key.String(), want, name)
	}
	for range 4 { // what panels are not there for is told, and such a notice goes first
		if v.observe().Thing != "" {
			v.press(ebiten.KeyEscape)
		}
	}
	check("Esc", "", "")
	v.press(ebiten.KeyArrowLeft, ebiten.KeyAltLeft)
	check("Back", want, name)
	v.press(ebiten.KeyArrowRight, ebiten.KeyAltLeft)
	check("Forward", "", "")
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

// TestSelectingLocksCallsAndMessages does the same where locks, messages and single calls are known.
func TestSelectingLocksCallsAndMessages(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "profilelib", "exhausted.prof")
	v := startViewer(t, start{w: 1600, h: 1000, scale: 1, files: []string{file}, observed: true})
	v.rest()
	v.press(ebiten.KeyDigit7)
	v.ticks(4)
	v.click(v.find("locks", under(panel.HitLock, "use")))
	o := v.observed()
	v.oneThing("a use of a lock", o.UnderThing, o.Name, o.Name, "lock")

	v.press(ebiten.KeyDigit7)
	v.ticks(4)
	v.click(v.find("locks", under(panel.HitCollector, "lock")))
	o = v.observed()
	v.oneThing("the name of a lock", o.UnderThing, o.Name, o.Name, "lock")

	v.press(ebiten.KeyDigit9)
	v.ticks(4)
	v.click(v.find("messages", under(panel.HitMessage, "message")))
	o = v.observed()
	if o.Playhead != o.UnderTimeNs || o.Live || o.Thing != o.UnderThing {
		t.Errorf("the playhead is at %d, the message that was clicked at %d; selected is %+v", o.Playhead, o.UnderTimeNs, o.Thing)
	}
	v.rest()
	o = v.observe()
	p, _ := panelOf(&o, "details")
	if p.Title != "Message" {
		t.Errorf("a message: details are of %q", p.Title)
	}
	v.oneThing("a message", o.Thing, "", "Message", p.Mode)
	v.oneTruth("a message let go", false)
	v.click(v.find("timeline", under(panel.HitMessage, "message")))
	o = v.observed()
	v.oneThing("a flag in the timeline", o.UnderThing, "", "Message", p.Mode)
	v.click(v.find("timeline", func(o *app.Observed) bool { return o.Under == panel.HitSpan && o.UnderCollector > 0 }))
	v.oneTruth("a span beside locks", true)
}

// TestSelectingElements selects elements of a pipeline and series in every panel that shows them.
func TestSelectingElements(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "gsttrace", "all-audio-chain.log.gz")
	v := startViewer(t, start{w: 1600, h: 1000, scale: 1, files: []string{file}, observed: true})
	v.rest()
	v.press(ebiten.KeyDigit8)
	v.ticks(10)
	v.click(v.find("topology", func(o *app.Observed) bool {
		return o.Under == panel.HitObject && strings.HasPrefix(o.UnderLines[0], "volume0")
	}))
	o := v.observed()
	v.rest()
	v.see("element-selected")
	v.oneThing("an element", o.UnderThing, "", o.UnderLines[0], "element")

	v.press(ebiten.KeyDigit6)
	v.ticks(10)
	v.click(v.find("series", under(panel.HitLabel, "series")))
	o = v.observed()
	v.rest()
	details := func() (title, mode string) {
		seen := v.observe()
		p, _ := panelOf(&seen, "details")
		return p.Title, p.Mode
	}
	title, mode := details()
	if title != o.UnderLines[0] {
		t.Errorf("the series %q: details are of %q", o.UnderLines[0], title)
	}
	v.oneThing("the label of a series", o.UnderThing, "", title, mode)
}
