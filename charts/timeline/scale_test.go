package timeline

import (
	"fmt"
	"sync"
	"testing"

	"framescope/charts/chartstest"
	"framescope/charts/draw"
	"framescope/charts/draw/golden"
	"framescope/charts/locks"
	"framescope/charts/panel"
	"framescope/charts/tables"
	"framescope/charts/view"
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

var bigScaleSession = sync.OnceValue(func() *store.Session { return scaleSession(10_000_000) })

// BenchmarkTimelineScale makes the whole draw list of 40 rows at 1,920 pixels anew each time, from
// ten million spans.
func BenchmarkTimelineScale(b *testing.B) {
	if testing.Short() {
		b.Skip("ten million spans take seconds to make")
	}
	s := bigScaleSession()
	begin, end, _ := s.Bounds()
	for _, share := range []int64{1, 4, 16, 64, 256, 1024, 8192, 65536} {
		b.Run(fmt.Sprintf("1:%d", share), func(b *testing.B) {
			env := chartstest.NewEnv(s, 1)
			var tl Timeline
			r := draw.Rect{X1: 1920 + gutterMost, Y1: 900}
			w := float64(end-begin) / float64(share)
			env.View.Tick(1, false)
			at := float64(begin+end) / 2
			in := &panel.Input{X: -1, Y: -1}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				i++
				d := float64(i%64) * w / 1920 // one pixel a tick: the list is made anew each time
				env.View.Steer().Set(at-w/2+d, at+w/2+d, false, 0)
				tl.Update(env, r, in)
			}
			b.ReportMetric(float64(len(tl.spans.bars)), "bars")
			b.ReportMetric(float64(len(tl.spans.rows)), "rows")
			b.ReportMetric(float64(tl.List().Quads()), "quads")
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

// BenchmarkMessages makes the timeline's flags and the table of a million messages anew each time.
func BenchmarkMessages(b *testing.B) {
	s := chartstest.MessageSession(1_000_000)
	begin, end, _ := s.Bounds()
	for name, f := range map[string]view.MessageFilter{"all": {}, "filtered": {Text: "99", Least: model.SeverityLog, HasLeast: true}} {
		b.Run(name, func(b *testing.B) {
			env := chartstest.NewEnv(s, 1)
			env.View.Look().SetMessageFilter(f)
			var tl Timeline
			chartstest.BenchmarkPan(b, env, &tl, begin, end, 1)
		})
		b.Run(name+" table", func(b *testing.B) {
			env := chartstest.NewEnv(s, 1)
			env.View.Look().SetMessageFilter(f)
			m := tables.NewMessages()
			chartstest.BenchmarkPan(b, env, m, begin, end, 1)
		})
	}
}

// Panels may be as small as a pixel, or nothing at all, at any zoom.
func TestNewChartsInTinyPanels(t *testing.T) {
	s := chartstest.NewLockSession(t)
	for _, size := range []float32{0, 1, 7, 40, 90} {
		for _, width := range []float64{1000, 400e6, 4e17} {
			env := chartstest.ReadyEnv(s, 1)
			env.View.Look().SetMessageFilter(view.MessageFilter{Text: "a"})
			tab, _ := locks.NewLockPanel()
			for _, c := range []panel.Panel{&Timeline{}, &locks.Chart{}, &Chart{}, tables.NewMessages(), tab} {
				r := draw.Rect{X0: 10, Y0: 10, X1: 10 + size, Y1: 10 + size}
				chartstest.Settle(env, c, r)
				env.View.Steer().Set(0, width, false, 0)
				env.View.SelectCollector(chartstest.LkPool)
				chartstest.Settle(env, c, r)
				c.Update(env, r, chartstest.MouseAt(10+size/2, 10+size/2))
				c.HitTest(env, 10+size/2, 10+size/2)
				for _, v := range c.List().Vertices {
					if v.X < r.X0 || v.X > r.X1 || v.Y < r.Y0 || v.Y > r.Y1 {
						t.Fatalf("%T of %g pixels draws at %g, %g", c, size, v.X, v.Y)
					}
				}
			}
		}
	}
}
