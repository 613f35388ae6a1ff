package subject

import (
	"framescope/charts/format"
	"framescope/charts/view"
	"framescope/model"
	"framescope/model/paths"
	"framescope/model/spans"
	"framescope/model/store"
)

// MeasureSums are what samples stand for where nobody knows when they were: of the threads that are
// shown, in all and of a method.
type MeasureSums struct {
	Measure spans.Measure   // the one that charts show
	Tracks  []model.TrackID // the threads
	Rows    []MeasureSum
	Callers []spans.Caller // of the method, in Measure

	shown  MeasureChoice
	tree   paths.Tree
	inside []paths.Inside
}

// MeasureSum is what samples stand for in one measure: in all, and of the method.
type MeasureSum struct {
	Measure         spans.Measure
	Of, Total, Self int64
}

// Sum asks the model for the numbers; c is NoCollector for no method.
func (x *MeasureSums) Sum(v *view.View, c model.CollectorID, t0, t1 int64) {
	table := v.Session().Spans()
	x.Tracks = append(x.Tracks[:0], v.Look().VisibleTracks()...)
	x.Measure = x.shown.Of(v, x.Tracks)
	x.Rows, x.Callers = x.Rows[:0], x.Callers[:0]
	for _, m := range x.shown.List {
		table.TreeOf(m, x.Tracks, t0, t1, &x.tree)
		row := MeasureSum{Measure: m, Of: x.tree.Total}
		x.inside = x.tree.Inside(x.inside[:0])
		for i := range x.inside {
			if in := &x.inside[i]; in.Collector == c {
				row.Total, row.Self = in.Total, in.Self
			}
		}
		x.Rows = append(x.Rows, row)
	}
	if c != model.NoCollector {
		x.Callers = table.Callers(x.Measure, x.Tracks, c, t0, t1, x.Callers)
	}
}

// SampledWords tells how well the share of the hottest method is known.
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

// StepWords tell what goes through a method on the way to the hottest one: its share and how much, and
// the same as a sentence.
func StepWords(s *store.Session, m spans.Measure, hot *spans.Hottest, at *spans.Step) (words, told string, share float64) {
	share = float64(at.Samples) / float64(max(hot.Of, 1))
	b := AppendMeasured(append(format.AppendPercent(nil, share), ", "...), s, m, at.Samples)
	words = string(b)
	b = AppendMeasured(append([]byte(s.Collector(at.Collector).Title()), " is on the stack in "...), s, m, at.Samples)
	return words, string(AppendMeasured(append(b, ", of "...), s, m, hot.Of)), share
}

// OwnWords say of what the figure of the hottest method is, or that of a chosen one.
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
