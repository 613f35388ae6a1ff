package truth

import (
	"math"
	"testing"

	"framescope/charts/chartstest"
	panels "framescope/charts/compare"
	"framescope/charts/timeline"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/compare"
	"framescope/model/frames"
	"framescope/model/store"
)

// Both timelines of the comparison count from the begin of the first frame that diff says is compared,
// or where there are no frames from where the range begins; aligned at the median from a frame as long
// as any that is nearest to the median of diff. Both show as much time in as many pixels.
func TestBothTimelines(t *testing.T) {
	a, b, _ := chartstest.NewCompared()
	of := [2]*subject{subjectOf("before", a), subjectOf("after", b)}
	seen := compared(t, "before and after", of, [2]compare.Side{compare.All(a), compare.All(b)}).compareLines(t)
	eachSubject(t, func(t *testing.T, x *subject) {
		main := x.s.MainTrack()
		if main == model.NoTrack {
			return
		}
		of := [2]*subject{x, x}
		if n := x.s.Track(main).NumFrames(); n >= 2 {
			sides := [2]compare.Side{compare.FramesOf(x.s, main, 0, n/2-1), compare.FramesOf(x.s, main, n/2, n-1)}
			seen += compared(t, x.name, of, sides).compareLines(t)
		} else if begin, end, ok := x.s.Bounds(); ok && end-begin > 1 && !x.s.HasFrames() {
			mid := begin + (end-begin)/2
			sides := [2]compare.Side{compare.TimeOf(x.s, begin, mid), compare.TimeOf(x.s, mid, end+1)}
			seen += compared(t, x.name, of, sides).compareLines(t)
		}
	})
	if seen < 8 {
		t.Errorf("only %d were compared", seen)
	}
}

// compareLines compares what the panel states of both sides; it returns of how many.
func (p *pair) compareLines(t *testing.T) (n int) {
	rig := chartstest.NewRig(p.of[1].s, 1, 900, 400)
	rig.Env.Comparing = p.state
	l := panels.NewLines(func() panels.Timeline { return &timeline.Timeline{} })
	for _, by := range []view.Alignment{view.AlignBegin, view.AlignMedian} {
		p.state.Align(by, "", "")
		p.state.Tick(1 << 30)
		for range 3 {
			rig.Tick(l)
		}
		stated := map[string][2]float64{}
		for _, f := range l.Facts(rig.Env, nil) {
			x := stated[f.Measure]
			x[f.Row] = f.Value
			stated[f.Measure] = x
		}
		for _, measure := range []string{"begin", "width", "plot"} {
			if x := stated[measure]; math.Abs(x[0]-x[1]) > 1e-3*math.Abs(x[0]) {
				t.Errorf("%s: %s of A is %v, of B %v", p.name, measure, x[0], x[1])
			}
		}
		for side, name := range []string{"a", "b"} {
			want, ok := p.zeroOf(side, name, by)
			if got := stated["zero"][side]; ok && !want[got] {
				t.Errorf("%s, aligned by %d: side %s counts from %v, want one of %v", p.name, by, name, got, want)
			}
			n++
		}
	}
	return n
}

// zeroOf returns where a side may count from, by what diff says of it.
func (p *pair) zeroOf(side int, name string, by view.Alignment) (at map[float64]bool, ok bool) {
	m, _ := p.state.Marked(side)
	said := p.said.object("frame_time")
	if said == nil {
		begin, _, _ := p.of[side].s.Bounds()
		return map[float64]bool{float64(max(begin, m.Side.BeginNs)): true}, true
	}
	x := said.object(name)
	track := trackTitled(p.of[side].s, said.text("thread"))
	if track == nil {
		return nil, false
	}
	at = map[float64]bool{}
	first, _ := x.number("first_frame")
	last, _ := x.number("last_frame")
	best := math.Inf(1)
	for i := range track.NumFrames() {
		f := track.Frame(i)
		if float64(f.Number) < first || float64(f.Number) > last {
			continue
		}
		by := far(f, x, by)
		if by < best {
			best = by
			clear(at)
		}
		if by == best {
			at[float64(f.Begin)] = true
		}
	}
	return at, true
}

// far is how far a frame is from what lies at time 0.
func far(f frames.Frame, said row, by view.Alignment) float64 {
	if by == view.AlignMedian {
		median, _ := said.number("median_ns")
		return math.Abs(float64(f.End-f.Begin) - median)
	}
	first, _ := said.number("first_frame")
	return float64(f.Number) - first
}

func trackTitled(s *store.Session, title string) *store.Track {
	for id := range model.TrackID(s.NumTracks()) {
		if t := s.Track(id); t != nil && t.Title() == title {
			return t
		}
	}
	return nil
}
