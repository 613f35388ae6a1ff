package store

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
)

// When frames begin and end, and which touch a time, is told of each of them, in whatever order
// their times are; also once some were taken back.
func TestTimesOfFramesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewSession()
		s.Apply(model.TrackDef{ID: 0, Name: "thread"})
		var list [][2]int64
		add := func(b *model.Batch) { s.Append(b) }
		back := rapid.SampledFrom([]int64{0, 3, 50}).Draw(t, "back")
		at := int64(1000)
		for i := range rapid.IntRange(1, 700).Draw(t, "frames") {
			at += 4 + rapid.Int64Range(-back, 4).Draw(t, "step")
			length := rapid.Int64Range(0, 8).Draw(t, "length")
			list = append(list, [2]int64{at, at + length})
			add(&model.Batch{Track: 0, HasFrame: true, Number: int64(i), Begin: at, End: at + length})
		}
		if keep := rapid.IntRange(1, len(list)).Draw(t, "kept"); keep < len(list) { // the last of these comes anew
			list = list[:keep]
			f := list[keep-1]
			add(&model.Batch{Track: 0, HasFrame: true, Rewind: true, Number: int64(keep - 1), Begin: f[0], End: f[1]})
		}
		first := rapid.IntRange(0, len(list)-1).Draw(t, "first")
		last := rapid.IntRange(first, len(list)-1).Draw(t, "last")
		track := s.Track(0)
		times := func(list [][2]int64) (begin, end int64) {
			begin, end = list[0][0], list[0][1]
			for _, f := range list {
				begin, end = min(begin, f[0]), max(end, f[1])
			}
			return begin, end
		}
		wantBegin, wantEnd := times(list[first : last+1])
		if begin, end, ok := track.FrameTimes(first, last); !ok || begin != wantBegin || end != wantEnd {
			t.Fatalf("frames %d to %d are from %d to %d, want %d to %d", first, last, begin, end, wantBegin, wantEnd)
		}
		wantBegin, wantEnd = times(list)
		if begin, end, ok := track.Bounds(); !ok || begin != wantBegin || end != wantEnd {
			t.Fatalf("bounds %d to %d, want %d to %d", begin, end, wantBegin, wantEnd)
		}
		t0 := rapid.Int64Range(wantBegin-3, wantEnd+3).Draw(t, "t0")
		t1 := rapid.Int64Range(t0, wantEnd+4).Draw(t, "t1")
		var want []frames.Run
		for i, f := range list {
			switch n := len(want); {
			case f[1] <= t0 || f[0] >= t1:
			case n > 0 && want[n-1].Last == i-1:
				want[n-1].Last = i
			default:
				want = append(want, frames.Run{First: i, Last: i})
			}
		}
		testkit.MustEqualSlices(t, track.FramesTouching(t0, t1, nil), want, "[%d, %d) touches", t0, t1)
		wantFirst, wantLast := -1, -2
		for i, f := range list {
			if f[0] >= t0 && f[0] < t1 {
				if wantLast = i; wantFirst < 0 {
					wantFirst = i
				}
			}
		}
		if a, b := track.FramesBeginning(t0, t1); a != wantFirst || b != wantLast {
			t.Fatalf("frames %d to %d begin in [%d, %d), want %d to %d", a, b, t0, t1, wantFirst, wantLast)
		}
		running, latest, begins := -1, -1, beginsInOrder(list)
		for i, f := range list {
			if begins[i] <= t0 {
				latest = i
			}
			if f[0] <= t0 && t0 < f[1] {
				running = i
			}
		}
		if running < 0 {
			running = latest // no number is missing: it is in no gap
		}
		testkit.MustEqual(t, track.FrameCovering(t0), running, "frame … runs at %d", t0)
		testkit.MustEqual(t, track.FrameAt(t0), latest, "frame … is the latest at %d", t0)
	})
}

// beginsInOrder returns when frames count as beginning: see frames/order.go.
func beginsInOrder(list [][2]int64) (out []int64) {
	for i, f := range list {
		begin := f[0]
		if i > 0 && out[i-1] > begin {
			ahead := i
			for ahead > 0 && out[ahead-1] > begin {
				ahead--
			}
			if ahead > 0 && i-ahead < 256 && out[ahead]-out[ahead-1] >= (out[i-1]-out[ahead-1])/2 {
				for k := ahead; k < i; k++ {
					out[k] = begin
				}
			} else {
				begin = out[i-1]
			}
		}
		out = append(out, begin)
	}
	return out
}

