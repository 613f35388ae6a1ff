//go:build !headless

package app

import (
	"runtime"
	"testing"

	"framescope/internal/testkit"
)

// What a tick may take in which nothing happens, in bytes: nearly all of it is words of
// the tool bar.
const idleBytes = 512

// A tick in which nothing happens costs next to nothing.
func TestIdleTick(t *testing.T) {
	testkit.OneGoroutine(t)
	g := openedGame(t, "nested.pstats")
	tick := func() { testkit.NoErr(t, g.Update()) }
	for range 50 {
		tick()
	}
	var before, after runtime.MemStats
	const ticks = 200
	runtime.ReadMemStats(&before)
	for range ticks {
		tick()
	}
	runtime.ReadMemStats(&after)
	bytes := (after.TotalAlloc - before.TotalAlloc) / ticks
	testkit.That(t, bytes <= idleBytes, "an idle tick allocates %d bytes, %d are allowed", bytes, idleBytes)
}

// A picture in which nothing is new is never painted again, only shown.
func TestNothingNewIsNotPainted(t *testing.T) {
	w := painter{pacer: pacer{still: true}}
	at := picture{width: 640, height: 480}
	testkit.MustEqual(t, w.begin(at, 0, 0), paintIt, "the first picture is not painted")
	shown := 0
	for tick := range int64(10 * shownTicks) {
		switch w.begin(at, tick, 0) {
		case paintIt:
			t.Fatalf("tick %d: painted again", tick)
		case showIt:
			shown++
		}
	}
	testkit.Equal(t, shown, 9, "shown again … times")
	at.sum.Add(1)
	testkit.Equal(t, w.begin(at, 10*shownTicks, 0), paintIt, "what is new is not painted")
}
