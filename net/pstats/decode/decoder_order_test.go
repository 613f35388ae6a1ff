package decode

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/internal/testkit/feedtest"
	"framescope/internal/testkit/pstatstest"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
	"framescope/net/pstats"
	"framescope/net/pstats/sessionfile"
)

// dump writes what a session holds as lines that do not depend on the order of arrival: tracks by
// thread index, call paths by their names.
func dump(s *store.Session) []string {
	var out []string
	var bars []spans.Bar
	var alone []model.CollectorTime
	var levels []model.Level
	path := func(id model.PathID) string {
		var names []string
		for id != model.PathRoot {
			parent, c := s.Path(id)
			names = append(names, fmt.Sprint(c))
			id = parent
		}
		slices.Reverse(names)
		return strings.Join(names, "/")
	}
	for _, tr := range feedtest.Tracks(s) {
		head := fmt.Sprintf("thread %03d", tr.Def.Index)
		out = append(out, fmt.Sprintf("%s %q %d frames %d spans", head, tr.Def.Name, tr.NumFrames(), tr.NumSpans()))
		for k := range tr.NumFrames() {
			alone, levels = s.Frames().Self(tr.Def.ID, k, alone[:0]), s.Frames().Levels(tr.Def.ID, k, levels[:0])
			out = append(out, fmt.Sprintf("%s frame %+v alone %v levels %v", head, tr.Frame(k), alone, levels))
		}
		for lane := range tr.Lanes() {
			bars = s.Spans().Visible(tr.Def.ID, lane, math.MinInt64/2, math.MaxInt64/2, 0, bars[:0])
			for _, b := range bars {
				out = append(out, fmt.Sprintf("%s lane %d %d-%d %s flags %d", head, lane, b.Begin, b.End, path(b.Path), b.Flags))
			}
		}
	}
	slices.Sort(out)
	return out
}

// sessionOfFrames decodes frames in the given order.
func sessionOfFrames(t testing.TB, frames []*pstats.Frame) (*store.Session, [model.NumLossReasons]int64) {
	s, d := decoding()
	for _, f := range frames {
		d.Frame(f, 0)
	}
	d.Close("")
	return s.Session, s.Losses()
}

// decoding returns a decoder and the session that it fills.
func decoding() (*pstatstest.Sink, *Decoder) {
	s := &pstatstest.Sink{Session: store.NewSession()}
	return s, New(s, Options{})
}

// keeping returns a decoder and a sink that keeps its batches.
func keeping() (*pstatstest.Sink, *Decoder) {
	s := &pstatstest.Sink{Keep: true}
	return s, New(s, Options{})
}

// bare is a frame in which nothing runs.
func bare(thread, number int, begin, end float32) *pstats.Frame {
	return &pstats.Frame{Thread: uint16(thread), Number: uint32(number), Events: []pstats.Event{
		{Word: 0, Time: begin}, {Word: pstats.StopBit, Time: end},
	}}
}

// framesOf returns the frames of a capture, thread by thread, in order.
func framesOf(raw *sessionfile.Raw) (out []*pstats.Frame) {
	for _, thread := range raw.ThreadIndices() {
		for _, n := range raw.Numbers(thread) {
			out = append(out, raw.FrameOf(thread, n))
		}
	}
	return out
}