// A clock that jumps ahead and comes back: the frames behind the jump are found by their time, those
// of a file that is read in one go and those that are taken back and come again.
func TestClockJumpsAheadAndBack(t *testing.T) {
	for _, ahead := range []int{1, 5, 200} {
		s := NewSession()
		s.Apply(model.PathDef{ID: 1, Collector: 1})
		add := func(i int, rewind bool) {
			begin := int64(i) * 100
			if i >= 50 && i < 50+ahead {
				begin += 1e12
			}
			s.Append(&model.Batch{
				HasFrame: true, Rewind: rewind, Number: int64(i), Begin: begin, End: begin + 90,
				Self:  []model.CollectorTime{{Collector: 1, Ns: 90, Count: 1}},
				Spans: []model.Span{{Begin: begin, End: begin + 90, Path: 1}},
			})
		}
		check := func(when string, n int) {
			t.Helper()
			tr := s.Track(0)
			for i := range n {
				if (i < 50 || i >= 50+ahead) && tr.FrameAt(int64(i)*100+50) != i {
					t.Fatalf("%d ahead, %s: frame %d is found at the time of frame %d", ahead, when, tr.FrameAt(int64(i)*100+50), i)
				}
			}
			var strip frames.Strip
			s.Frames().Strip(frames.StripQuery{Track: 0, T0: int64(n-20) * 100, T1: int64(n) * 100, Columns: 20}, &strip)
			for k, c := range strip.Columns {
				testkit.MustEqual(t, int(c.Frame), n-20+k, "%d ahead, %s: column %d shows frame %d", ahead, when, k, c.Frame)
			}
		}
		n := 100 + ahead
		for i := range n {
			add(i, false)
		}
		check("at first", n)
		for i := 50 + ahead; i < n; i++ { // the jump is the newest, and the clock comes back anew
			add(i, i == 50+ahead)
		}
		check("anew", n)
		add(49, true)
		testkit.MustEqual(t, s.Track(0).FrameAt(49_50), 49, "%d ahead, without the jump: frame", ahead)
	}
}

// Which frame a time is in does not depend on which one is known to be near, and holds as long as is
// said.
func TestFrameNear(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	s := NewSession()
	s.Apply(model.CollectorDef{ID: 0, Name: "App"})
	s.Apply(model.TrackDef{ID: 0, Name: "Main"})
	at := int64(50)
	for n := int64(0); n < 60; n++ {
		if rnd.IntN(4) == 0 {
			n += rnd.Int64N(3)
			at += rnd.Int64N(30)
		}
		end := at + rnd.Int64N(20)
		calls := rnd.Int32N(200)
		s.Append(&model.Batch{
			HasFrame: true, Number: n, Begin: at, End: end,
			Self: []model.CollectorTime{{Collector: 0, Ns: 1, Count: calls}},
		})
		if at = end; rnd.IntN(3) == 0 {
			at += rnd.Int64N(5)
		}
	}
	track := s.Track(0)
	counts := make([]int64, 1)
	for i := range track.NumFrames() {
		counts[0] = 0
		used := s.Frames().CallCounts(0, i, counts, nil)
		a := s.Frames().Self(0, i, nil)
		testkit.That(t, counts[0] == int64(a[0].Count) && len(used) == min(int(a[0].Count), 1),
			"frame %d: %d calls of %v, not %d", i, counts[0], used, a[0].Count)
	}
	for from := int64(0); from < at+50; from++ {
		near := rnd.IntN(track.NumFrames()+4) - 2
		frame, t0, t1 := track.FrameNear(spans.Ref{}, from, near)
		testkit.MustEqual(t, frame, track.FrameOf(spans.Ref{}, from), "at %d from %d", from, near)
		if t0 >= t1 {
			continue
		}
		for k := max(t0, from-60); k < min(t1, at+60); k++ {
			got := track.FrameOf(spans.Ref{}, k)
			testkit.MustThat(t, got == frame, "%d at %d, said to be %d from %d to %d", got, k, frame, t0, t1)
		}
	}
}
