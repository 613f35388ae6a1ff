package store

import (
	"fmt"

	"framescope/model"
	"framescope/model/spans"
)

// tooGreat describes the treatment of values beyond series.MaxSample.
var tooGreat = fmt.Sprintf("values of series beyond %g, either way, are taken for that", spans.MaxSample)

// sampleBytes is about the size of a sample in memory.
const sampleBytes = 18

// appendSamples stores the samples of a batch. Those of a series that was never defined are
// refused.
func (s *Session) appendSamples(b *model.Batch) {
	if b.Anew && s.series.DropStacks(b.Track) {
		s.spans.DropSamples()
	}
	if len(b.Samples) == 0 {
		return
	}
	first, odd := s.series.Append(b.Samples)
	if odd.Cut > 0 {
		s.limit(b.Track, odd.Cut, tooGreat)
	}
	if odd.Strangers > 0 {
		s.limit(b.Track, odd.Strangers, "samples of a series that was not defined")
	}
	if odd.Late > 0 {
		s.lose(model.Loss{
			Reason: model.LossLate, Track: b.Track, N: odd.Late,
			Detail: "samples came too late to be put in their place",
		})
	}
	if first < model.MaxTime {
		s.markSamples(len(b.Samples), first)
	}
}
