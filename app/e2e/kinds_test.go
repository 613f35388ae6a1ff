//go:build integration

package e2e

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/app"
	"framescope/app/workspace"
	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/internal/planted"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/internal/testkit/flaretest"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
)

// small is a small recording of another kind, by its path in testdata.
func small(path string) string { return filepath.Join("..", "..", "testdata", path) }

// TestPipeline opens the trace of a GStreamer pipeline and goes through what it has: topology,
// series by group, their distribution, messages, and a range of the overview.
func TestPipeline(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{small("gsttrace/all-audio-chain.log.gz")}})
	v.seeAtRest("pipeline")
	first := v.picture()

	// The topology fills the window, and goes back to its place.
	v.move(v.at("topology", 60, 60))
	v.press(ebiten.KeyM, ebiten.KeyControlLeft)
	v.seeAtRest("pipeline-topology")
	v.find("topology", over(panel.HitObject)) // what there is to say about an element
	v.ticks(10)
	v.see("pipeline-topology-element")
	v.press(ebiten.KeyEscape)
	v.rest()
	v.same(first, "taking the panel back")

	// Other groups of series, and all the way back.
	was := v.group("latency")
	v.see("pipeline-latency")
	v.group("cpu load")
	v.see("pipeline-load")
	v.group(was)
	v.rest()
	v.same(first, "going back to the first group")

	// A range of the overview: everything is of it.
	v.overStrip(0.48, 0.62)
	v.seeAtRest("pipeline-range")
	v.press(ebiten.KeyEscape)
	v.press(ebiten.KeyDigit0)
	v.rest()

	// Messages, those that matter more, and where the chosen one stands.
	v.press(ebiten.KeyDigit9)
	v.seeAtRest("pipeline-messages")
	v.tool("messages", "All levels")
	v.choose("debug and above")
	v.seeAtRest("pipeline-messages-debug")
	v.click(v.find("messages", under(panel.HitMessage, "message")))
	v.rest()
	v.ticks(20)
	v.see("pipeline-message")
}

// TestLeaks opens the trace of a program that leaks, unfolds a type and looks at an object's
// history.
func TestLeaks(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{small("gsttrace/leaks-refs.log")}})
	v.seeAtRest("leaks")
	v.click(v.at("leaks", 14, 62))
	v.click(v.at("leaks", 60, 84))
	v.seeAtRest("leaks-history")
	v.move(v.at("leaks", 100, 100))
	v.press(ebiten.KeyM, ebiten.KeyControlLeft)
	v.seeAtRest("leaks-filled")
}

// TestLocks opens a short recording of a game with locks, and its lanes.
func TestLocks(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{small("profilelib/exhausted.prof")}})
	v.seeAtRest("locks-short")
	v.press(ebiten.KeyDigit7)
	v.seeAtRest("locks-short-lanes")
}

// TestLocksAndWaits opens a recording with locks, waits, conditions, signals and log messages: core
// bands and flags in the timeline, and the lanes of locks.
func TestLocksAndWaits(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recordings.File(t, recordings.ProfileLib, "locks-waits-logs.prof")}})
	v.seeAtRest("locks-opened")
	v.press(ebiten.KeyDigit7)
	v.seeAtRest("locks-panels")
	v.click(v.at("locks", 60, 120)) // the name of a lock
	v.seeAtRest("locks-selected")
	v.tab("locks", "Processors")
	v.seeAtRest("locks-processors")
	v.move(v.at("timeline", -200, 80))
	v.press(ebiten.KeyM, ebiten.KeyControlLeft)
	v.press(ebiten.KeyDigit0)
	v.rest()
	v.ticks(30)
	v.see("locks-timeline")
}

// TestCalls opens a folder of stack samples: the flame graph of all of it, the call tree, a range
// of it near by, and the slowest calls.
func TestCalls(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{filepath.Join(flaretest.Captures(t), "recorded-60s")}})
	v.seeAtRest("calls")
	v.press(ebiten.KeyDigit8, ebiten.KeyShiftLeft)
	v.seeAtRest("calls-tree")
	v.overStrip(0.19, 0.27)
	v.press(ebiten.KeyZ)
	v.press(ebiten.KeyDigit2)
	v.rest()
	v.ticks(30)
	v.see("calls-range")
}

