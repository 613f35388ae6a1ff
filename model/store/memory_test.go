package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/messages"
	"framescope/model/spans"
)

// What a session says that it keeps is what was allocated for it, to a tenth, whatever it holds and
// whatever it was asked.
func TestAccountOfMemory(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates, too")
	}
	long := func(i int) string { return fmt.Sprintf("%s %d", strings.Repeat("word ", i%12), i) }
	for _, c := range []struct {
		name string
		fill func(s *Session)
	}{
		{"spans", func(s *Session) {
			g := newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 200, 8)
			g.spansPerFrame = 60
			fill(s, g, 0, 100_000)
		}},
		{"many tracks", func(s *Session) {
			g := newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 200, 5)
			for id := range model.TrackID(150) {
				fill(s, g, id, 400)
			}
		}},
		{"empty tracks", func(s *Session) {
			for id := range model.TrackID(3000) {
				s.Apply(model.TrackDef{ID: id, Name: long(int(id))})
			}
		}},
		{"frames without spans", func(s *Session) {
			for n := range int64(30_000) {
				s.Append(&model.Batch{HasFrame: true, Number: n * 2, Begin: n * 1000, End: n*1000 + 700, Self: []model.CollectorTime{{Collector: 1, Ns: 500, Count: 1}}, Levels: []model.Level{{Collector: 2, Time: n * 1000, Value: float64(n)}}})
			}
			for _, levels := range []bool{false, true} {
				s.Frames().AllStats(0, levels, 0, 29_999, nil)
			}
		}},
		{"messages", func(s *Session) {
			for i := range 20_000 {
				s.Append(&model.Batch{Track: model.TrackID(i % 5), Messages: []model.Message{{Time: int64(i) * 1000, Text: long(i), Category: fmt.Sprint("c", i%50), Object: fmt.Sprint("object ", i%5000)}}})
			}
			s.Messages().Find(messages.Query{Text: "word", Limit: 10}, nil)
		}},
		{"arguments", func(s *Session) {
			s.Apply(model.PathDef{ID: 1, Collector: 1})
			for i := range int32(20_000) {
				b := &model.Batch{Track: model.TrackID(i % 5)}
				b.Spans = []model.Span{{Begin: int64(i) * 100, End: int64(i)*100 + 50, Path: 1, Lane: uint16(i % 3)}}
				for k, v := range []model.ArgValue{model.IntArg(int64(i)), model.TextArg(long(int(i) % 9000)), model.FloatArg(float64(i) / 7)} {
					b.Args = append(b.Args, model.Arg{Key: fmt.Sprint("key ", k+int(i)%30), Value: v})
				}
				s.Append(b)
			}
		}},
		{"locks", func(s *Session) {
			for i := range int64(20_000) {
				b := &model.Batch{Track: model.TrackID(i % 4)}
				for k, kind := range []model.LockKind{model.LockTry, model.LockAcquired, model.LockSignal, model.LockReleased, model.LockWait, model.LockWoken} {
					b.Locks = append(b.Locks, model.LockEvent{Time: i*100 + int64(k)*10, Lock: model.CollectorID(i % 20), Kind: kind})
				}
				s.Append(b)
			}
			s.Locks().Arrows(0, 1e12, nil)
		}},
		{"many locks", func(s *Session) {
			for i := range int64(8000) {
				s.Append(&model.Batch{Track: model.TrackID(i % 4), Locks: []model.LockEvent{{Time: i * 100, Lock: model.CollectorID(i), Kind: model.LockTry}, {Time: i*100 + 10, Lock: model.CollectorID(i), Kind: model.LockAcquired}, {Time: i*100 + 20, Lock: model.CollectorID(i), Kind: model.LockReleased}}})
			}
		}},
		{"samples", func(s *Session) {
			for id := range model.SeriesID(20) {
				s.Apply(model.SeriesDef{ID: id, Track: model.NoTrack, Object: model.NoObject, Name: long(int(id))})
			}
			for i := range int64(100_000) {
				s.Append(&model.Batch{Track: model.NoTrack, Samples: []model.Sample{{Series: model.SeriesID(i % 20), Time: i * 10, Value: float64(i * 7919 % 1000)}}})
			}
			for id := range model.SeriesID(20) {
				s.Series().ByID(id).Stats(0, 1e12)
			}
		}},
		{"many series", func(s *Session) {
			for id := range model.SeriesID(4000) {
				s.Apply(model.SeriesDef{ID: id, Track: model.TrackID(id % 100), Object: model.ObjectID(id), Name: long(int(id)), Group: long(int(id) % 300)})
			}
		}},
		{"stacks", func(s *Session) {
			newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 2000, 9)
			s.Apply(model.SeriesDef{ID: 0, Track: 0, Object: model.NoObject, Role: model.RoleStack})
			s.Apply(model.SeriesDef{ID: 1, Track: 0, Object: model.NoObject, Role: model.RoleCPUTime})
			for i := range int64(60_000) {
				s.Append(&model.Batch{Samples: []model.Sample{{Series: 0, Time: i * 1000, Value: float64(i * 7919 % 2000)}, {Series: 1, Time: i * 1000, Value: float64(i * 500)}}})
			}
			s.Spans().TreeOf(spans.MeasureCPU, []model.TrackID{0}, 0, 1e12, &spans.Tree{})
		}},
		{"collectors and paths", func(s *Session) {
			for c := range model.CollectorID(5000) {
				s.Apply(model.CollectorDef{ID: c, Name: long(int(c)), Parent: c / 3})
			}
			for p := model.PathID(1); p < 25_000; p++ {
				s.Apply(model.PathDef{ID: p, Parent: p / 2, Collector: model.CollectorID(p % 5000)})
			}
			s.Collector(5)
		}},
		{"objects", func(s *Session) {
			for i := range 6000 {
				s.Apply(model.ObjectDef{ID: model.ObjectID(i), Parent: model.ObjectID(i/10 - 1), Name: long(i), Type: "Type"})
				s.Apply(model.LinkDef{ID: model.LinkID(i), From: model.ObjectID(i)})
				s.Apply(model.ResourceDef{ID: model.ResourceID(i), Trace: long(i)})
				for range 3 {
					s.Apply(model.RefEvent{Resource: model.ResourceID(i), Trace: long(i)})
				}
			}
		}},
		{"questions", func(s *Session) {
			g := newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 200, 8)
			g.spansPerFrame = 60
			fill(s, g, 0, 60_000)
			lo, hi, _ := s.Bounds()
			for lane := range s.Track(0).Lanes() {
				s.Spans().Visible(0, lane, lo, hi, (hi-lo)/2000, nil)
			}
			s.Spans().Stats([]model.TrackID{0}, lo, hi, nil)
			s.Frames().AllStats(0, false, 0, 1<<30, nil)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			used := func() int64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				return int64(m.HeapAlloc)
			}
			before := used()
			st := &Store{MemoryLimit: 1 << 30}
			s := st.NewSession()
			c.fill(s)
			st.clock.work = scratch{}
			took, told := used()-before, st.Memory().Total()
			testkit.That(t, told >= took*9/10-20_000 && told <= took*11/10+20_000,
				"%d bytes were allocated, the account says %d: %+v", took, told, st.Memory())
			st.Remove(s)
			if left := st.bytes.Load(); left > 2*columns.SizeOf[Session]() {
				t.Errorf("%d bytes are left of an empty session: %+v", left, s.Memory())
			}
			runtime.KeepAlive(s)
		})
	}
}

