package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/paths"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats/gen"
)

// bigSpans is the size of the session that the cost rules are about.
const bigSpans = 10_000_000

// bigRows is how many rows its tracks have together.
const bigRows = 40

// big is a session of ten million spans, made once for all benchmarks.
var big = sync.OnceValues(func() (*store.Session, time.Duration) {
	g, err := gen.New(gen.Options{Spans: bigSpans, Tracks: 4, Depth: bigRows / 4, Seed: 1})
	if err != nil {
		panic(err)
	}
	s := store.NewSession()
	begin := time.Now()
	g.Fill(s)
	return s, time.Since(begin)
})

func bigSession(b *testing.B) *store.Session {
	if testing.Short() {
		b.Skip("ten million spans take seconds to make")
	}
	s, _ := big()
	return s
}

// BenchmarkBigMemory reports what a span takes in sessions of all sorts of frames: those that a
// game sends have 20 to 400 spans.
func BenchmarkBigMemory(b *testing.B) {
	if testing.Short() {
		b.Skip("ten million spans take seconds to make")
	}
	for _, c := range []struct {
		name string
		opt  gen.Options
	}{
		{"20", gen.Options{FrameSpans: 20}}, {"50", gen.Options{FrameSpans: 50}}, {"100", gen.Options{FrameSpans: 100}}, {"400", gen.Options{FrameSpans: 400}},
		{"mixed", gen.Options{}}, {"64 tracks", gen.Options{Tracks: 64}},
	} {
		b.Run(c.name, func(b *testing.B) {
			o := c.opt
			o.Spans = 1_000_000
			g, err := gen.New(o)
			testkit.NoErr(b, err)
			var s *store.Session
			for b.Loop() {
				s = store.NewSession()
				g.Fill(s)
			}
			reportMemory(b, s, o.Spans)
		})
	}
	b.Run("10 million", func(b *testing.B) {
		s, took := big()
		for b.Loop() {
			s.Memory()
		}
		reportMemory(b, s, bigSpans)
		b.ReportMetric(bigSpans/took.Seconds()/1e6, "Mspans/s-fill")
	})
}

func reportMemory(b *testing.B, s *store.Session, spans int64) {
	m, n := s.Memory(), float64(spans)
	b.ReportMetric(float64(m.Spans)/n, "rowB/span")
	b.ReportMetric(float64(m.Pyramids)/n, "pyramidB/span")
	b.ReportMetric(float64(m.Frames)/n, "frameB/span")
	b.ReportMetric(float64(m.Totals)/n, "totalB/span")
	b.ReportMetric(float64(m.Other+m.Levels)/n, "otherB/span")
	b.ReportMetric(float64(m.Total())/n, "B/span")
}

// bigZooms are shares of the session that fill the screen.
var bigZooms = []int64{1, 4, 16, 64, 256, 1024, 8192, 65536}

// BenchmarkBigVisibleSpans asks for all rows at 1,920 pixels, three pixels to a bar, one pixel
// further each time: "pan" with bars of the same length, "zoom" with others in any two pictures, so
// that nothing can be used again.
func BenchmarkBigVisibleSpans(b *testing.B) {
	b.Run("pan", func(b *testing.B) { benchVisible(b, false) })
	b.Run("zoom", func(b *testing.B) { benchVisible(b, true) })
}

func benchVisible(b *testing.B, zooms bool) {
	s := bigSession(b)
	lo, hi, _ := s.Bounds()
	for _, share := range bigZooms {
		b.Run(fmt.Sprintf("1:%d", share), func(b *testing.B) {
			var bars []spans.Bar
			width := (hi - lo) / share
			from, at, n, rows := lo+(hi-lo)/2-width/2, int64(0), 0, 0
			to := int64(1920) // as far as the picture is wide
			if share == 1 {
				to = 64
			}
			b.ReportAllocs()
			for b.Loop() {
				t0 := from + at%to*width/1920
				at++
				rows = 0
				minNs := width * 3 / 1920
				if zooms {
					minNs += at & 1
				}
				for id := range model.TrackID(s.NumTracks()) {
					for lane := range s.Track(id).Lanes() {
						bars = s.Spans().Visible(id, lane, t0, t0+width, minNs, bars[:0])
						n += len(bars)
						rows++
					}
				}
			}
			b.ReportMetric(float64(n)/float64(b.N), "bars")
			b.ReportMetric(float64(rows), "rows")
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(n), "ns/bar")
		})
	}
}

