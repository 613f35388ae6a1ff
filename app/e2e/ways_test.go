//go:build integration

package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/charts/panel"
	"framescope/charts/registry"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
)

// way is a way of selecting, in a panel or, where in is empty, by keys and fields.
type way struct {
	name, in string
	of       kind
	do       func(to *tour)
}

// kind tells what a way selects; a complaint, or nothing.
type kind func(before, o *app.Observed) string

func aSpan(_, o *app.Observed) string { return must(o.HasSpan && o.Thing == "", "a span") }
func aFrame(_, o *app.Observed) string {
	return must(o.FrameA >= 0 && o.FrameA == o.FrameB && o.Thing == "", "a frame")
}
func someFrames(_, o *app.Observed) string {
	return must(o.FrameA >= 0 && o.FrameB > o.FrameA, "several frames")
}
func aRange(_, o *app.Observed) string { return must(o.RangeB > o.RangeA, "a range") }
func aCollector(_, o *app.Observed) string {
	return must(o.Collector > 0 && o.Thing == "", "a collector")
}
func aThread(before, o *app.Observed) string { return must(o.Track != before.Track, "another thread") }
func anInstant(before, o *app.Observed) string {
	return must(o.Playhead != before.Playhead, "another time")
}
func later(_, o *app.Observed) string { return must(o.Playhead > 0, "a time after the begin") }
func nothingNew(before, o *app.Observed) string {
	return must(core(before) == core(o), "what was before")
}

// aThing returns the kind of things whose words begin so.
func aThing(words string) kind {
	return func(_, o *app.Observed) string {
		return must(strings.HasPrefix(o.Thing, words+" ") && !o.HasSpan, "a "+words)
	}
}

func must(ok bool, want string) string {
	if ok {
		return ""
	}
	return "selected must be " + want
}

// on returns what the mouse must be over: something of one of those kinds that names a collector.
func on(kinds ...panel.HitKind) func(o *app.Observed) bool {
	return func(o *app.Observed) bool {
		for _, k := range kinds {
			if o.Under == k && o.UnderCollector > 0 {
				return true
			}
		}
		return false
	}
}

// click finds something in a panel, clicks it, and demands that it is what is selected then.
func click(id string, want func(o *app.Observed) bool) func(to *tour) {
	return func(to *tour) {
		to.t.Helper()
		to.show(id)
		x, y := to.find(id, want)
		u := to.observed()
		to.click(x, y)
		o := to.observe()
		switch {
		case u.UnderThing != "" && o.Thing != u.UnderThing:
			to.t.Errorf("%q was clicked in %s, selected is %q", u.UnderThing, id, o.Thing)
		case u.Under == panel.HitMessage && o.Playhead != u.UnderTimeNs:
			to.t.Errorf("a message at %d was clicked in %s, the playhead is at %d", u.UnderTimeNs, id, o.Playhead)
		case u.Under == panel.HitSpan && o.Span.Ref != u.UnderSpan.Ref:
			to.t.Errorf("the span %+v was clicked in %s, selected is %+v", u.UnderSpan.Ref, id, o.Span.Ref)
		case u.Under == panel.HitLabel || u.Under == panel.HitFrame || u.UnderCollector <= 0:
		case o.Collector != u.UnderCollector:
			to.t.Errorf("collector %d was clicked in %s, selected is %d", u.UnderCollector, id, o.Collector)
		}
	}
}

// clickCall clicks one of the slowest calls; their first group is unfolded for that.
func clickCall(to *tour) {
	to.t.Helper()
	to.show("calls")
	x, y := to.find("calls", on(panel.HitNode, panel.HitSpan))
	if to.observed().Under == panel.HitNode {
		to.click(x, y)
		if to.move(x, y+20); to.observed().Under == panel.HitNode { // it was unfolded
			to.click(x, y)
		}
	}
	click("calls", on(panel.HitSpan))(to)
}

// key strikes a key.
func key(k ebiten.Key, with ...ebiten.Key) func(to *tour) {
	return func(to *tour) { to.press(k, with...) }
}

// line returns what the mouse must be over: something whose first line contains a text.
func line(text string) func(o *app.Observed) bool {
	return func(o *app.Observed) bool { return len(o.UnderLines) > 0 && strings.Contains(o.UnderLines[0], text) }
}

