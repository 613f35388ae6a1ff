package store

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/spans"
)

// Appending, rewinding shallow and deep, evicting and asking in any order: what is left always
// equals the plain store.
func TestAnyOrderOfChanges(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		st := &Store{MemoryLimit: rapid.SampledFrom([]int64{600 << 10, 2 << 20, 1 << 30}).Draw(rt, "limit")}
		s := st.NewSession()
		g := newGame(rng, s, 12, rapid.SampledFrom([]int{2, 30}).Draw(rt, "paths"), 5)
		g.spansPerFrame = rapid.SampledFrom([]int{20, 300}).Draw(rt, "spans per frame")
		g.wild, g.jumps = rapid.Bool().Draw(rt, "wild"), rapid.Bool().Draw(rt, "jumps")
		p := &plainTrack{}
		add := func(b *model.Batch) {
			p.frames = append(p.frames, b)
			s.Append(b)
		}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0, 1:
				for range rapid.IntRange(1, 60).Draw(rt, "frames") {
					add(g.frame())
				}
			case 2: // a frame comes again, and others after it
				tr := s.Track(0)
				if tr == nil || tr.NumFrames() < 2 {
					continue
				}
				back := rapid.IntRange(1, min(tr.NumFrames()-1, columns.UndoFrames)).Draw(rt, "back")
				p.frames = p.frames[:len(p.frames)-back]
				last := p.frames[len(p.frames)-1]
				g.back(p.frames)
				for _, sp := range last.Spans { // go on where that frame ended
					if sp.Flags&model.SpanOpenEnd != 0 {
						g.open = append(g.open, openSpan{sp.Path, int(sp.Lane)})
					}
				}
				slices.SortFunc(g.open, func(a, b openSpan) int { return a.lane - b.lane })
				b := g.frame()
				again := *b
				again.Rewind = true
				p.frames = append(p.frames, b)
				s.Append(&again)
			case 3:
				st.EnforceLimit(time.Time{})
				got := st.Memory().Total()
				testkit.MustThat(rt, got <= st.MemoryLimit+st.MemoryLimit/8 || s.Track(0).NumFrames() <= 60, "%d bytes", got)
			}
		}
		if s.NumTracks() == 0 {
			return
		}
		p.build()
		if compareKeptFrames(rt, s, p); !g.jumps { // what is kept is a stretch of time
			compareKept(rt, s, p)
		}
	})
}

// compareKeptFrames compares the frames that are stored with the newest of p.
func compareKeptFrames(rt *rapid.T, s *Session, p *plainTrack) {
	tr := s.Track(0)
	gone := len(p.frames) - tr.NumFrames()
	testkit.MustThat(rt, gone == int(tr.Evicted()),
		"%d frames of %d, %d evicted", tr.NumFrames(), len(p.frames), tr.Evicted())
	for i := range min(tr.NumFrames(), 5) {
		checkFrames(rt, s, 0, p, i, i, gone)
	}
	if n := tr.NumFrames(); n > 0 {
		i := rapid.IntRange(0, n-1).Draw(rt, "kept frame")
		checkFrames(rt, s, 0, p, i, i, gone)
	}
}

// compareKept compares what is stored with the newest part of p.
func compareKept(rt *rapid.T, s *Session, p *plainTrack) {
	tr := s.Track(0)
	gone := len(p.frames) - tr.NumFrames()
	kept := &plainTrack{frames: p.frames[gone:], lanes: map[int][]plainSpan{}}
	cut := int64(math.MinInt64)
	if gone > 0 {
		cut = kept.frames[0].Begin
	}
	for n, lane := range p.lanes {
		for _, sp := range lane {
			if sp.end > cut || sp.begin >= cut {
				kept.lanes[n] = append(kept.lanes[n], sp)
			}
		}
		bars := s.Spans().Visible(0, n, max(cut, -model.MaxTime), math.MaxInt64, 0, nil)
		want := kept.lanes[n]
		if len(bars) > 0 && len(want) < len(bars) {
			bars = bars[len(bars)-len(want):] // the newest span of a lane stays, however old; one may touch the cut
		}
		testkit.MustEqual(rt, len(bars), len(want), "lane %d: spans", n)
		for i, b := range bars {
			w := want[i]
			testkit.MustThat(rt, b.Begin == w.begin && b.End == w.end && b.Path == w.path,
				"lane %d, span %d: %+v, want %+v", n, i, b, w)
		}
	}
	var tree spans.Tree
	for range 5 {
		t0, t1 := someTime(rt, kept, "t0"), someTime(rt, kept, "t1")
		t0, t1 = max(min(t0, t1), cut), max(t0, t1, cut)
		s.Spans().Tree([]model.TrackID{0}, t0, t1, &tree)
		checkFlame(rt, s, []*plainTrack{kept}, []model.TrackID{0}, t0, t1, &tree)
		minNs := rapid.SampledFrom([]int64{3000, 100_000, 5e8}).Draw(rt, "minNs")
		for n, lane := range kept.lanes {
			var count, want int64
			for _, b := range s.Spans().Visible(0, n, cut+1, math.MaxInt64, minNs, nil) {
				count += int64(b.Count)
			}
			for _, sp := range lane {
				if sp.end > cut {
					want++
				}
			}
			if count < want { // the bar that touches the cut may hold a few more
				rt.Fatalf("lane %d by %d: %d spans, want %d", n, minNs, count, want)
			}
		}
	}
	if n := tr.NumFrames(); n > 0 {
		i := rapid.IntRange(0, n-1).Draw(rt, "frame")
		f := tr.Frame(i)
		testkit.MustThat(rt, f.Number == kept.frames[i].Number && f.End == kept.frames[i].End, "frame %d = %+v", i, f)
		if got := s.Frames().Slowest(0, 0, n, 1, nil); len(got) != 1 {
			rt.Fatalf("slowest %v", got)
		} else {
			worst := int64(-1)
			for i, b := range kept.frames {
				if !tr.Stopped(i) {
					worst = max(worst, b.End-b.Begin)
				}
			}
			f := tr.Frame(got[0])
			testkit.MustThat(rt, f.End-f.Begin == worst, "slowest %+v, want %d", f, worst)
		}
	}
}