// The limit is kept by the pages of the system, and a store that is closed has none.
func TestPagesOfTheSystem(t *testing.T) {
	st := New(4 << 20)
	s := st.NewSession()
	g := newGame(rand.New(rand.NewPCG(1, 1)), s, 30, 200, 8)
	g.spansPerFrame = 60
	for range 20 {
		fill(s, g, 0, 25_000)
		st.EnforceLimit(time.Time{})
		got := st.Memory().Total()
		testkit.MustThat(t, got <= 4<<20, "%d bytes", got)
	}
	testkit.MustThat(t, s.Track(0).Evicted() != 0, "nothing left")
	st.Remove(s)
	testkit.That(t, st.bytes.Load() <= 2*columns.SizeOf[Session](), "%d bytes of a removed session", st.bytes.Load())
	st.Close()
	testkit.Equal(t, st.pool.Idle(), 0, "bytes idle in a closed store")
}

// What has ended leaves first, the oldest data of it before all, and in the end all of it.
func TestEndedSessionsLeaveFirst(t *testing.T) {
	st := &Store{MemoryLimit: 1 << 30}
	var sessions []*Session
	for k := range 40 {
		s := st.NewSession()
		fill(s, newGame(rand.New(rand.NewPCG(3, uint64(k))), s, 12, 40, 6), 0, 500)
		s.Apply(model.End{})
		sessions = append(sessions, s)
	}
	running := st.NewSession()
	g := newGame(rand.New(rand.NewPCG(3, 99)), running, 12, 40, 6)
	fill(running, g, 0, 20_000)
	ended := st.NewSession()
	fill(ended, newGame(rand.New(rand.NewPCG(3, 100)), ended, 12, 40, 6), 0, 20_000)
	ended.Apply(model.End{})
	last := 0
	for range 1000 {
		st.MemoryLimit = st.Memory().Total() - 4096
		if st.MemoryLimit <= 0 || !st.EnforceLimit(time.Now()) && st.over {
			break
		}
		gone := 0
		for k, s := range sessions {
			if s.Track(0).NumFrames() == 0 {
				gone = k + 1
				testkit.MustThat(t, s.Track(0).Evicted() != 0, "frames that left are not told")
			} else {
				break
			}
		}
		for _, s := range sessions[min(gone+1, len(sessions)):] {
			testkit.MustEqual(t, s.Track(0).Evicted(), 0, "a younger session left before an older one")
		}
		testkit.MustThat(t, ended.Track(0).Evicted() <= 0 || gone >= len(sessions),
			"the youngest session left before older ones")
		if running.Track(0).Evicted() > 0 {
			testkit.MustThat(t, ended.Track(0).NumFrames() <= 0, "the running session loses data while an ended one has some")
			last = gone
			break
		}
	}
	testkit.That(t, last == len(sessions) && running.Track(0).NumFrames() != 0,
		"%d sessions left, %d frames of the running one are there", last, running.Track(0).NumFrames())
}

