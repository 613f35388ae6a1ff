package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"

	"framescope/model/spans"
)

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
		bands, net := s.Frames().Bands(0, 0, 0, false, nil)
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
		"FrameStrip": func() { bands, _ = s.Frames().Bands(0, 5, 0, false, bands) },
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
	t.Logf("10,000 spans: %+v; 1,000,000 spans: %+v", small, big)
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
	t.Logf("%d and %d frames: strip %v, slowest %v nodes", sizes[0], sizes[1], strip, slowest)
	testkit.That(t, strip[1] <= 2*strip[0],
		"the frame strip visits %d nodes, in a smaller session %d", strip[1], strip[0])
	testkit.That(t, slowest[1] <= 2*slowest[0],
		"the slowest frames visit %d nodes, in a smaller session %d", slowest[1], slowest[0])
}
