package store

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/columns"
	"framescope/model/frames"
	"framescope/model/spans"
)

// randomSession makes a session of a few tracks, appended in order or with frames that come late,
// and its plain twin.
func randomSession(rt *rapid.T) (*Session, []*plainTrack) { return randomSessions(rt, false)() }

// jumpingSession is one whose frames may overlap, and whose clocks go back.
func jumpingSession(rt *rapid.T) (*Session, []*plainTrack) {
	return randomSessions(rt, rapid.Bool().Draw(rt, "jumps"))()
}

// randomSessions draws a session, and returns what makes it, again and again the same.
func randomSessions(rt *rapid.T, jumps bool) func() (*Session, []*plainTrack) {
	seed := rapid.Uint64().Draw(rt, "seed")
	frames := rapid.IntRange(1, 120).Draw(rt, "frames")
	tracks := rapid.IntRange(1, 3).Draw(rt, "tracks")
	paths := rapid.SampledFrom([]int{1, 3, 30, 400}).Draw(rt, "paths")
	late := rapid.Bool().Draw(rt, "late frames")
	wild := rapid.Bool().Draw(rt, "wild")
	per := rapid.SampledFrom([]int{1, 10, 60}).Draw(rt, "spans per frame")
	return func() (*Session, []*plainTrack) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := NewSession()
		var plain []*plainTrack
		for id := range tracks {
			g := newGame(rand.New(rand.NewPCG(seed, 2)), s, 12, paths, 8)
			g.rng, g.wild, g.jumps, g.spansPerFrame = rng, wild, jumps, per
			p := &plainTrack{}
			for range frames {
				b := g.frame()
				b.Track = model.TrackID(id)
				p.frames = append(p.frames, b)
			}
			p.build()
			plain = append(plain, p)
			appendFrames(s, p.frames, late, rng)
		}
		return s, plain
	}
}

// appendFrames appends frames in order, or so that runs of them are missing at first and come with
// a rewind.
func appendFrames(s *Session, frames []*model.Batch, late bool, rng *rand.Rand) {
	for i := 0; i < len(frames); i++ {
		if !late || rng.IntN(10) > 0 {
			appendSomehow(s, frames[i], rng)
			continue
		}
		// A few frames are late: later ones are stored first, then all come again in order.
		skip := 1 + rng.IntN(3)
		ahead := min(i+skip+rng.IntN(20), len(frames))
		for k := i + skip; k < ahead; k++ {
			appendSomehow(s, frames[k], rng)
		}
		again := *frames[max(i-rng.IntN(30), 0)]
		from := max(slices.IndexFunc(frames, func(b *model.Batch) bool { return b.Number == again.Number }), 0)
		again.Rewind = true
		appendSomehow(s, &again, rng)
		for k := from + 1; k <= i; k++ {
			appendSomehow(s, frames[k], rng)
		}
	}
}

// appendSomehow appends a frame at once or in parts, between which the session is looked at.
func appendSomehow(s *Session, b *model.Batch, rng *rand.Rand) {
	if rng.IntN(2) == 0 {
		s.Append(b)
		return
	}
	for !s.AppendPart(b, 1+rng.IntN(20)) {
		for lane := range s.Track(b.Track).Lanes() {
			s.Spans().Visible(b.Track, lane, b.Begin, b.End, 0, nil)
		}
		s.Spans().Tree([]model.TrackID{b.Track}, b.Begin, b.End, &spans.Tree{})
	}
}

// someRange draws two moments around what a track has, in order.
func someRange(rt *rapid.T, p *plainTrack) (t0, t1 int64) {
	t0, t1 = someTime(rt, p, "t0"), someTime(rt, p, "t1")
	return min(t0, t1), max(t0, t1)
}

// someTime draws a time near something that happened.
func someTime(rt *rapid.T, p *plainTrack, label string) int64 {
	b := p.frames[rapid.IntRange(0, len(p.frames)-1).Draw(rt, label+" frame")]
	return b.Begin + rapid.Int64Range(-3000, b.End-b.Begin+3000).Draw(rt, label+" offset")
}