// fill appends frames until the session has stored n spans in all, and returns the frames, of which
// the lanes are yet to be built.
func fill(s *Session, g *game, track model.TrackID, n int) *plainTrack {
	p := &plainTrack{}
	for spans := 0; spans < n; {
		b := g.frame()
		b.Track = track
		s.Append(b)
		spans += len(b.Spans)
		p.frames = append(p.frames, b)
	}
	return p
}

// Of two sessions that go on, the one that takes most pays, down to its half.
func TestWhoTakesMostPays(t *testing.T) {
	st := &Store{MemoryLimit: 2 << 20}
	var sessions []*Session
	var games []*game
	for k := range 2 {
		s := st.NewSession()
		g := newGame(rand.New(rand.NewPCG(3, uint64(k))), s, 12, 40, 6)
		g.spansPerFrame = 50
		sessions, games = append(sessions, s), append(games, g)
	}
	old := fill(sessions[0], games[0], 0, testkit.Rounds(200_000, 400_000))
	st.EnforceLimit(time.Time{})
	testkit.MustThat(t, st.Memory().Total() <= st.MemoryLimit, "%d bytes after the first", st.Memory().Total())
	evicted := sessions[0].Track(0).Evicted()
	testkit.MustThat(t, evicted != 0 && evicted < int64(len(old.frames)), "evicted %d of %d", evicted, len(old.frames))
	young := &plainTrack{}
	for round := range testkit.Rounds(25, 40) {
		young.frames = append(young.frames, fill(sessions[1], games[1], 0, 5000).frames...)
		st.EnforceLimit(time.Time{})
		got := st.Memory().Total()
		testkit.MustThat(t, got <= st.MemoryLimit, "round %d: %d bytes", round, got)
	}
	young.build()
	for k, p := range []*plainTrack{old, young} {
		tr := sessions[k].Track(0)
		n, _ := sessions[k].Losses()
		if tr.Evicted()+int64(tr.NumFrames()) != int64(len(p.frames)) || n[model.LossEvicted] != tr.Evicted() {
			t.Errorf("session %d: %d evicted (%d told), %d stored, of %d", k, tr.Evicted(), n[model.LossEvicted], tr.NumFrames(), len(p.frames))
		}
		var missing int64
		for i := 1; i < len(p.frames); i++ {
			missing += p.frames[i].Number - p.frames[i-1].Number - 1
		}
		testkit.Equal(t, n[model.LossNumbers], missing, "session %d: numbers missing", k)
	}
	a, b := sessions[0].Memory().Total(), sessions[1].Memory().Total()
	share := st.MemoryLimit / 2
	testkit.That(t, min(a, b) >= share-share/8, "one keeps %d bytes, the other %d", a, b)
	checkKept(t, sessions[1], young)
}