// FuzzStore appends anything, with values at and beyond every limit. Fuzz it with -fuzzminimizetime
// 20x: otherwise the engine spends up to a minute at a time on making an input smaller, and counts
// nothing meanwhile. With -tags tiny everything leaves memory often.
func FuzzStore(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
	f.Add([]byte{0, 255, 3, 128, 7, 7, 7, 0, 0, 1, 2, 250, 251, 252, 253, 254, 255, 9, 9, 9, 9, 9, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), 300)] // what is found interesting is made smaller byte by byte, at the cost of its length squared
		var last *model.Batch
		repeats := int64(2000)
		st := &Store{MemoryLimit: 64 << 10}
		s := st.NewSession()
		next := func() int64 {
			if len(data) == 0 {
				return 0
			}
			v := int64(int8(data[0]))
			data = data[1:]
			switch v {
			case 127:
				return math.MaxInt64
			case -128:
				return math.MinInt64
			case 126:
				return 1 << 40
			}
			return v
		}
		for len(data) > 0 {
			switch next() & 7 {
			case 0:
				s.Apply(model.CollectorDef{ID: model.CollectorID(next()), Parent: model.CollectorID(next()), Sort: int(next())})
			case 1:
				s.Apply(model.PathDef{ID: model.PathID(next()), Parent: model.PathID(next()), Collector: model.CollectorID(next())})
			case 2:
				st.EnforceLimit(time.Time{})
			case 3: // the same again and again, each later than the one before
				if last == nil {
					continue
				}
				ns := next()
				for n := min(next()&255, repeats); n > 0; n-- {
					repeats--
					last = shift(last, ns, 1)
					s.Append(last)
				}
			default:
				k := next()
				b := &model.Batch{Track: model.TrackID(next() & 3), HasFrame: k&1 != 0, Rewind: k&2 != 0, Number: next(), Begin: next(), End: next()}
				for n := next() & 15; n > 0; n-- {
					sp := model.Span{Begin: next(), Path: model.PathID(next() & 7), Lane: uint16(next() & 3), Flags: model.SpanFlags(next())}
					next()
					sp.End = sp.Begin + next()
					b.Spans = append(b.Spans, sp)
				}
				for n := next() & 3; n > 0; n-- {
					b.Self = append(b.Self, model.CollectorTime{Collector: model.CollectorID(next()), Ns: next(), Count: int32(next())})
					b.Levels = append(b.Levels, model.Level{Collector: model.CollectorID(next()), Time: next(), Value: float64(next())})
					b.Messages = append(b.Messages, model.Message{Time: next(), Text: "m"})
					b.Locks = append(b.Locks, model.LockEvent{Time: next(), Lock: model.CollectorID(next())})
				}
				s.Append(b)
				last = b
			}
		}
		st.EnforceLimit(time.Time{})
		a, b := int64(-50), int64(90)
		var tree spans.Tree
		var strip frames.Strip
		s.Spans().Tree([]model.TrackID{0, 1, 2, 3}, a, b, &tree)
		for track := range model.TrackID(s.NumTracks()) {
			tr := s.Track(track)
			for lane := range tr.Lanes() {
				last := int64(math.MinInt64)
				for _, bar := range s.Spans().Visible(track, lane, math.MinInt64, math.MaxInt64, 5, nil) {
					testkit.MustThat(t, bar.Begin >= last && bar.End >= bar.Begin && bar.Count >= 1, "bar %+v after %d", bar, last)
					last = bar.End
				}
				s.Spans().At(track, lane, 5, 5)
			}
			for mode := range frames.StripMode(3) {
				s.Frames().Strip(frames.StripQuery{Track: track, T0: a, T1: b, Columns: 7, Mode: mode, SmoothNs: 9}, &strip)
				s.Frames().Strip(frames.StripQuery{Track: track, T0: a, T1: b, Columns: 7, Mode: mode, Levels: true, SmoothNs: 9}, &strip)
			}
			for i := range tr.NumFrames() {
				s.PianoRuns(track, i, nil)
				s.FrameTree([]model.TrackID{track}, track, i, i, &tree)
				for _, n := range tree.Nodes {
					testkit.MustThat(t, n.Self >= 0 && n.Total >= n.Self && n.Count >= 0, "frame %d: %+v", i, n)
				}
				s.Frames().Bands(track, i, 0, true, nil)
			}
			s.Frames().AllStats(track, false, 0, 99, nil)
			s.Spans().Next(track, 1, 3, 1)
			s.Spans().Next(track, 1, 3, -1)
			tr.Gaps(a, b, nil)
		}
	})
}

// FuzzWorld is TestWorldEqualsPlain, led by the fuzzer.
func FuzzWorld(f *testing.F) {
	f.Add([]byte{1, 1, 64, 0x18, 0x58, 0xf8, 0x30, 0x20, 0x38, 0x30, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 3 {
			return
		}
		newWorld(t, uint64(data[0]), worldRooms[int(data[1])%len(worldRooms)]).run(data[2:min(len(data), 50)])
	})
}
