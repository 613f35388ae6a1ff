package decode

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"framescope/internal/testkit"
	"framescope/model"
	"framescope/model/frames"
	"framescope/model/spans"
	"framescope/net/pstats"
)

// passes is what decodes a thread, with the short way or without.
type passes struct {
	d     Decoder
	state nestState
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
	if fast && p.d.nest.runFast(&p.state, number, events, p.d.ignore, &b) {
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
	fastFrames, resumed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		short, full := newPasses(), newPasses()
		number := int64(0)
		sec := float32(0)
		collectors := rapid.SampledFrom([]int{2, 6, 300}).Draw(t, "collectors")
		ticks := rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "ticks") // many events at the same time if small
		var open []uint16
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
			carried := len(short.state.carried) > 0 && short.state.number+1 == number
			got, fast := short.run(number, events, true)
			want, _ := full.run(number, events, false)
			if fast {
				fastFrames++
				if carried {
					resumed++
				}
			}
			testkit.MustNoDiff(t, cmp.Diff(want, got, cmpopts.IgnoreUnexported(model.Batch{})), "frame %d, %v (short way: %v)", number, events, fast)
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
	if testkit.Long && (fastFrames == 0 || resumed == 0) { // few checks may miss some
		t.Error("no frame went the short way, or none with spans from the frame before")
	}
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

// A client's clock is set back within a frame, as PStatClient::resume_after_pause does, and between
// two: what was sent as 3 ms takes 3 ms in the call tree of its frame, as it does in the figures of
// the frame; nothing lies over the frames after it or pushes their rows, and a mark tells where it
// was.
func TestClockThatIsSetBack(t *testing.T) {
	const frames, paused = 40, 15
	var list []*pstats.Frame
	at := 10.0
	for n := range frames {
		f := &pstats.Frame{Number: uint32(n)}
		event := func(word uint16) { f.Events = append(f.Events, pstats.Event{Word: word, Time: float32(at)}) }
		event(0)
		event(1)
		switch n {
		case paused: // 300 ms pass in a call, and are taken back after it
			event(3)
			at += 0.300
			event(3 | pstats.StopBit)
			at -= 0.300
			event(2)
		case 2 * paused: // the clock is elsewhere from this frame on
			at -= 0.200
			f.Events = nil
			event(0)
			event(1)
			event(2)
		default:
			event(2)
		}
		at += 0.003
		event(2 | pstats.StopBit)
		at += 0.001
		event(1 | pstats.StopBit)
		event(pstats.StopBit)
		at += 0.001
		list = append(list, f)
	}
	s, losses := sessionOfFrames(t, list)
	testkit.That(t, losses == [model.NumLossReasons]int64{}, "losses %v", losses)
	tr := s.Track(0)
	testkit.MustThat(t, tr.NumFrames() == frames && tr.Lanes() == 3, "%d frames in %d rows", tr.NumFrames(), tr.Lanes())
	near := func(ns int64, ms float64) bool { return math.Abs(float64(ns)-ms*1e6) < 20e3 }
	var tree spans.Tree
	for i := range frames {
		f := tr.Frame(i)
		testkit.That(t, i <= 0 || f.Begin >= tr.Frame(i-1).End,
			"frame %d begins at %d, the one before it ends at %d", i, f.Begin, tr.Frame(i-1).End)
		seen := false
		for _, in := range s.FrameTotals(0, i, i, &tree, nil) {
			seen = seen || in.Collector == 2
			alone := int64(-1)
			for _, a := range s.Frames().Self(0, i, nil) {
				if a.Collector == in.Collector {
					alone = a.Ns
				}
			}
			testkit.That(t, in.Collector != 2 || near(in.Total, 3) && alone == in.Total,
				"frame %d: %d ns in the call tree, %d in the figures, 3 ms were sent", i, in.Total, alone)
		}
		testkit.That(t, seen, "frame %d: the call is not in the call tree", i)
		for _, b := range s.Spans().Visible(0, 2, f.Begin, f.End-1, 0, nil) {
			testkit.That(t, b.Collector != 2 || b.Begin >= f.Begin && b.End <= f.End && near(b.End-b.Begin, 3),
				"frame %d of [%d, %d]: a bar from %d to %d", i, f.Begin, f.End, b.Begin, b.End)
		}
	}
	marks := s.Messages().Of(0, math.MinInt64, math.MaxInt64, nil)
	testkit.MustThat(t, len(marks) == 2 && marks[0].Category == "clock" && marks[0].Severity == model.SeverityWarning,
		"marks %+v", marks)
	for k, n := range []int{paused, 2 * paused} {
		if f := tr.Frame(n); marks[k].Time < f.Begin || marks[k].Time > f.End {
			t.Errorf("mark %d is at %d, its frame is [%d, %d]", k, marks[k].Time, f.Begin, f.End)
		}
	}
}

// Whatever the clock of a client does, in the mean of its frames what the outermost calls took is what
// all took by themselves, and the net of the root: frames that end before they begin, or begin a
// little before the one before ended, overlap no other.
func TestTimesThatGoBack(t *testing.T) {
	for name, at := range map[string]func(i int) [4]float64{ // begin, App, its end, end
		"each ends before it began": func(i int) [4]float64 { b := 10 - float64(i)/60; return [4]float64{b, b + 0.01, b + 0.002, b - 0.016} },
		"each begins too early": func(i int) [4]float64 {
			b := float64(i) * 0.0155
			return [4]float64{b, b + 0.001, b + 0.002, b + 0.016}
		},
		"all at one time":               func(int) [4]float64 { return [4]float64{1, 1, 1, 1} },
		"each a second before the last": func(i int) [4]float64 { b := 100 - float64(i); return [4]float64{b, b, b + 0.5, b + 0.6} },
	} {
		var list []*pstats.Frame
		for i := range 50 {
			x := at(i)
			list = append(list, &pstats.Frame{Number: uint32(i), Events: []pstats.Event{{Time: float32(x[0])}, {Word: 1, Time: float32(x[1])},
				{Word: 1 | pstats.StopBit, Time: float32(x[2])}, {Word: pstats.StopBit, Time: float32(x[3])}}})
		}
		s, _ := sessionOfFrames(t, list)
		testkit.Equal(t, s.Track(0).NumFrames(), 50, "%s: frames", name)
		sums := map[frames.Figure]float64{}
		for _, fig := range []frames.Figure{frames.FigureNet, frames.FigureSelf, frames.FigureTotal} {
			for _, st := range s.Frames().ExactStats(0, fig, 0, 49, nil) {
				if st.Collector == 0 || fig == frames.FigureSelf {
					sums[fig] += st.Sum
				}
			}
		}
		total := sums[frames.FigureTotal]
		if math.Abs(total-sums[frames.FigureSelf]) > 1e-9 || math.Abs(total-sums[frames.FigureNet]) > 1e-9 {
			t.Errorf("%s: total %v, all self %v, net %v", name, total, sums[frames.FigureSelf], sums[frames.FigureNet])
		}
	}
}

// TestClockOfAGPU sends a main thread and the GPU of an old client, whose clock is elsewhere,
// drifts and loses frames: its frames are shown where those of the main thread with the same
// numbers are, their durations as they were sent.
func TestClockOfAGPU(t *testing.T) {
	const frames = 400
	for _, c := range []struct {
		name  string
		ahead func(n int) float64 // seconds by which the GPU's clock is ahead
		late  int                 // frames by which the GPU's arrive later
		moved bool
	}{
		{"0.84 s ahead", func(int) float64 { return 0.84 }, 3, true},
		{"0.84 s ahead, frames at once", func(int) float64 { return 0.84 }, 0, true},
		{"5,000 s ahead", func(int) float64 { return 5000 }, 3, true},
		{"behind", func(int) float64 { return -0.5 }, 3, true},
		{"drifts by 12 ms a second", func(n int) float64 { return 0.84 + 0.0002*float64(n) }, 3, true},
		{"starts anew", func(n int) float64 { return 0.84 + 3*float64(n/200) }, 3, true},
		{"in step", func(int) float64 { return 0.012 }, 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, d := decoding()
			d.Threads(0, []string{"Main", "NVIDIA GeForce GTX 1050/PCIe/SSE2"})
			begin := func(n int) float64 { return 10 + float64(n)/60 }
			for n := range frames + c.late {
				if n < frames && n%50 != 7 { // some are lost
					at := begin(n)
					d.Frame(bare(0, n, float32(at), float32(at+0.016)), 0)
				}
				if k := n - c.late; k >= 0 && k%37 != 5 {
					at := begin(k) + c.ahead(k) + 0.0005*float64(k%3)
					d.Frame(&pstats.Frame{Thread: 1, Number: uint32(k), Events: []pstats.Event{
						{Word: 0, Time: float32(at)}, {Word: 1, Time: float32(at + 0.002)}, {Word: 1 | pstats.StopBit, Time: float32(at + 0.008)}, {Word: pstats.StopBit, Time: float32(at + 0.010)},
					}}, 0)
				}
			}
			d.Close("")
			main, gpu := s.Session.Track(0), s.Session.Track(1)
			testkit.That(t, !gpu.Def.OwnClock && gpu.Def.Kind == model.TrackGPU && (gpu.Def.ShiftNs != 0) == c.moved,
				"the GPU's track: %+v", gpu.Def)
			id := s.Session.MainTrack()
			testkit.That(t, id == main.Def.ID, "track %d is looked at first", id)
			far, shared := 0, 0
			for i := range gpu.NumFrames() {
				g := gpu.Frame(i)
				if length := g.End - g.Begin; length < 9e6 || length > 11e6 {
					t.Fatalf("frame %d of the GPU takes %d ns", g.Number, length)
				}
				k, ok := main.FrameByNumber(g.Number)
				if !ok {
					continue
				}
				shared++
				if off := g.Begin - main.Frame(k).Begin; c.moved && abs(off) > 40e6 || !c.moved && abs(off-12.5e6) > 1e6 {
					far++
				}
			}
			if most := map[bool]int{true: clockFrames, false: 0}[c.name == "starts anew"]; far > most || shared < 300 {
				t.Errorf("%d of %d frames are not where those of the main thread are", far, shared)
			}
			b, e, _ := s.Session.Bounds()
			testkit.That(t, e-b <= 7.5e9, "the session takes %s", fmt.Sprint(e-b))
			testkit.Equal(t, s.Losses(), [model.NumLossReasons]int64{}, "losses")
		})
	}
}