// BenchmarkGrowingBars asks for all rows of ten million spans, fully zoomed out and followed, while
// each of them gets a span between any two pictures.
func BenchmarkGrowingBars(b *testing.B) {
	s := bigSession(b)
	lo, hi, _ := s.Bounds()
	width := hi - lo
	minNs := width * 3 / 1920
	var bars []spans.Bar
	b.ReportAllocs()
	for b.Loop() {
		end := hi + 16_000_000
		for id := range model.TrackID(s.NumTracks()) {
			t := s.Track(id)
			batch := model.Batch{Track: id, HasFrame: true, Number: t.Frame(t.NumFrames()-1).Number + 1, Begin: hi, End: end}
			for lane := range t.Lanes() {
				batch.Spans = append(batch.Spans, model.Span{Lane: uint16(lane), Path: 1, Begin: hi, End: end})
			}
			s.Append(&batch)
			for lane := range t.Lanes() {
				bars = s.Spans().Visible(id, lane, end-width, end, minNs, bars[:0])
			}
		}
		hi = end
	}
}

// BenchmarkBigFlameTree asks for the call tree of all tracks.
func BenchmarkBigFlameTree(b *testing.B) {
	s := bigSession(b)
	benchFlame(b, s)
}

func benchFlame(b *testing.B, s *store.Session) {
	lo, hi, _ := s.Bounds()
	var ids []model.TrackID
	lanes := 0
	for id := range model.TrackID(s.NumTracks()) {
		ids = append(ids, id)
		lanes += s.Track(id).Lanes()
	}
	for _, c := range []struct {
		name   string
		t0, t1 int64
	}{{"all", lo, hi + 1}, {"most", lo + (hi-lo)/7, hi - (hi-lo)/9}, {"tenth", lo + (hi-lo)/2, lo + (hi-lo)/2 + (hi-lo)/10}, {"frame", (lo + hi) / 2, (lo+hi)/2 + 10_000_000}} {
		b.Run(c.name, func(b *testing.B) {
			var tree paths.Tree
			b.ReportAllocs()
			at := int64(0)
			for b.Loop() {
				at++
				s.Spans().Tree(ids, c.t0+at%64*100_000, c.t1, &tree)
			}
			b.ReportMetric(float64(len(tree.Nodes)), "nodes")
			b.ReportMetric(float64(tree.Visited), "visited")
			b.ReportMetric(float64(lanes), "lanes")
		})
	}
}

// BenchmarkWideFlameTree has 640 lanes.
func BenchmarkWideFlameTree(b *testing.B) {
	if testing.Short() {
		b.Skip("ten million spans take seconds to make")
	}
	g, err := gen.New(gen.Options{Spans: bigSpans, Tracks: 64, Depth: 10, Seed: 1})
	testkit.NoErr(b, err)
	s := store.NewSession()
	g.Fill(s)
	benchFlame(b, s)
}

// BenchmarkBigStats asks for the statistics of a range of which one edge moves.
func BenchmarkBigStats(b *testing.B) {
	s := bigSession(b)
	n := s.Track(0).NumFrames()
	b.Run("first", func(b *testing.B) { // nothing was asked before
		var out []frames.Stats
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			s.Track(0).ForgetStats()
			b.StartTimer()
			out = s.Frames().AllStats(0, false, 0, n, out[:0])
		}
		b.ReportMetric(float64(n), "frames")
	})
	for _, name := range []string{"all", "one"} {
		b.Run(name, func(b *testing.B) {
			var out []frames.Stats
			b.ReportAllocs()
			at := 0
			for b.Loop() {
				at++
				if name == "one" {
					s.Frames().Stats(0, 1, false, at%3000, n-at%2000)
				} else {
					out = s.Frames().AllStats(0, false, at%3000, n-at%2000, out[:0])
				}
			}
			b.ReportMetric(float64(n), "frames")
			b.ReportMetric(float64(len(out)), "collectors")
		})
	}
}