// checkKept checks queries over what is left after evictions.
func checkKept(t *testing.T, s *Session, p *plainTrack) {
	t.Helper()
	tr := s.Track(0)
	gone := int(tr.Evicted())
	kept := &plainTrack{frames: p.frames[gone:], lanes: map[int][]plainSpan{}}
	cut := kept.frames[0].Begin
	for n, lane := range p.lanes {
		for _, sp := range lane {
			if sp.end > cut || sp.begin >= cut {
				kept.lanes[n] = append(kept.lanes[n], sp)
			}
		}
	}
	for i, b := range kept.frames {
		if f := tr.Frame(i); f.Number != b.Number || f.Begin != b.Begin || len(s.Frames().Self(0, i, nil)) != len(b.Self) {
			t.Fatalf("frame %d = %+v", i, f)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		t0, t1 := someTime(rt, kept, "t0"), someTime(rt, kept, "t1")
		t0, t1 = max(min(t0, t1), cut), max(t0, t1, cut)
		var tree spans.Tree
		s.Spans().Tree([]model.TrackID{0}, t0, t1, &tree)
		checkFlame(rt, s, []*plainTrack{kept}, []model.TrackID{0}, t0, t1, &tree)
		lane := rapid.IntRange(0, 5).Draw(rt, "lane")
		n := int64(0)
		for _, sp := range kept.lanes[lane] {
			if sp.end >= t0 && sp.begin <= t1 {
				n++
			}
		}
		got := int64(0)
		for _, b := range s.Spans().Visible(0, lane, t0, t1, 0, nil) {
			got += int64(b.Count)
		}
		testkit.MustEqual(rt, got, n, "lane %d in [%d, %d]: spans", lane, t0, t1)
		for _, b := range s.Spans().Visible(0, lane, t0, t1, 30_000, nil) {
			testkit.MustThat(rt, b.End >= t0 && b.Begin <= t1, "bar %+v outside", b)
		}
		first := rapid.IntRange(0, len(kept.frames)-1).Draw(rt, "first")
		var sum int64
		for _, b := range kept.frames[first:] {
			for _, a := range b.Self {
				sum += a.Ns
			}
		}
		st := s.Frames().Stats(0, 0, false, first, tr.NumFrames())
		testkit.MustThat(rt, math.Abs(st.Sum-float64(sum)/1e9) <= 1e-9, "sum %v, want %v", st.Sum, float64(sum)/1e9)
	})
}

func TestEvictionOfSpansWithoutFrames(t *testing.T) {
	st := &Store{MemoryLimit: 1 << 20}
	s := st.NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	at := int64(0)
	for range 2000 {
		b := &model.Batch{}
		for range 100 {
			b.Spans = append(b.Spans, model.Span{Begin: at, End: at + 5, Path: 1})
			b.Levels = append(b.Levels, model.Level{Collector: 2, Time: at, Value: 1})
			at += 10
		}
		b.Messages = []model.Message{{Time: at, Text: strings.Repeat("x", 50)}}
		s.Append(b)
		st.EnforceLimit(time.Time{})
		m := s.Memory()
		testkit.MustThat(t, m.Total() <= st.MemoryLimit, "%+v", m)
	}
	if n := s.Track(0).NumSpans(); n < 10_000 || n > 100_000 {
		t.Errorf("%d spans are left", n)
	}
	n, _ := s.Losses()
	spans, messages := s.Track(0).NumSpans(), int64(len(s.Messages().Of(0, math.MinInt64, math.MaxInt64, nil)))
	testkit.That(t, n[model.LossEvicted]+spans+messages == 202_000,
		"%d evicted, %d spans and %d messages stored", n[model.LossEvicted], spans, messages)
	var strip frames.Strip
	s.Frames().Strip(frames.StripQuery{Focus: 0, Levels: true, T0: at - 1000, T1: at, Columns: 10}, &strip)
	testkit.Equal(t, strip.Columns[9].Net, 1, "%+v", strip.Columns)
}