func TestStoreEqualsPlainSpans(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSession(rt)
		for id, p := range plain {
			tr := s.Track(model.TrackID(id))
			testkit.MustEqual(rt, tr.NumFrames(), len(p.frames), "track %d: frames", id)
			n := int64(0)
			for lane, list := range p.lanes {
				n += int64(len(list))
				var got []plainSpan
				for _, b := range s.Spans().Visible(model.TrackID(id), lane, math.MinInt64, math.MaxInt64, 0, nil) {
					got = append(got, plainSpan{b.Begin, b.End, b.Path, b.Flags, lane, nil})
					for _, m := range s.Spans().Moves(b.Ref, nil) {
						got[len(got)-1].moves = append(got[len(got)-1].moves, plainMove{m.Begin, m.Path})
					}
				}
				testkit.MustSame(rt, got, list, "track %d, lane %d", id, lane)
			}
			testkit.MustEqual(rt, tr.NumSpans(), n, "NumSpans =")
			lo, hi, _ := tr.Bounds()
			testkit.MustThat(rt, lo == p.frames[0].Begin && hi == p.frames[len(p.frames)-1].End, "bounds %d, %d", lo, hi)
			var missing int64
			for i, b := range p.frames {
				f := tr.Frame(i)
				if i > 0 {
					missing += b.Number - p.frames[i-1].Number - 1
				}
				testkit.MustThat(rt, f.Number == b.Number && f.Begin == b.Begin && f.End == b.End, "frame %d = %+v", i, f)
				testkit.MustEqualSlices(rt, s.Frames().Self(model.TrackID(id), i, nil), b.Self, "own times of frame %d", i)
			}
			testkit.MustEqual(rt, tr.Missing(), missing, "missing")
			at := someTime(rt, p, "at")
			want := -1
			for i, b := range p.frames {
				if b.Begin <= at {
					want = i
				}
			}
			testkit.MustEqual(rt, tr.FrameAt(at), want, "FrameAt(%d) =", at)
			checkGaps(rt, tr, p)
		}
	})
}

func checkGaps(rt *rapid.T, tr *Track, p *plainTrack) {
	a, b := someTime(rt, p, "gap from"), someTime(rt, p, "gap to")
	a, b = min(a, b), max(a, b)
	var want []frames.Gap
	for i := 1; i < len(p.frames); i++ {
		x, y := p.frames[i-1], p.frames[i]
		if y.Number > x.Number+1 && x.End <= b && y.Begin >= a {
			want = append(want, frames.Gap{FirstNumber: x.Number + 1, LastNumber: y.Number - 1, Begin: x.End, End: y.Begin})
		}
	}
	testkit.MustEqualSlices(rt, tr.Gaps(a, b, nil), want, "gaps")
	first, last := rapid.IntRange(-1, len(p.frames)).Draw(rt, "first"), rapid.IntRange(-1, len(p.frames)).Draw(rt, "last")
	least, at := rapid.Int64Range(1, 4).Draw(rt, "least"), -1
	for i := max(first, 0) + 1; i <= min(last, len(p.frames)-1); i++ {
		if p.frames[i].Number-p.frames[i-1].Number > least {
			at = i
		}
	}
	got, ok := tr.LastGap(first, last, least)
	testkit.MustThat(rt, ok == (at >= 0) && (!ok || got == at),
		"the last gap of %d in frames %d to %d is before %d, %v; want %d", least, first, last, got, ok, at)
}

// someTracks draws tracks of a session, the first of them always.
func someTracks(rt *rapid.T, n int) (tracks []model.TrackID) {
	for id := range model.TrackID(n) {
		if id == 0 || rapid.Bool().Draw(rt, "use track") {
			tracks = append(tracks, id)
		}
	}
	return tracks
}

