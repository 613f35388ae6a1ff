package client_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/client"
	"framescope/net/pstats/decode"
	"framescope/net/pstats/server"
)

// The game of the test: 200 frames of 16 ms on a clock that the test sets, of which 30 are dropped
// in three runs. In frame n there are three spans, at times that follow from n; one of them is
// inside another.
const (
	numFrames = 200
	frameNs   = 16 * int64(time.Millisecond)
)

// dropped tells whether a frame is not sent: 10 from 20 on, 15 from 77 on, and 5 single ones.
func dropped(n int) bool {
	return n >= 20 && n < 30 || n >= 77 && n < 92 || n == 120 || n == 130 || n == 140 || n == 150 || n == 160
}

// The times of frame n relative to its begin, in ns.
func appRun(n int) (begin, end int64) { return 1e6, 3e6 + int64(n)*1e4 }
func aiRun(n int) (begin, end int64)  { return 15e5, 2e6 + int64(n%7)*1e5 }
func drawRun(n int) (begin, end int64) {
	_, end = appRun(n)
	return end, end + 4e6 + int64(n%11)*1e5
}

func TestTheStoreHoldsExactlyWhatWasSent(t *testing.T) {
	for _, tc := range []struct {
		version pstats.Version
		ratio   float64
	}{
		{pstats.Version{Major: 3, Minor: 2}, 1}, {pstats.Version{Major: 3, Minor: 2}, 0.01}, {pstats.Version{Major: 3}, 1}, {pstats.Version{Major: 3}, -1},
	} {
		t.Run(fmt.Sprintf("%v by TCP %v", tc.version, tc.ratio), func(t *testing.T) {
			t.Parallel()
			exactlyWhatWasSent(t, tc.version, tc.ratio)
		})
	}
}

// counted counts the frames that come.
type counted struct {
	pstats.Handler
	frames atomic.Int64
}

// Frame implements pstats.Handler.
func (c *counted) Frame(f *pstats.Frame, bytes int) {
	c.Handler.Frame(f, bytes)
	c.frames.Add(1)
}

func exactlyWhatWasSent(t *testing.T, version pstats.Version, ratio float64) {
	sink := &feedtest.Into{Session: store.NewSession(), Ended: make(chan struct{})}
	cfg := server.Config{Addr: "127.0.0.1:0"}
	var came counted
	cfg.NewSession = func(server.SessionInfo) pstats.Handler {
		came.Handler = decode.New(sink, decode.Options{})
		return &came
	}
	srv := testkit.Must(server.Listen(t.Context(), cfg))(t)
	defer srv.Close()

	var now atomic.Int64
	c := client.New(client.Options{
		Addr: srv.Addr().String(), Name: "exact", Version: version, TCPRatio: ratio, MaxRate: -1, Lossless: true,
		Clock: func() time.Duration { return time.Duration(now.Load()) },
	})
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	testkit.OK(t, c.Dial(ctx))
	main := c.MainThread()
	app, ai, draw, enemies := c.Collector("App"), c.Collector("App:AI"), c.Collector("Draw"), c.Collector("Enemies")
	main.BeginFrameAt(0)
	at := func(n int, ns int64) time.Duration { return time.Duration(int64(n)*frameNs + ns) }
	sent := int64(0)
	for n := range numFrames {
		appBegin, appEnd := appRun(n)
		aiBegin, aiEnd := aiRun(n)
		drawBegin, drawEnd := drawRun(n)
		main.StartAt(app, at(n, appBegin))
		main.StartAt(ai, at(n, aiBegin))
		main.StopAt(ai, at(n, aiEnd))
		main.StopAt(app, at(n, appEnd))
		main.StartAt(draw, at(n, drawBegin))
		main.StopAt(draw, at(n, drawEnd))
		main.Level(enemies, float64(n%13))
		end := at(n+1, 0)
		now.Store(int64(end))
		if dropped(n) {
			main.DropFrameAt(end)
			continue
		}
		main.EndFrameAt(end)
		sent++
		// A burst of datagrams might overrun a socket.
		testkit.WaitUntil(t, "what was sent", func() bool { return came.frames.Load() == sent })
	}
	c.Close()
	select {
	case <-sink.Ended:
	case <-ctx.Done():
		t.Fatal("the server did not notice the end")
	}
	st := c.Stats()
	testkit.MustThat(t, st.Sent() == 170 && st.Dropped() == 0, "sent %d, dropped %d", st.Sent(), st.Dropped())
	check(t, sink.Session, [...]client.Collector{app, ai, draw, enemies})
}

// stored is a span as it is compared: in ns, with the collector that it is of and the one it is in.
type stored struct {
	Lane          uint16
	Collector, In model.CollectorID
	Begin, End    int64
	Flags         model.SpanFlags
}

