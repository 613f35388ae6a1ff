package store

import (
	"fmt"

	"framescope/model"
	"framescope/model/internal/sizes"
	"framescope/model/series"
)

// tooGreat says what becomes of values beyond series.MaxSample.
var tooGreat = fmt.Sprintf("values of series beyond %g, either way, are taken for that", series.MaxSample)

// sampleBytes is about what a sample takes in memory.
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
		s.samples.note(int64(len(b.Samples))*sampleBytes, first, s.clock.appends, s.series.Len())
		if m := &s.samples.marks; m.len() >= 2 && !m.queued {
			m.queued = true
			s.clock.ready = append(s.clock.ready, evictable{s: s})
		}
	}
}

// sampleMarks are the marks of the samples of all series.
type sampleMarks struct {
	marks
	since int64 // bytes appended since the last mark
}

// note notes where the samples added from now on begin, if enough came since the last mark. The
// more series, the more work to let something leave.
func (x *sampleMarks) note(bytes, first int64, stamp uint64, series int) {
	if x.len() == 0 || x.since >= max(sizes.MarkBytes, int64(series)*256) {
		x.add(mark{stamp: stamp, time: first})
		x.since = 0
	} else {
		x.lower(first)
	}
	x.since += bytes
}
