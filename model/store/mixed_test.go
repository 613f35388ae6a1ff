package store

import (
	"fmt"
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
				s.Frames().OpenBands(track, i, 0, 0, true, nil)
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

// A program of some threads that runs for so many rounds of a millisecond; the n-th thread has 2^(n+2)
// calls in each.
const (
	togetherRounds = 4000
	togetherNs     = 1_000_000
	togetherEnd    = togetherRounds * togetherNs
)

// togetherRound is what a thread does in a round, of another clock if that is so.
func togetherRound(track model.TrackID, round int64, framed bool, clock int64) *model.Batch {
	begin := round*togetherNs + clock
	b := &model.Batch{Track: track}
	if framed {
		b.HasFrame, b.Number, b.Begin, b.End = true, round, begin, begin+togetherNs
	}
	calls := int64(4) << track
	b.Spans = make([]model.Span, 0, calls)
	for k := range calls {
		at := begin + k*togetherNs/calls
		b.Spans = append(b.Spans, model.Span{Begin: at, End: at + togetherNs/calls, Path: 1})
	}
	return b
}

// togetherStore returns a store with a session that has so many threads, and what appends to it
// within the limit.
func togetherStore(limit int64, file bool, threads int) (*Store, *Session, func(*model.Batch)) {
	st := &Store{MemoryLimit: limit}
	s := st.NewSession()
	s.Apply(model.Info{File: file})
	s.Apply(model.PathDef{ID: 1, Collector: 1})
	for id := range model.SeriesID(3) {
		s.Apply(model.SeriesDef{ID: id, Track: model.NoTrack, Object: model.NoObject})
	}
	for id := range model.TrackID(threads) {
		s.Apply(model.TrackDef{ID: id, Name: fmt.Sprint("T", id)})
	}
	return st, s, func(b *model.Batch) {
		s.Append(b)
		st.EnforceLimit(time.Time{})
	}
}

// wantTogether demands that what is left of each begins at about the same time, after some left and
// before all did.
func wantTogether(t *testing.T, begins map[string]int64) {
	t.Helper()
	earliest, latest := int64(model.MaxTime), int64(model.MinTime)
	for _, begin := range begins {
		earliest, latest = min(earliest, begin), max(latest, begin)
	}
	testkit.That(t, earliest > 0 && latest <= togetherEnd*9/10 && latest-earliest <= (togetherEnd-earliest)/8,
		"what is left begins at %v ns of %d", begins, int64(togetherEnd))
}

// A recording that holds thread after thread, whichever comes first, and a program that sends all of
// them as it goes on: the oldest of all leave together, and what left is told.
func TestOldestOfAllThreadsLeaveTogether(t *testing.T) {
	const threads = 6
	for _, c := range []struct {
		name           string
		file, framed   bool
		thread, rounds func(i int64) int64
	}{
		{"thread after thread", true, true, func(i int64) int64 { return i / togetherRounds }, func(i int64) int64 { return i % togetherRounds }},
		{"the densest first", true, true, func(i int64) int64 { return threads - 1 - i/togetherRounds }, func(i int64) int64 { return i % togetherRounds }},
		{"without frames", true, false, func(i int64) int64 { return i / togetherRounds }, func(i int64) int64 { return i % togetherRounds }},
		{"live", false, true, func(i int64) int64 { return i % threads }, func(i int64) int64 { return i / threads }},
		{"live without frames", false, false, func(i int64) int64 { return i % threads }, func(i int64) int64 { return i / threads }},
	} {
		t.Run(c.name, func(t *testing.T) {
			st, s, add := togetherStore(4<<20, c.file, threads)
			for i := range int64(threads * togetherRounds) {
				add(togetherRound(model.TrackID(c.thread(i)), c.rounds(i), c.framed, 0))
			}
			begins, left := map[string]int64{}, int64(0)
			for id := range model.TrackID(threads) {
				tr := s.Track(id)
				begins[tr.Title()], _, _ = tr.Bounds()
				stored, sent := tr.NumSpans(), int64(4*togetherRounds)<<id
				if c.framed {
					testkit.That(t, tr.NumFrames() >= 10 && int64(tr.NumFrames())+tr.Evicted() == togetherRounds,
						"%s: %d frames, %d left", tr.Title(), tr.NumFrames(), tr.Evicted())
					stored, sent = int64(tr.NumFrames()), togetherRounds
				}
				left += sent - stored
			}
			wantTogether(t, begins)
			losses, _ := s.Losses()
			testkit.That(t, losses[model.LossEvicted] == left && left != 0,
				"%d left, %d are told", left, losses[model.LossEvicted])
			total := st.Memory().Total()
			testkit.That(t, total <= st.MemoryLimit, "%d bytes", total)
		})
	}
}

// Calls, then messages, then series after series, as profiles have them: of each the same time leaves.
func TestOldestOfAllKindsLeaveTogether(t *testing.T) {
	for _, framed := range []bool{true, false} {
		_, s, add := togetherStore(1<<20, true, 3)
		for round := range int64(togetherRounds) {
			add(togetherRound(2, round, framed, 0))
		}
		for round := range int64(togetherRounds) {
			add(&model.Batch{Track: 2, Messages: []model.Message{{Time: round * togetherNs, Text: "said"}}})
		}
		for id := range model.SeriesID(3) {
			for round := range int64(togetherRounds) {
				b := &model.Batch{Track: model.NoTrack}
				for k := range int64(8) {
					b.Samples = append(b.Samples, model.Sample{Series: id, Time: (round*8 + k) * togetherNs / 8, Value: 1})
				}
				add(b)
			}
		}
		begins := map[string]int64{}
		begins["calls"], _, _ = s.Track(2).spans.Bounds()
		begins["messages"], _, _ = s.Track(2).messages.Bounds()
		for id := range model.SeriesID(3) {
			x := s.Series().ByID(id)
			first, _ := x.Positions()
			sample, _ := x.Before(first + 1)
			begins[fmt.Sprint("series ", id)] = sample.Time
		}
		wantTogether(t, begins)
	}
}

// Clocks that can't be compared, and a value of the far future, keep nothing from leaving, and let
// nothing leave that is not old.
func TestClocksThatGoWrongLeaveTogether(t *testing.T) {
	const day = 86400 * int64(time.Second)
	begin := func(s *Session, id model.TrackID, clock int64) int64 { // of the newer half, where time jumped
		tr := s.Track(id)
		return tr.Frame(0).Begin - clock
	}
	t.Run("of its own", func(t *testing.T) {
		_, s, add := togetherStore(2<<20, true, 5)
		for id := range model.TrackID(5) {
			clock := int64(0)
			if id == 4 {
				clock = 400 * day
				s.Apply(model.TrackDef{ID: id, OwnClock: true})
			}
			for round := range int64(togetherRounds) {
				add(togetherRound(id, round, true, clock))
			}
		}
		wantTogether(t, map[string]int64{"0": begin(s, 0, 0), "3": begin(s, 3, 0), "own": begin(s, 4, 400*day)})
	})
	t.Run("live", func(t *testing.T) {
		_, s, add := togetherStore(2<<20, false, 5)
		for round := range int64(togetherRounds) {
			for id := range model.TrackID(5) {
				add(togetherRound(id, round, true, int64(id)*day))
			}
		}
		wantTogether(t, map[string]int64{"0": begin(s, 0, 0), "4": begin(s, 4, 4*day)})
	})
	t.Run("now and then", func(t *testing.T) {
		_, s, add := togetherStore(2<<20, true, 5)
		for id := range model.TrackID(5) {
			for round := range int64(togetherRounds) {
				add(togetherRound(id, round, false, 0))
				if id < 4 && round%50 == 49 {
					add(&model.Batch{Track: id, Levels: []model.Level{{Collector: 1, Time: 9 * day, Value: 1}}})
				}
			}
		}
		begins := map[string]int64{}
		for id := range model.TrackID(5) {
			begins[fmt.Sprint(id)], _, _ = s.Track(id).spans.Bounds()
		}
		wantTogether(t, begins)
	})
}

// Threads that did little and are gone leave when what is left of the others is newer, and not only
// when nothing else is left; one that is idle keeps its newest frame.
func TestThreadsThatAreGoneLeaveInTheirTurn(t *testing.T) {
	const gone = 60
	for _, file := range []bool{true, false} {
		st, s, add := togetherStore(500<<10, file, gone+3)
		add(togetherRound(2, 0, true, 0))
		for id := range model.TrackID(gone) {
			for round := range int64(3) {
				b := togetherRound(0, round+int64(id), id%2 == 0, 0)
				b.Track = 3 + id
				add(b)
			}
			s.Apply(model.TrackEnd{ID: 3 + id})
		}
		for round := range int64(togetherRounds) {
			for range 8 {
				add(&model.Batch{Track: 0, Spans: []model.Span{{Begin: round * togetherNs, End: round*togetherNs + 9, Path: 1}}})
			}
			add(togetherRound(1, round, true, 0))
		}
		begins, some := map[string]int64{}, 0
		begins["0"], _, _ = s.Track(0).Bounds()
		begins["1"], _, _ = s.Track(1).Bounds()
		wantTogether(t, begins)
		for id := range model.TrackID(gone) {
			if _, _, ok := s.Track(3 + id).Bounds(); ok {
				some++
			}
		}
		idle := s.Track(2).NumFrames()
		testkit.That(t, some == 0 && (idle == 1) != file,
			"file %v: %d threads that are gone are left, %d frames of the one that is idle", file, some, idle)
		losses, _ := s.Losses()
		want := s.Track(0).Losses()[model.LossEvicted] + s.Track(1).Evicted() + s.Track(2).Evicted() + gone/2*(3+3*4)
		testkit.That(t, losses[model.LossEvicted] == want && s.Torn() == 0,
			"file %v: %d left, %d are told; torn %d", file, want, losses[model.LossEvicted], s.Torn())
		total := st.Memory().Total()
		testkit.That(t, total <= st.MemoryLimit, "%d bytes", total)
	}
}

// What has to leave is found without a look at what stays: a step for each part of a track that
// leaves, and one for a batch after which nothing can, whatever the number of threads.
func TestStepsOfLeaving(t *testing.T) {
	for _, threads := range []int{6, 400} {
		st, s, add := togetherStore(4<<20, true, threads)
		bytes, batches := int64(0), uint64(0)
		for id := range model.TrackID(threads) {
			for round := range int64(8_000 / threads) {
				b := togetherRound(5, round, true, 0)
				b.Track = id
				bytes, batches = bytes+bytesOf(b), batches+1
				add(b)
			}
		}
		most := uint64(bytes/(columns.MarkBytes/16)) + uint64(threads) + batches
		losses, _ := s.Losses()
		testkit.That(t, st.leaving.steps <= most && losses[model.LossEvicted] != 0,
			"%d threads: %d steps for %d bytes, at most %d", threads, st.leaving.steps, bytes, most)
	}
}

// besideSession makes a session of tracks with frames of which each begins offset + number*each, from
// number first on.
func besideSession(tracks ...[4]int64) *Session {
	s := NewSession()
	for i, t := range tracks {
		def := model.TrackDef{ID: model.TrackID(i)}
		if t[3] != 0 {
			def.Kind = model.TrackGPU
		}
		s.Apply(def)
		for k := range int64(300) {
			number := t[0] + k
			if number%41 == 7 && i > 0 {
				continue // lost
			}
			begin := t[1] + number*t[2]
			s.Append(&model.Batch{Track: def.ID, HasFrame: true, Number: number, Begin: begin, End: begin + t[2]})
		}
	}
	return s
}

// Beside frames there are none of tracks without frames, nor of those that are not there.
func TestFramesBesideNothing(t *testing.T) {
	s := besideSession([4]int64{0, 0, 10, 0})
	s.Apply(model.TrackDef{ID: 1, Kind: model.TrackGPU})
	s.Apply(model.TrackDef{ID: 2})
	for id := range model.TrackID(4) {
		first, last, ok := s.FramesBeside(id, 0, 3, 4)
		testkit.That(t, (ok && first <= last) == (id == 0), "track %d: %d to %d, %v", id, first, last, ok)
	}
}
