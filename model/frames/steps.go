package frames

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/internal/histogram"
)

// Step is a frame from which on frames take longer than before, or less long, for good.
type Step struct {
	Index             int // of the first of them
	BeforeNs, AfterNs int64
}

// A step is found from the mean logarithms of lengths, those before the frame and those from it on, cut where they are
// far from their neighbours: hitches are no step. What the difference is compared with is how much such means differ
// all around: noise, a drift and a swell over seconds make no step.
const (
	// StepFrames is how many frames tell of a step, so that it is found when so many have come.
	StepFrames  = 60
	stepBefore  = 4 * StepFrames  // frames before it, at most
	stepLeast   = StepFrames / 2  // and at least
	stepNear    = 2 * StepFrames  // frames on each side that date it
	stepShare   = 0.03            // the least step, as a share
	stepSpreads = 3.8             // so many times the usual difference
	bendSpreads = 4               // or bend
	stepEvery   = StepFrames / 4  // of so many frames one difference is looked at
	stepAround  = 24 * StepFrames // frames on each side whose differences are the usual ones,
	usualShare  = 0.75            // of which so many are within
	usualSigmas = 1.15            // so many standard deviations
	stepCut     = 3               // spreads from the middle that lengths are cut at
	stepLasts   = 0.6             // of the step that either half of the frames after it has at least
	toSigma     = 1.4826          // from the middle distance to a standard deviation
)

// stepper finds steps in some lengths. Its memory is reused.
type stepper struct {
	sums  []float64 // of the logarithms before each frame
	some  []float64
	diffs []float64 // between the means behind and before some frames
	bends []float64 // the same beyond growth
	noise float64   // of single frames, as far as means of many have it
}

// Steps appends the steps among the frames [first, last] of a track, in order. Cost: O(frames).
func (x *Table) Steps(track model.TrackID, first, last int, out []Step) []Step {
	t := x.track(track)
	from, to, ok := t.clampFrames(first, last)
	if !ok || to-from < stepLeast+StepFrames {
		return out
	}
	w := &x.host.Work.steps
	w.read(t, from, to+1)
	n := int(to - from + 1)
	for i, since := stepLeast, 0; i+StepFrames <= n; i++ {
		if !w.isStep(since, i) {
			continue
		}
		at := w.date(since, i, n)
		out = append(out, Step{int(from-t.frames.first) + at, w.lengthOf(max(since, at-stepNear), at),
			w.lengthOf(at, min(at+StepFrames, n))})
		since, i = at, at+stepLeast
	}
	return out
}

// Drift returns by how much longer, or less long, the last eighth of some frames is than the first. ok is false if they
// are few, the means of some of the eighths go the other way, or it is little.
func (x *Table) Drift(track model.TrackID, first, last int) (s Step, ok bool) {
	const parts, least = 8, 2 * stepShare
	t := x.track(track)
	from, to, ok := t.clampFrames(first, last)
	if n := int(to-from+1) / parts; ok && n >= StepFrames {
		w := &x.host.Work.steps
		w.read(t, from, to+1)
		all := w.mean((parts-1)*n, parts*n) - w.mean(0, n)
		for k := 1; k < parts; k++ {
			ok = ok && (w.mean(k*n, (k+1)*n)-w.mean((k-1)*n, k*n))*all > 0
		}
		return Step{int(from - t.frames.first), w.lengthOf(0, n), w.lengthOf((parts-1)*n, parts*n)}, ok && math.Abs(all) >= least
	}
	return s, false
}