// jumble changes the order of frames so that none moves by more than `window` places of its thread,
// drops some and repeats others.
func jumble(frames []*pstats.Frame, window int, drop, repeat float64, r *rand.Rand) (kept, arrived []*pstats.Frame) {
	type slot struct {
		f  *pstats.Frame
		at float64
	}
	var slots []slot
	for i, f := range frames {
		if r.Float64() < drop {
			continue
		}
		kept = append(kept, f)
		slots = append(slots, slot{f, float64(i) + r.Float64()*float64(window)})
		if r.Float64() < repeat {
			slots = append(slots, slot{f, float64(i) + r.Float64()*float64(window)})
		}
	}
	slices.SortStableFunc(slots, func(a, b slot) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for _, s := range slots {
		arrived = append(arrived, s.f)
	}
	return kept, arrived
}

// TestOrderOfArrival replays captures jumbled, with losses and repetitions, as UDP and TCP together
// do: the session is the same as with the same frames in order.
func TestOrderOfArrival(t *testing.T) {
	for _, name := range []string{"late", "recursion", "levels", "gaps", "threads", "render_gl_gpu"}[:testkit.Rounds(5, 6)] {
		t.Run(name, func(t *testing.T) {
			raw, _ := pstatstest.Raw(t, name, true)
			for seed := range uint64(3) {
				r := rand.New(rand.NewPCG(seed, 1))
				kept, arrived := jumble(framesOf(raw), 10, 0.1*float64(seed), 0.1, r)
				want, _ := sessionOfFrames(t, kept)
				got, lost := sessionOfFrames(t, arrived)
				testkit.That(t, lost == [model.NumLossReasons]int64{}, "losses %v", lost)
				if a, b := dump(want), dump(got); !slices.Equal(a, b) {
					t.Fatalf("seed %d (-in order +jumbled):\n%.2000s", seed, cmp.Diff(a, b))
				}
			}
		})
	}
}

// drawFrames draws a run of frames of two threads with any events, whose times ascend or sometimes
// run backwards.
func drawFrames(t *rapid.T, least uint16) (frames []*pstats.Frame) {
	for thread := range uint16(2) {
		now := float32(1)
		number := uint32(rapid.IntRange(0, 5).Draw(t, "first"))
		for range rapid.IntRange(0, 8).Draw(t, "frames") {
			f := &pstats.Frame{Thread: thread, Number: number}
			number += uint32(rapid.SampledFrom([]int{1, 1, 1, 1, 2, 1000}).Draw(t, "step"))
			whole := rapid.IntRange(0, 3).Draw(t, "whole") > 0
			if whole {
				f.Events = append(f.Events, pstats.Event{Time: now})
			}
			for range rapid.IntRange(0, 16).Draw(t, "events") {
				e := rapid.IntRange(0, 11).Draw(t, "event")
				f.Events = append(f.Events, pstats.Event{Word: least + uint16(e%6) | uint16(e/6)<<15, Time: now})
				now += rapid.SampledFrom([]float32{0, 0.25, 1, 1, 1, -0.5}).Draw(t, "dt")
			}
			if whole {
				f.Events = append(f.Events, pstats.Event{Word: pstats.StopBit, Time: now})
			}
			for i := range rapid.IntRange(0, 2).Draw(t, "levels") {
				f.Levels = append(f.Levels, pstats.Level{Collector: uint16(i), Value: float32(number)})
			}
			frames = append(frames, f)
		}
	}
	return frames
}

// TestOrderOfArrivalRandom does the same with random frames in any permutation; what the panels say of them
// agrees.
func TestOrderOfArrivalRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.Uint16Range(0, 1).Draw(t, "least") // collector
		frames := drawFrames(t, least)
		want, _ := sessionOfFrames(nil, frames)
		what := untrue(want)
		testkit.MustThat(t, least <= 0 || what == "", "%v", what)
		arrived := rapid.Permutation(frames).Draw(t, "arrived")
		if len(arrived) > 0 {
			arrived = append(arrived, rapid.SampledFrom(arrived).Draw(t, "again"))
		}
		if reusesIndex(arrived) {
			t.Skip("looks like an index that is used again")
		}
		got, _ := sessionOfFrames(nil, arrived)
		a, b := dump(want), dump(got)
		testkit.MustThat(t, slices.Equal(a, b), "(-in order +jumbled):\n%.2000s", cmp.Diff(a, b))
	})
}

// reusesIndex tells whether some frame comes after one with a greater number but begins after its
// end: frames whose times run backwards from one to the next.
func reusesIndex(frames []*pstats.Frame) bool {
	for i, f := range frames {
		for _, before := range frames[:i] {
			if f.Thread == before.Thread && f.Number <= before.Number && len(f.Events) > 0 && len(before.Events) > 0 && f.Events[0].Time > before.Events[len(before.Events)-1].Time {
				return true
			}
		}
	}
	return false
}

// TestLateBeyondWindow checks what is too late: it is counted, and changes nothing.
func TestLateBeyondWindow(t *testing.T) {
	s, d := decoding()
	frame := func(n int) *pstats.Frame { return bare(0, n, float32(n), float32(n+1)) }
	for n := 1; n <= pstats.WindowFrames+10; n++ {
		if n != 5 && n != 100 {
			d.Frame(frame(n), 0)
		}
	}
	before := s.Session.Track(0).NumFrames()
	d.Frame(frame(5), 0)
	if n := s.Losses(); n[model.LossLate] != 1 || s.Session.Track(0).NumFrames() != before {
		t.Errorf("losses %v, %d frames after %d", n, s.Session.Track(0).NumFrames(), before)
	}
	published := s.Count
	d.Frame(frame(100), 0)
	if got := s.Session.Track(0).NumFrames(); got != before+1 || s.Losses()[model.LossLate] != 1 {
		t.Errorf("frame 100: %d frames after %d, losses %v", got, before, s.Losses())
	}
	again := s.Count - published
	testkit.That(t, again <= pstats.WindowFrames, "%d batches were published for one late frame", again)
}

