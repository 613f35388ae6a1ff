package planted

import (
	"math"
	"math/rand/v2"
)

// task is a thread's work in each frame: a collector that is called some times, with others in each
// call.
type task struct {
	collector int
	selfNs    float64 // of a call, without its children, on average
	calls     int
	vary      int // by how much the number of calls varies
	phases    []float64
	children  []*task
	parent    *task
	share     float64 // of its tree's time
	beat      int     // it runs in one of so many frames; 0: in all
}

// ns returns the mean duration of all calls in a frame.
func (t *task) ns() float64 {
	sum := t.selfNs
	for _, c := range t.children {
		sum += c.ns()
	}
	return sum * float64(t.calls)
}

// walk returns t and its descendants, in order.
func (t *task) walk(dst []*task) []*task {
	dst = append(dst, t)
	for _, c := range t.children {
		dst = c.walk(dst)
	}
	return dst
}

// steady makes all tasks run in every frame.
func (t *task) steady() {
	for _, in := range t.walk(nil) {
		in.beat = 0
	}
}

func (t *task) leaf() bool { return len(t.children) == 0 }

// in reports whether a task runs in all frames of a phase.
func (t *task) in(phase int) bool {
	for ; t != nil; t = t.parent {
		if len(t.phases) > 0 && t.phases[phase] == 0 {
			return false
		}
	}
	return true
}

// grow makes a tree of tasks that takes budget nanoseconds a frame, with so many leaves or a few
// more.
func (w *world) grow(name string, budget float64, leaves, depth int, pool []string) *task {
	t := &task{collector: w.collector(name), calls: 1}
	if leaves <= 1 || depth <= 1 {
		t.selfNs = budget
		if w.rnd.Float64() < 0.4 {
			t.calls = 2 + w.rnd.IntN(24)
			t.vary = t.calls / 5
			t.selfNs /= float64(t.calls)
		}
		return t
	}
	n := min(2+w.rnd.IntN(5), leaves, len(pool))
	if depth == 2 {
		n = min(leaves, len(pool))
	}
	t.selfNs = budget * (0.005 + 0.05*w.rnd.Float64())
	left := budget - t.selfNs
	weights, sum := make([]float64, n), 0.0
	for i := range weights {
		weights[i] = 0.35 + min(w.rnd.ExpFloat64(), 3)
		sum += weights[i]
	}
	names := w.rnd.Perm(len(pool))
	for i, share := range weights {
		share /= sum
		in := w.grow(name+":"+pool[names[i]], left*share, int(math.Round(float64(leaves)*share)), depth-1, pool)
		in.parent = t
		t.children = append(t.children, in)
	}
	return t
}

// seasons lets the phases of the game change how long tasks take: all by about the phase's factor,
// some by their own, and some run in a few phases only.
func (w *world) seasons(t *task, top bool) {
	t.phases = make([]float64, w.o.Phases)
	for k := range t.phases {
		f := 1.0
		if top {
			f = w.load[k]
		} else if w.o.Phases > 1 {
			f = 0.8 + 0.4*w.rnd.Float64()
			if t.share < 0.25 && w.rnd.IntN(8) == 0 {
				f = 0
			}
		}
		t.phases[k] = f
	}
	for _, c := range t.children {
		w.seasons(c, false)
	}
}

// shares notes the share of each task in its tree.
func (t *task) shares(whole float64) {
	t.share = t.ns() / whole
	for _, c := range t.children {
		c.shares(whole / float64(t.calls))
	}
}

// noise returns the factor of a call's duration.
func (r *run) noise(rnd *rand.Rand, share float64) float64 {
	n, u, v := rnd.NormFloat64(), rnd.Float64(), rnd.Float64()
	f := math.Exp(r.jitter*max(-3, min(3, n)) - r.jitter*r.jitter/2)
	if r.w.tail && u < 0.02 && share < 0.06 {
		f *= 1 + min(4, r.jitter*4*math.Pow(1-v, -0.6))
	}
	return f
}

// do lets a thread run a task: as often as a frame calls it.
func (r *run) do(l *line, t *task, weight float64) {
	calls := t.calls
	if t.vary > 0 {
		calls += l.rnd.IntN(2*t.vary+1) - t.vary
	}
	if len(t.phases) > 0 {
		weight *= t.phases[r.phase]
	}
	weight *= r.w.growth(t, r.frame)
	if weight == 0 || t.beat > 0 && r.frame%t.beat > 0 {
		calls = 0
	}
	for _, o := range l.ops {
		if o.at == t && o.what == partSlower && !o.done {
			weight *= o.factor()
		}
	}
	for k := range calls {
		r.call(l, t, weight, l.rnd, extraOf(l.ops, t, k, calls))
	}
	for _, o := range l.ops {
		if o.at == t && !o.done {
			o.done = true
			r.plant(l, o, weight)
		}
	}
}

// extraOf returns by how much a planted op makes a call longer.
func extraOf(ops []*op, t *task, call, calls int) (extra int64) {
	for _, o := range ops {
		if o.at != t || o.what != longer || o.done {
			continue
		}
		if o.one {
			if call == calls/2 {
				extra += o.ns()
			}
		} else {
			extra += o.ns() / int64(calls)
		}
	}
	return extra
}

// call runs a task once.
func (r *run) call(l *line, t *task, weight float64, rnd *rand.Rand, extra int64) {
	self := int64(t.selfNs * weight * l.scale * r.noise(rnd, t.share))
	l.start(t.collector)
	l.at += self / 2
	for _, c := range t.children {
		r.do(l, c, weight)
	}
	l.at += self - self/2 + extra
	for _, o := range l.ops {
		if o.at == t && o.what == upTo && !o.done {
			l.at = max(l.at, o.end)
			o.end, o.done = l.at, true
		}
	}
	l.stop(t.collector)
}
