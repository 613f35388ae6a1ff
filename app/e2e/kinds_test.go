package e2e

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"framescope/charts/draw/golden"
	"framescope/charts/panel"
	"framescope/internal/recordings"
	"framescope/internal/testkit"
	"framescope/net/flare/flaretest"
	"framescope/net/pstats/pstatstest"
)

// small is a small recording of another kind, by its path in testdata.
func small(path string) string { return filepath.Join("..", "..", "testdata", path) }

// TestPipeline opens the trace of a GStreamer pipeline and goes through what it has: topology,
// series by group, their distribution, messages, and a range of the overview.
func TestPipeline(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{small("gsttrace/all-audio-chain.log.gz")}})
	v.rest()
	v.see("pipeline")
	first := v.picture()

	// The topology fills the window, and goes back to its place.
	v.move(v.at("topology", 60, 60))
	v.press(ebiten.KeyM, ebiten.KeyControlLeft)
	v.rest()
	v.see("pipeline-topology")
	v.find("topology", over(panel.HitObject)) // what there is to say about an element
	v.ticks(10)
	v.see("pipeline-topology-element")
	v.press(ebiten.KeyEscape)
	v.rest()
	v.same(first, "taking the panel back")

	// Other groups of series, the distribution of their values, and all the way back.
	was := v.group("latency")
	v.see("pipeline-latency")
	v.group("cpu load")
	v.see("pipeline-load")
	v.group(was)
	v.tool("series", "Histogram")
	v.rest()
	v.see("pipeline-histogram")
	v.tool("series", "Histogram")
	v.rest()
	v.same(first, "going back to the first group")

	// A range of the overview: everything is of it.
	v.overStrip(0.48, 0.62)
	v.rest()
	v.see("pipeline-range")
	v.press(ebiten.KeyEscape)
	v.press(ebiten.KeyDigit0)
	v.rest()

	// Messages, those that matter more, and where the chosen one stands.
	v.press(ebiten.KeyDigit9)
	v.rest()
	v.see("pipeline-messages")
	v.click(v.at("messages", 103, 41))
	v.rest()
	v.see("pipeline-messages-debug")
	v.click(v.find("messages", under(panel.HitMessage, "message")))
	v.rest()
	v.ticks(20)
	v.see("pipeline-message")
}

// TestLeaks opens the trace of a program that leaks, unfolds a type and looks at an object's
// history.
func TestLeaks(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{small("gsttrace/leaks-refs.log")}})
	v.rest()
	v.see("leaks")
	v.click(v.at("leaks", 14, 62))
	v.click(v.at("leaks", 60, 84))
	v.rest()
	v.see("leaks-history")
	v.move(v.at("leaks", 100, 100))
	v.press(ebiten.KeyM, ebiten.KeyControlLeft)
	v.rest()
	v.see("leaks-filled")
}

// TestLocks opens a short recording of a game with locks: its lanes and the table of locks.
func TestLocks(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{small("profilelib/exhausted.prof")}})
	v.rest()
	v.see("locks-short")
	v.press(ebiten.KeyDigit7)
	v.rest()
	v.see("locks-short-lanes")
}

// TestLocksAndWaits opens a recording with locks, waits, conditions, signals and log messages: core
// bands and flags in the timeline, the lanes of locks, and the table of them.
func TestLocksAndWaits(t *testing.T) {
	v := startViewer(t, start{w: 1280, h: 720, scale: 1, files: []string{recordings.File(t, recordings.ProfileLib, "locks-waits-logs.prof")}})
	v.rest()
	v.see("locks-opened")
	v.press(ebiten.KeyDigit7)
	v.tab("strip", "Contention")
	v.rest()
	v.see("locks-panels")
	v.click(v.at("contention", 60, 60)) // the lock that was waited for longest
	v.rest()
	v.see("locks-selected")
	v.tab("locks", "Processors")
	v.rest()
	v.see("locks-processors")
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
	v.rest()
	v.see("calls")
	v.press(ebiten.KeyDigit8, ebiten.KeyShiftLeft)
	v.rest()
	v.see("calls-tree")
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
	v.rest()
	v.see("three-kinds")
	pipeline := v.picture()
	v.session(1)
	v.press(ebiten.KeyDigit7)
	v.rest()
	v.ticks(60) // the inspector settles
	v.see("three-kinds-locks")
	locks := v.picture()
	v.session(0)
	v.press(ebiten.KeyDigit5)
	v.rest()
	v.see("three-kinds-frames")
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