func search(text string) func(to *tour) {
	return func(to *tour) {
		to.press(ebiten.KeySlash)
		to.typeText(text)
		to.press(ebiten.KeyEnter)
		to.press(ebiten.KeyEscape) // the list
		to.press(ebiten.KeyEscape) // what is looked for
	}
}

func goTo(what string) func(to *tour) {
	return func(to *tour) {
		to.press(ebiten.KeyG)
		to.typeText(what)
		to.press(ebiten.KeyEnter)
		to.ticks(4)
	}
}

// brush drags over a share of a panel's width, with a key held.
func brush(id string, y float32, with ...ebiten.Key) func(to *tour) {
	return func(to *tour) {
		to.t.Helper()
		to.show(id)
		o := to.observe()
		p, _ := panelOf(&o, id)
		at := func(share float32) float64 { return float64(p.Rect.X0 + p.Rect.W()*share) }
		for _, k := range with {
			to.guest.PressKey(k)
		}
		to.drag(at(0.45), float64(p.Rect.Y0+y), at(0.8), float64(p.Rect.Y0+y))
		for _, k := range with {
			to.guest.ReleaseKey(k)
		}
		to.ticks(2)
	}
}

// sequence does several things.
func sequence(steps ...func(to *tour)) func(to *tour) {
	return func(to *tour) {
		to.t.Helper()
		for _, f := range steps {
			f(to)
		}
	}
}

// menu opens the menu of something and chooses an item by the keys.
func menu(id string, want func(o *app.Observed) bool, label string) func(to *tour) {
	return func(to *tour) {
		to.t.Helper()
		to.show(id)
		x, y := to.find(id, want)
		to.rightClick(x, y)
		o := to.observe()
		i := slices.Index(o.Menu, label)
		testkit.That(to.t, i >= 0, "the menu in %s has no item %q: %q", id, label, o.Menu)
		for range i + 1 {
			to.press(ebiten.KeyArrowDown)
		}
		to.press(ebiten.KeyEnter)
	}
}

// framed are the ways where there are frames.
func framed() []way {
	var first app.Observed
	return []way{
		{"a frame by its number", "", aFrame, goTo("103")},
		{"a span", "timeline", aSpan, sequence(key(ebiten.KeyF), click("timeline", on(panel.HitSpan)))},
		{"a span of another thread", "timeline", aThread, func(to *tour) {
			first = to.observe()
			click("timeline", func(o *app.Observed) bool {
				return o.Under == panel.HitSpan && o.UnderCollector > 0 && o.UnderTrack != first.Track
			})(to)
		}},
		{"the next occurrence", "", aSpan, key(ebiten.KeyPeriod)},
		{"the previous occurrence", "", aSpan, key(ebiten.KeyComma)},
		{"the menu of a span of another thread: its next occurrence", "", aSpan, menu("timeline", func(o *app.Observed) bool {
			return o.Under == panel.HitSpan && o.UnderCollector > 0 && o.UnderTrack == first.Track
		}, "Next occurrence")},
		{"the next frame", "", aFrame, key(ebiten.KeyArrowRight)},
		{"a frame more", "", someFrames, key(ebiten.KeyArrowRight, ebiten.KeyShiftLeft)},
		{"the next spike", "", aFrame, key(ebiten.KeyN)},
		{"the previous spike", "", aFrame, key(ebiten.KeyN, ebiten.KeyShiftLeft)},
		{"a search", "", aSpan, search("base")},
		{"one of the slowest calls", "calls", aSpan, clickCall},
		{"a cause of the list of spikes", "spikes", aFrame, click("spikes", on(panel.HitCollector, panel.HitLabel, panel.HitFrame))},
		{"the next spike of this cause", "", aFrame, key(ebiten.KeyN)},
		{"the previous spike of this cause", "", aFrame, key(ebiten.KeyN, ebiten.KeyShiftLeft)},
		{"a row of the threads", "threads", aThread, func(to *tour) {
			now := to.observe()
			click("threads", func(o *app.Observed) bool {
				return o.Under == panel.HitLabel && o.UnderTrack >= 0 && o.UnderTrack != now.Track
			})(to)
		}},
		{"the first frame", "", aFrame, key(ebiten.KeyHome)},
		{"the last frame", "", aFrame, key(ebiten.KeyEnd)},
		{"a row of the collectors", "collectors", aCollector, sequence(goTo("103"), click("collectors", on(panel.HitCollector)))},
		{"a row of what took longer", "against", aCollector, func(to *tour) {
			to.press(ebiten.KeyN)
			to.rest()
			click("against", on(panel.HitCollector))(to)
		}},
		{"a row of the statistics", "statistics", aCollector, click("statistics", on(panel.HitCollector))},
		{"a row of the call tree", "calltree", aCollector, click("calltree", on(panel.HitCollector, panel.HitNode))},
		{"the menu of a row of the collectors", "collectors", aCollector, menu(
			"collectors", on(panel.HitCollector), "Next occurrence", // as of the statistics
		)},
		{"the menu of a row of the statistics", "statistics", aCollector, menu(
			"statistics", on(panel.HitCollector), "Next occurrence", // some have time and no spans
		)},
		{"the longest frame in details", "details", aFrame, sequence(
			click("collectors", on(panel.HitCollector)), click("details", line("go to the longest frame")),
		)},
		{"a bar of the flame graph", "flame", aCollector, sequence(goTo("103"), click("flame", on(panel.HitNode)))},
		{"a run of the piano roll", "piano", aCollector, click("piano", on(panel.HitRun))},
		{"a band of the strip chart", "strip", aCollector, click("strip", on(panel.HitBand))},
		{"a place in the frame strip", "frames", aFrame, func(to *tour) { to.click(400, 80) }},
		{"another place in the frame strip", "frames", aFrame, func(to *tour) {
			to.ticks(30) // else it is a double click
			to.click(700, 80)
		}},
		{"back", "", aFrame, key(ebiten.KeyArrowLeft, ebiten.KeyAltLeft)},
		{"forward", "", aFrame, key(ebiten.KeyArrowRight, ebiten.KeyAltLeft)},
		{"frames brushed in the strip", "frames", someFrames, brush("frames", 40, ebiten.KeyShiftLeft)},
		{"a range brushed in the timeline", "timeline", someFrames, sequence(
			goTo("103"), key(ebiten.KeyDigit0), brush("timeline", 90, ebiten.KeyShiftLeft),
		)},
	}
}