// read takes the logarithms of lengths, and how much their means usually differ.
func (w *stepper) read(t *Thread, from, to int64) {
	n := int(to - from)
	logs := slices.Grow(w.some[:0], n)[:n]
	w.sums = slices.Grow(w.sums[:0], n+1)[:n+1]
	w.diffs = w.diffs[:0]
	var m middles
	for i := range logs {
		median, _ := m.at(t, from+int64(i))
		w.sums[i] = math.Log(float64(max(median, 1)))
		logs[i] = math.Log(float64(max(t.Length(from+int64(i)), 1))) - w.sums[i]
		w.diffs = append(w.diffs, math.Abs(logs[i]))
	}
	far := stepCut * toSigma * histogram.Select(w.diffs, len(w.diffs)/2)
	sum := 0.0
	for i, off := range logs {
		middle := w.sums[i]
		w.sums[i] = sum
		sum += middle + max(min(off, far), -far)
	}
	w.sums[n] = sum
	w.some, w.diffs, w.bends = logs, w.diffs[:0], w.bends[:0]
	for i := 2 * stepEvery; i <= n; i += stepEvery {
		w.diffs = append(w.diffs, math.Abs(w.mean(i-stepEvery, i)-w.mean(i-2*stepEvery, i-stepEvery)))
	}
	w.noise = toSigma * histogram.Select(w.diffs, len(w.diffs)/2) * math.Sqrt(stepEvery/2.0)
	w.diffs = w.diffs[:0]
	for i := StepFrames; i+StepFrames <= n; i += stepEvery {
		if w.diffs = append(w.diffs, math.Abs(w.rise(0, i))); i >= 2*StepFrames {
			w.bends = append(w.bends, math.Abs(w.bend(0, i)))
		}
	}
}

// mean is that of the logarithms of the frames [from, to).
func (w *stepper) mean(from, to int) float64 { return (w.sums[to] - w.sums[from]) / float64(to-from) }

func (w *stepper) lengthOf(from, to int) int64 { return int64(math.Exp(w.mean(from, to))) }

// isStep reports whether frames differ from i on from those before, as far back as the step before, be it by more than
// they did before that, as where a scene grows.
func (w *stepper) isStep(since, i int) bool {
	before := min(i-since, stepBefore)
	white := stepSpreads * w.noise * math.Sqrt(1/float64(before)+1.0/StepFrames)
	rise, bend := w.rise(since, i), 0.0
	if i-since >= 2*StepFrames {
		bend = w.bend(since, i)
	}
	return w.lasts(i, rise, white) && math.Abs(rise) >= stepSpreads*w.usual(w.diffs, StepFrames, i) ||
		w.lasts(i, bend, math.Sqrt2*white) && math.Abs(bend) >= bendSpreads*w.usual(w.bends, 2*StepFrames, i)
}

// rise is by how much the frames from i on are longer than those before, as far back as the step before.
func (w *stepper) rise(since, i int) float64 {
	return w.mean(i, i+StepFrames) - w.mean(max(since, i-stepBefore), i)
}

// bend is by how much they are longer than they would be if frames grew as they did before.
func (w *stepper) bend(since, i int) float64 {
	back := i - StepFrames
	from, near := max(since, back-2*StepFrames), w.mean(back, i)
	grows := (near - w.mean(from, back)) * 2 * StepFrames / float64(StepFrames+back-from)
	return w.mean(i, i+StepFrames) - near - grows
}

// lasts reports whether a difference from i on is great enough, in the first and the later frames, too.
func (w *stepper) lasts(i int, step, least float64) bool {
	from, middle := w.mean(i, i+StepFrames)-step, i+StepFrames/2
	is := func(part float64) bool { return math.Abs(part) >= stepLasts*math.Abs(step) && part*step > 0 }
	return math.Abs(step) >= max(stepShare, least) &&
		is(w.mean(i, middle)-from) && is(w.mean(middle, i+StepFrames)-from)
}

// usual is how great the differences around a frame are that a step there is not in, as a standard deviation.
// They are from some frame on.
func (w *stepper) usual(of []float64, from, i int) float64 {
	w.some = append(w.some[:0], 0)
	for k := max((i-stepAround-from)/stepEvery, 0); k < min((i+stepAround-from)/stepEvery, len(of)); k++ {
		if at := from + k*stepEvery; at <= i-StepFrames || at >= i+stepBefore {
			w.some = append(w.some, of[k])
		}
	}
	return histogram.Select(w.some, int(usualShare*float64(len(w.some)-1))) / usualSigmas
}

// date returns the frame near i that parts the frames around best in two of different length.
func (w *stepper) date(since, i, n int) (at int) {
	from, to, best := max(since, i-stepNear), min(i+stepNear, n), -1.0
	for k := max(from+1, i-stepLeast); k <= min(i+stepLeast, to-1); k++ {
		a, b := float64(k-from), float64(to-k)
		d := w.mean(from, k) - w.mean(k, to)
		if gain := d * d * a * b / (a + b); gain > best {
			at, best = k, gain
		}
	}
	return at
}
