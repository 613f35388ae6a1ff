package speedscope

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/feed"
	"framescope/net/trace"
)

// stacks are the samples of a profile, kept until their weights are read.
type stacks struct {
	frames        []int32
	samples       []sample // their weights may stand before their frames
	ends, weights int      // number of samples with frames, or weights, read so far
	full          bool     // there is no room for more
}

// sample is one of a profile.
type sample struct {
	end    int           // among the frames
	weight trace.Instant // where there are no times see count
}

// setCount gives a sample without times its weight.
func (s *sample) setCount(n float64) { s.weight = trace.Instant{Ns: int64(math.Float64bits(n))} }

// count is the weight of a sample without times.
func (s *sample) count() float64 { return math.Float64frombits(uint64(s.weight.Ns)) }

// next returns the next sample to get its frames, or its weight; nil where there is no room.
func (d *decoder) next(n *int) *sample {
	s := &d.stacks
	if *n == len(s.samples) && !s.full {
		var ok bool
		if s.samples, ok = feed.Grow(d.room, s.samples, 1); ok {
			s.samples = append(s.samples, sample{})
		}
		s.full = !ok
	}
	i := *n
	if *n++; i >= len(s.samples) {
		return nil
	}
	return &s.samples[i]
}

// keep reads a sample: frames, the outermost first.
func (d *decoder) keep(r *trace.Reader) {
	s := &d.stacks
	x := d.next(&s.ends)
	if x == nil {
		return
	}
	depth, from, ok := 0, len(s.frames), true
	r.Array(func() {
		n, whole := r.Int()
		if !whole || n < 0 || n > maxFrames {
			n = -1
		}
		if depth++; depth > 2*trace.MaxDepth || !ok {
			return
		}
		if s.frames, ok = feed.Grow(d.room, s.frames, 1); ok {
			s.frames = append(s.frames, int32(n))
		}
	})
	switch {
	case r.Err() != nil:
		s.ends--
	case !ok: // all that follow are left out with it
		s.samples, s.frames, s.full = s.samples[:s.ends-1], s.frames[:from], true
	default:
		x.end = len(s.frames)
	}
}

// weight reads how much the next sample stands for.
func (d *decoder) weight(r *trace.Reader) {
	b := r.Plain()
	if r.Err() != nil {
		return
	}
	x := d.next(&d.stacks.weights)
	if x == nil {
		return
	}
	var ok bool
	if d.timeless {
		n, err := strconv.ParseFloat(string(b), 64)
		ok = (err == nil || errors.Is(err, strconv.ErrRange)) && n >= 0 // out of range it is +Inf
		x.setCount(n)
	} else {
		x.weight, ok = trace.ParseTime(b, d.profiles[d.at].unit.scale)
		ok = ok && x.weight.Ns >= 0
	}
	if !ok {
		d.problem(negative, 1)
		x.weight = trace.Instant{}
	}
}

// play publishes the samples of a profile.
func (d *decoder) play(p *profile) {
	s := &d.stacks
	if p.unweighed {
		s.weights = s.ends
		for i := range s.samples {
			s.samples[i].setCount(1)
		}
	}
	samples := s.samples[:min(s.ends, s.weights, len(s.samples))]
	if !d.broken {
		d.problem(noWeight, int64(max(s.ends, s.weights)-min(s.ends, s.weights)))
	}
	d.problem(noRoom, int64(max(s.ends, s.weights)-len(s.samples)))
	var out *trace.StackThread
	if !d.timeless {
		out = d.out.Thread(p.track, p.name)
	}
	at := p.start.Minus(d.zero)
	var paths []model.PathID
	var before []int32
	from := 0
	for i := range samples {
		w := samples[i].weight
		frames := s.frames[from:samples[i].end]
		from = samples[i].end
		if i == 0 || !slices.Equal(frames, before) {
			paths = paths[:0]
			up := model.PathRoot
			for _, f := range frames {
				up = d.names.Path(up, d.collector(int64(f)))
				paths = append(paths, up)
			}
		}
		before = frames
		if len(frames) == 0 {
			d.idle++
		}
		if d.timeless {
			inner := model.PathRoot
			if len(paths) > 0 {
				inner = paths[len(paths)-1]
			}
			d.count(p.track, inner, samples[i].count())
			continue
		}
		out.Sample(bounded(at), paths)
		at = later(at, w)
		d.space.Add(w.Round())
	}
	if out != nil && len(samples) > 0 {
		out.Stop(bounded(at))
	}
	if !d.timeless && sums(s.frames, samples) {
		d.mixed = append(d.mixed, fmt.Sprintf("%q", trace.Shown(p.name)))
	}
}

// later is a time that a weight lies behind another.
func later(at, w trace.Instant) trace.Instant {
	if at = at.Plus(w); at.Ns > trace.MaxTime {
		at.Ns = trace.MaxTime
	}
	return at
}

// bounded is a time that times can be.
func bounded(t trace.Instant) int64 {
	return min(max(t.Round(), -trace.MaxTime), trace.MaxTime)
}

// sums reports whether samples look like sums by stack, in no order of time: all stacks differ, of many the first ones,
// and weights differ widely.
func sums(stacks []int32, samples []sample) bool {
	const looked = 1 << 16
	if samples = samples[:min(len(samples), looked)]; len(samples) < 3 {
		return false
	}
	seed := maphash.MakeSeed()
	seen := map[uint64]bool{}
	least, most := samples[0].weight.Ns, samples[0].weight.Ns
	from := 0
	for i := range samples {
		x := &samples[i]
		var h maphash.Hash
		h.SetSeed(seed)
		for _, f := range stacks[from:x.end] {
			maphash.WriteComparable(&h, f)
		}
		from = x.end
		if seen[h.Sum64()] {
			return false
		}
		seen[h.Sum64()] = true
		least, most = min(least, x.weight.Ns), max(most, x.weight.Ns)
	}
	return most > 2*least
}