func TestFlameTreeEqualsPlainScan(t *testing.T) {
	var tree spans.Tree
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := jumpingSession(rt)
		tracks := someTracks(rt, len(plain))
		for range 4 {
			t0, t1 := someRange(rt, plain[0])
			s.Spans().Tree(tracks, t0, t1, &tree)
			checkFlame(rt, s, plain, tracks, t0, t1, &tree)
		}
	})
}

func checkFlame(rt *rapid.T, s *Session, plain []*plainTrack, tracks []model.TrackID, t0, t1 int64, tree *spans.Tree) {
	total, count := map[model.PathID]int64{}, map[model.PathID]int64{}
	for _, id := range tracks {
		for _, lane := range plain[id].lanes {
			for _, sp := range lane {
				sp.parts(t0, t1, func(path model.PathID, ns, n int64) { total[path] += ns; count[path] += n })
			}
		}
	}
	checkTree(rt, s, total, count, tree)
}

// checkTree compares a tree with what ran, by call path.
func checkTree(rt failer, s *Session, total, count map[model.PathID]int64, tree *spans.Tree) {
	rt.Helper()
	for p := model.PathID(s.Paths().Len() - 1); p > 0; p-- { // callers cover their callees
		if _, ok := total[p]; !ok {
			continue
		}
		var below int64
		for q := range total {
			if parent, _ := s.Path(q); parent == p {
				below += total[q]
			}
		}
		total[p] = max(total[p], below)
		if parent, _ := s.Path(p); parent != 0 {
			total[parent] += 0
		}
	}
	testkit.MustEqual(rt, len(tree.Nodes), len(total), "nodes")
	for i, n := range tree.Nodes {
		testkit.MustThat(rt, n.Total == total[n.Path] && (count == nil || n.Count == count[n.Path]),
			"path %d: %d ns, %d spans; want %d, %d", n.Path, n.Total, n.Count, total[n.Path], count[n.Path])
		self := n.Total
		before := model.CollectorID(-1)
		for k := i + 1; k < len(tree.Nodes); k++ {
			if m := tree.Nodes[k]; m.Parent == int32(i) {
				self -= m.Total
				testkit.MustThat(rt, m.Collector >= before && m.Depth == n.Depth+1, "children of node %d are out of order", i)
				before = m.Collector
			}
		}
		testkit.MustEqual(rt, n.Self, self, "path %d: self", n.Path)
		parent, c := s.Path(n.Path)
		if c != n.Collector || n.Parent >= 0 && (tree.Nodes[n.Parent].Path != parent || n.Parent >= int32(i)) || n.Parent < 0 && parent != 0 {
			rt.Fatalf("node %d: %+v", i, n)
		}
	}
}

func TestVisibleSpansEqualPlainScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := jumpingSession(rt)
		p := plain[0]
		lane := rapid.IntRange(0, 3).Draw(rt, "lane")
		list := p.lanes[lane]
		minNs := rapid.SampledFrom([]int64{0, 1, 2, 700, 5000, 100_000, 3e6, 1e12}).Draw(rt, "minNs")
		t0, t1 := someRange(rt, p)
		whole := s.Spans().Visible(0, lane, math.MinInt64, math.MaxInt64, minNs, nil)
		checkBars(rt, s, list, whole, minNs)
		part := s.Spans().Visible(0, lane, t0, t1, minNs, nil)
		// Panning does not change the bars: a part of the whole is that part of it.
		var want []spans.Bar
		for _, b := range whole {
			if b.End >= t0 && b.Begin <= t1 {
				want = append(want, b)
			}
		}
		testkit.MustEqualSlices(rt, part, want, "[%d, %d] by %d", t0, t1, minNs)
	})
}