// locked are the ways where locks and messages are known.
func locked() []way {
	return []way{
		{"a use of a lock", "locks", aThing("use"), click("locks", under(panel.HitLock, "use"))},
		{"the name of a lock", "locks", aThing("lock"), click("locks", under(panel.HitCollector, "lock"))},
		{"a message", "messages", aThing("message"), click("messages", under(panel.HitMessage, "message"))},
		{"a flag in the timeline", "timeline", aThing("message"), click("timeline", under(panel.HitMessage, "message"))},
		{"a span beside locks", "timeline", aSpan, click("timeline", on(panel.HitSpan))},
		{"what ran on a processor", "processors", aSpan, click("processors", on(panel.HitSpan))},
		{"one of the slowest calls", "calls", aSpan, clickCall},
	}
}

// pipeline are the ways where elements, links and series are known, and spans that overlap.
func pipeline() []way {
	return []way{
		{"an element", "topology", aThing("element"), click("topology", under(panel.HitObject, "element"))},
		{"a row of the elements", "elements", aThing("element"), click("elements", under(panel.HitObject, "element"))},
		{"a stop of a buffer", "waterfall", aSpan, click("waterfall", on(panel.HitSpan))},
		{"a link", "topology", aThing("element"), click("topology", func(o *app.Observed) bool {
			return o.Under == panel.HitObject && line("→")(o)
		})},
		{"a label of the series", "series", aThing("series"), click("series", under(panel.HitLabel, "series"))},
		{"a sample of a series", "series", anInstant, click("series", under(panel.HitBand, "series"))},
		{"a message", "messages", aThing("message"), click("messages", under(panel.HitMessage, "message"))},
		{"a span of the list of spikes", "spikes", aSpan, click("spikes", on(panel.HitSpan))},
		{"a buffer on its way", "timeline", aSpan, sequence(key(ebiten.KeyDigit0), click("timeline", func(o *app.Observed) bool {
			return o.Under == panel.HitSpan && line("→")(o)
		}))},
		{"a neighbour in details", "details", aSpan, click("details", on(panel.HitSpan))},
		{"the next occurrence", "", aSpan, key(ebiten.KeyPeriod)},
		{"a range brushed in the overview", "frames", aRange, brush("frames", 40)},
	}
}

