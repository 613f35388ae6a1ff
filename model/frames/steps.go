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
	stepBefore  = 2 * StepFrames // frames before it, at most
	stepLeast   = StepFrames / 2 // and at least
	stepShare   = 0.03           // the least step, as a share
	stepSpreads = 4              // so many times the usual difference
	stepBlocks  = 24             // blocks of frames on each side that the usual difference is of
	stepCut     = 3              // spreads from the middle that lengths are cut at
	stepLasts   = 0.6            // of the step that either half of the frames after it has at least
	toSigma     = 1.4826         // from the middle distance to a standard deviation
)

// stepper finds steps in some lengths. Its memory is reused.
type stepper struct {
	sums  []float64 // of the logarithms before each frame
	some  []float64
	diffs []float64 // of the means of successive blocks of frames
	bends []float64 // of successive diffs
	noise float64   // of single frames
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
		out = append(out, Step{int(from-t.frames.first) + at, w.lengthOf(max(since, at-stepBefore), at),
			w.lengthOf(at, min(at+StepFrames, n))})
		since, i = at, at+stepLeast
	}
	return out
}

// read takes the logarithms of lengths.
func (w *stepper) read(t *Thread, from, to int64) {
	n := int(to - from)
	logs := slices.Grow(w.some[:0], n)[:n]
	w.sums = slices.Grow(w.sums[:0], n+1)[:n+1]
	w.diffs = w.diffs[:0]
	for i := range logs {
		logs[i] = math.Log(float64(max(t.Length(from+int64(i)), 1)))
		if i > 0 {
			w.diffs = append(w.diffs, math.Abs(logs[i]-logs[i-1]))
		}
	}
	w.noise = toSigma * histogram.Select(w.diffs, len(w.diffs)/2) / math.Sqrt2
	var m middles
	sum := 0.0
	for i, y := range logs {
		w.sums[i] = sum
		median, _ := m.at(t, from+int64(i))
		middle := math.Log(float64(max(median, 1)))
		sum += max(min(y, middle+stepCut*w.noise), middle-stepCut*w.noise)
	}
	w.sums[n] = sum
	w.some = logs
	w.diffs, w.bends = w.diffs[:0], w.bends[:0]
	before := math.NaN()
	for i := 2 * StepFrames; i <= n; i += StepFrames {
		d := w.mean(i-StepFrames, i) - w.mean(i-2*StepFrames, i-StepFrames)
		if w.diffs = append(w.diffs, math.Abs(d)); i > 2*StepFrames {
			w.bends = append(w.bends, math.Abs(d-before))
		}
		before = d
	}
}

// mean is that of the logarithms of the frames [from, to).
func (w *stepper) mean(from, to int) float64 { return (w.sums[to] - w.sums[from]) / float64(to-from) }

func (w *stepper) lengthOf(from, to int) int64 { return int64(math.Exp(w.mean(from, to))) }

// isStep reports whether frames differ from i on from those before, as far back as the step before, be it by more than
// they did before that, as where a scene grows.
func (w *stepper) isStep(since, i int) bool {
	from := max(since, i-stepBefore)
	if i-from < stepLeast {
		return false
	}
	white := w.noise * math.Sqrt(1/float64(i-from)+1.0/StepFrames)
	if w.differs(i, w.mean(from, i), max(white, w.usual(w.diffs, i))) {
		return true
	}
	back := i - StepFrames
	if back-since < StepFrames {
		return false
	}
	from = max(since, back-stepBefore)
	grows := (w.mean(back, i) - w.mean(from, back)) * (StepFrames + StepFrames) / float64(StepFrames+back-from)
	return w.differs(i, w.mean(back, i)+grows, max(math.Sqrt2*white, w.usual(w.bends, i)))
}

// differs reports whether the frames from i on differ from a mean by a multiple of what is usual, first and later ones.
func (w *stepper) differs(i int, from, usual float64) bool {
	step, middle := w.mean(i, i+StepFrames)-from, i+StepFrames/2
	lasts := func(part float64) bool { return math.Abs(part) >= stepLasts*math.Abs(step) && part*step > 0 }
	return math.Abs(step) >= max(stepShare, stepSpreads*usual) &&
		lasts(w.mean(i, middle)-from) && lasts(w.mean(middle, i+StepFrames)-from)
}

// usual is the middle of the differences around a frame, as a standard deviation.
func (w *stepper) usual(of []float64, i int) float64 {
	k := i / StepFrames
	w.some = append(w.some[:0], of[max(min(k-stepBlocks, len(of)), 0):min(k+stepBlocks, len(of))]...)
	if len(w.some) == 0 {
		return 0
	}
	return toSigma * histogram.Select(w.some, (len(w.some)-1)/2)
}

// date returns the frame near i that parts the frames around best in two of different length.
func (w *stepper) date(since, i, n int) (at int) {
	from, to, best := max(since, i-stepBefore), min(i+2*StepFrames, n), -1.0
	for k := max(from+1, i-stepLeast); k <= min(i+stepLeast, to-1); k++ {
		a, b := float64(k-from), float64(to-k)
		d := w.mean(from, k) - w.mean(k, to)
		if gain := d * d * a * b / (a + b); gain > best {
			at, best = k, gain
		}
	}
	return at
}