// Sessions of one store share the memory that questions work in: what one is asked tells nothing of
// what another was asked before.
func TestSessionsAskedInTurn(t *testing.T) {
	st := New(0)
	defer st.Close()
	var sessions, alone [2]*Session
	var games [2]*game
	for k := range sessions {
		sessions[k], alone[k] = st.NewSession(), NewSession()
		games[k] = newGame(rand.New(rand.NewPCG(uint64(k), 1)), sessions[k], 12+30*k, 40, 6)
		newGame(rand.New(rand.NewPCG(uint64(k), 1)), alone[k], 12+30*k, 40, 6) // the same definitions
	}
	ask := func(s *Session, now int64) string {
		var tree spans.Tree
		var strip frames.Strip
		s.Spans().Tree([]model.TrackID{0}, 0, now, &tree)
		s.Frames().Strip(frames.StripQuery{T0: 0, T1: now, Columns: 50, Mode: frames.StripMax}, &strip)
		bands, net := s.Frames().OpenBands(0, 0, 0, 0, false, nil)
		return fmt.Sprint(tree.Nodes, strip.Values, bands, net, s.Spans().Visible(0, 0, 0, now, 1000, nil),
			s.Frames().Stats(0, 1, false, 0, 100), s.Frames().AllStats(0, false, 0, 100, nil), s.Frames().Slowest(0, 0, 400, 9, nil),
			s.Spans().Longest(0, model.NoCollector, -1, 0, now, 9, nil), s.Spans().Stats([]model.TrackID{0}, 0, now, nil))
	}
	for round := range 5 {
		var answers [2]string
		for k, s := range sessions {
			for _, b := range fill(s, games[k], 0, 500).frames {
				alone[k].Append(b)
			}
			answers[k] = ask(s, games[k].now)
		}
		for k, s := range alone {
			want := ask(s, games[k].now)
			testkit.MustThat(t, answers[k] == want,
				"round %d: session %d answers %.300s, alone %.300s", round, k, answers[k], want)
		}
	}
}

// In steady state asking allocates nothing.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(1, 1)), s, 12, 40, 6)
	fill(s, g, 0, 50_000)
	var tree spans.Tree
	var strip frames.Strip
	var bars []spans.Bar
	var bands []frames.Band
	var runs []spans.Run
	var gaps []frames.Gap
	var columns []frames.Bar
	var stats []frames.Stats
	var slow []int
	for name, ask := range map[string]func(){
		"VisibleSpans": func() { bars = s.Spans().Visible(0, 1, 0, g.now, g.now/500, bars[:0]) },
		"FlameTree":    func() { s.Spans().Tree([]model.TrackID{0}, g.now/3, g.now, &tree) },
		"hold":         func() { s.Frames().Strip(frames.StripQuery{T0: 0, T1: g.now, Columns: 500}, &strip) },
		"max": func() {
			s.Frames().Strip(frames.StripQuery{T0: 0, T1: g.now, Columns: 500, Mode: frames.StripMax}, &strip)
		},
		"smooth": func() {
			s.Frames().Strip(frames.StripQuery{T0: 0, T1: g.now, Columns: 500, Mode: frames.StripSmooth}, &strip)
		},
		"levels":     func() { s.Frames().Strip(frames.StripQuery{T0: 0, T1: g.now, Columns: 500, Levels: true}, &strip) },
		"FrameStrip": func() { bands, _ = s.Frames().OpenBands(0, 5, 0, 0, false, bands) },
		"PianoRuns":  func() { runs = s.PianoRuns(0, 5, runs[:0]) },
		"Gaps":       func() { gaps = s.Track(0).Gaps(0, g.now, gaps[:0]) },
		"FrameBars":  func() { columns = s.Frames().Bars(0, 0, 4, 500, columns[:0]) },
		"Slowest":    func() { slow = s.Frames().Slowest(0, 0, 1000, 30, slow[:0]) },
		"Losses":     func() { s.Losses() },
		"SpanAt":     func() { s.Spans().At(0, 1, g.now/2, 100) },
		"NextSpan":   func() { s.Spans().Next(0, 3, g.now/2, 1) },
		"Collector":  func() { s.Collector(3) },
		"Memory":     func() { s.Memory() },
	} {
		ask()
		n := testing.AllocsPerRun(20, ask)
		testkit.That(t, n <= 0, "%s allocates %v times", name, n)
	}
	// Statistics use pooled scratch, which a collection of garbage may empty: almost nothing.
	n := testing.AllocsPerRun(50, func() { stats = s.Frames().AllStats(0, false, 0, 1000, stats[:0]) })
	testkit.That(t, n <= 20, "AllStats allocates %v times", n)
}

