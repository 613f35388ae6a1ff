package timeline

import (
	"fmt"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats/gen"
)

// scaleSession makes a session with the structure of a game's: four threads of ten rows.
func scaleSession(spans int64) *store.Session {
	g, err := gen.New(gen.Options{Spans: spans, Tracks: 4, Depth: 10, Seed: 1})
	if err != nil {
		panic(err)
	}
	s := store.NewSession()
	g.Fill(s)
	return s
}

// BenchmarkTimelineScale makes the whole draw list of 40 rows at 1,920 pixels anew each time, from
// ten million spans.
func BenchmarkTimelineScale(b *testing.B) {
	if testing.Short() {
		b.Skip("ten million spans take seconds to make")
	}
	s := scaleSession(10_000_000)
	begin, end, _ := s.Bounds()
	for _, share := range []int64{1, 4, 16, 64, 256, 1024, 8192, 65536} {
		b.Run(fmt.Sprintf("1:%d", share), func(b *testing.B) {
			var tl Timeline
			chartstest.BenchmarkPan(b, chartstest.NewEnv(s, 1), &tl, begin, end, share)
		})
	}
}

// Four zooms of one session, from all of it, in which every bar stands for dozens of spans, down to
// bars of single spans: the rows keep their colours and their share of ground on the way.
func TestTimelineScalePictures(t *testing.T) {
	s := scaleSession(1_000_000)
	begin, end, _ := s.Bounds()
	mid := float64(begin+end) / 2
	bars := make([]spans.Bar, 0, 1000)
	var merged [4]int
	for i, z := range []struct {
		name  string
		share float64
	}{{"all", 1}, {"seconds", 16}, {"frames", 200}, {"spans", 4000}} {
		t.Run(z.name, func(t *testing.T) {
			env := chartstest.NewEnv(s, 1)
			var tl Timeline
			r := draw.Rect{X1: 1000, Y1: 640}
			w := float64(end-begin) / z.share
			env.View.Tick(1, false)
			env.View.Steer().Set(mid-w/2, mid+w/2, false, 0)
			chartstest.Settle(env, &tl, r)
			for k := range tl.spans.bars {
				if tl.spans.bars[k].bar.Count > 1 {
					merged[i]++
				}
			}
			if len(tl.spans.rows) < 30 {
				t.Errorf("%d rows", len(tl.spans.rows))
			}
			golden.Check(t, "../testdata/golden/timeline_scale_"+z.name+".png", chartstest.Picture(int(r.X1), int(r.Y1), tl.List()))
			t.Logf("%d bars, %d of them merged, %d quads", len(tl.spans.bars), merged[i], tl.List().Quads())

			// What the bars of a row hold adds up to the spans that there are.
			for _, row := range tl.spans.rows {
				var drawn, stored int64
				t0, t1 := env.View.Time().Visible()
				bars = s.Spans().Visible(row.track, row.lane, t0, t1, 0, bars[:0])
				for _, b := range bars {
					stored += int64(b.Count)
				}
				bars = s.Spans().Visible(row.track, row.lane, t0, t1, tl.spans.minNs, bars[:0])
				for _, b := range bars {
					drawn += int64(b.Count)
				}
				if drawn < stored { // a merged bar reaches over the edge
					t.Errorf("track %d lane %d: bars of %d spans for %d", row.track, row.lane, drawn, stored)
				}
			}
		})
	}
	if merged[0] < 5000 || merged[3] != 0 {
		t.Errorf("merged bars: %v", merged)
	}
}

// A list of ten times as many spans has no more quads, give or take: what is drawn depends on the
// pixels.
func TestTimelineQuadsDoNotGrow(t *testing.T) {
	sizes := []int64{100_000, 1_000_000}
	if testing.Short() {
		sizes = []int64{80_000, 400_000}
	}
	var quads [2]int
	for i, spans := range sizes {
		s := scaleSession(spans)
		env := chartstest.NewEnv(s, 1)
		var tl Timeline
		env.View.Tick(1, false)
		env.View.Steer().FitAll()
		r := draw.Rect{X1: 500, Y1: 900}
		chartstest.Settle(env, &tl, r)
		quads[i] = tl.List().Quads()
	}
	t.Logf("%d spans: %d quads, %d spans: %d quads", sizes[0], quads[0], sizes[1], quads[1])
	if quads[1] > 2*quads[0] {
		t.Errorf("%d spans: %d quads, %d spans: %d quads", sizes[0], quads[0], sizes[1], quads[1])
	}
}

// While frames come in, and all of the session is seen, the longest frame is asked for of the bars
// that are new, not of those that stay.
func TestLongestFramesStay(t *testing.T) {
	s := scaleSession(1_000_000)
	begin, end, _ := s.Bounds()
	env := chartstest.NewEnv(s, 1)
	var tl Timeline
	asked, most := 0, 0
	for tick := range 40 {
		if tick > 0 {
			tr := s.Track(0)
			b := model.Batch{HasFrame: true, Number: tr.FrameNumber(tr.NumFrames()-1) + 1, Begin: end, End: end + 16_000_000}
			b.Spans = append(b.Spans, model.Span{Path: 1, Begin: end, End: end + 16_000_000})
			s.Append(&b)
			end = b.End
		}
		env.View.Tick(int64(tick+1), false)
		env.View.Steer().Set(float64(begin), float64(end), false, 0)
		chartstest.Settle(env, &tl, draw.Rect{X1: 1000, Y1: 640})
		if n := len(tl.spans.longest.kept); n < 100 {
			t.Fatalf("%d bars of merged frames", n)
		}
		for _, k := range tl.spans.longest.kept {
			tr := s.Track(k.track)
			from := max(tr.FrameAt(k.begin), 0)
			if want := tr.LongestFrame(from, from+int(k.count)-1); k.longestNs != want {
				t.Fatalf("tick %d: longest of %d frames at %d: %d, want %d", tick, k.count, k.begin, k.longestNs, want)
			}
		}
		if tick > 0 {
			most = max(most, tl.spans.longest.asked-asked)
		}
		asked = tl.spans.longest.asked
	}
	if most > 4 {
		t.Errorf("up to %d bars were asked for in a tick", most)
	}
}
