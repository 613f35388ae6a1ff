package store

import (
	"math/rand/v2"
	"testing"

	"framescope/model"
	"framescope/model/frames"
)

// benchFrames makes a run of frames that can be appended again and again, shifted in time.
func benchFrames(s *Session, frames, spansPerFrame, paths, depth int) *game {
	g := newGame(rand.New(rand.NewPCG(1, 2)), s, 60, paths, depth)
	g.spansPerFrame = spansPerFrame
	return g
}

// benchSession makes a session of n spans on a number of tracks.
func benchSession(n int64, tracks int) *Session {
	s := NewSession()
	g := benchFrames(s, 0, 100, 300, 10)
	run := make([]*model.Batch, 200)
	for i := range run {
		run[i] = g.frame()
	}
	length, numbers := g.now, g.number
	var spans int64
	for round := int64(0); spans < n; round++ {
		for _, b := range run {
			shifted := shift(b, round*length, round*numbers)
			for id := range tracks {
				shifted.Track = model.TrackID(id)
				s.Append(shifted)
				spans += int64(len(b.Spans))
			}
		}
	}
	return s
}

// shift returns b at another time.
func shift(b *model.Batch, ns, number int64) *model.Batch {
	c := *b
	c.Begin, c.End, c.Number = b.Begin+ns, b.End+ns, b.Number+number
	c.Spans = append([]model.Span(nil), b.Spans...)
	c.Levels = append([]model.Level(nil), b.Levels...)
	for i := range c.Spans {
		sp := &c.Spans[i]
		sp.Begin += ns
		sp.End += ns
	}
	for i := range c.Levels {
		c.Levels[i].Time += ns
	}
	return &c
}

func BenchmarkAppend(b *testing.B) {
	var s *Session
	var spans int64
	make200 := func() (run []*model.Batch, length, numbers int64) {
		s = NewSession()
		g := benchFrames(s, 0, 100, 300, 10)
		for range 200 {
			run = append(run, g.frame())
		}
		return run, g.now, g.number
	}
	run, length, numbers := make200()
	b.ReportAllocs()
	var stored int64
	for b.Loop() {
		for _, f := range run {
			s.Append(f)
			spans += int64(len(f.Spans))
			f.Begin, f.End, f.Number = f.Begin+length, f.End+length, f.Number+numbers
			for i := range f.Spans {
				f.Spans[i].Begin += length
				f.Spans[i].End += length
			}
		}
		if stored = s.Track(0).NumSpans(); stored > 4e6 {
			b.StopTimer()
			run, length, numbers = make200()
			b.StartTimer()
		}
	}
	b.ReportMetric(float64(spans)/b.Elapsed().Seconds()/1e6, "Mspans/s")
}

// benchFrameSession makes 100,000 frames of 10 to 40 collectors. They do not depend on the game of
// the tests, which changes with what is tested.
func benchFrameSession() *Session {
	s, rng := NewSession(), rand.New(rand.NewPCG(1, 2))
	const collectors = 60
	for c := range model.CollectorID(collectors) {
		parent := model.CollectorID(rng.IntN(max(int(c), 1)))
		s.Apply(model.CollectorDef{ID: c, Name: "c", Parent: parent, Sort: rng.IntN(5)})
	}
	run, now := make([]*model.Batch, 100), int64(0)
	for i := range run {
		b := &model.Batch{HasFrame: true, Number: int64(i), Begin: now}
		rows := 10 + rng.IntN(30)
		for c := range model.CollectorID(collectors) {
			if rng.IntN(collectors) < rows {
				ns := 1000 + rng.Int64N(20_000)
				b.Alone = append(b.Alone, model.CollectorTime{Collector: c, Ns: ns, Count: 1 + rng.Int32N(4)})
				now += ns
			}
		}
		b.End = now
		run[i] = b
	}
	for round := range int64(1000) {
		for _, b := range run {
			s.Append(shift(b, round*now, round*int64(len(run))))
		}
	}
	return s
}

func BenchmarkStripChart(b *testing.B) {
	s := benchFrameSession()
	lo, hi, _ := s.Bounds()
	for _, m := range []struct {
		name string
		mode frames.StripMode
		part int64 // of the session
	}{
		{"hold", frames.StripHold, 1}, {"max", frames.StripMax, 1}, {"smooth", frames.StripSmooth, 1},
		{"smooth-50th", frames.StripSmooth, 50}, {"smooth-500th", frames.StripSmooth, 500},
	} {
		width := (hi - lo) / m.part
		q := frames.StripQuery{T0: hi - width, T1: hi, Columns: 1920, Mode: m.mode, SmoothNs: width / 300}
		b.Run(m.name, func(b *testing.B) { // again, as while the mouse moves
			var strip frames.Strip
			s.Frames().Strip(q, &strip)
			b.ReportAllocs()
			for b.Loop() {
				s.Frames().Strip(q, &strip)
			}
			b.ReportMetric(float64(len(strip.Bands)), "bands")
		})
		b.Run(m.name+"-first", func(b *testing.B) {
			for b.Loop() {
				var strip frames.Strip
				s.Frames().Strip(q, &strip)
			}
		})
	}
}
