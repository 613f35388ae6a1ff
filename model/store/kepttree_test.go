package store

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/spans"
)

// A tree that is asked for again, of a range that moved, of other threads, of a session that went on,
// of which frames were taken back or have left, is the one that is made anew.
func TestTreeThatWasAskedForBefore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		rng := rand.New(rand.NewPCG(seed, 1))
		st := &Store{MemoryLimit: 1 << 20}
		s := st.NewSession()
		const threads = 3
		var games [threads]*game
		var sent [threads][]*model.Batch
		for id := range games {
			games[id] = newGame(rand.New(rand.NewPCG(seed, 2)), s, 12, 1+rng.IntN(60), 8)
			games[id].rng, games[id].jumps, games[id].spansPerFrame = rng, rng.IntN(4) == 0, 1+rng.IntN(60)
		}
		apart := []int{1, 5, 1 << 30}[rng.IntN(3)] // after how many frames is a time without one
		var kept, keptFrames spans.Tree
		lo, hi := int64(0), int64(1)
		first, last := 0, 0
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			id := rng.IntN(threads)
			switch what := rng.IntN(10); {
			case what < 4:
				for range 1 + rng.IntN(20) {
					b := games[id].frame()
					if rng.IntN(apart) == 0 {
						games[id].now += rng.Int64N(5000)
					}
					b.Track = model.TrackID(id)
					sent[id] = append(sent[id], b)
					s.Append(b)
				}
			case what == 4 && len(sent[id]) > 0:
				from := rng.IntN(len(sent[id]))
				for i, b := range sent[id][from:] {
					again := *b
					again.Rewind = i == 0
					s.Append(&again)
				}
			case what == 5:
				st.MemoryLimit = max(st.Bytes()*3/4, 1)
				st.EnforceLimit(time.Time{})
				st.MemoryLimit = 1 << 30
			case what == 6:
				begin, end, _ := s.Bounds()
				lo = begin + rng.Int64N(end-begin+1)
				hi = lo + rng.Int64N(end-lo+2)
			default:
				_, end, _ := s.Bounds()
				width := max(end/50, 1)
				lo, hi = lo+rng.Int64N(2*width)-width, hi+rng.Int64N(2*width)-width
			}
			tracks := []model.TrackID{0, 1, 2}[:1+rng.IntN(threads)]
			if rng.IntN(3) > 0 {
				tracks = []model.TrackID{0, 1, 2}
			}
			var anew spans.Tree
			kept := &kept
			if n := numFrames(s, 0); n > 0 && rng.IntN(2) == 0 {
				if rng.IntN(4) > 0 {
					first, last = first+rng.IntN(7)-3, last+rng.IntN(7)-3
				} else {
					first, last = rng.IntN(n), n-rng.IntN(5)
				}
				first = max(min(first, n-1), 0)
				last = max(min(last, n-1), first)
				if rng.IntN(4) > 0 {
					kept = &keptFrames
				}
				s.FrameTree(tracks, 0, first, last, kept)
				s.FrameTree(tracks, 0, first, last, &anew)
				testkit.MustEqual(rt, anew.Total, stretched(s, tracks, first, last), "frames %d to %d: ns", first, last)
			} else {
				s.Spans().Tree(tracks, lo, hi, kept)
				s.Spans().Tree(tracks, lo, hi, &anew)
			}
			diff := cmp.Diff(anew.Nodes, kept.Nodes, cmpopts.EquateEmpty())
			testkit.MustThat(rt, diff == "" && anew.Total == kept.Total,
				"total %d, anew %d:\n%s", kept.Total, anew.Total, diff)
		}
	})
}

// numFrames returns how many frames of a track there are.
func numFrames(s *Session, id model.TrackID) int {
	if t := s.Track(id); t != nil {
		return t.NumFrames()
	}
	return 0
}

// stretched returns what ran in frames of track 0, stretch by stretch.
func stretched(s *Session, tracks []model.TrackID, first, last int) int64 {
	var tree spans.Tree
	s.addFrames(tracks, 0, first, last, false, tree.Begin(s.Paths()))
	tree.Finish(s.Paths())
	return tree.Total
}

// While a run of frames that time lies between is dragged, frame after frame, a tree costs the frames
// that came and went, whatever many it is of, and allocates nothing.
func TestWorkOfFramesThatAreDragged(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(1, 2)), s, 12, 40, 8)
	for range 2000 {
		s.Append(g.frame())
		g.now += 500
	}
	var kept, anew spans.Tree
	inside := s.FrameTotals(0, 100, 1500, &kept, nil)
	s.FrameTotals(0, 100, 1500, &anew, nil)
	testkit.MustThat(t, anew.Visited >= 1400, "%d visited of 1,400 frames", anew.Visited)
	step := 0
	drag := func() {
		step++
		inside = s.FrameTotals(0, 100+step%3, 1500+step%100, &kept, inside[:0])
	}
	for range 300 {
		drag()
		// The edges are two frames and the change at most 101, where it goes back, else a few.
		most := int64(40 + 10*30)
		if step%100 == 0 {
			most += 100 * 30
		}
		testkit.MustThat(t, kept.Visited <= most, "step %d: %d visited, at most %d expected", step, kept.Visited, most)
	}
	n := testing.AllocsPerRun(300, drag)
	testkit.That(t, n <= 0, "%v allocations a step", n)
	s.FrameTotals(0, 3, 5, &kept, nil)
	testkit.That(t, kept.Visited <= 3*30+40, "few frames after many: %d visited", kept.Visited)
}