// sampled are the ways where stacks were sampled.
func sampled() []way {
	return []way{
		{"a run", "timeline", aSpan, click("timeline", on(panel.HitSpan))},
		{"the next run", "", aSpan, key(ebiten.KeyArrowRight)},
		{"the next spike", "", aSpan, key(ebiten.KeyN)},
		{"a row of the threads", "threads", aThread, func(to *tour) {
			now := to.observe()
			click("threads", func(o *app.Observed) bool {
				return o.Under == panel.HitLabel && o.UnderTrack >= 0 && o.UnderTrack != now.Track
			})(to)
		}},
		{"a bar of the flame graph", "flame", aCollector, click("flame", on(panel.HitNode))},
		{"the longest run in details", "details", aSpan, click("details", line("go to the longest"))},
		{"a row of the call tree", "calltree", aCollector, click("calltree", on(panel.HitCollector, panel.HitNode))},
		{"one of the longest runs", "calls", aSpan, clickCall},
		{"a row of the statistics", "statistics", aCollector, click("statistics", on(panel.HitCollector))},
		{"a place in the overview", "frames", anInstant, func(to *tour) { to.click(900, 80) }},
		{"a range brushed in the overview", "frames", aRange, brush("frames", 40)},
	}
}

// leaking are the ways where objects were listed that nobody gave back.
func leaking() []way {
	return []way{
		{"an object that leaked", "leaks", nothingNew, func(to *tour) {
			to.show("leaks")
			for range 2 { // a type unfolds, then one of its objects is chosen
				to.click(to.find("leaks", func(o *app.Observed) bool { return o.Under == panel.HitLabel && len(o.UnderLines) > 1 }))
			}
		}},
	}
}

// rated is of a table of frame times of two programs.
func rated() []way {
	return []way{
		{"a frame during one of the other program", "", aFrame, sequence(key(ebiten.KeyArrowRight), key(ebiten.KeyArrowRight))},
	}
}

// unused are the panels in which nothing is selected that others know of, and why.
var unused = testkit.Words("testdata/reasons.txt", "unused")

// TestEveryWayOfSelecting selects in every way that there is, in sessions of every kind, and asks
// every panel what it shows. A panel that is new is in none of the lists, and fails it.
func TestEveryWayOfSelecting(t *testing.T) {
	all := &tour{asked: map[string]bool{}, stood: map[string]bool{}, used: map[string]bool{}}
	sessions := []struct {
		name, file string
		ways       []way
	}{
		{"frames", recording("late"), framed()},
		{"locks", small("profilelib/exhausted.prof"), locked()},
		{"pipeline", small("gsttrace/all-audio-chain.log.gz"), pipeline()},
		{"samples", flaretest.Find(t, flaretest.Captures(t), "recorded-60s/127*"), sampled()},
		{"leaks", small("gsttrace/leaks-refs.log"), leaking()},
		{"frame times", small("frametimes/byhand-presentmon-v2-two-apps.csv"), rated()},
	}
	ran := 0
	for _, session := range sessions {
		t.Run(session.name, func(t *testing.T) {
			ran++
			to := newTour(t, all, session.file)
			to.t = t
			for i := range session.ways {
				w := &session.ways[i]
				before := to.observe()
				w.do(to)
				to.rest()
				o := to.observe()
				complaint := w.of(&before, &o)
				testkit.That(t, complaint == "", "%s: %s; it is %s", w.name, complaint, core(&o))
				to.truth(w.name, o)
				if o.Thing != "" {
					to.letGo(w.name, o)
				}
				all.used[w.in] = true
			}
		})
	}
	if noHost != "" || t.Failed() || ran < len(sessions) {
		return
	}
	ids := []string{"sessions", "details"} // those that need the program
	for _, d := range registry.All() {
		ids = append(ids, d.ID)
	}
	for _, id := range ids {
		testkit.That(t, all.used[id] || unused[id] != "", "nothing is selected in the panel %s: add a way above, or the reason to testdata/reasons.txt (unused)", id)
		testkit.That(t, all.asked[id] || mute[id] != "", "the panel %s was never asked what is selected: it is no tab in front in any way above, or lacks a line in says "+
			"(truth_test.go); else add the reason to testdata/reasons.txt (mute)", id)
	}
	for _, id := range []string{
		"threads", "collectors", "statistics", "calltree", "calls", "spikes", "messages",
		"elements", "against",
	} {
		testkit.That(t, all.stood[id], "no row of the panel %s ever stood out as selected (panel.Marker)", id)
	}
}
