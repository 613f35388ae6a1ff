package budget

import (
	"framescope/model"
	"framescope/model/spans"
)

// mostValues bounds the values that are held at a time: 256 MiB of them.
const mostValues = 1 << 25

// walk goes over the frames of a track once, for all budgets on one measure of it.
type walk struct {
	track   model.TrackID
	measure Measure
	from    int64               // position of its first frame, from the first ever received on
	to      int64               // of its last
	of      []model.CollectorID // collectors with wanted values, each once
	asked   []bool              // by collector: is in of
	targets []int               // of the pass

	slots   []*figures // by collector, those that are looked at now
	numbers []int64    // of the frames that were looked at
	touched []*figures // in the frame that is looked at
	tree    spans.Tree
	inside  []spans.Inside
	times   []model.CollectorTime
}

// walk returns that over a track for a measure.
func (p *Pass) walk(id model.TrackID, m Measure) *walk {
	for _, w := range p.walks {
		if w.track == id && w.measure == m {
			return w
		}
	}
	w := &walk{track: id, measure: m, asked: make([]bool, len(p.names)), to: -1}
	if first, last, ok := p.frames(id); ok {
		before := p.s.Track(id).Evicted()
		w.from, w.to = before+int64(first), before+int64(last)
	}
	p.walks = append(p.walks, w)
	return w
}

// wants adds a result that is to be judged by the values of a collector, of frames' durations 0.
func (w *walk) wants(p *Pass, r Result, c model.CollectorID) {
	w.targets = append(w.targets, len(p.targets))
	p.targets = append(p.targets, target{Result: r})
	if !w.asked[c] {
		w.asked[c] = true
		w.of = append(w.of, c)
	}
}

// run judges all that is wanted, so many collectors at a time as fit into memory.
func (w *walk) run(p *Pass, yield func(cost int) bool) bool {
	if w.from > w.to {
		return true
	}
	part := int(max(mostValues/(w.to-w.from+1), 1))
	for from := 0; from < len(w.of); from += part {
		now := w.of[from:min(from+part, len(w.of))]
		w.slots = make([]*figures, len(p.names))
		for _, c := range now {
			w.slots[c] = &figures{}
		}
		for _, i := range w.targets {
			if f := w.slots[max(p.targets[i].Collector, 0)]; f != nil && p.Marks {
				f.marks = append(f.marks, i)
			}
		}
		if !w.frames(p, now, yield) {
			return false
		}
		for _, i := range w.targets {
			t := &p.targets[i]
			f := w.slots[max(t.Collector, 0)]
			if f == nil || f.n == 0 {
				continue // it is on other threads
			}
			f.finish(w.numbers)
			if f.judge(t); p.Counts {
				t.UpTo = f.count
			}
			if !yield(1 + len(f.values)/64) {
				return false
			}
		}
	}
	return true
}

// frames walks over frames, by their positions from the first ever received on: evictions meanwhile move
// none of those that stay. Frames that are taken back and come again are read once.
func (w *walk) frames(p *Pass, now []model.CollectorID, yield func(cost int) bool) bool {
	t := p.s.Track(w.track)
	w.numbers = w.numbers[:0]
	for at := w.from; at <= w.to; at++ {
		i := int(at - t.Evicted())
		if i < 0 {
			continue
		}
		if i >= t.NumFrames() {
			break
		}
		if t.Stopped(i) {
			continue
		}
		f := t.Frame(i)
		if k := len(w.numbers); k > 0 && f.Number <= w.numbers[k-1] {
			continue
		}
		w.touched = w.touched[:0]
		cost := 1
		if w.measure == Duration {
			w.add(0, float64(f.End-f.Begin))
		} else {
			cost += w.values(p, now, i)
		}
		for _, x := range w.touched {
			x.push(w.numbers, f.Number)
			for _, k := range x.marks {
				p.targets[k].mark(p, x.now, f.Number)
			}
		}
		w.numbers = append(w.numbers, f.Number)
		if !yield(cost) {
			return false
		}
	}
	return true
}

// add adds to the value of a collector in the frame that is looked at.
func (w *walk) add(c model.CollectorID, v float64) {
	if int(c) >= len(w.slots) || w.slots[c] == nil {
		return
	}
	f := w.slots[c]
	if !f.touched {
		f.touched, f.now = true, 0
		w.touched = append(w.touched, f)
	}
	f.now += v
}

// up adds to a collector and to all that it is named below.
func (w *walk) up(p *Pass, c model.CollectorID, v float64) {
	for ; c != model.NoCollector; c = p.s.Collector(c).Parent {
		if w.add(c, v); c == 0 {
			return
		}
	}
}

// values adds the figures of a frame, times in ns, and returns the cost.
func (w *walk) values(p *Pass, now []model.CollectorID, i int) (cost int) {
	switch w.measure {
	case Total:
		w.inside = p.s.FrameTotals(w.track, i, i, &w.tree, w.inside[:0])
		for k := range w.inside {
			w.add(w.inside[k].Collector, float64(w.inside[k].Total))
		}
		return 4 * len(w.inside)
	case Level:
		for _, c := range now { // each has its own collectors below it
			if c == 0 {
				continue // all levels together are none
			}
			if st := p.s.Frames().Stats(w.track, c, true, i, i); st.Present > 0 {
				w.add(c, st.Sum)
			}
		}
		return 4 * len(now)
	}
	w.times = p.s.Frames().Self(w.track, i, w.times[:0])
	for k := range w.times {
		switch t := &w.times[k]; w.measure {
		case Net:
			w.up(p, t.Collector, float64(t.Ns))
		case Calls:
			w.add(t.Collector, float64(t.Count))
		default:
			w.add(t.Collector, float64(t.Ns))
		}
	}
	return len(w.times)
}

// mark notes a frame that is over the limit.
func (t *target) mark(p *Pass, v float64, number int64) {
	if v > t.Budget.Limit && len(t.OverAt) < mostOver && p.marked < mostMarks {
		t.OverAt = append(t.OverAt, number)
		p.marked++
	}
}
