package subject

import (
	"slices"

	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/spans"
	"framescope/model/store"
)

// MeasureSums are the weights of samples without times: of the shown threads, in all and of a
// method.
type MeasureSums struct {
	Measure spans.Measure   // the one that charts show
	Tracks  []model.TrackID // the threads
	Rows    []MeasureSum
	Callers []spans.Caller // of the method, in Measure

	shown MeasureChoice
	trees [spans.NumMeasures]spans.TreeUser
	asked sumsOf // the inputs of the trees
	waits bool
	made  uint64
}

// sumsOf is the inputs of sums.
type sumsOf struct {
	session  *store.Session
	revision uint64
	tracks   uint64
	t0, t1   int64
}

// MeasureSum is the weight of samples in one measure: in all, and of the method.
type MeasureSum struct {
	Measure         spans.Measure
	Of, Total, Self int64
}

// Sum gets the numbers from the model; c is NoCollector for no method. It returns false while they are
// not ready: call it again. revision changes when they are to be made anew.
func (x *MeasureSums) Sum(v *view.View, c model.CollectorID, t0, t1 int64, revision uint64) bool {
	table, tracks := v.Session().Spans(), v.Look().VisibleTracks()
	measure := x.shown.Of(v, tracks)
	of := sumsOf{v.Session(), revision, TrackHash(tracks), t0, t1}
	if x.asked.session != of.session {
		x.Rows, x.Callers, x.waits = x.Rows[:0], x.Callers[:0], false
	}
	if x.asked != of && !x.waits {
		x.asked, x.waits, x.Tracks = of, true, append(x.Tracks[:0], tracks...)
		for m := range x.trees {
			if slices.Contains(x.shown.List, spans.Measure(m)) {
				x.trees[m].Ask(table, spans.Measure(m), tracks, t0, t1)
			} else {
				x.trees[m].Drop()
			}
		}
	}
	for m := range x.trees {
		if x.trees[m].Step(); x.trees[m].Waits() {
			return false
		}
	}
	if x.waits = false; x.asked != of {
		return false
	}
	x.made++
	x.Measure, x.Rows, x.Callers = measure, x.Rows[:0], x.Callers[:0]
	for _, m := range x.shown.List {
		tree := x.trees[m].Tree()
		in, _ := tree.Took(c)
		x.Rows = append(x.Rows, MeasureSum{Measure: m, Of: tree.Total, Total: in.Total, Self: in.Self})
	}
	if tree := x.Tree(); tree != nil && c != model.NoCollector {
		x.Callers = tree.Callers(c, x.Callers)
	}
	return true
}

// Made returns how often the numbers were made.
func (x *MeasureSums) Made() uint64 { return x.made }

// Tree returns the tree of Measure, nil while there is none.
func (x *MeasureSums) Tree() *spans.SharedTree { return x.trees[x.Measure].Tree() }

// SampledWords describe the precision of the hottest method's share.
func SampledWords(s *store.Session, hot *spans.Hottest) string {
	b := []byte("sampled")
	x := s.Info().Sampling
	if every := max(x.MedianNs, x.AskedNs); every > 0 {
		b = format.AppendDuration(append(b, " every "...), every)
	}
	b = format.AppendPercent(append(b, ": ± "...), hot.Within())
	b = format.AppendCount(append(b, " (95 %). "...), hot.Of)
	b = format.AppendPlural(append(b, " of "...), hot.Samples, "sample is of code", "samples are of code")
	return string(append(b, ", the others wait, or read or write"...))
}

// StepWords describe the part of the samples that goes through a method on the way to the hottest one:
// its share and amount, and the same as a sentence.
func StepWords(s *store.Session, m spans.Measure, hot *spans.Hottest, at *spans.Step) (words, told string, share float64) {
	share = float64(at.Samples) / float64(max(hot.Of, 1))
	b := AppendMeasured(append(format.AppendPercent(nil, share), ", "...), s, m, at.Samples)
	words = string(b)
	b = AppendMeasured(append([]byte(s.Collector(at.Collector).Title()), " is on the stack in "...), s, m, at.Samples)
	return words, string(AppendMeasured(append(b, ", of "...), s, m, hot.Of)), share
}

// OwnWords describe the figure of the hottest method, or that of a chosen one.
func OwnWords(s *store.Session, m spans.Measure, chosen model.CollectorID) string {
	what := MeasureName(s, m)
	if m == spans.MeasureSamples {
		what = "samples"
	}
	if chosen == model.NoCollector {
		return "Most of " + what + " by itself"
	}
	return "Own " + what + " of " + s.Collector(chosen).Name
}