func check(t *testing.T, s *store.Session, col [4]client.Collector) {
	var track *store.Track
	for _, tr := range feedtest.Tracks(s) {
		if tr.NumFrames() > 0 {
			testkit.MustThat(t, track == nil, "two tracks have frames")
			track = tr
		}
	}
	testkit.MustThat(t, track != nil && track.Title() == "Main", "track %v", track)
	id := track.Def.ID

	// Times travel as 32-bit floats of seconds.
	seconds := func(n int, ns int64) int64 {
		return int64(float64(float32(float64(int64(n)*frameNs+ns)/1e9))*1e9 + 0.5)
	}

	type frame struct {
		Number, Begin, End, Missing int64
	}
	var wantFrames, gotFrames []frame
	var wantSpans []stored
	var missing int64
	for n := range numFrames {
		if dropped(n) {
			missing++
			continue
		}
		wantFrames = append(wantFrames, frame{int64(n), seconds(n, 0), seconds(n+1, 0), missing})
		missing = 0
		add := func(lane uint16, c, in client.Collector, begin, end int64) {
			wantSpans = append(wantSpans, stored{lane, model.CollectorID(c), model.CollectorID(in), seconds(n, begin), seconds(n, end), 0})
		}
		b, e := appRun(n)
		add(0, col[0], 0, b, e)
		b, e = aiRun(n)
		add(1, col[1], col[0], b, e)
		b, e = drawRun(n)
		add(0, col[2], 0, b, e)
	}
	for i := range track.NumFrames() {
		f := track.Frame(i)
		gotFrames = append(gotFrames, frame{f.Number, f.Begin, f.End, f.Missing})
	}
	testkit.NoDiff(t, cmp.Diff(wantFrames, gotFrames), "frames")

	// The spans, without the one of the frame itself, which lies around them if the store keeps it.
	var got []stored
	first, last, _ := track.Bounds()
	outer := uint16(0)
	for lane := range track.Lanes() {
		for _, b := range s.Spans().Visible(id, lane, first, last, 0, nil) {
			parent, c := s.Path(b.Path)
			if c == 0 {
				outer = 1
				continue
			}
			_, in := s.Path(parent)
			if parent == model.PathRoot {
				in = 0
			}
			got = append(got, stored{uint16(lane) - outer, c, in, b.Begin, b.End, b.Flags})
		}
	}
	for _, all := range [][]stored{got, wantSpans} {
		slices.SortFunc(all, func(a, b stored) int { return int(a.Begin - b.Begin) })
	}
	testkit.NoDiff(t, cmp.Diff(wantSpans, got), "spans")

	// The gaps: each of the runs that were dropped, from the end of the frame before to the begin of
	// the frame after.
	var want []frames.Gap
	for _, run := range [][2]int64{{20, 29}, {77, 91}, {120, 120}, {130, 130}, {140, 140}, {150, 150}, {160, 160}} {
		want = append(want, frames.Gap{FirstNumber: run[0], LastNumber: run[1], Begin: seconds(int(run[0]), 0), End: seconds(int(run[1])+1, 0)})
	}
	testkit.NoDiff(t, cmp.Diff(want, track.Gaps(first, last, nil)), "gaps")
	testkit.That(t, track.Missing() == 30, "%d frames missing", track.Missing())

	// The exclusive times and the level of every frame.
	for i := range track.NumFrames() {
		n := int(track.Frame(i).Number)
		for _, a := range s.Frames().Self(id, i, nil) {
			var want int64
			appBegin, appEnd := appRun(n)
			aiBegin, aiEnd := aiRun(n)
			drawBegin, drawEnd := drawRun(n)
			run := func(b, e int64) int64 { return seconds(n, e) - seconds(n, b) }
			switch client.Collector(a.Collector) {
			case col[0]:
				want = run(appBegin, appEnd) - run(aiBegin, aiEnd)
			case col[1]:
				want = run(aiBegin, aiEnd)
			case col[2]:
				want = run(drawBegin, drawEnd)
			default:
				want = run(0, frameNs) - run(appBegin, appEnd) - run(drawBegin, drawEnd)
			}
			testkit.That(t, a.Ns == want && a.Count == 1,
				"frame %d: collector %d has %d ns in %d runs, want %d in one", n, a.Collector, a.Ns, a.Count, want)
		}
		ls := s.Frames().Levels(id, i, nil)
		testkit.That(t, len(ls) == 1 && ls[0].Collector == model.CollectorID(col[3]) && ls[0].Value == float64(n%13),
			"frame %d: levels %+v", n, ls)
	}
}