// The work for a picture does not grow with the session: a hundred times the spans, at most twice
// the work.
func TestWorkDoesNotGrow(t *testing.T) {
	type work struct{ bars, visible, flame int64 }
	measure := func(n int64) (w work) {
		s := benchSession(n, 1)
		lo, hi, _ := s.Bounds()
		for lane := range s.Track(0).Lanes() {
			w.bars += int64(len(s.Spans().Visible(0, lane, lo, hi, (hi-lo)/200, nil)))
			w.visible += s.Spans().Visited()
		}
		var tree spans.Tree
		s.Spans().Tree([]model.TrackID{0}, lo+(hi-lo)/7, hi-(hi-lo)/9, &tree)
		w.flame = tree.Visited
		return w
	}
	small, big := measure(10_000), measure(1_000_000)
	testkit.That(t, big.visible <= 2*small.visible && big.flame <= 2*small.flame,
		"10,000 spans: %+v; 1,000,000 spans: %+v", small, big)
}

// The frame strip of a whole session (which merges 2^n frames), and its thirty slowest frames, take
// no more than twice the work in eight times the frames (64 times in the long form).
func TestWorkOfFramesDoesNotGrow(t *testing.T) {
	sizes := [2]int{1 << 15, testkit.Rounds(1<<18, 1<<21)}
	var strip, slowest [2]int64
	for i, frames := range sizes {
		s := NewSession()
		for n := range frames {
			length := int64(16e6 + n*7919%1000)
			s.Append(&model.Batch{HasFrame: true, Number: int64(n), Begin: int64(n) * 20e6, End: int64(n)*20e6 + length})
		}
		s.Frames().Bars(0, 0, frames/512, 512, nil)
		strip[i] = s.Frames().Visited()
		s.Frames().Slowest(0, 0, frames-1, 30, nil)
		slowest[i] = s.Frames().Visited()
	}
	testkit.That(t, strip[1] <= 2*strip[0],
		"the frame strip visits %d nodes, in a smaller session %d", strip[1], strip[0])
	testkit.That(t, slowest[1] <= 2*slowest[0],
		"the slowest frames visit %d nodes, in a smaller session %d", slowest[1], slowest[0])
}

// wide appends a frame with a number on each of so many tracks, one after the other.
func wide(s *Session, tracks int, number int64) {
	b := &model.Batch{HasFrame: true, Number: number}
	b.Spans = []model.Span{{Begin: 0, End: 900, Path: 1}, {Begin: 100, End: 500, Path: 1, Lane: 1}}
	b.Self = []model.CollectorTime{{Collector: 1, Ns: 900, Count: 2}}
	for k := range tracks {
		b.Track, b.Begin, b.End = model.TrackID(k), number*1_000_000, number*1_000_000+1000
		b.Spans[0].Begin, b.Spans[0].End = b.Begin, b.End
		b.Spans[1].Begin, b.Spans[1].End = b.Begin+100, b.End-100
		s.Append(b)
	}
}