// checkBars checks the bars of a whole lane.
func checkBars(rt *rapid.T, s *Session, list []plainSpan, bars []spans.Bar, minNs int64) {
	at := 0
	for i, b := range bars {
		testkit.MustThat(rt, at+int(b.Count) <= len(list) && b.Ref.Index == int64(at),
			"bar %d: %+v does not begin at span %d", i, b, at)
		run := list[at : at+int(b.Count)]
		at += int(b.Count)
		testkit.MustThat(rt, b.Begin == run[0].begin && b.End == run[len(run)-1].end, "bar %d: %+v", i, b)
		if len(run) == 1 {
			testkit.MustThat(rt, b.Busy == 1 && b.Path == run[0].path && b.Flags == run[0].flags, "bar %d: %+v", i, b)
			continue
		}
		testkit.MustThat(rt, b.End-b.Begin < 2*minNs, "bar %d is %d long", i, b.End-b.Begin)
		var busy int64
		by := map[model.PathID]int64{}
		for _, sp := range run {
			testkit.MustThat(rt, sp.end-sp.begin < minNs, "bar %d swallowed a span of %d", i, sp.end-sp.begin)
			busy += sp.end - sp.begin
			by[sp.path] += sp.end - sp.begin
		}
		testkit.MustThat(rt, b.End <= b.Begin || math.Abs(float64(b.Busy)-float64(busy)/float64(b.End-b.Begin)) <= 1e-6,
			"bar %d: busy %v of %d in %d", i, b.Busy, busy, b.End-b.Begin)
		_, ok := by[b.Path]
		testkit.MustThat(rt, ok, "bar %d: path %d is none of it", i, b.Path)
		for path, ns := range by {
			testkit.MustThat(rt, len(by) > 32 || len(run) >= 1<<columns.BlockShift || ns <= by[b.Path],
				"bar %d: path %d with %d dominates, not %d with %d of %d", i, path, ns, b.Path, by[b.Path], busy)
		}
		_, c := s.Path(b.Path)
		testkit.MustThat(rt, c == b.Collector, "bar %d: collector %d", i, b.Collector)
	}
	testkit.MustEqual(rt, at, len(list), "%d of %d spans in bars", at, len(list))
}

func TestSpanSearchEqualsPlainScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := jumpingSession(rt)
		p := plain[0]
		c := model.CollectorID(rapid.IntRange(0, 11).Draw(rt, "collector"))
		at := someTime(rt, p, "at")
		next, previous := int64(math.MaxInt64), int64(math.MinInt64)
		for _, lane := range p.lanes {
			for _, sp := range lane {
				if _, of := s.Path(sp.path); of != c {
					continue
				}
				if sp.begin > at {
					next = min(next, sp.begin)
				}
				if sp.begin < at {
					previous = max(previous, sp.begin)
				}
			}
		}
		if b, ok := s.Spans().Next(0, c, at, 1); ok != (next != math.MaxInt64) || ok && (b.Begin != next || b.Collector != c) {
			rt.Fatalf("next from %d: %+v, %v; want %d", at, b, ok, next)
		}
		if b, ok := s.Spans().Next(0, c, at, -1); ok != (previous != math.MinInt64) || ok && (b.Begin != previous || b.Collector != c) {
			rt.Fatalf("previous from %d: %+v, %v; want %d", at, b, ok, previous)
		}
		lane := rapid.IntRange(0, 3).Draw(rt, "lane")
		slop := rapid.Int64Range(0, 2000).Draw(rt, "slop")
		best := int64(math.MaxInt64)
		for _, sp := range p.lanes[lane] {
			best = min(best, max(sp.begin-at, at-sp.end, 0))
		}
		b, ok := s.Spans().At(0, lane, at, slop)
		testkit.MustThat(rt, ok == (best <= slop) && (!ok || max(b.Begin-at, at-b.End, 0) == best),
			"at %d within %d: %+v, %v; want one %d away", at, slop, b, ok, best)
	})
}

