package decode

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/net/pstats"
	"framescope/net/pstats/gen"
	"framescope/net/pstats/pstatstest"
)

// passes is what decodes a thread, with the short way or without.
type passes struct {
	d     Decoder
	state nestState
	trail trail
	paths []model.PathDef
}

func newPasses() *passes {
	p := &passes{}
	p.state.number = model.NoFrame
	p.d.ignore = -1
	p.d.nest.setIntern(&pathIntern{define: func(def model.PathDef) { p.paths = append(p.paths, def) }}, true)
	return p
}

func (p *passes) run(number int64, events []pstats.Event, fast bool) (model.Batch, bool) {
	var b model.Batch
	if fast && p.d.nest.runFast(&p.state, &p.trail, number, events, p.d.ignore, &b) {
		return b, true
	}
	th := newThread(0)
	th.state = p.state
	p.d.runPasses(th, &rawFrame{number: number, events: events}, false, &b)
	p.state = th.state
	return b, false
}

// usedLanes leaves out lanes at the end that are free from the beginning, which makes no
// difference.
func usedLanes(endNs []int64) []int64 {
	for len(endNs) > 0 && endNs[len(endNs)-1] == 0 {
		endNs = endNs[:len(endNs)-1]
	}
	return endNs
}

// TestFastWalkEqualsPasses compares the walk over well-nested frames with the two passes that
// decode any frame, over random frames most of which are nearly well nested.
func TestFastWalkEqualsPasses(t *testing.T) {
	fastFrames, resumed, followed, left := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		short, full := newPasses(), newPasses()
		number := int64(0)
		sec := float32(0)
		collectors := rapid.SampledFrom([]int{2, 6, 300}).Draw(t, "collectors")
		ticks := rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "ticks") // many events at the same time if small
		var open []uint16
		var kept []uint16 // the words of an earlier frame: those after it mostly do the same, up to a point
		for range rapid.IntRange(1, 9).Draw(t, "frames") {
			number += int64(rapid.SampledFrom([]int{1, 1, 1, 1, 1, 1, 2}).Draw(t, "step"))
			oddity := rapid.SampledFrom([]int{0, 1, 2, 3, 4, 4, 4, 4, 4, 4}).Draw(t, "oddity")
			var events []pstats.Event
			if oddity == 4 { // what is open goes on below a new frame, and the frame ends below what is open
				events = append(events, pstats.Event{Time: sec})
				for k := rapid.IntRange(0, len(open)).Draw(t, "end"); k > 0; k-- {
					sec += float32(rapid.IntRange(0, ticks).Draw(t, "dt")) / 1024
					events = append(events, pstats.Event{Word: open[len(open)-1] | pstats.StopBit, Time: sec})
					open = open[:len(open)-1]
				}
			}
			borders := oddity == 4
			if !borders && (oddity > 0 || rapid.Bool().Draw(t, "whole")) {
				open = open[:0]
			}
			if !borders && len(open) == 0 && rapid.IntRange(0, 3).Draw(t, "again") > 0 {
				for _, word := range kept[:rapid.IntRange(0, len(kept)).Draw(t, "up to")] {
					sec += float32(rapid.IntRange(0, ticks).Draw(t, "dt")) / 1024
					events = append(events, pstats.Event{Word: word, Time: sec})
					if word&pstats.StopBit == 0 {
						open = append(open, word)
					} else if len(open) > 0 {
						open = open[:len(open)-1]
					}
				}
			}
			for range rapid.IntRange(0, rapid.SampledFrom([]int{0, 40}).Draw(t, "more")).Draw(t, "events") {
				sec += float32(rapid.IntRange(0, ticks).Draw(t, "dt")) / 1024
				c := uint16(rapid.IntRange(rapid.SampledFrom([]int{0, 1, 1, 1}).Draw(t, "least"), collectors-1).Draw(t, "collector"))
				at := sec
				switch k := len(open) - 1; {
				case oddity == 1 && rapid.IntRange(0, 15).Draw(t, "wild") == 0:
					at = rapid.SampledFrom([]float32{-1, 0, sec / 2, 2e9}).Draw(t, "at")
					events = append(events, pstats.Event{Word: c | pstats.StopBit, Time: at})
				case k >= 0 && rapid.IntRange(0, 9).Draw(t, "stop") < 5:
					if oddity == 2 && rapid.IntRange(0, 7).Draw(t, "overlap") == 0 {
						k = rapid.IntRange(0, k).Draw(t, "which")
					}
					events = append(events, pstats.Event{Word: open[k] | pstats.StopBit, Time: at})
					open = append(open[:k], open[k+1:]...)
				default:
					events = append(events, pstats.Event{Word: c, Time: at})
					open = append(open, c)
				}
			}
			if borders {
				events = append(events, pstats.Event{Word: pstats.StopBit, Time: sec})
			} else if oddity == 3 || rapid.Bool().Draw(t, "close") {
				for k := len(open) - 1; k >= 0; k-- {
					events = append(events, pstats.Event{Word: open[k] | pstats.StopBit, Time: sec})
				}
				open = open[:0]
			}
			if wasNested := oddity == 0 || oddity == 3; wasNested && len(events) > 0 && rapid.Bool().Draw(t, "keep") {
				kept = kept[:0]
				for _, e := range events {
					kept = append(kept, e.Word)
				}
			}
			carried := len(short.state.carried) > 0 && short.state.number+1 == number
			got, fast := short.run(number, events, true)
			want, _ := full.run(number, events, false)
			if fast {
				fastFrames++
				if carried {
					resumed++
				} else if k := short.trail.left; k == len(events) {
					followed++
				} else if k > 0 {
					left++
				}
			}
			testkit.MustNoDiff(t, cmp.Diff(want, got), "frame %d, %v (short way: %v)", number, events, fast)
			testkit.MustNoDiff(t, cmp.Diff(full.paths, short.paths), "call paths after frame %d, %v", number, events)
			if short.state.number != full.state.number || short.state.endNs != full.state.endNs || !slices.Equal(usedLanes(short.state.laneEndNs), usedLanes(full.state.laneEndNs)) ||
				len(short.state.carried) != len(full.state.carried) {
				t.Fatalf("state after frame %d, %v: %+v, want %+v", number, events, short.state, full.state)
			}
			for i := range full.state.carried {
				testkit.MustThat(t, short.state.carried[i] == full.state.carried[i],
					"carried after frame %d: %+v, want %+v", number, short.state.carried, full.state.carried)
			}
		}
	})
	if !testing.Short() && (fastFrames == 0 || resumed == 0 || followed == 0 || left == 0) { // few checks may miss some
		t.Error("no frame went the short way, none with spans from the frame before, or none along the trail")
	}
	t.Log(fastFrames, "frames went the short way,", resumed, "with spans from the frame before,", followed,
		"along the trail,", left, "along a part of it")
}

