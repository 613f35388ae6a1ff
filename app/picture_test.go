package app

import (
	"testing"
	"time"

	"framescope/internal/testkit"
)

// Only what changed is painted: nothing of a window at rest, the status line alone where its words changed.
func TestOnlyWhatChangedIsPainted(t *testing.T) {
	g := tradeGame(t, 0, 1920, 1080)
	painted := func() (pixels float32) {
		for _, r := range g.paint.changed(g.lists) {
			pixels += r.W() * r.H()
		}
		return pixels
	}
	g.paint.begin(g.seen(1920, 1080), g.stage.tick)
	testkit.Equal(t, painted(), 1920*1080, "pixels of the first picture")
	turn(t, g, -1, -1)
	testkit.Equal(t, painted(), 0, "pixels of a window at rest")
	g.bars.status.right = append(g.bars.status.right, " more"...)
	turn(t, g, -1, -1)
	_, _, _, status := g.stage.regions()
	n := painted()
	testkit.That(t, n > 0 && n <= status.W()*status.H(), "%v pixels for words in the status line", n)
}

// What is new is shown at full pace, but where nobody looks for it.
func TestNewsPace(t *testing.T) {
	now := time.Now()
	for want, w := range map[int]painter{
		0:          {paused: true, lastUsed: now},
		pausedTPS:  {paused: true},
		quietTPS:   {behind: true, lastUsed: now},
		readingTPS: {behind: true},
	} {
		testkit.Equal(t, w.newsPace(now), want, "ticks a second")
	}
	testkit.Equal(t, new(painter).newsPace(now), 0, "ticks a second while live")
}