// A session of very many tracks, with a frame or two on each, is held to its share: its neighbour
// loses nothing, and what left is on the account, also when the tracks go on.
func TestVeryManyTracksPayForThemselves(t *testing.T) {
	tracks := testkit.Rounds(1<<14, 1<<16) // as many as there can be
	limit := int64(tracks) * 1792
	st := &Store{MemoryLimit: limit}
	good, bad := st.NewSession(), st.NewSession()
	good.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	bad.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	for n := range int64(2000) {
		wide(good, 2, n)
	}
	for n := range int64(2) {
		for k := 0; k < tracks; k += 256 { // as the game loop does, between two looks at the limit
			b := &model.Batch{HasFrame: true, Number: 1 + 3*n, Begin: (1 + 3*n) * 1_000_000, End: (1+3*n)*1_000_000 + 1000}
			b.Spans = []model.Span{{Begin: b.Begin, End: b.End, Path: 1}}
			for i := range 256 {
				b.Track = model.TrackID(k + i)
				bad.Append(b)
			}
			for st.EnforceLimit(time.Time{}) {
			}
			total := st.Memory().Total()
			testkit.MustThat(t, total <= limit, "%d bytes in all after %d tracks", total, k)
		}
	}
	if l := good.Ledger(); l.Evicted != 0 || l.Received != 4000 {
		t.Errorf("of the neighbour: %+v", l)
	}
	l := bad.Ledger()
	testkit.That(t, l.Received == int64(2*tracks) && l.Missing == l.Received && l.Evicted != 0 && bad.NumTracks() == tracks,
		"%d tracks: %+v", bad.NumTracks(), l)
	wide(bad, 1, 9)
	tr := bad.Track(0)
	testkit.That(t, tr.NumFrames() != 0 && tr.Frame(tr.NumFrames()-1).Number == 9,
		"the first track has not its newest frame")
}

// What a track with one frame takes, and one that was only defined.
func TestTracksWithLittleAreSmall(t *testing.T) {
	const n = 1000
	s := NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	before := s.Memory().Total()
	for k := range model.TrackID(n) {
		s.Apply(model.TrackDef{ID: k, Name: "x"})
	}
	defined := s.Memory().Total()
	wide(s, n, 1)
	each := (defined - before) / n
	testkit.That(t, each <= 480, "a track without data takes %d bytes", each)
	each = (s.Memory().Total() - before) / n
	testkit.That(t, each <= 5000, "a track with one frame takes %d bytes", each)
}

// A late frame takes back frames of a track that held nothing any more: they count once.
func TestATrackThatLeftComesBack(t *testing.T) {
	st := &Store{MemoryLimit: 1}
	s := st.NewSession()
	s.Apply(model.PathDef{ID: 1, Parent: 0, Collector: 1})
	wide(s, 1, 1)
	wide(s, 1, 4)
	wide(s, 2*leastTracks, 5)
	st.EnforceLimit(time.Time{})
	testkit.MustEqual(t, s.Track(0).NumFrames(), 0, "the first track holds … frames")
	for i, number := range []int64{4, 5, 7} {
		s.Append(&model.Batch{HasFrame: true, Number: number, Begin: number, End: number, Rewind: i == 0})
	}
	tr := s.Track(0)
	got := tr.Evicted() + int64(tr.NumFrames())
	testkit.That(t, got == 4 && tr.Losses()[model.LossNumbers] == 2+1,
		"%d frames, %d missing", got, tr.Losses()[model.LossNumbers])
}

// Each thread has a number that no other has: the source's where it is the first thread with it.
func TestThreadNumbers(t *testing.T) {
	s := NewSession()
	define := func(defs ...model.TrackDef) {
		for _, def := range defs {
			def.ID = model.TrackID(s.NumTracks())
			s.Apply(def)
		}
	}
	define(model.TrackDef{Name: "task", Kind: model.TrackAsync, Index: 7}, model.TrackDef{Name: "a", Index: 7},
		model.TrackDef{Name: "b", Index: 8}, model.TrackDef{Name: "a of another", Index: 7}, model.TrackDef{Name: "none", Index: -1},
		model.TrackDef{Name: "low", Index: 1})
	var x ThreadNumbers
	got := func() (out []int64) {
		for id := range model.TrackID(s.NumTracks()) {
			out = append(out, x.Of(s, id))
		}
		return out
	}
	testkit.EqualSlices(t, got(), []int64{0, 7, 8, 2, 3, 1}, "numbers")
	define(model.TrackDef{Name: "late", Index: 3}, model.TrackDef{Name: "later", Index: 9})
	testkit.EqualSlices(t, got(), []int64{0, 7, 8, 2, 3, 1, 4, 9}, "with two that came later")
	testkit.Equal(t, x.Of(s, 99), -1, "a thread that is not there has number")
}