// TestThreeKinds opens recordings of three kinds together and goes from one to the other: each
// keeps its tabs.
func TestThreeKinds(t *testing.T) {
	v := startViewer(t, start{w: 1600, h: 900, scale: 1, files: []string{recording("late"), small("profilelib/exhausted.prof"), small("gsttrace/all-audio-chain.log.gz")}})
	v.seeAtRest("three-kinds")
	pipeline := v.picture()
	v.session(1)
	v.press(ebiten.KeyDigit7)
	v.rest()
	v.ticks(60) // the inspector settles
	v.see("three-kinds-locks")
	locks := v.picture()
	v.session(0)
	v.press(ebiten.KeyDigit5)
	v.seeAtRest("three-kinds-frames")
	frames := v.picture()
	v.press(ebiten.KeyDigit4) // both games share a workspace
	v.session(2)
	v.rest()
	v.same(pipeline, "coming back to the pipeline")
	v.session(1)
	v.rest()
	v.same(locks, "coming back to the game with locks")
	v.session(0)
	v.press(ebiten.KeyDigit5)
	v.rest()
	v.same(frames, "coming back to the game of frames")
}

// TestPauseAndResume plays a recorded client into a live viewer: it follows the newest frame, is
// paused while more frames come, is taken back in time, and follows again; then the client goes,
// and the session stays.
func TestPauseAndResume(t *testing.T) {
	if noHost != "" {
		t.Skip(noHost)
	}
	capture := testkit.Must(pstatstest.Open(filepath.Join("..", "..", "testdata", "pstats", "fragmented.pscap")))(t)
	address := freePort(t)
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, listen: address})
	v.rest()

	// The client sends by TCP in pieces of seven bytes; the capture is cut into three parts between
	// which it waits for the test.
	part := make(chan struct{})
	played := make(chan error, 1)
	records := append([]pstatstest.Record(nil), capture.Records...)
	go func() { played <- replay(address, records, part) }()

	part <- struct{}{}
	v.settle("live")

	// Paused: what comes now is received, and does not move the picture.
	v.press(ebiten.KeySpace)
	frozen := v.picture()
	part <- struct{}{}
	v.settle("paused")
	testkit.That(t, golden.Compare(frozen, v.picture(), maxDiff).Pixels != 0,
		"the paused viewer does not say how far it is behind")

	// Back in time, and live again.
	for range 8 {
		v.press(ebiten.KeyArrowLeft)
	}
	v.rest()
	v.settle("stepped-back")
	v.press(ebiten.KeyL)
	v.settle("live-again")

	part <- struct{}{}
	testkit.OK(t, <-played)
	v.settle("ended")
}

