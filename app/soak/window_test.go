package soak

import (
	"context"
	"flag"
	"testing"
	"time"

	"framescope/internal/testkit"
)

var windowTime = flag.Duration("window", 0, "how long TestWindow plays")

// TestWindow plays a game of 240 frames a second, four threads and 500 spans of each in every frame
// into the real window at a small memory limit, and looks at what the viewer takes.
func TestWindow(t *testing.T) {
	if *windowTime <= 0 {
		t.Skip("takes as long as -window says, such as -window 30m")
	}
	const limit = 256 << 20
	p := startProgram(t, display(t), t.TempDir(), "--memory", "256MiB")
	time.Sleep(5 * time.Second) // what comes at first is not measured
	empty, _ := p.resident()
	bound := empty + limit + limit/5
	t.Logf("with nothing loaded %d MiB, so at most %d MiB", empty>>20, bound>>20)

	ctx, stop := context.WithTimeout(context.Background(), *windowTime)
	defer stop()
	var sent Sent
	played := make(chan error, 1)
	load := Load{Addr: p.addr, Name: "soak", Rate: 240, Threads: 4, Spans: 500}
	go func() { played <- load.Run(ctx, &sent) }()

	began := time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var most int64
	for n := 0; ; n++ {
		select {
		case err := <-played:
			if err != nil || ctx.Err() == nil {
				t.Fatalf("the game lost the viewer after %v: %v\n%s", time.Since(began), err, &p.stderr)
			}
			p.alive()
			_, peak := p.resident()
			t.Logf("%d frames sent in %v, peak %d MiB", sent.Frames(), time.Since(began).Round(time.Second), peak>>20)
			testkit.That(t, peak <= bound, "%d MiB resident, %d MiB are the most there may be", peak>>20, bound>>20)
			return
		case <-tick.C:
			p.alive()
			now, _ := p.resident()
			most = max(most, now)
			if n%30 == 0 {
				disk, files := diskUse(p.state)
				t.Logf("%6v: resident %d MiB, at most %d, %d descriptors, %d frames sent, %d MiB in %d files on disk",
					time.Since(began).Round(time.Second), now>>20, most>>20, p.descriptors(), sent.Frames(), disk>>20, files)
			}
		}
	}
}