// TestLateFramesCost lets every second frame come a thousand frames late, at full speed: late
// frames are published together, so that the work stays a few times that of frames in order, and
// nothing is missing in the end.
func TestLateFramesCost(t *testing.T) {
	const frames, late = 10000, 1000
	var arrived []*pstats.Frame
	frame := func(n int) *pstats.Frame { return bare(0, n, float32(n), float32(n+1)) }
	for n := 0; n < frames+late; n++ {
		if n < frames && n%2 == 0 {
			arrived = append(arrived, frame(n))
		}
		if k := n - late; k >= 0 && k%2 == 1 {
			arrived = append(arrived, frame(k))
		}
	}
	s, d := decoding()
	for _, f := range arrived {
		d.Frame(f, 1)
	}
	d.Close("")
	most := (1+creditPerFrame)*frames + 2*maxCredit + late
	testkit.That(t, s.Count <= most, "%d batches for %d frames, want %d at most", s.Count, frames, most)
	if tr := s.Session.Track(0); tr.NumFrames() != frames || tr.Missing() != 0 || s.Losses() != [model.NumLossReasons]int64{} {
		t.Errorf("%d frames of %d, %d missing, losses %v", tr.NumFrames(), frames, tr.Missing(), s.Losses())
	}
	testkit.That(t, s.Bytes == frames, "%d bytes were counted, want %d", s.Bytes, frames)
}

// TestNumbersThatCountDown sends frames whose numbers descend while their times ascend: they are of
// one thread. What counts from the beginning again is another one.
func TestNumbersThatCountDown(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		tracks  int
	}{
		{[]int{41, 40, 39, 38}, 1}, {[]int{3, 2, 1, 0}, 1}, {[]int{41, 39, 36, 30}, 1},
		{[]int{0, 1, 2, 0, 1, 2, 3}, 2}, {[]int{40, 41, 42, 0, 1}, 2}, {[]int{40, 41, 42, 41, 42, 43}, 2},
	} {
		s, d := decoding()
		for k, n := range c.numbers {
			d.Frame(bare(0, n, float32(k), float32(k)+0.5), 0)
		}
		d.Close("")
		frames := 0
		for _, tr := range feedtest.Tracks(s.Session) {
			frames += tr.NumFrames()
		}
		testkit.That(t, s.Session.NumTracks() == c.tracks && frames == len(c.numbers),
			"%v: %d tracks with %d frames, want %d", c.numbers, s.Session.NumTracks(), frames, c.tracks)
	}
}

// spansOf writes the spans of each batch.
func spansOf(s *pstatstest.Sink) (out []string) {
	for _, b := range s.Batches {
		line := fmt.Sprintf("%d:", b.Number)
		if b.Rewind {
			line = "rewind " + line
		}
		for _, sp := range b.Spans {
			name := ""
			for _, c := range s.Path(sp.Path) {
				if c == 0 {
					name += "F"
				} else {
					name += string(rune('A' + c - 1))
				}
			}
			line += fmt.Sprintf(" %s/%d@%g-%g", name, sp.Lane, float64(sp.Begin)/1e9, float64(sp.End)/1e9)
			for i, mark := range []string{"<", ">", "~", "?", "^"} {
				if sp.Flags&(1<<i) != 0 {
					line += mark
				}
			}
		}
		out = append(out, line)
	}
	return out
}

// TestEvents checks rows, call paths and gluing, and who is charged: the innermost. The acceptance cases are those of
// VIEWER.md section 18.
func TestEvents(t *testing.T) {
	testkit.Blocks(t, "testdata/events.txt", func(_, text string) string {
		s, d := keeping()
		for line := range strings.Lines(text) {
			number, events, _ := strings.Cut(line, ":")
			n := testkit.Must(strconv.ParseUint(number, 10, 32))(t)
			d.Frame(&pstats.Frame{Number: uint32(n), Events: pstatstest.Events(strings.TrimSpace(events))}, 0)
		}
		out := spansOf(s)
		for _, b := range s.Batches {
			alone := "alone:"
			for _, a := range b.Self {
				alone += fmt.Sprintf(" %c=%g/%d", "FABCDEGHI"[a.Collector], float64(a.Ns)/1e9, a.Count)
			}
			out = append(out, alone)
		}
		return strings.Join(out, "\n")
	})
}