// A rewind deeper than the undo log.
func TestDeepRewind(t *testing.T) {
	s, straight := NewSession(), NewSession()
	rng := rand.New(rand.NewPCG(5, 5))
	g := newGame(rng, s, 12, 40, 6)
	newGame(rand.New(rand.NewPCG(5, 5)), straight, 12, 40, 6)
	p := &plainTrack{}
	for range 3 * columns.UndoFrames {
		p.frames = append(p.frames, g.frame())
	}
	p.build()
	for _, b := range p.frames {
		s.Append(b)
		straight.Append(b)
	}
	// At a frame that begins later than the one before it ended: an instant at a common border can't
	// be told apart by time.
	at := 100
	for p.frames[at].Begin == p.frames[at-1].End || len(p.frames[at].Spans) == 0 || p.frames[at].Spans[0].Flags&model.SpanContinues == 0 {
		at++
	}
	again := *p.frames[at]
	again.Rewind = true
	s.Append(&again)
	testkit.MustEqual(t, s.Track(0).NumFrames(), at+1, "frames after the rewind")
	for _, b := range p.frames[at+1:] {
		s.Append(b)
	}
	for lane := range s.Track(0).Lanes() {
		got, want := s.Spans().Visible(0, lane, 0, math.MaxInt64, 0, nil), straight.Spans().Visible(0, lane, 0, math.MaxInt64, 0, nil)
		testkit.EqualSlices(t, got, want, "lane %d", lane)
	}
	m, w := s.Track(0).Missing(), straight.Track(0).Missing()
	testkit.That(t, m == w, "missing %d, want %d", m, w)
}

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

// checkFrames compares the call trees of the frames [first, last] of a track with those of the
// plain store, where they are at skip later.
func checkFrames(t failer, s *Session, id model.TrackID, p *plainTrack, first, last, skip int) {
	t.Helper()
	var tree spans.Tree
	total, count := map[model.PathID]int64{}, map[model.PathID]int64{}
	add := func(path model.PathID, ns, n int64) {
		if path != model.PathRoot {
			total[path] += ns
			count[path] += n
		}
	}
	left := func(lane, span int) bool {
		first, _ := s.Spans().Kept(id, lane)
		return int64(span) < first && p.began[lane][span] < skip
	}
	of := s.Track(id)
	all := of.CountedFrames(first, last) == int64(last-first+1) // none is a stop, or all are
	for i := first; i <= last; i++ {
		if all || !of.Stopped(i) {
			p.inFrame(i+skip, left, add)
		}
	}
	if first < last {
		count = nil // one stretch of frames counts once what goes on through them
	}
	s.FrameTree([]model.TrackID{id}, id, first, last, &tree)
	checkTree(t, s, total, count, &tree)
}

// The total of a frame is of what came with it, also where frames overlap, where a clock goes back
// and where frames come late.
func TestFramesThatOverlapEqualPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSessions(rt, true)()
		for id, p := range plain {
			for range 6 {
				i := rapid.IntRange(0, len(p.frames)-1).Draw(rt, "frame")
				checkFrames(rt, s, model.TrackID(id), p, i, i, 0)
				k := rapid.IntRange(i, len(p.frames)-1).Draw(rt, "last")
				checkFrames(rt, s, model.TrackID(id), p, i, k, 0)
			}
		}
	})
}

