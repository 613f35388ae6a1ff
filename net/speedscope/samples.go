package speedscope

import (
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"

	"framescope/model"
	"framescope/net/jsonscan"
	"framescope/net/names"
	"framescope/net/stackruns"
)

// stacks are the samples of a profile, kept until their weights are read.
type stacks struct {
	frames  []int32
	ends    []int // of each sample among the frames
	weights []weight
	gaps    []int32 // samples, in order, that are time in which nobody sampled
	granted int64   // bytes for which there is room
	full    bool
}

// weight is a number of the file, as a time and as it is.
type weight struct {
	time jsonscan.Instant
	n    float64
}

const grant = 1 << 20 // bytes for which room is asked at once

// grow tells whether there is room for what is kept.
func (d *decoder) grow() bool {
	s := &d.stacks
	if s.full {
		return false
	}
	for used := int64(4*cap(s.frames) + 8*cap(s.ends) + 24*cap(s.weights) + 4*cap(s.gaps)); used > s.granted; s.granted += grant {
		if !d.room.TakeData(grant) {
			s.full = true
			return false
		}
	}
	return true
}

// keep reads a sample: frames, the outermost first.
func (d *decoder) keep(r *jsonscan.Reader) {
	s := &d.stacks
	if !d.grow() {
		d.problem(noRoom, 1)
		return
	}
	depth := 0
	r.Array(func() {
		n, ok := r.Int()
		if !ok || n < 0 || n > maxFrames {
			n = -1
		}
		if depth++; depth <= 2*stackruns.MaxDepth {
			s.frames = append(s.frames, int32(n))
		}
	})
	if r.Err() == nil {
		s.ends = append(s.ends, len(s.frames))
	}
}

// gap reads which sample is none, as Framescope writes it.
func (d *decoder) gap(r *jsonscan.Reader) {
	if n, ok := r.Int(); ok && n >= 0 && n <= 1<<30 && d.grow() {
		d.stacks.gaps = append(d.stacks.gaps, int32(n))
	}
}

// weight reads how much the next sample stands for.
func (d *decoder) weight(r *jsonscan.Reader) {
	b := r.Plain()
	if r.Err() != nil || !d.grow() {
		return
	}
	p := &d.profiles[d.at]
	w := weight{}
	var ok bool
	if w.time, ok = jsonscan.ParseTime(b, p.unit.scale); ok && w.time.Ns < 0 {
		ok = false
	}
	if d.timeless {
		var err error
		w.n, err = strconv.ParseFloat(string(b), 64)
		ok = (err == nil || errors.Is(err, strconv.ErrRange)) && w.n >= 0 // out of range it is +Inf
	}
	if !ok {
		d.problem(negative, 1)
		w = weight{}
	}
	d.stacks.weights = append(d.stacks.weights, w)
}

// play publishes the samples of a profile.
func (d *decoder) play(p *profile) {
	s := &d.stacks
	if p.unweighed {
		s.weights = s.weights[:0]
		for range s.ends {
			if !d.grow() {
				break
			}
			s.weights = append(s.weights, weight{n: 1})
		}
	}
	n := min(len(s.ends), len(s.weights))
	if !d.broken {
		d.problem(noWeight, int64(max(len(s.ends), len(s.weights))-n))
	}
	var out *stackruns.Thread
	if !d.timeless {
		out = d.out.Thread(p.track, p.name)
	}
	at := p.start.Minus(d.zero)
	var paths []model.PathID
	var before []int32
	from, gaps := 0, s.gaps
	for i := range n {
		frames := s.frames[from:s.ends[i]]
		from = s.ends[i]
		if i == 0 || !slices.Equal(frames, before) {
			paths = paths[:0]
			up := model.PathRoot
			for _, f := range frames {
				up = d.names.Path(up, d.collector(int64(f)))
				paths = append(paths, up)
			}
		}
		before = frames
		for len(gaps) > 0 && int(gaps[0]) < i {
			gaps = gaps[1:]
		}
		w := s.weights[i]
		if len(gaps) > 0 && int(gaps[0]) == i && len(frames) == 0 && out != nil {
			out.Stop(bounded(at))
			at = later(at, w)
			continue
		}
		if len(frames) == 0 {
			d.idle++
		}
		if d.timeless {
			inner := model.PathRoot
			if len(paths) > 0 {
				inner = paths[len(paths)-1]
			}
			d.count(p.track, inner, w.n)
			continue
		}
		out.Sample(bounded(at), paths)
		at = later(at, w)
		d.space.Add(w.time.Round())
	}
	if out != nil && n > 0 {
		out.Stop(bounded(at))
	}
	if !d.timeless && sums(s, n) {
		d.mixed = append(d.mixed, fmt.Sprintf("%q", names.Shown(p.name)))
	}
}

// later is a time that a weight lies behind another.
func later(at jsonscan.Instant, w weight) jsonscan.Instant {
	if at = at.Plus(w.time); at.Ns > jsonscan.MaxTime {
		at.Ns = jsonscan.MaxTime
	}
	return at
}

// bounded is a time that times can be.
func bounded(t jsonscan.Instant) int64 {
	return min(max(t.Round(), -jsonscan.MaxTime), jsonscan.MaxTime)
}

// sums tells whether samples look like sums by stack, in no order of time: all stacks differ, and
// weights differ widely.
func sums(s *stacks, n int) bool {
	if n < 3 {
		return false
	}
	seed := maphash.MakeSeed()
	seen := make(map[uint64]bool, n)
	least, most := s.weights[0].time.Ns, s.weights[0].time.Ns
	from := 0
	for i := range n {
		var h maphash.Hash
		h.SetSeed(seed)
		for _, f := range s.frames[from:s.ends[i]] {
			maphash.WriteComparable(&h, f)
		}
		from = s.ends[i]
		if seen[h.Sum64()] {
			return false
		}
		seen[h.Sum64()] = true
		least, most = min(least, s.weights[i].time.Ns), max(most, s.weights[i].time.Ns)
	}
	return most > 2*least
}