// TestFastWalkIsTaken makes sure that an ordinary frame goes the short way, recursion and open
// spans at the end included.
func TestFastWalkIsTaken(t *testing.T) {
	p := newPasses()
	for number := range int64(3) {
		events := []pstats.Event{{Word: 0, Time: 1}, {Word: 1, Time: 1}, {Word: 2, Time: 2}, {Word: 1, Time: 2}, {Word: 1 | pstats.StopBit, Time: 3}, {Word: 2 | pstats.StopBit, Time: 3},
			{Word: 1 | pstats.StopBit, Time: 4}, {Word: pstats.StopBit, Time: 5}}
		if number == 2 {
			events = events[:4]
		}
		for i := range events {
			events[i].Time += 10 * float32(number)
		}
		_, fast := p.run(number, events, true)
		testkit.That(t, fast, "frame %d went the long way", number)
	}
}

// TestFramesFollowTheTrail counts the events of a game's frames that the walk has to look at one by one:
// where each frame does what the one before did, or less of it, few are left. In small frames these are
// the stops of what then runs.
func TestFramesFollowTheTrail(t *testing.T) {
	for each, most := range map[int]int{11: 40, 100: 10, 0: 10} { // spans in a frame, percent of its events
		s := testkit.Must(gen.New(gen.Options{Spans: 100_000, Tracks: 4, Depth: 10, Seed: 1, FrameSpans: each}))(t)
		d := New(&pstatstest.Sink{}, Options{})
		d.Threads(0, s.ThreadNames())
		events, walked := 0, 0
		s.Stream(func(f *pstats.Frame) bool {
			d.Frame(f, 0)
			events += len(f.Events)
			walked += len(f.Events) - d.threads[f.Thread].trail.left
			return true
		})
		testkit.That(t, 100*walked <= most*events,
			"frames of %d spans: %d of %d events were walked", each, walked, events)
	}
}

// TestTrailsThatLeadNowhere: a thread whose frames have nothing in common lays its trail anew ever more
// seldom, and as often as before once they have.
func TestTrailsThatLeadNowhere(t *testing.T) {
	p := newPasses()
	laid, from := 0, -1
	frame := func(number int64, first uint16) {
		at := float32(number)
		events := []pstats.Event{
			{Word: 0, Time: at}, {Word: first, Time: at}, {Word: first | pstats.StopBit, Time: at + .5}, {Word: pstats.StopBit, Time: at + .5},
		}
		had := append([]uint16{}, p.trail.words...)
		_, fast := p.run(number, events, true)
		testkit.MustThat(t, fast, "frame %d went the long way", number)
		from = p.trail.left
		if len(had) == 0 || len(p.trail.words) > 1 && had[1] != p.trail.words[1] {
			laid++
		}
	}
	for n := range int64(200) {
		frame(n, uint16(1+n))
	}
	testkit.That(t, laid >= 5 && laid <= 15, "of 200 frames that have nothing in common %d laid a trail", laid)
	for n := int64(200); n < 240; n++ {
		frame(n, 7)
	}
	testkit.That(t, from == 4, "40 frames later %d of 4 events are followed", from)
}
