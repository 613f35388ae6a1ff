package planted

import (
	"fmt"
	"slices"
)

// Limits of a hitch, as factors of the typical length around a frame.
const (
	noHitch = 1.28 // noise alone makes no frame longer
	aHitch  = 1.5  // a planted cause makes a frame at least so long
	slight  = 1.42 // or so long, where frames are nearly alike
	alike   = 0.02
	around  = 60 // frames before and after that give the typical length
	tries   = 14
)

// play plays the game until noise alone makes no hitches and the planted causes do, and notes the
// ground truth.
func (w *world) play() *Session {
	lost := w.lose()
	jitter, shiver := w.o.Jitter, w.shiver
	base := w.newRun(jitter, shiver, nil, false, lost)
	for k := 0; k < tries && !w.even(base) && !w.rough; k++ {
		if jitter, shiver, w.swing = jitter*0.75, shiver*0.8, w.swing*0.85; k == tries/2 { // it is no noise
			w.o.Drift, w.swing = 0, 0
			for _, s := range w.main {
				if s.kind == work {
					s.task.steady()
				}
			}
		}
		base = w.newRun(jitter, shiver, nil, false, lost)
	}
	w.least = aHitch
	if shiver < alike && jitter < 0.1 {
		w.least = slight
	}
	typical := w.typical(base)
	for _, p := range w.plants {
		if p.factor > 0 {
			p.extraNs = (p.factor - 1) * float64(typical[p.frame])
		}
	}
	made := w.newRun(jitter, shiver, w.plants, true, lost)
	for range tries {
		if !w.adjust(base, made, typical) {
			break
		}
		made = w.newRun(jitter, shiver, w.plants, true, lost)
	}
	alone := w.newRun(jitter, shiver, w.plants, false, lost)
	s := &Session{w: w, threads: made.lines}
	s.truth = Truth{Seed: w.o.Seed, About: w.about(jitter, shiver), Frames: []Frame{}, Also: []int64{}, None: w.o.Quiet}
	s.truth.Received, s.truth.Even = len(made.main.frames), w.o.Phases == 1 && w.o.Drift == 0
	if l := w.lasts; l != nil {
		chain := []Link{w.link(0, l.at.collector, "longer", "spread", "more_calls")}
		s.truth.Lasts = &Frame{Frame: int64(l.from), Thread: w.threads[0], Kind: w.o.Lasts, Chain: chain}
	}
	for _, p := range w.plants {
		w.state(&s.truth, p, base, made, alone, typical)
	}
	return s
}

// about describes the session.
func (w *world) about(jitter, shiver float64) string {
	s := fmt.Sprintf("%s, %.0f Hz, limiter %s, %d phases, %d bystanders, jitter %.1f and %.1f %%", w.o.Game, w.o.Hz,
		w.o.Limiter,
		w.o.Phases, w.o.Bystanders, jitter*100, shiver*100)
	for _, what := range [...]struct {
		is   bool
		name string
	}{{w.tail, "heavy tails"}, {w.gaps, "frames missing"}, {w.ownClock, "GPU on its own clock"}, {w.o.Drift > 0, "drift"},
		{w.rough, "rough"}, {w.firstNs > 1e12, "late"}} {
		if what.is {
			s += ", " + what.name
		}
	}
	return s
}

// lose chooses the frames that get lost, none of them near a hitch.
func (w *world) lose() []bool {
	lost := make([]bool, w.o.Frames)
	for at := 20; w.gaps && at < w.o.Frames-20; at += 30 + w.rnd.IntN(300) {
		for k := range 1 + w.rnd.IntN(6) {
			lost[at+k] = true
		}
	}
	for _, p := range w.plants {
		for k := max(0, p.frame-2); k < min(w.o.Frames, p.frame+p.frames+4); k++ {
			lost[k] = false
		}
	}
	return lost
}

// ns returns the duration of a frame of the main thread.
func (r *run) ns(frame int) int64 {
	if frame == 0 {
		return r.ends[0] - r.w.firstNs
	}
	return r.ends[frame] - r.ends[frame-1]
}

// typical returns for each frame the median of those around it in its phase. In the first frames of a
// phase threads that are behind are still in the one before: there it is the longer of both.
func (w *world) typical(base *run) []int64 {
	out := make([]int64, w.o.Frames)
	defer func() {
		for i := len(out) - 1; i > 0; i-- {
			out[i] = slices.Max(out[max(0, i-3) : i+1])
		}
	}()
	var list []int64
	for i := range out {
		list = list[:0]
		for k := max(0, i-around); k < min(w.o.Frames, i+around); k++ {
			if w.phaseOf(k) == w.phaseOf(i) {
				list = append(list, base.ns(k))
			}
		}
		slices.Sort(list)
		out[i] = list[len(list)/2]
	}
	return out
}

// even reports whether noise alone makes no hitches.
func (w *world) even(base *run) bool {
	typical := w.typical(base)
	for i, t := range typical {
		if float64(base.ns(i)) > w.allowed*float64(t) {
			return false
		}
	}
	return true
}

// touched returns the frames that a plant may make longer.
func (w *world) touched(p *plant) (first, end int) {
	return max(0, p.frame-1), min(w.o.Frames, p.frame+p.frames+5)
}

// worst returns the frame that a plant makes longer by most, and by how much: the first of those that it
// makes longer by about as much, as those after it are late because that one was.
func (w *world) worst(p *plant, base, made *run) (frame int, excess int64) {
	first, end := w.touched(p)
	for k := first; k < end; k++ {
		if e := made.ns(k) - base.ns(k); float64(e) > 1.7*float64(excess) {
			frame, excess = k, e
		}
	}
	return frame, excess
}

// adjust makes planted causes greater where others still wait longer for something else, or smaller
// where they cause an unwanted hitch. It reports whether anything changed.
func (w *world) adjust(base, made *run, typical []int64) (changed bool) {
	for _, p := range w.plants {
		k, excess := w.worst(p, base, made)
		if p.kind == absorbed {
			if float64(excess) > 0.1*float64(typical[k]) {
				p.extraNs, changed = p.extraNs/2, true
			}
			continue
		}
		usual, is := float64(typical[k]), float64(base.ns(k))
		want := max(0.85*(p.factor-1)*usual, w.least*max(usual, is)-is)
		if float64(excess) < want {
			p.extraNs += max(want-float64(excess), 0.1*float64(typical[k]))
			changed = true
		}
	}
	return changed
}

// state notes the ground truth of a plant.
func (w *world) state(t *Truth, p *plant, base, made, alone *run, typical []int64) {
	worst, _ := w.worst(p, base, made)
	first, end := w.touched(p)
	for k := first; k < end; k++ {
		excess := made.ns(k) - base.ns(k)
		long := float64(made.ns(k)) >= (w.least-0.02)*float64(max(typical[k], base.ns(k)))
		if off := made.ns(k) - alone.ns(k); off > excess/20 { // it was not beside the point, after all
			long = false
		}
		switch {
		case p.kind != absorbed && long && (k == worst || p.frames > 1 && excess*2 > made.ns(worst)-base.ns(worst)):
			t.Frames = append(t.Frames, Frame{
				Frame: int64(k), Thread: w.threads[0], Kind: p.kind, Chain: p.chain, Others: slices.Concat([]Link{}, p.others),
				ExcessNs: excess, TypicalNs: base.ns(k),
			})
		case float64(excess) > 0.1*float64(typical[k]):
			t.Also = append(t.Also, int64(k))
		}
	}
}