// replay sends what the client of a capture sent by TCP, in three parts.
func replay(address string, records []pstatstest.Record, part <-chan struct{}) error {
	var stream []byte
	for _, r := range records {
		if r.Channel == pstatstest.ClientTCP {
			stream = append(stream, r.Data...)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	n := len(stream)
	for _, to := range []int{n / 2, n * 3 / 4, n} {
		<-part
		if _, err := conn.Write(stream[:to-(n-len(stream))]); err != nil {
			return err
		}
		stream = stream[to-(n-len(stream)):]
	}
	return nil
}

// freePort returns an address that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	ln := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer ln.Close()
	return strings.Replace(ln.Addr().String(), "localhost", "127.0.0.1", 1)
}

// settle waits until what the window shows is the picture of that name: what a client sent takes
// its time to arrive. It fails like see when that does not come to be.
func (v *viewer) settle(name string) {
	v.t.Helper()
	path := filepath.Join("testdata", name+".png")
	if testkit.WaitFor(func() bool {
		v.ticks(10)
		shapes, texts := v.layout()
		return golden.SameLayout(path, shapes, texts)
	}) {
		return
	}
	v.ticks(600)
	v.see(name)
}

// TestComparing marks one side by its key and the other by the menu, looks at what differs, and stops.
func TestComparing(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	v.rest()
	v.press(ebiten.KeyHome)
	for range 40 {
		v.press(ebiten.KeyArrowRight, ebiten.KeyShiftLeft)
	}
	v.press(ebiten.KeyA, ebiten.KeyShiftLeft)
	v.press(ebiten.KeyEnd)
	for range 40 {
		v.press(ebiten.KeyArrowLeft, ebiten.KeyShiftLeft)
	}
	v.rest()
	v.rightClick(v.find("frames", over(panel.HitFrame)))
	v.choose("Compare: mark the selection as B")
	v.seeAtRest("compare")
	for _, id := range []string{"diffflame", "differences", "timelines"} {
		testkit.That(t, !v.panel(id).Rect.Empty(), "%s has no room", id)
	}
	v.click(v.find("diffflame", over(panel.HitCollector)))
	v.rest()
	testkit.That(t, v.observe().Collector != model.NoCollector, "a click on a bar selects nothing")
	v.press(ebiten.KeyP, ebiten.KeyControlLeft, ebiten.KeyShiftLeft)
	v.typeText("compare: stop")
	v.press(ebiten.KeyEnter)
	v.press(ebiten.KeyHome)
	v.rest()
}

// TestBothTimelines opens two recordings as A and B: both lie on one ruler. A click in either selects there, and
// what is seen of the window is of that session; the wheel over one zooms both.
func TestBothTimelines(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 900, scale: 1, files: []string{recording("late"), recording("nested")}, compare: true})
	v.rest()
	p := v.panel("timelines")
	for i, name := range []string{"App:Base", "Physics"} { // each is in one of both alone
		x, y := v.find("timelines", func(o *app.Observed) bool {
			return len(o.UnderLines) > 1 && strings.HasSuffix(o.UnderLines[0], name) && strings.Contains(strings.Join(o.UnderLines, " "), "duration")
		})
		testkit.That(t, (float32(y) > (p.Rect.Y0+p.Rect.H()/2)) == (i == 1), "%s is at %v of %v", name, y, p.Rect)
		v.click(x, y)
		v.rest()
		o := v.observe()
		testkit.That(t, o.HasSpan && strings.HasSuffix(name, o.Name) && o.Name != "",
			"a click on %s selects %q", name, o.Name)
		width := o.End - o.Begin
		v.wheel(x, y, 2)
		v.rest()
		o = v.observe()
		testkit.That(t, o.End-o.Begin < width, "the wheel over %s zooms nothing", name)
		v.wheel(x, y, -2)
		v.rest()
		p = v.panel("timelines")
		testkit.MustThat(t, !p.Rect.Empty(), "the timelines are gone")
	}
	v.see("compare_lines")
}

// TestBaseline pins what is selected by its key, looks at a frame that took longer, and takes the baseline
// off by a click on its chip.
func TestBaseline(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recording("late")}})
	v.rest()
	v.press(ebiten.KeyHome)
	for range 40 {
		v.press(ebiten.KeyArrowRight, ebiten.KeyShiftLeft)
	}
	v.press(ebiten.KeyC)
	v.rest()
	v.press(ebiten.KeyN)
	v.seeAtRest("baseline")
	measured := func() bool {
		v.find("flame", over(panel.HitNode))
		lines := strings.Join(v.observe().UnderLines, "\n")
		return strings.Contains(lines, "vs baseline") || strings.Contains(lines, "new: ")
	}
	testkit.That(t, measured(), "a bar says %q", v.observe().UnderLines)
	typical := func() string { o := v.observe(); p, _ := panelOf(&o, "against"); return p.Mode }
	m := typical()
	testkit.That(t, strings.Contains(m, "baseline of "), "what is typical is said to be %q", m)
	chips := slices.DeleteFunc(v.observe().Controls, func(c workspace.Control) bool {
		return !strings.HasPrefix(c.Label, "vs baseline frames ")
	})
	testkit.MustThat(t, len(chips) == 1, "%d chips name the baseline: %v", len(chips), v.observe().Controls)
	v.control(chips[0].Label, chips)
	v.rest()
	testkit.That(t, !measured(), "without a baseline a bar says %q", v.observe().UnderLines)
	m = typical()
	testkit.That(t, m != "" && !strings.Contains(m, "baseline"), "without a baseline what is typical is said to be %q", m)
}

// hitches writes a game with hitches of many kinds, and returns the file.
func hitches(t *testing.T) string {
	t.Helper()
	p := testkit.Must(planted.New(planted.Options{Seed: 5, Game: planted.Jobs, Frames: 700, Kinds: planted.Kinds[:20]}))(t)
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
	v.seeAtRest("why")
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
	v.seeAtRest("why-one-cause")
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
	v.seeAtRest("flows_on")
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
