package why

import (
	"math"
	"slices"

	"framescope/model"
	"framescope/model/compare"
	"framescope/model/frames"
)

// Lasting is a frame from which on frames take longer than before, or less long, for good.
type Lasting struct {
	frames.Step
	Drifts  bool // they take longer and longer, or less and less long, from it on
	Track   model.TrackID
	Number  int64 // of the first of these frames
	BeginNs int64
	// Chain ends at what most frames behind it have longer than those before; empty where frames take less long, or
	// nothing stands out.
	Chain []Link
}

const (
	lastingLooks = 9  // frames behind a step that are explained
	lastingNear  = 20 // frames that the date by the collector may be off from that by the length
)

// Lasting returns the frames among [first, last] of a track from which on frames take longer, or less long, with what
// does. Cost: O(frames), and that of a baseline for each of them.
func (e *Engine) Lasting(track model.TrackID, first, last int) (out []Lasting) {
	t, since := e.s.Track(track), first
	steps := e.s.Frames().Steps(track, first, last, nil)
	drift, drifts := e.s.Frames().Drift(track, first, last)
	if drifts = drifts && len(steps) == 0; drifts {
		steps = append(steps, drift)
	}
	for _, step := range steps {
		l := Lasting{Step: step, Drifts: drifts, Track: track}
		from, to, at := max(since, step.Index-2*frames.StepFrames), step.Index-1, step.Index
		if drifts {
			to, at = from+2*frames.StepFrames, min(last, t.NumFrames()-1)-frames.StepFrames
		}
		if step.AfterNs > step.BeforeNs {
			l.Chain = e.lastingChain(track, from, to, at)
			e.redate(&l)
		}
		f := t.Frame(l.Index)
		l.Number, l.BeginNs, since = f.Number, f.Begin, l.Index
		out = append(out, l)
	}
	return out
}

// lastingChain explains some frames from one on by those of a range before it, and returns the chain with the root
// cause that most of them share.
func (e *Engine) lastingChain(track model.TrackID, from, to, at int) []Link {
	b := compare.BeginBaseline(compare.FramesOf(e.s, track, from, to))
	defer b.Close()
	for !b.Step(math.MaxInt) {
	}
	base := b.On(e.s)
	var chains [][]Link
	for k := range lastingLooks {
		var a Answer
		if e.FrameOver(base, track, at+(2*k+1)*frames.StepFrames/(2*lastingLooks), &a); len(a.Chain) == 0 {
			continue
		}
		for i := range a.Chain { // the frames before are nothing that anybody chose
			a.Chain[i].Baseline, a.Chain[i].Seen, a.Chain[i].Around = false, 0, 0
		}
		chains = append(chains, a.Chain)
	}
	var best []Link
	most := lastingLooks * 2 / 5
	for _, c := range chains {
		alike := slices.DeleteFunc(slices.Clone(chains), func(o []Link) bool { return !sameRoot(c, o) })
		if len(alike) > most {
			most = len(alike)
			slices.SortFunc(alike, func(a, b []Link) int { return int(a[0].ExcessNs - b[0].ExcessNs) })
			best = alike[len(alike)/2]
		}
	}
	return best
}

func sameRoot(a, b []Link) bool {
	x, y := &a[len(a)-1], &b[len(b)-1]
	return x.Track == y.Track && x.Collector == y.Collector && x.Within == y.Within
}

// redate finds the first frame anew by the self time of what takes longer, which varies less than whole frames do.
func (e *Engine) redate(l *Lasting) {
	if l.Drifts || len(l.Chain) != 1 || l.Chain[0].Collector <= 0 {
		return
	}
	from := max(l.Index-lastingNear, 0)
	to := min(l.Index+lastingNear, e.s.Track(l.Track).NumFrames())
	sums := []float64{0}
	for i := from; i < to; i++ {
		ns := int64(0)
		e.selfs = e.s.Frames().Self(l.Track, i, e.selfs[:0])
		for _, a := range e.selfs {
			if a.Collector == l.Chain[0].Collector {
				ns = a.Ns
			}
		}
		sums = append(sums, sums[len(sums)-1]+float64(ns))
	}
	best, all := 0.0, float64(len(sums)-1)
	for k := 1; k < len(sums)-1; k++ {
		a := float64(k)
		d := (sums[len(sums)-1]-sums[k])/(all-a) - sums[k]/a
		if gain := d * d * a * (all - a); d > 0 && gain > best {
			best, l.Index = gain, from+k
		}
	}
}