// What ran in a span is what came with the same frames: the spans in it that count below it.
func TestSpanTreesOfFramesThatOverlap(t *testing.T) {
	var tree spans.Tree
	rapid.Check(t, func(rt *rapid.T) {
		s, plain := randomSessions(rt, true)()
		p := plain[0]
		var refs []spans.Ref
		for lane := range s.Track(0).Lanes() {
			for i := range p.lanes[lane] {
				refs = append(refs, spans.Ref{Lane: uint16(lane), Index: int64(i)})
			}
		}
		for range min(len(refs), 8) {
			r := rapid.SampledFrom(refs).Draw(rt, "span")
			sp := p.lanes[int(r.Lane)][r.Index]
			total := map[model.PathID]int64{}
			for _, added := range p.added {
				x := added[[2]int{int(r.Lane), int(r.Index)}]
				if x == nil {
					continue
				}
				for key, y := range added {
					from, to := max(x.from, y.from), min(x.to, y.to)
					if to > from && sp.end > sp.begin {
						p.lanes[key[0]][key[1]].split(from, to, func(path model.PathID, ns, _ int64) { total[path] += ns })
					}
				}
			}
			s.Spans().SpanTree(r, sp.begin, sp.end, &tree)
			tree.Nodes = slices.DeleteFunc(tree.Nodes, func(n spans.Node) bool { return n.Total == 0 })
			checkTotals(rt, s, total, &tree)
			if b, ok := s.Spans().Caller(r); ok {
				up, _ := s.Path(sp.path)
				if caller := p.lanes[int(b.Ref.Lane)][b.Ref.Index]; caller.begin > sp.begin || caller.end < sp.begin || up == model.PathRoot || int(b.Ref.Lane) >= int(r.Lane) {
					rt.Fatalf("the caller of %+v is %+v", sp, caller)
				}
			}
			k, i := p.began[int(r.Lane)][r.Index], s.Track(0).FrameOf(r, sp.begin)
			some := p.added[p.sequence[k]][[2]int{int(r.Lane), int(r.Index)}].to > sp.begin
			testkit.MustThat(rt, !some || i < 0 || p.sequence[i] == p.sequence[k],
				"span %+v is of frame %d, not %d", sp, k, i)
		}
	})
}

// checkTotals compares the times of a tree with what ran, by call path: a caller takes at least
// what its callees do.
func checkTotals(t failer, s *Session, total map[model.PathID]int64, tree *spans.Tree) {
	t.Helper()
	for p := model.PathID(s.Paths().Len() - 1); p > 0; p-- {
		below := int64(0)
		for q, ns := range total {
			if up, _ := s.Path(q); up == p {
				below += ns
			}
		}
		if total[p] = max(total[p], below); total[p] == 0 {
			delete(total, p)
		}
	}
	delete(total, model.PathRoot)
	testkit.MustEqual(t, len(tree.Nodes), len(total), "paths")
	for _, n := range tree.Nodes {
		testkit.MustEqual(t, n.Total, total[n.Path], "path %d: ns", n.Path)
	}
}

// A span that goes on through the whole session and counts for another call path in every frame
// costs each frame no more than the one before: were all that came before looked at, this would not
// end.
func TestSpanThatMovesInEveryFrame(t *testing.T) {
	const frames = 70_000
	s := NewSession()
	for c := model.CollectorID(1); c <= 2; c++ {
		s.Apply(model.CollectorDef{ID: c, Name: "c"})
		s.Apply(model.PathDef{ID: model.PathID(c), Collector: c})
	}
	for n := range int64(frames) {
		sp := model.Span{Begin: n * 10, End: n*10 + 10, Path: model.PathID(1 + n&1), Flags: model.SpanOpenEnd}
		if n > 0 {
			sp.Flags |= model.SpanContinues | model.SpanMoves
		}
		s.Append(&model.Batch{HasFrame: true, Number: n, Begin: n * 10, End: n*10 + 10, Spans: []model.Span{sp}})
	}
	bars := s.Spans().Visible(0, 0, 0, frames*10, 1, nil)
	testkit.MustThat(t, len(bars) == 1 && bars[0].Begin == 0 && bars[0].End == frames*10, "bars %+v", bars)
	var moves []spans.Move
	moves = s.Spans().Moves(bars[0].Ref, moves)
	testkit.That(t, len(moves) == frames-1, "%d moves, want %d", len(moves), frames-1)
	var tree spans.Tree
	s.Spans().Tree([]model.TrackID{0}, 0, frames*10, &tree)
	testkit.That(t, len(tree.Nodes) == 2 && tree.Nodes[0].Self == frames*5 && tree.Nodes[1].Self == frames*5,
		"%+v", tree.Nodes)
}
