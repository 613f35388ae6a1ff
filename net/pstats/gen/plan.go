package gen

import "fmt"

// trackPlan is the plan for the frames of a track.
type trackPlan struct {
	name       string
	index      int
	tree       *tree
	seed       uint64
	spans      int64 // in all
	frameSpans int   // on average
	periodNs   int64
	opt        *Options
	levels     int
}

// framePlan walks over a track's frames: it plans the time and size of each, at little cost.
type framePlan struct {
	t       *trackPlan
	rnd     random
	left    int64 // spans of later frames
	frame   int64 // frames so far
	untilNs int64 // where the next frame may begin

	number          uint32
	beginNs, lastNs int64
	spans           int
	levels          int
}

// plan distributes the spans to the tracks so that all tracks end at about the same time.
func (s *Session) plan() {
	o := &s.opt
	rnd := random(o.Seed ^ 0x67656e2d706c616e)
	rates := [...]float64{60, 72, 90, 120, 144, 165, 240}
	hz := rates[rnd.below(len(rates))]
	if o.Hz > 0 {
		hz = o.Hz
	}
	s.tracks = make([]trackPlan, o.Tracks)
	var sum float64
	for i := range s.tracks {
		t := &s.tracks[i]
		*t = trackPlan{
			index: i, tree: &s.shape.trees[min(i, len(s.shape.trees)-1)], seed: rnd.next(), frameSpans: o.FrameSpans,
			periodNs: int64(1e9 / hz), opt: o,
		}
		switch i {
		case 0:
			t.name, t.levels = "Main", len(s.shape.levels)
		case 1:
			t.name = "Render"
		case 2:
			t.name = "GPU"
		default:
			t.name = fmt.Sprintf("Worker %d", i-2)
		}
		if t.frameSpans == 0 {
			t.frameSpans = 20 + rnd.below(381)
			if i == 0 {
				t.frameSpans = max(t.frameSpans, 100)
			}
		}
		sum += float64(t.frameSpans)
	}
	left := o.Spans
	for i := range s.tracks {
		t := &s.tracks[i]
		t.spans = min(int64(float64(o.Spans)*float64(t.frameSpans)/sum), left)
		if i == len(s.tracks)-1 {
			t.spans = left
		}
		left -= t.spans
	}
}

// start returns a walk before the first frame.
func (t *trackPlan) start() framePlan {
	return framePlan{t: t, rnd: random(t.seed), left: t.spans, untilNs: 1e9, levels: t.levels}
}

// next goes to the next frame; false at the end.
func (p *framePlan) next() bool {
	if p.left <= 0 {
		return false
	}
	t, o := p.t, p.t.opt
	p.beginNs = p.untilNs
	if p.frame > 0 {
		p.number++
		if o.GapEvery > 0 && p.frame%int64(o.GapEvery) == 0 {
			p.number += uint32(o.GapFrames)
			p.beginNs += t.periodNs * int64(o.GapFrames)
		}
	}
	p.spans = 1
	if t.tree.deepest > 1 { // without depth, the frame itself is all there can be
		p.spans = max(1, int(float64(t.frameSpans)*(0.75+0.5*p.rnd.unit())+0.5))
	}
	p.spans = int(min(int64(p.spans), p.left))
	p.left -= int64(p.spans)
	length := float64(t.periodNs) * (0.97 + 0.06*p.rnd.unit())
	p.frame++
	if o.HitchEvery > 0 && p.frame%int64(o.HitchEvery) == 0 {
		length *= 3 + 5*p.rnd.unit()
	}
	p.untilNs = p.beginNs + int64(length)
	// a frame of a million spans takes as many nanoseconds
	p.lastNs = p.beginNs + max(int64(length*0.94), int64(2*p.spans))
	p.untilNs = max(p.untilNs, p.lastNs)
	return true
}