// TestClockOfAGPUAlone sends frames of numbers that the main thread never has: nothing says where
// they belong.
func TestClockOfAGPUAlone(t *testing.T) {
	s, d := decoding()
	d.Threads(0, []string{"Main", "NVIDIA GeForce GTX 1050/PCIe/SSE2"})
	for n := range 10 {
		for thread, at := range []float32{1, 5000} {
			d.Frame(bare(thread, n+100*thread, at+float32(n), at+float32(n)+0.5), 0)
		}
	}
	d.Close("")
	def := s.Session.Track(1).Def
	testkit.That(t, def.OwnClock && def.ShiftNs == 0, "%+v", def)
	id := s.Session.MainTrack()
	testkit.That(t, id == 0, "track %d is looked at first", id)
}

// A GPU whose frames take longer than the time from one to the next, in order and in reversed
// order: what a frame took is what its own calls took, and each call knows its frame and its caller.
func TestFramesOfAGPUThatOverlap(t *testing.T) {
	const frames = 40
	for name, order := range map[string]func(n int) int{
		"in order": func(n int) int { return n }, "reversed": func(n int) int { return frames - 1 - n },
	} {
		s, d := decoding()
		d.Threads(0, []string{"Main", "GPU"})
		for n := range frames {
			k := order(n)
			at := 10 + float64(n)*0.02
			d.Frame(&pstats.Frame{Thread: 1, Number: uint32(k), Events: []pstats.Event{
				{Word: 0, Time: float32(at)}, {Word: 1, Time: float32(at + 0.001)}, {Word: 1 | pstats.StopBit, Time: float32(at + 0.006 + 0.0005*float64(k))},
				{Word: pstats.StopBit, Time: float32(at + 0.030)},
			}}, 0)
		}
		d.Close("")
		gpu := s.Session.Track(s.Session.Track(model.TrackID(s.Session.NumTracks() - 1)).Def.ID)
		testkit.MustThat(t, gpu.NumFrames() == frames, "%s: %d frames", name, gpu.NumFrames())
		var tree spans.Tree
		calls := 0
		for i := range frames {
			f := gpu.Frame(i)
			in := s.Session.FrameTotals(gpu.Def.ID, i, i, &tree, nil)
			want := int64(5e6 + 5e5*float64(f.Number))
			if len(in) != 2 || in[0].Count != 1 || in[1].Count != 1 || in[0].Total != f.End-f.Begin || in[0].Self+in[1].Total != in[0].Total ||
				in[1].Total < want-3000 || in[1].Total > want+3000 {
				t.Fatalf("%s: frame %d of %d ns: %+v, want %d ns of the call", name, f.Number, f.End-f.Begin, in, want)
			}
			runs := s.Session.PianoRuns(gpu.Def.ID, i, nil)
			testkit.MustThat(t, len(runs) == 2, "%s: frame %d: %d runs", name, f.Number, len(runs))
		}
		for lane := range gpu.Lanes() {
			for _, b := range s.Session.Spans().Visible(gpu.Def.ID, lane, 0, 1e12, 0, nil) {
				f := gpu.Frame(gpu.FrameOf(b.Ref, b.Begin))
				testkit.That(t, b.Begin >= f.Begin && b.End <= f.End,
					"%s: a call from %d to %d is of the frame from %d to %d", name, b.Begin, b.End, f.Begin, f.End)
				if b.Collector != 1 {
					continue
				}
				calls++
				if up, ok := s.Session.Spans().Caller(b.Ref); !ok || up.Begin != f.Begin || up.End != f.End {
					t.Errorf("%s: the caller of the call at %d is %+v", name, b.Begin, up)
				}
			}
		}
		testkit.That(t, calls == frames, "%s: %d calls", name, calls)
	}
}