// While one edge of a range is dragged, a tree costs what the edge passes, and no more than a tree
// anew where it jumps.
func TestWorkOfTreeThatMoves(t *testing.T) {
	s := NewSession()
	g := newGame(rand.New(rand.NewPCG(1, 2)), s, 12, 40, 8)
	g.spansPerFrame = 100
	for range 500 {
		s.Append(g.frame())
	}
	lo, hi, _ := s.Bounds()
	var kept, anew spans.Tree
	s.Spans().Tree([]model.TrackID{0}, lo, (lo+hi)/2, &kept)
	for step := range int64(100) {
		t1 := (lo+hi)/2 + step*(hi-lo)/10_000
		s.Spans().Tree([]model.TrackID{0}, lo, t1, &kept)
		// A hundredth of a percent is five spans, and there are as many call paths as are kept.
		most := int64(40 + 8*2 + 100)
		testkit.MustThat(t, kept.Visited <= most, "step %d: %d visited, at most %d expected", step, kept.Visited, most)
	}
	s.Spans().Tree([]model.TrackID{0}, lo+(hi-lo)/3, hi-(hi-lo)/3, &kept)
	s.Spans().Tree([]model.TrackID{0}, lo+(hi-lo)/3, hi-(hi-lo)/3, &anew)
	testkit.That(t, kept.Visited <= 3*anew.Visited, "a jump visited %d, anew %d", kept.Visited, anew.Visited)
}

// A walk over a session in any steps gives the same bars as questions that nothing is kept of.
func TestKeptBarsAreTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		make := randomSessions(rt, false)
		s, plain := make()
		twin, _ := make()
		p := plain[0]
		var got, want []spans.Bar
		lanes := s.Track(0).Lanes()
		if lanes == 0 || len(p.frames) == 0 {
			return
		}
		minNs := int64(1)
		t0, t1 := someRange(rt, p)
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			switch rapid.IntRange(0, 14).Draw(rt, "step") {
			case 0:
				minNs = rapid.SampledFrom([]int64{0, 1, 100, 5000, 50_000, 1 << 30}).Draw(rt, "least")
			case 1:
				t0, t1 = someRange(rt, p)
			case 2:
				if n := s.Track(0).NumFrames(); n > 0 { // the last frame anew, without spans
					f := s.Track(0).Frame(n - 1)
					for _, s := range []*Session{s, twin} {
						s.Append(&model.Batch{HasFrame: true, Number: f.Number, Begin: f.Begin, End: f.End, Rewind: true})
					}
				}
			case 10, 11, 12, 13: // more frames, of spans of any length, that go on and end again
				for range rapid.SampledFrom([]int{1, 1, 1, 10}).Draw(rt, "frames") {
					b := moreSpans(rt, s)
					s.Append(b)
					twin.Append(b)
				}
				if _, end, ok := s.Bounds(); ok && rapid.Bool().Draw(rt, "follow") {
					t0, t1 = end-(t1-t0), end
				}
			case 3:
				d := (t1 - t0) / 5
				t0, t1 = t0+d, t1-d
			case 4:
				d := (t1 - t0) / 5
				t0, t1 = t0-d, t1+d
			default:
				d := (t1 - t0 + 1) * rapid.Int64Range(-9, 9).Draw(rt, "pan") / 20
				t0, t1 = t0+d, t1+d
			}
			lane := rapid.IntRange(0, lanes-1).Draw(rt, "lane") % 2
			got = s.Spans().Visible(0, lane, t0, t1, minNs, got[:0])
			twin.spans.DropAnswers()
			want = twin.Spans().Visible(0, lane, t0, t1, minNs, want[:0])
			testkit.MustEqualSlices(rt, got, want, "[%d, %d] at %d ns", t0, t1, minNs)
		}
	})
}

// moreSpans is a frame behind the last one, of spans in the first lanes.
func moreSpans(rt *rapid.T, s *Session) *model.Batch {
	b := &model.Batch{HasFrame: true}
	if n := s.Track(0).NumFrames(); n > 0 {
		f := s.Track(0).Frame(n - 1)
		b.Number, b.Begin = f.Number+1, f.End
	}
	at := b.Begin
	holes, lengths := []int64{0, 1, 40, 3000}, []int64{0, 1, 70, 900, 60_000}
	dense := rapid.IntRange(1, 4).Draw(rt, "dense") // many spans in the time of one bar, or few
	for range rapid.IntRange(0, 20).Draw(rt, "spans") {
		at += rapid.SampledFrom(holes[:dense]).Draw(rt, "hole")
		end := at + rapid.SampledFrom(lengths[:dense+1]).Draw(rt, "length")
		sp := model.Span{Lane: uint16(rapid.IntRange(0, 1).Draw(rt, "lane")), Begin: at, End: end, Path: 1}
		if rapid.IntRange(0, 3).Draw(rt, "goes on") == 0 {
			sp.Flags = model.SpanContinues
		}
		b.Spans = append(b.Spans, sp)
		b.End = max(b.End, end)
		if sp.Lane == 0 {
			at = end
		}
	}
	b.End = max(b.End, b.Begin)
	return b
}
